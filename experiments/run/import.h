/* Imports samples that were measured on other machines into R/samples.csv of a results folder. A
 * sample that several experiments show is there once; R/journal.csv then says which ones. */
#ifndef MAXPOOL_IMPORT_H
#define MAXPOOL_IMPORT_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdint.h>

struct import_counts {
    int64_t files, rows;
    int64_t duplicates; /* rows that exist already: same run_id, warmup and sample */
    int64_t corrupt;    /* corrupt rows, left out */
    int64_t special;    /* links, FIFOs and devices in folders and tar files, left out */
    char first_special[PATH_MAX + 32];  /* "NAME is a FIFO" */
    char first_corrupt[PATH_MAX + 256]; /* "FILE:LINE: why it was left out" */
    int64_t torn;                       /* files whose last line has no end, which was left out */
    char first_torn[PATH_MAX];          /* the first of them */
};

/* Imports CSV files, folders of them and tar files (with the `tar` program). From this call on, a
 * signal asks the import to stop and does not kill the process (experiments/common/process.h). All
 * files are checked before a row is written. Status 2 for rows of another schema, with an unknown
 * column, without the columns that identify a sample, of an experiment whose name is no safe file
 * name, or of a point and round that another host has measured: each machine needs a separate
 * folder. `experiment` is the experiment of rows that name none; NULL: such rows are refused. */
enum status import_files(const char *results, const char *experiment, char **paths, int count,
                         struct import_counts *counts, struct failure *f);

#endif
