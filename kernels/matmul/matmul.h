/* The host methods of the matrix product, one per file; methods.c gives each its row. */
#ifndef MAXPOOL_MATMUL_H
#define MAXPOOL_MATMUL_H

#include "kernels/matmul/blocks.h"
#include "kernels/methods.h"

typedef void matmul_function(const struct matmul_call *call, void *scratch);

/* Packs columns `cols` of terms `terms` of B into their place in a panel that has all columns. The
 * range `cols` begins at a multiple of PACKED_COLS_STEP. */
typedef void matmul_panel_function(const struct view *b, struct range terms, struct range cols,
                                   float *panel);

struct matmul_method {
    struct method head;
    matmul_function *run[ISA_COUNT]; /* one per instruction set; NULL: a lower set's is used */
    matmul_panel_function *pack[ISA_COUNT]; /* likewise, if the method's workers share panels */
};

/* Every method, the baseline first. */
extern const struct matmul_method matmul_methods[];
extern const size_t matmul_method_count;

/* For the operator's row. */
const struct method *matmul_method_at(size_t i);
bool matmul_is_built(const struct method *m, enum isa isa);

/* The operation as a library takes it: `products` products of a rows x inner matrix by an
 * inner x cols matrix. The matrices of consecutive products are adjacent. Planes that share one B
 * are the rows of one matrix. */
struct matmul_batch {
    int64_t products, rows, inner, cols;
};
struct matmul_batch matmul_batch_of(const struct operation *op);

/* The call that computes a portion. */
struct matmul_call matmul_call_of(const struct operation *op, const struct portion *portion);

/* The row of a host method that is not a peer's. */
const struct matmul_method *matmul_method_of(const struct method *head);

/* True if each plane of the image is multiplied by its own B. */
bool matmul_has_own_filters(const struct operation *op);

/* Operations per output: a multiply-add for each term. */
double matmul_cost(const struct operation *op);

matmul_function matmul_naive, matmul_interchanged, matmul_blocked;
ISA_DECLARE(matmul_function, matmul_packed);
ISA_DECLARE(matmul_panel_function, matmul_packed_panel);
extern const struct sharing matmul_sharing;

/* Bytes of scratch that `packed` needs for one worker whose blocks are at most `cols` outputs wide;
 * the first function is for calls whose caches are unknown. */
size_t matmul_packed_bytes(int64_t inner, int64_t cols);
size_t matmul_packed_scratch(const struct operation *op, int64_t cols);

#endif
