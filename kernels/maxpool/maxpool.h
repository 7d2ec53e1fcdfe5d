/* The host methods of max pooling, one per file; methods.inc has a row for each. */
#ifndef MAXPOOL_MAXPOOL_H
#define MAXPOOL_MAXPOOL_H

#include "kernels/methods.h"

typedef void maxpool_function(const struct maxpool_call *call, void *scratch);

/* The three stages of a staged method. Each works on the one output row of its call. They share the
 * scratch, and the caller may time each stage, because methods do not time themselves. */
struct maxpool_stages {
    maxpool_function *cut, *multiply, *reduce;
};

struct maxpool_method {
    struct method head;
    maxpool_function *run[ISA_COUNT]; /* one per instruction set; NULL: the set before it is used */
    const struct maxpool_stages *stages; /* NULL, or the work of `run` in three stages */
};

/* Every method, the baseline first. */
extern const struct maxpool_method maxpool_methods[];
extern const size_t maxpool_method_count;

/* For the operator row. */
const struct method *maxpool_method_at(size_t i);
bool maxpool_is_built(const struct method *m, enum isa isa);

/* The row of a host method that is not a peer, and the call of max pooling for a portion of an
 * operation. */
const struct maxpool_method *maxpool_method_of(const struct method *head);
struct maxpool_call maxpool_call_of(const struct operation *op, const struct portion *portion);

/* Costs and refusals that peers share. Per output, the product takes k^3 multiply-adds and k^2
 * comparisons, the maximum k^2 comparisons. */
double maxpool_product_cost(const struct operation *op);
double maxpool_maximum_cost(const struct operation *op);
const char *maxpool_refuses_filters(const struct operation *op); /* of the maximum-only methods */

/* Each method's function, and the bytes of scratch that one worker needs for blocks of at most
 * `cols` outputs in width. */
#define FUNCTION_PLAIN(function)  maxpool_function function
#define FUNCTION_VECTOR(function) ISA_DECLARE(maxpool_function, function)
#define METHOD(method, build, ...)                                                                 \
    FUNCTION_##build(maxpool_##method);                                                            \
    size_t maxpool_##method##_scratch(const struct operation *op, int64_t cols);
#include "kernels/maxpool/methods.inc"

extern const struct maxpool_stages maxpool_staged_stages;

#endif
