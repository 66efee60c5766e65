"""The README's picture: Table 1 of the paper, computed again.

    python3 docs/figures/accuracy.py FOLDER          # reads FOLDER/table1.json, writes docs/figures/accuracy.svg
"""
import json
import pathlib
import sys

from demo import Drawing, INK, MUTED

HERE = pathlib.Path(__file__).parent
SETS = {"adult": "Adult", "compas": "COMPAS", "fairface": "FairFace"}
# Okabe and Ito: safe for the colour-blind; each method has a shape of its own too.
CE, PAPER, OURS, CLEAN = "#6e7781", "#0072b2", "#d55e00", "#24292f"


def read(folder):
    """accuracy[dataset][setting][method]"""
    accuracy = {name: {} for name in SETS}
    for row in json.loads(pathlib.Path(folder, "table1.json").read_text())["rows"]:
        accuracy[row["dataset"]].setdefault(row["setting"], {})[row["method"]] = row["mean"]
    return accuracy


def marker(drawing, method, x, y):
    if method == "ce":
        drawing.circle(x, y, 4.2, "#ffffff", CE)
    elif method == "paper-ce":
        drawing.diamond(x, y, 5.4, PAPER)
    else:
        drawing.circle(x, y, 4.6, OURS)


def panel(drawing, left, top, width, title, settings):
    values = [value[m] for value in settings.values() for m in ("ce", "paper-ce", "balanced-ce", "clean-ce")]
    low, high = int(min(values)) - 1, int(max(values)) + 2
    step, row = 5 if high - low < 25 else 10, 24

    def x_of(value):
        return left + 62 + (value - low) / (high - low) * (width - 72)

    bottom = top + row * len(settings)
    drawing.text(left + 62, top - 34, title, weight="bold", size=15)
    drawing.text(left + 26, top - 12, "e− : e+", anchor="middle", colour=MUTED, size=11)
    for tick in range(-(-low // step) * step, high + 1, step):
        drawing.line(x_of(tick), top - 6, x_of(tick), bottom - 6, "#e3e6ea")
        drawing.text(x_of(tick), bottom + 12, f"{tick} %", anchor="middle", colour=MUTED, size=11)
    clean = [value["clean-ce"] for value in settings.values()]
    clean_x = x_of(sum(clean) / len(clean))
    drawing.line(clean_x, top - 6, clean_x, bottom - 6, CLEAN, 1.2)
    for index, (setting, value) in enumerate(settings.items()):
        y = top + index * row + 6
        drawing.text(left + 26, y + 4, setting.replace(":", " : "), anchor="middle", size=11)
        drawing.line(x_of(value["ce"]), y, x_of(value["balanced-ce"]), y, "#e8c3ad", 2.2)
        for method in ("ce", "paper-ce", "balanced-ce"):
            marker(drawing, method, x_of(value[method]), y)


def draw(accuracy, path):
    width, top, row = 960, 128, 24
    longest = max(map(len, accuracy.values()))
    drawing = Drawing(width, top + row * longest + 30)
    drawing.text(20, 28, "Accuracy on clean test rows of a linear model trained on noisy labels", weight="bold", size=16)
    x = 24
    for method, words, step in (("ce", "labels as given", 138), ("paper-ce", "balanced by the paper’s search", 244),
                                ("balanced-ce", "balanced by noiseplus", 180)):
        marker(drawing, method, x, 54)
        drawing.text(x + 11, 58.5, words, size=13)
        x += step
    drawing.line(x, 46, x, 62, CLEAN, 1.2)
    drawing.text(x + 8, 58.5, "trained on clean labels, which nobody has", size=13)
    for index, (name, title) in enumerate(SETS.items()):
        panel(drawing, 14 + index * 316, top, 310, title, accuracy[name])
    drawing.save(path)


if __name__ == "__main__":
    draw(read(sys.argv[1]), pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "accuracy.svg")
