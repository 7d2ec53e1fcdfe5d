# A taller sheet for a chart of many rows, unless the user chose its size. In: sheet_h, the height in units. What lib/style.gp
# places as a share of the usual 480 keeps its distance from the nearer edge.
from_top(share) = 1.0 - (1.0 - share) * canvas_h / sheet_h
from_bottom(share) = share * canvas_h / sheet_h
set output
if (format eq "svg") { set terminal svg size 720,sheet_h dynamic noenhanced font "Helvetica,15" background "white" }
if (format eq "png") { set terminal pngcairo size 1440,2 * sheet_h noenhanced font "Helvetica,22.5" linewidth 2 pointscale 1.8 background "white" }
if (format eq "pdf") { set terminal pdfcairo size 16cm,(10.7 * sheet_h / canvas_h)cm noenhanced font "Helvetica,9.5" background "white" }
if (format eq "tikz") { eval sprintf("set terminal tikz size 16cm,%gcm font ',9.5'", 10.7 * sheet_h / canvas_h) }
set output out
title_y = from_top(title_y)
quantity_y = from_top(quantity_y)
set label 1001 at screen 0.015, screen title_y
set label 1002 at screen 0.015, screen quantity_y
key_y = from_top(key_y)
upper_edge = from_top(upper_edge)
bottom_edge = from_bottom(bottom_edge)
note_y = from_bottom(note_y)
set tmargin at screen from_top(0.84)
canvas_h = sheet_h
