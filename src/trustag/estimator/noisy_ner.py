"""A tagger that learns from labels one only partly trusts, in the shape of a scikit-learn estimator."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
import torch

from trustag.corpora.frames import is_frame
from trustag.errors import InputError
from trustag.estimator.fitted import FittedState, LearnedLabels, fitted
from trustag.estimator.parameters import Parameters, not_fitted, setting, with_setting
from trustag.estimator.saving import load_fitted, save_fitted
from trustag.estimator.sentence_rows import LabelRows, Rows, TokenRows, sentence_rows, text_rows
from trustag.export.model_loading import load
from trustag.files.spelled_tags import SpelledTags
from trustag.label_quality.analysis import Change
from trustag.label_quality.detection import Detection
from trustag.methods.table import load_recipe
from trustag.models.encoder_kinds import find_encoder
from trustag.models.prediction import Predictor, Texts
from trustag.models.wording import one_by_one
from trustag.noise_rates.rates import FoundRates
from trustag.notes import Note
from trustag.pipeline import Destination, train
from trustag.recipes.settings import Recipe
from trustag.text.labels import Label, is_positive
from trustag.text.schemes import Scheme
from trustag.text.scoring import score_labels
from trustag.text.sentences import Corpus, Sentence

RANDOM_VECTORS: Final = "random"


class NoisyNER(Parameters):
    """A named-entity tagger for noisy labels: ``NoisyNER(vectors="english-glove").fit(X, y).predict(X)``.

    X is a list of token lists; y is a list of label lists in any tagging scheme, ``None`` where a label is unknown.
    Where labels are types without positions (``PER``), so are those that are predicted.

    Parameters
    ----------
    method
        ``confidence`` distrusts labels in which models have little confidence (the paper), ``self-training`` relabels
        without confidence, ``bilstm-crf`` is the baseline that trusts every label; ``trustag recipes`` lists all, and
        ``package.module:NAME`` is a method of your own.
    recipe
        A shipped recipe (``fast``, ``paper``, ``transformer``) or a TOML file; by default the one named like the
        method, or ``fast``.
    settings
        Single settings, each as ``"section.key=value"``; ``set_params(section__key=value)`` changes one of them.
    vectors
        Word vectors by name or file, or ``"random"``, which says that worse results will do.
    context
        A Hugging Face encoder by folder or name whose frozen features stand beside the word vectors.
    workers
        Trainings side by side; one is done in this process. The result does not depend on it.
    random_state
        The seed; ``None`` is the recipe's own, so that the same call gives the same result in any case.

    After :meth:`fit` there are
        ``model_`` (what ``trustag.load`` gives), ``recipe_`` (every setting), ``classes_`` and ``labels_`` (what can be
        predicted, in the order of :meth:`predict_marginals`), ``scheme_``; and of the given labels ``relabelled_`` (new
        ones), ``changes_`` (where these differ), ``confidence_`` (the probability of each given label, one array a
        sentence, NaN where it was unknown), ``trusted_`` (the same as yes and no), ``noise_rates_``, ``detection_``
        (with gold: how well wrong labels were found) and ``notes_`` (what was left out, and labels that their scheme
        forbids, which are repaired first). A method that takes labels as given finds nothing: no changes, and ``None``
        for confidence, trust, rates and detection.
    """

    model_: Predictor
    recipe_: Recipe
    scheme_: Scheme
    classes_: npt.NDArray[np.str_]
    labels_: tuple[str, ...]
    relabelled_: list[list[Label]]
    changes_: tuple[Change, ...]
    confidence_: Rows[npt.NDArray[np.float32]] | None
    trusted_: Rows[npt.NDArray[np.bool_]] | None
    noise_rates_: FoundRates | None
    detection_: Detection | None
    notes_: tuple[Note, ...]

    def __init__(  # noqa: PLR0913, PLR0917 - what can be set is an argument, as in every estimator
        self,
        method: str = "confidence",
        recipe: str | Path | None = None,
        settings: Sequence[str] = (),
        vectors: str | Path | None = None,
        workers: int = 1,
        random_state: int | None = None,
        context: str | Path | None = None,
    ) -> None:
        self.method = method
        self.recipe = recipe
        self.settings = settings
        self.vectors = vectors
        self.workers = workers
        self.random_state = random_state
        self.context = context

    def set_params(self, **parameters: Any) -> Self:
        """Change constructor arguments by name, or any setting of the recipe as ``section__key=value``."""
        super().set_params(**{name: value for name, value in parameters.items() if "__" not in name})
        chosen = {name: value for name, value in parameters.items() if "__" in name}
        for name, value in chosen.items():
            self.settings = with_setting(_settings(self.settings), setting(name, value))
        if chosen:
            self._recipe()
        return self

    def fit(
        self,
        X: TokenRows,
        y: LabelRows | None = None,
        *,
        dev: tuple[TokenRows, LabelRows] | TokenRows | None = None,
        trusted: tuple[TokenRows, LabelRows] | TokenRows | None = None,
        gold: LabelRows | None = None,
        folder: str | Path | None = None,
    ) -> Self:
        """Learn from the tokens ``X`` with the labels ``y`` and return the estimator.

        A table of pandas with one token per row may be given for both (``fit(frame)``). ``dev`` are sentences with
        right labels, by which the best epoch is chosen; ``trusted`` are more of these, which the model learns from;
        those that stand in ``X`` too also show the noise rates, and their given labels are replaced. ``gold`` are the
        right labels of ``X`` where they are known, which say how well wrong ones are found and never reach the model.
        The work is done in ``folder``, which is left behind as a run, or in a temporary one.
        """
        notes: list[Note] = []
        tags = SpelledTags("y", notes.append)
        sentences = sentence_rows(X, y, gold, tags=tags)
        _check_content(sentences)
        clean = _clean_sentences(trusted, "trusted")
        corpus = Corpus(sentences, _clean_sentences(dev, "dev"), trusted=clean)
        recipe = self._recipe()
        _check_vectors(recipe)
        with _place(folder) as place, _torch_left_alone():
            trained = train(corpus, recipe, Destination(place), _workers(self.workers), notes.append)
            model = load(trained.run.path)
        found = fitted(model, recipe, trained, sentences, notes, clean)
        self._take(replace(found, learned=found.learned.as_types()) if tags.are_types else found)
        return self

    def predict(self, X: Texts) -> Rows[list[str]]:
        """Return a label for every token of every sentence, in the tagging scheme of the labels it was fitted on.

        ``X`` are token lists or, as for ``model_.predict``, texts, a single text, or a table of pandas. The tokens of a
        text are those of ``model_.sentence(text)``.
        """
        known = self._fitted()
        tagged = known.model.tagger.tag(text_rows(X, known.model), self.scheme_)
        return Rows([str(known.learned.spelled(label)) for label in labels] for labels in tagged)

    def predict_marginals(self, X: Texts) -> Rows[npt.NDArray[np.float32]]:
        """Return the probability of each label at each token: for every sentence an array (tokens, labels)."""
        model = self._fitted().model
        names = np.array(_names(model, self._known.learned))
        belongs = (names[:, None] == self.classes_).astype(np.float32)
        return Rows(table @ belongs for table in model.predict_marginals(text_rows(X, model)))

    def score(self, X: TokenRows, y: LabelRows | None = None) -> float:
        """Return the F1 of the predicted entities, over all types together; borders and type must be right."""
        tagger = self._fitted().model.tagger
        sentences = sentence_rows(X, y)
        predicted = tagger.tag((sentence.tokens for sentence in sentences), self.scheme_)
        return score_labels(zip([sentence.labels for sentence in sentences], predicted, strict=True)).micro.f1

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the fitted estimator to a folder, which ``trustag.load`` and the command line take as a model too."""
        save_fitted(self._fitted(), self.get_params(), Path(path), overwrite=overwrite)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the fitted estimator that :meth:`save` wrote to ``path``."""
        parameters, known = load_fitted(Path(path))
        estimator = cls().set_params(**parameters)
        estimator._take(known)
        return estimator

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether there is anything to predict with."""
        return hasattr(self, "_known")

    def _fitted(self) -> FittedState:
        if not self.__sklearn_is_fitted__():
            raise not_fitted(type(self).__name__)
        return self._known

    def _take(self, known: FittedState) -> None:
        learned = known.learned
        self._known = known
        self.model_, self.recipe_, self.scheme_ = known.model, known.recipe, learned.scheme
        self.labels_ = tuple(dict.fromkeys(_names(known.model, learned)))
        self.classes_ = np.array(self.labels_)
        self.relabelled_, self.changes_ = learned.relabelled, learned.changes
        self.confidence_, self.trusted_ = known.confidence, known.trusted
        self.noise_rates_, self.detection_, self.notes_ = learned.noise_rates, learned.detection, learned.notes

    def _recipe(self) -> Recipe:
        """Return the checked recipe of all parameters; what comes later in this list overrides what comes before."""
        recipe = None if self.recipe is None else str(self.recipe)
        changes = [*_settings(self.settings)]
        if self.vectors == RANDOM_VECTORS:
            changes += [setting("bilstm__vectors", ""), setting("bilstm__random_vectors", value=True)]
        elif self.vectors is not None:
            changes.append(setting("bilstm__vectors", str(self.vectors)))
        if self.context is not None:
            changes.append(setting("bilstm__context", str(self.context)))
        if self.random_state is not None:
            if not isinstance(self.random_state, int | np.integer):
                raise InputError(f"random_state={self.random_state!r} is no whole number", remedy="give one, or None")
            changes.append(setting("training__seed", self.random_state))
        return load_recipe(recipe, changes, self.method)


