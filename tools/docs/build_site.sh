#!/usr/bin/env bash
# Builds the documentation site: build/site/index.html and all pages, to be read without a network or a server.
# Usage: tools/docs/build_site.sh [--glassworks FILE] [--out DIR]
set -euo pipefail
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
glassworks="$root/build/glassworks" out="$root/build/site"
while [[ $# -gt 0 ]]; do
  case "$1" in
    --glassworks) glassworks="$2" ;;
    --out) out="$2" ;;
    *)
      echo "Usage: tools/docs/build_site.sh [--glassworks FILE] [--out DIR]" >&2
      exit 2
      ;;
  esac
  shift 2
done
if [[ ! -x $glassworks ]]; then
  echo "There is no $glassworks (the page of verbs is what it prints). Build it with" \
    "'cmake --preset release && cmake --build --preset release --target glassworks', or name it with --glassworks." >&2
  exit 1
fi
/usr/bin/python3 -c 'import sphinx, furo, myst_parser' 2>/dev/null || "$root/tools/setup/install_packages.sh" docs
mkdir -p -- "$out"
source_of_site="$out.source"
/usr/bin/python3 "$root/tools/docs/stage.py" "$root" "$glassworks" "$source_of_site"
GLASSWORKS_SOURCE="$root" PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m sphinx -q -W --keep-going -b html -d "$out.doctrees" -c "$root/tools/docs" "$source_of_site" "$out"
# Debian's Furo loads a module from a plain script, which browsers refuse: both become one script.
scripts="$out/_static/scripts"
if grep -q '^import ' "$scripts/furo.js"; then
  sed '/^import /d' "$scripts/furo.js" | cat "$scripts/gumshoe-patched.js" - >"$scripts/both.js"
  mv -- "$scripts/both.js" "$scripts/furo.js"
fi
/usr/bin/python3 "$root/tools/docs/check_site.py" "$out"
