"""Pieces of HTML that the notebook views are made of.

Whatever comes from the data goes through `text` or `name`, which escape it. Everything else that
is called HTML here is markup already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ._html_names import LONGEST_NAME, name, shortened, text

LONGEST_HEADING = 18
MOST_ROWS, ENDS = 20, 10  # of a table of more rows the ends are shown
LARGEST_MATRIX, MOST_PAIRS = 12, 10
INTERVAL = "95\N{NO-BREAK SPACE}% interval"
AT_MOST = (
    "At most: if noise depends on the class only; overlap of the classes may be in that rate."
)
AT_MOST_IN_GROUPS = (
    "At most: if inside a group noise depends on the class only; overlap of the classes may be in "
    "that rate."
)
NOT_KNOWN = "not known"
FAINTEST = 0.05  # a matrix with less noise than this has no dark cell

# Blue and vermillion of Okabe and Ito, which the color-blind tell apart. Notebooks bring their own
# foreground and background, so fills are translucent and lines take the color of the text. The
# class is named twice to outweigh the tables of JupyterLab.
STYLE = """<style>
.noiseplus-report { max-width: 56em; line-height: 1.45; overflow-wrap: anywhere; }
.noiseplus-report .noiseplus-facts { opacity: .8; margin: 0 0 .6em; }
.noiseplus-report .noiseplus-finding { margin: .4em 0; padding: .5em .8em;
  border-left: .3em solid rgba(128,128,128,.8); background: rgba(128,128,128,.1); }
