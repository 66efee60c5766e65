"""scripts/compare_outputs.py on the program and on stand-ins that alter what it writes."""
import importlib.util
import pathlib
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/compare_outputs.py"
ONE_OF_EACH = ["audit-moments", "corrupt", "predict-linear", "evaluate-linear"]

ALTERED = """#!{python}
import json, pathlib, subprocess, sys
code = subprocess.run([{program!r}, *sys.argv[1:]], check=False).returncode
file = pathlib.Path({file!r})
if file.is_file():
    content = file.read_bytes()
    if file.suffix == ".json":
        result = json.loads(content)
        {change}
        content = json.dumps(result).encode()
    else:
        {change}
    file.write_bytes(content)
sys.exit(code)
"""


@pytest.fixture
def compared(program, tmp_path):
    """The output of a comparison of the program with one whose FILE is changed by these words, and the exit code."""
    def call(file="", change="pass"):
        altered = tmp_path / "altered"
        altered.write_text(ALTERED.format(python=sys.executable, program=str(pathlib.Path(program).resolve()), file=file,
                                          change=change))
        altered.chmod(0o755)
        done = subprocess.run([sys.executable, str(SCRIPT), program, str(altered), "--only",
                               *([pathlib.Path(file).stem] if file else ONE_OF_EACH)],
                              capture_output=True, text=True, check=False, timeout=300)
        return done.stdout + done.stderr, done.returncode
    return call


def test_a_program_is_the_same_as_itself(compared):
    output, code = compared()
    assert code == 0, output
    assert output.startswith("8 files with ") and output.endswith("the same numbers and labels\n")


@pytest.mark.parametrize("file, change, place", [
    ("audit-moments.json", "result['noise'][0]['rate'] *= 1 + 1e-15", "audit-moments.json: .noise[].rate"),
    ("audit-moments.json", "result['classes'][0] = 'maybe'", "audit-moments.json: .classes[]"),
    ("audit-moments.json", "del result['gap']", "audit-moments.json: .gap is gone"),
    ("audit-moments.csv", "content = content.replace(b'yes', b'no', 1)", "audit-moments.csv: line "),
    ("corrupt.txt", "content += b'\\n'", "corrupt.txt: "),
    ("train-linear.model", "content = content[:-5] + b'!' + content[-4:]", "train-linear.model: the weights differ"),
    ("evaluate-linear.json", "result['confusion'][0][0] += 1", "evaluate-linear.json: .confusion[][]"),
])
def test_one_other_number_or_label_is_a_difference(compared, file, change, place):
    output, code = compared(file, change)
    assert code == 1 and f"DIFFERENT  {place}" in output, output


def test_new_keys_other_texts_and_times_are_no_differences(compared):
    output, code = compared("audit-moments.json", "result.update(novelty=[1], condition='Another.', seconds=5)")
    assert code == 0, output
    assert "new key    .novelty" in output and "new text   .condition" in output and '-> "Another."' in output


def test_an_output_that_is_not_written_is_a_difference(compared):
    output, code = compared("audit-moments.csv", "file.unlink(); sys.exit(code)")
    assert code == 1 and "audit-moments.csv: only the old program wrote it" in output


def test_a_program_that_is_none_is_refused(program, tmp_path):
    done = subprocess.run([sys.executable, str(SCRIPT), program, str(tmp_path / "none")], capture_output=True, text=True,
                          check=False, timeout=60)
    assert done.returncode == 2 and "are not both programs" in done.stderr


def test_every_command_of_the_program_that_computes_is_compared():
    spec = importlib.util.spec_from_file_location("compare_outputs", SCRIPT)
    compare_outputs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compare_outputs)
    assert {words[0] for words in compare_outputs.COMMANDS.values()} == {
        "audit", "balance", "corrupt", "train", "predict", "evaluate"}
