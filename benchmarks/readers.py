"""One CoNLL reader a process, timed on demand: ``python -m benchmarks.readers NAME``.

Each line of standard input is the path of a file to read; each answer is a line of JSON with the CPU seconds the
reading took and what was found. A process loads one library alone, so that none pays for the objects of another.
"""

import contextlib
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

Reader = Callable[[Path], Any]
Counter = Callable[[Any], tuple[int, int]]


def _trustag() -> tuple[Reader, Counter]:
    from trustag.corpora.locating import CorpusOptions, stream  # noqa: PLC0415 - each process loads one library

    return lambda path: list(stream(str(path), CorpusOptions(format="conll"))), _count_rows


def _trustag_stream() -> tuple[Reader, Counter]:
    from trustag.corpora.locating import CorpusOptions, stream  # noqa: PLC0415 - each process loads one library

    def read(path: Path) -> tuple[int, int]:
        sentences = tokens = 0
        for sentence in stream(str(path), CorpusOptions(format="conll")):
            sentences += 1
            tokens += len(sentence.tokens)
        return sentences, tokens

    return read, lambda counts: counts


def _datasets() -> tuple[Reader, Counter]:
    return _load_table, lambda table: _count_lists(table[:])


def _datasets_lists() -> tuple[Reader, Counter]:
    return lambda path: _load_table(path)[:], _count_lists


def _load_table(path: Path) -> Any:
    import datasets  # noqa: PLC0415 - each process loads one library

    datasets.disable_progress_bars()
    # Without a cache of its own the second reading would find the result of the first.
    cache = tempfile.mkdtemp(dir=_CACHES.name)
    columns = ["tokens", "ner_tags"]
    return datasets.load_dataset("conll", data_files=str(path), column_names=columns, cache_dir=cache, split="train")


def _nltk() -> tuple[Reader, Counter]:
    import nltk  # noqa: PLC0415 - each process loads one library
    from nltk.corpus.reader import ConllCorpusReader  # noqa: PLC0415 - each process loads one library

    def read(path: Path) -> Any:
        if str(path.parent) not in nltk.data.path:
            nltk.data.path.append(str(path.parent))  # it reads from folders it was told of and no others
        return list(ConllCorpusReader(str(path.parent), [path.name], ("words", "pos")).tagged_sents())

    return read, _count_rows


def _flair() -> tuple[Reader, Counter]:
    from flair.datasets import ColumnCorpus  # noqa: PLC0415 - each process loads one library

    def read(path: Path) -> Any:
        columns = {0: "text", 1: "ner"}
        return ColumnCorpus(path.parent, columns, train_file=path.name, sample_missing_splits=False).train

    return read, _count_rows


def _count_rows(sentences: Any) -> tuple[int, int]:
    return len(sentences), sum(len(sentence) for sentence in sentences)


def _count_lists(columns: Any) -> tuple[int, int]:
    return len(columns["tokens"]), sum(map(len, columns["tokens"]))


READERS: Final = {
    "trustag": _trustag,
    "trustag, one sentence at a time": _trustag_stream,
    "datasets": _datasets,
    "datasets, as lists": _datasets_lists,
    "nltk": _nltk,
    "flair": _flair,
}
_CACHES: Final = tempfile.TemporaryDirectory(prefix="trustag-readers-")


def main(name: str) -> None:
    """Read the files that standard input names, until it ends."""
    answers = sys.stdout
    with _CACHES, contextlib.redirect_stdout(sys.stderr):
        read, count = READERS[name]()
        for line in sys.stdin:
            path = Path(line.removesuffix("\n"))
            gc.collect()
            begin = time.process_time()
            found = read(path)
            seconds = time.process_time() - begin
            sentences, tokens = count(found)
            del found
            print(json.dumps({"seconds": seconds, "sentences": sentences, "tokens": tokens}), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
