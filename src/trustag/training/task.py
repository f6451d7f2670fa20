"""What a method is given: the corpus, encoded once, and everything that its trainings share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.data.label_pairs import LabelPairs
from trustag.models.network_spec import NetworkSpec
from trustag.recipes.settings import TrainingSettings
from trustag.seeded_random import SeededRandom
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.training.fitting import FitSpec
from trustag.training.objectives import GivenLabels, ObjectiveSpec, SoftLabels
from trustag.training.schedule import fit_schedule


@dataclass(frozen=True, slots=True)
class Task:
    """Training sentences and dev sentences, the same training sentences encoded, and the settings of all trainings.

    ``scheme`` is the tagging scheme in which the corpus is written, ``batch_size`` that of its sentences' lengths;
    ``pairs`` are the labels of sentences that are labelled twice, where there are such.
    """

    sentences: Sequence[Sentence]
    dev: Sequence[Sentence]
    corpus: EncodedCorpus
    scheme: Scheme
    network: NetworkSpec
    training: TrainingSettings
    batch_size: int
    pairs: LabelPairs | None = None

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return self.training.seed

    def as_given(self) -> ObjectiveSpec:
        """Return the objective that takes the labels as they are given, with their probabilities where these are."""
        chances = self.corpus.probabilities
        return GivenLabels() if chances is None else SoftLabels(chances)

    def fit(
        self,
        objective: ObjectiveSpec,
        corpus: EncodedCorpus | None = None,
        *,
        seed_name: str | None = None,
        epochs: int | None = None,
        epoch_steps: int = 0,
        finetune_vectors: bool | None = None,
    ) -> FitSpec:
        """Return the training of one network on ``corpus``, by default the whole one.

        It has the seed of the run, or one drawn for ``seed_name``; the epochs and the treatment of word vectors that
        the recipe says, or others. An epoch is a pass over the corpus, or ``epoch_steps`` steps.
        """
        own = self.corpus if corpus is None else corpus
        seed = self.seed if seed_name is None else SeededRandom(self.seed, seed_name).below(2**31)
        network = self.network
        if finetune_vectors is not None:
            network = replace(network, finetune_vectors=finetune_vectors)
        size = self._size(len(own), sum(own.lengths))
        schedule = fit_schedule(self.training, size, self.batch_size, seed=seed, epochs=epochs, epoch_steps=epoch_steps)
        return FitSpec(own, self.dev, objective, network, self.training, schedule)

    def planned_epochs(self, sentences: int, epochs: int | None = None, *, continues: bool = False) -> int:
        """Return how many epochs a training on so many sentences takes, at most; fewer if it ``continues`` another."""
        tokens = sum(self.corpus.lengths) * sentences // max(1, len(self.corpus))
        schedule = fit_schedule(self.training, self._size(sentences, tokens), self.batch_size, seed=0, epochs=epochs)
        return (schedule.halved() if continues else schedule).epochs

    def _size(self, sentences: int, tokens: int) -> int:
        """Return a number of sentences; a few that are so long that they fill many steps count as more.

        A single sentence of 20,000 tokens is no small corpus that wants two hundred epochs.
        """
        most = self.training.batch_tokens
        return max(sentences, self.batch_size * tokens // most) if most else sentences
