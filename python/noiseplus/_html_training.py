"""A training as HTML: its agreement with labels that may be wrong, and what it accounted for."""

from __future__ import annotations

from typing import Any

from . import _html_parts as parts
from ._html_findings import facts, finding, names_in
from ._html_names import name, quoted, text
from ._html_parts import cell, column_heading, number, percent, points, row_heading

Report = dict[str, Any]


def training_html(report: Report) -> str:
    """A fragment for what `noiseplus train --json` wrote."""
    return parts.report_of(
        facts(report, f"{report['seconds']:.2f} s"),
        _agreement(report),
        _balanced_first(report),
        _fairness(report),
        _alphas(report),
        _deltas(report),
        parts.notes("⚠ Warnings", report["warnings"], names_in(report)),
        _used_transition(report),
    )


def _agreement(report: Report) -> str:
    sentence = f"Agrees with {percent(report['noisy_accuracy'])} of the labels it was given"
    if report["held_out_accuracy"] is not None:
        sentence += f", with {percent(report['held_out_accuracy'])} of those held out"
    sentence += ". These labels may be wrong: labels that you trust say more."
    if "steps" in report:
        unit = {"linear": "step", "trees": "round"}.get(report["model"], "epoch")
        sentence += f" Trained in {parts.counted(report['steps'], unit)}"
        sentence += "." if report["converged"] else ", stopped before it converged."
    badge = f"{text(report['model'].capitalize())} model, loss {text(report['loss'])}"
    return finding("plain", badge, sentence)


def _flipped_labels(counts: dict[str, int]) -> str:
    """The most first."""
    flipped = sorted(((count, label) for label, count in counts.items() if count), reverse=True)
    of_each = [f"{number(count)} of {quoted(label)}" for count, label in flipped]
    return f"Labels flipped: {parts.joined(of_each) if of_each else '0'}."


def _balanced_first(report: Report) -> str:
    if "balanced" not in report:
        return ""
    balanced = report["balanced"]
    done = f"<p>{_flipped_labels(balanced['flipped'])}</p>\n"
    if not balanced["groups"]:
        return done
    lines = []
    for group in balanced["groups"]:
        unknown = not group.get("identified", group["low"] > 0 or group["high"] < 1)
        rate = "unknown" if unknown else percent(group["rate"])
        interval = "" if unknown else parts.span(group["low"], group["high"])
        lines.append(row_heading(name(group["group"])) + cell(rate) + cell(interval))
    headings = [column_heading("group", "noiseplus-left")]
    headings += [column_heading("noise rate"), column_heading(parts.INTERVAL)]
    return done + parts.table("Noise of each group before it was balanced.", headings, lines)


def _fairness(report: Report) -> str:
    if "fair" not in report:
        return ""
    fair = report["fair"]
    groups = fair["groups"]
    compared = [key for key in groups[0] if f"{key}_spread" in groups[0]]
    lines = [
        row_heading(name(group["group"]))
        + cell(number(group["rows"]))
        + cell(percent(group["base_rate"]))
        + "".join(
            cell(f"{percent(group[key])} ± {points(group[key + '_spread'])}") for key in compared
        )
        for group in groups
    ]
    headings = [column_heading("group", "noiseplus-left")]
    headings += [column_heading(text(h.replace("_", " "))) for h in ("rows", "positive", *compared)]
    exact = ", were the noise rates exact" if "negative_noise" in groups[0] else ""
    caption = f"{text(fair['constraint'].capitalize())} within {fair['tolerance']:g}, judged by "
    caption += f"{text(fair['judged_by'])}. ±: one standard error by the chance of sampling{exact}."
    return parts.table(caption, headings, lines) + _fair_price(fair, names_in(report))


def _fair_price(fair: Report, names: list[str]) -> str:
    models = len(fair["shares"])
    answers = "one model" if models == 1 else f"lot among {number(models)} models"
    price = (
        f"Largest difference between two groups: {points(fair['violation'])} points. Answers by "
        f"{answers}; disagrees with {percent(fair['error'])} of the labels, without the constraint "
        f"with {percent(fair['unconstrained_error'])}."
    )
    if not fair["converged"]:
        price += " The search for it stopped before it converged."
    why = parts.sentence(fair["why"], [*names, *(group["group"] for group in fair["groups"])])
    return f"<p>{price}</p>\n<p>{why}</p>\n"


def _alphas(report: Report) -> str:
    if "alpha" not in report:
        return ""
    trials = report.get("alphas", [])
    if not trials:
        return f"<p>alpha {report['alpha']:g}, as given.</p>\n"
    lines = [row_heading(f"{t['alpha']:g}") + cell(percent(t["accuracy"])) for t in trials]
    headings = [column_heading("alpha", "noiseplus-left"), column_heading("agreement")]
    caption = "Agreement with given labels held out, by alpha."
    summary = f"alpha {report['alpha']:g}, the best of {number(len(trials))} by labels held out"
    return parts.details(summary, parts.table(caption, headings, lines))


def _deltas(report: Report) -> str:
    if not report.get("groups"):
        return ""
    what = "1 − e+ − e−" if len(report["classes"]) == 2 else "delta"
    lines = [row_heading(name(g["group"])) + cell(f"{g['delta']:.3f}") for g in report["groups"]]
    headings = [column_heading("group", "noiseplus-left"), column_heading(what)]
    caption = "How much the labels of each group tell: 1 is all, 0 nothing."
    return parts.table(caption, headings, lines)


def _used_transition(report: Report) -> str:
    if "transition" not in report:
        return ""
    source = f"<p>Noise that the loss accounts for: {text(report['transition_from'])}.</p>\n"
    return source + parts.matrix(report["classes"], report["transition"])
