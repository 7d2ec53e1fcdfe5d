/* Measures of trainings, from R/NAME.training.csv, and of the memory that programs used. */
#include "experiments/report/reproduction/taking.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/training_curve.h"
#include "experiments/common/lists.h"
#include "experiments/report/claims/forecast_skill.h"
#include "experiments/report/claims/memory_held.h"
#include "harness/base/text/messages.h"
#include "harness/records/training_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rows of the trainings --------------------------------------------------------------- */

/* The fields of a row that measures use. */
struct training_row {
    char what;               /* e: epoch, c: confusion, r: rate */
    size_t launch, training; /* indices from 0, in file order */
    int64_t epoch, step, images, right, said, count, suggested, whole_steps;
    double seconds, wall_seconds, rest_seconds, loss, accuracy, validation_loss,
        validation_accuracy, test_accuracy, rate;
};

/* Launches with the same seed have the same bits: they are one training. */
enum { TRAININGS_MOST = 64 };

struct training_rows {
    const struct conditions *conditions;
    struct training_row *all; /* owned */
    size_t count, launches, trainings;
    int64_t seeds[TRAININGS_MOST];
    struct texts runs;
    bool out_of_memory;
};

/* Whether a row meets the conditions. They name columns of the samples; a training's row has
 * columns of the same names, and every row has the task "train". */
static bool row_wanted(const struct conditions *conditions, const struct training_record *r)
{
    struct record as_sample = record_empty();
    snprintf(as_sample.program, sizeof as_sample.program, "%s", r->program);
    snprintf(as_sample.method, sizeof as_sample.method, "%s", r->method);
    snprintf(as_sample.network, sizeof as_sample.network, "%s", r->network);
    snprintf(as_sample.data, sizeof as_sample.data, "%s", r->data);
    snprintf(as_sample.strategy, sizeof as_sample.strategy, "%s", r->strategy);
    snprintf(as_sample.augment, sizeof as_sample.augment, "%s", r->augment);
    snprintf(as_sample.normalize, sizeof as_sample.normalize, "%s", r->normalize);
    snprintf(as_sample.split, sizeof as_sample.split, "%s", r->split);
    snprintf(as_sample.select, sizeof as_sample.select, "%s", r->select);
    snprintf(as_sample.init, sizeof as_sample.init, "%s", r->init);
    snprintf(as_sample.task, sizeof as_sample.task, "train");
    as_sample.seed = r->seed;
    as_sample.batch = r->images;
    as_sample.ranks = r->ranks;
    as_sample.threads = r->threads;
    return conditions_met(conditions, &as_sample);
}

static size_t launch_of(struct training_rows *rows, const char *run_id)
{
    size_t i = 0;
    while (i < rows->runs.count && strcmp(rows->runs.items[i], run_id) != 0)
        i++;
    if (i == rows->runs.count)
        rows->out_of_memory = !texts_add(&rows->runs, run_id);
    return i;
}

/* The training of a seed; those beyond the most that are kept are counted with the last. */
static size_t training_of(struct training_rows *rows, int64_t seed)
{
    size_t i = 0;
    while (i < rows->trainings && rows->seeds[i] != seed)
        i++;
    if (i == TRAININGS_MOST)
        return TRAININGS_MOST - 1;
    if (i == rows->trainings)
        rows->seeds[rows->trainings++] = seed;
    return i;
}

static bool take_row(const void *row, int64_t line, void *context)
{
    const struct training_record *r = row;
    struct training_rows *rows = context;
    (void)line;
    if (!row_wanted(rows->conditions, r))
        return true;
    struct training_row *grown = array_grow(rows->all, rows->count, sizeof *grown);
    if (!grown)
        return false;
    rows->all = grown;
    rows->all[rows->count++] = (struct training_row){.what = r->what[0],
                                                     .launch = launch_of(rows, r->run_id),
                                                     .training = training_of(rows, r->seed),
                                                     .epoch = r->epoch,
                                                     .step = r->step,
                                                     .images = r->images,
                                                     .right = r->right,
                                                     .said = r->said,
                                                     .count = r->count,
                                                     .suggested = r->suggested,
                                                     .whole_steps = r->whole_steps,
                                                     .seconds = r->seconds,
                                                     .wall_seconds = r->wall_seconds,
                                                     .rest_seconds = r->rest_seconds,
                                                     .loss = r->loss,
                                                     .accuracy = r->accuracy,
                                                     .validation_loss = r->validation_loss,
                                                     .validation_accuracy = r->validation_accuracy,
                                                     .test_accuracy = r->test_accuracy,
                                                     .rate = r->rate};
    return !rows->out_of_memory;
}

