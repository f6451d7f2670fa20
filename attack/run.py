"""Make the hostile tries and write what became of them.

``python -m attack.run --output results/attack.json``, with ``--only PART`` for some parts; the others stay as they are
in the file.
"""

import argparse
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Final

from benchmarks.machine import origin, write_result

PARTS: Final = ("mutations", "door", "kills", "commands", "disk", "memory", "inputs", "clock")
_SEED: Final = 1


def breaches(facts: object) -> list[str]:
    """Return everything in the facts on a part that broke the law.

    >>> breaches({"tries": 3, "kinds": {"model": {"broken": ["exit code 3"]}}, "broken": []})
    ['exit code 3']
    """
    if not isinstance(facts, dict):
        return []
    own = [str(one) for one in facts.get("broken", [])]
    return own + [one for value in facts.values() for one in breaches(value)]


def _known(output: Path) -> dict[str, dict[str, object]]:
    """Return what a result file holds already."""
    found: dict[str, dict[str, object]] = json.loads(output.read_text(encoding="utf-8")) if output.exists() else {}
    return found


def main() -> int:
    """Run from the command line; the exit code is 1 if anything broke the law."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--add", action="store_true", help="keep what the file has of the parts, beside what is new")
    parser.add_argument("--share", type=float, default=1.0, help="of the tries; the default is the whole campaign")
    arguments = parser.parse_args()
    is_broken = False
    for part in arguments.only or PARTS:
        print(f"{part} ...", file=sys.stderr, flush=True)
        began, source = time.monotonic(), origin((), arguments.seed)
        before = _known(arguments.output).get(part, {}) if arguments.add else {}
        facts: dict[str, object] = {**before, **source, "share": arguments.share}
        for found in importlib.import_module(f"attack.{part}").attack(arguments.seed, arguments.share):
            facts |= {**found, "seconds": round(time.monotonic() - began)}
            write_result(arguments.output, {**_known(arguments.output), **source, part: facts})
        broken = breaches(facts)
        print(f"{part}: {len(broken)} broke the law", *broken, sep="\n  ", file=sys.stderr, flush=True)
        is_broken |= bool(broken)
    return 1 if is_broken else 0


if __name__ == "__main__":
    sys.exit(main())
