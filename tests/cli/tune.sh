#!/usr/bin/env bash
# `glassworks tune`: its table, the same figures from the lengths that it prints, a configuration that can be run, and input
# that cannot be used.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

write_config small.cfg disorder.realizations=8
lengths=(--realizations 3 --runs 2 --measurements 40 --equilibration 20)

"$glassworks" tune --help >help.txt
for option in --minutes --overrelaxation --slots --out --json; do
  grep -q -- "$option" help.txt || fail "the help does not show $option"
done

# figures FILE: of a JSON document, without what is measured in seconds.
figures() {
  python3 -c '
import json, sys
for size in json.load(open(sys.argv[1]))["sizes"]:
    print(size["L"], size["realizations"], size["runs"], size["measurements"], size["equilibration"])
    for p in size["protocols"]:
        print([p[k] for k in sorted(p) if k.startswith(("protocol.", "ladder.")) or k in ("tau", "tau_error", "drift", "measurements")])' "$1"
}

"$glassworks" tune small.cfg --overrelaxation 1,5 --slots 4 "${lengths[@]}" --json one.json --backend.kind=cpu \
  --backend.threads=1 >one.txt 2>one.err || fail "tune ended with status $?: $(cat one.err)"
"$glassworks" tune small.cfg --overrelaxation 1,5 --slots 4 "${lengths[@]}" --json two.json --backend.kind=reference \
  --backend.batch=2 >two.txt 2>two.err || fail "tune ended with status $?: $(cat two.err)"
figures one.json >one.figures
figures two.json >two.figures
[[ $(wc -l <one.figures) -ge 5 ]] || fail "not all protocols are in one.json: $(cat one.figures)"
# A combination of the best values is measured too where times say so; those before it are the same.
diff <(head -n 5 one.figures) <(head -n 5 two.figures) || fail "figures depend on backend and batch"
grep -q '^ *configured ' one.txt || fail "no table: $(cat one.txt)"
grep -q 'recommendation\|Recommendation' one.txt || fail "no recommendation: $(cat one.txt)"
python3 -c 'import json; d = json.load(open("one.json")); assert d["program"]["commit"] and d["date"] and d["backend"]'

# What is chosen for a time is printed, and repeats it.
"$glassworks" tune small.cfg --overrelaxation 1 --minutes 0.05 --json timed.json >timed.txt 2>timed.err ||
  fail "tune --minutes ended with status $?: $(cat timed.err)"
