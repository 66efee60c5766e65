"""The site can be read without a network: a page that would fetch something from one is an error."""
import pathlib
import re

from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
FETCHED = re.compile(r"""<(?:script|img|iframe|source)\b[^>]*\ssrc\s*=\s*["'](?:https?:)?//"""
                     r"""|<link\b(?![^>]*\brel=["'](?:canonical|author|license))[^>]*\shref\s*=\s*["'](?:https?:)?//"""
                     r"""|url\(\s*["']?(?:https?:)?//|@import\s+["'](?:https?:)?//""")


def check(app, exception):
    if exception or app.builder.format != "html":
        return
    for path in sorted(pathlib.Path(app.outdir).rglob("*")):
        if path.suffix in (".html", ".css"):
            found = FETCHED.search(path.read_text(encoding="utf-8"))
            if found:
                LOGGER.warning("%s fetches from a network: %s", path, found[0])


def setup(app):
    app.connect("build-finished", check)
    return {"parallel_read_safe": True}
