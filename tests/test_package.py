"""What users get: the source archive is whole, and its wheel works in an empty environment.

The wheel is built from the source archive. Compiled modules of this folder that are newer than their sources are handed
over, as setuptools does between two builds in one folder; if there are none, they are compiled.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

import mineproof

ROOT = Path(__file__).parent.parent
WHEELS = ROOT / ".venv/wheels"
NATIVE = "src/mineproof/_native"
OURS_ALONE = {".gitignore", ".ci", ".github"}
"""Of no use to anybody who has no clone."""
MADE = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis", "*.so", ".coverage",
    "node_modules",
)  # fmt: skip


class Built(NamedTuple):
    """A source archive, unpacked, and the wheel that was built from it."""

    clone: Path
    archive: Path
    unpacked: Path
    wheel: Path


class Installed(NamedTuple):
    """An environment with nothing but the wheel and what it needs."""

    folder: Path

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment, as somebody who has nothing else."""
        others = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "PYTEST", "VIRTUAL_ENV", "MINEPROOF"))
        }
        own = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder)}
        return subprocess.run(
            command, cwd=self.folder, env=others | own, capture_output=True, text=True, timeout=300, check=False
        )


def build(kind: str, source: Path, out: Path) -> Path:
    """Build an sdist or a wheel, with the tools of this environment; its path."""
    done = subprocess.run(
        [sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", str(out), str(source)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = out.iterdir()
    return made


def hand_over_compiled(to: Path) -> None:
    """Put what was compiled here where setuptools looks for what it compiled before."""
    if (ROOT / "build/cython").exists():
        shutil.copytree(ROOT / "build/cython", to / "build/cython", dirs_exist_ok=True)
    lib = to / f"build/release/lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}/mineproof/_native"
    lib.mkdir(parents=True)
    for module in (ROOT / NATIVE).glob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"):
        shutil.copy2(module, lib)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("package")
    clone = folder / "clone"
    shutil.copytree(ROOT, clone, ignore=MADE)
    if (ROOT / "build/cython").exists():
        shutil.copytree(ROOT / "build/cython", clone / "build/cython")
    archive = build("sdist", clone, folder / "sdist")
    shutil.rmtree(clone / "build", ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    unpacked = folder / f"mineproof-{mineproof.__version__}"
    hand_over_compiled(unpacked)
    return Built(clone, archive, unpacked, build("wheel", unpacked, folder / "wheel"))


@pytest.fixture(scope="session")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    assert WHEELS.exists(), "make .venv/.wheels keeps the wheels that this test installs"
    folder = tmp_path_factory.mktemp("empty") / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin/python"), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    done = subprocess.run(
        [*pip, "--no-index", "--find-links", str(WHEELS), str(built.wheel)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Installed(folder)


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_the_source_archive_is_the_repository(built: Built) -> None:
    wanted = {name for name in files(built.clone) if name.split("/")[0] not in OURS_ALONE and "egg-info" not in name}
    with tarfile.open(built.archive) as tar:
        held = {name.partition("/")[2] for name in tar.getnames() if tar.getmember(name).isfile()}
    held = {name for name in held if "egg-info" not in name}
    assert held - {"PKG-INFO", "setup.cfg"} == wanted


def test_tests_of_the_source_archive_run_in_it(built: Built) -> None:
    (lib,) = (built.unpacked / "build/release").glob("lib.*")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0"]
    done = subprocess.run(
        [*command, "tests/golden", "tests/test_public_names.py", "tests/test_examples.py"],
        cwd=built.unpacked, env={**os.environ, "PYTHONPATH": str(lib)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_wheel_has_all_modules_and_nothing_else(built: Built) -> None:
    assert built.wheel.name.startswith(f"mineproof-{mineproof.__version__}-cp")
    names = set(zipfile.ZipFile(built.wheel).namelist())
    source = {str(Path(name).relative_to("src")) for name in files(built.clone) if name.startswith("src/mineproof/")}
    compiled = {name for name in names if name.endswith(".so")}
    assert source <= names
    assert len(compiled) == len(list((ROOT / NATIVE).glob("*.pyx")))
    rest = names - source - compiled
    assert {name.split("/")[0].rpartition(".")[2] for name in rest} == {"data", "dist-info"}
    assert [name for name in rest if ".data/" in name] == [
        f"mineproof-{mineproof.__version__}.data/data/share/man/man1/mineproof.1"
    ]


@pytest.mark.parametrize(
    ("command", "status", "shown"),
    [
        (("mineproof", "--version"), 0, f"mineproof, version {mineproof.__version__}"),
        (("mineproof", "watch", "--seed", "163", "--delay", "0"), 0, "won"),
        (("mineproof", "rate", "4x3x3=418"), 0, "4x3x3: 3BV 9"),
        (("mineproof", "generate", "--no-guess", "--level", "beginner", "--seed", "1"), 0, '{"w":9,"h":9,"start":40,'),
        (("mineproof", "arena", "--level", "beginner", "--games", "50"), 0, "50 games on beginner"),
        (("mineproof", "completion", "bash"), 0, "_mineproof_completion"),
        (("mineproof", "web", "--no-browser"), 2, "pip install 'mineproof[web]'"),
        (("python", "-c", "import mineproof as m; print(m.analyse(m.Game('5x5x3', 'opening')).exact)"), 0, "True"),
        (("python", "-m", "mineproof", "deduce", "--help"), 0, "--method"),
        (("python", "-m", "pip", "check"), 0, "No broken requirements"),
        (("man", "--where", "mineproof"), 0, "environment/share/man/man1/mineproof.1"),
    ],
    ids=lambda value: " ".join(value[:3]) if isinstance(value, tuple) else "",
)
def test_a_new_user_can(installed: Installed, command: tuple[str, ...], status: int, shown: str) -> None:
    done = installed.run(*command)
    assert done.returncode == status, done.stderr
    assert shown in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
