/* The host methods of the matrix product, one per file; methods.c gives each its row. */
#ifndef MAXPOOL_MATMUL_H
#define MAXPOOL_MATMUL_H

#include "kernels/matmul/blocks.h"
#include "kernels/methods.h"

typedef void matmul_function(const struct matmul_call *call, void *scratch);

/* Packs the columns `cols` of the terms `terms` of B to their place in a panel of all columns; they
 * begin with a multiple of PACKED_COLS_STEP. */
typedef void matmul_panel_function(const struct view *b, struct range terms, struct range cols,
                                   float *panel);

struct matmul_method {
    struct method head;
    matmul_function *run[ISA_COUNT]; /* one per instruction set; NULL: the one before it serves */
    matmul_panel_function *pack[ISA_COUNT]; /* likewise, of methods whose workers share panels */
};

/* Every method, the baseline first. */
extern const struct matmul_method matmul_methods[];
extern const size_t matmul_method_count;

/* For the operator's row. */
const struct method *matmul_method_at(size_t i);
bool matmul_is_built(const struct method *m, enum isa isa);

/* The operation as a library takes it: so many products of a rows x cols matrix by a cols x cols
 * one, both behind the ones before. Planes by one B are the rows of one matrix. */
struct matmul_batch {
    int64_t products, rows, cols;
};
struct matmul_batch matmul_batch_of(const struct operation *op);

/* A portion as methods take it. */
struct matmul_call matmul_call_of(const struct operation *op, const struct portion *portion);

/* The row of a host method that is not a peer's. */
const struct matmul_method *matmul_method_of(const struct method *head);

/* True where each plane of the image is multiplied by a B of its own. */
bool matmul_has_own_filters(const struct operation *op);

/* A multiply-add for each term. */
double matmul_cost(const struct operation *op);

matmul_function matmul_naive, matmul_interchanged, matmul_blocked;
ISA_DECLARE(matmul_function, matmul_packed);
ISA_DECLARE(matmul_panel_function, matmul_packed_panel);
extern const struct sharing matmul_sharing;

/* Scratch in bytes of `packed` for one worker whose blocks are at most `cols` outputs wide; the
 * first for calls whose caches are unknown. */
size_t matmul_packed_bytes(int64_t inner, int64_t cols);
size_t matmul_packed_scratch(const struct operation *op, int64_t cols);

#endif