read -ra again <<<"$(sed -n 's/^(again with \(.*\))$/\1/p' timed.txt)"
[[ ${#again[@]} -eq 8 ]] || fail "no options that repeat it: $(cat timed.txt)"
"$glassworks" tune small.cfg --overrelaxation 1 "${again[@]}" --json again.json >again.txt 2>&1
diff <(figures timed.json) <(figures again.json) || fail "${again[*]} does not repeat the figures"

# A configuration that can be run, with the keys of the command line.
mkdir elsewhere
printf '[campaign]\nseed = 3\ndirectory = used\n[protocol]\noverrelaxation = 4\n[model]\nL = 4\n[disorder]\nrealizations = 8\n[ladder]\nT_min = 0.3\nT_max = 0.9\nslots = 4\n' >sections.cfg
"$glassworks" tune sections.cfg --heatbath 2 "${lengths[@]}" --protocol.overrelaxation=3 --out elsewhere/tuned.cfg \
  >out.txt 2>out.err || fail "tune --out ended with status $?: $(cat out.err)"
grep -q 'To run it: glassworks run elsewhere/tuned.cfg' out.txt || fail "no command: $(cat out.txt)"
"$glassworks" run elsewhere/tuned.cfg --dry-run >dry.txt 2>&1 || fail "the configuration is refused: $(cat dry.txt)"
grep -q 'Would create a campaign in campaigns/tuned' dry.txt || fail "not a campaign of its own: $(cat dry.txt)"
grep -qx 'protocol.overrelaxation = 3' elsewhere/tuned.cfg || fail "the command line is lost: $(cat elsewhere/tuned.cfg)"
grep -qx '# overrelaxation = 4' elsewhere/tuned.cfg || fail "two values of one key: $(cat elsewhere/tuned.cfg)"
[[ ! -e campaigns && ! -e used ]] || fail "tune has begun a campaign"

before="$(sha256sum elsewhere/tuned.cfg)"
refused "existing file" 'tuned.cfg exists already .*--force' "$glassworks" tune sections.cfg --out elsewhere/tuned.cfg
[[ $(sha256sum elsewhere/tuned.cfg) == "$before" ]] || fail "the existing file was changed"
refused "existing file for figures" 'one.json exists already' "$glassworks" tune sections.cfg --json one.json
refused "missing directory" 'there is no directory' "$glassworks" tune sections.cfg --out nowhere/tuned.cfg
refused "file as directory" 'there is no directory|Not a directory' "$glassworks" tune sections.cfg --out small.cfg/tuned.cfg
if [[ $EUID -ne 0 ]]; then
  mkdir -m 555 locked
  refused "locked directory" 'locked: Permission denied' "$glassworks" tune sections.cfg --out locked/tuned.cfg
fi
refused "no configuration" 'needs one configuration file' "$glassworks" tune
refused "missing configuration" 'missing.cfg' "$glassworks" tune missing.cfg
refused "other size" 'model.L does not have it' "$glassworks" tune small.cfg --L 6
refused "no time" "--minutes = '0'" "$glassworks" tune small.cfg --minutes 0
refused "no number" "--minutes = 'nan'" "$glassworks" tune small.cfg --minutes nan
refused "one run" '--runs = 1 cannot be used' "$glassworks" tune small.cfg --runs 1
refused "no list" "--slots = '4,' cannot be used" "$glassworks" tune small.cfg --slots 4,
refused "negative" "--overrelaxation = '-1'" "$glassworks" tune small.cfg --overrelaxation=-1
refused "one slot" 'ladder.slots = 1' "$glassworks" tune small.cfg --slots 1
refused "no clusters" '--cluster-sweeps cannot be used here' "$glassworks" tune small.cfg --cluster-sweeps 2
refused "not sweeping" 'protocol' "$glassworks" tune small.cfg --heatbath 0 --protocol.overrelaxation=0
refused "unknown option" 'no such option' "$glassworks" tune small.cfg --fast
refused "too many runs" 'do not fit into memory' "$glassworks" tune small.cfg --realizations 1000000 --runs 1000000 \
  --measurements 10 --equilibration 0

# Models without over-relaxation, and without a walk.
write_config ising.cfg model.type=ising model.couplings=bimodal protocol.overrelaxation= disorder.realizations=8
"$glassworks" tune ising.cfg "${lengths[@]}" >ising.txt 2>&1 || fail "ising: $(cat ising.txt)"
grep -q 'n_B' ising.txt && ! grep -q 'n_M' ising.txt || fail "ising: $(cat ising.txt)"
write_config pure.cfg model.type=ising model.dim=2 model.L=8 model.couplings=ferromagnet protocol.kind=swendsen-wang \
  protocol.exchange=none protocol.overrelaxation= ladder.T_min=2.2 ladder.T_max=2.4 convergence.min_round_trips=
"$glassworks" tune pure.cfg "${lengths[@]}" >pure.txt 2>&1 || fail "clusters: $(cat pure.txt)"
grep -q 'n_C.*chi_m' pure.txt || fail "clusters: $(cat pure.txt)"

# Ctrl-C: ends soon, with what was measured.
"$glassworks" tune small.cfg --overrelaxation 1,2,3,4,5,6,7,8,9 --realizations 4 --runs 2 --measurements 5000 \
  --equilibration 10 --json stopped.json >stopped.txt 2>stopped.err &
pid=$!
while ! grep -q '2 of up to' stopped.err && kill -0 $pid 2>/dev/null; do sleep 0.05; done  # one protocol is measured
begin=$(date +%s%N)
kill -INT $pid
status=0
wait $pid || status=$?
took=$(( ($(date +%s%N) - begin) / 1000000 ))
[[ $status -eq 130 ]] || fail "stopped: status $status: $(cat stopped.txt stopped.err)"
[[ $took -lt 3000 ]] || fail "stopped after $took ms"
grep -q '^ *configured ' stopped.txt && grep -q 'Not all protocols were measured' stopped.txt &&
  grep -q '^Stopped' stopped.txt || fail "stopped: $(cat stopped.txt)"
python3 -c 'import json; assert not json.load(open("stopped.json"))["sizes"][0]["complete"]'

echo "tune: passed"
