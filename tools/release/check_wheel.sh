#!/usr/bin/env bash
# Installs a wheel in a fresh virtual environment, without a network, runs a small campaign with it and draws a first figure, all
# in less than a minute. numpy comes from Debian's python3-numpy, gnuplot from gnuplot-nox.
# Usage: tools/release/check_wheel.sh WHEEL [FOLDER]    FOLDER: keeps what was made there
set -euo pipefail
[[ $# -ge 1 && $# -le 2 ]] || { echo "Usage: tools/release/check_wheel.sh WHEEL [FOLDER]" >&2; exit 2; }
wheel="$(realpath -- "$1")"
if [[ -n ${2:-} ]]; then
  folder="$2"
  mkdir -p -- "$folder"
else
  folder="$(mktemp -d)"
  trap 'rm -rf -- "$folder"' EXIT
fi
die() {
  echo "$(basename -- "$wheel") does not work: $*" >&2
  exit 1
}
cd -- "$folder"
began=$SECONDS
/usr/bin/python3 -m venv --system-site-packages env || die "there is no virtual environment. Install python3-venv."
env/bin/pip install --no-index --disable-pip-version-check --force-reinstall --no-deps "$wheel" >pip.log 2>&1 ||
  die "pip does not install it ($(tail -n 1 pip.log))."
export PATH="$PWD/env/bin:/usr/bin:/bin"
unset GLASSWORKS PYTHONPATH
[[ $(command -v glassworks) == "$PWD/env/bin/glassworks" ]] || die "the command glassworks is not in the environment."
glassworks --version >version.txt || die "the command glassworks does not start."
cat version.txt
cat >first.cfg <<'END'
[model]
type = ising
L = 4, 6
[disorder]
realizations = 8
[ladder]
T_min = 1.0
T_max = 3.0
slots = 8
[round]
measurements = 20
[convergence]
max_rounds = 64
[campaign]
directory = first
END
glassworks run first.cfg >run.log 2>&1 || die "a campaign does not run ($(tail -n 1 run.log))."
if [[ -x $(command -v gnuplot) ]]; then
  glassworks plot first --figures xi_over_L --format png >plot.log 2>&1 || die "no figure is drawn ($(tail -n 1 plot.log))."
  figure="$(find first/figures -name '*.png' | sort | head -n 1)"
  [[ -s $figure ]] || die "there is no figure."
  echo "figure      $folder/$figure"
fi
python - <<'END' || die "the Python package does not read the campaign."
import glassworks, pathlib, sys
assert pathlib.Path(glassworks.__file__).is_relative_to(sys.prefix), glassworks.__file__
assert glassworks.find_program() == str(pathlib.Path(sys.prefix, "bin", "glassworks")), glassworks.find_program()
curve = glassworks.Campaign("first").observable(6, "energy")
print("python     ", curve)
END
# Processor time, so that a busy machine is no failure.
times >times.txt
processor="$(awk 'NR == 2 { for (k = 1; k <= 2; ++k) { split($k, part, /[ms]/); sum += 60 * part[1] + part[2] } print int(sum + 0.5) }' times.txt)"
[[ $processor -lt 60 ]] || die "it takes $processor s of processor time from the installation to the figure (less than 60 s)."
echo "seconds     $((SECONDS - began)), $processor of processor time"
