# shellcheck shell=bash
# Sourced after common.sh: campaigns on which processes work that get killed at random moments, and are compared with
# one that was left alone. Random choices come from RANDOM, which whoever sources this seeds; they are made in this shell,
# as bash seeds RANDOM anew in every subshell.

declare -A worker=()  # process ids by number
launch=()             # what starts a process: nothing, or mpirun for ranks
options=()            # of a process, which choose_options may draw
campaigns=0 kills=0   # finished and compared, killed
interrupted=0         # kills that met a campaign with committed rounds
mpirun_crashes=0      # kills of ranks after which mpirun crashed or hung by an error of its own
leftovers=0           # kills after which files lay about that the database does not name
trap 'kill -9 "${worker[@]}" 2>/dev/null || true' EXIT

# write_kill_config FILE [section.key=value ...]: small batches, so that much of the time goes into checkpoints and
# commits. Realizations end after 16 to 48 rounds, some of them without having converged. Each kill is a failed attempt
# at what the process held, and many are not to put a realization into quarantine.
write_kill_config() {
  local file="$1"
  shift
  write_config "$file" model.L=4,6 disorder.realizations=8 ladder.T_min=0.5 ladder.T_max=1 round.measurements=10 \
    protocol.overrelaxation=10 convergence.min_rounds=16 convergence.max_rounds=48 convergence.n_tau=20 \
    backend.batch=4 backend.threads=1 workers.lease_seconds=5 workers.max_attempts=1000000 "$@"
}

# write_course_config FILE words|vectors|graph REALIZATIONS: histories in time through several temperatures with waiting times, in short rounds,
# as words of copies, as vectors, or of spins on random graphs. vary_courses draws how each process works on them.
write_course_config() {
  local -a model=(model.type=heisenberg model.L=4 'ladder.temperatures=0.1, 0.2' replicas.copies=3)
  if [[ $2 == words ]]; then
    model=(model.type=ising model.couplings=bimodal model.dim=2 model.L=8 'ladder.temperatures=0.7, 1.3' replicas.copies=40
      course.pairs=20 protocol.multispin=metropolis)
  fi
  if [[ $2 == graph ]]; then
    model=(model.type=ising model.lattice=random-regular model.degree=3 model.L=40 'ladder.temperatures=0.5, 1.3' replicas.copies=6)
  fi
  printf '%s\n' "${model[@]}" campaign.seed=7 "disorder.realizations=$3" course.sweeps=3000 'course.times=4 per decade' \
    'course.segments=50 from 3 to T stair 10, 300 at 0.5, at T' 'course.waiting_times=0, 30, 700' course.longest_round=40 \
    workers.lease_seconds=5 workers.max_attempts=1000000 >"$1"
}
vary_courses() {
  options=("--backend.threads=$((1 + RANDOM % 3))" "--backend.batch=$((1 + RANDOM % 8))")
}

# choose_options: for tests whose processes are not all alike; sets `options`.
choose_options() { :; }

# start_worker NUMBER CONFIG DIR [--key=value ...]: a process in the background; its output goes to worker-NUMBER.log.
# It writes checkpoints after every round, now and then, or at its end alone.
start_worker() {
  local number="$1" config="$2" directory="$3"
  local -a intervals=(0 1 180)
  local interval=${intervals[RANDOM % 3]}
  shift 3
  choose_options
  # A background job of a shell without job control ignores SIGINT; env restores it.
  env --default-signal=INT "${launch[@]}" "$glassworks" run "$config" "--campaign.directory=$directory" \
    "--checkpoint.interval=$interval" "${options[@]}" "$@" >"worker-$number.log" 2>&1 &
  worker[$number]=$!
}

# reap_worker NUMBER: waits for its end; sets `status`.
reap_worker() {
  status=0
  wait "${worker[$1]}" 2>/dev/null || status=$?
  unset "worker[$1]"
}

# finish_worker NUMBER: waits up to four minutes for its end, which must be that of the campaign.
finish_worker() {
  ends_within 240 "${worker[$1]}" || fail "process $1 does not come to an end: $(tail -n 3 "worker-$1.log")"
  reap_worker "$1"
  [[ $status -eq 0 ]] || fail "process $1 ended with status $status: $(cat "worker-$1.log")"
}

