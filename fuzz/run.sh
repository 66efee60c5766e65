#!/bin/sh
# Runs each fuzz target of BUILD_DIR for SECONDS, from the seeds in corpus/; fails if one fails.
# Inputs that fail are kept in BUILD_DIR, as fuzz_<reader>-crash-...
set -eu
if [ $# -ne 2 ]; then
  echo "usage: fuzz/run.sh SECONDS BUILD_DIR" >&2
  exit 2
fi
seconds=$1
build=$(cd "$2" && pwd)
seeds=$(cd "$(dirname "$0")" && pwd)/corpus
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

failed=
for seed in "$seeds"/*; do
  target=$(basename "$seed")
  log=$found/$target.log
  mkdir "$found/$target"
  if "$build/$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -print_funcs=0 \
      -print_final_stats=1 -artifact_prefix="$build/$target-" "$found/$target" "$seed" \
      >"$log" 2>&1; then
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, none failed"
  else
    tail -n 60 "$log" >&2
    failed="$failed $target"
  fi
done
if [ -n "$failed" ]; then
  echo "failed:$failed" >&2
  exit 1
fi
