#!/usr/bin/env bash
# Figures 7 and 10 of Y. Komura, A generalized GPU-based connected component labeling algorithm (2016), with the times of the
# GPU alone: bonds and labels stay on the device.
#
#   build/cluster_bench komura >komura.jsonl
#   bash configs/papers/komura-2016/device-times.sh komura.jsonl
#
# Writes figure-7.csv and figure-10.csv (graph, numbering, p/p_c, N, method, ms) and draws them with gnuplot as
# figure-7.svg and figure-10.svg, time against N for p = 0.5, 1 and 1.5 p_c: the direct method of that paper (points with
# lines), the method `tiles` of this program (dashed), which knows lattices only, and label equivalence (dotted).
set -euo pipefail
[[ $# -eq 1 && -r $1 ]] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }

rows() { # rows PATTERN: CSV rows of the graphs that match
  grep -E "\"graph\": ?\"($1)" "$2" | sed -E 's/[{}"]//g; s/^ +//' | awk -F', ?' '
    {
      numbering = ""
      for (i = 1; i <= NF; ++i) {
        split($i, pair, /: ?/)
        if (pair[1] == "graph") { graph = pair[2]; sub(/ .*/, "", graph) }
        if (pair[1] == "p") p = pair[2]
        if (pair[1] == "method") method = pair[2]
        if (pair[1] == "ms") ms = pair[2]
      }
      if (graph == "Bethe") numbering = /random numbering/ ? "random" : "standard"
      if (match($0, /[0-9]+ x [0-9]+/)) { split(substr($0, RSTART, RLENGTH), edge, " x "); N = edge[1] * edge[2] }
      if (match($0, /[0-9]+ generations/)) { split(substr($0, RSTART, RLENGTH), g, " "); N = 3 * 2 ^ g[1] - 2 }
      threshold = graph == "honeycomb" ? 0.652703644666139 : graph == "triangular" ? 0.347296355333861 : 0.5
      printf "%s,%s,%.1f,%d,%s,%s\n", graph, numbering, p / threshold, N, method, ms
    }'
}
curve() { # curve FILE GRAPH NUMBERING RATIO METHOD: "N ms" lines
  awk -F, -v g="$2" -v n="$3" -v r="$4" -v m="$5" '$1 == g && $2 == n && $3 == r && $5 == m { print $4, $6 }' "$1"
}
draw() { # draw NAME GRAPH:NUMBERING...
  local name="$1" kind title ratio method plot="" colour=0 data dash
  shift
  data="$(mktemp -d)"
  for kind in "$@"; do
    title="${kind/:/ }"
    for ratio in 0.5 1.0 1.5; do
      colour=$((colour + 1))
      for method in direct tiles label-equivalence; do
        curve "$name.csv" "${kind%:*}" "${kind#*:}" "$ratio" "$method" >"$data/$colour-$method"
        [[ -s $data/$colour-$method ]] || continue
        if [[ $method == direct ]]; then
          plot+="'$data/$colour-direct' using 1:2 with linespoints lc $colour pt $colour title '${title% }, $ratio p_c', "
        else
          dash=2
          [[ $method == tiles ]] || dash=3
          plot+="'$data/$colour-$method' using 1:2 with lines lc $colour dt $dash notitle, "
        fi
      done
    done
  done
  gnuplot -e "set terminal svg size 700,480 background 'white'; set output '$name.svg'; set logscale xy; set key left top;
    set xlabel 'N'; set ylabel 'time of a labelling [ms]'; set format y '10^{%L}'; set xrange [2e5:2.5e7]; plot ${plot%, }"
  rm -r "$data"
}

for name in figure-7 figure-10; do
  if [[ $name == figure-7 ]]; then graphs="honeycomb|triangular"; else graphs="Bethe"; fi
  { echo graph,numbering,p_over_pc,N,method,ms && rows "$graphs" "$1"; } >"$name.csv"
done
draw figure-7 honeycomb: triangular:
draw figure-10 Bethe:standard Bethe:random
