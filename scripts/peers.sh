#!/bin/sh
# A virtual environment with packages from PyPI, for comparing with them: made once, then reused.
#   scripts/peers.sh FOLDER PACKAGE ...
# Exit code 3, and one line, when the package index cannot be reached.
set -u

[ "$#" -ge 2 ] || { echo "peers.sh: say FOLDER PACKAGE ..." >&2; exit 2; }
folder=$1
shift
python="$folder/bin/python"

pip() { "$python" -m pip --disable-pip-version-check --quiet "$@"; }

# Without an index pip accepts only what is installed already.
pip install --no-index "$@" >/dev/null 2>&1 && exit 0

echo "peers.sh: installing $* into $folder" >&2
system_python=/usr/bin/python3
[ -x "$system_python" ] || system_python=python3
"$system_python" -m venv "$folder" >/dev/null 2>&1 || {
  echo "peers.sh: cannot make $folder; install python3-venv" >&2
  exit 1
}
log=$(pip --retries 1 --timeout 20 install "$@" 2>&1) && exit 0

if pip --retries 1 --timeout 20 index versions "${1%%[=<>~!]*}" >/dev/null 2>&1; then
  echo "peers.sh: cannot install $*: $(printf '%s\n' "$log" | grep -v '^$' | tail -n 1)" >&2
  exit 1
fi
echo "peers.sh: the package index cannot be reached" >&2
exit 3
