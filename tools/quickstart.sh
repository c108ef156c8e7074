#!/usr/bin/env bash
# From a bare Debian 12 to a first result: installs packages, builds, simulates a small campaign, prints xi_L/L against T.
# Run again at once it only prints the result: the campaign is finished then.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

config=configs/quickstart.cfg
campaign=campaigns/quickstart

tools/setup/install_packages.sh

build() {
  cmake --preset release && cmake --build --preset release --target glassworks -j"$(nproc)"
}
log="$(mktemp)"
trap 'rm -f -- "$log"' EXIT
echo "Building (build/glassworks) ..."
if ! build >"$log" 2>&1; then
  cat -- "$log" >&2
  echo "The build failed (its messages are above). If the compiler or the libraries have changed, delete the folder build/." >&2
  exit 1
fi

build/glassworks run "$config"
build/glassworks analyze "$campaign" --csv "$campaign/results.csv"
build/glassworks report "$campaign" --out "$campaign/report.html" >/dev/null

cat <<END

Where to find the rest:
  all figures and tables, one page     $campaign/report.html (open it in a browser)
  every observable with its error      $campaign/results.csv
  the configuration that was run       $config (docs/keys.md lists all keys)
  the state of the campaign            build/glassworks status $campaign
  its realizations                     build/glassworks inspect $campaign
  all commands                         build/glassworks --help
END
