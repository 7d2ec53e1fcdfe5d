/* Compares every output with the oracle. */
#include "library/operation.h"

#include "harness/machine/memory.h"

#include <math.h>
#include <stdlib.h>

/* The largest sum that fits float32, with a margin for what rounding adds to a sum. */
static const double largest_sum = 3.4e38;

static void note_error(struct maxpool_verdict *v, struct expectation e, float found)
{
    const double error = fabs((double)found - e.value);
    if (!isfinite(found))
        return;
    v->largest_error = fmax(v->largest_error, error);
    if (e.bound > 0.0)
        v->largest_share = fmax(v->largest_share, error / e.bound);
}

static void note_wrong(struct maxpool_verdict *v, const struct maxpool_shape *map, int64_t index,
                       struct expectation e, float found)
{
    const int64_t line = index / map->cols;
    if (v->wrong++ > 0)
        return;
    v->plane = line / map->rows;
    v->row = line % map->rows;
    v->col = index % map->cols;
    v->value = e.value;
    v->bound = e.bound;
    v->found = found;
}

static void compare_row(struct maxpool_verdict *v, const struct maxpool_shape *map, int64_t line,
                        struct expectation *expected, const float *output)
{
    for (int64_t i = 0; i < map->cols; i++) {
        const int64_t index = line * map->cols + i;
        if (v->exact)
            expected[i].bound = 0.0;
        note_error(v, expected[i], output[index]);
        if (!oracle_accepts(expected[i], output[index]))
            note_wrong(v, map, index, expected[i], output[index]);
        v->outputs++;
    }
}

static enum status check_input(const struct maxpool_operation *op, const struct values *input,
                               struct failure *f)
{
    if (!input->finite)
        return fail(f, STATUS_USAGE, "element %lld of the input is not finite",
                    (long long)input->at);
    if (!(op->kind->largest(op, input) <= largest_sum))
        return fail(f, STATUS_USAGE, "sums of the products do not fit float32: scale the input");
    return STATUS_OK;
}

static enum status compare(const struct maxpool_operation *op, const float *input,
                           const float *output, struct maxpool_verdict *v, struct failure *f)
{
    const struct maxpool_shape *map = &op->output;
    const struct values seen = values_of(input, op->input.planes * op->input.rows * op->input.cols);
    struct expectation *expected = NULL;
    const size_t bytes = memory_multiply((size_t)map->cols, sizeof *expected);
    if (check_input(op, &seen, f) != STATUS_OK ||
        memory_allocate((void **)&expected, bytes, "a row of the oracle", f) != STATUS_OK)
        return f->status;
    v->exact = op->kind->is_exact(op, &seen);
    for (int64_t line = 0; line < map->planes * map->rows; line++) {
        op->kind->expect(op, input, line, expected);
        compare_row(v, map, line, expected, output);
    }
    free(expected);
    if (v->wrong == 0)
        return STATUS_OK;
    return fail(f, STATUS_WRONG,
                "%lld of %lld outputs are wrong, first plane %lld, row %lld, column %lld: %.9g "
                "where %.9g, give or take %.3g, is right",
                (long long)v->wrong, (long long)v->outputs, (long long)v->plane, (long long)v->row,
                (long long)v->col, (double)v->found, v->value, v->bound);
}

enum maxpool_status maxpool_verify(const struct maxpool_operation *op, const float *input,
                                   const float *output, struct maxpool_verdict *verdict,
                                   struct maxpool_failure *failure)
{
    struct failure f = {0};
    struct maxpool_verdict v = {0};
    if (failure_if_null(op, "the operation", &f) == STATUS_OK &&
        failure_if_null(input, "the input", &f) == STATUS_OK &&
        failure_if_null(output, "the output", &f) == STATUS_OK)
        compare(op, input, output, &v, &f);
    if (verdict)
        *verdict = v;
    return failure_give(&f, failure);
}
