"""Builds ``mineproof._native``. Everything else about the package is in pyproject.toml.

MINEPROOF_DEBUG=1 builds with bounds checks and assertions, and without compiler extensions, for tests.
MINEPROOF_SANITIZE=1 builds with the sanitizers of the compiler besides, and with a module that is wrong on purpose
(tests/sanitize), to see that they look.
"""

import os
import re
import sys
import sysconfig
import tomllib
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
GNU = ["-std=c++17", "-ffp-contract=off"]  # no fused multiply-add: processors that have it give the same numbers
MSVC = ["/std:c++17", "/permissive-", "/utf-8", "/EHsc", "/DNOMINMAX"]
if SANITIZE:
    GNU += ["-O1", "-g", "-UNDEBUG", "-D_GLIBCXX_ASSERTIONS", "-D_GLIBCXX_SANITIZE_VECTOR", *SANITIZERS]
elif DEBUG:
    GNU += ["-O1", "-UNDEBUG", "-D_GLIBCXX_ASSERTIONS", "-DMINEPROOF_PORTABLE"]
    MSVC += ["/O1", "/UNDEBUG", "/DMINEPROOF_PORTABLE"]
else:
    GNU += ["-O3", "-g0"]  # Python may be built with -g, and hands it on: the modules would be several times as large
    MSVC += ["/O2"]


class build_ext_or_say_why(build_ext):
    """Each compiler gets its own flags. A missing compiler or header is for the user to mend; say it in a sentence."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        msvc = self.compiler.compiler_type == "msvc"  # all others, clang and MinGW among them, are called as GCC is
        if msvc and SANITIZE:
            raise SystemExit("MINEPROOF_SANITIZE=1 needs GCC.")
        for ext in self.extensions:
            ext.extra_compile_args = MSVC if msvc else GNU
        super().build_extensions()

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
                "mineproof has a compiled core: install a C++ compiler first (Debian: apt-get install g++; "
                "macOS: xcode-select --install; Windows: the C++ build tools of Visual Studio)."
            ) from None


for copied in Path("build").glob("cython*/src/**/*.hpp"):
    copied.unlink()  # Cython copies headers beside the C++ that it writes, and does not renew them all

extensions = [
    Extension(
        f"mineproof._native.{source.stem}",
        [str(source)],
        language="c++",
        include_dirs=[str(NATIVE)],
        extra_link_args=SANITIZERS if SANITIZE else [],
        depends=["setup.py", *map(str, NATIVE.glob("*.hpp"))],
    )
    for source in [*sorted(NATIVE.glob("*.pyx")), *(sorted(Path("tests/sanitize").glob("*.pyx")) if SANITIZE else [])]
]


def readme() -> str:
    """README.md for a package index, which has none of the files that it links to."""
    home = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
    shown = home.replace("https://github.com", "https://raw.githubusercontent.com")
    text = Path("README.md").read_text("utf-8")
    text = re.sub(r"(!\[[^]]*\]\()(?!https?:)", rf"\1{shown}/main/", text)
    return re.sub(r"(\]\()(?!https?:|#)", rf"\1{home}/blob/main/", text)


setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    ext_modules=cythonize(
        extensions,
        nthreads=os.cpu_count() or 1 if sys.platform == "linux" else 0,  # others would run this file in each process
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