/* Reads the rows; none if there is no such file. */
static struct training_rows read_rows(const struct taking *t)
{
    struct training_rows rows = {.conditions = &t->measure->points[0]};
    struct failure ignored = {0};
    if (table_read(t->experiment->training_path, &training_record_schema, take_row, &rows, NULL,
                   &ignored) != STATUS_OK)
        rows.count = 0;
    rows.launches = rows.runs.count;
    return rows;
}

static void release_rows(struct training_rows *rows)
{
    free(rows->all);
    texts_release(&rows->runs);
}

/* The first row of an epoch, in any launch of a training. */
static const struct training_row *find_epoch(const struct training_rows *rows, size_t training,
                                             int64_t epoch)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->all[i].what == 'e' && rows->all[i].training == training &&
            rows->all[i].epoch == epoch)
            return &rows->all[i];
    return NULL;
}

static int64_t last_epoch(const struct training_rows *rows)
{
    int64_t last = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->all[i].what == 'e' && rows->all[i].epoch > last)
            last = rows->all[i].epoch;
    return last;
}

/* ---- accuracy -------------------------------------------------------------------------------- */

static int64_t asked_epoch(const struct taking *t)
{
    return (int64_t)measure_number(t->measure, 0);
}

/* Images in the confusion matrix of a training's longest launch; `wrong`: only wrongly classified
 * ones. NaN without a matrix. */
static double count_tested(const struct training_rows *rows, size_t training, bool wrong)
{
    int64_t epoch = 0;
    size_t launch = 0;
    double count = 0.0;
    bool found = false;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->all[i].what == 'c' && rows->all[i].training == training &&
            rows->all[i].epoch > epoch) {
            epoch = rows->all[i].epoch;
            launch = rows->all[i].launch;
        }
    for (size_t i = 0; i < rows->count; i++) {
        const struct training_row *r = &rows->all[i];
        if (r->what != 'c' || r->epoch != epoch || r->launch != launch)
            continue;
        found = true;
        if (!wrong || r->right != r->said)
            count += (double)r->count;
    }
    return found ? count : (double)NAN;
}

/* The row of epoch `epoch` that counts. */
typedef const struct training_row *row_choice(const struct training_rows *rows, size_t training,
                                              int64_t epoch);

/* The epoch of least validation loss, of those up to `most`; NULL: no loss is recorded. */
static const struct training_row *selected_epoch(const struct training_rows *rows, size_t training,
                                                 int64_t most)
{
    const struct training_row *best = NULL;
    for (int64_t epoch = 1; epoch <= most; epoch++) {
        const struct training_row *r = find_epoch(rows, training, epoch);
        if (r && r->validation_loss >= 0.0 && (!best || r->validation_loss < best->validation_loss))
            best = r;
    }
    return find_epoch(rows, training, most) ? best : NULL;
}

/* Stores the only value, with its own interval, or the median over several trainings, with its
 * interval if there are enough. */
static void found_of_trainings(const struct taking *t, double *values, size_t count,
                               struct interval own)
{
    const struct summary s = summarise(values, count);
    measure_found(t, measure_point(t, 0), s.median,
                  count == 1 ? own : (struct interval){s.lower, s.upper});
    t->out->trusted = false; /* trust words are of times */
}

/* Takes the value in the row of the requested epoch of each training. The accuracy of a test is a
 * share of the tested images. Files of earlier versions lack values of the validation part. */
void take_of_epoch(const struct taking *t)
{
    static const size_t fields[] = {
        [EPOCH_TEST_ACCURACY] = offsetof(struct training_row, test_accuracy),
        [EPOCH_SELECTED_ACCURACY] = offsetof(struct training_row, test_accuracy),
        [EPOCH_ACCURACY] = offsetof(struct training_row, accuracy),
        [EPOCH_LOSS] = offsetof(struct training_row, loss),
        [EPOCH_VALIDATION_ACCURACY] = offsetof(struct training_row, validation_accuracy),
        [EPOCH_VALIDATION_LOSS] = offsetof(struct training_row, validation_loss)};
    const size_t field = fields[t->variant];
    row_choice *choose = t->variant == EPOCH_SELECTED_ACCURACY ? selected_epoch : find_epoch;
    const bool tested = field == fields[EPOCH_TEST_ACCURACY];
    struct training_rows rows = read_rows(t);
    double values[TRAININGS_MOST], images = NAN;
    size_t count = 0;
    for (size_t i = 0; i < rows.trainings; i++) {
        const struct training_row *r = choose(&rows, i, asked_epoch(t));
        if (r)
            memcpy(&values[count], (const char *)r + field, sizeof values[count]);
        if (r && !isnan(values[count]) && count++ == 0)
            images = count_tested(&rows, i, false);
    }
    if (count)
        found_of_trainings(t, values, count,
                           tested && images > 0.0 ? share_interval(values[0] * images, images)
                                                  : no_interval);
    release_rows(&rows);
}

