"""The notebook views: well formed, escaped, and in the words of the report's findings."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any, Optional

import pytest

from noiseplus import _html

Report = dict[str, Any]
VOID = {"br", "meta"}


class Parsed(HTMLParser):
    """Tags that must balance, the text a reader sees, and the attributes of each tag."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, Optional[str]]]] = []
        self.words: list[str] = []
        self.feed(markup)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Optional[str]]]) -> None:
        assert len({key for key, _ in attrs}) == len(attrs), f"an attribute twice in {tag}"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, Optional[str]]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()
        if tag not in ("bdi", "span", "strong"):
            self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.words).replace("\N{NO-BREAK SPACE}", " "))

    def count(self, tag: str) -> int:
        return sum(found == tag for found, _ in self.tags)

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for _, attrs in self.tags if attribute in attrs]


def even_matrix(rates: list[float]) -> list[list[float]]:
    others = len(rates) - 1
    return [
        [1 - rate if i == j else rate / others for j in range(len(rates))]
        for i, rate in enumerate(rates)
    ]


def audit(rates: list[float], names: Optional[list[str]] = None, **changed: Any) -> Report:
    """What an audit writes of classes with these rates, when it claims nothing."""
    classes = names or [f"class {i}" for i in range(len(rates))]
    report: Report = {
        "version": "0.1.0", "label": "answer", "rows": 12345, "features": 7,
        "classes": classes, "positive": classes[-1], "estimator": "auto", "mode": "dense",
        "reason": "neighboring rows are of one class",
        "estimates": {"auto": rates, "edges": [rate / 2 for rate in rates]},
        "k": 10, "metric": "euclidean", "anchors": 12345, "identified": True, "findings": [],
        "prior": [1 / len(rates)] * len(rates),
        "noise": [
            {"class": c, "rate": r, "low": max(0, r - 0.02), "high": min(1, r + 0.03),
             "upper_bound": False}
            for c, r in zip(classes, rates)
        ],
        "transition": even_matrix(rates),
        "gap": {"value": 0.2, "low": -0.01, "high": 0.25, "p_value": 0.31},
        "noisier": None, "cleaner": None, "leans": None, "claims": [],
        "groups": [], "noisier_group": None, "cleaner_group": None, "scope": "class",
        "plan": [{"group": None, "flip": even_matrix([0.0] * len(rates))}],
        "conditioning": 0.1, "warnings": [],
        "advice": {"action": "nothing", "why": "no difference between the rates is proved"},
        "seconds": {"read": 0.1, "neighbours": 0.1, "estimate": 0.1},
    }  # fmt: skip
    report.update(changed)
    return report


def finding(id_: str, text: str, severity: str = "info", title: str = "A title") -> Report:
    return {
        "id": id_, "severity": severity, "subject": "labels", "title": title, "text": text,
        "numbers": {},
    }  # fmt: skip


def claim(noisier: str, cleaner: str) -> Report:
    pair = {"noisier": noisier, "cleaner": cleaner}
    gap = {"value": 0.2, "low": 0.15, "high": 0.25, "p_value": 1e-9}
    return {**pair, "gap": gap, "claims": [pair]}


def group(name: str, rate: float, **changed: Any) -> Report:
    of_classes = audit([rate, rate])
    kept = {key: of_classes[key] for key in ("prior", "noise", "transition", "identified")}
    sides: Report = {"noisier": None, "cleaner": None, "leans": None}
    return {
        "group": name, "rows": 4321, "rate": rate, "low": rate - 0.01, "high": rate + 0.01,
        **kept, **sides, **changed,
    }  # fmt: skip


def with_groups(groups: list[Report], **changed: Any) -> Report:
    found: Report = {
        "groups": groups, "group_by": "sex", "leans_group": None, "group_claims": [],
        "group_gap": {"value": 0.2, "low": -0.1, "high": 0.3, "p_value": 0.4}, "scope": "group",
    }  # fmt: skip
    return audit([0.1, 0.1], **{**found, **changed})


