"""What a person's review is worth: the example ``examples/review_loop.py`` on a real corpus, kept as a result.

``python -m benchmarks.review_loop --data FOLDER --vectors FOLDER --keep FOLDER --output results/review_loop.json``
trains, lets the gold column answer issues, applies and trains again. Runs are kept, and what is done is not repeated.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from benchmarks.machine import ROOT, origin, write_result

CORPUS: Final = "wikigold_distant"
VECTORS: Final = "english_100d.txt.gz"


def main() -> None:
    """Go round the loop and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vectors", "--keep", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--issues", type=int, nargs="+", default=[100, 300])
    chosen = parser.parse_args()
    corpus = chosen.data / CORPUS
    if not corpus.is_dir():
        print(f"{corpus} is not there: skipped")
        return
    command = [sys.executable, str(ROOT / "examples" / "review_loop.py"), str(corpus), "-o", str(chosen.keep)]
    command += ["--vectors", str(chosen.vectors / VECTORS), "--seeds", str(chosen.seeds)]
    subprocess.run([*command, "--issues", *map(str, chosen.issues)], check=True)
    rows = json.loads((chosen.keep / "review_loop.json").read_text(encoding="utf-8"))
    write_result(chosen.output, {**origin(("torch", "numpy")), "corpus": CORPUS, "rows": rows})


if __name__ == "__main__":
    main()
