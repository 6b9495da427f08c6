"""Whether the sanitizers look: each fault of ``wrong.pyx`` must end its process with the report that is due.

``make sanitize`` runs this first, in the environment of the fuzzer. Nothing here tests Mineproof.
"""

from __future__ import annotations

import subprocess
import sys

FAULTS = {
    "read_past_the_end": "AddressSanitizer: heap-buffer-overflow",
    "read_past_the_size": "AddressSanitizer: container-overflow",
    "read_what_was_freed": "AddressSanitizer: heap-use-after-free",
    "read_past_bytes": "AddressSanitizer: heap-buffer-overflow",
    "multiply_too_far": "runtime error: signed integer overflow",
    "convert_no_number": "runtime error: ",
    "index_too_far": "IndexError",
    "index_a_vector_too_far": "Assertion '__n < this->size()' failed",
}


def main() -> int:
    for fault, report in {"nothing": "", **FAULTS}.items():
        run = subprocess.run(
            [sys.executable, "-c", f"from mineproof._native import wrong; wrong.{fault}(); print('went on')"],
            capture_output=True,
            text=True,
        )
        went_on = run.returncode == 0 and run.stdout == "went on\n"
        if went_on != (fault == "nothing") or report not in run.stderr:
            told = f"{run.stdout}{run.stderr}" or "nothing at all"
            print(
                f"{fault} was to end with {report!r}, but ended with status {run.returncode} and said\n{told}",
                file=sys.stderr,
            )
            return 1
    print(f"the sanitizers look: each of {len(FAULTS)} faults made on purpose was caught")
    return 0


if __name__ == "__main__":
    sys.exit(main())
