"""Debian's furo, completed. Its files are upstream's sources, not upstream's bundles, and so it lacks three things: a style
sheet that it looks for on a web server, the rule for systems that are dark, and a script that is not a module (browsers
do not load modules from disk). All of these are made from what Debian has.
"""
import pathlib
import re

NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")
IMPORT = "@import url(/javascript/normalize.css/normalize.css);"
DARK = re.compile(r'  body\[data-theme="dark"\] \{\n.*?display: block !important; \}', re.DOTALL)


def with_dark_systems(style):
    rule = DARK.search(style)[0]
    automatic = rule.replace('body[data-theme="dark"]', 'body:not([data-theme="light"])')
    return style.replace(rule, f"{rule}\n  @media (prefers-color-scheme: dark) {{\n{automatic}\n  }}")


def bundled(scripts):
    spy = (scripts / "gumshoe-patched.js").read_text(encoding="utf-8")
    furo = (scripts / "furo.js").read_text(encoding="utf-8")
    return spy + "\n" + furo.replace('import Gumshoe from "./gumshoe-patched.js";\n', "")


def complete(app, exception):
    if exception or app.builder.format != "html":
        return
    static = pathlib.Path(app.outdir, "_static")
    style = static / "styles" / "furo.css"
    text = style.read_text(encoding="utf-8")
    if IMPORT in text:
        text = text.replace(IMPORT, NORMALIZE.read_text(encoding="utf-8"))
        style.write_text(with_dark_systems(text), encoding="utf-8")
    script = static / "scripts" / "furo.js"
    if script.read_text(encoding="utf-8").startswith("import "):
        script.write_text(bundled(static / "scripts"), encoding="utf-8")


def setup(app):
    app.connect("build-finished", complete, priority=400)  # before the check that nothing is fetched
    return {"parallel_read_safe": True}
