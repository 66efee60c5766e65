"""Audits and trainings as HTML, for notebooks: what the JSON of the program says, to be looked at.

What was found is told in the report's own words; rates that the rows do not tell are not shown.
"""

from __future__ import annotations

from typing import Any

from . import _html_parts as parts
from ._html_findings import facts, findings, headline, names_in, notes
from ._html_names import name, quoted, text
from ._html_parts import Rate, cell, column_heading, number, percent, points, row_heading
from ._html_training import training_html

__all__ = ["audit_html", "training_html"]

Report = dict[str, Any]

MOST_NAMES = 12  # in a cell

def audit_html(report: Report) -> str:
    """A fragment for what `noiseplus audit --json` or `noiseplus balance --json` wrote."""
    return parts.report_of(
        _audit_facts(report),
        headline(report),
        findings(report),
        _class_rates(report),
        _group_rates(report),
        notes(report),
        _advice(report),
        parts.notes("⚠ Warnings", report["warnings"], names_in(report)),
        _transition(report),
        _inside_groups(report),
        _all_pairs(report),
        _estimators(report),
    )


def _audit_facts(report: Report) -> str:
    rows = (
        "all rows" if report["anchors"] == report["rows"] else f"{number(report['anchors'])} rows"
    )
    examined = f"{rows} examined with {number(report['k'])} neighbors each"
    examined += " by cosine" if report["metric"] == "cosine" else ""
    estimator = f"estimator {text(report['estimator'])}"
    return facts(report, examined, estimator)


def _has_upper_bound(report: Report) -> bool:
    """The shares of the classes depend on all rates, so one upper bound leaves them unknown."""
    return any(rate.get("upper_bound") for rate in report["noise"])


def _shown_rate(rate: Report) -> float:
    """Of an upper bound only the upper end of its interval is known."""
    return float(rate["high"] if rate.get("upper_bound") else rate["rate"])


def _rate_text(rate: Report) -> str:
    return ("at most " if rate.get("upper_bound") else "") + percent(_shown_rate(rate))


def _rates_of_classes(report: Report) -> list[Rate]:
    bounded = _has_upper_bound(report)
    return [
        Rate(
            name=rate["class"],
            value=_shown_rate(rate),
            low=rate["low"],
            high=rate["high"],
            beside=parts.NOT_KNOWN if bounded else percent(prior),
            upper_bound=rate.get("upper_bound", False),
        )
        for rate, prior in zip(report["noise"], report["prior"])
    ]


def _rates_of_groups(report: Report) -> list[Rate]:
    return [
        Rate(
            name=group["group"],
            value=_shown_rate(group),
            low=group["low"],
            high=group["high"],
            beside=number(group["rows"]),
            unknown=_why_unknown(group),
            upper_bound=group.get("upper_bound", False),
        )
        for group in report["groups"]
    ]


def _why_unknown(group: Report) -> str:
    if "too_small" in group:
        return f"too small: {group['too_small']}"
    return "" if group["identified"] else "not identified"


def _axis_end(report: Report) -> float:
    """One for classes and groups, whose bars are then comparable."""
    of_classes = _rates_of_classes(report) if report["identified"] else []
    return parts.axis_end(of_classes + _rates_of_groups(report))


def _class_rates(report: Report) -> str:
    if not report["identified"]:
        return "<p>The noise rates of the classes are not shown: these rows do not tell them.</p>\n"
    rates = _rates_of_classes(report)
    other = "the other" if len(rates) == 2 else "another"
    caption = f"Noise of each class: the share of the rows truly of it that carry {other} label."
    return parts.rates_table(caption, ("class", "true share"), "classes", rates, _axis_end(report))


def _group_rates(report: Report) -> str:
    if not report["groups"]:
        return ""
    rates = _rates_of_groups(report)
    by = quoted(report["group_by"])
    caption = f"Noise of each group by {by}: the share of its labels that are wrong."
    heads, end = ("group", "rows"), _axis_end(report)
    return parts.rates_table(caption, heads, "groups", rates, end, parts.AT_MOST_IN_GROUPS)


def _transition(report: Report) -> str:
    if not report["identified"]:
        return ""
    noise = enumerate(report["noise"])
    highs = {position: rate["high"] for position, rate in noise if rate.get("upper_bound")}
    return parts.matrix(report["classes"], report["transition"], highs)


def _advice(report: Report) -> str:
    advice = report["advice"]
    why = parts.sentence(advice["why"], names_in(report))
    untested = "paper" in report and advice["action"] not in ("nothing", "check")
    rests = "Resting on an untested direction. " if untested else ""
    return f"<p><strong>{rests}Advice: {text(advice['action'])}.</strong> {why}</p>\n"


