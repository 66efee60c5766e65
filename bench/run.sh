#!/bin/sh
# Every benchmark, rivals included. Timings are noisy: what counts is the ratio within one run.
#   bench/run.sh BUILD_FOLDER [quick]
# quick: small sizes, only to see that everything runs; its numbers mean nothing.
set -eu
build=$1
size=${2:-full}
here=$(dirname "$0")
# Debian's interpreter, because its packages serve no other.
python() { PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$@"; }

case $size in
  full)
    python "$here/csv_reading.py" "$build"
    python "$here/scaling.py" "$build"
    python "$here/neighbors/run.py" "$build"
    "$build/neighbors-bench" --benchmark_filter='threads:2|brute_force'
    python "$here/learning/run.py" "$build"
    "$build/learn-bench"
    python "$here/fair/run.py" "$build"
    python "$here/python/run.py" "$build" ;;
  quick)
    python "$here/csv_reading.py" "$build" 10
    python "$here/scaling.py" "$build" --quick
    python "$here/neighbors/run.py" "$build" --quick
    "$build/neighbors-bench" --benchmark_filter=108501x50/k2/search/.*threads:2
    python "$here/learning/run.py" "$build" --quick
    "$build/learn-bench" --benchmark_filter=objective
    python "$here/fair/run.py" "$build" --quick
    python "$here/python/run.py" "$build" --quick ;;
  *)
    echo "run.sh: the size is quick or nothing, not $size" >&2
    exit 2 ;;
esac
