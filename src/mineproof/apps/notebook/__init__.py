"""The notebook app: a board to play on in Jupyter and its relatives. The extra ``notebook`` is needed.

`BoardWidget` holds the game; `page` puts together what the browser gets, from the web page's own board.
"""

from mineproof.apps.notebook.widget import BoardWidget

__all__ = ["BoardWidget"]
