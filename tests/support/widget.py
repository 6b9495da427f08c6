"""The two ends of a widget without a notebook: the wire, which keeps what is sent, and a browser's model."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import comm

from mineproof.apps.notebook import BoardWidget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

MODEL = """async ([esm, board]) => {
    const state = { board };
    const heard = {};
    window.model = {
        get: (name) => state[name],
        on: (what, act) => (heard[what] ??= new Set()).add(act),
        off: (what, act) => heard[what]?.delete(act),
        send: async (content) => {
            for (const { method, state: now, content: said } of await window.toPython(content)) {
                if (method === "update") {
                    Object.assign(state, now);
                    for (const act of [...(heard["change:board"] ?? [])]) act();
                } else for (const act of [...(heard["msg:custom"] ?? [])]) act(said);
            }
        },
        listeners: () => Object.values(heard).reduce((sum, acts) => sum + acts.size, 0),
    };
    const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    window.again = () => widget.render({ model: window.model, el: document.querySelector("#here") });
    window.end = window.again();
}"""
"""A module is loaded as anywidget does it: from a string, as a blob."""


class Wire(comm.DummyComm):
    """What Python sends, as it would go over the wire."""

    def __init__(self, **options: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        super().__init__(**options)

    def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
        if msg_type != "comm_close":
            self.sent.append(json.loads(json.dumps(data)))

    def take(self) -> list[dict[str, Any]]:
        """What was sent since the last time."""
        taken, self.sent = self.sent, []
        return taken


@contextmanager
def wired(*args: Any, **options: Any) -> Iterator[tuple[BoardWidget, Wire]]:
    """A widget, and the wire to its browser."""
    before = comm.create_comm
    comm.create_comm = Wire
    try:
        widget = BoardWidget(*args, **options)
    finally:
        comm.create_comm = before
    assert isinstance(widget.comm, Wire)
    try:
        yield widget, widget.comm
    finally:
        widget.close()


def ask(wire: Wire, **message: Any) -> list[dict[str, Any]]:
    """What comes back when the browser sends this."""
    wire.take()
    wire.handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})
    return wire.take()


def mount(page: Page, widget: BoardWidget, wire: Wire, style: str = "") -> None:
    """Show a widget in a page, connected with Python."""
    page.expose_function("toPython", lambda content: ask(wire, **content))
    page.set_content(f"<!doctype html><html lang='en'><title>Notebook</title><body {style}><main id='here'></main>")
    page.evaluate(MODEL, [str(widget._esm), widget.board])