.noiseplus-report .noiseplus-finding.noiseplus-found { border-left-color: #d55e00; }
.noiseplus-report .noiseplus-finding.noiseplus-none { border-left-color: #0072b2; }
.noiseplus-report .noiseplus-badge { font-weight: 600; display: block; }
.noiseplus-report .noiseplus-wrong strong { font-size: 1.3em; }
.noiseplus-report .noiseplus-wide { overflow-x: auto; margin: .9em 0; }
.noiseplus-report.noiseplus-report table.noiseplus-table { border-collapse: collapse; margin: 0;
  table-layout: auto; min-width: min(100%, 40em); font-size: inherit; color: inherit; border: 0; }
.noiseplus-report.noiseplus-report table.noiseplus-rates { width: 100%; }
.noiseplus-report.noiseplus-report .noiseplus-table caption { caption-side: top; text-align: left;
  color: inherit; padding: 0 0 .3em; }
.noiseplus-report.noiseplus-report .noiseplus-table tr { background: none; }
.noiseplus-report.noiseplus-report .noiseplus-table th,
.noiseplus-report.noiseplus-report .noiseplus-table td { padding: .2em .6em; text-align: right;
  border: 0; border-bottom: 1px solid rgba(128,128,128,.3); vertical-align: middle;
  background: none; color: inherit; white-space: normal; max-width: 24em; }
.noiseplus-report.noiseplus-report .noiseplus-table thead th { font-weight: 600;
  border-bottom: 1px solid currentColor; vertical-align: bottom; }
.noiseplus-report.noiseplus-report .noiseplus-table tbody th { font-weight: normal; }
.noiseplus-report.noiseplus-report .noiseplus-table .noiseplus-left { text-align: left;
  overflow-wrap: break-word; }
.noiseplus-report.noiseplus-report .noiseplus-table .noiseplus-number { white-space: nowrap; }
.noiseplus-report.noiseplus-report .noiseplus-table .noiseplus-bar { width: 40%; min-width: 9em; }
.noiseplus-report .noiseplus-bar svg { display: block; overflow: visible; }
.noiseplus-report .noiseplus-axis { display: flex; justify-content: space-between; }
.noiseplus-report.noiseplus-report .noiseplus-matrix td,
.noiseplus-report.noiseplus-report .noiseplus-matrix thead th { text-align: center; }
.noiseplus-report .noiseplus-kept { outline: 1px solid currentColor; outline-offset: -2px; }
.noiseplus-report p, .noiseplus-report details { margin: .6em 0; }
.noiseplus-report ul { margin: .3em 0; padding-left: 1.4em; }
</style>"""


class Rate(NamedTuple):
    """A line of a table of rates."""

    name: str
    value: float  # of an upper bound the upper end of the interval
    low: float
    high: float
    beside: str  # one more cell, as HTML
    unknown: str = ""  # why nothing is known of it
    upper_bound: bool = False


def sentence(raw: str, names: Sequence[str]) -> str:
    """A clause of the engine's as a sentence, in which names may be long."""
    for long in sorted((n for n in names if len(n) > LONGEST_NAME), key=len, reverse=True):
        raw = raw.replace(long, shortened(long))
    return text(raw[:1].upper() + raw[1:]) + "."


def number(count: int) -> str:
    return f"{count:,}"


def counted(count: int, what: str, many: str | None = None) -> str:
    return f"{number(count)} {what if count == 1 else many or what + 's'}"


def points(share: float, digits: int = 1) -> str:
    rounded = f"{100 * share:.{digits}f}"
    if float(rounded) == 0:
        return rounded.replace("-", "")
    return rounded.replace("-", "\N{MINUS SIGN}")


def percent(share: float, digits: int = 1) -> str:
    return f"{points(share, digits)}\N{NO-BREAK SPACE}%"


def interval_points(low: float, high: float) -> str:
    """With more digits where both ends would else look the same."""
    digits = 1
    while digits < 6 and low < high and points(low, digits) == points(high, digits):
        digits += 1
    return f"{points(low, digits)} to {points(high, digits)}"


def span(low: float, high: float) -> str:
    return f"{interval_points(low, high)}\N{NO-BREAK SPACE}%"


def joined(items: Sequence[str], most: int = 6) -> str:
    """a, b and c; of many the first ones."""
    rest = len(items) - most
    shown = list(items) if rest <= 0 else [*items[:most], f"{number(rest)} more"]
    return " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)


def cell(content: str, kind: str = "noiseplus-number") -> str:
    return f'<td class="{kind}">{content}</td>'


def row_heading(content: str) -> str:
    return f'<th scope="row" class="noiseplus-left">{content}</th>'


def column_heading(content: str, kind: str = "noiseplus-number") -> str:
    return f'<th scope="col" class="{kind}">{content}</th>'


def table(
    caption: str, headings: Iterable[str], lines: Iterable[str], kind: str = "noiseplus-plain"
) -> str:
    """`headings` are whole cells; a line is the cells of one row."""
    body = "".join(f"<tr>{line}</tr>\n" for line in lines)
    return (
        f'<div class="noiseplus-wide"><table class="noiseplus-table {kind}">'
        f"<caption>{caption}</caption>\n<thead><tr>{''.join(headings)}</tr></thead>\n"
        f"<tbody>{body}</tbody></table></div>\n"
    )


def details(summary: str, content: str) -> str:
    return f"<details><summary>{summary}</summary>\n{content}</details>\n"


def report_of(*parts: str) -> str:
    return f'<div class="noiseplus-report">{STYLE}\n{"".join(parts)}</div>'


def known(rates: Iterable[Rate]) -> list[Rate]:
    return [rate for rate in rates if not rate.unknown]


def axis_end(rates: Iterable[Rate]) -> float:
    """A round share that no interval goes beyond."""
    highest = max((max(rate.value, rate.high) for rate in known(rates)), default=1.0)
    ends = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
    return next((end for end in ends if highest <= end), 1.0)


def bar(rate: Rate, end: float) -> str:
    """The rate as a bar, its interval as a whisker; a bar that is an upper bound is hollow."""

    def at(share: float) -> str:
        return f"{100 * share / end:.2f}%"

    at_most = "at most " if rate.upper_bound else ""
    said = f"{shortened(rate.name)}: {at_most}{percent(rate.value)}"
    fill = "0.15" if rate.upper_bound else "0.65"
    outline = ' stroke="currentColor" stroke-dasharray="3 3"' if rate.upper_bound else ""
    lines = (
        (at(rate.low), at(rate.high), 9, 9),
        (at(rate.low), at(rate.low), 4, 14),
        (at(rate.high), at(rate.high), 4, 14),
    )
    whisker = "".join(f'<line x1="{a}" x2="{b}" y1="{c}" y2="{d}"/>' for a, b, c, d in lines)
    return (
        f'<svg role="img" aria-label="{text(said)}, interval {span(rate.low, rate.high)}" '
        f'width="100%" height="18"><line x1="0" x2="0" y1="0" y2="18" stroke="currentColor"/>'
        f'<rect x="0" y="3" width="{at(rate.value)}" height="12" fill="#3a9bdc" '
        f'fill-opacity="{fill}"{outline}/>'
        f'<g stroke="currentColor" stroke-width="1.5">{whisker}</g></svg>'
    )


def rate_line(rate: Rate, end: float) -> str:
    head = row_heading(name(rate.name)) + cell(rate.beside)
    if rate.unknown:
        why = cell(text(rate.unknown), "noiseplus-why")
        return head + cell("", "noiseplus-bar") + cell("unknown") + why
    value = ("at most " if rate.upper_bound else "") + percent(rate.value)
    interval = cell(span(rate.low, rate.high))
    return head + cell(bar(rate, end), "noiseplus-bar") + cell(value) + interval


def ends(rates: Sequence[Rate]) -> tuple[list[Rate], int, list[Rate]]:
    """As they are; of many the noisiest, how many are left out, and the cleanest."""
    if len(rates) <= MOST_ROWS:
        return list(rates), 0, []
    ranked = sorted(known(rates), key=lambda rate: -rate.value)
    first, last = ranked[:ENDS], ranked[ENDS:][-ENDS:]
    return first, len(rates) - len(first) - len(last), last


def rates_table(
    caption: str,
    heads: tuple[str, str],
    many: str,
    rates: Sequence[Rate],
    end: float,
    at_most: str = AT_MOST,
) -> str:
    """`heads`: of the names, and of what is beside them. `end` is that of the axis."""
    first, left_out, last = ends(rates)
    lines = [rate_line(rate, end) for rate in first]
    if left_out:
        unknown = len(rates) - len(known(rates))
        of_them = f", {number(unknown)} of them unknown" if unknown else ""
        skipped = f"… {number(left_out)} {many} left out{of_them} …"
        lines.append(f'<td colspan="5" class="noiseplus-left">{skipped}</td>')
        caption += f" Of {number(len(rates))} {many} the noisiest and the cleanest."
    lines += [rate_line(rate, end) for rate in last]
    if any(rate.upper_bound for rate in first + last):
        caption += f" {at_most} Its bar is hollow."
    right = f"{100 * end:g}\N{NO-BREAK SPACE}%"
    axis = f'<span class="noiseplus-axis"><span>0</span><span>{right}</span></span>'
    headings = (
        column_heading(heads[0], "noiseplus-left"),
        column_heading(heads[1]),
        column_heading(axis, "noiseplus-bar"),
        column_heading("noise rate"),
        column_heading(INTERVAL),
    )
    return table(caption, headings, lines, "noiseplus-rates")


def confused_pairs(
    classes: Sequence[str], matrix: Sequence[Sequence[float]], highs: Mapping[int, float]
) -> str:
    pairs = sorted(
        ((share, i, j) for i, row in enumerate(matrix) for j, share in enumerate(row) if i != j),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    lines = [
        row_heading(name(classes[i]))
        + cell(name(classes[j]), "noiseplus-left")
        + cell(f"at most {percent(highs[i])}" if i in highs else percent(share))
        for share, i, j in pairs[:MOST_PAIRS]
        if share > 0
    ]
    headings = (
        column_heading("truly", "noiseplus-left"),
        column_heading("labeled", "noiseplus-left"),
        column_heading("share of the true class"),
    )
    caption = (
        f"The transition matrix of {number(len(classes))} classes is too large to show; "
        "the pairs that are confused most:"
    )
    if highs:
        caption += f" {AT_MOST}"
    return table(caption, headings, lines)


def matrix_line(
    label: str, row: Sequence[float], kept: int, most: float, high: float | None
) -> str:
    cells = row_heading(name(label))
    space = "\N{NO-BREAK SPACE}"
    for position, share in enumerate(row):
        if position == kept:
            shown = points(share) if high is None else f"≥{space}{points(1 - high)}"
            cells += cell(shown, "noiseplus-kept")
        else:
            shade = 0.65 * share / most
            shown = points(share) if high is None else f"≤{space}{points(high)}"
            cells += f'<td style="background: rgba(213,94,0,{shade:.3f})">{shown}</td>'
    return cells


def matrix(
    classes: Sequence[str],
    shares: Sequence[Sequence[float]],
    highs: Mapping[int, float] | None = None,
) -> str:
    """A transition matrix as a heat map, in which the labels that are wrong are shaded.

    `highs` are the upper ends of the rates that are upper bounds, by position of the class.
    """
    highs = highs or {}
    if len(classes) > LARGEST_MATRIX:
        return confused_pairs(classes, shares, highs)
    wrong = (share for i, row in enumerate(shares) for j, share in enumerate(row) if i != j)
    most = max(FAINTEST, *wrong)
    headings = [column_heading("truly ↓ labeled →", "noiseplus-left")]
    headings += [column_heading(name(c, LONGEST_HEADING)) for c in classes]
    lines = [matrix_line(classes[i], row, i, most, highs.get(i)) for i, row in enumerate(shares)]
    caption = "Transition matrix: the % of each true class with each label; framed: right."
    if highs:
        caption += f" {AT_MOST}"
    return table(caption, headings, lines, "noiseplus-matrix")


def notes(heading: str, clauses: Sequence[str], names: Sequence[str]) -> str:
    if not clauses:
        return ""
    items = "".join(f"<li>{sentence(clause, names)}</li>" for clause in clauses)
    return f"<p><strong>{heading}</strong></p><ul>{items}</ul>\n"
