#!/usr/bin/env bash
# Figures and tables of M. Weigel, Phys. Rev. E 84, 036709 (2011), that the program can repeat.
#
#   bash configs/papers/weigel-2011/run.sh [--only PART] [--out DIR] [--dry-run] [--section.key=value ...]
#
# --only PART   table-1     Swendsen-Wang updates of Potts models: table-1.csv of whole campaigns
#               figure-2, figure-6, figure-8, figure-9, figure-11   labelling on a GPU: .svg
#               figure-10   updates against L: figure-10.csv of whole campaigns, .svg
#               figure-12   updates against beta: figure-12.csv of whole campaigns, .svg
#               figure-13   updates against L on one core: figure-13.csv; speed-up of figure-10 over it: figure-13.svg
#               figure-14   few-cluster beside single-cluster updates on one core: figure-14-L32.txt, -L64, -L128; on a GPU: .svg
# --out DIR     where all of it goes (campaigns/weigel-2011)
# --dry-run     prints the commands, and those of all campaigns
#
# The first part that needs them takes the times of the GPU alone, for all parts: device/weigel.jsonl and device/*.csv (a few
# minutes; remove device/weigel.jsonl to measure again). Parts without a GPU leave them out.
# Keys such as --backend.kind=cuda go to every campaign; ONLY= and SYSTEMS= are those of published-timings.sh.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/../common.sh"

# on_device: times of the GPU alone, once; false where there is none.
on_device() {
  if [[ -n $dry_run || ! -s $out/device/weigel.jsonl ]]; then
    [[ -n $dry_run ]] || mkdir -p -- "$out/device"
    bench_on_gpu "$out/device/weigel.jsonl.part" weigel || return 1
    [[ -n $dry_run ]] || mv -- "$out/device/weigel.jsonl.part" "$out/device/weigel.jsonl"
  fi
  step python3 configs/papers/weigel-2011/device-times.py "$out/device/weigel.jsonl" --out "$out/device"
}

# of_rows FIGURE COLUMN VALUE: gnuplot reads the rows of a CSV file of the device where a column has a value.
of_rows() { echo "'< awk -F, -v value=$3 \"\\\$$2 == value\" $out/device/$1.csv'"; }

part_table_1() {
  timings weigel table-1
  on_device || true
}

part_figure_2() {
  on_device || return 0
  local name plot=""
  for name in self-labelling union-find breadth-first; do
    plot+="$(of_rows figure-2 1 $name) using 2:(\$3*\$2*\$2/1e3) with linespoints title '$name', "
  done
  draw figure-2 "set logscale xy; set xlabel 'B'; set ylabel 'ns per tile'; set key left top;
    plot $plot '$out/device/figure-2.csv' every ::1 using 2:(\$4*\$2*\$2/1e3) with points pt 6 lc 'black' title 'GTX 480'"
}

part_figure_6() {
  on_device || return 0
  local B plot=""
  for B in 4 8 16 32 64; do plot+="$(of_rows figure-6 1 $B) using 3:4 with linespoints title 'B = $B', "; done
  draw figure-6 "set logscale xy; set xlabel 'L/B'; set ylabel 'passes of a relaxation'; set key left top;
    plot $plot [100:1024] 2*x**1.0766 with lines lc 'black' title '2 (L/B)^{1.0766}'"
}

part_figure_8() {
  on_device || return 0
  local B plot="" colour=0
  for B in 4 8 16 32 64; do
    colour=$((colour + 1))
    plot+="$(of_rows figure-8 1 $B) using 2:3 with linespoints lc $colour title 'B = $B', "
    plot+="$(of_rows figure-8 1 $B) using 2:4 with lines dt 2 lc $colour notitle, "
  done
  draw figure-8 "set logscale xy; set xlabel 'L'; set ylabel 'sewing, ps per site (dashed: fit for the GTX 480)'; plot ${plot%, }"
}

part_figure_9() {
  on_device || return 0
  draw figure-9 "set logscale xy 2; set xlabel 'L'; set ylabel 'best B of label relaxation'; set key left top; set yrange [2:128];
    plot '$out/device/figure-9.csv' every ::1 using 1:2 with linespoints title 'here',
      '' every ::1 using 1:3 with points pt 6 lc 'black' title 'GTX 480, B up to 64'"
}

# paper,table,row,CPU ns,CPU,GPU ns,GPU,ns,device,updates,start
part_figure_10() {
  timings weigel-sizes figure-10
  local plot="'$out/figure-10.csv' every ::1 using 3:(1e3*\$8) with linespoints title 'updates of campaigns by bench'"
  if on_device; then
    plot+=", $(device_curves figure-10 1 '3:relaxation, best B' '4:sewing, B = 16' '5:label equivalence' 6:direct 7:tiles \
      '8:updates of campaigns'), '$out/device/figure-10.csv' every ::1 using 1:9 with points pt 6 lc 'black' title 'relaxation, GTX 480',
      '' every ::1 using 1:10 with points pt 4 lc 'black' title 'sewing, GTX 480'"
  fi
  draw figure-10 "set key below maxrows 5 samplen 2; set logscale xy; set xlabel 'L'; set ylabel 'ps per spin and update'; plot $plot"
}

# device_curves FIGURE X COLUMN:TITLE...: curves of a CSV file of the device.
device_curves() {
  local figure="$1" x="$2" curve plot=""
  shift 2
  for curve in "$@"; do
    plot+="'$out/device/$figure.csv' every ::1 using $x:${curve%%:*} with linespoints title '${curve#*:}', "
  done
  echo "${plot%, }"
}

