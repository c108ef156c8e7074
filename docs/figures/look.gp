# Colours and markers of the page and of `glassworks plot` (analysis/report/palette.hpp), for the scripts here.
colours = '#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #333333 #777777'
points = '7 5 13 9 11 15'