def training(**changed: Any) -> Report:
    return {
        "version": "0.1.0", "label": "answer", "rows": 1000, "features": 3,
        "classes": ["no", "yes"], "model": "linear", "loss": "ce", "steps": 12, "converged": True,
        "objective": 0.5, "noisy_accuracy": 0.805, "held_out_accuracy": None, "warnings": [],
        "seconds": 1.5, **changed,
    }  # fmt: skip


def view(report: Report) -> Parsed:
    return Parsed(_html.audit_html(report))


def test_an_upper_bound_is_marked() -> None:
    report = audit([0.05, 0.3], leans="class 1")
    report["noise"][1]["upper_bound"] = True
    seen = view(report)
    assert "at most 33.0 % 28.0 to 33.0 %" in seen.text and "at most 5.0 %" not in seen.text
    assert "At most: if noise depends on the class only; overlap of the classes" in seen.text
    assert "30.0" not in seen.text and "≥ 67.0" in seen.text  # not the point estimate, anywhere
    assert seen.text.count("not known") == 2 and "50.0 %" not in seen.text  # the true shares
    labels = [said.replace("\N{NO-BREAK SPACE}", " ") for said in seen.values("aria-label")]
    assert labels[1] == "class 1: at most 33.0 %, interval 28.0 to 33.0 %"
    assert "at most" not in labels[0]


def test_true_shares_are_shown_where_no_rate_is_an_upper_bound() -> None:
    seen = view(audit([0.05, 0.3]))
    assert seen.text.count("50.0 %") == 2
    assert "not known" not in seen.text and "at most" not in seen.text.lower()


def test_of_many_classes_an_upper_bound_is_one_among_the_confused_pairs() -> None:
    report = audit([0.1] * 13)
    report["noise"][2].update(high=0.77, upper_bound=True)
    report["transition"][2][4] = 0.5
    seen = view(report)
    assert "class 2 class 4 at most 77.0 %" in seen.text and "50.0" not in seen.text


def test_rates_that_are_not_identified_are_not_shown() -> None:
    report = audit([0.1234, 0.4321], identified=False)
    seen = view(report)
    assert "12.3 %" not in seen.text and seen.count("svg") == 0
    assert "Transition matrix" not in seen.text
    assert "Not to be relied on" in seen.text  # the estimators beside each other


def test_findings_are_shown_in_their_own_words_in_order() -> None:
    found = [
        finding("wrong-share", "At most 25.0 % of all labels are wrong (15.0 to 25.0 %)."),
        finding("condition", "These rates hold if nothing else is known."),
        finding("no-difference", "No difference between 'no' and 'yes' (p < 0.0001).", title="None"),
        finding("difference", "Class 'yes' it is.", "notice", "One"),
        finding("not-identified", "Nobody knows.", "warning", "Unknown"),
        finding("row-scores", "Rows are ranked."),
        finding("balancing", "Labels were flipped."),
    ]
    markup = _html.audit_html(audit([0.1, 0.3], ["no", "yes"], findings=found))
    seen = Parsed(markup)
    shown = [
        "At most 25.0 % of all labels are wrong (15.0 to 25.0 %).",
        "These rates hold if nothing else is known.",
        "○ NoneNo difference between 'no' and 'yes' (p < 0.0001).",
        "● OneClass 'yes' it is.",
        "? UnknownNobody knows.",
        "Noise of each class",
        "Rows are ranked.",
        "Labels were flipped.",
        "Advice: nothing.",
    ]
    places = [seen.text.find(part) for part in shown]
    assert -1 not in places and places == sorted(places), seen.text
    assert "<strong>At most 25.0\N{NO-BREAK SPACE}%</strong> of all" in markup
    assert "between &#x27;<bdi>no</bdi>&#x27; and &#x27;<bdi>yes</bdi>&#x27;" in markup


