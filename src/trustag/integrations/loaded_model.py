"""What ``trustag.load`` gives: a predictor that knows its folder and can be sent to the Hugging Face hub."""

from pathlib import Path
from typing import Self

from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import InputError
from trustag.export.model_loading import load_tagger
from trustag.models.model_place import model_folder
from trustag.models.prediction import Predictor
from trustag.models.tagged import SentenceTagger
from trustag.notes import unwatched
from trustag.text.scoring import EntityScores, score_labels


class LoadedModel(Predictor):
    """A model from a folder: a run, a model folder, or an exported model."""

    def __init__(self, tagger: SentenceTagger, folder: Path, tokenizer: str = "auto") -> None:
        super().__init__(tagger, tokenizer)
        self.folder = folder

    def card(self, name: str = "", license_name: str = "", test: str | Path | None = None) -> str:
        """Return the model card, with the facts of the run where the model lies in one.

        ``test`` is a labelled corpus by which every type is scored.
        """
        from trustag.integrations.model_card import model_card  # noqa: PLC0415 - only where a card is written

        is_run = (self.folder / "manifest.json").is_file()
        return model_card(
            name or self.folder.resolve().name,
            self.tagger.labels.types,
            self.folder if is_run else None,
            license_name=license_name,
            scores=None if test is None else self._scores(str(test)),
        )

    def push_to_hub(
        self,
        repository: str,
        *,
        license_name: str = "",
        test: str | Path | None = None,
        private: bool = False,
        token: str | None = None,
        endpoint: str | None = None,
    ) -> str:
        """Write the model with its card to ``repository`` (``owner/name``) on the hub and return its address."""
        from trustag.integrations.hub import upload  # noqa: PLC0415 - only where a model is sent

        card = self.card(repository.rpartition("/")[2], license_name, test)
        folder = model_folder(self.folder)
        return upload(folder, card, repository, private=private, token=token, endpoint=endpoint)

    @classmethod
    def from_hub(
        cls, repository: str, revision: str | None = None, *, token: str | None = None, endpoint: str | None = None
    ) -> Self:
        """Return the model in ``repository`` (``owner/name``) on the hub, or from the cache of its library."""
        from trustag.integrations.hub import download  # noqa: PLC0415 - only where a model is fetched

        folder = download(repository, revision, token=token, endpoint=endpoint)
        return cls(load_tagger(folder), folder)

    def _scores(self, corpus: str) -> EntityScores:
        sentences = [sentence for sentence in stream(corpus, CorpusOptions(), unwatched) if sentence.tokens]
        if not any(label is not None for sentence in sentences for label in sentence.labels):
            raise InputError("no labels to score against", where=corpus, remedy="give a labelled corpus")
        predicted = self.tagger.tag(sentence.tokens for sentence in sentences)
        return score_labels(zip([sentence.labels for sentence in sentences], predicted, strict=True))


def load(path: str | Path, tokenizer: str = "auto") -> LoadedModel:
    """Return the model in ``path`` (a run, a model folder, an exported model), ready to predict entities in texts."""
    folder = Path(path)
    return LoadedModel(load_tagger(folder), folder, tokenizer)


def from_hub(repository: str, revision: str | None = None) -> LoadedModel:
    """Return the model in ``repository`` (``owner/name``) on the Hugging Face hub."""
    return LoadedModel.from_hub(repository, revision)
