#include "networks/point/training/training_rows.h"

#include "networks/point/network_run.h"

#include <math.h>
#include <stdio.h>

void training_rows_begin(struct training *t, const struct point *p)
{
    const struct record *of = &p->contenders[0].measurement.row;
    struct training_record *r = &t->row;
    t->rows = network_run_of(p)->report.outputs.training;
    table_blank(&training_record_schema, r);
    table_copy_until(&training_record_schema, r, "commit", &record_schema, of);
    r->images = of->batch;
    snprintf(r->augment, RECORD_TEXT, "%s", augments(&t->augmentation) ? t->options->augment : "");
    snprintf(r->normalize, RECORD_TEXT, "%s", of->normalize);
    snprintf(r->split, RECORD_TEXT, "%s", of->split);
    snprintf(r->select, RECORD_TEXT, "%s", of->select);
    snprintf(r->init, RECORD_TEXT, "%s", of->init);
    r->seed = t->options->seed;
}

enum status training_rows_epoch(struct training *t, const struct score *test, struct failure *f)
{
    struct training_record r = t->row;
    const double images = (double)t->epoch_images;
    if (!t->rows)
        return STATUS_OK;
    snprintf(r.what, RECORD_TEXT, "epoch");
    r.epoch = training_epoch(t);
    r.step = t->trainer.state.updates;
    r.seconds = t->epoch_seconds;
    r.wall_seconds = t->epoch_wall_s;
    r.whole_steps = t->whole_steps;
    r.rest_seconds = t->rest_s;
    r.loss = t->epoch_loss / images;
    if (t->data.classes)
        r.accuracy = (double)t->epoch_hits / images;
    if (test) {
        r.test_loss = test->loss;
        r.test_accuracy = test->accuracy;
        r.test_error = test->error;
        r.persistence = test->persistence;
        r.test_absolute_error = test->absolute_error;
        r.test_mean = test->mean;
    }
    if (t->validation.count > 0) {
        r.validation_loss = t->validation.loss;
        r.validation_accuracy = t->validation.accuracy;
    }
    snprintf(r.parameters_hash, RECORD_TEXT, "%016llx",
             (unsigned long long)trainer_hash(&t->trainer));
    return table_append(t->rows, &r, f);
}

enum status training_rows_confusion(struct training *t, struct failure *f)
{
    const int64_t classes = t->data.outputs;
    enum status status = STATUS_OK;
    struct training_record r = t->row;
    if (!t->rows || !t->data.classes || classes > CONFUSED_MOST || t->score.count == 0)
        return STATUS_OK;
    snprintf(r.what, RECORD_TEXT, "confusion");
    r.epoch = training_tested_epoch(t);
    for (r.right = 0; r.right < classes; r.right++)
        for (r.said = 0; r.said < classes && status == STATUS_OK; r.said++) {
            r.count = t->score.matrix[r.right][r.said];
            status = table_append(t->rows, &r, f);
        }
    return status;
}

/* Root mean square errors of r->count samples from `first` on: of the predictions, and of
 * persistence. */
static void fill_day(struct training_record *r, const struct data_part *p, int64_t first,
                     int64_t outputs)
{
    double squares = 0.0, expected = 0.0;
    for (int64_t i = first; i < first + r->count; i++) {
        const double value = (double)p->values[i * outputs];
        squares += pow((double)p->predicted[i] - value, 2.0);
        expected += pow((double)p->persistence[i] - value, 2.0);
    }
    r->test_error = sqrt(squares / (double)r->count);
    r->persistence = sqrt(expected / (double)r->count);
}

enum status training_rows_days(struct training *t, struct failure *f)
{
    const struct data_part *p = &t->data.parts[DATA_TEST];
    struct training_record r = t->row;
    enum status status = STATUS_OK;
    if (!t->rows || t->score.count == 0 || p->of_a_day == 0)
        return STATUS_OK;
    snprintf(r.what, RECORD_TEXT, "day");
    r.epoch = training_tested_epoch(t);
    for (int64_t first = 0; first < p->count && status == STATUS_OK; first += p->of_a_day) {
        r.step = first / p->of_a_day + 1;
        r.count = p->count - first < p->of_a_day ? p->count - first : p->of_a_day;
        fill_day(&r, p, first, t->data.outputs);
        status = table_append(t->rows, &r, f);
    }
    return status;
}

enum status training_rows_forecast(struct training *t, struct failure *f)
{
    const struct data_part *p = &t->data.parts[DATA_SERIES];
    struct score score;
    struct training_record r = t->row;
    if (!t->rows || p->count == 0)
        return STATUS_OK;
    enum status status = evaluate(&t->trainer, &t->data, DATA_SERIES, &score, f);
    snprintf(r.what, RECORD_TEXT, "forecast");
    r.epoch = training_epoch(t);
    for (int64_t i = 0; i < p->count && status == STATUS_OK; i++) {
        r.step = i + 1;
        r.day_seconds = t->data.series_begin_s + t->data.series_apart_s * (double)i;
        r.true_value = (double)p->values[i * t->data.outputs];
        r.predicted_value = (double)p->predicted[i];
        status = table_append(t->rows, &r, f);
    }
    return status;
}

enum status training_rows_rates(struct training *t, const struct rate_trial *trials, int count,
                                int suggested, struct failure *f)
{
    enum status status = STATUS_OK;
    struct training_record r = t->row;
    snprintf(r.what, RECORD_TEXT, "rate");
    for (int i = 0; t->rows && i < count && status == STATUS_OK; i++) {
        r.step = i + 1;
        r.rate = trials[i].rate;
        r.loss = trials[i].loss;
        r.smoothed_loss = trials[i].smoothed;
        r.suggested = suggested > 0 && i == suggested;
        status = table_append(t->rows, &r, f);
    }
    return status;
}