def test_every_row_of_rates_has_a_bar_with_a_whisker_that_says_what_it_shows() -> None:
    seen = view(audit([0.1, 0.25, 0.2]))
    assert seen.values("role") == ["img"] * 3
    labels = [said.replace("\N{NO-BREAK SPACE}", " ") for said in seen.values("aria-label")]
    assert labels[1] == "class 1: 25.0 %, interval 23.0 to 28.0 %"
    widths = [attrs["width"] for tag, attrs in seen.tags if tag == "rect"]
    assert widths == ["33.33%", "83.33%", "66.67%"]  # of an axis that ends at 30 %
    assert "12,345 rows" in seen.text


def test_tables_have_captions_and_headings_with_a_scope() -> None:
    report = with_groups([group("a", 0.1), group("b", 0.2)])
    report["claims"] = [{"noisier": "class 1", "cleaner": "class 0"}] * 2
    seen = view(report)
    assert seen.count("table") == seen.count("caption") == 6
    assert all(attrs.get("scope") in ("row", "col") for tag, attrs in seen.tags if tag == "th")
    assert seen.count("script") == 0 and seen.values("id") == []


def test_groups_have_rates_and_those_too_small_are_unknown() -> None:
    gap = {"value": 0.213, "low": 0.19, "high": 0.24, "p_value": 0.001}
    pair = {"noisier": "Female", "cleaner": "Male"}
    small = group("rare", 0.4567, identified=False, too_small="30 rows, fewer than 50")
    report = with_groups(
        [group("Female", 0.3, leans="class 1"), group("Male", 0.087), small],
        noisier_group="Female", cleaner_group="Male", group_gap=gap, group_claims=[pair],
    )  # fmt: skip
    seen = view(report)
    assert "Noise of each group by 'sex'" in seen.text
    assert "4,321" in seen.text and "30.0 %" in seen.text
    assert "too small: 30 rows, fewer than 50" in seen.text and "45.7" not in seen.text
    assert "none found, leans: 'class 1'" in seen.text


def test_the_rate_of_a_group_is_an_upper_bound_where_one_of_its_classes_is() -> None:
    single = group("single", 0.125, low=0.026, high=0.152, upper_bound=True)
    single["noise"][0].update(rate=0.05, low=0.03, high=0.08)
    single["noise"][1].update(rate=0.417, low=0.0, high=0.449, upper_bound=True)
    gap = {"value": 0.1, "low": 0.0, "high": 0.2, "p_value": 0.001}
    beyond = {"differs": False, "p_value": 0.014, "claims": []}
    report = with_groups(
        [group("married", 0.025), single],
        leans_group="single", group_gap=gap, beyond_class=beyond,
    )  # fmt: skip
    text = view(report).text
    assert "single 4,321 at most 15.2 % 2.6 to 15.2 %" in text
    assert "12.5 %" not in text and "41.7" not in text  # not the point estimates, anywhere
    assert "married 4,321 2.5 %" in text
    assert text.count("At most: if inside a group noise depends on the class only; overlap") == 2
    assert "at most 44.9 %0.0 to 44.9 %" in text[text.index("Classes inside each group") :]


def test_one_rate_for_all_classes_of_a_group_is_a_detail() -> None:
    rate = {"rate": 0.234, "low": 0.2, "high": 0.27}
    text = view(with_groups([group("a", 0.25, symmetric_rate=rate), group("b", 0.1)])).text
    assert text.count("23.4 %") == 1
    inside = text[text.index("Classes inside each group") :]
    assert "same rate for all classes: 23.4 %" in inside


def test_of_many_classes_the_ends_are_shown_and_the_most_confused_pairs() -> None:
    rates = [0.001 * (7 * i % 100) for i in range(100)]
    report = audit(rates)
    report["transition"][3][4] = 0.5
    seen = view(report)
    assert seen.count("svg") == 20
    assert "… 80 classes left out …" in seen.text
    shown = [said.split(":")[0] for said in seen.values("aria-label")]
    ranked = sorted(range(100), key=lambda i: -rates[i])
    assert shown == [f"class {i}" for i in ranked[:10] + ranked[-10:]]
    assert "matrix of 100 classes is too large to show" in seen.text
    assert "class 3 class 4 50.0 %" in seen.text
    assert len(_html.audit_html(report)) < 40_000


