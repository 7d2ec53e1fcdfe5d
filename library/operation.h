/* An operation of the library: what all kinds of operation have in common, and the functions
 * that each of them brings. Nothing of it is public. */
#ifndef MAXPOOL_LIBRARY_OPERATION_H
#define MAXPOOL_LIBRARY_OPERATION_H

#include "include/maxpool/operation.h"
#include "kernels/conv/methods.h"
#include "kernels/distances/methods.h"
#include "kernels/matmul/matmul.h"
#include "kernels/maxpool/maxpool.h"
#include "kernels/oracle.h"
#include "library/failure.h"

/* What is known of an array: all of its values are finite where `finite`. */
struct values {
    double max_abs;
    bool integers, finite;
    int64_t at; /* the first that is not finite */
};
struct values values_of(const float *array, int64_t count);

/* Rows of one group: of a plane, or of all filters of an image. */
struct group_rows {
    int64_t group, row, rows;
};

struct operation_kind {
    void (*compute)(const struct maxpool_operation *op, const float *input, float *output,
                    const struct group_rows *rows, void *scratch);
    /* Output row `line`, counted plane by plane: its cols expectations. */
    void (*expect)(const struct maxpool_operation *op, const float *input, int64_t line,
                   struct expectation *out);
    /* Whether no sum rounds, and the largest that a sum may become. */
    bool (*is_exact)(const struct maxpool_operation *op, const struct values *input);
    double (*largest)(const struct maxpool_operation *op, const struct values *input);
};

struct maxpool_operation {
    const struct operation_kind *kind;
    struct maxpool_shape input, output;
    int64_t groups, group_rows; /* the rows that callers divide */
    int64_t row_step;
    size_t scratch; /* bytes */
    enum isa isa;
    struct values operand;
    /* What the tables of methods are asked about: shapes, parameters, operands. */
    struct operation asked;
    /* Of pooling. */
    const struct maxpool_method *pool_method;
    float *identity; /* where no filter is given */
    int64_t strip;   /* outputs of a row that are computed together */
    /* Of the matrix product. */
    const struct matmul_method *product_method;
    const float *b; /* and the points Y of distances */
    int64_t inner;
    /* Of distances. */
    const struct distances_method *distances_method;
    /* Of convolution. */
    struct conv_shape conv;
    const struct conv_method *conv_method;
    const float *weights, *bias;
    float *packed; /* the weights as the method wants them; NULL: as they are. The points' centre */
    struct values bias_values;
};

/* Fills a zeroed operation from the request of its caller, such as struct maxpool_pool. */
typedef enum status operation_maker(struct maxpool_operation *op, const void *asked,
                                    struct failure *f);

/* Makes *out; NULL where there is a failure. */
enum maxpool_status operation_make(operation_maker *make, const void *asked,
                                   struct maxpool_operation **out, struct maxpool_failure *failure);

#endif
