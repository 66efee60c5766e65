"""The code in the pages for users of Python runs, and prints what the page says it prints.

A page's ```python blocks share one namespace and run in order. A ```text block right after one is what it prints. A block
that begins with "# needs: a, b" is left out where one of these is not installed.
"""

import contextlib
import importlib.util
import io
import logging
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGES = ("python.md", "migration.md")
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:```text\n(?P<printed>.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks_of(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("code"))
        yield pytest.param(page, line, match["code"], match["printed"], id=f"{page}:{line + 1}")


@pytest.fixture(scope="module")
def namespaces():
    logger = logging.getLogger("noiseplus")
    level = logger.level
    yield {page: {"__name__": page} for page in PAGES}
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
        exec(compile("\n" * line + code, str(DOCS / page), "exec"), namespaces[page])
    assert shown.getvalue() == (printed or "")


@pytest.mark.parametrize("page", PAGES)
def test_no_block_is_overlooked(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    assert text.count("```python") == len(BLOCK.findall(text)) > 0
    assert text.count("```") == 2 * (text.count("```python") + text.count("```text"))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)", (DOCS / page).read_text(encoding="utf-8")):
        assert target.startswith("https://") or (DOCS / target).exists(), target
