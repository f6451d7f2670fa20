"""How long a training lasts: as many epochs as the recipe says, or more of them where the corpus is small.

What counts are steps, so texts as long as documents must not fill a step with more than a few of them: two hundred
documents would make seven steps an epoch, and the least number of steps would take hours.
"""

from collections.abc import Sequence
from typing import Final

from trustag.recipes.settings import Recipe
from trustag.training.batches import suited_size

MOST_EPOCHS: Final = 200  # a few sentences are known by heart long before; only the user still waits


def long_enough(recipe: Recipe, sentences: int) -> Recipe:
    """Return ``recipe`` with as many epochs as its least number of steps takes on ``sentences`` sentences.

    A corpus of a few sentences gets fewer steps than that: no training is lengthened beyond 200 epochs. Whatever
    else is counted in epochs grows with them: patience, and the epochs until all noise is distrusted.

    >>> from trustag.recipes.settings import TrainingSettings
    >>> recipe = Recipe(training=TrainingSettings(epochs=10, patience=5, batch_size=32, least_steps=1000))
    >>> long_enough(recipe, 320).training.epochs, long_enough(recipe, 10_000).training.epochs
    (100, 10)
    """
    training = recipe.training
    steps = -(-max(sentences, 1) // training.batch_size)
    epochs = max(training.epochs, min(-(-training.least_steps // steps), MOST_EPOCHS))

    def grown(count: int) -> int:
        return round(count * epochs / training.epochs)

    return recipe.model_copy(
        update={
            "training": training.model_copy(update={"epochs": epochs, "patience": grown(training.patience)}),
            "confidence": recipe.confidence.model_copy(update={"ramp": grown(recipe.confidence.ramp)}),
        }
    )


def suited(recipe: Recipe, lengths: Sequence[int]) -> Recipe:
    """Return ``recipe`` with fewer sentences a step where sentences of such ``lengths`` are long."""
    training = recipe.training
    if not training.batch_tokens or training.batches != "bucketed":
        return recipe
    size = suited_size(training.batch_size, lengths, training.batch_tokens)
    return recipe.model_copy(update={"training": training.model_copy(update={"batch_size": size})})
