#!/usr/bin/env bash
# Input that cannot be used: one sentence on stderr, a status that is not 0, and the campaign that was there before
# stays as it was to the last byte.
configs="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../configs" && pwd)"
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

write_config good.cfg
run_quietly good.cfg stored
fingerprint stored >stored.before
digests stored >stored.digests

# bad WHAT PATTERN [section.key=value ...]: refused as a configuration file of its own.
bad() {
  local what="$1" pattern="$2"
  shift 2
  write_config bad.cfg "$@"
  unusable "$what" "$pattern" "$glassworks" run bad.cfg --campaign.directory=bad
  [[ ! -e bad ]] || fail "$what: a campaign was begun"
}

# --- the command line ---
status=0
ONLY=999 bash "$configs/papers/published-timings.sh" weigel >only.out 2>&1 || status=$?
[[ $status -eq 2 && $(cat only.out) == *"ONLY = 999 is no size of weigel"*"512, 8192, 16384"* ]] ||
  fail "published timings of no size: status $status, $(cat only.out)"
echo "ok   $(cat only.out)"

status=0
bash "$configs/papers/published-timings.sh" weigel-gamma >only.out 2>&1 || status=$?
[[ $status -eq 2 && $(cat only.out) == *"there is no table 'weigel-gamma' (weigel, "*". Use one of these." ]] ||
  fail "published timings of no table: status $status, $(cat only.out)"

unusable "no such verb" "no command 'frobnicate'.*lists all commands" "$glassworks" frobnicate
unusable "a verb of other programs" "no command 'simulate'. .glassworks run. begins" "$glassworks" simulate
unusable "a key of other programs" "'--temperature=1' .*Use ladder.temperatures" "$glassworks" run good.cfg --temperature=1
unusable "a value of other programs" "'antiferromagnet' .*Use bimodal with model.bimodal_p = 0" \
  "$glassworks" run good.cfg --model.couplings=antiferromagnet
unusable "a misspelt verb" "no command 'statsu'. Did you mean status\?" "$glassworks" statsu
unusable "help of no verb" "no command 'statsu'. Did you mean status\?" "$glassworks" help statsu
unusable "a misspelt option" 'Did you mean --dry-run' "$glassworks" run good.cfg --dryrun
unusable "run without a file" 'one configuration file' "$glassworks" run
unusable "run with two files" 'one configuration file' "$glassworks" run good.cfg good.cfg
unusable "an option without a value" "--quick" "$glassworks" run good.cfg --quick
unusable "a key without a value" "'--backend.threads' \(its value is missing" "$glassworks" run good.cfg --backend.threads
unusable "an option for a value" "is an option" "$glassworks" run good.cfg --backend.threads --dry-run
unusable "a bad value behind a key" "'two'" "$glassworks" run good.cfg --backend.threads two
unusable "an unknown override" 'campaign.sead.*Did you mean campaign.seed' "$glassworks" run good.cfg --campaign.sead=2
unusable "an unknown option" "'--fast'" "$glassworks" status stored --fast
unusable "a missing option value" 'value is missing' "$glassworks" analyze stored --csv
unusable "no number" "'four'" "$glassworks" inspect stored --L four
unusable "no such size" 'no size L = 6' "$glassworks" inspect stored --L 6
unusable "no such realization" 'no realization' "$glassworks" inspect stored --realization 99
unusable "verify without a directory" 'needs a campaign directory' "$glassworks" verify
unusable "verify of two directories" 'one campaign directory' "$glassworks" verify stored stored
unusable "rounds that are no number" "'all'" "$glassworks" verify stored --recompute all
unusable "status without a directory" 'needs a campaign directory' "$glassworks" status
unusable "status of two directories" 'one campaign directory' "$glassworks" status stored stored
unusable "an unknown option of bench" "'--fast'" "$glassworks" bench --fast
unusable "cluster updates on a device by bench" "--backend cuda" "$glassworks" bench --cluster --backend cuda
unusable "a size of courses that cannot be" "512" "$glassworks" bench --courses --L 514
unusable "a size of cluster updates that cannot be" "16384" "$glassworks" bench --cluster --L 7
unusable "keys for bench without a configuration" "Add --config FILE" "$glassworks" bench --model.L=8
unusable "a proposal without a configuration" "Write bench --config FILE --proposal" "$glassworks" bench --proposal
unusable "minutes of bench without a proposal" "without --proposal" "$glassworks" bench --config good.cfg --minutes 1
unusable "repeats of a proposal" "with --repeats" "$glassworks" bench --config good.cfg --proposal --repeats 2
unusable "a proposal in no time" "no number from 0.01" "$glassworks" bench --config good.cfg --proposal --minutes 0
unusable "a backend of bench beside a configuration" "with --backend .*--backend.kind=cuda" "$glassworks" bench --config good.cfg --backend cpu
unusable "an unknown option of doctor" "'--fast'" "$glassworks" doctor --fast

