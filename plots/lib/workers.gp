# Texts for worker counts, in charts that distinguish them.
workers_text(n) = n == 1 ? T("1 worker") : put(T("%{workers} workers"), "workers", sprintf("%.0f", n))
# Sets `counts`, a list of the worker counts above one in rows with is_counted(row), and `largest_workers`.
counts = ""
largest_workers = 0
count_workers(n) = (largest_workers = n > largest_workers ? n : largest_workers, \
    strstrt(counts, sprintf(" %g ", n)) > 0 ? 0 : (counts = counts.sprintf(" %g ", n), 0))
set table $unused
plot points using (is_counted(0) && column("workers") > 1 ? count_workers(column("workers")) : 0):(0) with table
unset table
