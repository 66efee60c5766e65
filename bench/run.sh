#!/bin/sh
# Every benchmark, rivals included. Timings are noisy: what counts is the ratio within one run.
#   bench/run.sh BUILD_FOLDER
set -eu
build=$1
here=$(dirname "$0")
/usr/bin/python3 "$here/csv_reading.py" "$build"
if [ -x "$build/neighbours-bench" ]; then "$build/neighbours-bench"; fi