# --- the configuration file ---
unusable "a missing file" "missing.cfg.*No such file" "$glassworks" run missing.cfg
mkdir folder.cfg
unusable "a directory as file" "folder.cfg.*directory" "$glassworks" run folder.cfg
: >empty.cfg
unusable "an empty file" 'model.L, disorder.realizations, ladder.T_min and ladder.T_max are missing' "$glassworks" run empty.cfg
head -c 4096 "$glassworks" >binary.cfg
unusable "a binary file" 'binary.cfg' "$glassworks" run binary.cfg
echo 'model.L 4' >words.cfg
unusable "a line that is no entry" 'line 1 of words.cfg' "$glassworks" run words.cfg
{ cat good.cfg; echo 'campaign.seed = 9'; } >twice.cfg
unusable "a key given twice" 'campaign.seed is given twice' "$glassworks" run twice.cfg
{ cat good.cfg; echo 'model.colour = 4'; } >unknown.cfg
unusable "an unknown key" "model.colour.*line [0-9]+ of unknown.cfg.*describe keys. lists" "$glassworks" run unknown.cfg
{ cat good.cfg; echo 'protocol.overelaxation = 4'; } >misspelt.cfg
unusable "a misspelt key" 'Did you mean protocol.overrelaxation' "$glassworks" run misspelt.cfg

