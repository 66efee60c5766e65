"""The documentation site: `make docs` runs Sphinx with this, from the top of the tree, into build/site.

The Markdown is taken where it lies, README.md first, so that a link between two files is the same on a git host and on
the site. What is particular to us is in docs/site.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "docs" / "site"), str(ROOT / "build" / "python")]

project = "noiseplus"
copyright = "the noiseplus authors, MIT license"
version = release = re.search(r"project\(noiseplus\s+VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "breathe", "contents", "docstrings", "program_help",
              "debian_furo", "self_contained"]
root_doc = "README"
include_patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "bench/README.md", "docs/*.md", "docs/api/*.rst"]
# The map of the pages: its lists are the sidebar, and the last part of the home page.
exclude_patterns = ["build*", "docs/index.md"]
contents_page = ROOT / "docs" / "index.md"
highlight_language = "none"

myst_heading_anchors = 3

program = ROOT / "build" / "noiseplus"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "inherited-members": True}
default_role = "code"
breathe_projects = {"noiseplus": str(ROOT / "build" / "doxygen" / "xml")}
breathe_default_project = "noiseplus"
breathe_default_members = ("members",)

html_theme = "furo"
html_title = "noiseplus"
html_static_path = ["site/static"]
html_css_files = ["noiseplus.css"]
html_additional_pages = {"index": "home.html"}
templates_path = ["site/templates"]
html_copy_source = False
html_show_sphinx = False
html_use_index = True