@pytest.mark.parametrize(("classes", "is_shown"), [(12, True), (13, False)])
def test_a_matrix_is_shown_up_to_twelve_classes(classes: int, is_shown: bool) -> None:
    seen = view(audit([0.1] * classes))
    assert ("Transition matrix: the %" in seen.text) == is_shown
    assert ("too large to show" in seen.text) != is_shown
    framed = sum(value == "noiseplus-kept" for value in seen.values("class"))
    assert framed == (classes if is_shown else 0)


def test_the_darker_cell_has_the_larger_share() -> None:
    report = audit([0.1, 0.3])
    shades = [float(s.split(",")[-1].rstrip(")")) for s in view(report).values("style")]
    assert shades == [pytest.approx(0.65 / 3, abs=1e-3), 0.65]
    faint = [float(s.split(",")[-1].rstrip(")")) for s in view(audit([1e-9] * 2)).values("style")]
    assert faint == [0, 0]


EVIL = "<script>alert(1)</script>"
LONG = "x&" * 250


def evil_report() -> Report:
    pair = {"noisier": EVIL, "cleaner": LONG}
    groups = [group(EVIL, 0.1, **{"noisier": EVIL, "cleaner": LONG}), group(LONG, 0.2)]
    report = with_groups(groups, group_claims=[pair, pair], group_by=EVIL)
    report.update(claim(EVIL, LONG), classes=[EVIL, LONG], label=LONG, claims=[pair, pair])
    report.update(noisier_group=EVIL, cleaner_group=LONG, warnings=[f"of {EVIL}, {LONG}"])
    report["advice"] = {"action": "balance", "why": f"'{EVIL}' more than '{LONG}'"}
    report["reason"] = EVIL
    report["findings"] = [
        finding("wrong-share", f"{EVIL} 3.0 % of {EVIL}"),
        finding("difference", f"Class '{EVIL}' is noisier than '{LONG[:45]}...' by 20.0 %."),
        finding("new", f"Of {EVIL} & {EVIL}.", title=f"Found of {EVIL}"),
    ]
    for rates in [report["noise"], *(g["noise"] for g in groups)]:
        for rate, name in zip(rates, (EVIL, LONG)):
            rate["class"] = name
    return report


def test_what_comes_from_the_data_is_escaped() -> None:
    markup = _html.audit_html(evil_report())
    seen = Parsed(markup)
    assert "<script" not in markup and seen.count("script") == 0
    assert f"noisier: '{EVIL}', cleaner: '" in seen.text
    assert f"Class '{EVIL}' is noisier than '{LONG[:31]}…' by 20.0 %." in seen.text
    assert f"Found of {EVIL}Of {EVIL} & {EVIL}." in seen.text
    assert f"Warnings Of {EVIL}, " in seen.text
    assert any(said.startswith(f"{EVIL}:") for said in seen.values("aria-label"))
    assert not re.search(r"&(?!(?:amp|lt|gt|quot|#x27);)", markup)


def test_a_quote_in_a_name_does_not_end_an_attribute() -> None:
    name = '" onmouseover="alert(1)" ' + "y" * 100
    seen = view(audit([0.1, 0.2], [name, "b"]))
    assert seen.values("onmouseover") == [] and name in seen.values("title")


def test_a_long_name_is_shortened_and_whole_in_its_title() -> None:
    seen = view(evil_report())
    assert LONG[:31] + "…" in seen.text
    assert LONG[:40] not in seen.text
    assert set(seen.values("title")) == {LONG, EVIL}  # the latter is long for a column
    assert all(len(said) < 100 for said in seen.values("aria-label"))


def test_what_a_page_cannot_hold_is_replaced() -> None:
    seen = view(audit([0.1, 0.2], ["a\x00\x1b[1m\ud800b", ""]))
    assert "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[1m" in seen.text
    assert "(empty)" in seen.text
    seen.text.encode("utf-8")


