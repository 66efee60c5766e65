#!/bin/sh
# Installs the Debian packages a target needs, and only those that are missing.
#   scripts/packages.sh program|build|demo|test|docs|ci|ccache|bench|data|peers|neon|torch|web ...
# Needs root only when something is missing; without root it says what to install, and stops.
set -eu

packages_for() {
  case "$1" in
    program) echo g++ cmake make ninja-build pkg-config python3 libeigen3-dev libhwy-dev libcli11-dev \
                nlohmann-json3-dev libfmt-dev zlib1g-dev libzip-dev ;;
    build) packages_for program
           echo pybind11-dev python3-dev ;;
    demo)  echo dataset-fashion-mnist ;;
    test)  echo libgtest-dev python3 python3-pytest python3-jsonschema python3-numpy \
                python3-sklearn python3-pandas python3-tqdm libomp5-14 zsh fish mandoc ;;
    docs)  echo doxygen python3-sphinx python3-myst-parser python3-breathe furo python3-numpy python3-sklearn ;;
    ci)    echo git libbenchmark-dev clang clang-format clang-tidy libclang-rt-14-dev shellcheck ;;
    ccache) echo ccache ;;
    bench) echo libbenchmark-dev python3 python3-venv python3-pandas python3-numpy libfaiss-dev libopenblas-openmp-dev ;;
    data)  echo python3 python3-pytest python3-numpy python3-scipy python3-sklearn python3-pandas ;;
    peers) echo python3 python3-venv ;;
    neon)  echo g++-aarch64-linux-gnu qemu-user ;;
    torch) echo python3 python3-pytest python3-torch ;;
    # Node.js and npm may be there without being Debian's.
    web)   echo chromium python3
           command -v node >/dev/null 2>&1 || echo nodejs
           command -v npm >/dev/null 2>&1 || echo npm ;;
    *)     echo "packages.sh: no list called $1; there are program, build, demo, test, docs, ci, ccache, bench, data, peers, neon, torch and web" >&2; exit 2 ;;
  esac
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

command -v dpkg-query >/dev/null 2>&1 || {
  echo "packages.sh: this is not Debian; install by hand what docs/dependencies.md lists" >&2
  exit 0
}

missing=
optional=
for list in "$@"; do
  packages=$(packages_for "$list")
  for package in $packages; do
    is_installed "$package" && continue
    # The demo has data of its own where this package cannot be had.
    if [ "$list" = demo ]; then optional="$optional $package"; else missing="$missing $package"; fi
  done
done
[ -n "$missing$optional" ] || exit 0

if [ "$(id -u)" != 0 ]; then
  echo "packages.sh: missing packages; as root run:  apt-get install$missing$optional" >&2
  [ -z "$missing" ] && exit 0
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
echo "installing:$missing$optional"
apt-get update -qq || [ -z "$missing" ]
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086  # a list of words
  apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
if [ -n "$optional" ]; then
  # shellcheck disable=SC2086
  apt-get install -y -qq --no-install-recommends $optional >/dev/null 2>&1 ||
    echo "packages.sh: cannot install$optional; going on without" >&2
fi
