"""Builds ``mineproof._native``. Everything else about the package is in pyproject.toml.

MINEPROOF_DEBUG=1 builds with bounds checks and assertions, and without compiler extensions, for tests.
MINEPROOF_SANITIZE=1 builds with the sanitizers of the compiler besides, and with a module that is wrong on purpose
(tests/sanitize), to see that they look.
"""

import os
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, ExecError

NATIVE = Path("src/mineproof/_native")
SANITIZE = os.environ.get("MINEPROOF_SANITIZE", "") not in ("", "0")
DEBUG = os.environ.get("MINEPROOF_DEBUG", "") not in ("", "0")
CHECKED = DEBUG or SANITIZE
KIND = "sanitize" if SANITIZE else "debug" if DEBUG else "release"
"""Each has a folder of its own below build: what one leaves there must not get into the other."""

SANITIZERS = [
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-fno-wrapv",  # Python is built with -fwrapv, and hands it on: then no overflow would be seen
]
if SANITIZE:
    COMPILE = ["-O1", "-g", "-UNDEBUG", "-D_GLIBCXX_ASSERTIONS", "-D_GLIBCXX_SANITIZE_VECTOR", *SANITIZERS]
elif DEBUG:
    COMPILE = ["-O1", "-UNDEBUG", "-D_GLIBCXX_ASSERTIONS", "-DMINEPROOF_PORTABLE"]
else:
    COMPILE = ["-O3"]


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
        extra_compile_args=["-std=c++17", *COMPILE],
        extra_link_args=SANITIZERS if SANITIZE else [],
        depends=["setup.py", *map(str, NATIVE.glob("*.hpp"))],
    )
    for source in [*sorted(NATIVE.glob("*.pyx")), *(sorted(Path("tests/sanitize").glob("*.pyx")) if SANITIZE else [])]
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/cython" if KIND == "release" else f"build/cython-{KIND}",
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "wraparound": False,
            "cdivision": not CHECKED,
            "initializedcheck": CHECKED,
            "embedsignature": True,
        },
    ),
    cmdclass={"build_ext": build_ext_or_say_why},
    options={"build": {"build_base": f"build/{KIND}"}},
)
