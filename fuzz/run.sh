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

fuzz() {
  target=$(basename "$1")
  log=$found/$target.log
  mkdir "$found/$target"
  if "$build/$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -print_funcs=0 \
      -print_final_stats=1 -artifact_prefix="$build/$target-" "$found/$target" "$1" \
      >"$log" 2>&1; then
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, none failed"
  else
    tail -n 60 "$log" >&2
    echo "$target" >>"$found/failed"
  fi
}

# As many at a time as there are processors: each takes as long as the others.
running=0
for seed in "$seeds"/*; do
  fuzz "$seed" &
  running=$((running + 1))
  if [ "$running" -ge "$(nproc)" ]; then
    wait
    running=0
  fi
done
wait
failed=$(cat "$found/failed" 2>/dev/null || true)
if [ -n "$failed" ]; then
  echo "failed: $failed" >&2
  exit 1
fi
