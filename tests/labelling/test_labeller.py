"""Labels, sources and scores of sentences."""

from tests.labelling.documents_of_tests import gazetteer, sentence
from trustag.labelling.candidates import CapitalsTagger
from trustag.labelling.gazetteers import Gazetteer, ListOptions, ListToCompile, compile_lists
from trustag.labelling.labeller import Labeller, with_proposals
from trustag.labelling.language_words import words_of
from trustag.labelling.name_lists import ListedName
from trustag.labelling.proposals import Proposal
from trustag.labelling.rule_files import read_rules
from trustag.labelling.settings import LabellingSettings
from trustag.text.sentences import Sentence


def labeller() -> Labeller:
    forms = [ListedName("New York", "LOC"), ListedName("York", "PER"), ListedName("Acme", None)]
    return Labeller(LabellingSettings(), Gazetteer(compile_lists([ListToCompile("a", forms, ListOptions())])))


def test_every_label_has_a_source_and_a_score() -> None:
    one = Sentence(("York", "left", "New", "York", "for", "Acme"), ("B-X",) * 6, columns={"pos": ("N",) * 6})
    (found,) = labeller().label([one])
    assert found.sentence.labels == ("B-PER", "O", "B-LOC", "I-LOC", "O", None)
    assert found.sentence.token_sources == (
        "gazetteer:a",
        "none",
        "gazetteer:a",
        "gazetteer:a",
        "none",
        "gazetteer:a",
    )
    assert found.sentence.columns == {"pos": ("N",) * 6, "score": ("1", "0", "1", "1", "0", "0")}
    assert [proposal.type for proposal in found.proposals] == ["PER", "LOC", None]


def test_neighbours_of_one_type_stay_apart() -> None:
    one = Sentence(("a", "b", "c"), (None,) * 3)
    found = with_proposals(one, [Proposal(0, 1, "PER", "kb", 1), Proposal(1, 3, "PER", "rule:x", 0.123456)])
    assert found.labels == ("B-PER", "B-PER", "I-PER")
    assert found.columns["score"] == ("1", "0.12", "0.12")
    assert with_proposals(one, []).labels == ("O", "O", "O")


def test_all_labels_that_may_be_given_are_known_before() -> None:
    assert set(labeller().tags) == {"O", "B-LOC", "I-LOC", "B-PER", "I-PER"}


def with_rules(*names: tuple[str, str | None], **values: object) -> Labeller:
    words = words_of("en")
    assert words is not None
    rules = read_rules(["en"], {"first-names": frozenset({("ann",)}), "peoples": frozenset({("german",)})})
    settings = LabellingSettings(candidates="capitals", **values)  # type: ignore[arg-type]
    return Labeller(settings, gazetteer(*names), CapitalsTagger(words), rules, words)


def labelled(labeller: Labeller, *texts: str) -> list[str]:
    """Return the sentences of one document with their names in brackets."""
    found = labeller.label([sentence(text) for text in texts])
    shown = []
    for one in found:
        tokens = list(one.sentence.tokens)
        for proposal in one.proposals:
            tokens[proposal.start] = "[" + tokens[proposal.start]
            tokens[proposal.end - 1] += f"]{proposal.type or '?'}"
        shown.append(" ".join(tokens))
    return shown


def test_rules_and_lists_label_a_document_together() -> None:
    texts = [
        "We saw German Chancellor Helmut Kohl in Bonn",
        "and Ann Weber of Acme Holdings Ltd.",
        "Then Kohl met Weber near the Zork",
    ]
    assert labelled(with_rules(("Bonn", "LOC")), *texts) == [
        "We saw [German]MISC Chancellor [Helmut Kohl]PER in [Bonn]LOC",
        "and [Ann Weber]PER of [Acme Holdings Ltd.]ORG",
        "Then [Kohl]PER met [Weber]PER near the [Zork]?",
    ]


def test_a_listed_name_inside_a_longer_one_does_not_count() -> None:
    assert labelled(with_rules(("Jersey", "LOC")), "the West Jersey Zork of Jersey") == [
        "the [West Jersey Zork]? of [Jersey]LOC"
    ]
    assert labelled(with_rules(("Kohl", "PER")), "we saw Helmut Kohl") == ["we saw [Helmut Kohl]PER"]


def test_a_common_word_needs_several_votes() -> None:
    texts = ["I was reading there", "in Reading he stopped"]
    assert labelled(with_rules(("Reading", "ORG")), *texts)[1] == "in Reading he stopped"
    assert labelled(with_rules(("Reading", "ORG")), texts[1])[0] == "in [Reading]ORG he stopped"


def test_punctuation_that_is_left_on_words_does_not_hide_names() -> None:
    assert labelled(with_rules(("Pasadena", "LOC")), "(in Pasadena, at 5)") == ["(in [Pasadena,]LOC at 5)"]


def test_in_capitals_only_sure_names_count() -> None:
    names = (("New York", "LOC"), ("London", "LOC"))
    assert labelled(with_rules(*names), "NEW YORK BEATS LONDON AGAIN") == ["[NEW YORK]LOC BEATS LONDON AGAIN"]


def test_unresolved_candidates_and_types_by_other_names() -> None:
    found = with_rules(("Bonn", "LOC"), ("Acme", "ORG"), unresolved="outside", types={"LOC": "place", "ORG": ""})
    assert labelled(found, "the Zork of Bonn and the Acme") == ["the Zork of [Bonn]place and the Acme"]
    assert {"B-place", "B-PER"} <= set(found.tags)
    assert not {"B-LOC", "B-ORG"} & set(found.tags)


def test_what_gave_way_is_kept() -> None:
    (found,) = with_rules(("Ann Weber", "ORG")).label([sentence("saw Ann Weber there")])
    assert [(loser.source, winner.source) for loser, winner in found.given_way] == [
        ("rule:first-name", "gazetteer:names")
    ]
