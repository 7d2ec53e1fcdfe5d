# The common look of all charts. `study plot` sets rows (lib/selection.gp) or points, plots, out, format, texts (see
# below), finding (what the chart shows, its title) and quantity (what is drawn, below it); by hand:
#   gnuplot -e "points='...'; plots='plots'; out='x.svg'; format='svg'; texts='';
#               finding='...'; quantity='...'" plots/forms/form_lines.gp

# Texts: T("...") is the text in the language of the chart. `texts` is the file of the translations, which `study` writes
# from the catalogue: the arrays text_ids and translations, and the marks of numbers. Where it is "", charts are in English.
decimal_mark = "."
array text_ids[1]
array translations[1]
if (strlen(texts)) { load texts }
set decimalsign decimal_mark
T(id) = (text_found = id, strlen(texts) == 0 ? 0 : sum [text_number = 1:|text_ids|] (text_ids[text_number] eq id ? (text_found = translations[text_number], 0) : 0), text_found)
# Replaces %{name} in a text by a value.
put(text, name, value) = (text_place = "%{".name."}", text_at = strstrt(text, text_place), \
    text_at == 0 ? text : substr(text, 1, text_at - 1).value.substr(text, text_at + strlen(text_place), strlen(text)))

if (format eq "svg") set terminal svg size 720,480 dynamic noenhanced font "Helvetica,15" background "white"
if (format eq "png") set terminal pngcairo size 1440,960 noenhanced font "Helvetica,22.5" linewidth 2 pointscale 1.8 background "white"
if (format eq "pdf") set terminal pdfcairo size 16cm,10.7cm noenhanced font "Helvetica,9.5" background "white"
if (format eq "tikz") set terminal tikz size 16cm,10.7cm font ",9.5"
set output out
# Fonts have the same share of the width in each format: a point of pngcairo is 4/3 of a pixel.
scaled = format eq "png" ? 22.5 / 15 : format eq "pdf" || format eq "tikz" ? 9.5 / 15 : 1.0
font_of(size) = sprintf((format eq "tikz" ? "" : "Helvetica").",%.1f", size * scaled)
font11 = font_of(11)
font12 = font_of(12)
font13 = font_of(13)
# The size of the chart, in units in which its numbers are 13 high; custom_size.gp sets others.
canvas_w = 720.0
canvas_h = 480.0
# Such lengths as shares of width and height; a height below the upper edge.
across(units) = units / canvas_w
tall(units) = units / canvas_h
above(units) = 1.0 - units / canvas_h
# Whether the user chose a size, and whether it is a small one (lib/custom_size.gp).
own = 0
small = 0
head = 0
# The font of an axis title: smaller if the title would be longer than its space, in the same units.
axis_font(text, room) = font_of(strlen(text) * 13 * 0.6 <= room ? 13 : room / (0.6 * strlen(text)))
# The space that a text of `count` letters takes, as a share of the width, in the widest fonts that replace Helvetica.
letters_wide(count, size) = count * size * 0.62 / canvas_w
# With fewer places along an axis a page shows no chart; `study` sets the number.
least_places = exists("least_places") ? 0 + least_places : 0

# A mark for each worker count or variant; the number before it is the hollow mark for a time that is not PRECISE.
array filled[6] = [7, 5, 9, 11, 13, 15]
mark(i) = filled[(i - 1) % 6 + 1]
faint = 0x777777

set datafile separator comma
set datafile columnheaders
set datafile missing NaN
set encoding utf8
set micro
set border 3 linewidth 1 linecolor rgb 0x444444
set tics nomirror out scale 0.6
set grid xtics ytics linewidth 0.5 linecolor rgb 0xC8C8C8
set xlabel offset 0,0.4
set xtics font font13
set ytics font font13
unset key

