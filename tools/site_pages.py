"""What the documentation site has besides docs/: pages made here, and files of the repository in their own words.

MkDocs calls the functions named ``on_…`` (its hooks). Links are written for readers on GitHub, as paths between files;
here those that lead out of docs/ are turned to the site's own page, or to the repository.
"""

from __future__ import annotations

import ast
import posixpath
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

import mineproof

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
STATIC = "src/mineproof/apps/web/static"
BORROWED = {
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "assets/icon.svg": f"{STATIC}/icons/icon.svg",
    "assets/tokens.css": f"{STATIC}/css/tokens.css",
    "assets/site.css": "tools/site.css",
}
"""Files of the site, and where they are in the repository. All others are in docs/."""
ROOMS = {
    "board": "The game",
    "logic": "Logic",
    "odds": "Odds",
    "agents": "Agents",
    "explain": "Explanations",
    "generate": "Generating boards",
    "hindsight": "Reviews",
    "arena": "The arena",
    "limit": "Limits",
    "errors": "Errors",
}
APPS = (
    "notebook.widget.BoardWidget",
    "gym.env.Minesweeper",
    "gym.vector.MinesweeperVector",
    "gym.setting.LEVELS",
    "gym.setting.RULE_SETS",
    "gym.wrappers.OneHot",
    "gym.wrappers.VectorOneHot",
    "gym.wrappers.one_hot",
    "gym.wrappers.WithMinesLeft",
    "gym.wrappers.ProgressReward",
    "gym.wrappers.WastePenalty",
    "gym.wrappers.RiskPenalty",
)
"""What two apps offer to programs. It is read, not imported: the libraries that it needs may not be here."""
CONSTANTS = {
    "AGENTS": "Every agent of Mineproof, by its name.",
    "FORMATS": "Every format, by its name.",
    "LEVELS": "Every level that has a name.",
    "METHODS": "Every method of inference, by its name.",
}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the borrowed files and the reference."""
    for uri, source in BORROWED.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / source)))
    for uri, text in reference():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links that lead out of docs/; colour what examples print as output."""
    here = BORROWED.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    lent = {source: uri for uri, source in BORROWED.items()}

    def turned(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), found["path"]))
        uri = lent.get(path, path.removeprefix("docs/"))
        if files.get_file_from_path(uri) is None and not path.startswith("docs/"):
            return f"]({config.extra['repository']}/blob/main/{path}{found['anchor']})"
        return f"]({posixpath.relpath(uri, posixpath.dirname(page.file.src_uri) or '.')}{found['anchor']})"

    markdown = re.sub(r"^```python\n(?=>>>)", "```pycon\n", markdown, flags=re.MULTILINE)
    return re.sub(r"\]\((?!https?:|mailto:|#)(?P<path>[^)#\s]+)(?P<anchor>[^)\s]*)\)", turned, markdown)


def reference() -> Iterator[tuple[str, str]]:
    """A page for each room, with its public names, and one that lists them all."""
    listed = ["# Python\n\nEvery public name, from `import mineproof`. Each page is one room of the package.\n"]
    for room, title in ROOMS.items():
        public = {name: path for name, path in mineproof._LATER.items() if path.split(".")[1] == room}
        listed.append(f"## {title}\n\n| name | |\n|---|---|")
        listed += [f"| [`{name}`][{path}.{name}] | {_summary(name)} |" for name, path in public.items()]
        listed.append("")
        parts = [f"# {title}\n\n{_docstring(room)}\n", *(f"::: {path}.{name}\n" for name, path in public.items())]
        yield f"reference/{room}.md", "\n".join(parts)
    title = "Notebooks and environments"
    names = ", ".join(f"[`{path.split('.')[-1]}`][mineproof.apps.{path}]" for path in APPS)
    listed.append(f"## {title}\n\nFrom `mineproof.apps.notebook` and `mineproof.apps.gym`: {names}.\n")
    about = "See [notebooks](../notebooks.md) and [environments](../gym.md) for how they are used."
    parts = [f"# {title}\n\n{about}\n", *(f"::: mineproof.apps.{path}\n" for path in APPS)]
    yield "reference/apps.md", "\n".join(parts)
    yield "reference/index.md", "\n".join(listed)


def _docstring(room: str) -> str:
    source = Path(import_module(f"mineproof.{room}").__file__ or "").read_text("utf-8")
    return ast.get_docstring(ast.parse(source)) or ""


def _summary(name: str) -> str:
    """The first sentence of a docstring."""
    text = CONSTANTS.get(name) or getattr(mineproof, name).__doc__ or ""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")
