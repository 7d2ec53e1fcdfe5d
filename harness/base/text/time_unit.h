/* The unit in which people read a time. */
#ifndef MAXPOOL_TIME_UNIT_H
#define MAXPOOL_TIME_UNIT_H

#include <stddef.h>

struct time_unit {
    double seconds;
    const char *name;
};

/* The largest unit that is no longer than the time; nanoseconds for shorter ones. */
static inline struct time_unit time_unit_of(double seconds)
{
    static const struct time_unit units[] = {
        {1.0, "s"}, {1e-3, "ms"}, {1e-6, "\xc2\xb5s"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && seconds < units[i].seconds)
        i++;
    return units[i];
}

#endif
