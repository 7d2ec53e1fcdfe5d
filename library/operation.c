/* What all kinds of operation share: they are made, divided into rows, computed and freed. */
#include "library/operation.h"

#include "kernels/min_max.h"

#include <math.h>
#include <stdlib.h>

struct values values_of(const float *array, int64_t count)
{
    struct values v = {.integers = true, .finite = true};
    for (int64_t i = 0; i < count; i++) {
        const double value = array[i];
        if (!isfinite(value)) {
            v.finite = false;
            v.at = i;
            return v;
        }
        v.max_abs = fmax(v.max_abs, fabs(value));
        v.integers = v.integers && value == floor(value);
    }
    return v;
}

enum maxpool_status operation_make(operation_maker *make, const void *request,
                                   struct maxpool_operation **out, struct maxpool_failure *failure)
{
    struct failure f = {0};
    if (failure_if_null(out, "the address of the operation", &f) != STATUS_OK)
        return failure_give(&f, failure);
    *out = NULL;
    if (failure_if_null(request, "the description of the operation", &f) != STATUS_OK)
        return failure_give(&f, failure);
    *out = calloc(1, sizeof **out);
    if (!*out) {
        fail(&f, STATUS_RESOURCE, "no memory for an operation");
    } else if (make(*out, request, &f) != STATUS_OK) {
        maxpool_release(*out);
        *out = NULL;
    }
    return failure_give(&f, failure);
}

void maxpool_release(struct maxpool_operation *op)
{
    if (!op)
        return;
    free(op->identity);
    free(op->packed);
    free(op);
}

struct maxpool_shape maxpool_input(const struct maxpool_operation *op)
{
    return op ? op->input : (struct maxpool_shape){0};
}

struct maxpool_shape maxpool_output(const struct maxpool_operation *op)
{
    return op ? op->output : (struct maxpool_shape){0};
}

int64_t maxpool_rows(const struct maxpool_operation *op)
{
    return op ? op->groups * op->group_rows : 0;
}

int64_t maxpool_row_step(const struct maxpool_operation *op)
{
    return op ? op->row_step : 0;
}

size_t maxpool_scratch(const struct maxpool_operation *op)
{
    return op ? op->scratch : 0;
}

void maxpool_compute(const struct maxpool_operation *op, const float *input, float *output,
                     int64_t first, int64_t count, void *scratch)
{
    if (!op || !input || !output || (!scratch && op->scratch > 0) || first < 0 || count < 0 ||
        count > maxpool_rows(op) || first > maxpool_rows(op) - count)
        return;
    const int64_t end = first + count;
    while (first < end) {
        struct group_rows rows = {.group = first / op->group_rows, .row = first % op->group_rows};
        rows.rows = smaller(end - first, op->group_rows - rows.row);
        op->kind->compute(op, input, output, &rows, scratch);
        first += rows.rows;
    }
}
