"""What can be shown on one system of the others: every module is imported without what Windows lacks, keys come from a
Windows console, and the flags of each compiler are its own."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from setuptools import Distribution

import mineproof
from support.processes import said

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
CYRILLIC = "iso8859-5"

POSIX_MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
POSIX_NAMES = {
    "os": ("fork", "forkpty", "getuid", "geteuid", "getpgid", "getpgrp", "getppid", "killpg", "mkfifo", "setsid",
           "sched_getaffinity", "set_blocking", "tcgetpgrp", "uname", "waitpid", "WNOHANG"),
    "signal": ("SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGUSR1", "SIGXFSZ", "pthread_sigmask", "setitimer"),
    "socket": ("AF_UNIX",),
}  # fmt: skip

WITHOUT_POSIX = """
import importlib, pkgutil, sys
import mineproof

names = [name for _, name, _ in pkgutil.walk_packages(mineproof.__path__, "mineproof.")
         if not name.endswith((".__main__", ".migrations.env"))]
for name in names:  # other packages know for themselves where they are: they are there before
    importlib.import_module(name)
for name in list(sys.modules):
    if name.partition(".")[0] == "mineproof" and not name.startswith("mineproof._native"):
        del sys.modules[name]
for name in MODULES:
    sys.modules[name] = None
for name, missing in NAMES.items():
    for one in missing:
        delattr(sys.modules[name], one)
if PLATFORM:
    import types
    sys.platform = PLATFORM
    sys.modules["msvcrt"] = types.ModuleType("msvcrt")
    names.remove("mineproof.agents.keeper")
for name in names:
    importlib.import_module(name)
print(len(names))
"""
"""Compiled modules cannot be loaded twice; they are the same everywhere."""


@pytest.mark.parametrize("platform", ["", "win32"])
def test_every_module_is_imported_without_what_windows_lacks(platform: str) -> None:
    code = WITHOUT_POSIX.replace("MODULES", repr(POSIX_MODULES)).replace("NAMES", repr(POSIX_NAMES))
    command = [sys.executable, "-c", code.replace("PLATFORM", repr(platform))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    sources = Path(mineproof.__file__).parent.rglob("*.py")
    assert int(done.stdout) > sum(source.name != "__init__.py" for source in sources) - 5


class Console(types.ModuleType):
    """The keys of a Windows console, as msvcrt gives them; None is a while in which nothing is pressed."""

    def __init__(self, *keys: str | None) -> None:
        super().__init__("msvcrt")
        self.keys = list(keys)

    def kbhit(self) -> bool:
        if self.keys[:1] == [None]:
            del self.keys[0]
            return False
        return bool(self.keys)

    def getwch(self) -> str:
        return str(self.keys.pop(0))


def windows_keys(monkeypatch: pytest.MonkeyPatch, console: Console) -> dict[str, Any]:
    """The module of keys, as Windows has it."""
    path = ROOT / "src/mineproof/apps/cli/keys.py"
    monkeypatch.setitem(sys.modules, "msvcrt", console)
    with monkeypatch.context() as there:
        there.setattr(sys, "platform", "win32")
        return runpy.run_path(str(path))


def test_keys_of_a_windows_console(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{name}.isatty", lambda: True)
    console = Console("q", None, None, " ", "\xe0", "H", "\r", None, "\x03")
    with windows_keys(monkeypatch, console)["Keys"]() as keys:
        assert keys.single
        assert [keys.wait(None), keys.wait(None), keys.wait(None), keys.wait(0)] == ["q", " ", "\r", ""]
        with pytest.raises(KeyboardInterrupt):
            keys.wait(None)


@pytest.fixture
def set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], dict[str, Any]]:
    """What setup.py tells setuptools, about one module."""
    native = tmp_path / "src/mineproof/_native"
    native.mkdir(parents=True)
    (native / "one.pyx").touch()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("MINEPROOF_DEBUG", "MINEPROOF_SANITIZE"):
        monkeypatch.delenv(name, raising=False)
    given: dict[str, Any] = {}
    monkeypatch.setattr("setuptools.setup", lambda **named: given.update(named))
    monkeypatch.setattr("Cython.Build.cythonize", lambda extensions, **_: extensions)

    def run() -> dict[str, Any]:
        runpy.run_path(str(ROOT / "setup.py"))
        return given

    return run


@pytest.mark.parametrize(
    ("compiler", "debug", "wanted"),
    [("unix", "", {"-std=c++17", "-O3"}), ("mingw32", "", {"-std=c++17", "-O3"}),
     ("msvc", "", {"/std:c++17", "/O2", "/EHsc", "/DNOMINMAX"}),
     ("unix", "1", {"-O1", "-UNDEBUG", "-DMINEPROOF_PORTABLE"}),
     ("msvc", "1", {"/O1", "/UNDEBUG", "/DMINEPROOF_PORTABLE"})],
)  # fmt: skip
def test_each_compiler_has_its_flags(
    set_up: Callable[[], dict[str, Any]], monkeypatch: pytest.MonkeyPatch, compiler: str, debug: str, wanted: set[str]
) -> None:
    monkeypatch.setenv("MINEPROOF_DEBUG", debug)
    given = set_up()
    (extension,) = given["ext_modules"]
    command = given["cmdclass"]["build_ext"](Distribution())
    command.extensions, command.compiler = [extension], types.SimpleNamespace(compiler_type=compiler)
    monkeypatch.setattr("setuptools.command.build_ext.build_ext.build_extensions", lambda _: None)
    command.build_extensions()
    flags = set(extension.extra_compile_args)
    assert wanted <= flags
    assert {flag[0] for flag in flags} == ({"/"} if compiler == "msvc" else {"-"})


def test_links_of_the_readme_lead_somewhere_from_a_package_index(set_up: Callable[[], dict[str, Any]]) -> None:
    text = set_up()["long_description"]
    pictures = re.findall(r"!\[[^]]*\]\(([^)]*)\)", text)
    pages = re.findall(r"\]\(([^)]*)\)", re.sub(r"!\[[^]]*\]\([^)]*\)", "", text))
    assert pictures
    assert pages
    for links, home in (
        (pictures, "https://raw.githubusercontent.com/mineproof/mineproof/main/"),
        (pages, "https://github.com/mineproof/mineproof/blob/main/"),
    ):
        for link in links:
            assert link.startswith(home), link
            assert (ROOT / link.removeprefix(home).partition("#")[0]).exists(), link


def test_a_sign_that_the_code_page_lacks_is_no_reason_to_fail() -> None:
    game = ROOT / "tests/golden/opening.game"
    narrow, wide = (said("review", game, env={**os.environ, "PYTHONIOENCODING": code}) for code in (CYRILLIC, "utf-8"))
    assert not wide[1].isascii()
    assert narrow == (0, "".join(sign if sign.isascii() else "?" for sign in wide[1]), "")