/* wrong: unseen images in a wrong class. */
void take_wrong(const struct taking *t)
{
    struct training_rows rows = read_rows(t);
    double values[TRAININGS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < rows.trainings; i++) {
        values[count] = count_tested(&rows, i, true);
        count += !isnan(values[count]);
    }
    if (count)
        found_of_trainings(t, values, count, no_interval);
    release_rows(&rows);
}

/* ---- learning rates -------------------------------------------------------------------------- */

/* rates first, last, count, suggested: from the first launch that tried learning rates. */
void take_rates(const struct taking *t)
{
    const char *word = t->measure->words[0];
    struct training_rows rows = read_rows(t);
    double first = NAN, last = NAN, suggested = NAN;
    size_t count = 0, launch = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const struct training_row *r = &rows.all[i];
        if (r->what != 'r' || (count > 0 && r->launch != launch))
            continue;
        launch = r->launch;
        count++;
        first = fmin(first, r->rate);
        last = fmax(last, r->rate);
        if (r->suggested == 1)
            suggested = r->rate;
    }
    if (count)
        measure_found(t, measure_point(t, 0),
                      strcmp(word, "first") == 0   ? first
                      : strcmp(word, "last") == 0  ? last
                      : strcmp(word, "count") == 0 ? (double)count
                                                   : suggested,
                      no_interval);
    release_rows(&rows);
}

/* ---- seconds --------------------------------------------------------------------------------- */

enum { LAUNCHES_MOST = 256 };

/* A value of a launch; `of` are its epochs, one or two. NaN: it is not recorded. */
typedef double launch_value(const struct training_rows *rows, size_t launch, const int64_t *of);

/* Stores the median over launches of their values over `unit`, and its interval if there are
 * enough. */
static void found_of_launches(const struct taking *t, const struct training_rows *rows,
                              launch_value *value, const int64_t *of, double unit)
{
    double values[LAUNCHES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < rows->launches && count < LAUNCHES_MOST; i++) {
        const double own = value(rows, i, of) / unit;
        if (isfinite(own))
            values[count++] = own;
    }
    const struct summary s = summarise(values, count);
    if (count)
        measure_found(t, measure_point(t, 0), s.median, (struct interval){s.lower, s.upper});
}

/* Seconds of the epochs from the first to the last; NaN also if one of them is not recorded. */
static double launch_seconds(const struct training_rows *rows, size_t launch, const int64_t *of)
{
    double sum = 0.0;
    int64_t found = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct training_row *r = &rows->all[i];
        if (r->what != 'e' || r->launch != launch || r->epoch < of[0] || r->epoch > of[1])
            continue;
        sum += r->seconds;
        found++;
    }
    return found == of[1] - of[0] + 1 && sum > 0.0 ? sum : (double)NAN;
}

/* training E: seconds of the first E epochs; variant false, epoch E: of that epoch. */
void take_epoch_sum(const struct taking *t)
{
    struct training_rows rows = read_rows(t);
    const int64_t epoch = asked_epoch(t);
    found_of_launches(t, &rows, launch_seconds, (const int64_t[]){t->variant ? 1 : epoch, epoch},
                      1.0);
    release_rows(&rows);
}

static double seconds_ratio(const struct training_rows *rows, size_t launch, const int64_t *of)
{
    return launch_seconds(rows, launch, (const int64_t[]){1, of[0]}) /
           launch_seconds(rows, launch, (const int64_t[]){1, of[1]});
}

/* training_ratio A B: seconds of the first A epochs / of the first B, of the same launch. */
void take_training_ratio(const struct taking *t)
{
    struct training_rows rows = read_rows(t);
    const int64_t of[] = {asked_epoch(t), (int64_t)measure_number(t->measure, 1)};
    found_of_launches(t, &rows, seconds_ratio, of, 1.0);
    release_rows(&rows);
}

/* ---- totals relative to their parts ---------------------------------------------------------- */

/* Wall-clock seconds of the epochs up to `of` / the median seconds of one epoch's steps; NaN if an
 * epoch is not recorded. */
