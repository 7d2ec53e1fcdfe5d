/* One row per peer and problem. */
#include "experiments/analysis/derived/derived.h"

#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/palette.h"

#include <math.h>

static const struct record *record_of(const struct analysis *a, size_t point)
{
    return &a->points[point].samples->identity;
}

struct stride_text {
    char text[24];
};

/* The stride; "k" if it equals the kernel size. */
static struct stride_text stride_of(const struct record *r)
{
    struct stride_text s = {""};
    if (r->stride == r->kernel && r->kernel > 0)
        s.text[0] = 'k';
    else if (r->stride > 0)
        snprintf(s.text, sizeof s.text, "%lld", (long long)r->stride);
    return s;
}

#define TABLE    ratios
#define ROW      struct ratio
#define KIND_INC "experiments/analysis/derived/ratios.inc"
#include "experiments/analysis/derived/declare_table.inc"

void derived_write_ratios(FILE *stream, const struct analysis *a)
{
    struct derived_writer w;
    derived_begin(&w, stream, &derived_ratios, a);
    for (size_t i = 0; i < a->ratio_count; i++)
        derived_write_row(&w, &a->ratios[i]);
}
