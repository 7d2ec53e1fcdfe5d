#include "networks/point/output_files.h"

#include "harness/point/point.h"
#include "harness/records/layer_record.h"
#include "harness/records/table.h"
#include "harness/records/training_record.h"
#include "networks/point/instance.h"
#include "networks/point/layers/layer_facts.h"
#include "networks/point/layers/layer_roof.h"
#include "networks/point/network_run.h"
#include "networks/point/trace/trace.h"
#include "networks/point/training/training.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* ---- the file of layers ---------------------------------------------------------------------- */

/* Fills in what all rows of a method share, from its samples. */
static void fill_launch(struct layer_record *r, const struct record *sample,
                        const struct network_run *run)
{
    table_copy_until(&layer_record_schema, r, "commit", &record_schema, sample);
    r->images = sample->batch;
    r->images_here = run->images.here.count;
    r->image_rows = run->network.input.rows;
    r->image_cols = run->network.input.cols;
}

static void fill_clock(struct layer_record *r, const struct step_clock *clock, const char *pass)
{
    snprintf(r->pass, RECORD_TEXT, "%s", pass);
    r->executions = clock->executions;
    r->fastest_s = r->mean_s = RECORD_NO_REAL;
    if (clock->executions > 0) {
        r->fastest_s = clock->fastest_s;
        r->mean_s = clock->sum_s / (double)clock->executions;
    }
}

static void fill_step(struct layer_record *r, const struct forward *w, int step)
{
    const struct step *s = &w->plan.steps[step];
    const struct layer_facts facts = layer_facts_of(s);
    r->step = step;
    snprintf(r->layer, RECORD_TEXT, "%s", s->layer->name);
    snprintf(r->kinds, RECORD_TEXT, "%s", facts.kinds);
    r->channels = s->out.channels;
    r->rows = s->out.rows;
    r->cols = s->out.cols;
    r->parameters = facts.parameters;
    r->multiply_adds = facts.multiply_adds;
    r->least_multiply_adds = facts.least_multiply_adds;
    r->bytes = facts.bytes;
    r->bytes_written = facts.bytes_written;
    snprintf(r->layer_method, RECORD_TEXT, "%s", s->method);
}

static void fill_roof(struct layer_record *r, const struct layer_roofs *roofs,
                      const struct forward *w, int step)
{
    r->roof_s = layer_roof_s(roofs, w, step);
    r->roof_share = r->roof_s / r->fastest_s;
}

/* The larger error of a step's two gradients; NaN if neither was verified. */
static double gradient_ulps(const struct training *t, int step)
{
    const int steps = t->trainer.forward.plan.count;
    if (!t->errors)
        return NAN;
    return fmax(error_tally_ulps(&t->errors[steps + step]),
                error_tally_ulps(&t->errors[2 * steps + step]));
}

/* Appends the rows that only a training has: each step backward, and the update of all parameters,
 * which belongs to no layer. No work is reported for backward. */
static enum status append_training(struct table_writer *w, struct layer_record *row,
                                   const struct training *training, struct failure *f)
{
    const struct trainer *t = &training->trainer;
    enum status status = STATUS_OK;
    const struct layer_record launch = *row;
    for (int step = t->forward.plan.count - 1; status == STATUS_OK && step >= 0; step--) {
        fill_step(row, &t->forward, step);
        fill_clock(row, &t->clocks.backward[step], "backward");
        row->multiply_adds = row->least_multiply_adds = RECORD_NO_REAL;
        row->bytes = row->bytes_written = RECORD_NO_REAL;
        row->layer_method[0] = '\0';
        row->error_ulps_rms = gradient_ulps(training, step);
        status = table_append(w, row, f);
    }
    if (status != STATUS_OK)
        return status;
    *row = launch;
    row->step = t->forward.plan.count;
    snprintf(row->layer, RECORD_TEXT, "update");
    row->parameters = t->forward.plan.network->parameters;
    fill_clock(row, &t->clocks.update, "update");
    return table_append(w, row, f);
}

/* Appends a row for each step of each method in this process, after the samples were taken. Status
 * 5 if they cannot be written. */
static enum status layer_rows_append(struct table_writer *w, const struct point *p,
                                     struct failure *f)
{
    enum status status = STATUS_OK;
    const struct network_run *run = network_run_of(p);
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        const struct forward *forward = network_forward(c->instance);
        const struct layer_roofs roofs = layer_roofs_of(p, i);
        struct layer_record launch, row;
        table_blank(&layer_record_schema, &launch);
        fill_launch(&launch, &c->measurement.row, run);
        row = launch;
        for (int step = 0; status == STATUS_OK && step < forward->plan.count; step++) {
            fill_step(&row, forward, step);
            fill_clock(&row, &forward->clocks[step], run->training ? "forward" : "");
            fill_roof(&row, &roofs, forward, step);
            row.error_ulps_rms = instance_step_ulps(c->instance, step);
            status = table_append(w, &row, f);
        }
        if (status == STATUS_OK && run->training)
            status = append_training(w, &launch, run->training, f);
    }
    return status;
}

/* ---- all files ------------------------------------------------------------------------------- */

static enum status open_trace(FILE **out, const char *path, struct failure *f)
{
    *out = fopen(path, "w");
    return *out ? STATUS_OK
                : fail(f, STATUS_OUTPUT, "%s: cannot write it: %s", path, failure_of_write(errno));
}

enum status outputs_open(struct outputs *o, const struct options *asked, struct failure *f)
{
    enum status status = STATUS_OK;
    if (asked->record_layers)
        status = table_writer_open(&o->layers, &layer_record_schema, asked->record_layers, NULL, f);
    if (status == STATUS_OK && asked->record_training)
        status = table_writer_open(&o->training, &training_record_schema, asked->record_training,
                                   NULL, f);
    if (status == STATUS_OK && asked->trace)
        status = open_trace(&o->trace, asked->trace, f);
    if (status == STATUS_OK && asked->timeline)
        status = timeline_start(&o->timeline, asked->timeline, f);
    timeline_label(o->timeline, asked->network);
    return status;
}

/* Stops and closes everything, also after a failure. */
static enum status close_all(struct outputs *o, struct failure *f)
{
    const enum status stopped = timeline_stop(o->timeline, f);
    const enum status layers = table_writer_close(o->layers, f);
    const enum status training = table_writer_close(o->training, f);
    *o = (struct outputs){.trace = o->trace};
    return stopped != STATUS_OK ? stopped : layers != STATUS_OK ? layers : training;
}

enum status outputs_deliver(struct outputs *o, const struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    if (o->layers)
        status = layer_rows_append(o->layers, p, f);
    if (p->options.trace) {
        const enum status traced = trace_write(o->trace, p, f);
        o->trace = NULL;
        status = status != STATUS_OK ? status : traced;
    }
    const enum status closed = close_all(o, f);
    return status != STATUS_OK ? status : closed;
}

void outputs_close(struct outputs *o)
{
    close_all(o, NULL);
    if (o->trace)
        fclose(o->trace);
    o->trace = NULL;
}
