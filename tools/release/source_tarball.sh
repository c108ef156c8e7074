#!/usr/bin/env bash
# Writes FOLDER/glassworks-VERSION.tar.gz: the sources of the commit that is checked out, and the file COMMIT with its name, which a
# build records in place of git's. Checks that they can be configured and know their commit.
# Usage: tools/release/source_tarball.sh FOLDER
set -euo pipefail
[[ $# -eq 1 ]] || { echo "Usage: tools/release/source_tarball.sh FOLDER" >&2; exit 2; }
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
folder="$(cd -- "$1" && pwd)"
version="$(sed -nE 's/^project\(glassworks VERSION ([0-9.]+) .*/\1/p' "$root/CMakeLists.txt")"
commit="$(git -C "$root" describe --always --tags)"
name="glassworks-$version"
git -C "$root" archive --format=tar --prefix="$name/" --add-virtual-file="$name/COMMIT:$commit" HEAD | gzip -9n >"$folder/$name.tar.gz"
scratch="$(mktemp -d)"
trap 'rm -rf -- "$scratch"' EXIT
tar -xzf "$folder/$name.tar.gz" -C "$scratch"
cmake -S "$scratch/$name" -B "$scratch/build" -G Ninja -DGLASSWORKS_TESTS=OFF -DGLASSWORKS_CUDA=OFF >"$scratch/log" 2>&1 || {
  tail -n 20 "$scratch/log" >&2
  echo "The sources of $name.tar.gz cannot be configured (the messages are above)." >&2
  exit 1
}
grep -qF "kCommit = \"$commit\"" "$scratch/build/generated/glassworks/version.hpp" || {
  echo "The sources of $name.tar.gz do not know their commit." >&2
  exit 1
}
echo "$folder/$name.tar.gz"
