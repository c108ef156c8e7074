#!/usr/bin/env bash
# Checks the lists of packages: the build needs at most 16, none stands twice, docs/manual/packages.md names all of them and
# no other, tools/setup/install_packages.sh installs those of the lists that it is called with, and each library of
# docs/manual/packages.md is included where that page says: no library is missing, and no place has lost its library.
# Usage: tools/dev/check_packages.sh [ROOT | --self-test]
set -euo pipefail

most=16

# names LIST...: the packages of the lists, sorted.
names() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$@" | sort; }

# asked ROOT LIST...: what install_packages.sh would install on a Debian system without any package.
asked() {
  local fake root="$1"
  fake="$(mktemp -d)"
  printf '#!/bin/sh\nexit 1\n' >"$fake/dpkg-query"
  printf '#!/bin/sh\nexec "$@"\n' >"$fake/sudo"
  printf '#!/bin/sh\necho "$@" >>%s/calls\n' "$fake" >"$fake/apt-get"
  chmod +x "$fake"/*
  PATH="$fake:$PATH" bash "$root/tools/setup/install_packages.sh" "${@:2}" >/dev/null
  tr ' ' '\n' <"$fake/calls" | sed -n '/--no-install-recommends/,$p' | sed -e 1d | sort
  rm -r -- "$fake"
}

# The libraries that Glassworks was asked to stand on.
libraries=("CUDA Toolkit" cuRAND "CUB, Thrust" Boost.Program_options Boost.Serialization Boost.Random Boost.Math Boost.MPI SQLite
  SQLiteCpp Eigen LBFGSpp HDF5 fmt nlohmann-json xxHash zstd Random123 GoogleTest RapidCheck)

# places PAGE: library, header and place of each row of the table, with | between them.
places() { sed -n '/^| library |/,/^$/s/^| \([^|]*\) | \([^|]*\) | \([^|]*\) | [^|]* |$/\1|\2|\3/p' "$1" | tr -d '`' | sed -e '/^library/d' -e '/^---/d'; }

check() {
  local setup="$1/tools/setup" page="$1/docs/manual/packages.md" status=0
  local lists=("$setup"/packages.txt "$setup"/packages-optional.txt "$setup"/packages-test.txt "$setup"/packages-docs.txt)
  problem() {
    echo "$*" >&2
    status=1
  }
  local count twice
  count="$(names "$setup/packages.txt" | wc -l)"
  [[ $count -le $most ]] || problem "packages.txt has $count packages (at most $most are for the build). Move one."
  twice="$(names "${lists[@]}" | uniq -d | tr '\n' ' ')"
  [[ -z $twice ]] || problem "These packages are listed twice: $twice"
  diff <(names "${lists[@]}") <(sed -n 's/^| \(`[^|]*\) |.*/\1/p' "$page" | tr ',' '\n' | tr -d '` ' | sort) >&2 ||
    problem "docs/manual/packages.md has other packages (>) than the lists (<)."
  diff <(names "$setup/packages.txt") <(asked "$1") >&2 || problem "install_packages.sh does not install packages.txt (<)."
  diff <(names "${lists[@]}") <(asked "$1" optional test docs) >&2 ||
    problem "install_packages.sh optional test docs does not install all lists (<)."
  local library header place
  for library in "${libraries[@]}"; do
    places "$page" | grep -q "^$library|" || problem "docs/manual/packages.md does not say where $library is used."
  done
  while IFS='|' read -r library header place; do
    [[ $place != - ]] || continue
    grep -rqs --include='*.cpp' --include='*.hpp' --include='*.cu' --include='*.cuh' "^ *# *include <$header" "$1/$place" ||
      problem "$library is not used in $place, as docs/manual/packages.md says (no file there includes <$header...>)."
  done < <(places "$page")
  return "$status"
}

self_test() {
  copy="$(mktemp -d)"
  trap 'rm -rf -- "$copy"' EXIT
  plant() {
    rm -rf -- "${copy:?}"/*
    mkdir -p "$copy/tools" "$copy/docs/manual"
    cp -r "$1/tools/setup" "$copy/tools/"
    cp "$1/docs/manual/packages.md" "$copy/docs/manual/"
    local library header place
    while IFS='|' read -r library header place; do
      [[ $place != - ]] || continue
      [[ $place == *.cpp ]] || place+=/a.hpp
      mkdir -p "$copy/$(dirname "$place")"
      echo "#include <$header>" >>"$copy/$place"
    done < <(places "$1/docs/manual/packages.md")
  }
  finds() {
    if check "$copy" 2>/dev/null; then
      echo "The check does not find $1." >&2
      exit 1
    fi
  }
  plant "$1"
  check "$copy"
  for i in 1 2 3; do echo "extra$i" >>"$copy/tools/setup/packages.txt"; done
  sed -i '/^| `cmake`/i | `extra1`, `extra2`, `extra3` | x |' "$copy/docs/manual/packages.md"
  finds "more packages than the build may need"
  plant "$1"
  echo "cmake" >>"$copy/tools/setup/packages-test.txt"
  finds "a package in two lists"
  plant "$1"
  echo "cowsay" >>"$copy/tools/setup/packages-test.txt"
  finds "a package without its row"
  plant "$1"
  sed -i 's/lists+=.*/true/' "$copy/tools/setup/install_packages.sh"
  finds "lists that are not installed"
  plant "$1"
  echo >"$copy/base/json_writer.cpp"
  finds "a library that is not used where the page says"
  plant "$1"
  sed -i '/^| zstd |/d' "$copy/docs/manual/packages.md"
  finds "a library without its place"
}

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
if [[ ${1:-} == --self-test ]]; then self_test "$root"; else check "${1:-$root}"; fi
