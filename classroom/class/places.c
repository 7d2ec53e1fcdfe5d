#include "classroom/class/places.h"

#include <math.h>
#include <stdbool.h>

static bool is_faster(const struct placed *a, const struct placed *b, size_t passes)
{
    size_t both = 0;
    for (size_t i = 0; i < passes; i++) {
        if (!isfinite(a->ratios[i]) || !isfinite(b->ratios[i]))
            continue;
        if (a->ratios[i] >= b->ratios[i])
            return false;
        both++;
    }
    return both >= PLACES_LEAST;
}

void places_find(struct placed *kernels, size_t count, size_t passes)
{
    for (size_t i = 0; i < count; i++) {
        kernels[i].place = 1;
        kernels[i].last_place = count;
        for (size_t j = 0; j < count; j++) {
            kernels[i].place += is_faster(&kernels[j], &kernels[i], passes);
            kernels[i].last_place -= is_faster(&kernels[i], &kernels[j], passes);
        }
    }
}