def _inside_group(group: Report) -> str:
    """A line: how the classes of a group differ, then their rates."""
    line = row_heading(name(group["group"]))
    if not group["identified"]:
        unknown = cell("unknown") * len(group["noise"])
        return line + cell(text(_why_unknown(group)), "noiseplus-left") + unknown
    difference = "none found"
    if group["noisier"] is not None and group["cleaner"] is not None:
        difference = f"noisier: {quoted(group['noisier'])}, cleaner: {quoted(group['cleaner'])}"
    elif group["leans"] is not None:
        difference += f", leans: {quoted(group['leans'])}"
    if "symmetric_rate" in group:
        difference += f"<br>same rate for all classes: {percent(group['symmetric_rate']['rate'])}"
    rates = (f"{_rate_text(r)}<br>{parts.span(r['low'], r['high'])}" for r in group["noise"])
    return line + cell(difference, "noiseplus-left") + "".join(cell(rate) for rate in rates)


def _inside_groups(report: Report) -> str:
    groups, classes = report["groups"], report["classes"]
    if not groups or len(groups) > parts.MOST_ROWS or len(classes) > parts.LARGEST_MATRIX:
        return ""
    headings = [column_heading("group", "noiseplus-left")]
    headings.append(column_heading("difference of its classes", "noiseplus-left"))
    headings += [column_heading(name(c, parts.LONGEST_HEADING)) for c in classes]
    caption = "Noise rates of the classes inside each group, with 95 % intervals."
    known = [group for group in groups if group["identified"]]
    if any(rate.get("upper_bound") for group in known for rate in group["noise"]):
        caption += f" {parts.AT_MOST_IN_GROUPS}"
    content = parts.table(caption, headings, (_inside_group(group) for group in groups))
    return parts.details("Classes inside each group", content)


def _all_pairs(report: Report) -> str:
    if "paper" in report:  # whose directions are not tested
        return ""
    of_groups = _pairs("groups", report.get("group_claims", []))
    beyond = report.get("beyond_class", {"claims": []})
    return of_groups + _class_claims(beyond["claims"]) + _pairs("classes", report["claims"])


def _class_claims(claims: list[Report]) -> str:
    """The sentence names the clearest; here are all."""
    if len(claims) < 2:
        return ""
    lines = [
        row_heading(name(claim["class"]))
        + cell(name(claim["noisier"]), "noiseplus-left")
        + cell(name(claim["cleaner"]), "noiseplus-left")
        for claim in claims[: parts.MOST_ROWS]
    ]
    headings = [column_heading(h, "noiseplus-left") for h in ("class", "noisier in", "than in")]
    caption = "Classes with different noise rates in two groups."
    if len(claims) > parts.MOST_ROWS:
        caption += f" The first {parts.MOST_ROWS} of {number(len(claims))}."
    summary = "Classes that are noisier in one group than in another"
    return parts.details(summary, parts.table(caption, headings, lines))


def _pairs(what: str, claims: list[Report]) -> str:
    if len(claims) < 2:
        return ""
    cleaner: dict[str, list[str]] = {}
    for pair in claims:
        cleaner.setdefault(pair["noisier"], []).append(name(pair["cleaner"]))
    lines = [
        row_heading(name(noisier)) + cell(parts.joined(others, MOST_NAMES), "noiseplus-left")
        for noisier, others in list(cleaner.items())[: parts.MOST_ROWS]
    ]
    headings = [column_heading(side, "noiseplus-left") for side in ("noisier", "than")]
    caption = f"Pairs of {what} of which a difference was found."
    if len(cleaner) > parts.MOST_ROWS:
        caption += f" The first {parts.MOST_ROWS} of {number(len(cleaner))} {what}."
    summary = f"The {number(len(claims))} pairs of {what} that differ"
    return parts.details(summary, parts.table(caption, headings, lines))


def _estimate(report: Report, estimator: str, position: int) -> str:
    rate = report["noise"][position]
    if estimator == report["estimator"] and rate.get("upper_bound"):
        return f"at most {points(rate['high'])}"
    return points(report["estimates"][estimator][position])


def _estimators(report: Report) -> str:
    estimates, content = report["estimates"], ""
    if "reason" in report:
        embedding = report["mode"] == "dense"
        taken = "an embedding" if embedding else "a table with overlapping classes"
        content = f"<p>auto took the rows for {taken}: {text(report['reason'])}.</p>\n"
    if len(estimates) < 2:
        return parts.details("How it was estimated", content) if content else ""
    first, _, last = parts.ends(_rates_of_classes(report))
    lines = [
        row_heading(name(label, parts.LONGEST_HEADING))
        + "".join(cell(_estimate(report, which, position)) for which in estimates)
        for label in (rate.name for rate in first + last)
        for position in (report["classes"].index(label),)
    ]
    caption = "Noise rates by estimator, in %."
    if report["identified"]:
        caption += f" The answer is that of {text(report['estimator'])}; the others have no "
        caption += "intervals, and each holds under its own assumption only."
    else:
        caption += " Not to be relied on: the rates are not identified."
    headings = [column_heading("class", "noiseplus-left")]
    headings += [column_heading(text(estimator)) for estimator in estimates]
    return parts.details("Estimators side by side", content + parts.table(caption, headings, lines))
