"""Sections "Attributes" of docstrings as lists: one entry may name several, and their names end with an underscore, which
napoleon would strip.
"""
import re

SECTION = "Fitted attributes"
ENTRY = re.compile(r"(?P<names>\w+(?:, \w+)*)(?: : (?P<what>.*))?")


def as_list(lines):
    """Lines of the section, each entry made a term and its definition."""
    for line in lines:
        entry = ENTRY.fullmatch(line)
        if entry:
            yield ", ".join(f"``{name}``" for name in entry["names"].split(", "))
            if entry["what"]:
                yield "    " + entry["what"].replace("|", r"\|").rstrip(",.") + "."
        else:
            yield line


def list_attributes(app, what, name, obj, options, lines):
    if "Attributes" not in lines:
        return
    start = lines.index("Attributes")
    end = next((at - 1 for at in range(start + 2, len(lines)) if re.fullmatch("-{3,}", lines[at])), len(lines))
    lines[start:end] = [SECTION, "-" * len(SECTION), *as_list(lines[start + 2:end])]


def setup(app):
    app.config.napoleon_custom_sections = [SECTION]
    app.connect("autodoc-process-docstring", list_attributes, priority=400)  # before napoleon
    return {"parallel_read_safe": True}
