/* The options of the point programs, as the option table (harness/point/options/option_table.h)
 * declares them. */
#ifndef MAXPOOL_OPTIONS_H
#define MAXPOOL_OPTIONS_H

#include "harness/point/verify/verify.h"
#include "harness/space/peer.h"
#include "harness/space/space.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Which program this is. */
struct program {
    const char *name;                /* maxpool_omp */
    const struct operator_row *kind; /* the operator */
    const struct space *space;
    const struct peers *peers;     /* other libraries' methods that it runs too; NULL: none */
    const struct subject *subject; /* harness/point/subject.h; NULL: the operator itself */
};

enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

enum { OPTIONS_MOST = 128 }; /* rows of the option table */

/* The values, defaults filled in. Choices hold the index of the word chosen. */
struct options {
    int64_t size, rows, cols, planes;
    const char *input, *output;
    int64_t nearest;                     /* of each row of the map, instead of all; 0: all */
    struct parameters parameters;        /* the operator's own */
    const char *operands[OPERAND_COUNT]; /* by role: --filter; NULL: it has none */
    int64_t seed, max_value;
    const char *method;       /* names separated by commas, "all" among them */
    int64_t isa;              /* enum isa: the widest allowed, where given */
    const char *list_methods; /* NULL: not asked; "": runnable ones; "all" */
    int64_t threads;          /* 0: the space's default */
    int64_t bind;             /* 0 none, 1 core */
    int64_t pages;            /* enum pages */
    int64_t distribute;       /* enum distribution */
    /* Of a GPU: the words chosen, and what the space is asked for, made of all of these. */
    int64_t offload, filter_memory, host_memory, block;
    struct device_options device;
    bool show_indices, kernel_facts;
    const char *per_rank; /* NULL: not asked */
    int64_t warmup, samples;
    double relative_ci, max_seconds;
    int64_t verify;         /* enum verify_mode */
    const char *platform;   /* of a simulated launch; NULL: unknown */
    double row_s;           /* seconds that a row takes in it; 0: it is computed and clocked */
    double sum_s, update_s; /* of a training step in it: adding a shard's gradients, the update */
    bool fold;
    const char *record;
    int64_t format; /* enum output_format */
    const char *experiment;
    int64_t round;
    bool interactive, print, explain, help, version;
    /* Of a network. */
    const char *network, *weights, *save; /* NULL: not given */
    int64_t batch, image_size, pictures;  /* 0: not given */
    bool features, layers, list_networks;
    const char *graph;                           /* file; NULL: not asked */
    const char *record_layers, *record_training; /* files; NULL: not asked */
    const char *trace, *timeline;
    const char *roof;        /* a file of ceilings; NULL: not given */
    int64_t top;             /* classes of each image that are reported; 0: none */
    const char *class_names; /* NULL: they have numbers */
    /* Of its training. Choices hold the index of the word. */
    int64_t task, optimizer, order, dropout, strategy;
    const char *data, *labels, *resume, *save_data; /* NULL: not given */
    int64_t epochs, steps, shards;                  /* 0: not given */
    double learning_rate;
    bool find_learning_rate;
    const char *augment;      /* NULL: none */
    bool given[OPTIONS_MOST]; /* by row of the option table: it was on the command line */
};

/* Reads the command line. Status 2 with a message that names the option on anything wrong. */
enum status options_parse(struct options *o, const struct program *program, int argc, char **argv,
                          struct failure *f);

/* True where the option of that long name was given. */
bool options_given(const struct options *o, const char *name);

/* The word that an option has where it is not given; NULL: none, or one that is worked out. */
const char *option_fallback(const char *name);

/* Checks what the options must agree on; sets rows and cols from the size, and the
 * operator's parameters that were not given. */
enum status options_settle(struct options *o, const struct program *program, struct failure *f);

/* The root's integers become every process's: what --interactive asked for. */
void options_share(struct options *o, const struct processes *p);

/* The i-th method of ours that computes the operator in the program, counted from 0 in the order of
 * the table; NULL from their number on. */
const char *options_method(const struct operator_row *kind, const struct program *program,
                           size_t i);

/* The help and the list of methods of this program: those that run here, or with `all` those that
 * do not too, and the peers. */
void options_help(FILE *out, const struct program *program);
void options_list_methods(FILE *out, const struct program *program, bool all);

#endif
