#!/usr/bin/env bash
# Campaigns of another version, whose rounds hold other columns: they are read by the names of their columns, and not
# continued.
fuzz="$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")/../fuzz")"
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
work_in_memory

small=(disorder.realizations=4 ladder.slots=4 convergence.min_rounds=8 convergence.max_rounds=8 backend.threads=1)
ising=(model.type=ising model.dim=2 protocol.overrelaxation= protocol.exchange=none ladder.T_min=1.5 ladder.T_max=3)

# store DIR CHANGE: stores the rounds again with other columns: reversed, more (a new one) or fewer (without NAME).
store() {
  rm -rf "$2" && cp -r "$1" "$2"
  PYTHONPATH="$fuzz" python3 - "$2/campaign.sqlite" "${@:3}" <<'PYTHON'
import sqlite3, struct, sys
from formats import blob_checksum, row_checksum

path, change, *removed = sys.argv[1:]
connection = sqlite3.connect(path)
connection.row_factory = sqlite3.Row


def changed(names):
    names = [name for name in names if name not in removed]
    return {"reversed": names[::-1], "more": names[:1] + ["twist"] + names[1:], "fewer": names}[change]


def moved(blob, kind, names):
    values = struct.unpack(f"<{len(blob) // struct.calcsize(kind)}{kind}", blob)
    rows = [dict(zip(names, values[i:])) for i in range(0, len(values), len(names))] if names else []
    moved = [row.get(name, 1e6) for row in rows for name in changed(names)]
    return struct.pack(f"<{len(moved)}{kind}", *moved)


BINS = ["means", "exchange_attempts", "exchange_accepted", "walk_up", "walk_down", "walk_mean", "round_trips"]
for size in connection.execute("SELECT * FROM sizes").fetchall():
    columns, samples = size["observables"].split(), size["sample_names"].split()
    texts = ["".join(name + "\n" for name in changed(names)) for names in (columns, samples)]
    checksum = row_checksum([size["L"], size["temperatures"], texts[0].encode(), size["realizations"], size["adapting"]] +
                            ([texts[1].encode()] if samples else []))
    connection.execute("UPDATE sizes SET observables = ?, sample_names = ?, checksum = ? WHERE L = ?",
                       (*texts, checksum, size["L"]))
    for row in connection.execute("SELECT * FROM rounds WHERE L = ?", (size["L"],)).fetchall():
        row = dict(row)
        row["means"], row["samples"] = moved(row["means"], "d", columns), moved(row["samples"], "f", samples)
        row["observables"] = len(changed(columns))
        for name in BINS + ["samples"]:
            row[name + "_checksum"] = blob_checksum(row[name])
        values = [row[name] for name in ("L", "realization", "round", "attempt", "provenance", "seconds", "measurements",
                                         "slots", "observables", "replicas")] + [row[name + "_checksum"] for name in BINS]
        if row["samples_per_slot"] > 0:
            values += [row["samples_per_slot"], row["samples_checksum"]]
        row["checksum"] = row_checksum(values)
        names = ["means", "samples", "observables", "means_checksum", "samples_checksum", "checksum"]
        connection.execute(f"UPDATE rounds SET {', '.join(name + ' = ?' for name in names)} WHERE L = ? AND realization = ? "
                           "AND round = ?", [row[name] for name in names + ["L", "realization", "round"]])
connection.commit()
PYTHON
}

# shown DIR TO: what the verbs show of a campaign, without its directory.
shown() {
  rm -rf "$2" && mkdir "$2"
  "$glassworks" status "$1" >"$2/status" || fail "status $1"
  "$glassworks" why "$1" --realization 1 >"$2/why" || fail "why $1"
  "$glassworks" analyze "$1" --csv "$2/analyze.csv" --force >"$2/analyze" || fail "analyze $1"
  "$glassworks" report "$1" --out "$2/page.html" --csv "$2/numbers" --force >"$2/report" || fail "report $1"
  "$glassworks" export "$1" --csv --bins --out "$2/tables" >"$2/export" || fail "export $1"
  rm "$2/page.html" "$2/tables/MANIFEST"* 2>/dev/null || true
  find "$2/tables" -name '*bins*' -exec sort -o {} {} \;
  find "$2" -type f -exec sed -i "s#$1#DIR#g; s#$2#OUT#g" {} +
}

# refuses DIR PATTERN: nothing is begun, and nothing is changed.
refuses() {
  local before after
  before="$(fingerprint "$1")"
  refused "run $1" "cannot be continued by this version \($2\)\. Continue it with version " "$glassworks" run "$config" --campaign.directory="$1"
  refused "run $1 --dry-run" "cannot be continued by this version" "$glassworks" run "$config" --campaign.directory="$1" --dry-run
  after="$(fingerprint "$1")"
  [[ "$before" == "$after" ]] || fail "run $1 has changed files"
  "$glassworks" verify "$1" --recompute 2 >verify.txt && fail "verify $1 finds nothing"
  [[ $(grep -c '^Problem: Another version wrote the campaign' verify.txt) -eq 1 && $(grep -c '^Problem' verify.txt) -eq 1 ]] ||
    fail "verify $1: $(cat verify.txt)"
}

for model in heisenberg ising; do
  config=$model.cfg
  keys=()
  if [[ $model == ising ]]; then keys=("${ising[@]}"); fi
  write_config "$config" "${small[@]}" "${keys[@]}"
  run_quietly "$config" $model
  shown $model $model.shown
  store $model $model.reversed reversed
  store $model $model.more more
  for change in reversed more; do
    shown $model.$change $model.$change.shown
    diff -r -x tables $model.shown $model.$change.shown >differences || fail "$model, $change: $(head -n 20 differences)"
  done
  refuses $model.reversed "the bins of L = 4 are in another order, .*"
  refuses $model.more "the bins of L = 4 hold twist, unknown to this version"
  store $model $model.fewer fewer energy_squared
  refuses $model.fewer "the bins of L = 4 lack energy_squared"
  "$glassworks" why $model.fewer --realization 1 >/dev/null || fail "why $model.fewer"
  refused "analyze $model.fewer" "no observable 'energy_squared'" "$glassworks" analyze $model.fewer
  echo "ok   $model"
done
