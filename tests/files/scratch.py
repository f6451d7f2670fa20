"""Real files for one example of a property test, gone when the example is over."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trustag.files.inputs import InputFile


@contextmanager
def scratch_file(content: bytes | str, name: str = "data.json") -> Iterator[InputFile]:
    """Yield a file with this content; messages call it ``name``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        yield InputFile(path, shown_as=name)
