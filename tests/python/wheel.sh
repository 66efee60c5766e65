#!/bin/sh
# The wheel in BUILD/dist: alone with numpy, then among the pinned versions of PyPI.
#   tests/python/wheel.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
wheel=$(ls "$build"/dist/*.whl)

# The source distribution has every file the wheel is made of, and nothing of the rest.
tar -tzf "$build"/dist/noiseplus-*.tar.gz | sed 's,^[^/]*/,,' | grep -E '^(cmake|include|python|src)/.*[^/]$' |
  LC_ALL=C sort >"$build/sdist.txt"
git ls-files cmake include python src | LC_ALL=C sort | diff - "$build/sdist.txt"

# Who has only that configures it like this.
mkdir -p "$build/sdist"
tar -xzf "$build"/dist/noiseplus-*.tar.gz -C "$build/sdist" --strip-components 1
cmake -S "$build/sdist" -B "$build/sdist/build" -G Ninja -DNOISEPLUS_PROGRAMS=OFF -DNOISEPLUS_DEVELOPER=OFF >/dev/null
rm -r "$build/sdist"

# Each library that the wheel brings is in the notices, which it brings too.
/usr/bin/python3 tests/notices.py "$wheel"

# The wheel's own module is hardened like that of the build folder.
rm -rf "$build/wheel-files"
/usr/bin/python3 -m zipfile -e "$wheel" "$build/wheel-files"
NOISEPLUS=$build/noiseplus NOISEPLUS_WHEEL=$build/wheel-files PYTHONDONTWRITEBYTECODE=1 \
  /usr/bin/python3 -m pytest -q -p no:cacheprovider -k wheel-module tests/cli/shipped_test.py
rm -r "$build/wheel-files"

echo "== with numpy alone"
/usr/bin/python3 -m venv --clear "$build/numpy-venv"
pip() { "$build/numpy-venv/bin/python" -m pip --disable-pip-version-check "$@"; }
pip -q install --require-hashes --only-binary :all: -r scripts/pins/numpy.txt
# It needs nothing else: without an index nothing else could be added.
pip -q install --no-index "$wheel"
pip list
"$build/numpy-venv/bin/python" tests/python/numpy_only.py

echo "== with the pinned versions of PyPI"
venv=$build/peers-venv
"$venv/bin/python" -m pip --disable-pip-version-check -q install --force-reinstall --no-deps "$wheel"
"$venv/bin/python" -m pip --disable-pip-version-check list |
  grep -E '^(numpy|scikit-learn|pandas|polars|pyarrow|imbalanced-learn|noiseplus) '
# What the documentation's examples need is there, so that none is left out but PyTorch's.
"$venv/bin/python" -c 'import sklearn, pandas, lightgbm, xgboost'
NOISEPLUS=$build/noiseplus PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/python
"$venv/bin/python" -m mypy --cache-dir "$build/mypy"
"$venv/bin/python" -m mypy.stubtest noiseplus._core --allowlist tests/python/stubs_allowed.txt
