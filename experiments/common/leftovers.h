/* What killed programs left of files that output.h writes: PATH.PID-N.tmp. */
#ifndef MAXPOOL_LEFTOVERS_H
#define MAXPOOL_LEFTOVERS_H

/* Removes them from a results folder and from those of its derived data and charts. One stays where
 * a process of that number runs here, or where it was written to within ten minutes: it may be that
 * of another host that has the folder, too. */
void leftovers_remove(const char *results);

#endif
