/* The method tables: one row declares a method once, and options, help, tests, programs and charts
 * read it from here. The recipe for adding a method stands above the rows, in maxpool_methods.c and
 * matmul_methods.c. */
#ifndef MAXPOOL_METHODS_H
#define MAXPOOL_METHODS_H

#include "kernels/call.h"
#include "kernels/isa.h"

/* Who can run a method: host methods run in serial, OpenMP and MPI alike. A method's key is
 * (kind, operator, name). */
enum space_kind { SPACE_HOST, SPACE_CUDA };

/* Why this build cannot run the methods of a GPU, or NULL. They are not called through the tables:
 * cuda/kernels/kernels.h finds their kernels by name. */
#ifdef MAXPOOL_HAVE_CUDA
#define CUDA_UNAVAILABLE NULL
#else
#define CUDA_UNAVAILABLE "built without CUDA"
#endif

typedef void maxpool_function(const struct maxpool_call *call, void *scratch);
typedef void matmul_function(const struct matmul_call *call, void *scratch);

/* The three steps of a method that works in stages, each over the one output row of its call. They
 * share the scratch, and the caller may clock each: methods themselves hold no clock. */
struct maxpool_stages {
    maxpool_function *cut, *multiply, *reduce;
};

struct maxpool_method {
    const char *name;
    enum space_kind kind;
    bool product;            /* does the per-window product, for any filter */
    const char *idea;        /* one line, no full stop */
    const char *unavailable; /* NULL, or why this build cannot run it */
    /* Arithmetic operations per output (a multiply-add counts 2, a comparison 1). */
    double (*cost)(const struct geometry *g);
    /* Scratch that one worker needs for blocks up to `cols` outputs wide, in bytes; NULL: none.
     * The space aligns it to 64 bytes. SIZE_MAX: more than can be counted. */
    size_t (*scratch_bytes)(const struct geometry *g, int64_t cols);
    int64_t strip_cols;               /* widest block it wants, in outputs; 0: any */
    bool whole_planes;                /* takes blocks of several whole planes */
    maxpool_function *run[ISA_COUNT]; /* one per instruction set; NULL: the one before it serves */
    const struct maxpool_stages *stages; /* NULL, or the same work as run in three steps */
};

struct matmul_method {
    const char *name;
    enum space_kind kind;
    const char *idea;
    const char *unavailable;
    /* Scratch per worker in bytes for a product of `inner` terms; NULL: none. */
    size_t (*scratch_bytes)(int64_t inner, int64_t cols);
    matmul_function *run[ISA_COUNT]; /* as above */
};

/* Every method, the baseline first. */
extern const struct maxpool_method maxpool_methods[];
extern const size_t maxpool_method_count;
extern const struct matmul_method matmul_methods[];
extern const size_t matmul_method_count;

/* The row of (kind, name), or NULL. */
const struct maxpool_method *maxpool_method_find(enum space_kind kind, const char *name);
const struct matmul_method *matmul_method_find(enum space_kind kind, const char *name);

/* The instruction set that the method would run in where `limit` is the widest allowed. */
enum isa maxpool_method_isa(const struct maxpool_method *m, enum isa limit);
enum isa matmul_method_isa(const struct matmul_method *m, enum isa limit);

#endif
