#include "experiments/analysis/splits.h"

#include "harness/base/statistics.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

/* Nine launches per side have 48,620 splits. */
enum { MOST_SPLITS = 50000, RANDOM_SPLITS = 9999 };

/* Weight of the statistic in parts relative to the one of all ranks (splits.h). */
static const double parts_weight = 0.75;

double splits_ways(size_t count_a, size_t count_b)
{
    if (count_a == 0 || count_b == 0)
        return 0.0;
    return gsl_sf_choose((unsigned)(count_a + count_b), (unsigned)count_a);
}

/* ---- the splits ------------------------------------------------------------------------------ */

/* Every subset of size count_a, in lexicographic order. */
static void enumerate_splits(struct splits *s)
{
    uint16_t at[SPLITS_MOST_EXACT] = {0};
    for (size_t i = 0; i < s->count_a; i++)
        at[i] = (uint16_t)i;
    for (size_t row = 0; row < s->count; row++) {
        for (size_t i = 0; i < s->count_a; i++)
            s->member[row * s->count_a + i] = at[i];
        size_t i = s->count_a;
        while (i > 0 && at[i - 1] == s->count_all - s->count_a + i - 1)
            i--;
        if (i == 0)
            return;
        at[i - 1]++;
        for (; i < s->count_a; i++)
            at[i] = (uint16_t)(at[i - 1] + 1);
    }
}

/* The observed split is the first: counting it keeps the false alarm rate exact. */
static int draw_splits(struct splits *s, gsl_rng *rng)
{
    uint16_t *all = calloc(s->count_all, sizeof *all);
    if (!all)
        return -1;
    for (size_t i = 0; i < s->count_all; i++)
        all[i] = (uint16_t)i;
    for (size_t row = 0; row < s->count; row++)
        if (row == 0)
            for (size_t i = 0; i < s->count_a; i++)
                s->member[i] = all[i];
        else
            gsl_ran_choose(rng, s->member + row * s->count_a, s->count_a, all, s->count_all,
                           sizeof *all);
    free(all);
    return 0;
}

/* ---- their statistics ------------------------------------------------------------------------ */

/* The statistic for "B is above A", and for "B is below A". */
struct distances {
    double above, below;
};

/* The ranks of all launches, ascending, and the launch that has each. */
struct order {
    size_t count, count_a;
    size_t *launch; /* at each place */
    double *rank;
};

/* Welch's statistic for sides of n and m ranks, from the sums of A and of both. */
static double welch(double n, double m, double sum_a, double squares_a, double sum, double squares)
{
    const double mean_a = sum_a / n, mean_b = (sum - sum_a) / m;
    const double variance_a = fmax(0.0, squares_a - n * mean_a * mean_a) / (n - 1.0);
    const double variance_b = fmax(0.0, squares - squares_a - m * mean_b * mean_b) / (m - 1.0);
    /* The small term keeps equal launches comparable: no clock resolves such a difference. */
    return (mean_b - mean_a) / sqrt(variance_a / n + variance_b / m + 1e-20);
}

/* Sums over some ranks. */
struct sums {
    double n, sum, squares;
};

static void add_rank(struct sums *s, double rank)
{
    s->n += 1.0;
    s->sum += rank;
    s->squares += rank * rank;
}

static struct sums rest(const struct sums *all, const struct sums *part)
{
    return (struct sums){all->n - part->n, all->sum - part->sum, all->squares - part->squares};
}

/* Adds the ranks to *to, each relative to `middle`. */
static void add_centred(struct sums *to, const struct sums *ranks, double middle)
{
    to->n += ranks->n;
    to->sum += ranks->sum - middle * ranks->n;
    to->squares += ranks->squares - 2.0 * middle * ranks->sum + middle * middle * ranks->n;
}

/* The statistic of ranks relative to the mean of their part: `low` sums the ranks of the lower
 * part, the others form the upper; `low_a` and `a` sum the ranks of A in them. */
