/* What every method of every operator has in common: the head of its row. Options, help, tests,
 * programs, study and charts read methods through it; only an operator's own folder knows the rest
 * of the row, the typed functions (kernels/maxpool/maxpool.h, kernels/matmul/matmul.h). The recipe
 * for adding a method stands above the rows, in each operator's methods.c. */
#ifndef MAXPOOL_METHODS_H
#define MAXPOOL_METHODS_H

#include "kernels/operation.h"

/* Who can run a method: host methods run in serial, OpenMP and MPI alike. A method's key is
 * (operator, kind, name). */
enum space_kind { SPACE_HOST, SPACE_CUDA };

/* Why this build cannot run the methods of a GPU, or NULL. They are not called through the tables:
 * cuda/kernels/kernels.h finds their kernels by name. */
#ifdef MAXPOOL_HAVE_CUDA
#define CUDA_UNAVAILABLE NULL
#else
#define CUDA_UNAVAILABLE "built without CUDA"
#endif

/* What the workers of a process do together where there are many: the right operand is packed once
 * for all of them, a panel of its rows at a time, in place of once by each. Whoever runs the method
 * has all workers pack a panel, each a part of it, then all compute with it, then pack the next. */
struct sharing {
    /* How many panels, for so many workers; 0: each packs for itself. */
    int64_t (*panels)(const struct operation *op, int64_t workers);
    /* Panel number `panel` are the rows [*term, *term + *terms). */
    void (*rows)(const struct operation *op, int64_t panel, int64_t *term, int64_t *terms);
    /* Floats of the room that each panel is packed into, aligned to 64 bytes. */
    size_t (*floats)(const struct operation *op);
    /* Packs part `part` of `parts` of a panel. */
    void (*pack)(const struct operation *op, int64_t panel, int64_t part, int64_t parts,
                 float *room);
};

/* Arithmetic operations a second that one core does, roughly: in loops of scalars, and in products
 * from registers. Plans estimate with them what was never measured. */
#define SCALAR_OPERATIONS_PER_S  1e9
#define PRODUCT_OPERATIONS_PER_S 4e10

struct method {
    const char *name;
    enum space_kind kind;
    bool product;     /* does the operator's product, for any right operand */
    bool rounds;      /* integers too, however small: its results are within a bound, never exact */
    bool vectors;     /* computes in vectors, built once per instruction set (kernels/isa.h) */
    const char *idea; /* one line, no full stop */
    const char *unavailable; /* NULL, or why this build cannot run it */
    /* NULL, or why the method cannot do this operation, operands and shapes bound: a phrase behind
     * "--method NAME ". Programs end with status 2, `all` passes it over, plans leave it out. */
    const char *(*refuses)(const struct operation *op);
    /* Arithmetic operations per output (a multiply-add counts 2, a comparison 1). */
    double (*cost)(const struct operation *op);
    double operations_per_s; /* of one core, for estimates; 0: as loops in vectors */
    /* Scratch that one worker needs for blocks up to `cols` outputs wide, in bytes; NULL: none. The
     * space aligns it to 64 bytes. SIZE_MAX: more than can be counted. */
    size_t (*scratch_bytes)(const struct operation *op, int64_t cols);
    /* Floats that `pack` makes of the right operand, once for all workers and before any time is
     * taken, as libraries prepare their weights; NULL or 0: none. SIZE_MAX: more than can be
     * counted. */
    size_t (*packed_floats)(const struct operation *op);
    void (*pack)(const struct operation *op, float *packed);
    const struct sharing *sharing; /* NULL: workers share no work */
    /* Columns of the strips of all rows that the outputs are better distributed by, where rows
     * would not come out even among so many workers; 0: by rows. NULL: always by rows. */
    int64_t (*strips)(const struct operation *op, int64_t workers);
    int64_t strip_cols; /* widest block it wants, in outputs; 0: any */
    bool whole_rows;    /* takes no blocks narrower than the map, but for `strips` */
    bool whole_planes;  /* takes blocks of several whole planes */
    bool staged;        /* works in stages, a row of outputs at a time */
};

#endif