static double over_epoch(const struct training_rows *rows, size_t launch, const int64_t *of)
{
    const size_t last = (size_t)*of;
    double *steps = calloc(last + 1, sizeof *steps), all = 0.0, ratio = NAN;
    size_t count = 0;
    for (size_t i = 0; steps && i < rows->count && count < last; i++) {
        const struct training_row *r = &rows->all[i];
        if (r->what != 'e' || r->launch != launch || r->epoch > *of)
            continue;
        all += r->wall_seconds;
        steps[count++] = r->seconds;
    }
    if (count && count == last)
        ratio = all / median_of(steps, count);
    free(steps);
    return ratio;
}

/* epochs E: wall-clock seconds of E epochs / the median seconds of one epoch's steps; of all epochs
 * if fewer than E were trained. */
void take_epochs_ratio(const struct taking *t)
{
    struct training_rows rows = read_rows(t);
    const int64_t trained = last_epoch(&rows), asked = asked_epoch(t),
                  last = trained < asked ? trained : asked;
    found_of_launches(t, &rows, over_epoch, &last, 1.0);
    release_rows(&rows);
}

/* Keeps the rows of trainings with that batch: an epoch with another batch has other steps. */
static void keep_batch(struct training_rows *rows, int64_t batch)
{
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->all[i].images == batch)
            rows->all[kept++] = rows->all[i];
    rows->count = kept;
}

/* Wall-clock seconds per whole step, in the median epoch of those up to `of`: without the step of
 * the remaining images. */
static double clock_step(const struct training_rows *rows, size_t launch, const int64_t *of)
{
    const size_t last = (size_t)*of;
    double *steps = calloc(last + 1, sizeof *steps), median = NAN;
    size_t count = 0;
    for (size_t i = 0; steps && i < rows->count && count < last; i++) {
        const struct training_row *r = &rows->all[i];
        if (r->what == 'e' && r->launch == launch && r->whole_steps > 0)
            steps[count++] = (r->wall_seconds - r->rest_seconds) / (double)r->whole_steps;
    }
    if (count)
        median = median_of(steps, count);
    free(steps);
    return median;
}

/* steps: wall-clock step of the median epoch / median step of the point. */
void take_steps_ratio(const struct taking *t)
{
    struct training_rows rows = read_rows(t);
    const struct point *p = measure_point(t, 0);
    if (p) {
        keep_batch(&rows, p->samples->identity.batch);
        const int64_t last = last_epoch(&rows);
        found_of_launches(t, &rows, clock_step, &last, total_of(p));
    }
    release_rows(&rows);
}

/* ---- forecasts ------------------------------------------------------------------------------- */

/* The trainings with one batch. */
struct scored {
    const struct conditions *conditions;
    int64_t images;
    struct skill_epoch last;
};

static bool take_scored(const void *row, int64_t line, void *context)
{
    const struct training_record *r = row;
    struct scored *s = context;
    (void)line;
    if (r->images == s->images && row_wanted(s->conditions, r))
        skill_epoch_take(&s->last, r);
    return true;
}

/* "0.71 [0.65, 0.77] at batch 100"; false if it was not trained. */
static bool say_skill(const struct taking *t, size_t word)
{
    struct scored s = {.conditions = &t->measure->points[0],
                       .images = (int64_t)measure_number(t->measure, word)};
    struct taken *out = t->out;
    struct failure ignored = {0};
    if (table_read(t->experiment->training_path, &training_record_schema, take_scored, &s, NULL,
                   &ignored) != STATUS_OK ||
        s.last.row.epoch == 0)
        return false;
    const double skill = skill_epoch_value(&s.last);
    const size_t length = strlen(out->finding);
    snprintf(out->finding + length, sizeof out->finding - length, "%s", length ? "; " : "");
    const size_t end = strlen(out->finding);
    message_format(
        out->finding + end, sizeof out->finding - end, t->language, "%{skill} at batch %{batch}",
        WITH({"skill", number_answer(t->language, skill, skill_interval(skill, &s.last.days)).text},
             {"batch", t->measure->words[word]}));
    return true;
}

/* skill B B ...: for each batch, "0.71 at batch 100; 0.64 at batch 500". */
void take_skill(const struct taking *t)
{
    for (size_t i = 0; i < t->measure->word_count; i++)
        t->out->found = say_skill(t, i) || t->out->found;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* memory LABEL, memory_peak LABEL: mean and peak resident memory while that program ran. */
void take_memory(const struct taking *t)
{
    struct memory_held held;
    const struct point *p = measure_point(t, 0);
    if (p && memory_held_read(&held, t->experiment, t->measure->words[0]))
        measure_found(t, p, t->variant ? held.peak_bytes : held.mean_bytes, no_interval);
}
