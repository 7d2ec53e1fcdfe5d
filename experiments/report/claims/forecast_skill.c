#include "experiments/report/claims/forecast_skill.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LEAST_DAYS = 3 };

/* Adds a day of `samples` samples, from the roots of its mean squared errors. */
static void add_day(struct skill_days *days, int64_t samples, double error, double persistence)
{
    const size_t i = days->count++;
    if (i >= SKILL_DAYS)
        return;
    days->samples[i] = (double)samples;
    days->squares[i] = (double)samples * error * error;
    days->expected[i] = (double)samples * persistence * persistence;
}

void skill_epoch_take(struct skill_epoch *last, const struct training_record *r)
{
    const bool is_day = strcmp(r->what, "day") == 0;
    const bool is_score =
        strcmp(r->what, "epoch") == 0 && r->persistence > 0.0 && r->test_error > 0.0;
    if (is_day && r->epoch == last->row.epoch && strcmp(r->run_id, last->row.run_id) == 0)
        add_day(&last->days, r->count, r->test_error, r->persistence);
    else if (is_score &&
             (r->epoch > last->row.epoch || (r->epoch == last->row.epoch && last->days.count == 0)))
        *last = (struct skill_epoch){.row = *r};
}

double skill_epoch_value(const struct skill_epoch *last)
{
    return 1.0 - last->row.test_error / last->row.persistence;
}

/* The skill on all days except `day`; on all if there is no such day. */
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

/* True for the same number of days, with the same numbers of samples. */
static bool are_same(const struct skill_days *days, const struct skill_days *other)
{
    bool same = days->count == other->count;
    for (size_t i = 0; same && i < days->count; i++)
        same = days->samples[i] == other->samples[i];
    return same;
}

/* The skill without `day` or, if `other` is not NULL, its difference from the other skill. */
static double value_without(const struct skill_days *days, const struct skill_days *other,
                            size_t day)
{
    return skill_without(days, day) - (other ? skill_without(other, day) : 0.0);
}

/* The variance of that value, by Busing, Meijer & van der Leeden: with h = all samples / samples of
 * the day, the pseudo-values are h all - (h - 1) without; their squared distances from the
 * jackknife's value have weight 1 / (h - 1). */
static double variance_of(const struct skill_days *days, const struct skill_days *other)
{
    const size_t count = days->count;
    const double all = value_without(days, other, count);
    double samples = 0.0, value = (double)count * all, squares = 0.0;
    for (size_t i = 0; i < count; i++)
        samples += days->samples[i];
    for (size_t i = 0; i < count; i++)
        value -= (1.0 - days->samples[i] / samples) * value_without(days, other, i);
    for (size_t i = 0; i < count; i++) {
        const double h = samples / days->samples[i],
                     pseudo = h * all - (h - 1.0) * value_without(days, other, i);
        squares += pow(pseudo - value, 2.0) / (h - 1.0);
    }
    return squares / (double)count;
}

/* The interval; `intervals` of them hold simultaneously. */
static struct interval jackknife(double value, const struct skill_days *days,
                                 const struct skill_days *other, size_t intervals)
{
    if (days->count < LEAST_DAYS || days->count > SKILL_DAYS || (other && !are_same(days, other)))
        return no_interval;
    const double freedom = (double)days->count - 1.0,
                 reach = gsl_cdf_tdist_Qinv(0.025 / (double)intervals, freedom) *
                         sqrt(variance_of(days, other));
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
