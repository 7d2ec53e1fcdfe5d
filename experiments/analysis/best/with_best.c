#include "experiments/analysis/best/with_best.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const double level = 0.05;
/* The trimmed mean of logarithms of ratios, and its precision. */
struct trimmed {
    double mean, error, freedom; /* error: standard error; NaN: unknown */
};

static const struct trimmed nothing_known = {NAN, NAN, NAN};

enum { LEAST_PAIRS = 3, TRIMMED_OF = 7 }; /* one value in seven is trimmed at either end */

/* Sorts `logs`. The result is unknown for fewer than three. */
static struct trimmed trimmed_mean(double *logs, size_t count)
{
    const size_t cut = count / TRIMMED_OF, kept = count - 2 * cut;
    double mean = 0.0, centre = 0.0, squares = 0.0;
    if (count < LEAST_PAIRS)
        return nothing_known;
    sort_samples(logs, count);
    for (size_t i = 0; i < cut; i++) { /* replaced by their neighbours, as the deviation requires */
        logs[i] = logs[cut];
        logs[count - 1 - i] = logs[count - 1 - cut];
    }
    for (size_t i = 0; i < count; i++) {
        mean += i >= cut && i < cut + kept ? logs[i] / (double)kept : 0.0;
        centre += logs[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++)
        squares += (logs[i] - centre) * (logs[i] - centre);
    const double deviation = sqrt(squares / ((double)count - 1.0));
    return (struct trimmed){mean, deviation * sqrt((double)count) / (double)kept,
                            (double)kept - 1.0};
}

/* Two-sided p-value of "the mean is 0"; NaN if the error is unknown. */
static double trimmed_p_value(const struct trimmed *t)
{
    if (!(t->error > 0.0))
        return t->error == 0.0 ? (t->mean == 0.0 ? 1.0 : 0.0) : (double)NAN;
    return 2.0 * gsl_cdf_tdist_Q(fabs(t->mean) / t->error, t->freedom);
}

double choices_p_value(const struct samples *s, const struct choice *a, const struct choice *b,
                       enum metric metric)
{
    const size_t capacity = a->timed[0]->samples->count + a->timed[1]->samples->count;
    double *logs = malloc((capacity + 1) * sizeof *logs);
    const size_t n = logs ? choice_logs(s, a, b, metric, logs) : 0;
    const struct trimmed t = logs ? trimmed_mean(logs, n) : nothing_known;
    const bool split = choice_is_split(a) || choice_is_split(b);
    free(logs);
    const double p = trimmed_p_value(&t) * (split ? 2.0 : 1.0);
    return p > 1.0 ? 1.0 : p;
}

static int by_value(const void *a, const void *b)
{
    const double *const *x = a, *const *y = b;
    return (**x > **y) - (**x < **y);
}

int adjust_p_values(double *p_values, size_t count)
{
    double **sorted = malloc((count + 1) * sizeof *sorted), least = 0.0;
    size_t n = 0;
    if (!sorted)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (!isnan(p_values[i]))
            sorted[n++] = &p_values[i];
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0; i < n; i++) {
        least = fmax(least, fmin(1.0, (double)(n - i) * *sorted[i]));
        *sorted[i] = least;
    }
    free(sorted);
    return 0;
}

/* ---- the steps ------------------------------------------------------------------------------- */

struct best_step {
    size_t first, second;
    double p_value;
};

static int by_p_value(const void *a, const void *b)
{
    const struct best_step *x = a, *y = b;
    return (x->p_value > y->p_value) - (x->p_value < y->p_value);
}

/* Lists the pairs whose p-value is known, by ascending p-value. */
static size_t list_steps(struct best_step *steps, const struct trimmed *pairs, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const double p = trimmed_p_value(&pairs[i * count + j]);
            if (!isnan(p))
                steps[n++] = (struct best_step){i, j, p};
        }
    qsort(steps, n, sizeof *steps, by_p_value);
    return n;
}

/* The interval of T_which / T_best; `inverted` if `t` describes its inverse. */
static struct interval interval_at(const struct trimmed *t, bool inverted, double alpha)
{
    const double mean = inverted ? -t->mean : t->mean;
    const double reach = t->error * gsl_cdf_tdist_Qinv(0.5 * alpha, t->freedom);
    return (struct interval){exp(mean - reach), exp(mean + reach)};
}

/* Holm: the i-th smallest of n p-values is tested at level / (n - i), until one fails. */
static void take_steps(struct with_best *out, const struct best_step *steps, size_t n,
                       const struct trimmed *pairs, size_t count, size_t best, double alpha)
{
    double adjusted = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double left = (double)(n - i);
        const bool inverted = steps[i].first == best;
        const size_t which = inverted ? steps[i].second : steps[i].first;
        adjusted = fmax(adjusted, fmin(1.0, left * steps[i].p_value * level / alpha));
        if (!inverted && steps[i].second != best)
            continue;
        out[which].p_value = adjusted;
        out[which].differs = adjusted <= level;
        out[which].interval =
            interval_at(&pairs[steps[i].first * count + steps[i].second], inverted, alpha / left);
    }
}

/* The core: pairs[i * count + j], i < j, is log(T_i / T_j) of points i and j. Fills out[count]; the
 * best itself does not differ. Returns -1 if memory runs out. */
static int decide_with_best(struct with_best *out, const struct trimmed *pairs, size_t count,
                            size_t best, size_t tables)
{
    struct best_step *steps = malloc((count * count + 1) * sizeof *steps);
    for (size_t i = 0; i < count; i++)
        out[i] = (struct with_best){{NAN, NAN}, NAN, false};
    if (!steps)
        return -1;
    const size_t n = list_steps(steps, pairs, count);
    take_steps(out, steps, n, pairs, count, best, level / (double)(tables > 0 ? tables : 1));
    out[best] = (struct with_best){{1.0, 1.0}, 1.0, false};
    free(steps);
    return 0;
}

/* ---- points ---------------------------------------------------------------------------------- */

/* For points that share too few rounds. */
static struct trimmed apart(const struct estimate *a, const struct estimate *b)
{
    if (!(a->variance >= 0.0) || !(b->variance >= 0.0) || !(a->freedom >= 1.0) ||
        !(b->freedom >= 1.0) || !(a->value > 0.0) || !(b->value > 0.0))
        return nothing_known;
    return (struct trimmed){log(a->value) - log(b->value), sqrt(a->variance + b->variance),
                            estimate_ratio_freedom(a, b)};
}

static struct trimmed compare_two(const struct samples *s, const struct point *p,
                                  const struct point *q, enum metric metric, double *logs)
{
    size_t n = 0;
    for (size_t half = 0; half < 2; half++)
        n += paired_logs(s, p, q, metric, half, logs + n);
    return n >= LEAST_PAIRS ? trimmed_mean(logs, n)
                            : apart(&p->seconds[metric], &q->seconds[metric]);
}

int compare_with_best(struct with_best *out, const struct samples *s,
                      const struct point *const *points, size_t count, size_t best,
                      enum metric metric, size_t tables)
{
    size_t most = 1;
    for (size_t i = 0; i < count; i++)
        most = points[i]->samples->count > most ? points[i]->samples->count : most;
    struct trimmed *pairs = calloc(count * count + 1, sizeof *pairs);
    double *logs = malloc(most * sizeof *logs);
    int result = pairs && logs ? 0 : -1;
    for (size_t i = 0; result == 0 && i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            pairs[i * count + j] = compare_two(s, points[i], points[j], metric, logs);
    if (result == 0)
        result = decide_with_best(out, pairs, count, best, tables);
    free(pairs);
    free(logs);
    return result;
}
