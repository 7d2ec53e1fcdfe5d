#include "harness/base/two_modes.h"

#include <math.h>

/* Running sums of one side of a split. */
struct side {
    double count, sum, squares;
};

static void add(struct side *s, double x, double sign)
{
    s->count += sign;
    s->sum += sign * x;
    s->squares += sign * x * x;
}

static double mean(const struct side *s)
{
    return s->sum / s->count;
}

/* Sum of the squared distances from the mean. */
static double scatter(const struct side *s)
{
    return fmax(0.0, s->squares - s->sum * s->sum / s->count);
}

struct modes modes_of(const double *times, size_t count)
{
    struct modes modes = {.ratio = 1.0};
    const size_t least = (count + 3) / 4;
    if (count < MODES_LEAST || !(times[0] > 0.0))
        return modes;
    const double origin = log(times[count / 2]); /* so that sums of squares lose no digits */
    struct side low = {0}, high = {0};
    double smallest = INFINITY, distance = 0.0;
    for (size_t i = 0; i < count; i++)
        add(&high, log(times[i]) - origin, 1.0);
    for (size_t i = 0; i + least < count; i++) {
        add(&low, log(times[i]) - origin, 1.0);
        add(&high, log(times[i]) - origin, -1.0);
        const double both = scatter(&low) + scatter(&high);
        if (i + 1 < least || both >= smallest)
            continue;
        smallest = both;
        distance = mean(&high) - mean(&low);
        modes.slow = high.count / (double)count;
    }
    /* The small term covers differences below any clock's resolution. */
    const double deviation = sqrt(smallest / ((double)count - 2.0)) + 1e-9;
    modes.two = distance >= MODES_DISTANCE * deviation;
    modes.ratio = modes.two ? exp(distance) : 1.0;
    return modes;
}
