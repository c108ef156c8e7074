# gnuplot figures.gp, in this folder: results/xi.png and results/xi.pdf from results/results.csv
set datafile separator ","
sizes = "4 6 8 12 16 24"
colours = "#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9"
points = "7 5 9 11 13 15"
data(name, L) = sprintf("< grep '^%s,[^,]*,%s,' results/results.csv", L, name)
set style line 1 lw 1
set xlabel "{/:Italic T}"
set xrange [0.115:0.255]
set xtics 0.04
set key top right samplen 1
draw = "plot for [i=1:words(sizes)] data(name, word(sizes, i)) using 2:4:5 with yerrorlines lc rgb word(colours, i) pt int(word(points, i)) ps 0.5 title '{/:Italic L} = '.word(sizes, i)"
do for [target in "png pdf"] {
  if (target eq "png") { set terminal pngcairo size 1400,500 fontscale 1.3 linewidth 1.5 } else { set terminal pdfcairo size 17.8cm,6.4cm fontscale 0.55 }
  set output "results/xi.".target
  set multiplot layout 1,3
  set ylabel "{/:Italic ξ}_{L}/{/:Italic L}"
  name = "xi_over_L"
  eval draw
  set ylabel "{/:Italic ξ}_{c}^{||}/{/:Italic L}"
  name = "xi_chiral_over_L"
  eval draw
  set ylabel "{/:Italic ξ}_{c}^{⊥}/{/:Italic L}"
  name = "xi_chiral_perp_over_L"
  eval draw
  unset multiplot
  set output
}
