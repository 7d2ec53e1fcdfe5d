/* Times of a program that were measured elsewhere: `study speedup --csv FILE`. */
#ifndef MAXPOOL_TIMES_FILE_H
#define MAXPOOL_TIMES_FILE_H

#include "experiments/program/own_definition.h"
#include "harness/records/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One execution. */
struct time_row {
    int64_t workers, repetition; /* repetition: RECORD_NO_INT without that column */
    double seconds;
    char curve[RECORD_TEXT]; /* what was measured, as in "n = 1024"; empty: one program */
};

struct times {
    struct time_row *rows; /* owned */
    size_t count;
    bool ranks;               /* the header calls the workers ranks or processes */
    char curves[RECORD_TEXT]; /* the columns whose values are curves; empty: one program */
};

/* Reads workers, seconds and, if there is such a column, repetition; without a header they have
 * this order. A header may name them in many ways and in any order (times_header.h), and several
 * columns may hold the times of one row's repetitions. A column that tells different programs or
 * sizes apart makes a curve of each. Semicolons, tabs, blanks, quotes and decimal commas are read
 * too; empty lines, and lines that begin with #, are left out. Status 2, "FILE:LINE: ...", for
 * anything else. */
enum status times_read(struct times *out, const char *path, struct failure *f);
void times_release(struct times *t);

/* Makes them an experiment of a folder of results, in place of what it held: samples and
 * definition. Of the question, only weak scaling and the base are used. Status 2 if the folder has
 * measurements of this machine, whose cores are not those of the times; 4 if another program uses
 * it, 5 if it cannot be written. */
enum status times_import(const struct times *t, const struct own_question *q, const char *title,
                         const char *results, const char *name, struct failure *f);

#endif
