# The names of the series inside the axes of a small chart, above the curves. In: key_count, key_text[], key_hue[],
# key_body (the width of the axes) and key_span (their height, in units). Out: key_lines and key_font; with key_placed = 1
# it also sets the labels. The caller extends the axis by key_lines lines of key_step units, which are 13, or fewer where
# there are too many names. May set key_shape(n), a point type, key_dash(n), the line type of a sample or 0 for a mark,
# and key_above, units for a line above the names.
if (!exists("GPFUN_key_shape")) { key_shape(n) = 7 }
if (!exists("GPFUN_key_dash")) { key_dash(n) = 0 }
if (!exists("key_above")) { key_above = 0.0 }
if (!key_placed) { key_size = 11; key_step = 13.0 }
do for [key_try = 1:2] {
    key_lines = 1
    key_x = 0.0
    do for [n = 1:key_count] {
        key_wide = letters_wide(strlen(key_text[n]), key_size) + across(key_dash(n) > 0 ? 24 : 17)
        if (key_x > 0 && key_x + key_wide > key_body) { key_lines = key_lines + 1; key_x = 0.0 }
        if (key_placed) {
            # The sample of a dashed line is a line.
            key_at = 1 - (key_above + key_step * (key_lines - 0.4)) / key_span
            if (key_dash(n) > 0) { set arrow 10 + n from graph key_x / key_body, key_at to graph (key_x + across(20)) / key_body, key_at nohead linewidth 1.5 dashtype key_dash(n) linecolor rgb key_hue[n] front }
            # A text with a mark of its own would be lifted by the svg terminal.
            set label 10 + n key_text[n] at graph (key_x + across(key_dash(n) > 0 ? 22 : 16)) / key_body, graph key_at left font font_of(key_size) textcolor rgb key_hue[n] front
            if (key_dash(n) == 0) { set label 500 + n "" at graph (key_x + across(9)) / key_body, graph key_at point pointtype key_shape(n) pointsize 0.6 linecolor rgb key_hue[n] front }
        }
        key_x = key_x + key_wide
    }
    if (!key_placed && key_try == 1 && key_lines * 13 > 0.35 * key_span) { key_size = key_size == 11 && 12 * key_lines > 0.45 * key_span ? 9 : 10 }
    if (!key_placed && key_try == 2 && 13 * key_lines > 0.65 * key_span) { key_step = 0.65 * key_span / key_lines; key_size = least(key_size, 0.95 * key_step) }
}
