"""A knowledge base on this machine: a store of pyoxigraph, or a dump that is loaded into one."""

import os
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trustag.errors import InputError, MissingExtraError
from trustag.files.inputs import InputFile
from trustag.files.outputs import new_folder
from trustag.labelling.sparql import Row
from trustag.vectors.cache import cache_folder, disk_errors_on_one_line

if TYPE_CHECKING:
    from pyoxigraph import Store

DUMPS: Final = (".nt", ".ttl", ".nq", ".trig", ".rdf", ".jsonld")


class LocalStore:
    """Answers SELECT queries from a store on disk, which is opened for reading only."""

    def __init__(self, folder: Path) -> None:
        self._store = _opened(folder)

    def select(self, query: str) -> list[Row]:
        """Return the rows of the answer."""
        found: Any = self._store.query(query)
        names = [variable.value for variable in found.variables]
        return [{name: row[name].value for name in names if row[name] is not None} for row in found]


def is_dump(path: Path) -> bool:
    """Tell whether a file is a dump by its name, which may end in ``.gz``."""
    return path.name.removesuffix(".gz").endswith(DUMPS)


def store_of_dump(path: Path) -> Path:
    """Return the folder of a store with the contents of a dump; it is loaded once, into the cache."""
    digest = blake2b(digest_size=16)
    with InputFile(path).open_bytes() as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    folder = cache_folder(os.environ) / "knowledge" / digest.hexdigest()
    if not folder.is_dir():
        with disk_errors_on_one_line(folder.parent):
            folder.parent.mkdir(parents=True, exist_ok=True)
        with new_folder(folder) as draft:
            _load(path, draft)
    return folder


def _load(path: Path, folder: Path) -> None:
    pyoxigraph = _pyoxigraph()
    suffix = Path(path.name.removesuffix(".gz")).suffix
    kind = pyoxigraph.RdfFormat.from_extension(suffix.removeprefix("."))
    store = pyoxigraph.Store(str(folder))
    with InputFile(path).open_bytes() as stream:
        try:
            store.bulk_load(stream, kind)
        except (SyntaxError, ValueError, OSError) as error:
            finding = f"not a dump in {suffix} ({' '.join(str(error).split())[:200]})"
            raise InputError(finding, where=path, remedy="mend it, or give it the ending of its format") from None
    store.optimize()
    store.flush()


def _opened(folder: Path) -> "Store":
    pyoxigraph = _pyoxigraph()
    try:
        store: Store = pyoxigraph.Store.read_only(str(folder))
    except (OSError, ValueError) as error:
        finding = f"cannot be opened as a store ({' '.join(str(error).split())[:200]})"
        raise InputError(finding, where=folder, remedy="give a store of pyoxigraph, a dump, or a web address") from None
    return store


def _pyoxigraph() -> Any:
    try:
        import pyoxigraph  # noqa: PLC0415 - only for a knowledge base on this machine
    except ImportError:
        raise MissingExtraError("a knowledge base on this machine", "label") from None
    return pyoxigraph