# --- values ---
bad "a word for a number" 'disorder.realizations.*many' disorder.realizations=many
bad "a fraction for a whole number" 'disorder.realizations.*2\.5' disorder.realizations=2.5
bad "no realizations" 'disorder.realizations = 0' disorder.realizations=0
bad "a negative number of realizations" 'disorder.realizations' disorder.realizations=-4
bad "a number too large to hold" 'disorder.realizations' disorder.realizations=99999999999999999999
bad "an unknown kind" 'model.couplings.*gauss.*gaussian' model.couplings=gauss
bad "a negative seed" 'campaign.seed' campaign.seed=-1
bad "dimension 5" 'model.dim = 5' model.dim=5
bad "dimension 0" 'model.dim = 0' model.dim=0
bad "no size" 'model.L is missing' model.L=
bad "odd L" 'model.L = 7 is odd' model.L=4,7
bad "L = 2" 'model.L = 2 is too small' model.L=2
bad "L = 0" 'model.L = 0' model.L=0
bad "negative L" 'model.L = -4' model.L=-4
bad "L too large" 'model.L = 130 is too large' model.L=130
bad "L twice" 'model.L holds 4 twice' model.L=4,4
bad "more memory than there is" 'GB' model.L=128 ladder.slots=1024 replicas.copies=4 backend.batch=100000
bad "T_min above T_max" 'T_min = 0.9 is not below ladder.T_max = 0.8' ladder.T_min=0.9
bad "T_min equal to T_max" 'is not below' ladder.T_min=0.8
bad "T_min = 0" 'ladder.T_min = 0 ' ladder.T_min=0
bad "a negative temperature" 'ladder.T_min = -0.1' ladder.T_min=-0.1
bad "a temperature that is no number" 'ladder.T_max' ladder.T_max=nan
bad "an infinite temperature" 'ladder.T_max' ladder.T_max=inf
bad "no T_min" 'ladder.T_min is missing' ladder.T_min=
bad "zero slots" 'ladder.slots = 0' ladder.slots=0
bad "one slot" 'ladder.slots = 1 ' ladder.slots=1
bad "too many slots" 'ladder.slots = 5000' ladder.slots=5000
bad "slots for other sizes" 'ladder.slots holds 3 entries' ladder.slots=4,5,6
bad "a ladder too fine for single precision" 'too close' ladder.T_min=0.2 ladder.T_max=0.200001 ladder.slots=64
bad "a list that descends" 'not ascending' ladder.temperatures=0.5,0.2 ladder.T_min= ladder.T_max= ladder.slots=
bad "three copies" 'replicas.copies = 3' replicas.copies=3
bad "no updates" "nothing would move" protocol.overrelaxation=0 protocol.heatbath=0
bad "no sweeps" 'protocol.sweeps_per_exchange = 0' protocol.sweeps_per_exchange=0
bad "no steps between measurements" 'protocol.exchanges_per_measurement = 0' protocol.exchanges_per_measurement=0
bad "an unknown schedule" 'protocol.exchange.*sequential.*even-odd' protocol.exchange=random
bad "a tile that does not fit" 'protocol.tile = 3' protocol.tile=3
bad "repeats without tiles" 'protocol.tile_repeats = 2 .*protocol.sweeps_per_exchange' protocol.tile_repeats=2
bad "no measurements" 'round.measurements = 0' round.measurements=0
bad "max_rounds below min_rounds" 'convergence.max_rounds = 4' convergence.max_rounds=4
bad "a negative n_tau" 'convergence.n_tau = -1' convergence.n_tau=-1
bad "averages that leave out all" 'convergence.equilibration_tau = 10 leaves nothing' convergence.n_tau=10
bad "a lease that is too short" 'workers.lease_seconds = 4' workers.lease_seconds=4
bad "no attempts" 'workers.max_attempts = 0' workers.max_attempts=0
bad "no pilots" 'ladder.pilots = 0' ladder.adapt=rejection ladder.pilots=0
bad "one round of adaptation" 'ladder.adapt_rounds = 1 ' ladder.adapt=rejection ladder.adapt_rounds=1
bad "an unknown adaptation" 'ladder.adapt.*rejection' ladder.adapt=acceptance
bad "adaptation of a list" 'ladder.adapt does not fit' ladder.adapt=rejection ladder.temperatures=0.2,0.5 \
  ladder.T_min= ladder.T_max= ladder.slots=
bad "a field without strength" 'model.field_strength' model.field=sphere
bad "a strength without field" 'model.field_strength' model.field_strength=0.5
bad "too many threads" 'backend.threads = 5000' backend.threads=5000
bad "a negative batch" 'backend.batch = -1' backend.batch=-1
bad "an unknown instruction set" 'backend.isa.*portable' backend.isa=sse
if [[ $machine =~ cuda\ +not\ available ]]; then
  bad "cuda without a device" 'backend.kind = cuda cannot be used' backend.kind=cuda
else
  skip_part "cuda without a device (there is one)"
fi
for isa in avx2 avx512; do
  if has_instruction_set "$isa"; then continue; fi
  bad "an instruction set that is not there" "backend.isa = $isa cannot be used" backend.isa=$isa
done

# --- coupling and field files ---
for kind in couplings field; do
  key="model.${kind}_file"
  bad "$kind = file without a file" "$key is missing" model.$kind=file
  bad "a $kind file without use" "$key is given without use" $key=x.txt
  bad "a missing $kind file" 'x.txt.*No such file' model.$kind=file $key=x.txt
  bad "a $kind file for two sizes" 'does not fit 2 sizes' model.$kind=file $key=x.txt model.L=4,6
