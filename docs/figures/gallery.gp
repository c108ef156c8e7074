# Draws the figures of docs/gallery.md that come from results recorded in configs/:
#   gnuplot docs/figures/gallery.gp       (in the root of the source)
set terminal svg size 352,280 font 'Helvetica,12' enhanced background 'white'
set datafile separator comma
set border 15
set tics nomirror
load 'docs/figures/look.gp'
sizes = '4 6 8 12 16 24'
# Rows of one observable of one size of `analyze --csv`: T, mean, error.
flagship(L, name) = sprintf("< grep '^%s,[^,]*,%s,' configs/flagship/results/results.csv", L, name)
course(file, name, from) = sprintf("< awk -F, '$5 == \"%s\" && $4 >= %d' configs/aging/results/%s.csv", name, from, file)

set xlabel 'T'
set key top right samplen 1
set style data yerrorlines
set xrange [0.115:0.255]
set output 'docs/figures/heisenberg-xi.svg'
set ylabel 'ξ_L / L' offset 1
plot for [i=1:6] flagship(word(sizes, i), 'xi_over_L') using 2:4:5 title 'L = '.word(sizes, i) linecolor rgb word(colours, i) pointtype int(word(points, i)) pointsize 0.4
set output 'docs/figures/heisenberg-xi-chiral.svg'
set ylabel 'ξ_c / L, k perpendicular' offset 1
plot for [i=1:6] flagship(word(sizes, i), 'xi_chiral_perp_over_L') using 2:4:5 title 'L = '.word(sizes, i) linecolor rgb word(colours, i) pointtype int(word(points, i)) pointsize 0.4
set output 'docs/figures/heisenberg-identity.svg'
set ylabel 'U_J + (z/2) β (q_s - q_l)' offset 1
set yrange [-0.004:0.008]
set style data yerrorbars
plot 0 with lines linecolor rgb word(colours, 8) dashtype 2 notitle, \
     for [i=4:5] flagship(word(sizes, i), 'identity_difference') using 2:4:5 title 'L = '.word(sizes, i) linecolor rgb word(colours, i) pointtype int(word(points, i)) pointsize 0.4
set autoscale y

set style data yerrorlines
set xlabel 't [sweeps]'
set logscale xy
set xrange [1:2e6]
set yrange [1:6]
set format x '10^{%T}'
set ytics (1, 2, 3, 4, 5)
set key bottom right
set ylabel 'ξ_{12}' offset 1
# Baity-Jesi et al., Phys. Rev. Lett. 120, 267203 (2018), as in configs/aging/README.md.
$published << EOD
1218,2.706
4460,3.054
16431,3.444
46467,3.785
100869,4.059
220313,4.352
371637,4.557
623056,4.772
806735,4.883
1048576,4.992
EOD
set output 'docs/figures/aging-3d-T0.7.svg'
plot course('ising-3d-T0.7', 'xi_12_cut', 0) using 4:6:7 title 'L = 128' linecolor rgb word(colours, 1) pointtype 7 pointsize 0.3, \
     $published using 1:2 with points title 'published' linecolor rgb word(colours, 2) pointtype 4 pointsize 0.6
unset logscale y
set yrange [-1.735:-1.66]
set ytics auto
set xrange [100:4e4]
set key top right
set ylabel 'e' offset 1
set label 1 'T = 0.16' at 300,-1.672
set label 2 '0.12' at 13000,-1.722
set output 'docs/figures/cycle-energy.svg'
plot course('heisenberg-cycle', 'energy', 100) using 4:6:7 notitle linecolor rgb word(colours, 1) pointtype 7 pointsize 0.3
unset label
unset logscale
set autoscale
set format x

set xlabel 'T'
set ylabel 'Binder cumulant' offset 1
set key top right
set arrow 1 from 0.648933, graph 0 to 0.648933, graph 1 nohead linecolor rgb word(colours, 8) dashtype 2
set label 1 'T_c, exact' at 0.655, graph 0.9
set output 'docs/figures/heisenberg-regular.svg'
regular(N) = sprintf("< grep '^%d,[^,]*,overlap_binder,' configs/graphs/results/heisenberg-regular.csv", N)
plot for [i=1:2] regular(i == 1 ? 1024 : 4096) using 2:4:5 title (i == 1 ? 'N = 1024' : 'N = 4096') linecolor rgb word(colours, i) pointtype int(word(points, i)) pointsize 0.4
