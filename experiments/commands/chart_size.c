#include "experiments/commands/chart_size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool chart_size_parse(const char *text, double *width_cm, double *height_cm)
{
    static const struct {
        const char *name;
        double cm;
    } units[] = {{"", 1.0}, {"cm", 1.0}, {"mm", 0.1}, {"in", 2.54}};
    static const double least_cm = 2.0, most_cm = 100.0;
    char *middle, *end;
    const double width = strtod(text, &middle);
    const double height = *middle == 'x' ? strtod(middle + 1, &end) : (double)NAN;
    if (middle == text || *middle != 'x' || end == middle + 1)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0) {
            *width_cm = width * units[i].cm;
            *height_cm = height * units[i].cm;
            return *width_cm >= least_cm && *width_cm <= most_cm && *height_cm >= least_cm &&
                   *height_cm <= most_cm;
        }
    return false;
}
