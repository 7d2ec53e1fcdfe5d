/* The option table: one row declares an option, and the parser, the help and the messages walk it.
 * The operators' own options come into it from their rows (kernels/operators.h). */
#ifndef MAXPOOL_OPTION_TABLE_H
#define MAXPOOL_OPTION_TABLE_H

#include "harness/point/options/options.h"

enum value_kind { VALUE_FLAG, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_OPTIONAL, VALUE_CHOICE };

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

static const double option_int_most = 9223372036854774784.0; /* largest double below 2^63 */

struct option_row {
    const char *name;
    char letter; /* 0: none */
    enum value_kind kind;
    const char *argument; /* as the help shows it; for a choice the words, parted by | */
    size_t offset;        /* of the field in struct options */
    double least, most;   /* of a number */
    const char *fallback; /* the value where it is not given; NULL: 0, or worked out */
    unsigned only;
    const char *group; /* heading of the help, on the first row of each group */
    const char *help;
    const char *of; /* of an operator's own: what operators without it do not have; NULL: of all */
    const char *formerly; /* its name in earlier versions, which is still read; NULL: the same */
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

/* Sets the row's field from a word; NULL is that of a flag. Status 2 with a message that names the
 * option. */
enum status option_read(struct options *o, const struct option_row *row, const char *text,
                        struct failure *f);

#endif
