"""How shares are written in sentences: in percent, with one digit, and with their error if they are estimates."""

from __future__ import annotations


def percent(share: float | None, error: float | None = None) -> str:
    """A share in percent, with its error if it is an estimate.

    >>> percent(0.1234), percent(0.5, 0.012), percent(None)
    ('12.3 %', '50.0 ± 1.2 %', 'unknown')
    """
    if share is None:
        return "unknown"
    return f"{100 * share:.1f}{'' if error is None else f' ± {100 * error:.1f}'} %"


def a_percent(share: float | None, error: float | None = None) -> str:
    """The same with an article.

    >>> [a_percent(share) for share in (0.2, 0.081, 0.18, None)]
    ['a 20.0 %', 'an 8.1 %', 'an 18.0 %', 'an unknown']
    """
    text = percent(share, error)
    return f"{'an' if text.startswith(('8', '11.', '18.', 'u')) else 'a'} {text}"


def hundredths(share: float, error: float) -> str:
    """A share in percent, without the sign, with as many digits as its error allows; one digit if exact.

    >>> hundredths(0.9904, 0.005), hundredths(0.43, 0.031), hundredths(1 / 3, 0)
    ('99.0 ± 0.5', '43 ± 3', '33.3')
    """
    if not error:
        return f"{100 * share:.1f}"
    digits = 0 if error >= 0.0095 else 1 if error >= 0.00095 else 2
    return f"{100 * share:.{digits}f} ± {100 * error:.{digits}f}"
