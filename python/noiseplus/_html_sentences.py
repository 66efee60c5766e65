"""What the views say in sentences: the verdict with its certainty, and what balancing does.

A sentence claims what the report claims and no more: a difference that is not proved reads "no
difference found".
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ._html_names import quoted, text
from ._html_parts import (
    INTERVAL,
    counted,
    interval_points,
    joined,
    number,
    p_value,
    percent,
    points,
    span,
)

Report = dict[str, Any]

CHANCE = 0.05  # a p-value below it is significant to the engine
NO_FLIP = 1e-9
MOST_FLIPS = 3  # of classes that are listed
MAX_CLASS_CLAIMS = 3  # that the sentence names


class Comparison(NamedTuple):
    """What is known of classes, or of groups, against each other."""

    one: str
    many: str
    noisier: str | None
    cleaner: str | None
    leans: str | None
    gap: Report
    claims: int
    compared: int
    upper_bounds: frozenset[str] = frozenset()


def names_in(report: Report) -> list[str]:
    groups = [group["group"] for group in report.get("groups", [])]
    return [report["label"], *report["classes"], *groups]


def facts(report: Report, *more: str) -> str:
    """What the data are, and more of that kind, in a line."""
    said = [
        f"Label {quoted(report['label'])}",
        counted(report["rows"], "row"),
        counted(report["features"], "feature"),
        counted(len(report["classes"]), "class", "classes"),
        *more,
    ]
    return f'<p class="noiseplus-facts">{" · ".join(said)}</p>\n'


def finding(kind: str, badge: str, sentence: str) -> str:
    return (
        f'<div class="noiseplus-finding noiseplus-{kind}">'
        f'<span class="noiseplus-badge">{badge}</span>{sentence}</div>\n'
    )


def findings(report: Report) -> str:
    if "giveaway" in report:
        return _giveaway_finding(report["giveaway"])
    if "paper" in report:
        return _paper_finding(report)
    found = _group_finding(report) if report["groups"] else ""
    if not report["identified"]:
        sentence = "Not identified: these rows do not tell the noise rates of the classes."
        return found + finding("unknown", "? Classes: not identified", sentence)
    return found + _compared(_classes(report), _condition(report))


def has_upper_bound(report: Report) -> bool:
    """The shares of the classes depend on all rates, so one upper bound leaves them unknown."""
    return any(rate.get("upper_bound") for rate in report["noise"])


def wrong_share(report: Report) -> str:
    """How many labels are wrong in all; empty where that is not estimated."""
    if "wrong_share" not in report or not report["identified"]:
        return ""
    share = report["wrong_share"]
    bound = has_upper_bound(report)
    figure = f"At most {percent(share['high'])}" if bound else percent(share["value"])
    interval = span(share["low"], share["high"])
    return (
        f'<p class="noiseplus-wrong"><strong>{figure}</strong> of all labels are wrong '
        f"({interval}).</p>\n"
    )


def rates_condition(report: Report) -> str:
    """What every rate assumes, in the engine's words."""
    return f"<p>{text(report['condition'])}</p>\n" if "condition" in report else ""


def _giveaway_finding(giveaway: dict[str, Any]) -> str:
    said = giveaway["text"]
    rule = f" The rule: {giveaway['rule']}." if "rule" in giveaway else ""
    sentence = text(f"{said[:1].upper()}{said[1:]}.{rule}")
    return finding("unknown", "? Cannot be judged", sentence)


def _condition(report: Report) -> str:
    twins = report["estimator"] in ("moments", "latent-class")
    return ", if neighboring rows share their clean label" if twins else ""


def _classes(report: Report) -> Comparison:
    bounds = frozenset(rate["class"] for rate in report["noise"] if rate.get("upper_bound"))
    sides = (report["noisier"], report["cleaner"], report["leans"])
    count = len(report["classes"])
    return Comparison("class", "classes", *sides, report["gap"], len(report["claims"]), count, bounds)


def _group_finding(report: Report) -> str:
    known = sum(group["identified"] for group in report["groups"])
    if known < 2:
        sentence = "Not identified: there are no two groups of which the noise rates are known."
        return finding("unknown", "? Groups: not identified", sentence)
    sides = (report["noisier_group"], report["cleaner_group"], report["leans_group"])
    gap = report["group_gap"]
    claims = report.get("group_claims_total", len(report["group_claims"]))
    bounds = frozenset(group["group"] for group in report["groups"] if group.get("upper_bound"))
    compared = Comparison("group", "groups", *sides, gap, claims, known, bounds)
    return _compared(compared, _condition(report), report.get("beyond_class"))


def _beyond_class(beyond: Report) -> str:
    """Whether the same class is noisier in one group than in another."""
    claims = beyond["claims"]
    if not claims and beyond["p_value"] < CHANCE:
        return (
            " Within a class the groups look unlike each other "
            f"({p_value(beyond['p_value'])}), but that is not proved: "
            "it may be overlap of the classes."
        )
    if not claims:
        return (
            " Within a class, no difference between the groups is proved "
            f"({p_value(beyond['p_value'])}): "
            "what differs may come from the classes' rates and shares."
        )
    named = [
        f"labels of class {quoted(claim['class'])} are noisier in {quoted(claim['noisier'])} "
        f"than in {quoted(claim['cleaner'])}"
        for claim in claims[:MAX_CLASS_CLAIMS]
    ]
    if len(claims) > MAX_CLASS_CLAIMS:
        named.append(f"and {len(claims) - MAX_CLASS_CLAIMS} more")
    return f" Noise depends on the group beyond the class: {'; '.join(named)}."


