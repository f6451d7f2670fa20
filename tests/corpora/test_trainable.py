"""A corpus that teaches nothing is refused before torch is loaded, and leaves no folder."""

import subprocess
import sys
from pathlib import Path

from trustag.corpora.trainable import types_to_learn
from trustag.text.sentences import Sentence
from trustag.text.soft_labels import PROBABILITIES

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


def test_types_that_only_probabilities_name_are_learned_too() -> None:
    sentence = Sentence(("Ann",), ("B-PER",), columns={PROBABILITIES: ("S-PER=0.6|S-ORG=0.3|O=0.1",)})
    assert types_to_learn([sentence]) == ("ORG", "PER")
