# The common look of all charts. `study plot` sets points, model, ratios, ceilings, plots, out, format, lang;
# by hand:  gnuplot -e "points='...'; model='...'; ratios='...'; ceilings='...'; plots='plots'; out='x.svg';
#           format='svg'; lang='en'" plots/threads.gp

L(english, spanish) = lang eq "es" ? spanish : english

if (format eq "svg") set terminal svg size 820,540 dynamic noenhanced font "Helvetica,15" background "white"
if (format eq "png") set terminal pngcairo size 1640,1080 noenhanced font "Helvetica,26" linewidth 2 pointscale 1.8 background "white"
if (format eq "pdf") set terminal pdfcairo size 16cm,10.5cm noenhanced font "Helvetica,12" background "white"
set output out

# Okabe and Ito's palette, which colour-blind readers can tell apart; the shapes differ as well.
array colour[8] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x000000, 0x8C8C00]
array shape[8] = [7, 5, 9, 11, 13, 4, 6, 8]
colour_of(i) = colour[(i - 1) % 8 + 1]
shape_of(i) = shape[(i - 1) % 8 + 1]

set datafile separator comma
set datafile columnheaders
set datafile missing NaN
set encoding utf8
set micro
set offsets graph 0.02, graph 0.02, 0, 0
set border 3 linewidth 1 linecolor rgb 0x444444
set tics nomirror out
set grid xtics ytics linewidth 0.5 linecolor rgb 0xC8C8C8
set xlabel offset 0,0.4
title_size = format eq "png" ? 30 : format eq "pdf" ? 14 : 18
key_size = title_size * 0.75
set title font sprintf(",%d", title_size)
eval sprintf('set key font ",%d"', key_size)
set key outside below center horizontal Left reverse maxcols 3 samplen 2.5 spacing 1.15 height 1

# The different texts of a column, as a list of quoted words: call names_of("data file", "column").
list = ""
add(text) = (strlen(text) == 0 || strstrt(list, '"'.text.'"') > 0) ? 0 : (list = list.'"'.text.'" ', 1)

# Which rows a chart shows: those that have its y and are on one of its curves.
wanted(row) = strlen(stringcolumn(ycol)) > 0 && strlen(stringcolumn(series)) > 0
