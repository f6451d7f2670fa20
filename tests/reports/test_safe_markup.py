"""Text made safe to look at: nothing hidden is left, nothing visible is lost."""

import unicodedata
from html.parser import HTMLParser

from hypothesis import example, given
from hypothesis import strategies as st

from trustag.reports.safe_markup import plain, shown
from trustag.text.control_characters import is_unseen

HIDING = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def texts() -> st.SearchStrategy[str]:
    odd = st.sampled_from("\u200b\u200d\u202e\u2066\ufeff\x00\x1b\n\t<>&\"'{}\u00a0\u3000\ud800\u05e9a ")
    return st.text(odd | st.characters())


@given(texts())
@example("\u202e")
def test_no_hidden_character_is_left(text: str) -> None:
    for safe in (plain(text), str(shown(text))):
        assert not [character for character in safe if unicodedata.category(character) in HIDING]
        safe.encode()


@given(texts())
def test_the_visible_ones_stay_in_their_order(text: str) -> None:
    rest = iter(plain(text))
    assert all(character in rest for character in text if not is_unseen(character))


@given(texts())
def test_markup_says_what_plain_text_says(text: str) -> None:
    found: list[str] = []
    reader = HTMLParser(convert_charrefs=True)
    reader.handle_data = found.append  # type: ignore[assignment, method-assign]
    reader.feed(str(shown(text)))
    reader.close()
    spelled = (f"U+{ord(character):04X}" if is_unseen(character) else character for character in text)
    assert "".join(found) == "".join(spelled)


def test_a_space_is_seen_and_its_imitations_are_not() -> None:
    assert [character for character in " \u00a0\u2003\u3000\u2800\u3164" if not is_unseen(character)] == [" "]
