#!/usr/bin/env bash
# Fails when one of the executables could start a thread: those are tested under the thread sanitizer, these are not.
#
# Usage: tools/dev/check_threads.sh EXECUTABLE...
#        tools/dev/check_threads.sh --self-test EXECUTABLE   the check must find that this one starts threads
set -euo pipefail

starts_threads() { nm -- "$1" | grep -E ' [A-Za-z] (pthread_create|_ZNSt6thread15_M_start_thread)' >/dev/null; }

if [[ ${1:-} == --self-test && $# -eq 2 ]]; then
  starts_threads "$2" && exit 0
  echo "$2 starts threads, but the check has not seen it. Look at the names in tools/dev/check_threads.sh." >&2
  exit 1
fi
if [[ $# -eq 0 || $1 == -* ]]; then
  sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
for executable in "$@"; do
  [[ -r $executable ]] || { echo "$executable cannot be read (no such file). Build it first." >&2 && exit 1; }
  if starts_threads "$executable"; then
    echo "$executable can start threads, but is left out under the thread sanitizer (a test uses code that starts threads)." \
      "Add that test to THREADS in tests/CMakeLists.txt." >&2
    exit 1
  fi
done