# choose_victims NUMBER: sets `victims`, the processes that a kill hits: the worker; of ranks one of them, all, or
# mpirun. Sets `ranks`, which is empty for a worker.
choose_victims() {
  victims=("${worker[$1]}") ranks=()
  [[ ${#launch[@]} -gt 0 ]] || return 0
  mapfile -t ranks < <(pgrep -P "${worker[$1]}")
  case ${#ranks[@]}:$((RANDOM % 8)) in
    0:* | *:0) ;;
    *:1 | *:2) victims=("${ranks[@]}") ;;
    *) victims=("${ranks[RANDOM % ${#ranks[@]}]}") ;;
  esac
}

# end_hung_mpirun PID: where a rank is killed while it connects, mpirun of Open MPI 4.1 can crash in pmix_rte_finalize, or
# wait there for ever, with no rank left.
end_hung_mpirun() {
  if [[ ${#launch[@]} -eq 0 ]] || ends_within 60 "$1" || pgrep -P "$1" >/dev/null; then return 0; fi
  kill -9 "$1"
  mpirun_crashes=$((mpirun_crashes + 1))
}

# kill_workers NUMBER...: at once. Sets `finished` if one of them had come to the end of the campaign before.
kill_workers() {
  local number rank
  local -a victims ranks to_kill=() to_end=()
  local -A hit=()
  for number in "$@"; do
    choose_victims "$number"
    to_kill+=("${victims[@]}") to_end+=("${ranks[@]}") hit[$number]=${#victims[@]}
  done
  kill -9 "${to_kill[@]}" 2>/dev/null || true
  finished=false
  for number in "$@"; do
    end_hung_mpirun "${worker[$number]}"
    reap_worker "$number"
    case $status in
      0) finished=true ;;
      137) kills=$((kills + hit[$number])) ;;
      139)
        grep -q '\[ .*mpirun(' "worker-$number.log" || fail "process $number crashed: $(cat "worker-$number.log")"
        kills=$((kills + hit[$number])) mpirun_crashes=$((mpirun_crashes + 1))
        ;;
      *) fail "process $number ended with status $status before the kill: $(cat "worker-$number.log")" ;;
    esac
  done
  # Ranks end by themselves when mpirun or another of them is killed.
  for rank in "${to_end[@]}"; do ends_within 30 "$rank" || fail "rank $rank goes on without the others"; done
}

# Up to 1 s, half of the times below 0.25 s: the first moments hold the creation, the clean-up and the first commits.
# Ranks first take a while to find each other.
sleep_randomly() {
  local seconds
  if [[ ${#launch[@]} -gt 0 && $((RANDOM % 8)) -gt 0 ]]; then sleep 0.7; fi
  printf -v seconds '0.%03d' $((10 + RANDOM % (RANDOM % 2 ? 240 : 990)))
  sleep "$seconds"
}

# look_closer DIR: for what a test wants to count after each kill.
look_closer() { :; }

# look_at DIR: what a kill leaves behind is whole rounds, also while others work on.
look_at() {
  [[ -f $1/campaign.sqlite ]] || return 0
  look_closer "$1"
  clean "$1" "after kill $kills"
  if grep -q '^Orphan' verify.txt; then leftovers=$((leftovers + 1)); fi
  if [[ $(rounds_of "$1") -gt 0 ]]; then interrupted=$((interrupted + 1)); fi
}

# conclude WHOLE DIR: DIR has come to its end and must be WHOLE; a last run removes what kills have left, and no more.
conclude() {
  same_results "$1" "$2" "a campaign after $kills kills"
  run_quietly "$config" "$2"
  same_results "$1" "$2" "a finished campaign that is run again"
  no_orphans "$2"
  campaigns=$((campaigns + 1))
  rm -rf -- "$2"
}

# kill_and_restart WHOLE DIR PROCESSES KILLS: PROCESSES work on DIR with the configuration $config; again and again a
# random one of them, or all, are killed and started anew, until KILLS have been killed. Campaigns that end are
# compared with WHOLE and begun again.
kill_and_restart() {
  local whole="$1" directory="$2" processes="$3" last=$((kills + $4)) number
  local -a victims
  while [[ $kills -lt $last ]]; do
    for number in $(seq "$processes"); do
      [[ -n ${worker[$number]:-} ]] || start_worker "$number" "$config" "$directory"
    done
    sleep_randomly
    victims=($((1 + RANDOM % processes)))
    if [[ $((RANDOM % 4)) -eq 0 ]]; then mapfile -t victims < <(seq "$processes"); fi
    kill_workers "${victims[@]}"
    look_at "$directory"
    if $finished; then
      for number in "${!worker[@]}"; do finish_worker "$number"; done
      run_quietly "$config" "$directory"
      conclude "$whole" "$directory"
    fi
  done
  for number in "${!worker[@]}"; do finish_worker "$number"; done
  run_quietly "$config" "$directory"
  conclude "$whole" "$directory"
}

# kill_one_of WHOLE DIR PROCESSES: one of them is killed at a random moment; the others finish the campaign.
kill_one_of() {
  local number
  for number in $(seq "$3"); do start_worker "$number" "$config" "$2"; done
  sleep_randomly
  kill_workers $((1 + RANDOM % $3))
  look_at "$2"
  for number in "${!worker[@]}"; do finish_worker "$number"; done
  conclude "$1" "$2"
}
