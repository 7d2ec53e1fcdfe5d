/* The options of the point programs, rows of harness/options/option_row.h. The operators' own come
 * into the table from their rows (kernels/operators.h). */
#ifndef MAXPOOL_OPTION_TABLE_H
#define MAXPOOL_OPTION_TABLE_H

#include "harness/options/option_row.h"
#include "harness/point/options/options.h"

/* Which programs an option is for; 0: all. */
enum {
    FOR_THREADS = 1,
    FOR_PROCESSES = 2,
    FOR_DEVICE = 4,
    FOR_HOST = 8,
    FOR_SIMULATION = 16,
    FOR_WINDOW = 32,    /* operators of which a GPU can be given one window at a time */
    FOR_EXPLAIN = 64,   /* operators that can explain an output */
    FOR_PLANES = 128,   /* operators that take any number of planes */
    FOR_OPERATOR = 256, /* programs of an operator, not of a network */
    FOR_NETWORK = 512,
    FOR_POINTS = 1024,    /* operators whose image is points */
    FOR_BATCHES = 2048,   /* networks through which one batch goes */
    FOR_STRUCTURES = 4096 /* those that programs of several structures use */
};

/* All rows, of every operator. */
const struct option_row *option_rows(int *count);

/* Index of the row of that name, or -1. */
int option_find(const char *name);

/* Whether the program takes the option; and the failure that says why it does not. */
bool option_applies(const struct option_row *row, const struct program *program);
enum status option_refuse(const struct option_row *row, const struct program *program,
                          struct failure *f);

/* Whether the operator that the options select has what was given; the failure says what not. */
enum status options_check_selected(const struct options *o, const struct program *program,
                                   struct failure *f);

#endif
