/* What all methods of all operators have in common: the head of a method's row. Options, help,
 * tests, programs, study and charts read methods through it; only an operator's own folder knows
 * the rest of the row, the typed functions (kernels/maxpool/maxpool.h, kernels/matmul/matmul.h).
 * The recipe for adding a method is above the rows: in each operator's methods.c, for max pooling
 * in methods.inc. */
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

/* Shared packing by the workers of a process: the right operand is packed once for all of them, one
 * panel of its rows at a time, instead of once by each worker. The caller lets all workers pack a
 * panel, each a part of it, then all compute with it, then pack the next. */
struct sharing {
    /* The number of panels for `workers` workers; 0: each worker packs for itself. */
    int64_t (*panels)(const struct operation *op, int64_t workers);
    /* Panel number `panel` has the rows [*term, *term + *terms). */
    void (*rows)(const struct operation *op, int64_t panel, int64_t *term, int64_t *terms);
    /* Size in floats of the buffer for a packed panel, which is aligned to 64 bytes. */
    size_t (*floats)(const struct operation *op);
    /* Packs part `part` of `parts` of a panel into `room`, the buffer of the whole panel. */
    void (*pack)(const struct operation *op, int64_t panel, int64_t part, int64_t parts,
                 float *room);
};

/* Arithmetic operations per second of one core, roughly: in scalar loops, in vectorised loops, and
 * in products from registers. Plans use them to estimate what was never measured. */
#define SCALAR_OPERATIONS_PER_S  1e9
#define VECTOR_OPERATIONS_PER_S  8e9
#define PRODUCT_OPERATIONS_PER_S 4e10

struct method {
    const char *name;
    enum space_kind kind;
    bool product;     /* computes the operator's product, for any right operand */
    bool rounds;      /* rounds even small integers: results are within a bound, never exact */
    bool tensor;      /* rounds the operands as --math declares; all others compute in float32 */
    bool vectors;     /* computes in vectors, built once per instruction set (kernels/isa.h) */
    const char *idea; /* one line, no full stop */
    const char *unavailable; /* NULL, or why this build cannot run it */
    bool needs_gpu; /* a library computes, on a GPU alone: an emulated device cannot run it */
    /* Returns NULL, or why the method cannot compute this operation, whose operands and shapes are
     * bound: a phrase to follow "--method NAME ". Programs then end with status 2, `all` skips the
     * method, plans leave it out. NULL: the method computes every operation. */
    const char *(*refuses)(const struct operation *op);
    /* Arithmetic operations per output (a multiply-add counts 2, a comparison 1). */
    double (*cost)(const struct operation *op);
    double operations_per_s; /* of one core, for estimates; 0: as vectorised loops */
    /* Bytes of scratch that one worker needs for blocks of up to `cols` columns of outputs. NULL:
     * none; SIZE_MAX: the number overflows. The space aligns scratch to 64 bytes. */
    size_t (*scratch_bytes)(const struct operation *op, int64_t cols);
    /* Floats that `pack` makes from the right operand, once for all workers and before timing
     * starts, as libraries prepare their weights. NULL or 0: none; SIZE_MAX: the number
     * overflows. */
    size_t (*packed_floats)(const struct operation *op);
    void (*pack)(const struct operation *op, float *packed);
    const struct sharing *sharing; /* NULL: workers do not pack together */
    /* Strips of all rows are the better partition of the outputs if rows do not divide evenly among
     * `workers` workers. Returns the columns of a strip; 0: partition by rows. NULL: always by
     * rows. */
    int64_t (*strips)(const struct operation *op, int64_t workers);
    /* Rows of a plane that it computes together and whose bits depend on where they begin: blocks
     * of all workers, and the bands of all processes, begin at multiples of it.
     * 0: one. */
    int64_t unit_rows;
    int64_t piece_rows; /* least rows of a block that does not take longer per row; 0: one */
    int64_t strip_cols; /* widest block that it accepts, in outputs; 0: any */
    bool whole_rows;    /* blocks are as wide as the map, except with `strips` */
    bool whole_planes;  /* accepts blocks of several whole planes */
    /* Works in stages, a row of outputs at a time (enum stage). The first half of its scratch is
     * what the product reads, the second half what it writes. */
    bool staged;
};

/* Returns NULL, or why the method cannot compute this operation (method.refuses), also because of
 * its declared precision. */
const char *method_refuses(const struct method *method, const struct operation *op);

/* Returns NULL, or why a program cannot run the method. An emulated device runs every kernel of
 * ours, in every build. */
const char *method_lacks(const struct method *method, bool emulated);

#endif
