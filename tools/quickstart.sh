#!/usr/bin/env bash
# From a bare Debian 12 to a first result: installs packages, builds, simulates a small campaign, prints xi_L/L against T.
# Builds the executable alone: without tests, and without CUDA where no GPU answers. Run again it only prints the result,
# because the campaign is finished.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

config=configs/quickstart.cfg
campaign=campaigns/quickstart

tools/setup/install_packages.sh

# A folder that is configured already stays as it is.
options=(-DGLASSWORKS_TESTS=OFF -DGLASSWORKS_FIRST_BUILD=ON -DGLASSWORKS_FOREIGN_CODE=OFF)
if capability="$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sort -u | tr -d '.')" &&
  [[ $capability =~ ^[0-9]+($'\n'[0-9]+)*$ ]]; then
  options+=("-DCMAKE_CUDA_ARCHITECTURES=${capability//$'\n'/-real;}-real")
else
  options+=(-DGLASSWORKS_CUDA=OFF)
fi
build() {
  if [[ ! -f build/build.ninja ]]; then cmake --preset release "${options[@]}" || return; fi
  cmake --build build --target glassworks -j"$(nproc)"
}
log="$(mktemp)"
trap 'rm -f -- "$log"' EXIT
echo "Building (build/glassworks) ..."
if ! build >"$log" 2>&1; then
  cat -- "$log" >&2
  echo "The build failed (its messages are above). If the compiler or the libraries have changed, delete the folder build/." >&2
  exit 1
fi
sed -n 's/^-- \(.*not part of this build.*\)/\1/p' "$log"

# A first result from the two small sizes and an eighth of their realizations, in a quarter of a minute; the same campaign then goes on
# to all.
if [[ ! -f $campaign/campaign.sqlite ]]; then
  build/glassworks run "$config" --model.L=4,6 --disorder.realizations=8
  build/glassworks analyze "$campaign"
  printf '\nThis is the first result, from 8 realizations of L = 4 and 6. The others, and L = 8, follow.\n\n'
fi
build/glassworks run "$config"
build/glassworks analyze "$campaign" --csv "$campaign/results.csv" --force
build/glassworks report "$campaign" --force >/dev/null

cat <<END

Where to find the rest:
  all figures and tables, one page     $campaign/report.html (open it in a browser)
  every observable with its error      $campaign/results.csv
  the configuration that was run       $config (docs/keys.md lists all keys)
  the state of the campaign            build/glassworks status $campaign
  its realizations                     build/glassworks inspect $campaign
  all commands                         build/glassworks --help

To build quickly, the vector code of sweeps alone was optimized. Clusters run faster, and large campaigns are analyzed several times as
fast, after
  cmake --preset release -DGLASSWORKS_TESTS=OFF && cmake --build build --target glassworks
END
