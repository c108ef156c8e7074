#!/usr/bin/env bash
# Fails when a C++ or CUDA file is not formatted as .clang-format says.
# Usage: check_format.sh [--fix | --self-test]
set -euo pipefail

find_clang_format() {
  local candidate
  for candidate in clang-format-14 clang-format; do
    if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
      echo "$candidate"
      return
    fi
  done
  echo "The format cannot be checked (clang-format 14 is not installed). Install the package clang-format of Debian 12." >&2
  return 1
}

# Tracked and new files that git does not ignore; without git, all files outside build folders.
list_files() {
  {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
      git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.hpp' '*.cu' '*.cuh'
    else
      find . -path './build*' -prune -o -type f \( -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' \) -print0
    fi
  } | while IFS= read -r -d '' file; do
    if [[ -f $file ]]; then printf '%s\0' "$file"; fi
  done
}

check() {  # check CLANG_FORMAT MODE...
  list_files | xargs -0 -r -n 50 "$@"
}

clang_format="$(find_clang_format)"
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"

case "${1:-}" in
  "")
    cd -- "$root"
    if ! check "$clang_format" --dry-run -Werror --ferror-limit=5; then
      echo "Some files are not formatted. Run tools/dev/check_format.sh --fix." >&2
      exit 1
    fi
    ;;
  --fix)
    cd -- "$root"
    check "$clang_format" -i
    ;;
  --self-test)
    scratch="$(mktemp -d)"
    trap 'rm -rf -- "$scratch"' EXIT
    cp -- "$root/.clang-format" "$scratch/"
    cd -- "$scratch"
    export GIT_CEILING_DIRECTORIES="$scratch"
    printf 'int f(int x) { return x; }\n' >good.cpp
    if ! check "$clang_format" --dry-run -Werror; then
      echo "self-test: a formatted file was refused" >&2
      exit 1
    fi
    for name in bad.cpp bad.hpp bad.cu bad.cuh; do
      printf 'int  f( int x ){return x;}\n' >"$name"
      if check "$clang_format" --dry-run -Werror 2>/dev/null; then
        echo "self-test: $name was accepted" >&2
        exit 1
      fi
      rm -- "$name"
    done
    echo "self-test passed"
    ;;
  *)
    echo "Unknown argument '$1'. Usage: check_format.sh [--fix | --self-test]" >&2
    exit 2
    ;;
esac
