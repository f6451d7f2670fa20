"""LRNT (Cao et al., 2019): sentences whose labels look good train a CRF, the others train its encoder beforehand."""

from trustag.methods.lrnt.method import METHOD

__all__ = ["METHOD"]
