#include "classroom/lab/machine_limit.h"

#include "experiments/common/results.h"
#include "experiments/limits/survey.h"
#include "harness/machine/machine.h"
#include "kernels/operators.h"

/* Lists the passes over a set as large as the operation's, and the peaks. */
static enum status list_rows(struct survey *s, double bytes, int64_t threads, struct failure *f)
{
    enum { STEP = 4096 };
    enum status status = STATUS_OK;
    const int64_t each = (int64_t)(bytes / (double)threads) / STEP * STEP;
    for (size_t i = 0; status == STATUS_OK && i < stream_pass_count; i++)
        status = survey_add(s,
                            &(struct surveyed){.which = i,
                                               .workers = threads,
                                               .size.buffer_bytes = each < STEP ? STEP : each},
                            f);
    for (size_t i = 0; status == STATUS_OK && i < peak_count; i++)
        status = survey_add(
            s, &(struct surveyed){.peak = true, .which = i, .isa = isa_best(), .workers = threads},
            f);
    return status;
}

static enum status measure(struct ceilings *c, double bytes, int64_t threads,
                           const struct machine *m, struct failure *f)
{
    struct survey s = {0};
    struct stream_buffers buffers = {0};
    enum status status = list_rows(&s, bytes, threads, f);
    for (size_t i = 0; i < VISITS; i++)
        for (size_t row = 0; status == STATUS_OK && row < s.count; row++)
            status = survey_visit(&s.rows[row], &buffers, f);
    for (size_t row = 0; status == STATUS_OK && row < s.count; row++) {
        const struct ceiling ceiling = survey_ceiling(&s.rows[row], m);
        status = ceilings_add(c, &ceiling, f);
    }
    stream_buffers_release(&buffers);
    survey_release(&s);
    return status;
}

enum status lab_limit_find(struct lab_limit *out, const struct operation *op, int64_t threads,
                           const char *results, struct failure *f)
{
    struct machine machine;
    struct ceilings all = {0}, here = {0};
    const struct need need = op->kind->need(op, true);
    const char *isa = isa_name(isa_best());
    machine_describe(&machine);
    *out = (struct lab_limit){.measured_now = false};
    enum status status = ceilings_read(&all, results_file(results, "ceilings.csv").text, f);
    if (status == STATUS_OK)
        status = ceilings_of_host(&here, &all, machine.host, f);
    out->roof = roof_of(&here, &need, (double)threads, isa);
    if (status == STATUS_OK && !(out->roof.seconds > 0.0)) {
        ceilings_release(&here);
        here = (struct ceilings){0};
        out->measured_now = true;
        status = measure(&here, need_bytes(&need), threads, &machine, f);
        out->roof = roof_of(&here, &need, (double)threads, isa);
    }
    ceilings_release(&all);
    ceilings_release(&here);
    return status;
}
