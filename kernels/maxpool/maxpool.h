/* The host methods of max pooling, one per file; methods.c gives each its table row. */
#ifndef MAXPOOL_MAXPOOL_H
#define MAXPOOL_MAXPOOL_H

#include "kernels/methods.h"

typedef void maxpool_function(const struct maxpool_call *call, void *scratch);

/* The three steps of a method that works in stages, each over the one output row of its call. They
 * share the scratch, and the caller may clock each: methods themselves hold no clock. */
struct maxpool_stages {
    maxpool_function *cut, *multiply, *reduce;
};

struct maxpool_method {
    struct method head;
    maxpool_function *run[ISA_COUNT]; /* one per instruction set; NULL: the one before it serves */
    const struct maxpool_stages *stages; /* NULL, or the same work as run in three steps */
};

/* Every method, the baseline first. */
extern const struct maxpool_method maxpool_methods[];
extern const size_t maxpool_method_count;

/* For the operator's row. */
const struct method *maxpool_method_at(size_t i);
bool maxpool_is_built(const struct method *m, enum isa isa);

/* The row of a host method that is not a peer's, and the call of one. */
const struct maxpool_method *maxpool_method_of(const struct method *head);
struct maxpool_call maxpool_call_of(const struct operation *op, const struct portion *portion);

/* Costs and refusals that peers have too. Per output: the product takes k^3 multiply-adds and k^2
 * comparisons, the maximum k^2 comparisons. */
double maxpool_product_cost(const struct operation *op);
double maxpool_maximum_cost(const struct operation *op);
const char *maxpool_refuses_filters(const struct operation *op); /* of the maximum alone */

maxpool_function maxpool_literal, maxpool_staged, maxpool_fused, maxpool_direct;
ISA_DECLARE(maxpool_function, maxpool_simd);
ISA_DECLARE(maxpool_function, maxpool_shared_rows);
extern const struct maxpool_stages maxpool_staged_stages;

ISA_DECLARE(maxpool_function, maxpool_separable);
ISA_DECLARE(maxpool_function, maxpool_doubling);
ISA_DECLARE(maxpool_function, maxpool_van_herk);

/* Scratch in bytes for one worker whose blocks are at most `cols` outputs wide. */
size_t maxpool_literal_scratch(const struct operation *op, int64_t cols);
size_t maxpool_staged_scratch(const struct operation *op, int64_t cols);
size_t maxpool_fused_scratch(const struct operation *op, int64_t cols);
size_t maxpool_simd_scratch(const struct operation *op, int64_t cols);
size_t maxpool_shared_rows_scratch(const struct operation *op, int64_t cols);
size_t maxpool_separable_scratch(const struct operation *op, int64_t cols);
size_t maxpool_doubling_scratch(const struct operation *op, int64_t cols);
size_t maxpool_van_herk_scratch(const struct operation *op, int64_t cols);

#endif
