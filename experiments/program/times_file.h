/* Times of a program that were measured elsewhere: `study speedup --csv FILE`. */
#ifndef MAXPOOL_TIMES_FILE_H
#define MAXPOOL_TIMES_FILE_H

#include "experiments/program/own_definition.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One execution. */
struct time_row {
    int64_t workers, repetition; /* repetition: RECORD_NO_INT without that column */
    double seconds;
};

struct times {
    struct time_row *rows; /* owned */
    size_t count;
    bool ranks; /* the header calls the workers ranks or processes */
};

/* Reads workers, seconds and, if there is such a column, repetition. A header may name them in any
 * order, beside other columns: workers, threads, ranks, processes, cores or p; seconds, time or s;
 * repetition, rep or run. Without a header they have this order. Semicolons, tabs, quotes and
 * decimal commas of a spreadsheet are read too; empty lines, and lines that begin with #, are left
 * out. Status 2, "FILE:LINE: ...", for anything else. */
enum status times_read(struct times *out, const char *path, struct failure *f);
void times_release(struct times *t);

/* Makes them an experiment of a folder of results, in place of what it held: samples and
 * definition. Of the question, only weak scaling and the base are used. Status 2 if the folder has
 * measurements of this machine, whose cores are not those of the times; 4 if another program uses
 * it, 5 if it cannot be written. */
enum status times_import(const struct times *t, const struct own_question *q, const char *title,
                         const char *results, const char *name, struct failure *f);

#endif
