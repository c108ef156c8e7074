#!/usr/bin/env bash
# The documentation site can be built, without a warning, and leads nowhere that is not there. Status 77: Sphinx, MyST or Furo is missing.
# Usage: bash tests/docs/site.sh GLASSWORKS SCRATCH
set -euo pipefail
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
if ! /usr/bin/python3 -c 'import sphinx, furo, myst_parser' 2>/dev/null; then
  echo "Skipped: no Sphinx with MyST and Furo (tools/setup/install_packages.sh docs installs them)."
  exit 77
fi
rm -rf -- "$2"
"$root/tools/docs/build_site.sh" --glassworks "$1" --out "$2/site"
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
for page in index start gallery faq glossary comparison cite reference keys observables reference/verbs reference/python-api; do
  [[ -s $2/site/$page.html ]] || fail "there is no $page.html"
done
grep -q 'id="glassworks.Campaign.create"' "$2/site/reference/python-api.html" || fail "the Python API has no Campaign.create"
grep -q '<math' "$2/site/theory/chirality.html" || fail "equations are not drawn"
