"""What scikit-learn asks of an estimator, without scikit-learn: parameters by name, tags, and an error before fit."""

import difflib
import inspect
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import tomli_w

from trustag.errors import InputError

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Parameters:
    """Constructor arguments that can be read, changed and shown by name; the constructor only stores them."""

    @classmethod
    def parameter_names(cls) -> list[str]:
        """Return the names of the constructor's arguments, in their order."""
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - no parameter has parameters of its own
        """Return the constructor's arguments by name."""
        return {name: getattr(self, name) for name in self.parameter_names()}

    def set_params(self, **parameters: Any) -> Self:
        """Change constructor arguments by name and return the estimator."""
        names = self.parameter_names()
        for name, value in parameters.items():
            if name not in names:
                close = difflib.get_close_matches(name, names, n=1)
                remedy = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names)}"
                raise InputError(f"{type(self).__name__} has no parameter {name!r}", remedy=remedy)
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Return the constructor call that makes this estimator, without what is left at its default."""
        signature = inspect.signature(type(self).__init__).parameters
        changed = (f"{name}={value!r}" for name, value in self.get_params().items() if value != signature[name].default)
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> "Tags":
        """Return what scikit-learn wants to know; only scikit-learn calls this, so it is there.

        The estimator is no classifier in its sense: a target is a sequence of labels, and folds are drawn over
        sentences without looking at them.
        """
        from sklearn.utils import InputTags, Tags, TargetTags  # noqa: PLC0415

        inputs = InputTags(two_d_array=False, string=True)
        return Tags(estimator_type=None, target_tags=TargetTags(required=True), input_tags=inputs)


def not_fitted(name: str) -> InputError:
    """Return the error for an estimator that has learned nothing yet; scikit-learn's own where that is installed."""
    finding, remedy = f"this {name} is not fitted yet", "call fit first"
    try:
        from sklearn.exceptions import NotFittedError  # noqa: PLC0415
    except ImportError:
        return InputError(finding, remedy=remedy)
    # Both at once, so that what catches errors of Trustag and what catches those of scikit-learn catch it.
    kind = type("NotFittedError", (InputError, NotFittedError), {"__module__": __name__})
    error: InputError = kind(finding, remedy=remedy)
    return error


def setting(name: str, value: object) -> str:
    """Return the change of a recipe that gives the setting ``name`` (``section__key``) this value.

    >>> setting("bilstm__vectors", "my vectors.txt"), setting("method__rounds__count", 2)
    ('bilstm.vectors="my vectors.txt"', 'method.rounds.count=2')
    """
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, str | int | float):
        raise InputError(f"{name}={value!r} is no value a setting can have", remedy="see trustag recipes")
    written = tomli_w.dumps({"value": plain})
    return f"{name.replace('__', '.')}={written.removeprefix('value = ').rstrip()}"


def with_setting(changes: tuple[str, ...], change: str) -> tuple[str, ...]:
    """Return ``changes`` with ``change`` in place of earlier ones of the same setting."""
    return (*(other for other in changes if _changed(other) != _changed(change)), change)


def _changed(change: str) -> str:
    return change.partition("=")[0].strip()
