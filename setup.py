"""Builds ``mineproof._native``. Everything else about the package is in pyproject.toml.

MINEPROOF_DEBUG=1 builds with bounds checks and assertions, and without compiler extensions, for tests.
"""

import os
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, ExecError

DEBUG = os.environ.get("MINEPROOF_DEBUG", "") not in ("", "0")
NATIVE = Path("src/mineproof/_native")


class build_ext_or_say_why(build_ext):
    """A missing compiler or header is for the user to mend; say it in a sentence."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extension(self, ext: Extension) -> None:
        if not Path(sysconfig.get_path("include"), "Python.h").exists():
            raise SystemExit(
                "mineproof has a compiled core: install Python's headers first (Debian: apt-get install python3-dev)."
            )
        try:
            super().build_extension(ext)
        except (CompileError, ExecError) as failure:
            if "No such file or directory" not in str(failure):
                raise
            raise SystemExit(
                "mineproof has a compiled core: install a C++ compiler first (Debian: apt-get install g++)."
            ) from None


for copied in Path("build").glob("cython*/src/**/*.hpp"):
    copied.unlink()  # Cython copies headers beside the C++ that it writes, and does not renew them all

extensions = [
    Extension(
        f"mineproof._native.{source.stem}",
        [str(source)],
        language="c++",
        include_dirs=[str(NATIVE)],
        extra_compile_args=[
            "-std=c++17",
            *(["-O1", "-UNDEBUG", "-D_GLIBCXX_ASSERTIONS", "-DMINEPROOF_PORTABLE"] if DEBUG else ["-O3"]),
        ],
    )
    for source in sorted(NATIVE.glob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/cython-debug" if DEBUG else "build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "cdivision": not DEBUG,
            "initializedcheck": DEBUG,
            "embedsignature": True,
        },
    ),
    cmdclass={"build_ext": build_ext_or_say_why},
)
