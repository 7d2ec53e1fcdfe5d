# A strip above the panels of a small chart, or where keyed is 1, with the name of each series once: if there are several panels, and the names
# would take more than two lines inside one of them. Sets key_strip, its height in units.
if (!exists("keyed")) { keyed = small }
if (keyed && columns > 1) {
    shared = ""
    shared_lines = 0
    do for [a = 1:columns] {
        here_wide = 0.0
        in_here = series_in[int(word(shown_panels, a))]
        do for [w = 1:words(in_here)] {
            here_wide = here_wide + letters_wide(strlen(names[int(word(in_here, w))]), 11) + across(17)
            if (strstrt(shared, " ".word(in_here, w)." ") == 0) { shared = shared." ".word(in_here, w)." " }
        }
        shared_lines = most(shared_lines, ceil(here_wide / (0.75 / columns)))
    }
    shared_count = words(shared)
    if (shared_lines > 2) {
        key_x = across(4)
        key_strip = 14
        do for [w = 1:shared_count] {
            j = int(word(shared, w))
            key_wide = letters_wide(strlen(names[j]), 10) + across(17)
            if (key_x > across(4) && key_x + key_wide > 1) { key_strip = key_strip + 13; key_x = across(4) }
            key_at = above(head + (two_lines ? 12 : 0) + key_strip - 5)
            set label 200 + w names[j] at screen key_x + across(10), screen key_at left font font_of(10) textcolor rgb colours[j] front
            set label 500 + w "" at screen key_x + across(5), screen key_at point pointtype 7 pointsize 0.55 linecolor rgb colours[j] front
            key_x = key_x + key_wide
        }
    }
}
