/* The options of the point programs; harness/point/options/option_table.h declares them. */
#ifndef MAXPOOL_OPTIONS_H
#define MAXPOOL_OPTIONS_H

#include "harness/point/verify/verify.h"
#include "harness/space/peer.h"
#include "harness/space/space.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The program. */
struct program {
    const char *name;                /* maxpool_omp */
    const struct operator_row *kind; /* the operator */
    const struct space *space;
    const struct peers *peers;     /* methods of other libraries that it also runs; NULL: none */
    const struct subject *subject; /* harness/point/subject.h; NULL: the operator itself */
    bool emulated;                 /* the device is an emulation on the CPU: nothing is timed */
};

enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

enum { OPTIONS_MOST = 128 }; /* rows of the option table */

/* The values, with defaults filled in. A choice is the index of its word. */
struct options {
    int64_t size, rows, cols, planes;
    const char *input, *output;
    int64_t plane, axis;                 /* a slice, if given; enum image_axis */
    int64_t nearest;                     /* values per row of the map; 0: all */
    struct parameters parameters;        /* the operator's own */
    const char *operands[OPERAND_COUNT]; /* by role: --filter; NULL: the operator has none */
    int64_t nan;                         /* of the image's file: 0 refused, 1 taken as 0 */
    bool gray;                           /* a colour picture becomes one plane */
    bool skip_bad;                       /* pictures that cannot be read are left out */
    int64_t seed, max_value;
    const char *method;       /* names separated by commas; "all" may be one of them */
    int64_t isa;              /* enum isa: widest allowed, if given */
    const char *list_methods; /* NULL: not requested; "": runnable ones; "all" */
    int64_t threads;          /* 0: the space's default */
    int64_t bind;             /* enum binding */
    int64_t pages;            /* enum pages */
    int64_t distribute;       /* enum distribution */
    int64_t parallel;         /* enum parallel_part */
    /* For a GPU: the choices, and the device options that they are converted to. */
    int64_t offload, filter_memory, host_memory, submit, overlap, block;
    struct device_options device;
    bool show_indices, kernel_facts;
    const char *per_rank; /* NULL: not requested */
    int64_t warmup, samples;
    double relative_ci, max_seconds;
    int64_t verify;         /* enum verify_mode */
    const char *platform;   /* of a simulated launch; NULL: unknown */
    double row_s;           /* simulated seconds of a row; 0: rows are computed and timed */
    double product_row_s;   /* of these, the products' */
    double sum_s, update_s; /* simulated seconds: adding a shard's gradients, one update */
    bool fold;
    const char *record;
    int64_t format; /* enum output_format */
    const char *experiment;
    int64_t round;
    bool interactive, print, explain, version;
    const char *help; /* NULL: not requested; "": the first screen; "all" */
    const char *lang; /* of the screen; NULL: the environment's */
    /* For a network. */
    const char *network, *weights, *save; /* NULL: not given */
    int64_t batch, image_size, pictures;  /* 0: not given */
    bool features, layers, list_networks;
    const char *graph;                           /* file; NULL: not requested */
    const char *record_layers, *record_training; /* files; NULL: not requested */
    const char *trace, *timeline;
    const char *roof;        /* a file of ceilings; NULL: not given */
    int64_t top;             /* classes to report for each image; 0: none */
    const char *class_names; /* NULL: classes are numbered */
    /* For its training. A choice is the index of its word. */
    int64_t task, optimizer, order, dropout, strategy, select, init;
    const char *data, *labels, *resume, *save_data; /* NULL: not given */
    const char *split, *normalize;                  /* NULL: not given */
    double validation_share, test_share;
    int64_t epochs, steps, shards; /* 0: not given */
    double learning_rate;
    bool find_learning_rate;
    const char *augment;      /* NULL: none */
    bool given[OPTIONS_MOST]; /* by row of the option table: it is on the command line */
};

/* Reads the command line. Status 2 for any error, with a message that names the option. */
enum status options_parse(struct options *o, const struct program *program, int argc, char **argv,
                          struct failure *f);

/* True if the option with that long name was given. */
bool options_given(const struct options *o, const char *name);

/* Returns the default of an option as a word; NULL: none, or a computed one. */
const char *option_fallback(const char *name);

/* Checks that the options are consistent; sets rows and cols from the size, and the operator's
 * parameters that were not given. */
enum status options_settle(struct options *o, const struct program *program, struct failure *f);

/* Sends the root's integers to every process: the answers of --interactive. */
void options_broadcast(struct options *o, const struct processes *p);

/* Returns our i-th method that computes the operator in the program, from 0, in the order of the
 * table; NULL if there are at most i. */
const char *options_method(const struct operator_row *kind, const struct program *program,
                           size_t i);

/* Print the help, of which all or the first screen, and the list of methods of this program: the
 * methods that run here, or with `all`
 * also the others and the peers. */
void options_help(FILE *out, const struct program *program, bool all);
void options_list_methods(FILE *out, const struct program *program, bool all);

#endif
