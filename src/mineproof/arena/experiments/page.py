"""The web page of all experiments in a folder."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from mineproof.files import write_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mineproof.arena.experiments.experiment import Experiment

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mineproof: experiments</title>
<style>
:root {{ color-scheme: light dark; --line: #8884; --card: #fff; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 4rem; }}
nav ul {{ columns: 2 18rem; padding-left: 1.2rem; }}
article {{ border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: 1rem; }}
h2 {{ margin: 0 0 .2rem; }}
img {{ width: 100%; height: auto; background: var(--card); border-radius: 6px;
  margin: .8rem 0; padding: .5rem; box-sizing: border-box; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }}
th:first-child, td:first-child {{ text-align: left; }}
.question {{ font-style: italic; margin: 0; }}
.files {{ font-size: .875rem; opacity: .8; }}
</style>
<h1>Mineproof: experiments</h1>
<p>Each figure has its data beside it. Bands and bars are 95&nbsp;% intervals.</p>
<nav><ul>{links}</ul></nav>
{articles}
</html>
"""

ARTICLE = """<article id="{name}">
<h2>{title}</h2>
<p class="question">{question}</p>
<img src="{name}/figure.svg" alt="{title}">
{table}<p>{reading}</p>
<p class="files">Source: {source}. Files: <a href="{name}/data.csv">data.csv</a>,
<a href="{name}/data.parquet">data.parquet</a>, <a href="{name}/figure.png">figure.png</a>,
<a href="{name}/figure.svg">figure.svg</a></p>
</article>"""


def _as_html(table: str) -> str:
    head, _, *lines = [[html.escape(cell.strip()) for cell in line.strip("|").split("|")] for line in table.split("\n")]
    rows = [f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines]
    return (
        f'<div class="wide"><table><tr>{"".join(f"<th>{cell}</th>" for cell in head)}</tr>{"".join(rows)}</table></div>'
    )


def write_index(folder: Path, experiments: Iterable[Experiment]) -> Path:
    """Write the page of all experiments that are in the folder. Return its path."""
    links, articles = [], []
    for experiment in experiments:
        path = folder / experiment.name / "reading.md"
        if not path.exists():
            continue
        reading = path.read_text("utf-8").split("\n\n", 2)[-1].strip()
        links.append(f'<li><a href="#{experiment.name}">{html.escape(experiment.title)}</a></li>')
        fields = {"title": experiment.title, "question": experiment.question, "source": experiment.source}
        *table, fields["reading"] = reading.rsplit("\n\n", 1)
        escaped = {name: html.escape(text) for name, text in fields.items()}
        articles.append(ARTICLE.format(name=experiment.name, table="".join(map(_as_html, table)), **escaped))
    page = folder / "index.html"
    write_file(page, PAGE.format(links="\n".join(links), articles="\n".join(articles)).encode())
    return page
