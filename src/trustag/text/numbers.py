"""Numbers as files hold them, with the bounds that readers check: beyond these nothing is a measurement."""

from typing import Annotated, TypeAlias

from msgspec import Meta

# Sums of probabilities may be rounded to a little more than 1.
Probability: TypeAlias = Annotated[float, Meta(ge=-0.001, le=1.001)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Measure: TypeAlias = Annotated[float, Meta(ge=-1e30, le=1e30)]
