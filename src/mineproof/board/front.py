"""What users may ask of a position or a game, though the work belongs to modules that import both.

`Position.show`, `Game.save` and `Game.load` only pass the question on. The front page of the package, which may import
everything, sets these functions when it is imported; they load what they need when they are called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.board.html import Picture

show: Callable[..., Picture]
"""A picture of a position with words: `mineproof.show`."""
save: Callable[..., None]
"""Write a game to a file: `mineproof.save`."""
load: Callable[..., Any]
"""The game of a file."""
