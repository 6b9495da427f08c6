"""The old name of `mineproof.reference`, which warns when something is taken from it."""

from __future__ import annotations

import warnings
from importlib import import_module


def __getattr__(name: str) -> object:
    reference = import_module("mineproof.reference")
    if name.startswith("_") or not hasattr(reference, name):
        raise AttributeError(name)
    warnings.warn("mineproof.odds.exact is now called mineproof.reference", DeprecationWarning, stacklevel=2)
    return getattr(reference, name)
