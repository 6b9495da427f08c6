"""Security checks for every request: its host, origin and size; and headers that restrict what a browser may do with
the response."""

from __future__ import annotations

import ipaddress
import json
import re
import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mineproof.apps.web.problems import BadHost, ForeignOrigin, Refused, TooLarge, described
from mineproof.apps.web.settings import LOOPBACK
from mineproof.errors import shorten

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from mineproof.apps.web.settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_NAME = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::[0-9]{1,5})?", re.ASCII)


class Door:
    """The outermost ASGI middleware: every request passes it first."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.names = {*LOOPBACK, settings.host.lower()}
        if not settings.loopback:
            self.names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
        try:
            self.check_host(headers.get("host", ""))
            if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                check_origin(headers)
            if scope["type"] == "http":
                receive = await self._whole_body(headers, receive)
        except Refused as refused:
            await _refuse(scope, send, refused)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                api = scope["path"].startswith("/api/")
                message["headers"] = [*message["headers"], *HEADERS, *([(b"cache-control", b"no-store")] * api)]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)

    def check_host(self, host: str) -> None:
        """Check the host name: a foreign name that resolves to this server (DNS rebinding) is refused. On a public
        server any IP address is accepted, because it is not a name."""
        match = _NAME.fullmatch(host)
        name = match[1].strip("[]").lower() if match else ""
        if name in self.names or (not self.settings.loopback and _is_address(name)):
            return
        raise BadHost(f"this server does not answer to the name {shorten(host)}")

    async def _whole_body(self, headers: dict[str, str], receive: Receive) -> Receive:
        """Read the body, up to the limit, and return a ``receive`` that gives it to the app."""
        most = self.settings.most_bytes
        announced = headers.get("content-length", "0")
        if announced.isdecimal() and int(announced) > most:
            raise TooLarge(f"a request can have at most {most:,} bytes; this one announces {shorten(announced)}")
        if announced == "0" and "transfer-encoding" not in headers:
            return receive
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                break
            body += message.get("body", b"")
            if len(body) > most:
                raise TooLarge(f"a request can have at most {most:,} bytes")
            if not message.get("more_body"):
                break
        replayed = False

        async def again() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        return again


def check_origin(headers: dict[str, str]) -> None:
    """Check that a write comes from our own page, or from a program, which has no origin."""
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        raise ForeignOrigin(f"a page of {shorten(origin)} may not use this server")
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise ForeignOrigin("a page of another site may not use this server")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(scope: Scope, send: Send, refused: Refused) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403, "reason": str(refused)[:100]})
        return
    body = json.dumps({"error": described(refused)}).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *HEADERS]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
