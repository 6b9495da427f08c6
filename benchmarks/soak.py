"""Everything that the package says of a position, against a referee that tries all ways to lay the mines.

``make soak`` runs it until Ctrl-C: see CONTRIBUTING.md. Each wrong answer is printed with the position to paste.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support import campaign, kinds, soak

if __name__ == "__main__":
    sys.exit(campaign.main("Hold all answers against a referee.", kinds.start, soak.examine))
