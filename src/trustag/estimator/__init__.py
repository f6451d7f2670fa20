"""Trustag in the shape of a scikit-learn estimator."""
