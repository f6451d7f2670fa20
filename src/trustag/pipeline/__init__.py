"""Train on a corpus as a recipe says: the one entry point of the command line, the estimator and the experiments.

The module can be called: ``trustag.pipeline(PATH)`` is the pipeline for entities of
``trustag.integrations.hf_pipeline``, whichever of the two was imported first.
"""

import sys
from types import ModuleType
from typing import Any

from trustag.pipeline.train_result import Scores, TrainResult
from trustag.pipeline.train_run import Destination, GivenInputs, RunContext, train, train_in

__all__ = ["Destination", "GivenInputs", "RunContext", "Scores", "TrainResult", "train", "train_in"]


class _CallablePackage(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> object:
        """Return a trained model as a pipeline for entities."""
        from trustag.integrations.hf_pipeline import pipeline  # noqa: PLC0415 - above this package

        return pipeline(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage
