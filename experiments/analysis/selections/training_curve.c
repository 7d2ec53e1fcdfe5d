#include "experiments/analysis/selections/training_curve.h"

#include "harness/records/training_record.h"

#include <math.h>
#include <string.h>

/* Index of a launch, which is added if new; CURVE_LAUNCHES if there are too many. */
static size_t launch_of(struct training_curve *c, const struct training_record *r)
{
    size_t i = 0;
    while (i < c->launches && strcmp(c->run_id[i], r->run_id) != 0)
        i++;
    if (i == c->launches && i < CURVE_LAUNCHES) {
        snprintf(c->run_id[i], RECORD_TEXT, "%s", r->run_id);
        c->seed[i] = r->seed;
        c->launches++;
    }
    return i;
}

static void take_epoch(struct training_curve *c, const struct training_record *r, size_t launch)
{
    if (r->epoch < 1 || r->epoch > CURVE_EPOCHS || !(r->seconds > 0.0))
        return;
    const size_t epoch = (size_t)r->epoch;
    for (; c->epochs < epoch; c->epochs++) {
        c->loss[c->epochs] = c->accuracy[c->epochs] = NAN;
        for (size_t i = 0; i < CURVE_LAUNCHES; i++)
            c->test_accuracy[c->epochs][i] = c->validation_loss[c->epochs][i] = NAN;
    }
    c->seconds[epoch - 1][launch] = r->seconds;
    c->test_accuracy[epoch - 1][launch] = r->test_accuracy;
    c->validation_loss[epoch - 1][launch] = r->validation_loss;
    if (r->seed != c->seed[0])
        return;
    c->loss[epoch - 1] = r->loss;
    c->accuracy[epoch - 1] = r->accuracy;
}

/* Launches of one seed that trained equally long have the same matrix. */
static void take_cell(struct training_curve *c, const struct training_record *r)
{
    if (r->seed != c->seed[0])
        return;
    if (r->right < 0 || r->right >= CURVE_CLASSES || r->said < 0 || r->said >= CURVE_CLASSES ||
        r->count < 0 || r->epoch < c->matrix_epoch)
        return;
    if (r->epoch > c->matrix_epoch)
        memset(c->matrix, 0, sizeof c->matrix);
    c->matrix_epoch = r->epoch;
    c->matrix[r->right][r->said] = r->count;
    /* A network may have more outputs than there are classes: an output that no image has and that
     * is never predicted is not counted. */
    const int64_t class = r->right > r->said ? r->right : r->said;
    if (r->count > 0 && (size_t) class + 1 > c->classes)
        c->classes = (size_t) class + 1;
}

static bool is_alike(const struct training_curve *c, const struct training_record *r)
{
    return strcmp(c->network, r->network) == 0 && strcmp(c->data, r->data) == 0 &&
           strcmp(c->program, r->program) == 0 && strcmp(c->split, r->split) == 0 &&
           strcmp(c->normalize, r->normalize) == 0 && strcmp(c->select, r->select) == 0 &&
           strcmp(c->init, r->init) == 0;
}

static void take_rate(struct training_curve *c, const struct training_record *r, size_t launch)
{
    if (r->seed != c->seed[0])
        return;
    c->rates_launch = c->rates++ == 0 ? launch : c->rates_launch;
    c->suggested = r->suggested == 1 ? r->rate : c->suggested;
    if (launch != c->rates_launch || c->tried == CURVE_RATES)
        return;
    c->rate[c->tried] = r->rate;
    c->rate_loss[c->tried] = r->loss;
    c->smoothed_loss[c->tried++] = r->smoothed_loss;
}

static bool take(const void *row, int64_t line, void *context)
{
    const struct training_record *r = row;
    struct training_curve *c = context;
    (void)line;
    if (!c->network[0]) {
        snprintf(c->network, sizeof c->network, "%s", r->network);
        snprintf(c->data, sizeof c->data, "%s", r->data);
        snprintf(c->program, sizeof c->program, "%s", r->program);
        snprintf(c->split, sizeof c->split, "%s", r->split);
        snprintf(c->normalize, sizeof c->normalize, "%s", r->normalize);
        snprintf(c->select, sizeof c->select, "%s", r->select);
        snprintf(c->init, sizeof c->init, "%s", r->init);
        c->learning_rate = r->learning_rate;
    }
    if (!is_alike(c, r))
        return true;
    const size_t launch = launch_of(c, r);
    if (launch == CURVE_LAUNCHES)
        return true;
    if (strcmp(r->what, "epoch") == 0)
        take_epoch(c, r, launch);
    else if (strcmp(r->what, "confusion") == 0)
        take_cell(c, r);
    else if (strcmp(r->what, "rate") == 0)
        take_rate(c, r, launch);
    return true;
}

/* The epoch of least validation loss is tested, of those up to each epoch. */
static void select_epochs(struct training_curve *c, size_t launch)
{
    size_t best = 0;
    double accuracy[CURVE_EPOCHS];
    for (size_t i = 0; i < c->epochs; i++) {
        if (!(c->validation_loss[i][launch] >= c->validation_loss[best][launch]))
            best = i;
        accuracy[i] = c->test_accuracy[i][launch];
        c->test_accuracy[i][launch] = isnan(accuracy[i]) ? NAN : accuracy[best];
    }
}

bool training_curve_read(struct training_curve *c, const struct experiment *e)
{
    struct failure f = {0};
    memset(c, 0, sizeof *c);
    if (table_read(e->training_path, &training_record_schema, take, c, NULL, &f) != STATUS_OK)
        return false;
    if (c->select[0])
        for (size_t i = 0; i < c->launches; i++)
            select_epochs(c, i);
    return c->launches > 0;
}

/* Whether a launch is the first with its seed. */
static bool is_first(const struct training_curve *c, size_t launch)
{
    size_t i = 0;
    while (c->seed[i] != c->seed[launch])
        i++;
    return i == launch;
}

size_t training_curve_trainings(const struct training_curve *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->launches; i++)
        count += is_first(c, i);
    return count;
}

/* The accuracy of the launches with the seed of `launch`; NaN: none has recorded it. */
static double accuracy_of(const struct training_curve *c, size_t launch, size_t epoch)
{
    double accuracy = NAN;
    for (size_t i = launch; i < c->launches && isnan(accuracy); i++)
        if (c->seed[i] == c->seed[launch])
            accuracy = c->test_accuracy[epoch - 1][i];
    return accuracy;
}

struct estimate training_curve_accuracy(const struct training_curve *c, size_t epoch)
{
    double values[CURVE_LAUNCHES];
    struct estimate all = estimate_none();
    const double tested = (double)training_curve_tested(c);
    size_t count = 0;
    for (size_t i = 0; i < c->launches && epoch <= c->epochs; i++)
        if (is_first(c, i) && !isnan(accuracy_of(c, i, epoch)))
            values[count++] = accuracy_of(c, i, epoch);
    if (count == 0)
        return all;
    const struct summary s = summarise(values, count);
    all.launches = count;
    all.value = s.median;
    all.interval = count == 1 ? share_interval(s.median * tested, tested)
                              : (struct interval){s.lower, s.upper};
    return all;
}

int64_t training_curve_tested(const struct training_curve *c)
{
    int64_t count = 0;
    for (size_t i = 0; i < c->classes; i++)
        for (size_t j = 0; j < c->classes; j++)
            count += c->matrix[i][j];
    return count;
}

int64_t training_curve_hits(const struct training_curve *c)
{
    int64_t hits = 0;
    for (size_t i = 0; i < c->classes; i++)
        hits += c->matrix[i][i];
    return hits;
}

struct estimate training_curve_seconds(const struct training_curve *c, size_t epoch)
{
    double sums[CURVE_LAUNCHES];
    struct estimate all = estimate_none();
    size_t whole = 0;
    for (size_t i = 0; i < c->launches; i++) {
        bool timed = true;
        sums[whole] = 0.0;
        for (size_t j = 0; j < epoch; j++) {
            timed = timed && c->seconds[j][i] > 0.0;
            sums[whole] += c->seconds[j][i];
        }
        whole += timed;
    }
    if (whole == 0)
        return all;
    const struct summary s = summarise(sums, whole);
    all.launches = whole;
    all.value = s.median;
    all.interval = (struct interval){s.lower, s.upper};
    return all;
}

struct interval share_interval(double hits, double count)
{
    const double z = 1.959963984540054; /* 97.5 % quantile of the normal distribution */
    const double share = hits / count, more = z * z / count;
    const double centre = (share + more / 2.0) / (1.0 + more);
    const double half =
        z * sqrt(share * (1.0 - share) / count + more / (4.0 * count)) / (1.0 + more);
    return (struct interval){centre - half, centre + half};
}
