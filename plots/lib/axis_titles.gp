# The titles of both axes: x_text, y_text ("": none) between the edges axis_left and axis_right (shares of the width). In a
# small chart they are level: that of x below the axis from its left end, that of y above it, from title_left.
if (small) {
    unset xlabel
    unset ylabel
    x_text = brief_text(x_text, 0.985 - axis_left - note_wide)
    if (strlen(x_text) > 0) { set label 1011 x_text at screen axis_left, screen tall(8) left font fitting_font(x_text, 0.985 - axis_left - note_wide, 12) front }
    if (strlen(y_text) > 0) { y_text = brief_text(y_text, axis_right - title_left); set label 1012 y_text at screen title_left, screen y_title_at left font fitting_font(y_text, axis_right - title_left, 12) front }
}
if (own && !small) {
    # Above the line of the marks' meaning.
    unset xlabel
    set label 1011 x_text at screen 0.5 * (axis_left + axis_right), screen tall(24) center font fitting_font(x_text, axis_right - axis_left + across(50), 13) front
}
if (!small) {
    if (!own) { set xlabel x_text font axis_font(x_text, (axis_right - axis_left + left_room) * canvas_w) }
    if (strlen(y_text) > 0) { set ylabel y_text font axis_font(y_text, (upper_edge - 0.5 * bottom_edge) * canvas_h) offset 1.4,0 } else { unset ylabel }
}
