# Draws docs/figures/transition-3d.svg from a recorded campaign of configs/edwards-anderson/transition-3d.cfg:
#   gnuplot docs/figures/transition-3d.gp       (in the root of the source)
data = 'tools/bench/results/cuda-h200-transition-3d-2026-11-26.txt'
# T, xi_L/L and its error of one size: value(error) has the error in units of the last digits.
rows(L) = sprintf("< awk '/^L = /{at = ($3 + 0 == %d)} at && $1 ~ /^[0-9.]+$/ && NF == 10 {split($8, v, /[()]/); " \
  ."p = length(v[1]) - index(v[1], \".\"); print $1, v[1], v[2] * 10^(-p)}' %s", L, data)
load 'docs/figures/look.gp'
set terminal svg size 640,440 font 'Helvetica,15' enhanced background 'white'
set output 'docs/figures/transition-3d.svg'
set xlabel 'T'
set ylabel '{/:Italic ξ}_L / L' offset 1
set xrange [1:1.82]
set yrange [0.08:0.78]
set xtics 0.1 nomirror
set ytics 0.1 nomirror
set border 3
set tics out
set key top right
set object 1 rectangle from 1.099, graph 0 to 1.1048, graph 1 fillcolor '#dddddd' fillstyle solid noborder behind
set label 1 'T_c = 1.1019(29)' at 1.112, 0.12
set style data yerrorlines
sizes = '4 6 8 12 16'
plot for [i=1:5] rows(int(word(sizes, i))) title 'L = '.word(sizes, i) linecolor rgb word(colours, i) linewidth 1.5 pointtype int(word(points, i)) pointsize 0.5