static double welch_in_parts(const struct sums *all, const struct sums *low, const struct sums *a,
                             const struct sums *low_a)
{
    const struct sums high = rest(all, low), high_a = rest(a, low_a);
    const double low_middle = low->n > 0.0 ? low->sum / low->n : 0.0,
                 high_middle = high.sum / high.n;
    struct sums both = {0}, of_a = {0};
    add_centred(&both, low, low_middle);
    add_centred(&both, &high, high_middle);
    add_centred(&of_a, low_a, low_middle);
    add_centred(&of_a, &high_a, high_middle);
    return welch(of_a.n, both.n - of_a.n, of_a.sum, of_a.squares, both.sum, both.squares);
}

/* A cut never separates equal ranks. */
static bool may_cut(const struct order *o, size_t place)
{
    const size_t few = o->count_a < o->count - o->count_a ? o->count_a : o->count - o->count_a;
    return place == 0 || (few >= SPLITS_LEAST_CUT && o->rank[place] > o->rank[place - 1]);
}

/* `member` lists the launches of A (NULL: the first ones); `is_a` is workspace for one mark per
 * launch. */
static struct distances distances_of(const struct order *o, const uint16_t *member, bool *is_a,
                                     enum statistic statistic)
{
    struct distances far = {-INFINITY, -INFINITY};
    struct sums all = {0}, a = {0}, low = {0}, low_a = {0};
    for (size_t i = 0; i < o->count; i++)
        is_a[i] = false;
    for (size_t i = 0; i < o->count_a; i++)
        is_a[member ? member[i] : i] = true;
    for (size_t i = 0; i < o->count; i++) {
        add_rank(&all, o->rank[i]);
        if (is_a[o->launch[i]])
            add_rank(&a, o->rank[i]);
    }
    const size_t places = statistic == IN_PARTS ? o->count : 1;
    for (size_t i = 0; i < places; i++) {
        if (may_cut(o, i)) {
            const double welch = (i ? parts_weight : 1.0) * welch_in_parts(&all, &low, &a, &low_a);
            far.above = fmax(far.above, welch);
            far.below = fmax(far.below, -welch);
        }
        add_rank(&low, o->rank[i]);
        if (is_a[o->launch[i]])
            add_rank(&low_a, o->rank[i]);
    }
    return far;
}

static double on_side(struct distances far, enum side side)
{
    return side == ABOVE ? far.above : side == BELOW ? far.below : fmax(far.above, far.below);
}

/* The least statistic that counts as extreme as the observed one. */
static double threshold(double observed)
{
    return observed - 1e-9 * fabs(observed);
}

/* Allocates an order and the marks; release with free(o->rank). */
static bool order_open(struct order *o, const struct splits *s, bool **marks)
{
    const size_t n = s->count_all;
    o->count = n;
    o->count_a = s->count_a;
    o->rank = malloc(n * (sizeof *o->rank + sizeof *o->launch + sizeof **marks));
    o->launch = o->rank ? (size_t *)(o->rank + n) : NULL;
    *marks = o->rank ? (bool *)(o->launch + n) : NULL;
    return o->rank != NULL;
}

static void sort_order(struct order *o, const double *ranks)
{
    for (size_t i = 0; i < o->count; i++) {
        size_t at = i;
        for (; at > 0 && o->rank[at - 1] > ranks[i]; at--) {
            o->rank[at] = o->rank[at - 1];
            o->launch[at] = o->launch[at - 1];
        }
        o->rank[at] = ranks[i];
        o->launch[at] = i;
    }
}

/* ---- statistics of distinct values ----------------------------------------------------------- */

/* Splits made for a pair of counts, kept until the program ends. */
static struct splits *kept;
static size_t kept_count;

