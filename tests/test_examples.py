"""The examples run as they are shown."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_estimator_example_tells_scores_and_findings() -> None:
    command = [sys.executable, str(EXAMPLES / "noisy_ner.py"), "--sentences", "60", "--epochs", "1", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for words in ("bilstm-crf: F1 0.", "confidence: F1 0.", "estimated noise:", "changed labels:", "Lisbon "):
        assert words in done.stdout
