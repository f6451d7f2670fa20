"""The doctor finds planted faults, each where it is, and leaves a healthy corpus alone."""

from pathlib import Path

from trustag.corpora.checks import Finding
from trustag.corpora.examination import Examination, examine
from trustag.corpora.locating import locate

HEALTHY = "Ann B-PER\nslept O\nin O\nParis B-LOC\nlast O\nnight O\n. O\n\n"


def examined(tmp_path: Path, **splits: str) -> Examination:
    for split, text in splits.items():
        (tmp_path / f"{split}.conll").write_text(text)
    return examine([locate(str(tmp_path))])


def found(examination: Examination, words: str) -> Finding:
    (finding,) = [finding for finding in examination.findings if words in finding.check]
    return finding


def lines(finding: Finding) -> list[int | None]:
    return [source.line if source else None for source, _ in finding.places]


def test_a_healthy_corpus_has_no_findings(tmp_path: Path) -> None:
    examination = examined(tmp_path, train=HEALTHY, dev=HEALTHY.replace("Ann", "Bob"))
    assert examination.findings == ()
    assert examination.is_healthy
    train, _ = examination.splits
    assert (train.sentences, train.tokens, train.entities, train.longest) == (1, 7, 2, 7)
    assert dict(train.types) == {"LOC": 1, "PER": 1}
    assert dict(train.labels) == {"O": 5, "B-LOC": 1, "B-PER": 1}
    assert train.noise is None


def test_illegal_labels_are_listed_with_their_reading(tmp_path: Path) -> None:
    examination = examined(tmp_path, train=HEALTHY + "big O\nBob I-PER\n\n")
    finding = found(examination, "illegal in IOB2")
    assert finding.places[0][1] == "I-PER at 'Bob', read as B-PER"
    assert lines(finding) == [10]
    assert not examination.is_healthy


def test_sentences_without_tokens_are_wrong_and_long_ones_worth_a_look(tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text(
        '{"tokens": [], "ner_tags": []}\n'
        '{"tokens": [' + ",".join(['"a"'] * 251) + '], "ner_tags": [' + ",".join(['"O"'] * 251) + "]}\n"
    )
    examination = examine([locate(str(tmp_path / "train.jsonl"))])
    assert lines(found(examination, "without tokens")) == [1]
    assert found(examination, "more than 250").severity == "look"


def test_repeats_leaks_and_contradictions_are_distinguished(tmp_path: Path) -> None:
    other = HEALTHY.replace("Ann B-PER", "Ann O")
    examination = examined(tmp_path, train=HEALTHY + HEALTHY + other, test=HEALTHY)
    assert lines(found(examination, "within a split")) == [9]
    assert lines(found(examination, "with different labels")) == [17]
    leak = found(examination, "in two splits")
    assert leak.severity == "wrong"
    assert [str(source).endswith("test.conll:1") for source, _ in leak.places] == [True]


def test_words_labelled_in_several_ways_are_ranked_by_minority_labels(tmp_path: Path) -> None:
    text = "".join(f"{word} {label}\n\n" for word, label in [("May", "O")] * 3 + [("May", "B-PER")] * 2)
    text += "Jordan B-PER\n\nJordan B-LOC\n\nthe O\n\nthe B-LOC\n\nthe O\n\n"
    examination = examined(tmp_path, train=text)
    assert [detail for _, detail in found(examination, "sometimes as O").places] == [
        "'May': O 3, PER 2",
        "'the': O 2, LOC 1",
    ]
    assert [detail for _, detail in found(examination, "several types").places] == ["'Jordan': PER 1, LOC 1"]


def test_signs_of_a_wrong_encoding_are_found(tmp_path: Path) -> None:
    examination = examined(tmp_path, train="MÃ¼ller O\nca\ufffd O\nMüller O\nzero\u200bwidth O\nbell\x07 O\n\n")
    assert lines(found(examination, "wrong encoding")) == [1, 2, 5]
    assert lines(found(examination, "invisible")) == [4]


def test_noise_is_measured_where_there_is_gold(tmp_path: Path) -> None:
    (facts,) = examined(tmp_path, train="Ann O B-PER\nin B-LOC O\nRome B-LOC B-LOC\nso - O\n\n").splits
    assert facts.noise is not None
    assert (facts.noise.tau_p, facts.noise.tau_n, facts.unknown_labels) == (0.5, 1.0, 1)


def test_spans_that_could_not_be_read_are_wrong(tmp_path: Path) -> None:
    spans = '[0, 7, "PER"], [4, 7, "X"], [6, 99, "Y"], [9, 10, "PER"]'
    (tmp_path / "train.jsonl").write_text(f'{{"text": "Ann Lee Bo.", "label": [{spans}]}}\n')
    examination = examine([locate(str(tmp_path / "train.jsonl"))])
    assert not examination.is_healthy
    assert {(finding.check, finding.severity) for finding in examination.findings} == {
        ("dropped while reading (overlaps another)", "wrong"),
        ("dropped while reading (outside the text)", "wrong"),
        ("repaired while reading (token split at the border of an entity)", "look"),
    }


def test_types_that_are_probably_one_are_worth_a_look_across_splits(tmp_path: Path) -> None:
    examination = examined(tmp_path, train="Ann B-PERSON\nran O\n\n", test="Bob B-person\nate O\nOslo B-LOC\n\n")
    finding = found(examination, "types that are probably one")
    assert (finding.severity, finding.places) == ("look", ((None, "'PERSON' 1, 'person' 1"),))


def test_sentence_initial_common_words_are_worth_a_look(tmp_path: Path) -> None:
    common = "so O\nhe O\nslept O\n\n" * 5
    examination = examined(tmp_path, train=common + "He B-ORG\nslept O\n\nAnn B-PER\nslept O\n\n")
    finding = found(examination, "sentence-initial common words")
    assert lines(finding) == [21]
    assert finding.places[0][1] == "'He' is B-ORG"
    assert finding.severity == "look"


def test_one_labelled_word_of_a_longer_name_is_worth_a_look(tmp_path: Path) -> None:
    cut = "so O\nBill B-PER\nClinton O\nslept O\n\nthen O\nAnn B-PER\nslept O\n\n"
    finding = found(examined(tmp_path, train=cut), "longer run of capitalised words")
    assert lines(finding) == [2]
    assert finding.places[0][1] == "'Bill' in 'Bill Clinton' is B-PER"
    assert finding.severity == "look"