done
# malformed KIND WHAT PATTERN LINE...: a file of two good lines followed by these.
malformed() {
  local kind="$1" what="$2" pattern="$3"
  shift 3
  case "$kind" in
    couplings) printf '0 0 1.5\n0 1 -0.5\n' >lines.txt ;;
    field) printf '0 1 0 0\n1 0 1 0\n' >lines.txt ;;
  esac
  printf '%s\n' "$@" >>lines.txt
  bad "$kind file: $what" "lines.txt:3: .*$pattern" "model.$kind=file" "model.${kind}_file=lines.txt"
}
malformed couplings "too few columns" '2 columns instead of 3' '1 0'
malformed couplings "too many columns" '4 columns instead of 3' '1 0 1 1'
malformed couplings "a bond twice" 'a second time' '0 0 1.0'
malformed couplings "a site outside" 'site 64 is out of range' '64 0 1'
malformed couplings "a negative site" 'site -1' '-1 0 1'
malformed couplings "an axis outside" 'axis 3 is out of range' '1 3 1'
malformed couplings "a fraction of a site" "'1.5'" '1.5 0 1'
malformed couplings "nan" 'nan' '1 0 nan'
malformed couplings "infinity" 'inf' '1 0 inf'
malformed couplings "a word" "'strong'" '1 0 strong'
malformed couplings "far too large" '1e\+?30' '1 0 1e30'
malformed field "too few columns" '3 columns instead of 4' '2 1 0'
malformed field "a site twice" 'a second time' '0 1 1 1'
malformed field "a site outside" 'site 64 is out of range' '64 1 0 0'
malformed field "nan" 'nan' '2 1 nan 0'
head -c 20000 /dev/urandom | tr '\n' ' ' >noise.txt
bad "a coupling file of noise" 'noise.txt:1: ' model.couplings=file model.couplings_file=noise.txt
mkdir -p folder.txt
bad "a directory as coupling file" 'folder.txt is a folder' model.couplings=file model.couplings_file=folder.txt

# --- what is no file, or no text ---
# prompt COMMAND...: nobody waits for what has no end.
prompt() { timeout 20 "$@"; }
mkfifo fifo
for file in fifo /dev/zero /dev/null; do
  kind=device
  if [[ $file == fifo ]]; then kind=FIFO; fi
  unusable "$file as configuration" "it is a $kind" prompt "$glassworks" run $file --campaign.directory=bad
  unusable "$file as coupling file" "it is a $kind" prompt "$glassworks" run good.cfg --campaign.directory=bad \
    --model.couplings=file "--model.couplings_file=$file"
  unusable "$file as field file" "it is a $kind" prompt "$glassworks" run good.cfg --campaign.directory=bad \
    --model.field=file "--model.field_file=$file"
  unusable "$file as edge list" "it is a $kind" prompt "$glassworks" percolate --edges $file --p 0.5
  unusable "$file as reference" "it is a $kind" prompt "$glassworks" report stored --out bad.html --reference $file
done
truncate -s 4G huge
for file in huge stored/campaign.sqlite; do
  unusable "$file as edge list" "too large|byte 0x0" prompt "$glassworks" percolate --edges $file --p 0.5
  unusable "$file as reference" "too large|byte 0x0" prompt "$glassworks" report stored --out bad.html --reference $file
