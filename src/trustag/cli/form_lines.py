"""Forms on the screen: which entries of a dictionary are bad, a line for each, worst first."""

import shutil
from collections.abc import Iterator, Sequence
from typing import Final

from trustag.errors import printable
from trustag.issues.form_records import seen_in_words
from trustag.issues.forms import Form

SHOWN: Final = 20
_WIDEST: Final = 120
_NARROWEST: Final = 12
_FIXED: Final = 20  # columns for both numbers, and the spaces between all


def form_lines(forms: Sequence[Form], *, all_shown: bool) -> Iterator[str]:
    """Yield a table of forms: the first :data:`SHOWN`, or all of them."""
    from rich.cells import cell_len, set_cell_size  # noqa: PLC0415 - rich takes time to load

    if not forms:
        yield "No form looks wrong."
        return
    shown = forms if all_shown else forms[:SHOWN]
    labels = [printable(form.label) for form in shown]
    label_width = max(len("given"), *map(cell_len, labels))
    seen = [printable(seen_in_words(form)) for form in shown]
    room = min(shutil.get_terminal_size().columns, _WIDEST) - _FIXED - label_width - max(map(cell_len, seen))
    names = [printable(form.text) for form in shown]
    width = max(_NARROWEST, min(room, max(map(cell_len, names))))
    yield f"{'wrong':>7}  {'of':>5}  {'form':<{width}}  {'given':<{label_width}}  models see"
    for form, name, label, kinds in zip(shown, names, labels, seen, strict=True):
        fitted = name if cell_len(name) <= width else set_cell_size(name, width - 1) + "…"
        numbers = f"{form.errors:7.1f}  {len(form.occurrences):5,}"
        yield f"{numbers}  {set_cell_size(fitted, width)}  {set_cell_size(label, label_width)}  {kinds}"
    left = len(forms) - len(shown)
    if left:
        yield f"\n... and {left:,} more forms: show more with --top N, write all with -o FILE."
    wrong, places = sum(form.errors for form in forms), sum(len(form.occurrences) for form in forms)
    yield f"\nAbout {wrong:,.0f} of {places:,} places with these {len(forms):,} forms look wrong."
    yield "Decide on a form once for all its places: trustag review RUN --by form"
