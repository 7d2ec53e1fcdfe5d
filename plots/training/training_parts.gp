# The parts of a training step as stacked shares of its time. The number of threads is the largest that any network with
# two batches has. Shown are the deepest networks with two batches: the smallest, the middle one and the largest, each
# with its smallest and its largest batch. Of several methods, the last in the order of their characters is shown, as in
# claims_parts.c.
load plots."/lib/style.gp"
hyphens(text) = strstrt(text, "-") == 0 ? 0 : 1 + hyphens(substr(text, strstrt(text, "-") + 1, strlen(text)))
hidden(name) = substr(name, 1, 4) eq "mlp:" ? 1 + hyphens(name) : 0
is_step(row) = stringcolumn("task") eq "train" && text_in("forward_s") && text_in("workers") && (stringcolumn("space") eq "omp" || stringcolumn("space") eq "serial") && stringcolumn("status") ne "INVALID" && stringcolumn("status") ne "SIMULATED" && stringcolumn("shares_cores") ne "1" && strlen(stringcolumn("isa_limit")) == 0 && strlen(stringcolumn("pages_asked")) == 0
# The networks and methods by number of threads, with their bytes and their smallest and largest batch.
networks = 0
array network_name[200]
array network_method[200]
array network_workers[200]
array network_bytes[200]
array small_batch[200]
array large_batch[200]
do for [j = 1:200] { network_name[j] = "" }
find_network(j, name, method, workers) = j > 200 ? 0 : network_name[j] eq name && network_method[j] eq method && network_workers[j] == workers ? j : strlen(network_name[j]) == 0 ? (network_name[j] = name, network_method[j] = method, network_workers[j] = workers, networks = j, small_batch[j] = 1e300, large_batch[j] = 0, j) : find_network(j + 1, name, method, workers)
take_batch(j, bytes, batch) = j == 0 ? 0 : (network_bytes[j] = bytes, small_batch[j] = batch < small_batch[j] ? batch : small_batch[j], large_batch[j] = batch > large_batch[j] ? batch : large_batch[j], 0)
set table $unused
plot points using (is_step(0) ? take_batch(find_network(1, stringcolumn("network"), stringcolumn("method"), column("workers")), column("parameter_bytes"), column("batch")) : 0):(0) with table
unset table
# The deepest networks with two batches, in ascending bytes, and by name if bytes are equal; each with one method.
letters = "-.0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
letter(text, i) = i > strlen(text) ? 0 : strstrt(letters, text[i:i])
is_behind(p, q, i) = letter(p, i) != letter(q, i) ? letter(p, i) > letter(q, i) : i >= strlen(p) ? 0 : is_behind(p, q, i + 1)
most_workers = 0
do for [j = 1:networks] { if (small_batch[j] < large_batch[j] && network_workers[j] > most_workers) { most_workers = network_workers[j] } }
has_two(j) = small_batch[j] < large_batch[j] && network_workers[j] == most_workers
is_wanted(row) = is_step(0) && column("workers") == most_workers
deepest = 0
do for [j = 1:networks] { if (has_two(j) && hidden(network_name[j]) > deepest) { deepest = hidden(network_name[j]) } }
array ordered[200]
do for [j = 1:200] { ordered[j] = 0 }
is_kept(j) = has_two(j) && hidden(network_name[j]) == deepest && (sum [k = 1:networks] (has_two(k) && network_name[k] eq network_name[j] && is_behind(network_method[k], network_method[j], 1))) == 0
order = ""
pairs = 0
is_before(j, k) = network_bytes[j] != network_bytes[k] ? network_bytes[j] < network_bytes[k] : is_behind(network_name[k], network_name[j], 1)
do for [n = 1:networks] {
    next = 0
    do for [j = 1:networks] {
        if (is_kept(j) && !ordered[j] && (next == 0 || is_before(j, next > 0 ? next : 1))) { next = j }
    }
    if (next > 0) { order = order.sprintf(" %d", next); pairs = pairs + 1; ordered[next] = 1 }
}
if (pairs == 0) {
    lacking = T("no network was trained with two batch sizes")
    load plots."/lib/nothing.gp"
}
middle = 1 + (pairs - 1) / 2
shown = word(order, 1).(middle > 1 ? " ".word(order, middle) : "").(pairs > middle ? " ".word(order, pairs) : "")
parts = 5
bars = 2 * words(shown)
array part_s[parts * bars]
array bar_name[bars]
do for [j = 1:parts * bars] { part_s[j] = 0.0 }
seconds(name) = text_in(name) ? column(name) : 0.0
take_bar(j, t, f, b, l, u) = (part_s[parts * (j - 1) + 1] = f / t, part_s[parts * (j - 1) + 2] = b / t, part_s[parts * (j - 1) + 3] = l / t, \
    part_s[parts * (j - 1) + 4] = u / t, part_s[parts * j] = t > f + b + l + u ? 1.0 - (f + b + l + u) / t : 0.0, 0)
do for [n = 1:words(shown)] { do for [end = 0:1] {
    network = int(word(shown, n))
    batch = end == 0 ? small_batch[network] : large_batch[network]
    place = 2 * n - 1 + end
    bar_name[place] = put(put(T("%{network}, batch %{batch}"), "network", network_name[network]), "batch", sprintf("%d", int(batch)))
    set table $unused
    plot points using (is_wanted(0) && stringcolumn("network") eq network_name[network] && stringcolumn("method") eq network_method[network] && column("batch") == batch ? \
        take_bar(place, column("total_s"), seconds("forward_s"), seconds("backward_s"), seconds("loss_s"), seconds("update_s")) : 0):(0) with table
    unset table
} }
if (bars < least_places) {
    load plots."/lib/too_few_values.gp"
}
wide = 0
do for [j = 1:bars] { wide = strlen(bar_name[j]) > wide ? strlen(bar_name[j]) : wide }
part_share(j, i) = 100.0 * part_s[parts * (j - 1) + i]
parts = 5
part_name(i) = i == 1 ? T("forward") : i == 2 ? T("backward") : i == 3 ? T("loss") : i == 4 ? T("update") : T("rest")
part_colour(i) = i == 1 ? 0x0072B2 : i == 2 ? 0x56B4E9 : i == 3 ? 0xE69F00 : i == 4 ? 0xCC79A7 : 0xC8C8C8
bar_end = 101
bar_form = "%g"
bar_title = T("share of the time of a step, %")
load plots."/lib/bars.gp"
