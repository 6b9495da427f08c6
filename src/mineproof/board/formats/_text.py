"""Shared by the readers of text formats."""

from __future__ import annotations

import re

from mineproof.errors import InvalidText


def decode(data: bytes) -> str:
    """Bytes of a file as text."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        raise InvalidText("this is not text: it has bytes that are not UTF-8", line=line) from None


def query_value(text: str, name: str) -> str | None:
    """The value of ``name`` in the query of a URL, or None."""
    match = re.search(rf"[?&#]{name}=([^&#\s]*)", text)
    return match[1] if match else None
