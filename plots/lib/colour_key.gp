# The key of colours, above the axes from the left edge: part_name(i) and part_colour(i) for i = 1 .. parts. It moves the
# upper edge of the axes. Labels and objects 901 .. 900 + parts.
colour_key_x = across(12)
do for [i = 1:parts] {
    colour_key_wide = letters_wide(strlen(part_name(i)), 12) + across(small ? 26 : 36)
    if (colour_key_x > across(12) && colour_key_x + colour_key_wide > 1) { colour_key_x = across(12); key_y = key_y - tall(small ? 14 : 17) }
    set object 900 + i rectangle at screen colour_key_x + across(6), screen key_y size screen across(12), screen tall(12) fillcolor rgb part_colour(i) fillstyle solid noborder
    set label 900 + i part_name(i) at screen colour_key_x + across(17), screen key_y left font font12
    colour_key_x = colour_key_x + colour_key_wide
}
upper_edge = key_y - tall(small ? 8 : 19)
set tmargin at screen upper_edge
