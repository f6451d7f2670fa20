"""When dev sentences would teach a model more than they choose, as far as a run can tell.

Models of noisy labels predict held-out noisy labels about as well as dev, or better, where the noise is systematic:
they have learned it. Where it is random, they cannot predict it, and do better on dev, above all once the labels are
made anew. Only systematic noise needs right labels to be unlearned.
"""

from typing import Final

from torch import Tensor

from trustag.crossfit.keeping import ModelChoice
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.text.scoring import score_labels
from trustag.training.task import Task

_LEAST_SENTENCES: Final = 40
_AS_WELL: Final = 0.02
_GOOD: Final = 0.95  # a model this good on dev has little left to learn
_POOR: Final = 0.1  # one this poor has learned nothing, noise neither


def dev_could_teach(task: Task, choice: ModelChoice, heldout: Tensor) -> str:
    """Return why it may be worth it to learn from dev too; nothing where it is not, or was done.

    ``heldout`` (tokens,) are the labels that models predict which did not see the given ones.
    """
    dev_f1 = choice.model.dev_f1
    if dev_f1 is None or choice.dev_labels is not None or len(task.dev) < _LEAST_SENTENCES:
        return ""
    agreement = _agreement(task.corpus, heldout)
    if not _POOR < dev_f1 <= min(_GOOD, agreement + _AS_WELL):
        return ""
    given, right = (f"F1 {100 * value:.1f}" for value in (agreement, dev_f1))
    return f"models predict noisy labels they did not see ({given}) as well as dev ({right}), so errors repeat"


def _agreement(corpus: EncodedCorpus, heldout: Tensor) -> float:
    """Return the entity F1 of predicted labels against the given ones that nobody has reviewed."""
    given = corpus.with_labels(corpus.unreviewed_ids).label_names()
    predicted = corpus.with_labels(heldout).label_names()
    return score_labels(zip(given, predicted, strict=True)).micro.f1
