"""What the site is made with, as far as it can be tried without Sphinx: `make docs` tries the rest."""
import re
import sys

import pytest
from pages import ROOT

sys.path.insert(0, str(ROOT / "docs" / "site"))
import contents  # noqa: E402
import doxygen_filter  # noqa: E402

HEADER = '''// About all of it.
#pragma once

namespace noiseplus {

// ------------------------------------------------------------------------ part

// Says a < b. With `name`:
//   x = --y
// and no more.
struct Thing {
  int one = 1;   // the first,
                 // still
  // Before.
  Other two = {.three = 3};
  Thing(int x)  // NOLINT: on purpose
      : one(x) {}
  std::string url = "http://x";
};

}  // namespace noiseplus
'''
FILTERED = '''/** @file
 About all of it.
*/
#pragma once




/**
 Says a \\< b. With <tt>name</tt>:
@verbatim
   x = --y
@endverbatim
 and no more.
*/
struct Thing {
  int one = 1;   ///< the first,
                 ///< still
/**
 Before.
*/
  Other two;
  Thing(int x)
      : one(x) {}
  std::string url = "http://x";
};
'''


def test_comments_become_doxygens():
    found = "\n".join(doxygen_filter.filtered(HEADER.split("\n")))
    assert [line.rstrip() for line in found.split("\n") if line.strip()] == [
        line for line in FILTERED.split("\n") if line.strip()]


@pytest.mark.parametrize("header", sorted((ROOT / "include" / "noiseplus").glob("*.h")), ids=lambda path: path.name)
def test_no_comment_is_lost(header):
    lines = header.read_text(encoding="utf-8").split("\n")
    found = " ".join("\n".join(doxygen_filter.filtered(lines)).split()).replace("\\", "")
    for line in lines:
        comment = re.fullmatch(r"\s*// ?(.*)", line)
        if comment and not doxygen_filter.BANNER.fullmatch(comment[1]):
            words = re.sub(r"`([^`]+)`", r"<tt>\1</tt>", " ".join(comment[1].split()))
            assert words in found or " ".join(comment[1].split()) in found, line


def test_the_sidebar_has_every_page_of_the_map():
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    entries = [entry for _, body in contents.parts_of(text) for entry in contents.entries_of(body)]
    assert "Tutorial <docs/tutorial>" in entries and "Changelog <CHANGELOG>" in entries
    assert len(entries) == len(re.findall(r"^- \[", text, re.MULTILINE)) - 1  # all but the home page
