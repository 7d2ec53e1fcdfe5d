# The common look of all charts. `study plot` sets points, model, ratios, ceilings, scale, plots, out, format,
# texts (see below), finding (what the chart shows, its title) and quantity (what is drawn, below it); by hand:
#   gnuplot -e "points='...'; model='...'; ...; plots='plots'; out='x.svg'; format='svg'; texts='';
#               finding='...'; quantity='...'" plots/workers/threads.gp

# Texts: T("...") is the text in the language of the chart. `texts` is the file of the translations, which `study` writes
# from the catalogue: the arrays text_ids and translations, and the marks of numbers. Where it is "", charts are in English.
decimal_mark = "."
between_mark = ","
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
# The font of an axis title: smaller if the title would be longer than its space, in the same units.
axis_font(text, room) = font_of(strlen(text) * 13 * 0.6 <= room ? 13 : room / (0.6 * strlen(text)))
# The space that a text of `count` letters takes, as a share of the width, in the widest fonts that replace Helvetica.
letters_wide(count, size) = count * size * 0.62 / canvas_w
# With fewer places along an axis a page shows no chart; `study` sets the number.
least_places = exists("least_places") ? 0 + least_places : 0

# A mark for each worker count or variant; the number before it is the hollow mark for a time that is not PRECISE.
array filled[6] = [7, 5, 9, 11, 13, 15]
mark(i) = filled[(i - 1) % 6 + 1]
ink = 0x000000
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
set label 1001 (cut > 59 ? finding[1:cut - 1]."\n".finding[cut + 1:*] : finding) at screen 0.015, screen (cut > 59 ? 0.965 : 0.955) \
    left font title_font front
set label 1002 quantity at screen 0.015, screen (cut > 59 ? 0.873 : 0.905) left font font13 textcolor rgb faint front

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
tick_text(form, x) = strlen(form) == 0 ? "" : gprintf(is_broken(x) && form[1:4] eq "%.0s" ? "%.1s".form[5:*] : form, x)

# The meaning of the marks, if any but PRECISE ones are shown: set by `note_marks`.
marks_seen = ""
see(status) = strstrt(marks_seen, status) > 0 ? 0 : (marks_seen = marks_seen.status." ", 0)
seen(word) = strstrt(marks_seen, word) > 0
beside(a, b) = a.(strlen(a) > 0 && strlen(b) > 0 ? "  · " : "").b
rough_text = T("hollow: ROUGH")
suspect_text = T("ring: SUSPECT")
invalid_text = T("cross: INVALID")
note_of = "beside(beside(seen('ROUGH') ? rough_text : '', seen('SUSPECT') ? suspect_text : ''), seen('INVALID') ? invalid_text : '')"

# The mark of a row's status.
is_status(word) = stringcolumn("status") eq word
is_precise(row) = is_status("PRECISE")
text_in(name) = strlen(stringcolumn(name)) > 0
colour_of(row) = column("colour")
# The edges of the panels, as shares of width and height.
left_room = 0.135
bottom_edge = 0.17
upper_edge = 0.85
panel_edge = 0.805
panel_name_y = 0.832
if (exists("width_cm")) { load plots."/lib/custom_size.gp" }
