"""Condense the full recording of the published code to the few batches that are committed beside this file.

    python -m tests.reference.condense FOLDER

``FOLDER`` holds the full ``confidence_cases.json``. The numbers are copied as they are; only whole batches are left
out and the spaces between numbers.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Final

RECORDING: Final = "confidence_cases.json"
COMMITTED: Final = Path(__file__).parent / RECORDING
# Local and global scoring, with and without calibration; 2, 4 and 10 entity types; batches of one, three and five
# sentences; a single token with nothing to distrust; shares of distrusted labels from none to 60 per cent.
SEEDS: Final = (0, 2, 3, 10, 13, 15, 18, 19, 21, 22)


def condensed(cases: list[Any]) -> str:
    """Return the chosen ``cases`` as JSON, one batch to a line."""
    chosen = [case for case in cases if case["seed"] in SEEDS]
    lines = (json.dumps(case, separators=(",", ":")) for case in chosen)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main() -> None:
    """Write the committed recording anew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help=f"holds the full {RECORDING}")
    folder: Path = parser.parse_args().folder
    COMMITTED.write_text(condensed(json.loads((folder / RECORDING).read_text())))


if __name__ == "__main__":
    main()
