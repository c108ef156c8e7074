#!/usr/bin/env bash
# Equal bits: bins and states of a campaign do not depend on backend, instruction set, threads, batch or on how the
# campaign was cut into runs.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

isas=()
for isa in portable avx2 avx512; do
  if has_instruction_set "$isa"; then
    isas+=("$isa")
  else
    skip_part "instruction set $isa (this processor or build does not have it)"
  fi
done

combinations=0
turn=0
all=${GLASSWORKS_TEST_ALL:-}
# check NAME [section.key=value ...]: the reference against all instruction sets with some threads and batches; most of
# these with one set, since how work is shared does not depend on it. Campaigns take half of the threads and batches in turn, or all
# with GLASSWORKS_TEST_ALL.
check() {
  local name="$1" isa threads batch variant lines
  local -a variants
  shift
  write_config "$name.cfg" "$@"
  run_quietly "$name.cfg" "$name-reference" --backend.kind=reference --backend.batch=3
  digests "$name-reference" >reference.digest
  lines=$(wc -l <reference.digest)
  [[ $lines -gt 0 ]] || fail "$name: no digests"
  for isa in "${isas[@]}"; do
    variants=("1 3" "2 1")
    if [[ $isa == "${isas[-1]}" ]]; then variants=("1 1" "1 8" "2 3" "2 8" "3 1" "3 3"); fi
    for variant in "${variants[@]}"; do
      turn=$((turn + 1))
      [[ -n $all || $((turn % 2)) -eq 0 ]] || continue
      read -r threads batch <<<"$variant"
      rm -rf "$name-cpu"
      run_quietly "$name.cfg" "$name-cpu" --backend.kind=cpu "--backend.isa=$isa" "--backend.threads=$threads" \
        "--backend.batch=$batch"
      digests "$name-cpu" >cpu.digest
      cmp -s reference.digest cpu.digest ||
        fail "$name, $isa, $threads threads, batch $batch: digests differ: $(diff reference.digest cpu.digest | head -n 6)"
      combinations=$((combinations + 1))
    done
  done
  rm -rf "$name-cpu"
  turn=$((turn + 1)) # the next one takes the other half
  echo "ok   $name: $lines realizations"
}

short=(convergence.min_rounds=2 convergence.max_rounds=2 round.measurements=3)
check plain model.L=4,6 "${short[@]}"
check field model.L=4,6 model.field=gaussian model.field_strength=0.4 "${short[@]}"
check sphere replicas.copies=4 model.field=sphere model.field_strength=0.2 protocol.exchange=sequential "${short[@]}"
check plane model.dim=2 model.L=6,8 replicas.copies=4 model.couplings=bimodal "${short[@]}"
check chain model.dim=1 model.L=8 protocol.exchange=sequential "${short[@]}"
check hyper model.dim=4 disorder.realizations=2 "${short[@]}"
check tile2 model.L=8 protocol.tile=2 disorder.realizations=3 ladder.slots=3 round.measurements=2 \
  convergence.min_rounds=1 convergence.max_rounds=1
check tile4 model.L=8 protocol.tile=4 protocol.heatbath=2 disorder.realizations=3 ladder.slots=3 round.measurements=2 \
  convergence.min_rounds=1 convergence.max_rounds=1 protocol.exchange=sequential
check tile2_plane model.dim=2 model.L=8 protocol.tile=2 model.field=box model.field_strength=0.5 "${short[@]}"
# Slots that fill no register evenly, several sweeps to an exchange, no over-relaxation.
check odd ladder.slots=19 protocol.overrelaxation=0 protocol.sweeps_per_exchange=3 "${short[@]}"
# Decisions differ between realizations, so the batches do too.
check decided disorder.realizations=9

# What must not be equal: otherwise the comparison sees nothing.
write_config other.cfg model.L=4,6 campaign.seed=8 "${short[@]}"
run_quietly other.cfg other
digests other >first.digest
digests plain-reference >second.digest
! cmp -s first.digest second.digest || fail "another seed gave the same digests"
[[ $(sort -u -k4 first.digest | wc -l) -eq $(wc -l <first.digest) ]] || fail "two realizations have the same digests"

# A campaign in pieces: after every piece another backend, other threads, another batch.
settings=(
  "--backend.kind=cpu --backend.isa=${isas[0]} --backend.threads=1 --backend.batch=1"
  "--backend.kind=reference --backend.batch=2"
  "--backend.kind=cpu --backend.isa=${isas[-1]} --backend.threads=2 --backend.batch=8"
  "--backend.kind=cpu --backend.isa=${isas[-1]} --backend.threads=3 --backend.batch=3"
)
# hand_over SECONDS: runs in pieces of this length; sets `pieces` to those that committed something before the end.
hand_over() {
  local rounds=0 before status
  local -a arguments
  pieces=0
  rm -rf long-pieces
  until [[ $pieces -eq 8 ]]; do
    read -ra arguments <<<"${settings[$((pieces % ${#settings[@]}))]}"
    status=0
    timeout --signal=TERM "$1" "$glassworks" run long.cfg --campaign.directory=long-pieces "${arguments[@]}" \
      >run.log 2>&1 || status=$?
    [[ $status -ne 0 ]] || return 0
    [[ $status -eq 124 ]] || fail "piece $pieces ended with status $status: $(cat run.log)"
    before=$rounds
    rounds=$(rounds_of long-pieces)
    if [[ $rounds -gt $before ]]; then pieces=$((pieces + 1)); fi
    [[ $SECONDS -lt 600 ]] || fail "the pieces do not come to an end: $(cat run.log)"
  done
  run_quietly long.cfg long-pieces --backend.threads=2
}
write_config long.cfg disorder.realizations=24 round.measurements=16 protocol.overrelaxation=8 \
  convergence.min_rounds=16 convergence.max_rounds=24
run_quietly long.cfg long-whole
for seconds in 0.4 0.2 0.1 0.05; do
  hand_over "$seconds"
  same_digests long-whole long-pieces "a campaign in $((pieces + 1)) pieces"
  if [[ $pieces -ge ${#settings[@]} ]]; then break; fi
done
[[ $pieces -ge ${#settings[@]} ]] || fail "only $pieces pieces: the campaign is too short to change backends in it"
echo "ok   a campaign handed over $pieces times"
echo "$combinations comparisons of whole campaigns, instruction sets: ${isas[*]}"
