#!/usr/bin/env bash
# install_packages.sh [optional] [test] [docs]: installs the Debian packages of packages.txt that are missing, and those of
# packages-optional.txt, packages-test.txt and packages-docs.txt where they are named. Silent when there is nothing to do.
set -euo pipefail

folder="$(dirname -- "${BASH_SOURCE[0]}")"
lists=("$folder/packages.txt")
for name in "$@"; do
  if [[ $name != optional && $name != test && $name != docs ]]; then
    echo "There is no list of packages '$name' (there are 'optional', 'test' and 'docs'). Use these." >&2
    exit 2
  fi
  lists+=("$folder/packages-$name.txt")
done
mapfile -t wanted < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "${lists[@]}")

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "Packages cannot be installed (this is not a Debian system). Install the equivalents of ${lists[*]} and build with" \
    "'cmake --preset release && cmake --build --preset release --target glassworks'." >&2
  exit 1
fi

# dpkg-query fails when it does not know a package; what it knows it has printed then.
known="$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)"
installed=" $(sed -n 's/^installed //p' <<<"$known" | tr '\n' ' ') "
missing=()
for package in "${wanted[@]}"; do
  [[ $installed == *" $package "* ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "Packages are missing (not root, and there is no sudo). Run as root:" \
      "apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing ${#missing[@]} missing packages: ${missing[*]}"
log="$(mktemp)"
trap 'rm -f -- "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1; }
if ! apt update; then
  echo "The package lists could not be refreshed; trying with those that are here." >&2
fi
if ! apt install -y --no-install-recommends "${missing[@]}"; then
  tail -n 30 "$log" >&2
  echo "Packages could not be installed (apt-get's messages are above). Check the network and the package sources (Debian 12)" \
    "and run this again." >&2
  exit 1
fi
