"""BOND (Liang et al., 2020): a short training on the labels as given, then a student that learns from its own teacher.

Stage one stops before the model fits the noise. In stage two the given labels are not used any more: a teacher, the
student as it was some steps ago, says which label each token has, and the student learns that. Soft labels are
sharpened and weighed against frequent labels, and only tokens of which the teacher is sure are learned; hard labels are
its best ones.
"""

from trustag.methods.bond.method import METHOD

__all__ = ["METHOD"]
