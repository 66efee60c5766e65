#!/bin/sh
# The source distribution, and from it a wheel that brings the libraries it needs:
#   scripts/wheel.sh VENV FOLDER [PREFIX]
# VENV is a virtual environment with what scripts/pins/peers.txt lists; FOLDER gets both files. With
# PREFIX the wheel takes the library that is installed there, and only the module is compiled.
set -eu

case $# in
  2 | 3) ;;
  *) echo "wheel.sh: say VENV FOLDER [PREFIX]" >&2; exit 2 ;;
esac
venv=$1
folder=$2
shift 2
if [ $# = 1 ]; then
  config=$(find "$1" -name noiseplus-config.cmake)
  set -- -Ccmake.define.NOISEPLUS_INSTALLED=ON "-Ccmake.define.noiseplus_DIR=${config%/*}"
fi

rm -rf "$folder"
log=$folder.log
"$venv/bin/python" -m build --no-isolation --outdir "$folder" "$@" . >"$log" 2>&1 || {
  tail -n 30 "$log" >&2
  echo "wheel.sh: cannot build; all of it is in $log" >&2
  exit 1
}
mkdir "$folder/bare"
mv "$folder"/*.whl "$folder/bare"
PATH="$(cd "$venv/bin" && pwd):$PATH" "$venv/bin/auditwheel" repair --wheel-dir "$folder" "$folder"/bare/*.whl \
  >>"$log" 2>&1 || {
  tail -n 30 "$log" >&2
  echo "wheel.sh: cannot add the libraries; all of it is in $log" >&2
  exit 1
}
rm -r "$folder/bare"
ls "$folder"
