#include "networks/point/layer_rows.h"

#include "harness/records/layer_record.h"
#include "networks/point/layer_facts.h"
#include "networks/point/network_run.h"

#include <stdio.h>

/* What all rows of a method have, as its samples have it. */
static void fill_launch(struct layer_record *r, const struct record *sample,
                        const struct network_run *run)
{
    snprintf(r->experiment, RECORD_TEXT, "%s", sample->experiment);
    snprintf(r->program, RECORD_TEXT, "%s", sample->program);
    snprintf(r->space, RECORD_TEXT, "%s", sample->space);
    snprintf(r->method, RECORD_TEXT, "%s", sample->method);
    snprintf(r->network, RECORD_TEXT, "%s", sample->network);
    snprintf(r->isa, RECORD_TEXT, "%s", sample->isa);
    snprintf(r->run_id, RECORD_TEXT, "%s", sample->run_id);
    snprintf(r->host, RECORD_TEXT, "%s", sample->host);
    snprintf(r->commit, RECORD_TEXT, "%s", sample->commit);
    r->images = sample->images;
    r->ranks = sample->ranks;
    r->threads = sample->threads;
    r->round = sample->round;
    r->images_here = run->here.count;
    r->image_rows = run->network.input.rows;
    r->image_cols = run->network.input.cols;
}

static void fill_step(struct layer_record *r, const struct forward *w, int step)
{
    const struct step *s = &w->plan.steps[step];
    const struct step_clock *clock = &w->clocks[step];
    const struct layer_facts facts = layer_facts_of(s);
    r->step = step;
    snprintf(r->layer, RECORD_TEXT, "%s", s->layer->name);
    snprintf(r->kinds, RECORD_TEXT, "%s", facts.kinds);
    r->channels = s->out.channels;
    r->rows = s->out.rows;
    r->cols = s->out.cols;
    r->parameters = facts.parameters;
    r->multiply_adds = facts.multiply_adds;
    r->bytes = facts.bytes;
    snprintf(r->layer_method, RECORD_TEXT, "%s", s->method);
    r->executions = clock->executions;
    if (clock->executions > 0) {
        r->fastest_s = clock->fastest_s;
        r->mean_s = clock->sum_s / (double)clock->executions;
    }
}

enum status layer_rows_append(struct table_writer *w, const struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    struct layer_record row;
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        const struct forward *forward = network_forward(c->instance);
        table_blank(&layer_record_schema, &row);
        fill_launch(&row, &c->measurement.row, network_run_of(&p->operation));
        for (int step = 0; status == STATUS_OK && step < forward->plan.count; step++) {
            fill_step(&row, forward, step);
            status = table_append(w, &row, f);
        }
    }
    return status;
}
