# Worker counts in words, for charts that distinguish them.
workers_text(n) = n == 1 ? T("1 worker") : put(T("%{workers} workers"), "workers", sprintf("%.0f", n))
# How many worker counts there are beyond one, of rows for which is_counted(row): `counts`, and the largest of them.
counts = ""
largest_workers = 0
count_workers(n) = (largest_workers = n > largest_workers ? n : largest_workers, \
    strstrt(counts, sprintf(" %g ", n)) > 0 ? 0 : (counts = counts.sprintf(" %g ", n), 0))
set table $unused
plot points using (is_counted(0) && column("workers") > 1 ? count_workers(column("workers")) : 0):(0) with table
unset table
