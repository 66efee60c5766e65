"""What an audit found, in the engine's words, and what the data are."""

from __future__ import annotations

import re
from typing import Any

from ._html_names import quoted, with_names
from ._html_parts import counted

Report = dict[str, Any]

# Sign and color of a finding, by its id or else by its severity.
KINDS = {"difference": "found", "difference-within-class": "found", "no-difference": "none"}
KINDS_BY_SEVERITY = {"info": "plain", "notice": "found", "warning": "unknown"}
SIGNS = {"found": "● ", "none": "○ ", "unknown": "? ", "plain": ""}
HEADLINE = ("wrong-share", "condition")
NOTES = ("row-scores", "precision", "balancing")


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
        f'<span class="noiseplus-badge">{SIGNS[kind]}{badge}</span>{sentence}</div>\n'
    )


def _figure_first(sentence: str) -> str:
    """The first figure of a sentence stands out."""
    return re.sub(r"^[^%]*%", r"<strong>\g<0></strong>", sentence)


def headline(report: Report) -> str:
    """How many labels are wrong in all, and what every rate assumes."""
    said = {found["id"]: with_names(found["text"], names_in(report)) for found in report["findings"]}
    share, condition = (said.get(id_) for id_ in HEADLINE)
    html = f'<p class="noiseplus-wrong">{_figure_first(share)}</p>\n' if share else ""
    return html + (f"<p>{condition}</p>\n" if condition else "")


def findings(report: Report) -> str:
    """The verdict, a box for each finding."""
    return "".join(
        finding(
            KINDS.get(found["id"], KINDS_BY_SEVERITY[found["severity"]]),
            with_names(found["title"], []),
            with_names(found["text"], names_in(report)),
        )
        for found in report["findings"]
        if found["id"] not in HEADLINE + NOTES
    )


def notes(report: Report) -> str:
    """What belongs to the rows and to the advice."""
    return "".join(
        f"<p>{with_names(found['text'], names_in(report))}</p>\n"
        for found in report["findings"]
        if found["id"] in NOTES
    )
