"""The Python code of every page runs, and prints what the page says it prints.

A page's ```python blocks share one namespace and run in order. A ```text block right after one is what it prints. A block
that begins with "# needs: a, b" is left out where one of these is not installed.
"""

import contextlib
import importlib.util
import io
import logging
import pathlib
import re

import numpy as np
import pytest

from noiseplus import corrupt_labels

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [name for name in ("README.md", *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md"))))
         if "```python" in (ROOT / name).read_text(encoding="utf-8")]
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:```text\n(?P<printed>.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks_of(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("code"))
        yield pytest.param(page, line, match["code"], match["printed"], id=f"{page}:{line + 1}")


def readers_data():
    """README speaks of a table, arrays and a classifier that its reader has."""
    pandas = pytest.importorskip("pandas")
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 2000)
    X = (draw.normal(size=(2000, 4)) + 3 * y[:, None]).astype("float32")
    sex = draw.choice(["f", "m"], 2000)
    frame = pandas.DataFrame(X, columns=["age", "hours", "gain", "loss"])
    frame["income"] = corrupt_labels(y, rates={1: 0.3}, seed=0)
    frame["sex"] = sex
    classifier = pytest.importorskip("sklearn.linear_model").LogisticRegression()
    return {"frame": frame, "X": X, "y": frame["income"].to_numpy(), "sex": sex, "your_classifier": classifier}


@pytest.fixture(scope="module")
def namespaces():
    logger = logging.getLogger("noiseplus")
    level = logger.level
    yield {page: {"__name__": page, **(readers_data() if page == "README.md" else {})} for page in PAGES}
    logger.setLevel(level)  # a page shows how to silence it


def skip_what_lacks(code):
    needs = re.match(r"# needs: (.+)\n", code)
    for module in needs[1].split(", ") if needs else ():
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")


@pytest.mark.parametrize("page, line, code, printed", [block for page in PAGES for block in blocks_of(page)])
def test_block(namespaces, tmp_path, monkeypatch, page, line, code, printed):
    skip_what_lacks(code)
    monkeypatch.chdir(tmp_path)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        # As many lines before it as on the page, so that a traceback points there.
        exec(compile("\n" * line + code, str(ROOT / page), "exec"), namespaces[page])
    assert shown.getvalue() == (printed or "")


def test_no_block_is_overlooked():
    assert {"README.md", "docs/python.md", "docs/migration.md"} <= set(PAGES)
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        assert text.count("```python") == len(BLOCK.findall(text)) > 0, page
