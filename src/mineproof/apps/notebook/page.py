"""What the browser gets: one ES module, made of ``widget.js`` and the files of the web page that it shares.

A notebook loads a module from a string, which cannot import its neighbours. So the imported files are put in front of
it, each in a scope of its own. There is no build step: the files are those that the web app serves.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

HERE = Path(__file__).parent
STATIC = HERE.parent / "web/static"
STYLES = ("css/tokens.css", "css/controls.css", "css/board.css", "css/coach.css")

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]*)";[^\n]*$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_EXPORTED = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_SPRITE = re.compile(r'<svg class="sprite".*?</svg>', re.DOTALL)


def module() -> str:
    """Return the module of the widget, with its style sheet and its signs."""
    sprite = _SPRITE.search((STATIC / "index.html").read_text("utf-8"))
    assert sprite is not None, "the page has no signs"
    parts: dict[Path, str] = {}
    entry = _inlined(HERE / "widget.js", parts)
    constants = f"const STYLE = {json.dumps(style())};\nconst SIGNS = {json.dumps(sprite[0])};"
    return "\n".join([constants, *parts.values(), entry])


def style() -> str:
    """Return the style sheet. The widget is a shadow tree, so the page's root is its host. Sizes do not follow the
    notebook's root, and no file is asked for.

    >>> any(word in style() for word in (":root", "rem;", "url("))
    False
    """
    text = "\n".join((STATIC / name).read_text("utf-8") for name in STYLES).replace(":root", ":host")
    text = re.sub(r"url\([^)]*\)", "none", text)
    text = re.sub(r"([\d.]+)rem\b", lambda size: f"{16 * float(size[1]):g}px", text)
    return text + (HERE / "widget.css").read_text("utf-8")


def _inlined(path: Path, parts: dict[Path, str]) -> str:
    """Return the text of a module without its imports; what it imports is added to the parts first."""

    def replaced(statement: re.Match[str]) -> str:
        other = (path.parent / statement[2]).resolve()
        if other not in parts:
            parts[other] = ""  # the modules that it imports itself must come first
            text = _inlined(other, parts)
            del parts[other]
            parts[other] = _scoped(other.stem, text)
        return f"const {{{statement[1].replace(' as ', ': ')}}} = {other.stem}_js;"

    return _IMPORT.sub(replaced, path.read_text("utf-8"))


def _scoped(name: str, text: str) -> str:
    """Return a module as a value, an object of what it exports."""
    exported = _EXPORT.findall(text) + [name.strip() for names in _EXPORTED.findall(text) for name in names.split(",")]
    body = _EXPORTED.sub("", _EXPORT.sub("", text))
    return f"const {name}_js = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"
