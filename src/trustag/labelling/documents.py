"""Texts as documents to label: sentences of one text together, as many as fit into memory."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice

from trustag.corpora.locating import CorpusOptions
from trustag.corpora.texts import texts
from trustag.labelling.sentence_splitting import Splitting
from trustag.notes import Watch
from trustag.text.sentences import Sentence


def read_documents(
    names: Iterable[str], reading: CorpusOptions, splitting: Splitting, watch: Watch
) -> Iterator[Sentence]:
    """Yield the sentences of all texts, one text after the other."""
    plain = splitting.reading()
    return chain.from_iterable(texts(name, reading, watch, plain) for name in names)


def in_documents(sentences: Iterable[Sentence], most: int) -> Iterator[list[Sentence]]:
    """Yield neighbouring sentences of one document together, ``most`` at a time; 0 means one at a time."""
    for _, members in groupby(sentences, key=_document):
        while block := list(islice(members, max(1, most))):
            yield block


def _document(sentence: Sentence) -> tuple[str | None, str | None]:
    return sentence.document, sentence.source.file if sentence.source is not None else None
