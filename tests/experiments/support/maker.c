#include "tests/experiments/support/maker.h"

#include "experiments/common/results.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <string.h>

void must(enum status status, const struct failure *f)
{
    if (status != STATUS_OK)
        fail_msg("%s", f->message);
}

struct maker maker_begin(const char *folder, const char *experiment)
{
    struct failure f = {0};
    struct maker m = {.experiment = experiment};
    must(record_writer_open(&m.writer, results_own_samples(folder, experiment).text, NULL, &f), &f);
    return m;
}

void maker_end(struct maker *m)
{
    struct failure f = {0};
    must(record_writer_close(m->writer, &f), &f);
}

void maker_append(struct record_writer *w, struct record *r, int sample, int samples)
{
    struct failure f = {0};
    r->warmup = 0;
    r->sample = sample;
    strcpy(r->stop_reason, sample == samples - 1 ? "samples" : "");
    must(record_append(w, r, &f), &f);
}

struct record maker_blank(const char *space, const char *method)
{
    struct record r = record_empty();
    snprintf(r.program, sizeof r.program, "maxpool_%s", space);
    snprintf(r.space, sizeof r.space, "%s", space);
    snprintf(r.method, sizeof r.method, "%s", method);
    strcpy(r.operator_name, "maxpool");
    strcpy(r.pad_mode, "zero");
    strcpy(r.filter, "identity");
    strcpy(r.input, "random");
    strcpy(r.launch, "plain");
    strcpy(r.bind, "none");
    strcpy(r.isa, "x86-64");
    strcpy(r.host, "example");
    strcpy(r.commit, "0123456789ab");
    strcpy(r.time_utc, "2026-01-01T00:00:00Z");
    strcpy(r.verified, "exact");
    r.planes = 1;
    r.rows = r.cols = 1024;
    r.kernel = r.stride = 2;
    r.padding = 0;
    r.seed = 35;
    r.max_value = 9;
    r.ranks = r.threads = r.nodes = 1;
    r.setup_s = 0.001;
    return r;
}
