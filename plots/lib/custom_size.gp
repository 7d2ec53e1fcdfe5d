# Charts with a size or font that the user chose, loaded by style.gp: width_cm and height_cm (texts), font_pt (of axis
# numbers; 0: in the usual proportion to the width, but at least 8 points). Places that style.gp gives as shares of the
# usual 720 x 480 become the same distances from the edges. This file decides what a size allows: a chart narrower than
# 11 cm is `small`, and so is a chart with less space than 440 x 300 units. It has no quantity and no title but the
# user's own (the page has a caption), the titles of its y axes are above them, and its series are named inside the axes.
own = 1
points_wide = real(width_cm) / 2.54 * 72
font_points = real(font_pt) > 0 ? real(font_pt) : 13.0 * points_wide / 720 > 8 ? 13.0 * points_wide / 720 : 8.0
canvas_w = points_wide * 13.0 / font_points
canvas_h = canvas_w * real(height_cm) / real(width_cm)
small = real(width_cm) < 11 || canvas_w < 440 || canvas_h < 300
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
# The svg and png terminals put the numbers further away.
if (small) { set xtics offset 0, (format eq "svg" ? 0.75 : format eq "png" ? 0.7 : 0.2); set ytics offset 0.8, 0 }

# Title and quantity use two lines each if needed.
break_at(text, letters) = strlen(text) <= letters || strstrt(text[int(0.55 * letters):*], " ") == 0 ? 0 : \
    strstrt(text[int(0.55 * letters):*], " ") + int(0.55 * letters) - 1
broken(text, at) = at > 0 ? text[1:at - 1]."\n".text[at + 1:*] : text
cut = break_at(finding, int(canvas_w * 0.97 / (15 * 0.60)))
quantity_cut = break_at(quantity, int(canvas_w * 0.97 / (12 * 0.60)))
title_high = cut > 0 ? 40 : 20
quantity_high = strlen(quantity) == 0 ? 0 : quantity_cut > 0 ? 36 : 16
longest_line = cut > 0 ? (cut - 1 > strlen(finding) - cut ? cut - 1 : strlen(finding) - cut) : strlen(finding)
title_font = font_of(longest_line * 15 * 0.6 <= 0.97 * canvas_w ? 15 : 0.97 * canvas_w / (0.6 * longest_line))
if (small) {
    # Only a title that the user gave.
    head = exists("own_title") ? 18 : 0
    if (head > 0) { set label 1001 finding at screen 0.015, screen above(10) left font fitting_font(finding, 0.97, 14) front } else { unset label 1001 }
    unset label 1002
} else {
    head = 12 + title_high + quantity_high
    set label 1001 broken(finding, cut) at screen 0.015, screen above(18) left font title_font front
    set label 1002 broken(quantity, quantity_cut) at screen 0.015, screen above(18 + title_high) left font font12 textcolor rgb faint front
}
key_y = above(head + (small ? 9 : 11))
set tmargin at screen above(head + (small ? 8 : 14))
upper_edge = above(head + (small ? 18 : 22))
panel_name_y = above(head + (small ? 9 : 8))
panel_edge = above(head + (small ? 18 : 20))
left_room = across(small ? 44 : 60)
bottom_edge = tall(small ? 35 : 66)
