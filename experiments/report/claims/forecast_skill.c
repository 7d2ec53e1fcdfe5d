#include "experiments/report/claims/forecast_skill.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { LEAST_DAYS = 3 };

void skill_days_add(struct skill_days *days, int64_t samples, double error, double persistence)
{
    if (days->count == SKILL_DAYS)
        return;
    days->squares[days->count] = (double)samples * error * error;
    days->expected[days->count++] = (double)samples * persistence * persistence;
}

/* The skill on all days but one. */
static double skill_without(const struct skill_days *days, size_t day)
{
    double squares = 0.0, expected = 0.0;
    for (size_t i = 0; i < days->count; i++)
        if (i != day) {
            squares += days->squares[i];
            expected += days->expected[i];
        }
    return 1.0 - sqrt(squares / expected);
}

/* Of the skill, or, where `other` is not NULL, of its difference from the other; one of so many
 * intervals. */
static struct interval jackknife(double value, const struct skill_days *days,
                                 const struct skill_days *other, size_t intervals)
{
    const size_t count = days->count;
    double without[SKILL_DAYS], mean = 0.0, squares = 0.0;
    if (count < LEAST_DAYS || (other && other->count != count))
        return (struct interval){NAN, NAN};
    for (size_t i = 0; i < count; i++) {
        without[i] = skill_without(days, i) - (other ? skill_without(other, i) : 0.0);
        mean += without[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++)
        squares += pow(without[i] - mean, 2.0);
    const double freedom = (double)count - 1.0,
                 reach = gsl_cdf_tdist_Qinv(0.025 / (double)intervals, freedom) *
                         sqrt(squares * freedom / (double)count);
    return (struct interval){value - reach, value + reach};
}

struct interval skill_interval(double skill, const struct skill_days *days)
{
    return jackknife(skill, days, NULL, 1);
}

struct interval skill_difference_interval(double difference, const struct skill_days *minuend,
                                          const struct skill_days *subtrahend, size_t pairs)
{
    return jackknife(difference, minuend, subtrahend, pairs);
}
