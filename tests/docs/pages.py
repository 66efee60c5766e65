"""The pages of the documentation, and what is on them: blocks of code, code in the text, headings and links."""
import pathlib
import re
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md",
         *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md")))]

FENCE = re.compile(r"```(?P<language>[\w-]*)\s*")
CODE = re.compile(r"(?<!`)`(?P<code>[^`]+)`(?!`)")
LINK = re.compile(r"\[(?P<text>(?:[^][]|\[[^]]*\])*)\]\((?P<target>[^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """Code that stands by itself. An indented block has no language; `shows` says that only blank lines are between it and
    the block before."""
    page: str
    line: int
    language: str
    text: str
    shows: bool = False

    def __str__(self):
        return f"{self.page}:{self.line}"


class Page:
    def __init__(self, name):
        self.name = name
        self.blocks = []
        self.prose = []  # pairs of a line's number and its text, blocks left out
        lines = (ROOT / name).read_text(encoding="utf-8").split("\n")
        at = 0
        while at < len(lines):
            at = self._fenced(lines, at) or self._indented(lines, at) or self._text(lines, at)

    def _fenced(self, lines, at):
        fence = FENCE.fullmatch(lines[at])
        if not fence:
            return None
        end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith("```")), None)
        assert end is not None, f"{self.name}:{at + 1}: a block that does not end"
        self._add(at, fence["language"] or "unnamed", lines[at + 1:end])
        return end + 1

    def _indented(self, lines, at):
        if not lines[at].startswith("    ") or (at > 0 and lines[at - 1].strip()) or self._in_a_list():
            return None
        end = at
        while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
            end += 1
        while not lines[end - 1].strip():
            end -= 1
        self._add(at, "", [line[4:] for line in lines[at:end]])
        return end

    def _text(self, lines, at):
        self.prose.append((at + 1, lines[at]))
        return at + 1

    def _in_a_list(self):
        above = next((text for _, text in reversed(self.prose) if text.strip()), "")
        return bool(re.match(r"(  +\S|[-*] |\d+\. )", above))

    def _add(self, at, language, lines):
        shows = bool(self.blocks) and not any(text.strip() for number, text in self.prose
                                              if number > self.blocks[-1].line)
        self.blocks.append(Block(self.name, at + 1, language, "\n".join(lines) + "\n", shows))

    def code_in_text(self):
        """Pairs of a line's number and a piece of code; a piece may be broken over two lines."""
        for line, paragraph in self._paragraphs():
            for found in CODE.finditer(paragraph):
                at = line + paragraph.count("\n", 0, found.start())
                yield at, found["code"].replace("\n", " ").replace(r"\|", "|")

    def links(self):
        for line, paragraph in self._paragraphs():
            text = CODE.sub(lambda code: " " * len(code[0]), paragraph)
            for found in LINK.finditer(text):
                yield line + text.count("\n", 0, found.start()), found["target"]

    def _paragraphs(self):
        lines = []
        for number, text in [*self.prose, (0, "")]:
            if text.strip() and (not lines or number == lines[-1][0] + 1):
                lines.append((number, text))
                continue
            if lines:
                yield lines[0][0], "\n".join(line for _, line in lines)
            lines = [(number, text)] if text.strip() else []

    def anchors(self):
        """What can stand behind # in a link, made of the headings as git hosts do."""
        found = []
        for _, text in self.prose:
            heading = re.match(r"#+ (.+)", text)
            if heading:
                plain = re.sub(r"[^\w\- ]", "", LINK.sub(lambda link: link["text"], heading[1]).lower())
                slug = plain.replace(" ", "-")
                found.append(slug if slug not in found else f"{slug}-{found.count(slug)}")
        return found


def all_pages():
    return [Page(name) for name in PAGES]
