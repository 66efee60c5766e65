"""The README's picture: `noiseplus demo` at eight noise settings, truth beside estimate.

    python3 docs/figures/demo.py build/noiseplus          # runs the demos, writes demo.json and demo.svg
    python3 docs/figures/demo.py                          # draws demo.svg again from demo.json
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SETTINGS = [(0, .1), (0, .2), (.1, .2), (.1, .3), (.2, .4), (.2, 0), (.3, .1), (.4, .2)]  # (no, yes)
NO, YES, INK, MUTED = "#0072b2", "#d55e00", "#24292f", "#6e7781"  # Okabe and Ito: safe for the colour-blind


def measure(program):
    results = []
    for no, yes in SETTINGS:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "demo", "--rate", f"no={no}", "--rate", f"yes={yes}", "--output", folder, "--quiet"],
                           check=True)
            result = json.loads(pathlib.Path(folder, "truth.json").read_text())
            audit = json.loads(pathlib.Path(folder, "audit.json").read_text())
        result["noise"] = [{key: round(rate[key], 4) for key in ("rate", "low", "high")} for rate in audit["noise"]]
        result["noisier"] = audit["noisier"]
        results.append(result)
        print(no, yes, result["accuracy"], flush=True)
    return results


class Drawing:
    def __init__(self, width, height):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                      f'height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="13">',
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>']

    def text(self, x, y, words, anchor="start", colour=INK, weight="normal", size=13):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
                          f'font-weight="{weight}" font-size="{size}">{words}</text>')

    def line(self, x1, y1, x2, y2, colour=INK, width=1.0):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                          f'stroke-width="{width}" stroke-linecap="round"/>')

    def circle(self, x, y, radius, fill, stroke=None):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{stroke or fill}" '
                          'stroke-width="1.6"/>')

    def diamond(self, x, y, radius, fill):
        points = f"{x},{y - radius} {x + radius},{y} {x},{y + radius} {x - radius},{y}"
        self.parts.append(f'<polygon points="{points}" fill="{fill}"/>')

    def save(self, path):
        path.write_text("\n".join(self.parts + ["</svg>"]) + "\n")


def draw(results):
    top, step = 110, 34
    bottom = top + step * (len(results) - 1) + 24
    picture = Drawing(920, bottom + 96)
    picture.text(24, 28, "What the audit finds without one true label, and what balancing gains", weight="bold", size=17)
    picture.text(24, 50, "Fashion-MNIST, worn on the upper body: yes or no; 60,000 images, eight settings of known noise",
                 colour=MUTED)

    def rate_x(value):
        return 170 + value * 700

    def accuracy_x(value):
        return 545 + (value - .88) * 3300

    for value in (0, .1, .2, .3, .4):
        picture.line(rate_x(value), top - 16, rate_x(value), bottom, "#d8dee4")
        picture.text(rate_x(value), bottom + 18, f"{value:.0%}", "middle", MUTED)
    for value in (.88, .90, .92, .94, .96, .98):
        picture.line(accuracy_x(value), top - 16, accuracy_x(value), bottom, "#d8dee4")
        picture.text(accuracy_x(value), bottom + 18, f"{value:.0%}", "middle", MUTED)
    picture.text(rate_x(.2), top - 26, "noise rate of the labels", "middle", weight="bold")
    picture.text(accuracy_x(.93), top - 26, "accuracy on clean test images", "middle", weight="bold")
    picture.text(24, top - 26, "true no / yes", weight="bold")

    for i, ((no, yes), result) in enumerate(zip(SETTINGS, results)):
        y = top + i * step
        picture.text(24, y + 5, f"{no:.0%} / {yes:.0%}")
        for truth, noise, colour, shift in zip(result["true"], result["noise"], (NO, YES), (-6, 6)):
            picture.circle(rate_x(truth), y + shift, 6, "#ffffff", colour)
            picture.line(rate_x(noise["low"]), y + shift, rate_x(noise["high"]), y + shift, colour, 2.5)
            picture.circle(rate_x(noise["rate"]), y + shift, 2.6, colour)
        after = sum(result["true_after"]) / 2
        picture.diamond(rate_x(after), y, 5, INK)
        accuracy = result["accuracy"]
        picture.line(accuracy_x(accuracy["noisy"]), y, accuracy_x(accuracy["balanced"]), y, "#afb8c1", 3)
        picture.circle(accuracy_x(accuracy["noisy"]), y, 5, "#ffffff", MUTED)
        picture.circle(accuracy_x(accuracy["balanced"]), y, 5, INK)
        picture.line(accuracy_x(accuracy["clean"]), y - 9, accuracy_x(accuracy["clean"]), y + 9, "#009e73", 3)

    y = bottom + 48
    for x, words, colour in ((24, "true rate of no", NO), (150, "true rate of yes", YES)):
        picture.circle(x + 6, y - 4, 6, "#ffffff", colour)
        picture.text(x + 18, y, words)
    picture.line(285, y - 4, 309, y - 4, INK, 2.5)
    picture.circle(297, y - 4, 2.6, INK)
    picture.text(316, y, "estimate, 95 % interval")
    picture.diamond(480, y - 4, 5, INK)
    picture.text(491, y, "both, after balancing")
    y += 26
    picture.circle(30, y - 4, 5, "#ffffff", MUTED)
    picture.text(42, y, "trained on noisy labels")
    picture.circle(206, y - 4, 5, INK)
    picture.text(218, y, "on balanced labels")
    picture.line(356, y - 12, 356, y + 4, "#009e73", 3)
    picture.text(364, y, "on clean labels (which nobody has)")
    picture.save(HERE / "demo.svg")


def main():
    if len(sys.argv) > 1:
        (HERE / "demo.json").write_text(json.dumps(measure(sys.argv[1]), indent=1) + "\n")
    draw(json.loads((HERE / "demo.json").read_text()))


if __name__ == "__main__":
    main()
