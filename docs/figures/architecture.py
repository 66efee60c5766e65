"""The picture of docs/architecture.md: the data's walk through the folders of src/.

python3 docs/figures/architecture.py > docs/figures/architecture.svg
"""
from xml.sax.saxutils import escape

# Folder, what it does, what it hands on.
STAGES = [
    ("data", "reads files and arrays, encodes columns, writes labels", "Dataset: features, Labels"),
    ("neighbors", "exact k nearest neighbors", "NeighborGraph: anchors × k rows"),
    ("learn", "losses, models, out-of-fold scores, model files", "Matrix of scores; Model"),
    ("noise", "one folder per estimator, auto's choice, label quality", "NoiseEstimate: T, rates, intervals"),
    ("balance", "how many labels to flip; the paper's search", "FlipPlan: one matrix per group"),
    ("fair", "constraints on the rates of groups", "FairTrainResult: a Mixture"),
    ("pipeline", "audit, balance, train as wholes; claims and advice", "AuditReport, TrainReport"),
    ("report", "lays reports out; computes nothing", "text, JSON, page"),
]
FRONT_ENDS = [("cli", "the program"), ("python", "the package"), ("experiments", "the paper")]

WIDTH, ROW, TOP = 900, 52, 84
BOX_X, BOX_WIDTH, BOX_HEIGHT = 96, 116, 34
TYPE_X = 632
CORE_X, CORE_WIDTH = 24, 48

STYLE = """
  .paper { fill: #ffffff } .box { fill: #e8f0fb; stroke: #3b6fb6 } .core { fill: #f1f3f5; stroke: #6e7781 }
  .name { fill: #16325c; font-weight: bold; font-size: 15px } .text { fill: #24292f } .soft { fill: #57606a }
  .line { stroke: #57606a; stroke-width: 1.5; fill: none } .head { fill: #57606a }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14181d } .box { fill: #1c2d44; stroke: #7aa7e0 } .core { fill: #22272e; stroke: #8b949e }
    .name { fill: #dbe8fa } .text { fill: #e6edf3 } .soft { fill: #a9b4c0 }
    .line { stroke: #a9b4c0 } .head { fill: #a9b4c0 }
  }
"""


def text(x, y, words, kind="text", anchor="start", more=""):
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def box(x, y, width, height, kind="box"):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" class="{kind}"/>'


def arrow_down(x, y, to):
    return (f'<path d="M{x} {y} V{to - 5}" class="line"/>'
            f'<path d="M{x - 4} {to - 7} h8 l-4 7 z" class="head"/>')


def stage(number, name, does, hands_on):
    y = TOP + number * ROW
    middle = y + BOX_HEIGHT / 2 + 5
    center = BOX_X + BOX_WIDTH / 2
    parts = [box(BOX_X, y, BOX_WIDTH, BOX_HEIGHT), text(center, middle, name, "name", "middle"),
             text(BOX_X + BOX_WIDTH + 16, middle, does), text(TYPE_X, middle, hands_on, "soft")]
    if number + 1 < len(STAGES):
        parts.append(arrow_down(center, y + BOX_HEIGHT, y + ROW))
    return parts


def front_ends(y):
    width = 249
    parts = [text(BOX_X, y - 12, "Front ends call the stages and are called by none", "soft")]
    for number, (name, what) in enumerate(FRONT_ENDS):
        x = BOX_X + number * (width + 14)
        parts += [box(x, y, width, BOX_HEIGHT, "core"), text(x + 12, y + 22, f"{name}/", "name"),
                  text(x + width - 10, y + 22, what, "soft", "end")]
    return parts


def picture():
    end = TOP + len(STAGES) * ROW
    height = end + 84
    core_height = end - TOP - (ROW - BOX_HEIGHT)
    core_middle = TOP + core_height / 2
    core_center = CORE_X + CORE_WIDTH / 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13">',
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" class="paper"/>',
        text(CORE_X, 32, "The data's walk: a stage uses the stages above it, never one below", "name"),
        text(BOX_X, 66, "src/", "soft"), text(BOX_X + BOX_WIDTH + 16, 66, "what it does", "soft"),
        text(TYPE_X, 66, "what it hands on", "soft"),
        box(CORE_X, TOP, CORE_WIDTH, core_height, "core"),
        text(core_center, core_middle, "core: threads, random numbers, SIMD, errors", "text", "middle",
             f' dominant-baseline="central" transform="rotate(-90 {core_center} {core_middle})"'),
    ]
    for number, parts in enumerate(STAGES):
        lines += stage(number, *parts)
    lines += front_ends(end + 30)
    return "\n".join([*lines, "</svg>"])


if __name__ == "__main__":
    print(picture())
