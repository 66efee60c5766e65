"""What the site makes of the Markdown before it reads it.

The sidebar and the end of the home page are the lists of docs/index.md, which is the map of the pages on a git host: each
of its headings with a list of links becomes a part of the sidebar. Links that show a file's name show the page's title.
"""
import posixpath
import re

LINK = re.compile(r"\[(?P<title>[^]]+)\]\((?P<target>[^)]+)\)")
FILE_NAME = re.compile(r"\[[\w./-]+\.md\]\(([\w./-]+\.md(?:#[\w-]+)?)\)")
TOCTREE = "\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n"


def parts_of(text):
    """Pairs of a heading and its list."""
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        yield heading, body


def from_the_top(target):
    return posixpath.normpath(posixpath.join("docs", target))


def entries_of(body):
    """The pages of a list; a link that is not the first of its line is only mentioned."""
    for line in body.splitlines():
        link = LINK.match(line.removeprefix("- ")) if line.startswith("- ") else None
        if link and from_the_top(link["target"]) != "README.md":
            yield f"{link['title']} <{from_the_top(link['target']).rpartition('.')[0]}>"


def prepare(app, docname, source):
    source[0] = FILE_NAME.sub(r"[](\1)", source[0])
    if docname == app.config.root_doc:
        source[0] = source[0].replace("(docs/index.md)", "(#pages)")
        add_map(app, source)


def add_map(app, source):
    text = app.config.contents_page.read_text(encoding="utf-8")
    source[0] += "\n## Pages\n\n"
    for heading, body in parts_of(text):
        links = LINK.sub(lambda link: f"[{link['title']}]({from_the_top(link['target'])})", body)
        source[0] += f"**{heading}**\n{links}" + TOCTREE.format(caption=heading, entries="\n".join(entries_of(body)))


def setup(app):
    app.add_config_value("contents_page", None, "env")
    app.connect("source-read", prepare)
    return {"parallel_read_safe": True}