part_figure_11() {
  on_device || return 0
  draw figure-11 "set logscale xy; set xlabel 'L'; set ylabel 'ps per spin (open: GTX 480)';
    plot $(device_curves figure-11 1 2:activation 3:tiles 4:sewing 5:flip),
      for [i = 6:9] '$out/device/figure-11.csv' every ::1 using 1:i with points pt 6 lc i-5 notitle"
}

part_figure_12() {
  timings weigel-beta figure-12
  local plot="'$out/figure-12.csv' every ::1 using 3:(1e3*\$8) with linespoints title 'updates of campaigns by bench'"
  if on_device; then
    plot+=", $(device_curves figure-12 1 '2:relaxation, B = 16' '3:B = 32' '4:B = 64' '5:sewing, B = 16' '6:B = 64' '7:label equivalence' \
      8:direct 9:tiles '10:updates of campaigns'), '$out/device/figure-12.csv' every ::1 using 1:11 with points pt 6 lc 'black'
      title 'relaxation, GTX 480', '' every ::1 using 1:12 with points pt 4 lc 'black' title 'sewing, GTX 480'"
  fi
  draw figure-12 "set key below maxrows 5 samplen 2; set logscale y; set xlabel 'beta/beta_c'; set ylabel 'ps per spin and update'; plot $plot"
}

# speed_up FILE COLUMN FACTOR L: lines L,ratio of the times of one core over those of a column; L: the column of sizes.
speed_up() {
  sed '1d; s/"[^"]*"//g' "$1" | awk -F, -v column="$2" -v factor="$3" -v L="$4" 'NR == FNR { core[$3] = $8; next }
    core[$L] > 0 && $column > 0 { print $L "," core[$L] / $column * factor }' <(sed '1d; s/"[^"]*"//g' "$out/figure-13.csv") -
}

part_figure_13() {
  timings weigel-sizes figure-13 --backend.kind=cpu --backend.threads=1
  [[ -n $dry_run || -e $out/figure-10.csv ]] || { echo "figure-13.svg is left out (there is no $out/figure-10.csv). Run figure-10 first."; return; }
  [[ -n $dry_run ]] || speed_up "$out/figure-10.csv" 8 1 3 >"$out/figure-13-speed-up.csv"
  local plot="'$out/figure-13-speed-up.csv' using 1:2 with linespoints title 'updates of campaigns by bench'" column
  if on_device; then
    for column in '3:relaxation' '4:sewing' '8:updates of campaigns'; do
      [[ -n $dry_run ]] || speed_up "$out/device/figure-10.csv" "${column%%:*}" 1000 1 >"$out/device/figure-13-${column%%:*}.csv"
      plot+=", '$out/device/figure-13-${column%%:*}.csv' using 1:2 with linespoints title '${column#*:}'"
    done
  fi
  draw figure-13 "set logscale xy; set xlabel 'L'; set ylabel 'time on one core / time on the device'; set key below maxrows 5 samplen 2;
    published = '< echo 512,9,5; echo 8192,11,24';
    plot $plot, published using 1:2 with points pt 6 lc 'black' title 'relaxation, GTX 480 over Q6700',
      published using 1:3 with points pt 4 lc 'black' title 'sewing'"
}

part_figure_14() {
  local L
  for L in 32 64 128; do
    step_into "$out/figure-14-L$L.txt" bash configs/papers/weigel-2011/few-cluster/compare.sh "$out/few-cluster" 2 $L swendsen-wang wolff \
      $((L / 2)):0.95 $((L / 4)):0.95 ${options[@]+"${options[@]}"}
  done
  on_device || return 0
  echo "awk writes $out/figure-14-speed-up.csv"
  [[ -n $dry_run ]] || few_cluster_speed_up >"$out/figure-14-speed-up.csv"
  draw figure-14 "set logscale xy; set xlabel 'L'; set ylabel 'Wolff on one core / few-cluster on the device'; set key left top;
    plot for [tile in '2 4'] '< grep ,L/'.tile.',1, $out/figure-14-speed-up.csv' using 1:4 with linespoints title 'one system, tile L/'.tile,
      for [tile in '2 4'] '< grep -v ,1, $out/figure-14-speed-up.csv | grep ,L/'.tile using 1:4 with linespoints title 'many, tile L/'.tile"
}

# few_cluster_speed_up: lines L,tile,systems,ratio of the times per site that an update moves. Both have the same chains, so
# that what few-cluster moves on a GPU is known from the runs on one core.
few_cluster_speed_up() {
  awk 'FILENAME ~ /txt$/ {
      if ($1 != 2) next
      if ($3 == "wolff") wolff[$2] = $7 / $6; else if ($3 ~ /:/) { split($3, tile, ":"); moved[$2, $2 / tile[1]] = $6 }
      next
    }
    { gsub(/"/, ""); split($0, c, ","); n = split(c[2] c[3], word, "/"); part = word[n] + 0 }
    /few-cluster/ && ((c[1], part) in moved) { print c[1] ",L/" part "," c[4] "," wolff[c[1]] / (c[5] * 1e-3 / moved[c[1], part]) }' \
    "$out"/figure-14-L*.txt "$out/device/figure-14.csv"
}

parts=(table-1 figure-2 figure-6 figure-8 figure-9 figure-10 figure-11 figure-12 figure-13 figure-14)
begin "$@"
