"""Texts labelled by a configuration, as sentences to train on."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from trustag.corpora.locating import CorpusOptions
from trustag.labelling.configuration import build_labeller, read_settings
from trustag.labelling.documents import in_documents, read_documents
from trustag.labelling.sentence_splitting import Splitting
from trustag.notes import Watch
from trustag.text.sentences import Sentence


def labelled_texts(names: Sequence[str], config: Path, reading: CorpusOptions, watch: Watch) -> Iterator[Sentence]:
    """Yield the sentences of texts, labelled by the TOML file ``config``; every label has its source."""
    settings = read_settings(config, {})
    labeller = build_labeller(settings, watch)
    splitting = Splitting(settings.language, settings.sentences, settings.tokenizer)
    for document in in_documents(read_documents(names, reading, splitting, watch), settings.document_sentences):
        for one in labeller.label(document):
            yield one.sentence
