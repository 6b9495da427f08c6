"""``python -m mineproof``."""

from mineproof.apps.cli import main

main()