done
rm huge
{ printf '\xEF\xBB\xBF'; cat good.cfg; } >marked.cfg
"$glassworks" run marked.cfg --campaign.directory=bad --dry-run >/dev/null || fail "a byte order mark of UTF-8"
{ printf '\xFF\xFE'; sed 's/./&\x00/g' good.cfg; } >wide.cfg
unusable "UTF-16" 'UTF-16' "$glassworks" run wide.cfg --campaign.directory=bad
sed 's/./&\x00/g' good.cfg >wide.cfg
unusable "UTF-16 without a mark" 'wide.cfg:1: the byte 0x00.*UTF-16' "$glassworks" run wide.cfg --campaign.directory=bad
for what in '' '# nothing' $'\n\n'; do
  printf '%s' "$what" >nothing.txt
  bad "an empty coupling file" 'it holds no bond' model.couplings=file model.couplings_file=nothing.txt
  bad "an empty field file" 'it holds no field' model.field=file model.field_file=nothing.txt
done
unusable "a line end in a key" 'control character' "$glassworks" run good.cfg --campaign.directory=$'bad\nmodel.L = 6'
for row in nan,0.5 4.7,0.5 -4,0.5 99999999999,0.5 4,nan 4,inf 4,-1; do
  printf 'L,T,observable,mean,error\n%s,energy,-1,0.1\n' "$row" >reference.csv
  unusable "a reference at L,T = $row" "reference.csv cannot be used \(line 2: [LT] = " \
    "$glassworks" report stored --out bad.html --reference reference.csv
done
[[ ! -e bad.html && ! -e bad ]] || fail "something was made of unusable files"
mkdir gone
in_no_directory() { (cd gone && rmdir ../gone && "$@"); }
unusable "no working directory" 'working directory|No such file' in_no_directory "$glassworks" run ../good.cfg --dry-run

# --- a lock that is none ---
echo precious >precious
cp -r stored locked
rm -f locked/campaign.lock
ln -s ../precious locked/campaign.lock
unusable "a link as lock" 'campaign.lock is not its lock: it is a symbolic link' prompt \
  "$glassworks" run good.cfg --campaign.directory=locked
unusable "a link as lock, read" 'it is a symbolic link' prompt "$glassworks" status locked
[[ $(cat precious) == precious ]] || fail "the target of the link was changed"
rm locked/campaign.lock
mkfifo locked/campaign.lock
unusable "a FIFO as lock" 'it is a FIFO' prompt "$glassworks" run good.cfg --campaign.directory=locked
unusable "a FIFO as lock, read" 'it is a FIFO' prompt "$glassworks" status locked
rm locked/campaign.lock
echo "remember the milk" >locked/campaign.lock
unusable "a text as lock" 'it holds something else' prompt "$glassworks" run good.cfg --campaign.directory=locked
[[ $(cat locked/campaign.lock) == "remember the milk" ]] || fail "a foreign campaign.lock was changed"
rm locked/campaign.lock
run_quietly good.cfg locked
digests locked | cmp -s - stored.digests || fail "the campaign behind the lock is not whole"

# --- a limit of the size of files is an error with a sentence, and no signal ---
limited() { (ulimit -f 40 && "$@"); }
refused "a limit of the size of files" 'File too large|space' limited \
  "$glassworks" run good.cfg --campaign.directory=limited --model.L=8

# --- directories that cannot be written ---
echo text >plain_file
unusable "a directory below a file" 'plain_file.*cannot be written' \
  "$glassworks" run good.cfg --campaign.directory=plain_file/campaign
unusable "a file as directory" 'plain_file.*cannot be written' "$glassworks" run good.cfg --campaign.directory=plain_file
[[ $(cat plain_file) == text ]] || fail "the file was changed"
unusable "a directory in /proc" '/proc/campaign.*cannot be written' \
  "$glassworks" run good.cfg --campaign.directory=/proc/campaign
