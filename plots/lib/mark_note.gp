# The meaning of the marks, at the lower right edge; in a small chart each word is behind its mark. Sets note_wide, the
# share of the width that it takes.
note_wide = 0.0
if (!small) { set label 1003 @note_of at screen 0.985, screen own ? tall(8) : note_y right font font11 textcolor rgb faint front }
if (small) {
    array note_text[4] = [rough_text, suspect_text, invalid_text, simulated_text]
    array note_mark[4] = [6, 6, 2, 6]
    array note_colour[4] = [0x444444, 0x888888, 0xCC0000, 0x444444]
    array note_size[4] = [0.6, 1.1, 0.9, 0.6]
    # Smaller, if the words would take more than half of the width.
    note_letters = 0
    do for [n = 1:4] { if (seen(word("ROUGH SUSPECT INVALID SIMULATED", n))) { note_letters = note_letters + strlen(note_text[n]) - strstrt(note_text[n], ": ") - 1 } }
    note_font = letters_wide(1.15 * note_letters, 10) > 0.5 ? 8 : 10
    do for [n = 4:1:-1] { if (seen(word("ROUGH SUSPECT INVALID SIMULATED", n))) {
        note_word = note_text[n][strstrt(note_text[n], ": ") + 2:*]
        note_wide = note_wide + letters_wide(1.15 * strlen(note_word), note_font) + across(18)
        set label 1002 + n note_word at screen 0.985 - note_wide + across(n == 2 ? 18 : 16), screen tall(8) left font font_of(note_font) textcolor rgb faint front
        set label 1012 + n "" at screen 0.985 - note_wide + across(10), screen tall(8) point pointtype note_mark[n] pointsize note_size[n] linewidth 1.2 linecolor rgb note_colour[n] front
        if (n == 2) { set label 1007 "" at screen 0.985 - note_wide + across(10), screen tall(8) point pointtype 7 pointsize 0.5 linecolor rgb 0x444444 front }
    } }
}
