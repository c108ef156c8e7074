#!/usr/bin/env bash
# The same bits as ever: short campaigns of every model, update, dimension and kind of disorder against the digests that are
# recorded in campaigns.txt, with several backends. They may only change together with the definition of a chain.
#
#   bash tests/digests/digests.sh EXECUTABLE SCRATCH             every third campaign with the fastest instruction set, every ninth one
#                                                                also with the reference
#   GLASSWORKS_TEST_BACKENDS="reference portable avx2 avx512" bash ...   all of them but CUDA
#   GLASSWORKS_TEST_BACKENDS="cuda portable" bash ...            these alone
#   GLASSWORKS_TEST_RECORD=1 bash ...                            enters the digests of campaigns that have none yet ("-")
#
# Lines of campaigns.txt: NAME STATES BINS KEY=VALUE ... , with ~ for a blank in a value. STATES and BINS are hashes of what `inspect --digest` says of the
# realizations: of their states, which the chain alone decides, and of their bins, which follow from what is measured.
here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
. "$here/../cli/common.sh"
work_in_memory
campaigns="$here/campaigns.txt"
cp "$here"/*.dat .

backends=()
fastest=portable
for isa in avx2 avx512; do if has_instruction_set $isa; then fastest=$isa; fi; done
for backend in ${GLASSWORKS_TEST_BACKENDS:-reference $fastest}; do
  if [[ $backend == reference || $backend == cuda ]] || has_instruction_set "$backend"; then
    backends+=("$backend")
  else
    skip_part "instruction set $backend (this processor or build does not have it)"
  fi
done

options_of() { # BACKEND
  case $1 in
    reference | cuda) echo "--backend.kind=$1" ;;
    *) echo "--backend.kind=cpu --backend.isa=$1 --backend.threads=2" ;;
  esac
}
hash_of() { cut -d ' ' -f "$1" digest | sha256sum | cut -c 1-16; } # column 5: states, 4: bins

write_campaign() { # KEY=VALUE ...: a later value replaces an earlier one
  local item
  local -A value=(
    [campaign.seed]=2024 [model.L]=4 [disorder.realizations]=2 [ladder.T_min]=0.5 [ladder.T_max]=2 [ladder.slots]=3
    [protocol.exchanges_per_measurement]=2 [round.measurements]=3 [convergence.min_rounds]=2 [convergence.max_rounds]=2
  )
  for item in "$@"; do
    item="${item//\~/ }"
    value["${item%%=*}"]="${item#*=}"
  done
  for item in "${!value[@]}"; do [[ -z ${value[$item]} ]] || echo "$item = ${value[$item]}"; done | sort >c.cfg
}

failed=0 count=0 checked=
: >recorded
while read -r name states bins keys; do
  if [[ -z $name || $name == \#* ]]; then
    echo "$name${states:+ $states}${bins:+ $bins}${keys:+ $keys}" >>recorded
    continue
  fi
  read -ra settings <<<"$keys"
  write_campaign "${settings[@]}"
  for backend in "${backends[@]}"; do
    [[ -n ${GLASSWORKS_TEST_BACKENDS:-}${GLASSWORKS_TEST_RECORD:-} || $((count % 3)) -eq 0 ]] || continue
    # The bits of the two are compared by tests of kernels, too.
    [[ $backend != reference || -n ${GLASSWORKS_TEST_BACKENDS:-} || $((count % 9)) -eq 0 ]] || continue
    [[ $backend != cuda || $name != processor-* ]] || continue  # GPUs have no kernels for these
    read -ra options <<<"$(options_of "$backend")"
    rm -rf c
    run_quietly c.cfg c "${options[@]}"
    digests c >digest
    # What equals the backend before needs no other look.
    if [[ $checked == "$name" ]] && cmp -s digest before; then continue; fi
    cp digest before
    checked="$name"
    if [[ $states == - && -n ${GLASSWORKS_TEST_RECORD:-} ]]; then states=$(hash_of 5) bins=$(hash_of 4); fi
    [[ $(hash_of 5) == "$states" ]] || { echo "FAILED: $name, $backend: other states: $keys" >&2; failed=1; }
    [[ $(hash_of 4) == "$bins" ]] || { echo "FAILED: $name, $backend: other bins: $keys" >&2; failed=1; }
  done
  echo "$name $states $bins${keys:+ $keys}" >>recorded
  count=$((count + 1))
done <"$campaigns"
[[ $failed -eq 0 ]] || exit 1
[[ -z ${GLASSWORKS_TEST_RECORD:-} ]] || cp recorded "$campaigns"
same="$(grep -v '^#' recorded | cut -d ' ' -f 2-3 | sort | uniq -d | tr -d '\n')"
[[ -z $same ]] || fail "two campaigns have the same states and bins: $same"
[[ $count -ge 60 ]] || fail "$count campaigns are too few"
echo "$count campaigns (every third one unless GLASSWORKS_TEST_BACKENDS is set), with ${backends[*]}"
