# The time by phase, stacked: a panel for each kernel and offload, a bar for each size.
load plots."/lib/style.gp"
offloads = "window window-lean image"
offload_name(o) = o eq "window" ? T("by window") : \
                  o eq "window-lean" ? T("by window, arrays kept") : \
                  T("whole image")
part_colour(i) = i == 1 ? 0x0072B2 : i == 2 ? 0x56B4E9 : i == 3 ? 0xCC79A7 : i == 4 ? 0xE69F00 : 0xC8C8C8
key_x(i) = 0.06 + (i < 4 ? 0.17 * (i - 1) : i == 4 ? 0.51 : 0.68)
part_name(i) = i == 1 ? T("distribute") : i == 2 ? T("collect") : \
               i == 3 ? T("allocate") : i == 4 ? T("compute") : \
               T("rest, on the host")

# The share of the total of parts 1 to i, stacked from the bottom.
seconds(name) = strlen(stringcolumn(name)) > 0 ? column(name) : 0.0
up_to(i) = i == 5 ? 1.0 : (seconds("distribute_s") + (i > 1 ? seconds("collect_s") : 0.0) + \
                           (i > 2 ? seconds("allocate_s") : 0.0) + \
                           (i > 3 ? seconds("compute_s") : 0.0)) / column("total_s")
# Settings like the tesina's: pageable memory, one stream.
plain(row) = !(stringcolumn("host_memory") eq "pinned") && \
             !(strlen(stringcolumn("streams")) > 0 && column("streams") > 1)
log2(x) = log(x) / log(2.0)
here(kernel, offload) = stringcolumn("method") eq kernel && stringcolumn("offload") eq offload && \
                        strlen(stringcolumn("size")) > 0 && plain(0)

# The measured methods, the three most instructive first; their offloads; and the range of sizes.
first_size = 1e9
last_size = -1e9
found = " "
pairs = " "
add(list, word) = strstrt(list, " ".word." ") ? list : list.word." "
look(kernel, offload, n) = (first_size = least(first_size, n), last_size = most(last_size, n), \
                            found = add(found, kernel), pairs = add(pairs, kernel."/".offload), 0)
set table $unused
plot points using (strlen(stringcolumn("offload")) > 0 && strlen(stringcolumn("size")) > 0 && plain(0) ? \
                   look(stringcolumn("method"), stringcolumn("offload"), log2(column("size"))) : 0):(0) with table
unset table
kernels = ""
do for [kernel in "naive loop tiled ".found] {
    if (strstrt(found, " ".kernel." ") && !strstrt(kernels." ", " ".kernel." ")) {
        kernels = kernels." ".kernel
    }
}
has(r, c) = strstrt(pairs, " ".word(kernels, r)."/".word(offloads, c)." ") > 0
panels = words(kernels)

# For each offload the first and the last panel that has data.
tops = ""
bottoms = ""
do for [c = 1:3] {
    top_row = 0
    bottom_row = 0
    do for [r = 1:panels] {
        top_row = top_row == 0 && has(r, c) ? r : top_row
        bottom_row = has(r, c) ? r : bottom_row
    }
    tops = sprintf("%s %d", tops, top_row)
    bottoms = sprintf("%s %d", bottoms, bottom_row)
}

if (panels == 0) {
    lacking = T("no GPU samples")
    load plots."/lib/nothing.gp"
}
set style fill solid border rgb 0xFFFFFF
set boxwidth 0.85
set yrange [0:1]
set grid noxtics ytics
set xtics font font11
set ytics font font11
if (own) { set ytics 0.5 }
every = own ? int(most(1, ceil((last_size - first_size + 1) * 40 / (canvas_w / 3.5)))) : last_size - first_size > 6 ? 3 : 1
numbers = ""
blanks = ""
do for [i = int(first_size + 0.5):int(last_size + 0.5):every] {
    numbers = numbers.sprintf("%s\"%d\" %d", strlen(numbers) ? ", " : "", 2 ** i, i)
    blanks = blanks.sprintf("%s\"\" %d", strlen(blanks) ? ", " : "", i)
}
set xrange [first_size - 0.6:last_size + 0.6]
drawn = 0
set multiplot
if (own) {
    # The key above; each panel keeps its place of three by rows.
    parts = 5
    load plots."/lib/colour_key.gp"
} else {
    do for [i = 1:5] {
        set object i rectangle at screen key_x(i), screen 0.035 size screen 0.016, screen 0.024 \
            fillcolor rgb part_colour(i) fillstyle solid noborder
        set label 10 + i part_name(i) at screen key_x(i) + 0.02, screen 0.035 left font font12
    }
}
phases_left = own ? across(small ? 40 : 60) : 0.12
phases_step = own ? (1 - across(6) - phases_left) / 3 : 0.29
phases_body = own ? phases_step - across(8) : 0.27
phases_top = own ? upper_edge - tall(16) : 0.80
phases_down = own ? (phases_top - bottom_edge) / panels : 0.63 / panels
set label 20 T("n, rows and columns of the image") at screen 0.53, screen (own ? tall(9) : 0.095) center font font12
do for [r = 1:panels] {
    do for [c = 1:3] {
        left = phases_left + phases_step * (c - 1)
        top = phases_top - phases_down * (r - 1)
        set lmargin at screen left
        set rmargin at screen left + phases_body
        set tmargin at screen top
        set bmargin at screen top - phases_down + (own ? tall(r < panels ? 10 : 0) : 0.03)
        eval "set xtics (".(r == int(word(bottoms, c)) ? numbers : blanks).")"
        first = c == 1 || (c == 2 && !has(r, 1)) || (c == 3 && !has(r, 1) && !has(r, 2))
        if (first) {
            set format y "%g"
            if (small) { set label 2 word(kernels, r) at screen across(7), graph 0.5 center rotate by 90 font font12 } else { set ylabel word(kernels, r) font font12 }
        } else {
            set format y ""
            unset ylabel
            unset label 2
        }
        if (r == int(word(tops, c))) {
            set label 1 offload_name(word(offloads, c)) at screen left - (own ? across(4) : 0), screen own ? phases_top + tall(9) : 0.83 left font fitting_font(offload_name(word(offloads, c)), phases_step, 12)
        } else {
            unset label 1
        }
        if (!has(r, c)) {
            continue
        }
        plot for [i = 5:1:-1] points \
            using (here(word(kernels, r), word(offloads, c)) ? log2(column("size")) : NaN):(up_to(i)) \
            with boxes linecolor rgb part_colour(i)
        if (!drawn) {
            drawn = 1
            unset label 1001
            unset label 1002
            unset for [i = 1:5] object i
            do for [i = 901:905] { unset object i; unset label i }
            unset for [i = 11:15] label i
            unset label 20
        }
    }
}
unset multiplot
