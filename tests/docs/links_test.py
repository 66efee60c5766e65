"""Every link between pages leads somewhere, its anchor included, and every page is on the map."""
import re

import pytest
from pages import PAGES, ROOT, Page

MAP = "docs/index.md"


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    broken = []
    for line, target in Page(name).links():
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        if not file.is_file() or not file.resolve().is_relative_to(ROOT):
            broken.append(f"{name}:{line}: {target}: no such file")
        elif anchor and anchor not in Page(str(file.resolve().relative_to(ROOT))).anchors():
            broken.append(f"{name}:{line}: {target}: no such heading")
    assert not broken


def test_every_page_is_on_the_map():
    linked = {str(((ROOT / "docs") / target).resolve().relative_to(ROOT)) for _, target in Page(MAP).links()}
    assert set(PAGES) - {MAP} <= linked


@pytest.mark.parametrize("name", PAGES)
def test_files_named_in_the_text_exist(name):
    """`docs/x.md`, `tests/y.py` and the like, from the top of the tree."""
    missing = [f"{name}:{line}: {code}" for line, code in Page(name).code_in_text()
               if re.fullmatch(r"(docs|tests|src|include|examples|scripts|bench|fuzz|cmake|python|cli)/[\w./-]*\w", code)
               and not (ROOT / code).exists()]
    assert not missing
