/* The options of the point programs, as rows of harness/options/option_row.h. The operators' own
 * options are added from the operators' rows (kernels/operators.h). */
#ifndef MAXPOOL_OPTION_TABLE_H
#define MAXPOOL_OPTION_TABLE_H

#include "harness/options/option_row.h"
#include "harness/point/options/options.h"

/* Which programs have an option; 0: all. */
enum {
    FOR_THREADS = 1,
    FOR_PROCESSES = 2,
    FOR_DEVICE = 4,
    FOR_HOST = 8,
    FOR_SIMULATION = 16,
    FOR_WINDOW = 32,    /* operators that can give a GPU one window at a time */
    FOR_EXPLAIN = 64,   /* operators that can explain an output */
    FOR_PLANES = 128,   /* operators that take any number of planes */
    FOR_OPERATOR = 256, /* programs of an operator, not of a network */
    FOR_NETWORK = 512,
    FOR_POINTS = 1024,    /* operators whose image is points */
    FOR_BATCHES = 2048,   /* networks that process one batch at a time */
    FOR_STRUCTURES = 4096 /* options for programs with several structures */
};

/* Returns all rows, of every operator. */
const struct option_row *option_rows(int *count);

/* Returns the index of the row with that name, or -1. */
int option_find(const char *name);

/* Whether the program has the option; and the failure that explains why it has not. */
bool option_applies(const struct option_row *row, const struct program *program);
enum status option_refuse(const struct option_row *row, const struct program *program,
                          struct failure *f);

/* Checks that the operator that the options select has the options that were given; the failure
 * names one that it lacks. */
enum status options_check_selected(const struct options *o, const struct program *program,
                                   struct failure *f);

#endif
