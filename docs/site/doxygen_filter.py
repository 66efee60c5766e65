"""Doxygen's INPUT_FILTER. Our headers have // comments, which Doxygen does not read: this prints a header with them as
/** ... */ before, and as ///< behind what they are about. Everything is in one namespace, which is left out, since Sphinx
wants it declared on one page only; and so are defaults of the form {.name = value}, which Sphinx cannot read.
"""
import re
import sys

COMMENT = re.compile(r"(?P<indent>\s*)//(?P<space> *)(?P<text>.*)")
BEHIND_CODE = re.compile(r'(?P<code>(?:[^"/]|"[^"]*"|/(?!/))*\S\s*)// (?P<text>.*)')
BANNER = re.compile(r"-{20,}.*")
# Doxygen would take these for commands, tags, links or lists of its own.
SPECIAL = re.compile(r'[@\\<>&#%"]|::|--|^-(?=\s)')
NAMESPACE = re.compile(r"namespace noiseplus \{|\}  // namespace noiseplus")
NAMED_DEFAULTS = re.compile(r" = \{\..*\};")
NAME = re.compile(r"`([^`]+)`")


def plain(text):
    return NAME.sub(r"<tt>\1</tt>", SPECIAL.sub(lambda found: "\\" + found[0], text))


def block(comments, begin):
    """A run of comment lines. Those that are set off are formulas and lists, and keep their layout."""
    yield begin
    formula = False
    for comment in comments:
        if (len(comment["space"]) > 1) != formula:
            formula = not formula
            yield "@verbatim" if formula else "@endverbatim"
        yield comment["space"] + (comment["text"] if formula else plain(comment["text"]))
    if formula:
        yield "@endverbatim"
    yield "*/"


def filtered(lines):
    begin = "/** @file"  # the first is about all of it
    waiting = []  # comment lines that no code has followed yet
    column = None  # of the comment behind code in the line above
    for line in [*lines, ""]:
        line = "" if NAMESPACE.fullmatch(line) else NAMED_DEFAULTS.sub(";", line)
        comment, behind = COMMENT.fullmatch(line), BEHIND_CODE.fullmatch(line)
        if comment and column == len(comment["indent"]):
            yield f"{comment['indent']}///< {plain(comment['text'])}"
            continue
        column = len(behind["code"]) if behind and not comment else None
        if comment:
            waiting += [] if BANNER.fullmatch(comment["text"]) else [comment]
            continue
        if waiting:
            yield from block(waiting, begin)
            waiting, begin = [], "/**"
        if behind and not behind["text"].startswith("NOLINT"):
            yield f"{behind['code']}///< {plain(behind['text'])}"
        else:
            yield behind["code"] if behind else line


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        print(*filtered(header.read().split("\n")), sep="\n", end="")