static bool make_lists(struct splits *s, enum statistic statistic)
{
    struct order o;
    bool *is_a, good = order_open(&o, s, &is_a);
    double **sorted = s->sorted[statistic];
    for (enum side side = 0; side < SIDES; side++) {
        sorted[side] = malloc(s->count * sizeof *sorted[side]);
        good = good && sorted[side];
    }
    for (size_t i = 0; good && i < s->count_all; i++) {
        o.rank[i] = (double)(i + 1);
        o.launch[i] = i;
    }
    for (size_t row = 0; good && row < s->count; row++) {
        const struct distances far =
            distances_of(&o, s->member + row * s->count_a, is_a, statistic);
        for (enum side side = 0; side < SIDES; side++)
            sorted[side][row] = on_side(far, side);
    }
    for (enum side side = 0; good && side < SIDES; side++)
        sort_samples(sorted[side], s->count);
    free(o.rank);
    return good;
}

static void discard(struct splits *s)
{
    for (enum side side = 0; side < SIDES; side++) {
        free(s->sorted[OF_ALL][side]);
        free(s->sorted[IN_PARTS][side]);
    }
    free(s->member);
}

/* How many of the ascending numbers are at least x. */
static size_t count_from(const double *sorted, size_t count, double x)
{
    size_t below = 0, end = count;
    while (below < end) {
        const size_t middle = below + (end - below) / 2;
        if (sorted[middle] >= x)
            end = middle;
        else
            below = middle + 1;
    }
    return count - below;
}

/* Ranks of distinct values are 1, 2, 3, ... in some order; tied ranks have a smaller sum of
 * squares. */
static bool are_distinct(const double *ranks, size_t count)
{
    const double n = (double)count;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++)
        squares += ranks[i] * ranks[i];
    return squares == n * (n + 1.0) * (2.0 * n + 1.0) / 6.0;
}

/* ---- interface ------------------------------------------------------------------------------- */

static bool make_splits(struct splits *s, size_t count_a, size_t count_b, gsl_rng *rng)
{
    const bool exact = count_a + count_b <= SPLITS_MOST_EXACT &&
                       splits_ways(count_a, count_b) <= (double)MOST_SPLITS;
    *s = (struct splits){.count = exact ? (size_t)llround(splits_ways(count_a, count_b))
                                        : RANDOM_SPLITS + 1,
                         .count_a = count_a,
                         .count_all = count_a + count_b};
    s->member = malloc(s->count * s->count_a * sizeof *s->member);
    if (s->member && exact)
        enumerate_splits(s);
    return s->member && (exact || draw_splits(s, rng) == 0) && make_lists(s, OF_ALL) &&
           make_lists(s, IN_PARTS);
}

int splits_open(struct splits *s, size_t count_a, size_t count_b, gsl_rng *rng)
{
    for (size_t i = 0; i < kept_count; i++)
        if (kept[i].count_a == count_a && kept[i].count_all == count_a + count_b) {
            *s = kept[i];
            return 0;
        }
    struct splits *grown = realloc(kept, (kept_count + 1) * sizeof *kept);
    kept = grown ? grown : kept;
    if (!grown)
        return -1;
    if (!make_splits(s, count_a, count_b, rng)) {
        discard(s);
        return -1;
    }
    kept[kept_count++] = *s;
    return 0;
}

double splits_p(const struct splits *s, const double *ranks, enum statistic statistic,
                enum side side)
{
    struct order o;
    bool *is_a;
    size_t extreme = 0;
    if (!order_open(&o, s, &is_a))
        return NAN;
    sort_order(&o, ranks);
    const double far = threshold(on_side(distances_of(&o, NULL, is_a, statistic), side));
    if (are_distinct(ranks, s->count_all))
        extreme = count_from(s->sorted[statistic][side], s->count, far);
    else
        for (size_t row = 0; row < s->count; row++)
            extreme += on_side(distances_of(&o, s->member + row * s->count_a, is_a, statistic),
                               side) >= far;
    free(o.rank);
    return (double)extreme / (double)s->count;
}
