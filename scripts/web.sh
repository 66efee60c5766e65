#!/bin/sh
# The packages of npm that make and test the report page, as web/package-lock.json has them.
#   scripts/web.sh
# Exit code 3, and one line, when the package registry cannot be reached.
set -u

cd "$(dirname "$0")/../web" || exit 1

# None of them needs to run a script of its own.
log=$(npm ci --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-timeout=20000 2>&1) && exit 0

if npm view esbuild version --fetch-retries=1 --fetch-timeout=20000 >/dev/null 2>&1; then
  echo "web.sh: npm ci failed: $(printf '%s\n' "$log" | grep -i error | head -n 1)" >&2
  exit 1
fi
echo "web.sh: the package registry cannot be reached" >&2
exit 3
