# Moves labels apart that would overlap. In: spread_n, spread_y[] (places between 0 and 1), spread_gap. Out: spread_y[],
# in the same order, with at least the gap between them if there is space.
if (spread_n > 0) {
    array spread_order[spread_n]
    do for [a = 1:spread_n] { spread_order[a] = a }
    do for [a = 1:spread_n - 1] {
        do for [b = 1:spread_n - a] {
            if (spread_y[spread_order[b]] > spread_y[spread_order[b + 1]]) {
                swap = spread_order[b]
                spread_order[b] = spread_order[b + 1]
                spread_order[b + 1] = swap
            }
        }
    }
    if (spread_gap * (spread_n - 1) > 1.0) { spread_gap = 1.0 / (spread_n - 1) }
    do for [a = 2:spread_n] {
        below = spread_y[spread_order[a - 1]] + spread_gap
        if (spread_y[spread_order[a]] < below) { spread_y[spread_order[a]] = below }
    }
    if (spread_y[spread_order[spread_n]] > 1.0) {
        spread_y[spread_order[spread_n]] = 1.0
        do for [a = 1:spread_n - 1] {
            b = spread_n - a
            above = spread_y[spread_order[b + 1]] - spread_gap
            if (spread_y[spread_order[b]] > above) { spread_y[spread_order[b]] = above }
        }
    }
}