# The finding as title, the quantity below it, both from the left edge; a long title is split into two lines.
set tmargin at screen 0.84
cut = strlen(finding) > 76 ? strstrt(finding[60:*], " ") + 59 : 0
title_font = font_of(strlen(finding) > 62 && cut < 60 ? 15 : 17)
title_y = cut > 59 ? 0.965 : 0.955
quantity_y = cut > 59 ? 0.873 : 0.905
set label 1001 (cut > 59 ? finding[1:cut - 1]."\n".finding[cut + 1:*] : finding) at screen 0.015, screen title_y left font title_font front
set label 1002 quantity at screen 0.015, screen quantity_y left font font13 textcolor rgb faint front

# The height of a line that explains colours or marks: below the title and the quantity.
key_y = cut > 59 ? 0.828 : 0.86

# The step of about `n` tics along an axis.
step_of(span, n) = (part = 1.0 * span / n, tens = 10.0 ** floor(log10(part)), units = part / tens, tens * (units < 1.5 ? 1 : units < 3.5 ? 2 : units < 7.5 ? 5 : 10))

# Numbers along a logarithmic axis, as a list: "" (gnuplot's own are not used) over many decades, 1, 2 and 5 of each
# over a few, more over one or two, even steps within less than one.
note_tick(x) = (x >= ticks_from && x <= ticks_to ? (ticks = ticks.sprintf("%.9e ", x), 0) : 0)
note_digits(digits, d) = sum [w = 1:words(digits)] note_tick(real(word(digits, w)) * 10.0 ** d)
note_decade(d) = note_digits(ticks_to / ticks_from < 20 ? "1 2 3 5 7" : "1 2 5", d)
note_steps(step) = sum [n = ceil(ticks_from / step):floor(ticks_to / step)] note_tick(n * step)
ticks_of(from, to) = (ticks_from = from, ticks_to = to, ticks = "", unused = to / from < 4 ? note_steps(step_of(to - from, 4)) : \
    to / from < 300 ? (sum [d = floor(log10(from)):ceil(log10(to))] note_decade(d)) : 0, ticks)
# Numbers along a linear axis, as a list: about `n` steps.
steps_of(from, to, n) = (ticks_from = from, ticks_to = to, ticks = "", unused = note_steps(step_of(to - from, n)), ticks)
# One of them in a format such as "%.0s %cs": a mantissa that is no integer keeps a digit.
mantissa(x) = x / 1000.0 ** floor(log10(x) / 3 + 1e-9)
is_broken(x) = abs(mantissa(x) - floor(mantissa(x) + 0.5)) > 1e-6
tick_text(form, x) = strlen(form) == 0 ? "" : x == 0 ? "0" : gprintf(is_broken(x) && form[1:4] eq "%.0s" ? "%.1s".form[5:*] : form, x)

# Numbers along a logarithmic axis of `span` units, as a list: as many as are `gap` units apart, of 1, 2, 3, 5 and 7, of
# 1, 2 and 5, of 1 of each decade or of each second one and so on; even steps within less than a factor of four.
add_decades(digits, every) = sum [d = floor(log10(ticks_from)):ceil(log10(ticks_to))] (int(d) % every == 0 ? note_digits(digits, d) : 0)
decade_set(unit, gap) = 0.146 * unit >= gap ? add_decades("1 2 3 5 7", 1) : 0.301 * unit >= gap ? add_decades("1 2 5", 1) : \
    unit >= gap ? add_decades("1", 1) : add_decades("1", int(ceil(gap / unit)))
even_gap(step, to, span) = span * log10(to / (to - step)) / log10(to / ticks_from)
even_steps(n, gap, span) = n < 2 || even_gap(step_of(ticks_to - ticks_from, n), ticks_to, span) >= gap ? step_of(ticks_to - ticks_from, n < 1 ? 1 : n) : even_steps(n - 1, gap, span)
fitting_ticks(from, to, span, gap) = (ticks_from = from, ticks_to = to, ticks = "", unused = to / from < 4 ? note_steps(even_steps(4, gap, span)) : \
    decade_set(span / log10(to / from), gap), words(ticks) < 2 && to / from >= 4 ? (ticks = "", note_digits("1 2 3 5 7", floor(log10(from))) + note_digits("1 2 3 5 7", floor(log10(to))), thinned(from, to, span, gap)) : ticks)
