"""Start the server, say where it is when it is ready, and open a browser there."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.supervisors import Multiprocess

from mineproof.apps.web.store import Store
from mineproof.system import WINDOWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.apps.web.settings import Settings


def serve(settings: Settings, port: int, workers: int, browser: bool, say: Callable[[str], object]) -> None:
    """Serve until interrupted. This process alone first migrates the database to the newest version."""
    store = Store(settings.database)
    store.migrate()
    store.close()
    settings.to_environment()
    listening = bind(settings.host, port)
    address = address_of(listening, settings)
    threading.Thread(target=_announce, args=(address, browser, say), daemon=True).start()
    config = uvicorn.Config(
        "mineproof.apps.web:create_app",
        factory=True,
        workers=workers,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ws="websockets-sansio",
        ws_max_size=settings.most_message,
        timeout_graceful_shutdown=3,
        proxy_headers=False,
    )
    try:
        if workers > 1:
            _Workers(config, sockets=[listening]).run()
        else:
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()


class _Workers(Multiprocess):
    """Worker processes that end on Ctrl-C with the same exit status as a single process."""

    interrupted = False

    def handle_int(self) -> None:
        """Note Ctrl-C, or SIGINT."""
        self.interrupted = True
        super().handle_int()

    def run(self) -> None:
        """Run the workers until they are told to stop."""
        super().run()
        if self.interrupted:
            raise KeyboardInterrupt


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 picks a free one."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = addresses[0]
    listening = socket.socket(family, kind, protocol)
    if not WINDOWS:  # on Windows the option would share the port with another server
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
    except OSError as failure:
        listening.close()
        raise OSError(failure.errno, failure.strerror, f"{host}:{port}") from None
    listening.set_inheritable(True)
    return listening


def address_of(listening: socket.socket, settings: Settings) -> str:
    """Return what to type into a browser on this machine."""
    port = listening.getsockname()[1]
    host = settings.host
    with suppress(ValueError):
        parsed = ipaddress.ip_address(host)
        if parsed.is_unspecified:
            host = "127.0.0.1"
        elif parsed.version == 6:
            host = f"[{host}]"
    return f"http://{host}:{port}/"


def _announce(address: str, browser: bool, say: Callable[[str], object]) -> None:
    """Report the address when the server answers."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        try:
            with opener.open(f"{address}api/health", timeout=5):
                break
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    say(f"Mineproof is at {address}")
    if browser:
        webbrowser.open(address)
