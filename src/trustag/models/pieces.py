"""Words as the pieces a transformer knows: each word cut by itself, none ever without a piece."""

from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from trustag.errors import InputError, MissingExtraError

_REMEMBERED: Final = 200_000
_ANY_WORD: Final = "word"


@dataclass(frozen=True, slots=True)
class Specials:
    """The numbers of the pieces that are no text: around every sentence, in padding, and for what is unknown.

    A model whose features would change with the padding beside a sentence gets none.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    unknown: int
    padding: int | None

    @property
    def around(self) -> int:
        """How many pieces stand around a sentence."""
        return len(self.before) + len(self.after)


@dataclass(frozen=True, slots=True)
class PieceCutter:
    """Cuts words with a tokenizer of the ``tokenizers`` library, and remembers the pieces of each.

    Words are cut as in the middle of a text, also by tokenizers that tell a word after a space from one without. A word
    that the tokenizer swallows whole (a zero-width space, a control character) becomes the unknown piece. Words that
    look like special pieces (``[SEP]``) are text like any other.
    """

    tokenizer: Any
    specials: Specials
    _cut: dict[str, tuple[int, ...]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __call__(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the pieces of a word, at least one."""
        pieces = self._cut.get(word)
        if pieces is None:
            # Half of a surrogate pair is no text that could be handed over; it stands for one unknown character.
            text = word.encode("utf-8", "replace").decode("utf-8")
            pieces = tuple(self.tokenizer.encode(text, add_special_tokens=False).ids) or (self.specials.unknown,)
            if len(self._cut) >= _REMEMBERED:
                self._cut.clear()
            self._cut[word] = pieces
        return pieces

    def lowers_case(self) -> bool:
        """Tell whether capitals are lost."""
        return self("The") == self("the") != (self.specials.unknown,)


def load_cutter(tokenizer_json: str, unknown: int | None, padding: int | None, where: object) -> PieceCutter:
    """Return the cutter that a ``tokenizer.json`` describes; its own truncation and padding are left out.

    ``unknown`` and ``padding`` are the numbers of special pieces, where there are such.
    """
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("the transformer encoder", "transformers") from None
    try:
        described = msgspec.json.decode(tokenizer_json, type=dict[str, Any])
        _put_spaces_before_words(described.get("pre_tokenizer"))
        tokenizer = Tokenizer.from_str(msgspec.json.encode(described).decode())
    except Exception as error:  # noqa: BLE001 - the tokenizers library raises bare Exception on a bad description
        raise InputError(
            f"not a usable tokenizer ({error})", where=where, remedy="save it with tokenizers or transformers"
        ) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    before, after = _frame(tokenizer)
    if unknown is None:
        # Tokenizers without an unknown piece have one for every byte; they swallow nothing but the empty word.
        unknown = next(iter((*after, *before, 0)))
    return PieceCutter(tokenizer, Specials(before, after, unknown, padding))


def _put_spaces_before_words(step: Any) -> None:
    """Have a byte-level step read every word as one after a space, wherever it stands in the description."""
    if not isinstance(step, dict):
        return
    if step.get("type") == "ByteLevel":
        step["add_prefix_space"] = True
    inner = step.get("pretokenizers")
    for one in inner if isinstance(inner, list) else ():
        _put_spaces_before_words(one)


def _frame(tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the special pieces before and after a sentence."""
    framed = tokenizer.encode([_ANY_WORD], is_pretokenized=True)
    text = [index for index, word in enumerate(framed.word_ids) if word is not None]
    first, end = (text[0], text[-1] + 1) if text else (len(framed.ids), len(framed.ids))
    return tuple(framed.ids[:first]), tuple(framed.ids[end:])
