# Charts with a size or font that the user chose, loaded by style.gp: width_cm and height_cm (texts), font_pt (of axis
# numbers; 0: in the usual proportion to the width). Places that style.gp gives as shares of the usual 720 x 480 become
# the same distances from the edges.
points_wide = real(width_cm) / 2.54 * 72
font_points = real(font_pt) > 0 ? real(font_pt) : 13.0 * points_wide / 720
canvas_w = points_wide * 13.0 / font_points
canvas_h = canvas_w * real(height_cm) / real(width_cm)
scaled = font_points / 13.0
if (format eq "svg") {
    scaled = scaled * 96.0 / 72
    set terminal svg size int(points_wide * 96 / 72), int(points_wide * 96 / 72 * real(height_cm) / real(width_cm)) \
        dynamic noenhanced font font_of(15) background "white" linewidth font_points / 9.4
}
if (format eq "png") {
    scaled = scaled * 300.0 / 96
    set terminal pngcairo size int(points_wide * 300 / 72), int(points_wide * 300 / 72 * real(height_cm) / real(width_cm)) \
        noenhanced font font_of(15) linewidth 2 * font_points / 6.5 pointscale 1.8 * font_points / 6.5 background "white"
}
if (format eq "pdf") { set terminal pdfcairo size real(width_cm) cm, real(height_cm) cm noenhanced font font_of(15) background "white" }
# The tikz terminal takes no expressions for its size.
if (format eq "tikz") { eval sprintf("set terminal tikz size %gcm,%gcm font '%s'", real(width_cm), real(height_cm), font_of(15)) }
set output out
font11 = font_of(11)
font12 = font_of(12)
font13 = font_of(13)
set xtics font font13
set ytics font font13

# Title and quantity use two lines each if needed.
above(distance) = 1.0 - distance / canvas_h
break_at(text, letters) = strlen(text) <= letters || strstrt(text[int(0.55 * letters):*], " ") == 0 ? 0 : \
    strstrt(text[int(0.55 * letters):*], " ") + int(0.55 * letters) - 1
broken(text, at) = at > 0 ? text[1:at - 1]."\n".text[at + 1:*] : text
cut = break_at(finding, int(canvas_w * 0.97 / (15 * 0.60)))
quantity_cut = break_at(quantity, int(canvas_w * 0.97 / (12 * 0.60)))
title_high = cut > 0 ? 40 : 20
quantity_high = strlen(quantity) == 0 ? 0 : quantity_cut > 0 ? 32 : 16
set label 1001 broken(finding, cut) at screen 0.015, screen above(18) left font font_of(15) front
set label 1002 broken(quantity, quantity_cut) at screen 0.015, screen above(18 + title_high) left font font12 textcolor rgb faint front
head = 12 + title_high + quantity_high
key_y = above(head + 4)
set tmargin at screen above(head + 14)
upper_edge = above(head + 8)
panel_name_y = above(head + 8)
panel_edge = above(head + 20)
left_room = 60.0 / canvas_w
bottom_edge = 66.0 / canvas_h
