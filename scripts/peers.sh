#!/bin/sh
# A virtual environment with packages from PyPI, for comparing with them: made once, then reused.
#   scripts/peers.sh FOLDER PINS
# PINS is a file of scripts/pins: each package with its version and the hashes of its files, so that what was tested is
# what is installed. Exit code 3, and one line, when the package index cannot be reached.
set -u

[ "$#" -eq 2 ] || { echo "peers.sh: say FOLDER PINS" >&2; exit 2; }
folder=$1
pins=$2
[ -r "$pins" ] || { echo "peers.sh: cannot read $pins" >&2; exit 2; }
python="$folder/bin/python"

pip() { "$python" -m pip --disable-pip-version-check --quiet "$@"; }

# Without an index pip accepts only what is installed already.
pip install --no-index --require-hashes -r "$pins" >/dev/null 2>&1 && exit 0

echo "peers.sh: installing $pins into $folder" >&2
system_python=/usr/bin/python3
[ -x "$system_python" ] || system_python=python3
"$system_python" -m venv "$folder" >/dev/null 2>&1 || {
  echo "peers.sh: cannot make $folder; install python3-venv" >&2
  exit 1
}
# Wheels only: nothing from elsewhere runs while it is installed.
log=$(pip --retries 1 --timeout 20 install --require-hashes --only-binary :all: -r "$pins" 2>&1) && exit 0

first=$(sed -n 's/^\([A-Za-z][A-Za-z0-9._-]*\)==.*/\1/p' "$pins" | head -n 1)
if pip --retries 1 --timeout 20 index versions "$first" >/dev/null 2>&1; then
  echo "peers.sh: cannot install $pins: $(printf '%s\n' "$log" | grep -v '^$' | tail -n 1)" >&2
  exit 1
fi
echo "peers.sh: the package index cannot be reached" >&2
exit 3
