#!/bin/sh
# Unpacks the arm64 packages that the program is linked with into a folder, for cmake/aarch64.cmake.
#   scripts/neon_sysroot.sh FOLDER
# apt works in the folder, as for another machine: nothing is installed, and root is not needed.
set -eu

folder=$1
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/debs" "$folder/tree"
folder=$(cd "$folder" && pwd)
[ -e "$folder/complete" ] && exit 0

in_folder() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$folder/apt" \
    -o Dir::State::status=/dev/null -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User=root "$@"
}

in_folder update
cd "$folder/debs"
in_folder download libeigen3-dev libcli11-dev nlohmann-json3-dev libhwy-dev libhwy1 libfmt-dev libfmt9 \
  zlib1g-dev zlib1g libzip-dev libzip4 libbz2-1.0 libssl3
for package in *.deb; do dpkg-deb -x "$package" "$folder/tree"; done
touch "$folder/complete"
