#!/usr/bin/env bash
# Builds a wheel that holds the portable executable and the Python package: after `pip install` there are the command
# `glassworks`, its manual pages and `import glassworks`. Needs Debian's python3-pip, python3-setuptools, python3-wheel and
# binutils; no network.
# Usage: tools/release/build_wheel.sh [--glassworks FILE] [--out DIR]
set -euo pipefail
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
glassworks="$root/build-portable/glassworks" out="$root/build-portable/packages"
while [[ $# -gt 0 ]]; do
  case "$1" in
    --glassworks) glassworks="$2" ;;
    --out) out="$2" ;;
    *)
      echo "Usage: tools/release/build_wheel.sh [--glassworks FILE] [--out DIR]" >&2
      exit 2
      ;;
  esac
  shift 2
done
die() {
  echo "$*" >&2
  exit 1
}
[[ -x $glassworks ]] || die "There is no $glassworks. Build it with 'cmake --preset portable && cmake --build --preset portable" \
  "--target glassworks', or name one with --glassworks."
glassworks="$(realpath -- "$glassworks")"
python=/usr/bin/python3 # Debian's, which has the packages
"$python" -c 'import setuptools, pip, wheel' 2>/dev/null ||
  die "Wheels cannot be built (Debian's python3-pip, python3-setuptools or python3-wheel is missing). Install them with" \
    "'tools/setup/install_packages.sh test'."

# What the executable needs of the machine it is carried to: glibc alone, no older than the newest symbol that it takes.
libraries="$(objdump -p -- "$glassworks" | sed -n 's/^ *NEEDED *//p' | grep -vE '^(libc|libm|libdl|librt|libpthread|ld-linux-[a-z0-9_-]*)\.so' || true)"
[[ -z $libraries ]] || die "$glassworks cannot be carried to another machine (it needs ${libraries//$'\n'/, })." \
  "Build it with the preset portable."
glibc="$(objdump -T -- "$glassworks" | grep -oE 'GLIBC_[0-9]+\.[0-9]+' | sed 's/GLIBC_//' | sort -uV | tail -n 1)"
platform="manylinux_${glibc/./_}_$(uname -m)"

scratch="$(mktemp -d)"
trap 'rm -rf -- "$scratch"' EXIT
version="$("$glassworks" version | sed -nE '1s/^glassworks ([^ ]+) .*/\1/p')"
grep -qx "__version__ = \"$version\"" "$root/tools/python/src/glassworks/_version.py" ||
  die "$glassworks is version $version, but tools/python is not. Build the executable again."

# From a copy, because setuptools leaves files in the source.
cp -r -- "$root/tools/python" "$scratch/source"
"$python" -m pip wheel --no-build-isolation --no-deps --no-index --disable-pip-version-check -w "$scratch" "$scratch/source" \
  >"$scratch/pip.log" 2>&1 || die "pip cannot build the Python package: $(tail -n 5 "$scratch/pip.log")"
"$python" -m wheel unpack -d "$scratch" "$scratch/glassworks-$version-py3-none-any.whl" >/dev/null
tree="$scratch/glassworks-$version"
data="$tree/glassworks-$version.data" facts="$tree/glassworks-$version.dist-info"
install -D -m 755 -- "$glassworks" "$data/scripts/glassworks"
mkdir -p "$data/data/share/man/man1" "$data/data/share/bash-completion/completions"
"$glassworks" describe completion bash >"$data/data/share/bash-completion/completions/glassworks"
while read -r verb; do
  "$glassworks" describe man "$verb" | gzip -9n >"$data/data/share/man/man1/glassworks-$verb.1.gz"
done < <("$glassworks" --help | sed -n 's/^  glassworks \([a-z]*\).*/\1/p' | grep -vx -e help -e version)
"$root/tools/release/third_party.sh" >"$facts/THIRD_PARTY"
cp -- "$root/LICENSE" "$facts/LICENSE"
sed -i -e 's/^Root-Is-Purelib: .*/Root-Is-Purelib: false/' -e "s/^Tag: .*/Tag: py3-none-$platform/" "$facts/WHEEL"
mkdir -p -- "$out"
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}" \
  "$python" -m wheel pack -d "$out" "$tree" >/dev/null
echo "$out/glassworks-$version-py3-none-$platform.whl"
