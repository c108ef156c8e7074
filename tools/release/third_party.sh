#!/usr/bin/env bash
# Prints the licences of the libraries whose code the portable executable contains, as Debian's packages state them.
set -euo pipefail
packages="$(dirname -- "${BASH_SOURCE[0]}")/../setup/packages.txt"
echo "The executable glassworks contains code of these libraries, under their licences."
sed -nE 's/^((lib|nlohmann)[^ ]*).*/\1/p' "$packages" | while read -r package; do
  printf '\n==== %s ====\n' "$package"
  cat -- "/usr/share/doc/$package/copyright" 2>/dev/null || echo "See https://packages.debian.org/bookworm/$package."
done
