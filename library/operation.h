/* An operation of the library. Shapes, methods and the oracle follow from the operator's row; only
 * convolution, whose arrays are in another order here than in its row, brings functions of its own.
 * None of it is public. */
#ifndef MAXPOOL_LIBRARY_OPERATION_H
#define MAXPOOL_LIBRARY_OPERATION_H

#include "include/maxpool/operation.h"
#include "kernels/operators.h"
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
    struct operation operation;
    struct maxpool_shape input, output;
    int64_t groups, group_rows; /* the rows that callers divide: group_rows per group */
    int64_t row_step;
    int64_t strip;   /* outputs of a row that are computed together */
    size_t scratch;  /* bytes */
    float *identity; /* the filter if none is given */
    float *packed;   /* what the method made from the right operand; NULL: nothing */
};

/* Fills a zeroed operation from the request of its caller, such as struct maxpool_pool. */
typedef enum status operation_maker(struct maxpool_operation *op, const void *request,
                                    struct failure *f);

/* Makes *out. On failure *out is NULL. */
enum maxpool_status operation_make(operation_maker *make, const void *request,
                                   struct maxpool_operation **out, struct maxpool_failure *failure);

/* The values of the operands by role; NULL: as the row says. */
struct operand_values {
    const float *of[OPERAND_COUNT];
};

/* The steps of a maker. The first one sets all shapes from the image and the parameters, which are
 * set already, and takes all functions from the row (operation_adopt alone: the shapes of the
 * operation are set, or refused); the second one binds the operands of the row, chooses a method
 * (NULL: the baseline), counts its scratch and packs the right operand for it. */
enum status operation_shape(struct maxpool_operation *op, const struct operator_row *kind,
                            struct image_shape image, struct failure *f);
enum status operation_adopt(struct maxpool_operation *op, const struct refusal *refusal,
                            struct failure *f);
enum status operation_complete(struct maxpool_operation *op, const struct operand_values *values,
                               const char *method, struct failure *f);

/* Status 2 or 4 if the sizes of an image or an operand are below 1, or cannot be counted. */
enum status operation_check_shape(struct image_shape s, const char *what, struct failure *f);

/* Replaces the functions of the row by those for arrays plane by plane, and packs the weights for
 * them. */
enum status convolve_adopt(struct maxpool_operation *op, struct failure *f);

#endif
