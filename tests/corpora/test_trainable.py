"""A corpus that teaches nothing is refused before torch is loaded, and leaves no folder."""

import subprocess
import sys
from pathlib import Path

PROBE = """
import sys
from trustag.cli import main
try:
    main(["train", "corpus.conll", "-o", "run"])
except SystemExit as leaving:
    print(leaving.code, "torch" in sys.modules)
"""


def test_a_corpus_without_entities_is_refused_before_torch_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "corpus.conll").write_text("Ann O\nslept O\n\n")
    done = subprocess.run([sys.executable, "-c", PROBE], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "2 False\n"
    assert done.stderr.startswith("trustag: corpus.conll: the training corpus holds no entity; check what holds")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.conll"]
