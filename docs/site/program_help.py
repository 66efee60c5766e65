"""The directive `program-help`: a section for each command of the program, with what it prints for --help."""
import re
import subprocess

from docutils import nodes
from sphinx.util.docutils import SphinxDirective


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(text):
    """Names under "Commands:", in order."""
    listed = text.partition("Commands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([a-z][a-z-]*) ", listed, re.MULTILINE)


def shown(text):
    return nodes.literal_block(text, text, classes=["program-help"])


class ProgramHelp(SphinxDirective):
    def run(self):
        overview = help_of(self.config.program)
        commands = commands_of(overview)
        if not commands:
            raise self.error(f"{self.config.program} --help names no command")
        self.env.note_dependency(str(self.config.program))
        return [shown(overview), *(self.section(name) for name in commands)]

    def section(self, command):
        text = help_of(self.config.program, command)
        section = nodes.section(ids=[command], names=[command])
        section += nodes.title("", "", nodes.literal("", f"noiseplus {command}"))
        section += shown(text)
        self.state.document.note_explicit_target(section, section)
        return section


def setup(app):
    app.add_config_value("program", None, "env")
    app.add_directive("program-help", ProgramHelp)
    return {"parallel_read_safe": True}