def _compared(compared: Comparison, condition: str, beyond: Report | None = None) -> str:
    heading = compared.many.capitalize()
    more = _beyond_class(beyond) if beyond is not None else ""
    if compared.noisier is None or compared.cleaner is None:
        sentence = _no_difference(compared) + more
        if beyond is not None and beyond["claims"]:
            return finding("found", f"● {heading}: a difference found within a class", sentence)
        return finding("none", f"○ {heading}: no difference found", sentence)
    gap = compared.gap
    # Of several the clearest pair is named, and the gap is that of the highest and the lowest rate.
    apart = f" by {points(gap['value'])} points"
    if compared.compared > 2:
        apart = f"; the highest and the lowest rate are {points(gap['value'])} points apart"
    sentence = (
        f"{compared.one.capitalize()} {quoted(compared.noisier)} is noisier than "
        f"{quoted(compared.cleaner)}{apart} "
        f"({INTERVAL} {interval_points(gap['low'], gap['high'])}, "
        f"{p_value(gap['p_value'])}){condition}."
    )
    if compared.claims > 1:
        sentence += f" In all, {number(compared.claims)} pairs of {compared.many} differ."
    return finding("found", f"● {heading}: a difference found", sentence + more)


def _no_difference(compared: Comparison) -> str:
    gap, start = compared.gap, f"No difference found between the {compared.many}: "
    if gap["p_value"] < CHANCE:
        return start + _looks_noisier(compared)
    pairs = compared.compared * (compared.compared - 1) // 2
    if pairs == 1:
        size = f"the gap, {points(gap['value'])} points, "
        certainty = f"{INTERVAL} {interval_points(gap['low'], gap['high'])}, "
        certainty += p_value(gap["p_value"])
    else:
        size = f"the largest gap, {points(gap['value'])} points, "
        certainty = f"{p_value(gap['p_value'])}, corrected for {number(pairs)} pairs"
    sentence = f"{start}{size}may be chance ({certainty}). That does not prove them equally noisy."
    if compared.leans is not None:
        sentence += f" It leans towards {quoted(compared.leans)} being noisier."
    return sentence


def _looks_noisier(compared: Comparison) -> str:
    """More than chance, and still not claimed: overlap of the classes may look like noise."""
    size = points(compared.gap["value"])
    if compared.leans is None:
        return f"the gap, {size} points, is not proved to be one of noise."
    bound = compared.leans in compared.upper_bounds
    reason = "its rate is an upper bound only" if bound else "that is not proved"
    apart = f" by {size} points"
    if compared.compared > 2:
        apart = f" (the rates are up to {size} points apart)"
    return (
        f"{quoted(compared.leans)} looks noisier{apart}, but {reason}: "
        "it may be overlap of the classes."
    )


def _paper_finding(report: Report) -> str:
    one = "class" if report["scope"] == "class" else "group"
    suffix = "" if one == "class" else "_group"
    noisier, cleaner = report["noisier" + suffix], report["cleaner" + suffix]
    if noisier is None or cleaner is None:
        sentence = f"By the paper's agreements no {one} is noisier."
        return finding("none", "○ No difference found", sentence)
    agreement = {part["name"]: part["agreement"] for part in report["paper"]["parts"]}
    against = [agreement.get(noisier), agreement.get(cleaner)]
    shown = " against ".join("unknown" if a is None else f"{a:.4f}" for a in against)
    sentence = (
        f"By the paper's agreements ({shown}) {one} {quoted(noisier)} is noisier than "
        f"{quoted(cleaner)}. That is a direction without a test: nothing is proved."
    )
    return finding("unknown", "? A direction, not proved", sentence)


def flipped(counts: dict[str, int], rows: int) -> str:
    """What balancing did, by the class that labels had."""
    changed = {label: count for label, count in counts.items() if count > 0}
    if not changed:
        return "Balanced: no label was flipped."
    most = sorted(changed.items(), key=lambda item: -item[1])
    of_each = joined([f"{number(count)} of {quoted(label)}" for label, count in most])
    total = number(sum(changed.values()))
    return f"Balanced: {total} of {counted(rows, 'label')} flipped, {of_each}."


def planned(report: Report) -> str:
    """What balancing would do; empty where that is nothing."""
    flips = [flip for plan in report["plan"] for flip in _flips(plan, report["classes"])]
    return f"Balancing would flip {joined(flips)}." if flips else ""


def _flips(plan: Report, classes: list[str]) -> list[str]:
    shares = [1 - row[position] for position, row in enumerate(plan["flip"])]
    group = "" if plan["group"] is None else f" of group {quoted(plan['group'])}"
    if max(shares) - min(shares) < NO_FLIP:
        return [f"{percent(shares[0])} of the labels{group}"] if shares[0] > NO_FLIP else []
    most = sorted(zip(shares, classes), key=lambda flip: -flip[0])
    flips = [(share, label) for share, label in most if share > NO_FLIP]
    if len(flips) > MOST_FLIPS:
        return [f"{span(flips[-1][0], flips[0][0])} of the labels of {len(flips)} classes{group}"]
    return [f"{percent(share)} of the labels {quoted(label)}{group}" for share, label in flips]
