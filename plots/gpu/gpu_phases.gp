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
least = 1e9
most = -1e9
found = " "
pairs = " "
add(list, word) = strstrt(list, " ".word." ") ? list : list.word." "
look(kernel, offload, n) = (least = n < least ? n : least, most = n > most ? n : most, \
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
every = most - least > 6 ? 3 : 1
numbers = ""
blanks = ""
do for [i = int(least + 0.5):int(most + 0.5):every] {
    numbers = numbers.sprintf("%s\"%d\" %d", strlen(numbers) ? ", " : "", 2 ** i, i)
    blanks = blanks.sprintf("%s\"\" %d", strlen(blanks) ? ", " : "", i)
}
set xrange [least - 0.6:most + 0.6]
drawn = 0
set multiplot
do for [i = 1:5] {
    set object i rectangle at screen key_x(i), screen 0.035 size screen 0.016, screen 0.024 \
        fillcolor rgb part_colour(i) fillstyle solid noborder
    set label 10 + i part_name(i) at screen key_x(i) + 0.02, screen 0.035 left font font12
}
set label 20 T("n, rows and columns of the image") at screen 0.53, screen 0.095 center font font12
do for [r = 1:panels] {
    do for [c = 1:3] {
        left = 0.12 + 0.29 * (c - 1)
        top = 0.80 - 0.63 / panels * (r - 1)
        set lmargin at screen left
        set rmargin at screen left + 0.27
        set tmargin at screen top
        set bmargin at screen top - 0.63 / panels + 0.03
        eval "set xtics (".(r == int(word(bottoms, c)) ? numbers : blanks).")"
        first = c == 1 || (c == 2 && !has(r, 1)) || (c == 3 && !has(r, 1) && !has(r, 2))
        if (first) {
            set format y "%g"
            set ylabel word(kernels, r) font font12
        } else {
            set format y ""
            unset ylabel
        }
        if (r == int(word(tops, c))) {
            set label 1 offload_name(word(offloads, c)) at graph 0, screen 0.83 left font font12
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
            unset for [i = 11:15] label i
            unset label 20
        }
    }
}
unset multiplot
