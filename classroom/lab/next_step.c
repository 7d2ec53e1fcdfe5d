#include "classroom/lab/next_step.h"

#include <math.h>

/* Whether it is the first rung in vectors. */
static bool begins_vectors(const struct lab_rung *rungs, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (rungs[j].vectors)
            return false;
    return rungs[i].vectors;
}

bool lab_rung_is_followed(const struct lab_rung *rungs, size_t i, const struct lab_habits *habits,
                          double seconds)
{
    if (i == 0 || (habits->vectors && habits->shares))
        return true;
    if (begins_vectors(rungs, i))
        return habits->vectors;
    return seconds * seconds < rungs[i].seconds * rungs[i - 1].seconds;
}

bool lab_strides_show_sharing(double seconds_2, double seconds_4)
{
    return seconds_2 < pow(2.0, 1.5) * seconds_4;
}

bool lab_is_at_memory_limit(const struct roof *roof, double share)
{
    static const double near = 0.8;
    return roof->traffic_s >= roof->arithmetic_s && share >= near;
}

enum status lab_habits_find(struct lab_habits *out, const struct lab_loops *loops,
                            const struct foreign_sizes *size, const struct operator_row *kind,
                            const struct lab_start *how, uint64_t seed, struct failure *f)
{
    enum { ROWS_MOST = 256, KERNEL = 8 };
    enum status status = STATUS_OK;
    struct lab_shortest shortest[2];
    struct foreign_sizes probed = *size;
    *out = (struct lab_habits){.vectors = false};
    for (size_t i = 0; i < loops->count; i++)
        out->vectors = out->vectors || loops->items[i].bytes > 0;
    if (how->device || size->rows <= KERNEL || size->kernel == 0 || size->filters > 0)
        return STATUS_OK;
    probed.rows = size->rows < ROWS_MOST ? size->rows : ROWS_MOST;
    probed.cols = probed.rows;
    probed.kernel = KERNEL;
    probed.padding = 0;
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        probed.stride = i ? 4 : 2;
        status = lab_shortest_find(&shortest[i], &probed, kind, how, seed + (uint64_t)i, f);
    }
    if (status == STATUS_OK)
        out->shares = lab_strides_show_sharing(shortest[0].kernel_s - shortest[0].echo_s,
                                               shortest[1].kernel_s - shortest[1].echo_s);
    return status;
}
