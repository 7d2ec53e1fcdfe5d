#include "harness/point/show/compare.h"

#include <stdlib.h>

double least_bytes(const struct operation *op)
{
    const struct need need = op->kind->need(op, true);
    return need.bytes_read + need.bytes_written;
}

/* The operations if every output is computed by itself, a multiply-add counting 2. */
static double direct_operations(const struct operation *op)
{
    return 2.0 * op->kind->need(op, true).per_output.multiply_adds;
}

const char *compare_rate(const struct operation *op, double seconds, char *buffer, size_t size)
{
    if (op->kind->words.in_flops)
        snprintf(buffer, size, "%.3g GFLOP/s", direct_operations(op) / seconds * 1e-9);
    else
        snprintf(buffer, size, "%.3g GB/s", least_bytes(op) / seconds * 1e-9);
    return buffer;
}

static struct summary ratios(const struct measurement *first, const struct measurement *other)
{
    const size_t n = first->count < other->count ? first->count : other->count;
    double *values = malloc((n + 1) * sizeof *values);
    for (size_t i = 0; values && i < n; i++)
        values[i] = first->timed[i].total_s / other->timed[i].total_s;
    const struct summary summary = summarise(values, values ? n : 0);
    free(values);
    return summary;
}

static bool is_right(const struct measurement *m)
{
    return m->count > 0 && m->verdict.status == STATUS_OK;
}

static bool is_best(const struct point *p, size_t which, double median)
{
    if (!is_right(&p->contenders[which].measurement))
        return false;
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct measurement *m = &p->contenders[i].measurement;
        if (is_right(m) && measurement_phase(m, SAMPLE_TOTAL).median < median)
            return false;
    }
    return true;
}

struct comparison compare(const struct point *p, size_t i)
{
    const struct measurement *m = &p->contenders[i].measurement;
    struct comparison c = {.total = measurement_phase(m, SAMPLE_TOTAL),
                           .faster = ratios(&p->contenders[0].measurement, m)};
    c.best = is_best(p, i, c.total.median);
    return c;
}