# The first and the last of a list, if they are far enough apart.
thinned(from, to, span, gap) = words(ticks) < 2 || span * log10(real(word(ticks, words(ticks))) / real(word(ticks, 1))) / log10(to / from) < gap ? word(ticks, 1) : \
    word(ticks, 1)." ".word(ticks, words(ticks))

least(a, b) = a < b ? a : b
most(a, b) = a > b ? a : b

# The meaning of the marks, if any but PRECISE ones are shown: set by `note_marks`.
marks_seen = ""
see(status) = strstrt(marks_seen, status) > 0 ? 0 : (marks_seen = marks_seen.status." ", 0)
seen(word) = strstrt(marks_seen, word) > 0
beside(a, b) = a.(strlen(a) > 0 && strlen(b) > 0 ? "  · " : "").b
rough_text = T("hollow: ROUGH")
suspect_text = T("ring: SUSPECT")
invalid_text = T("cross: INVALID")
simulated_text = T("hollow: simulated")
both_text = T("hollow: ROUGH or simulated")
# Where they are, as a share of the height; a form sets rows_left to the number of rows for which it has no space.
note_y = 0.022
rows_left = 0
rows_text = T("not drawn: %{n} more rows")
hollow_of(n) = seen("ROUGH") && seen("SIMULATED") ? both_text : seen("ROUGH") ? rough_text : seen("SIMULATED") ? simulated_text : ""
note_of = "beside(beside(beside(hollow_of(0), seen('SUSPECT') ? suspect_text : ''), seen('INVALID') ? invalid_text : ''), rows_left > 0 ? put(rows_text, 'n', sprintf('%d', rows_left)) : '')"

# The mark of a row's status.
status_of(row) = stringcolumn("status")
is_status(word) = status_of(0) eq word
is_precise(row) = is_status("PRECISE")
text_in(name) = strlen(stringcolumn(name)) > 0
colour_of(row) = column("colour")
# The edges of the panels, as shares of width and height.
left_room = 0.135
bottom_edge = 0.17
upper_edge = 0.85
panel_edge = 0.805
panel_name_y = 0.832
# The font of a text that has to fit into a share `room` of the width: at most `size`.
fitting_font(text, room, size) = font_of(letters_wide(strlen(text), size) <= room ? size : room < letters_wide(strlen(text), 6) ? 6 : room * canvas_w / (0.62 * strlen(text)))
# A text that has to fit into a share `room` of the width with letters of 9 units: without what is behind its first
# comma or bracket, if that is needed.
before(text, mark) = strstrt(text, mark) > 1 ? text[1:strstrt(text, mark) - 1] : text
# A number as it is written in the language; bytes as everywhere else: gnuplot says kiB.
with_mark(number) = strstrt(number, ".") == 0 || decimal_mark eq "." ? number : before(number, ".").decimal_mark.number[strstrt(number, ".") + 1:*]
bytes_text(x) = strstrt(gprintf("%.0b %B", x), "k") > 0 ? before(gprintf("%.0b %B", x), "k")."KiB" : gprintf("%.0b %BB", x)
brief_text(text, room) = letters_wide(strlen(text), 9) <= room ? text : letters_wide(strlen(before(text, " (")), 9) <= room ? before(text, " (") : before(before(text, " ("), ", ")
# Numbers of a linear axis in the unit of its end: "0.8 ms", not "800 µs".
unit_of(form, end) = strstrt(form, "%c") == 0 || end <= 0 ? 1.0 : 1000.0 ** floor(log10(end) / 3 + 1e-9)
in_unit(form, x, end) = strlen(form) == 0 ? "" : strstrt(form, "%%") > 0 ? gprintf(before(form, " %%"), x)." %%" : strstrt(form, "%c") == 0 ? gprintf(form, x) : x == 0 ? "0" : \
    gprintf("%g", x / unit_of(form, end)).gprintf(form[strstrt(form, "s") + 1:*], unit_of(form, end))
if (exists("width_cm")) { load plots."/lib/custom_size.gp" }
