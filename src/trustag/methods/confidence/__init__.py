"""The paper's method: labels in which models have little confidence are distrusted while training, then made anew."""

from trustag.methods.confidence.method import METHOD

__all__ = ["METHOD"]
