# Draws docs/figures/ground-tori.svg: lowest energies per site of 40 square tori with J = +-1 of each size, from docs/tutorials/ground-states.md.
#   gnuplot docs/figures/ground-tori.gp       (in the root of the source)
$energies << EOD
4 -1.3062 0.0228
6 -1.3778 0.0126
8 -1.3875 0.0088
10 -1.4010 0.0066
12 -1.3941 0.0058
EOD
load 'docs/figures/look.gp'
set terminal svg size 352,280 font 'Helvetica,12' enhanced background 'white'
set output 'docs/figures/ground-tori.svg'
set xlabel 'L'
set ylabel 'e_0' offset 1
set xrange [3:13]
set yrange [-1.43:-1.26]
set xtics 2
set key top right samplen 1
plot -1.4015 with lines dashtype 2 linecolor rgb word(colours, 8) title 'infinite lattice', \
     $energies with yerrorbars linecolor rgb word(colours, 1) linewidth 1.5 pointtype 7 pointsize 0.5 title '40 tori'
