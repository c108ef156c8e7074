#!/usr/bin/env bash
# percolate: averages, thresholds, files, every graph, reproducible numbers, signals, bad input.
. "$(dirname -- "$0")/common.sh"

# numbers FILE: what does not depend on the clock.
numbers() { grep -v ',labelling_seconds,' "$1"; }

"$glassworks" percolate --graph square --size 16 --size 48 --p 0.44:0.56:0.01 --samples 400 --threads 1 \
  --csv one.csv --plot page.html >one.txt
grep -q 'square 48 x 48, periodic (2304 sites, 4608 bonds): bonds occupied' one.txt || fail "heading: $(cat one.txt)"
grep -q 'Exact threshold of the infinite lattice: 0.5$' one.txt || fail "no exact threshold: $(cat one.txt)"
grep -q 'Content-Security-Policy' page.html || fail "the page does not forbid the network"
python3 - one.txt one.csv <<'PYTHON' || fail "thresholds or averages are wrong"
import csv, re, sys
found = re.findall(r"^ +(?:wrapping|as often).* 0\.(\d+)\((\d+)\)$", open(sys.argv[1]).read(), re.M)
if len(found) != 4:
    sys.exit(f"{len(found)} thresholds")
for digits, error in found:
    value, error = float("0." + digits), float(error) * 10.0 ** -len(digits)
    if not abs(value - 0.5) < 4 * error < 0.05:
        sys.exit(f"threshold {value} +- {error}")
rows = list(csv.DictReader(open(sys.argv[2])))
if len(rows) != 2 * 13 * 9:
    sys.exit(f"{len(rows)} rows")
occupied = [r for r in rows if r["quantity"] == "occupied"]
if any(abs(float(r["mean"]) - float(r["p"])) > 5 * float(r["error"]) for r in occupied):
    sys.exit("occupied fraction")
PYTHON
echo "ok   $(grep 'as often.*48' one.txt)"

"$glassworks" percolate --graph square --size 48 --size 16 --p 0.44:0.56:0.01 --samples 400 --threads 4 \
  --method breadth-first --backend cpu --csv four.csv >/dev/null
[[ $(numbers one.csv) == "$(numbers four.csv)" ]] || fail "numbers depend on threads or method: $(diff one.csv four.csv | head -4)"
"$glassworks" percolate --graph square --size 48 --size 16 --p 0.44:0.56:0.01 --samples 400 --seed 2 --csv other.csv >/dev/null
[[ $(numbers one.csv) != "$(numbers other.csv)" ]] || fail "numbers do not depend on the seed"
echo "ok   the same numbers for any threads and method"

"$glassworks" percolate --graph square --size 8 --size 16 --p 0.44,0.56 --samples 1 >single.txt
! grep -q nan single.txt || fail "an error of one sample: $(cat single.txt)"
echo "ok   one sample has no error"

printf '# a ring and a pair\n0 1\n1 2\n2 3\n3 0\n4 5\n' >edges.txt
for graph in '--graph chain --size 9' '--graph cubic --size 6 --sites' '--graph 4d --size 4 --open' \
  '--graph triangular --size 9x12 --open' '--graph honeycomb --size 10 --sites' \
  '--graph bethe --generations 6 --z 4 --numbering random' '--edges edges.txt'; do
  # shellcheck disable=SC2086
  "$glassworks" percolate $graph --p 0,0.3,0.6,1 --samples 20 --csv graph.csv --plot graph.svg --force >graph.txt
  [[ $(head -c 5 graph.svg) == '<?xml' ]] || fail "$graph: no figure"
  grep -q ',1,n\?largest,1,0$' graph.csv || [[ $graph == --edges* ]] || fail "$graph: not one cluster at p = 1: $(cat graph.csv)"
  grep -q ',0,occupied,0,0$' graph.csv || fail "$graph: occupied at p = 0"
done
grep -q ',1,clusters,0.3333333333333333,0$' graph.csv || fail "a ring and a pair are two clusters of six sites: $(cat graph.csv)"
echo "ok   every graph"

declare -A begins=([pdf]='%PDF' [png]=PNG [eps]='%!PS-Adobe' [html]='<!DOCTYPE html>')
for suffix in "${!begins[@]}"; do
  "$glassworks" percolate --edges edges.txt --p 0.3,0.6 --samples 2 --plot "figure.$suffix" >graph.txt
  head -c 30 "figure.$suffix" | grep -qaFi -e "${begins[$suffix]}" || fail "figure.$suffix is no such file"
done
echo "ok   every format of figures"

# Ctrl-C ends it with status 130 and leaves nothing.
"$glassworks" percolate --graph square --size 256 --p 0:1:0.01 --samples 1000000 --csv stopped.csv >stopped.txt 2>&1 &
process=$!
# Until it catches SIGINT, the second bit of the mask.
until [[ $(awk '/SigCgt/ { print substr($2, length($2)) }' "/proc/$process/status") == [2367abef] ]]; do
  kill -0 $process || fail "ended by itself: $(cat stopped.txt)"
done
status=0
kill -INT $process
wait $process || status=$?
[[ $status -eq 130 && ! -e stopped.csv ]] || fail "stopped by a signal with status $status: $(cat stopped.txt)"
grep -q 'Stopped by a signal' stopped.txt || fail "no word of it: $(cat stopped.txt)"
echo "ok   a signal"

refused "no graph" "graph = ''" "$glassworks" percolate --p 0.5
refused "no p" 'needs --p' "$glassworks" percolate --graph square --size 8
refused "p out of range" "'1.5' is no number from 0 to 1" "$glassworks" percolate --graph square --size 8 --p 0.5,1.5
refused "odd honeycomb" 'an extent is odd' "$glassworks" percolate --graph honeycomb --size 9 --p 0.5
refused "too many sites" '2\^31' "$glassworks" percolate --graph cubic --size 2000 --p 0.5
refused "method" "there are breadth-first, union-find, parallel on the CPU" \
  "$glassworks" percolate --graph square --size 8 --p 0.5 --method fast --backend cpu
refused "plot" 'suffix' "$glassworks" percolate --graph square --size 8 --p 0.5 --plot figure.txt
refused "csv" 'there is no directory' "$glassworks" percolate --graph square --size 8 --p 0.5 --csv none/x.csv
printf '0 1\n1 one\n' >bad.txt
refused "edges" "bad.txt:2: 'one' is not a site" "$glassworks" percolate --edges bad.txt --p 0.5
refused "operand" 'takes options only' "$glassworks" percolate square
