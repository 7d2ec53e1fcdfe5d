#include "experiments/lab/machine_limit.h"

#include "experiments/ceilings/peaks.h"
#include "experiments/ceilings/streams.h"
#include "experiments/common/results.h"
#include "harness/machine/machine.h"
#include "kernels/operators.h"

#include <stdio.h>
#include <string.h>

static enum status add_stream(struct ceilings *c, size_t pass, int64_t threads, double bytes,
                              const char *host, struct failure *f)
{
    enum { STEP = 4096 };
    struct stream_size size;
    struct ceiling row = ceiling_blank();
    int64_t each = (int64_t)(bytes / (double)threads) / STEP * STEP;
    each = each < STEP ? STEP : each;
    enum status status = stream_measure(pass, threads, each, &size, f);
    if (status != STATUS_OK)
        return status;
    row.workers = (double)threads;
    row.working_set = size.bytes;
    row.bandwidth.value = size.bytes / size.seconds.minimum;
    row.bandwidth.median = size.bytes / size.seconds.median;
    snprintf(row.what, sizeof row.what, "%s", stream_passes[pass].what);
    snprintf(row.stores, sizeof row.stores, "%s", stream_passes[pass].stores);
    snprintf(row.level, sizeof row.level, "memory");
    snprintf(row.host, sizeof row.host, "%s", host);
    return ceilings_add(c, &row, f);
}

static enum status add_peak(struct ceilings *c, size_t peak, int64_t threads, const char *host,
                            struct failure *f)
{
    struct summary seconds;
    double operations;
    struct ceiling row = ceiling_blank();
    const enum status status = peak_measure(peak, isa_best(), threads, &operations, &seconds, f);
    if (status != STATUS_OK)
        return status;
    row.workers = (double)threads;
    row.operations.value = operations / seconds.minimum;
    row.operations.median = operations / seconds.median;
    snprintf(row.what, sizeof row.what, "%s", peaks[peak].name);
    snprintf(row.isa, sizeof row.isa, "%s", isa_name(isa_best()));
    snprintf(row.host, sizeof row.host, "%s", host);
    return ceilings_add(c, &row, f);
}

/* The passes over a set as large as the operation's, and the peaks. */
static enum status measure(struct ceilings *c, double bytes, int64_t threads, const char *host,
                           struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < stream_pass_count; i++)
        status = add_stream(c, i, threads, bytes, host, f);
    for (size_t i = 0; status == STATUS_OK && i < peak_count; i++)
        status = add_peak(c, i, threads, host, f);
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
        status = measure(&here, need_bytes(&need), threads, machine.host, f);
        out->roof = roof_of(&here, &need, (double)threads, isa);
    }
    ceilings_release(&all);
    ceilings_release(&here);
    return status;
}
