/* The phases of samples, by name and summarised. */
#include "harness/point/point.h"

#include <math.h>
#include <string.h>

const struct phase_row phase_rows[] = {
    {"first_launch_s", "first launch", offsetof(struct phases, first_launch_s)},
    {"allocate_s", "allocate, free", offsetof(struct phases, allocate_s)},
    {"distribute_s", "distribute", offsetof(struct phases, distribute_s)},
    {"compute_s", "compute", offsetof(struct phases, compute_s)},
    {"product_s", "of it product", offsetof(struct phases, product_s)},
    {"collect_s", "collect", offsetof(struct phases, collect_s)},
    {"forward_s", "of it forward", offsetof(struct phases, forward_s)},
    {"loss_s", "loss", offsetof(struct phases, loss_s)},
    {"backward_s", "backward", offsetof(struct phases, backward_s)},
    {"exchange_s", "exchange", offsetof(struct phases, exchange_s)},
    {"update_s", "update", offsetof(struct phases, update_s)},
    {"imbalance_s", "imbalance", offsetof(struct phases, imbalance_s)},
    {"start_error_s", "start skew", offsetof(struct phases, start_error_s)},
    {"device_distribute_s", "GPU: copy in", offsetof(struct phases, device_distribute_s)},
    {"device_compute_s", "GPU: kernels", offsetof(struct phases, device_compute_s)},
    {"device_collect_s", "GPU: copy out", offsetof(struct phases, device_collect_s)},
    {"total_s", "total", offsetof(struct phases, total_s)},
};

const size_t phase_row_count = sizeof phase_rows / sizeof phase_rows[0];

const struct phase_row *phase_find(const char *column)
{
    for (size_t i = 0; i < phase_row_count; i++)
        if (strcmp(phase_rows[i].column, column) == 0)
            return &phase_rows[i];
    return NULL;
}

double phase_seconds(const struct phases *phases, const struct phase_row *row)
{
    double seconds;
    memcpy(&seconds, (const char *)phases + row->offset, sizeof seconds);
    return seconds;
}

struct summary measurement_phase(const struct measurement *m, const struct phase_row *row)
{
    size_t n = 0;
    for (size_t i = 0; i < m->count; i++) {
        m->sorting[n] = phase_seconds(&m->timed[i], row);
        n += !isnan(m->sorting[n]);
    }
    return summarise(m->sorting, n);
}
