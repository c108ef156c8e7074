#!/usr/bin/env bash
# Installs packages, builds everything and runs all tests, then those of base, engine and db under the address sanitizer. All unit
# tests under a sanitizer take ten minutes more: after changes to the kernels --sanitize address, to threads --sanitize thread.
# The exit status is that of the first part that fails; its messages and ctest's summary are the last lines.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'END'
Usage: tools/test.sh [--quick | --slow | --sanitize address|thread]
  (nothing)            all tests, then the unit tests of base, engine and db, which read and write files, under the address
                       and undefined-behaviour sanitizers
  --quick              all tests, no sanitizers
  --slow               only the tests labelled slow, which repeat with more statistics or more faults what others test
  --sanitize address   only the unit tests, all of them, under the address and undefined-behaviour sanitizers
  --sanitize thread    only the unit tests, all that start threads, under the thread sanitizer
Suites named Statistics* or Long* run without sanitizers only.
END
}

parts=(release sanitize) labels=(-LE slow) sanitize_options=("-DGLASSWORKS_OBJECTS_OF=$PWD/build")
# All bits are the same with less optimization where it matters least.
options=(-DGLASSWORKS_SANITIZE_ALL=OFF -DGLASSWORKS_FIRST_BUILD=ON -DGLASSWORKS_FOREIGN_CODE=OFF)
# Where nothing can run the CUDA code, it is compiled for a virtual architecture and one size of each kind: all of them take
# many times as long. `cmake --preset release` goes back to all of them, and to full optimization.
if ! nvidia-smi -L >/dev/null 2>&1; then
  options+=(-DCMAKE_CUDA_ARCHITECTURES=90-virtual -DGLASSWORKS_CUDA_ALL_SIZES=OFF)
else
  options+=(-DGLASSWORKS_CUDA_ALL_SIZES=ON)
fi
while [[ $# -gt 0 ]]; do
  case "$1" in
    --quick) parts=(release) ;;
    --slow) parts=(release) labels=(-L slow) ;;
    --sanitize)
      options=(-DGLASSWORKS_SANITIZE_ALL=ON) sanitize_options=(-DGLASSWORKS_OBJECTS_OF=)
      case "${2:-}" in
        address) parts=(sanitize) ;;
        thread) parts=(sanitize-thread) ;;
        *)
          echo "--sanitize needs 'address' or 'thread', not '${2:-}'." >&2
          exit 2
          ;;
      esac
      shift
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      echo "Unknown argument '$1'." >&2
      usage >&2
      exit 2
      ;;
  esac
  shift
done

# The thread sanitizer of GCC 12 cannot start where addresses are randomized over many bits, so that is switched off.
fixed_addresses=()
if setarch "$(uname -m)" -R true 2>/dev/null; then
  fixed_addresses=(setarch "$(uname -m)" -R)
fi

# Many tests wait for other processes, leases or the disk: three times as many as there are processors keep these busy.
tests_at_once=$((3 * $(nproc)))

# run_tests PART [OPTION...]
run_tests() {
  local -a launcher=()
  [[ $1 == release ]] || launcher=("${fixed_addresses[@]}")
  "${launcher[@]}" ctest --preset "$1" --output-on-failure -j"$tests_at_once" "${@:2}"
}

configure() { # PART [OPTION...]
  local -a part_options=("${options[@]}")
  [[ $1 == release ]] || part_options+=("${sanitize_options[@]}")
  echo "== $1: configure"
  cmake --preset "$1" "${part_options[@]}" "${@:2}"
}

# On a fresh machine the executable is built while the packages are installed that only tests need: half a minute.
install_packages() {
  tools/setup/install_packages.sh optional
  if [[ $first != release || -f build/build.ninja ]]; then
    tools/setup/install_packages.sh test
    return
  fi
  tools/setup/install_packages.sh test &
  local -r packages=$!
  configure release -DGLASSWORKS_TESTS=OFF
  cmake --build --preset release --target glassworks -j"$(nproc)"
  wait "$packages"
}

first="${parts[0]}" second="${parts[1]:-}"
install_packages
configure "$first"
echo "== $first: build"
cmake --build --preset "$first" -j"$(nproc)"
if [[ -z $second ]]; then
  echo "== $first: tests"
  run_tests "$first" "${labels[@]}"
  exit
fi

# The second part is built with what tests leave of the processors, but not beside those that measure times.
mkdir -p "build-$second"
log="build-$second/build.log"
set -m # a process group, which can be ended as a whole
{ configure "$second" && nice -n 19 cmake --build --preset "$second" -j"$(nproc)"; } >"$log" 2>&1 &
build=$!
set +m
trap 'kill -- "-$build" 2>/dev/null || true' EXIT
echo "== $first: tests, meanwhile $second: build (its messages: $log)"
run_tests "$first" -LE "scale|slow"
wait "$build" || { tail -n 40 "$log" >&2; exit 1; }
trap - EXIT
echo "== $first: tests that measure times"
run_tests "$first" -L scale
echo "== $second: tests"
run_tests "$second"
