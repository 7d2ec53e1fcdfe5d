/* The phases of samples: their names and summaries. */
#include "harness/point/point.h"

#include <math.h>
#include <string.h>

const struct phase_row phase_rows[SAMPLE_PHASES] = {
#define PHASE(constant, field, name, number, meaning, ...)                                         \
    [SAMPLE_##constant] = {.column = name, .offset = offsetof(struct phases, field), __VA_ARGS__},
#include "harness/records/columns.inc"
};

double phase_seconds(const struct phases *phases, enum sample_phase phase)
{
    double seconds;
    memcpy(&seconds, (const char *)phases + phase_rows[phase].offset, sizeof seconds);
    return seconds;
}

struct summary measurement_phase(const struct measurement *m, enum sample_phase phase)
{
    size_t n = 0;
    for (size_t i = 0; i < m->count; i++) {
        m->sorting[n] = phase_seconds(&m->timed[i], phase);
        n += !isnan(m->sorting[n]);
    }
    return summarise(m->sorting, n);
}
