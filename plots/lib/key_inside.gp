# The names of the series inside the axes of a small chart, above the curves. In: key_count, key_text[], key_hue[],
# key_body (the width of the axes) and key_span (their height, in units). Out: key_lines and key_font; with key_placed = 1
# it also sets the labels. The caller extends the axis by key_lines lines of 13 units. May set key_shape(n), a
# point type, and key_dash(n), the line type of a sample or 0 for a mark.
if (!exists("GPFUN_key_shape")) { key_shape(n) = 7 }
if (!exists("GPFUN_key_dash")) { key_dash(n) = 0 }
if (!key_placed) { key_size = 11 }
do for [key_try = 1:2] {
    key_lines = 1
    key_x = 0.0
    do for [n = 1:key_count] {
        key_wide = letters_wide(strlen(key_text[n]), key_size) + across(key_dash(n) > 0 ? 24 : 15)
        if (key_x > 0 && key_x + key_wide > key_body) { key_lines = key_lines + 1; key_x = 0.0 }
        if (key_placed) {
            # The sample of a dashed line is a line.
            key_at = 1 - (13.0 * key_lines - 5) / key_span
            if (key_dash(n) > 0) { set arrow 10 + n from graph key_x / key_body, key_at to graph (key_x + across(20)) / key_body, key_at nohead linewidth 1.5 dashtype key_dash(n) linecolor rgb key_hue[n] front }
            set label 10 + n key_text[n] at graph (key_x + across(key_dash(n) > 0 ? 18 : 9)) / key_body, graph key_at left font font_of(key_size) \
                textcolor rgb key_hue[n] point pointtype key_shape(n) pointsize (key_dash(n) > 0 ? 0 : 0.6) linecolor rgb key_hue[n] offset 0.5, 0 front
        }
        key_x = key_x + key_wide
    }
    if (!key_placed && key_try == 1 && key_lines * 13 > 0.35 * key_span) { key_size = key_size == 11 && 12 * key_lines > 0.45 * key_span ? 9 : 10 }
}
