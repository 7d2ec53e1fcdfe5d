/* An operation of the library: what all kinds of operation have in common, and the functions that
 * each kind provides. None of it is public. */
#ifndef MAXPOOL_LIBRARY_OPERATION_H
#define MAXPOOL_LIBRARY_OPERATION_H

#include "include/maxpool/operation.h"
#include "kernels/conv/methods.h"
#include "kernels/distances/methods.h"
#include "kernels/matmul/matmul.h"
#include "kernels/maxpool/maxpool.h"
#include "kernels/oracle.h"
#include "library/failure.h"

/* What is known of an array. max_abs and integers cover all of its values only if `finite`. */
struct values {
    double max_abs;
    bool integers, finite;
    int64_t at; /* index of the first value that is not finite */
};
struct values values_of(const float *array, int64_t count);

/* Rows of one group. A group is a plane, or all filters of an image. */
struct group_rows {
    int64_t group, row, rows;
};

struct operation_kind {
    void (*compute)(const struct maxpool_operation *op, const float *input, float *output,
                    const struct group_rows *rows, void *scratch);
    /* Sets the expectations of output row `line`, counted plane by plane. */
    void (*expect)(const struct maxpool_operation *op, const float *input, int64_t line,
                   struct expectation *out);
    /* is_exact: whether no sum rounds. largest: the largest magnitude that a sum may reach. */
    bool (*is_exact)(const struct maxpool_operation *op, const struct values *input);
    double (*largest)(const struct maxpool_operation *op, const struct values *input);
};

struct maxpool_operation {
    const struct operation_kind *kind;
    struct maxpool_shape input, output;
    int64_t groups, group_rows; /* the rows that callers divide: group_rows per group */
    int64_t row_step;
    size_t scratch; /* bytes */
    enum isa isa;
    struct values operand;
    /* The operation for the tables of methods: shapes, parameters, operands. */
    struct operation operation;
    /* Only for pooling. */
    const struct maxpool_method *pool_method;
    float *identity; /* the filter if none is given */
    int64_t strip;   /* outputs of a row that are computed together */
    /* Only for the matrix product. */
    const struct matmul_method *product_method;
    const float *b; /* B; for distances the points Y */
    int64_t inner;
    /* Only for distances. */
    const struct distances_method *distances_method;
    /* Only for convolution. */
    struct conv_shape conv;
    const struct conv_method *conv_method;
    const float *weights, *bias;
    float *packed; /* the packed weights; NULL: they are read unpacked. For distances the centre */
    struct values bias_values;
};

/* Fills a zeroed operation from the request of its caller, such as struct maxpool_pool. */
typedef enum status operation_maker(struct maxpool_operation *op, const void *request,
                                    struct failure *f);

/* Makes *out. On failure *out is NULL. */
enum maxpool_status operation_make(operation_maker *make, const void *request,
                                   struct maxpool_operation **out, struct maxpool_failure *failure);

#endif
