#include "harness/base/clock.h"

#include <time.h>

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void clock_utc(char *text, size_t size)
{
    const time_t now = time(NULL);
    struct tm utc;
    strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

double clock_resolution(void)
{
    enum { READINGS = 4096 };
    double smallest = 1.0;
    double before = clock_now();
    for (int i = 0; i < READINGS; i++) {
        double after = clock_now();
        if (after > before && after - before < smallest)
            smallest = after - before;
        before = after;
    }
    return smallest;
}
