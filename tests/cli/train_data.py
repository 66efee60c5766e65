"""Labels that are wrong at known rates, for the tests of train and evaluate."""
import random

LOSSES = ["ce", "backward", "forward", "peer", "group-peer", "co-teaching"]
TRAIN = ["train", "t.csv", "--label", "y", "--drop", "clean,w", "--output", "m"]
RATES = {"yes": 0.25, "no": 0.1}


def noisy_rows(rows=300, seed=3):
    """Two classes that a line nearly separates, in two groups; y is noisy, clean is not."""
    draw = random.Random(seed)
    for _ in range(rows):
        clean = "yes" if draw.random() < 0.4 else "no"
        x = draw.gauss(2 if clean == "yes" else -2, 1)
        noisy = {"yes": "no", "no": "yes"}[clean] if draw.random() < RATES[clean] else clean
        yield [f"{x:.4f}", f"{draw.gauss(0, 1):.4f}", draw.choice(["red", "blue"]), draw.choice("ab"),
               f"{draw.random() + .5:.3f}", noisy, clean]


def table(rows, header="x,z,color,g,w,y,clean", delimiter=","):
    return "\n".join([header.replace(",", delimiter), *(delimiter.join(row) for row in rows)]) + "\n"