# Root may write everywhere, so it looks with the eyes of another user, if that one can reach the program.
other_user=()
if [[ $EUID -eq 0 ]]; then other_user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
chmod 0755 "$scratch"
if "${other_user[@]}" "$glassworks" --version >/dev/null 2>&1 && "${other_user[@]}" test -r "$scratch/good.cfg"; then
  mkdir sealed
  chmod 0555 sealed
  unusable "a directory without write permission" 'sealed.*cannot be written \(Permission denied' \
    "${other_user[@]}" "$glassworks" run good.cfg --campaign.directory=sealed/campaign
  unusable "a table into it" 'sealed.*Permission denied' \
    "${other_user[@]}" "$glassworks" analyze stored --csv sealed/table.csv
  cp -r stored foreign
  chmod -R a-w foreign
  unusable "a campaign without write permission" 'foreign.*(cannot be written|read-only)' \
    "${other_user[@]}" "$glassworks" run good.cfg --campaign.directory=foreign
  install -m 0600 good.cfg secret.cfg
  if [[ $EUID -eq 0 ]]; then
    unusable "a configuration without read permission" 'secret.cfg.*Permission denied' \
      "${other_user[@]}" "$glassworks" run secret.cfg
  fi
else
  skip_part "directories without write permission (no other user who can reach the program)"
fi
unusable "a table below a file" 'plain_file' "$glassworks" analyze stored --csv plain_file/table.csv
unusable "a table into a missing directory" 'nowhere' "$glassworks" analyze stored --csv nowhere/table.csv
unusable "a table in place of a directory" 'stored' "$glassworks" analyze stored --csv stored

# --- another configuration for the same campaign ---
changed() {
  local what="$1" line="$2"
  shift 2
  unusable "changed $what" 'configuration differs' "$glassworks" run good.cfg --campaign.directory=stored "$@"
  grep -qxF "  $line" refused.err || fail "changed $what: '$line' is not in: $(cat refused.err)"
}
changed seed 'campaign.seed: 7 -> 8' --campaign.seed=8
changed sizes 'model.L: 4 -> 6 (a size that has begun stays; list it too)' --model.L=6
changed couplings 'model.couplings: gaussian -> bimodal' --model.couplings=bimodal
changed ladder 'ladder.T_min: 0.2 -> 0.25 (temperatures stay: replicas have exchanged with exactly these)' --ladder.T_min=0.25
changed "maximum of rounds" 'convergence.max_rounds: 12 -> 10' --convergence.max_rounds=10
changed "number of realizations" 'disorder.realizations: 5 -> 4' --disorder.realizations=4
changed "minimum of rounds" 'convergence.min_rounds: 8 -> 9' --convergence.min_rounds=9
changed "what averages leave out" 'convergence.equilibration_tau: 10 -> 5' --convergence.equilibration_tau=5
changed adaptation 'ladder.adapt: none -> rejection (temperatures stay: replicas have exchanged with exactly these)' --ladder.adapt=rejection
# What may be raised is not, where something else differs.
changed "seed with a raised maximum" 'campaign.seed: 7 -> 8' --campaign.seed=8 --convergence.max_rounds=40
[[ $(wc -l <refused.err) -eq 2 ]] || fail "a change that is allowed: $(cat refused.err)"
changed "seed and copies" 'replicas.copies: 2 -> 4' --campaign.seed=8 --replicas.copies=4
[[ $(wc -l <refused.err) -eq 3 ]] || fail "two changes: $(cat refused.err)"

# --- no campaign ---
mkdir nothing
for verb in status analyze inspect verify; do
  unusable "$verb of an empty directory" 'no campaign in nothing' "$glassworks" $verb nothing
  unusable "$verb of a missing directory" 'no campaign in missing' "$glassworks" $verb missing
  unusable "$verb of a file" 'no campaign in plain_file' "$glassworks" $verb plain_file
done
[[ -z $(ls -A nothing) && ! -e missing ]] || fail "reading made files"
fingerprint stored >stored.after
cmp -s stored.before stored.after || fail "the campaign was changed: $(diff stored.before stored.after)"
run_quietly good.cfg stored --backend.kind=reference --backend.threads=2 --backend.batch=2  # these may change
digests stored | cmp -s - stored.digests || fail "the digests of the campaign have changed"
echo "ok   the campaign is untouched"
