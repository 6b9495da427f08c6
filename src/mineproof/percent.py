"""How shares are written: in percent, with one digit, or with the digits that their error allows if they are estimates.

A share that is not exactly 0 or 1 is never written as 0 or 100, which mean certain. The web page's twin is
``percent.js``.
"""

from __future__ import annotations

LEAST_ERROR = 5e-5
"""The smallest error that is written; with a smaller one, a share is as good as exact."""


def percent(share: float | None, error: float | None = None, digits: int = 1) -> str:
    """Return a share in percent, with its error if it is an estimate.

    >>> percent(0.1234), percent(0.9904, 0.005), percent(0.43, 0.031), percent(None)
    ('12.3 %', '99.0 ± 0.5 %', '43 ± 3 %', 'unknown')
    >>> percent(0), percent(0.0001), percent(0.9999), percent(0.9999, digits=0)
    ('0.0 %', '<0.1 %', '>99.9 %', '>99 %')
    """
    if share is None:
        return "unknown"
    error = None if error is not None and error < LEAST_ERROR else error
    text = hundredths(share, error, digits)
    least = 10**-digits
    if not error and share > 0 and float(text) == 0:
        text = f"<{least:.{digits}f}"
    elif not error and share < 1 and float(text) == 100:
        text = f">{100 - least:.{digits}f}"
    return f"{text} %"


def a_percent(share: float | None, error: float | None = None) -> str:
    """Return a share in percent with an article.

    >>> [a_percent(share) for share in (0.2, 0.081, 0.18, None)], a_percent(0.11, 0.02)
    (['a 20.0 %', 'an 8.1 %', 'an 18.0 %', 'an unknown'], 'an 11 ± 2 %')
    >>> a_percent(1e-6)
    'less than a 0.1 %'
    """
    text = percent(share, error)
    if text[0] in "<>":
        return f"{'less' if text[0] == '<' else 'more'} than a {text[1:]}"
    return f"{'an' if text.startswith(('8', '11.', '11 ', '18.', '18 ', 'u')) else 'a'} {text}"


def whole(share: float) -> int:
    """Return an uncertain share in two digits, for where there is no room for more.

    >>> whole(0.001), whole(0.333), whole(0.9999)
    (1, 33, 99)
    """
    return min(max(round(100 * share), 1), 99)


def hundredths(number: float, error: float | None, digits: int = 1) -> str:
    """Return a share, or a difference of shares, in hundredths, with as many digits as its error allows.

    >>> hundredths(0.9904, 0.005), hundredths(0.43, 0.031), hundredths(1 / 3, 0)
    ('99.0 ± 0.5', '43 ± 3', '33.3')
    """
    if not error:
        return f"{100 * number:.{digits}f}"
    digits = 0 if error >= 0.0095 else 1 if error >= 0.00095 else 2
    return f"{100 * number:.{digits}f} ± {100 * error:.{digits}f}"