def test_the_facts_say_how_many_rows_were_looked_at() -> None:
    assert (
        "12,345 rows · 7 features · 2 classes · all rows examined" in view(audit([0.1, 0.3])).text
    )
    some = audit([0.1, 0.3], anchors=2000, metric="cosine")
    assert "2,000 rows examined with 10 neighbors each by cosine" in view(some).text


def test_estimators_beside_each_other_and_the_advice() -> None:
    seen = view(audit([0.1, 0.3]))
    assert "class auto edges class 0 10.0 5.0 class 1 30.0 15.0" in seen.text
    answer = "The answer is that of auto; the others have no intervals, and each holds under its"
    assert answer in seen.text
    unknown = view(audit([0.1, 0.3], identified=False)).text
    assert "The answer is" not in unknown and "Not to be relied on" in unknown
    assert "auto took the rows for an embedding: neighboring rows are of one class." in seen.text
    assert "Advice: nothing. No difference between the rates is proved." in seen.text
    alone = audit([0.1, 0.3], estimates={"curve": [0.1, 0.3]})
    del alone["mode"], alone["reason"]
    assert view(alone).count("details") == 0


def test_training_agrees_with_labels_that_may_be_wrong() -> None:
    seen = Parsed(_html.training_html(training(held_out_accuracy=0.7)))
    assert "Agrees with 80.5 % of the labels it was given, with 70.0 % of those" in seen.text
    assert "These labels may be wrong" in seen.text and "Trained in 12 steps." in seen.text
    text = Parsed(_html.training_html(training(converged=False, model="mlp", steps=1))).text
    assert "1 epoch, stopped before it converged." in text and "held out" not in text


def test_training_shows_what_it_reckoned_with() -> None:
    matrix = even_matrix([0.1, 0.3])
    report = training(transition=matrix, transition_from="auto, misspecified", loss="forward")
    report.update(alpha=0.15, alphas=[{"alpha": a, "accuracy": 0.8 + a} for a in (0.1, 0.15)])
    report["groups"] = [{"group": EVIL, "delta": 0.351}]
    seen = Parsed(_html.training_html(report))
    assert "accounts for: auto, misspecified." in seen.text and "70.0" in seen.text
    assert "alpha 0.15, the best of 2" in seen.text and "95.0 %" in seen.text
    assert f"{EVIL} 0.351" in seen.text and seen.count("script") == 0
    assert "alpha 0.2, as given" in Parsed(_html.training_html(training(alpha=0.2))).text


def test_fair_training_shows_rates_and_price() -> None:
    rates = {"rows": 10, "base_rate": 0.25, "tpr": 0.5, "tpr_spread": 0.04}
    fair = {
        "constraint": "equal-opportunity", "tolerance": 0.01, "judged_by": "given labels",
        "why": "nothing else is known", "violation": 0.016, "error": 0.37,
        "unconstrained_error": 0.36, "shares": [0.9, 0.1], "rounds": 7, "models_trained": 8,
        "folds": 5, "converged": False,
        "groups": [{"group": "Female", **rates}, {"group": "Male", **rates}],
    }  # fmt: skip
    before = [
        {"group": "Female", "rate": 0.3, "low": 0.28, "high": 0.32},
        {"group": "Male", "rate": 0.4567, "low": 0, "high": 1},
    ]
    balanced = {"scope": "group", "estimator": "auto", "flipped": {"no": 5}, "groups": before}
    report = training(fair=fair, balanced=balanced)
    del report["steps"], report["objective"]
    seen = Parsed(_html.training_html(report))
    assert "Equal-opportunity within 0.01, judged by given labels." in seen.text
    assert "Female 10 25.0 % 50.0 % ± 4.0" in seen.text
    assert "Largest difference between two groups: 1.6 points." in seen.text
    assert "lot among 2 models" in seen.text and "stopped before it converged" in seen.text
    assert "Labels flipped: 5 of 'no'." in seen.text and "28.0 to 32.0 %" in seen.text
    assert "Male unknown" in seen.text and "45.7" not in seen.text