def _settings(settings: Sequence[str]) -> tuple[str, ...]:
    if isinstance(settings, str) or not all(isinstance(change, str) for change in settings):
        finding = f"settings={settings!r} is no list of strings"
        raise InputError(finding, remedy='give for example ["training.epochs=4"]')
    return tuple(settings)


def _workers(workers: int) -> int:
    if not isinstance(workers, int | np.integer) or workers < 1:
        raise InputError(f"workers={workers!r} is no number of processes", remedy="give 1 or more")
    return int(workers)


def _check_content(sentences: Sequence[Sentence]) -> None:
    if not any(sentence.tokens for sentence in sentences):
        raise InputError("there is no sentence with tokens", where="X", remedy="give a list of token lists")
    if not any(is_positive(label) for sentence in sentences for label in sentence.labels):
        raise InputError("no label is part of an entity", where="y", remedy="give labels such as B-PER and I-PER")


def _check_vectors(recipe: Recipe) -> None:
    settings = recipe.bilstm
    if not settings.vectors and not settings.random_vectors and find_encoder(recipe.model.encoder).reads_vectors:
        remedy = 'name a file or stored vectors (trustag vectors list), or accept worse results with vectors="random"'
        raise InputError("no word vectors are given", remedy=remedy)


def _clean_sentences(given: tuple[TokenRows, LabelRows] | TokenRows | None, name: str) -> tuple[Sentence, ...]:
    """Return sentences with right labels, from lists or a table; ``name`` says in errors which they are."""
    if given is None:
        return ()
    if is_frame(given):
        return sentence_rows(given, None, names=(name, name))
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputError(f"{name} is no pair of sentences and labels", remedy=f"give {name}=(X, y)")
    tokens, labels = given
    return sentence_rows(tokens, labels, names=(f"{name}[0]", f"{name}[1]"))


def _names(model: Predictor, learned: LearnedLabels) -> tuple[str, ...]:
    """Return what each label of the model is called in the way of the given ones; several may be called the same."""
    names = one_by_one(model.tagger.labels, learned.scheme)
    if names is None:
        raise InputError(f"the labels of {learned.scheme} depend on their neighbours", remedy="predict in IOB2 or IOE2")
    return tuple(str(learned.spelled(name)) for name in names)


@contextmanager
def _place(folder: str | Path | None) -> Iterator[Path]:
    """Yield where to work: ``folder``, which must be new, or a temporary one that goes afterwards."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="trustag-") as temporary:
            yield Path(temporary) / "run"
        return
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise InputError("already exists", where=place, remedy="name a new folder")
    yield place


@contextmanager
def _torch_left_alone() -> Iterator[None]:
    """Give torch back with the number of threads and the random numbers that it had."""
    threads = torch.get_num_threads()
    try:
        with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
            yield
    finally:
        torch.set_num_threads(threads)
