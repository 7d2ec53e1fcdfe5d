/* The host methods of max pooling, one per file; methods.inc has a row of each. */
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

/* Each method's function, and the bytes of scratch for one worker whose blocks are at most `cols`
 * outputs wide. */
#define FUNCTION_PLAIN(function)  maxpool_function function
#define FUNCTION_VECTOR(function) ISA_DECLARE(maxpool_function, function)
#define METHOD(method, build, ...)                                                                 \
    FUNCTION_##build(maxpool_##method);                                                            \
    size_t maxpool_##method##_scratch(const struct operation *op, int64_t cols);
#include "kernels/maxpool/methods.inc"

extern const struct maxpool_stages maxpool_staged_stages;

#endif
