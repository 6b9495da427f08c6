"""The example notebooks run from top to bottom, and show what their text says."""

from __future__ import annotations

import re
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

import mineproof

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted(ROOT.glob("examples/notebooks/*.ipynb"))

SAID = {
    "logic-course": [
        "| McIntyre | chaining | {} | {} | {D2, G2, H3, E6, H6} |",  # they differ, as the text says
        "| Nguyen and Kafafian | normal-form | {G2} | {D2} | {H3, E6, H6} |",
        "| Lee | matching | {G2, H3, E6} | {D2} | {H6} |",
        "| Harnjan | sat | {G2, H3, E6} | {D2, H6} | {} |",
        "| Sharma and others | csp | {G2, H3, E6} | {D2, H6} | {} |",
        "[['A1', 'C1']]",  # one model
        "No certain cell was found; there may be some.",
        "| C1, C2 | safe | by clue A1 and the mine count |",
        "fault: None",
        "sound, as far as was tried",
        "application/vnd.jupyter.widget-view+json",
    ],
    "probability-course": [
        "9 consistent boards of 84",
        "(80, 'digits')",  # atoms in the visible universe: about 10^80
        "both 0.000",  # B1 and B2 are not independent
        "| C1 | 0.143 | 57.1 % |",  # less risk, but a smaller chance to win
        "| A3 | 0.286 | 71.4 % |",
        "| the best | | 71.4 % |",
        "| guesses | predicted risk | hit a mine | 95 % interval |",
    ],
    "your-own-agent": [
        "Lost after 2 moves",
        "| First | 0 of 200 |",
        "Odds is better than Thinker: on the same 200 boards",
        "best is better than Odds: on the same 200 boards",
        "Odds and Mine cannot be told apart",
    ],
}
"""What the text of each notebook builds on."""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels leave nothing in the folders of the user, and import what is tested."""
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PYTHONPATH", str(Path(mineproof.__file__).parent.parent))


def shown(cells: list[Any]) -> Iterator[str]:
    """All that the cells print and show, as text, and the kinds of what they show."""
    for cell in cells:
        for output in cell.get("outputs", []):
            if output["output_type"] == "stream":
                yield output["text"]
            for kind, content in output.get("data", {}).items():
                yield kind
                yield str(content)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_its_text_says(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    ask = "import sys, mineproof\nprint(sys.executable, mineproof.__file__)"
    notebook.cells.append(nbformat.v4.new_code_cell(ask))
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}})
    client.execute()
    *cells, last = notebook.cells
    assert last["outputs"][0]["text"] == f"{sys.executable} {mineproof.__file__}\n", "another kernel, or another code"
    everything = "\n".join(shown(cells))
    for words in SAID[path.stem]:
        assert words in everything
    assert "stderr" not in [output.get("name") for cell in cells for output in cell.get("outputs", [])]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_clean_and_has_exercises(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell["cell_type"] == "code"]
    text = "\n".join(cell["source"] for cell in notebook.cells if cell["cell_type"] == "markdown")
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert notebook.metadata.kernelspec.name == "python3"
    assert text.startswith("# ")
    assert len(re.findall(r"^\*\*\d\.\*\* ", text.partition("## Exercises")[2], re.MULTILINE)) >= 4
    for target in re.findall(r"\]\((\.\.[^)#]+)\)", text):
        assert (path.parent / target).exists(), target


def test_every_notebook_is_checked() -> None:
    assert [path.stem for path in NOTEBOOKS] == sorted(SAID)


def test_a_widget_in_a_kernel_answers_its_browser(tmp_path: Path) -> None:
    """The whole way: a kernel, its wire, and messages as a notebook sends them."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(tmp_path))
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=120)
        client.execute(
            "from mineproof.apps.notebook import BoardWidget\n"
            "widget = BoardWidget('beginner', 'opening', seed=1)\n"
            "widget",
        )
        opened = next(
            message for message in heard(client, "comm_open") if "board" in message["content"]["data"]["state"]
        )
        assert set(opened["content"]["data"]["state"]["board"]["symbols"]) == {"H"}
        said = {"method": "custom", "content": {"id": "1", "do": "move", "move": "open E5"}}
        wire = {"comm_id": opened["content"]["comm_id"], "data": said}
        client.shell_channel.send(client.session.msg("comm_msg", wire))
        changed, told = (message["content"]["data"] for message in islice(heard(client, "comm_msg"), 2))
        assert changed["state"]["board"]["symbols"].count("H") == 81 - 32
        assert told["content"] == {"id": "1", "ok": {}}
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def heard(client: Any, kind: str) -> Iterator[dict[str, Any]]:
    """The messages of this kind that the kernel publishes."""
    while True:
        message: dict[str, Any] = client.get_iopub_msg(timeout=120)
        if message["msg_type"] == kind:
            yield message
