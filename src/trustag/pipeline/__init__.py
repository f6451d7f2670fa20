"""Train on a corpus as a recipe says: the one entry point of the command line, the estimator and the experiments."""

from trustag.pipeline.train_result import Scores, TrainResult
from trustag.pipeline.train_run import Destination, GivenInputs, RunContext, train, train_in

__all__ = ["Destination", "GivenInputs", "RunContext", "Scores", "TrainResult", "train", "train_in"]
