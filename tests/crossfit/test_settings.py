"""Settings of self-training: what rounds cannot do is refused before anything is trained."""

from typing import Any

import pytest
from pydantic import ValidationError

from trustag.crossfit.settings import RoundParity, RoundSettings


@pytest.mark.parametrize(
    "values",
    [{"count": 0}, {"folds": 1}, {"folds": 2.0}, {"fold_epochs": -1}, {"reannotate": "some"}, {"relabel": "best"}],
)
def test_rounds_that_cannot_be_run_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RoundSettings(**values)


def test_parity_switches_are_refused_where_they_do_not_belong() -> None:
    assert RoundParity(kept_model="new labels").kept_model == "new labels"
    with pytest.raises(ValidationError):
        RoundSettings(kept_model="new labels")  # type: ignore[call-arg]
