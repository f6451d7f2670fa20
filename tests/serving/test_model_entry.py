"""A server imports neither the model nor torch: its workers do."""

import subprocess
import sys


def test_the_server_does_not_load_torch() -> None:
    probe = (
        "import sys, trustag.serving.http_server, trustag.serving.model_entry, trustag.cli.serve; "
        "print([name for name in ('torch', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
