/* The phases of samples, by name and summarised. */
#include "harness/point/point.h"

#include <math.h>
#include <string.h>

const struct phase_row phase_rows[] = {
#define PHASE(constant, field, name, number, meaning, ...)                                         \
    {.column = name, .offset = offsetof(struct phases, field), __VA_ARGS__},
#include "harness/records/columns.inc"
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
