"""A method as a user might write it: entity labels that are rarely repeated are left out, one model learns the rest."""

from collections import Counter
from collections.abc import Sequence

import torch
from pydantic import Field

from trustag.crossfit.settings import RoundSettings
from trustag.data.encoded_corpus import NO_LABEL
from trustag.errors import InputError
from trustag.methods.base import Learned
from trustag.recipes.sections import Section
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import GivenLabels
from trustag.training.stages import Stage
from trustag.training.task import Task


class FrequentLabelSettings(Section):
    """How often a word must have a label."""

    least: int = Field(default=2, ge=1, description="least occurrences of a word with its label")
    scoring: str = Field(default="local", description="as in other methods")
    rounds: RoundSettings = RoundSettings()


class FrequentLabels:
    """Trusts the labels of words that have them often."""

    summary = "Trust frequent labels alone."
    Settings = FrequentLabelSettings

    def check(self, task: Task, settings: FrequentLabelSettings) -> None:
        if settings.least > len(task.corpus):
            raise InputError("no label is that frequent", remedy="choose a lower method.least")

    def plan(self, task: Task, settings: FrequentLabelSettings) -> Sequence[Stage]:
        return [Stage("frequent", "Training", "One model learns frequent labels.", 1, task.planned_epochs(10))]

    def train(self, task: Task, settings: FrequentLabelSettings, jobs: Jobs) -> Learned:
        words = [token for tokens in task.corpus.tokens for token in tokens]
        pairs = list(zip(words, task.corpus.label_ids.tolist(), strict=True))
        counts = Counter(pairs)
        rare = torch.tensor([counts[pair] < settings.least and pair[1] > 0 for pair in pairs])
        corpus = task.corpus.with_labels(task.corpus.label_ids.masked_fill(rare, NO_LABEL))
        result = jobs.run("frequent", {"frequent": Job(task.fit(GivenLabels(), corpus), keeps_model=True)})["frequent"]
        tables = {"rare": [{"word": word} for word, is_rare in zip(words, rare.tolist(), strict=True) if is_rare]}
        return Learned(result, tables=tables, facts={"rare": int(rare.sum())})


METHOD = FrequentLabels()

NOTHING = object()
