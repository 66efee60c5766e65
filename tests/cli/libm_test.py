"""What the library calls of libm. glibc picks another exp, log or pow where the processor has FMA, and their last bits differ
between versions: they would show in what the program writes."""
import os
import re
import shutil
import subprocess

import pytest

DIFFER = {"exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "pow", "sin", "cos", "tan", "sincos", "asin", "acos",
          "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "lgamma", "lgamma_r", "tgamma",
          "cbrt", "hypot"}


def undefined(library):
    """The symbols that each object of a library takes from elsewhere."""
    text = subprocess.run(["nm", "--undefined-only", library], capture_output=True, check=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        if line.endswith(".o:"):
            current = found.setdefault(line[:-1], set())
        elif match := re.match(r"\s+U (\w+)$", line):
            current.add(match[1])
    return found


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_library_calls_nothing_that_differs_between_processors(program):
    library = os.path.join(os.path.dirname(program), "libnoiseplus.a")
    if not os.path.exists(library):
        pytest.skip("the library is not beside the program")
    objects = undefined(library)
    assert len(objects) > 20
    assert any("sqrt" in symbols or "memcpy" in symbols for symbols in objects.values())
    for name, symbols in objects.items():
        called = {symbol.removesuffix("f").removesuffix("l") for symbol in symbols} | symbols
        assert not called & DIFFER, name
