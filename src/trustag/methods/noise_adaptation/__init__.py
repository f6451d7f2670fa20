"""Noise adaptation: a confusion matrix on top of a softmax tagger explains the noisy labels while it is trained.

The tagger gives the probability of each clean label, ``p_i = p(clean=i | x)``, the matrix that of each noisy label,
``theta_ij = p(noisy=j | clean=i)``. They are trained together: the loss of a noisy label ``j`` is
``-log sum_i theta_ij p_i``. Predictions use the tagger alone. The matrix is the same for all tokens (Hedderich and
Klakow, 2018) or depends on the features of the token (the baseline of Mayhew et al., 2019).

Labels are assessed by ``p(clean=i | x, noisy=j)``, which is proportional to ``theta_ij p_i``. The tagger has seen these
labels and memorises some of the wrong ones, so this finds fewer errors than out-of-fold predictions would.
"""

from trustag.methods.noise_adaptation.method import METHOD

__all__ = ["METHOD"]
