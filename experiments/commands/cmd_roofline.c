/* study roofline: measures the ceilings of this machine, of its memory and of its arithmetic. */
#include "experiments/ceilings/ceilings.h"
#include "experiments/ceilings/peaks.h"
#include "experiments/ceilings/streams.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The highest rate of all samples, beside the interval of their median: others can only take from
 * a rate, never add to it. A rate falls as seconds rise, so the interval's ends change places. */
static struct rate rate_of(double amount, const struct summary *seconds)
{
    return (struct rate){amount / seconds->minimum, amount / seconds->upper,
                         amount / seconds->lower};
}

static enum status tell_and_add(struct ceilings *c, const struct ceiling *row,
                                const struct rate *rate, const char *unit, struct failure *f)
{
    printf("%-12s %-9s %-9s %2.0f worker%s  %9.2f %s  (median, 95 %%: %.2f .. %.2f)\n", row->what,
           row->level[0] ? row->level : row->isa, row->stores, row->workers,
           row->workers == 1.0 ? " " : "s", rate->value / 1e9, unit, rate->lower / 1e9,
           rate->upper / 1e9);
    fflush(stdout);
    return ceilings_add(c, row, f);
}

/* One level and pass at one worker count, measured and added to the ceilings. */
static enum status add_stream(struct ceilings *c, const struct stream_level *level, size_t pass,
                              int64_t workers, struct failure *f)
{
    struct summary seconds;
    double bytes;
    enum status status = stream_measure(level, pass, workers, &bytes, &seconds, f);
    if (status != STATUS_OK)
        return status;
    struct ceiling row = ceiling_blank();
    row.workers = (double)workers;
    row.bytes = level->capacity_bytes ? (double)level->capacity_bytes : (double)NAN;
    row.bandwidth = rate_of(bytes, &seconds);
    snprintf(row.what, sizeof row.what, "%s", stream_passes[pass].what);
    snprintf(row.level, sizeof row.level, "%s", level->name);
    snprintf(row.stores, sizeof row.stores, "%s", stream_passes[pass].stores);
    snprintf(row.isa, sizeof row.isa, "%s", isa_name(isa_best()));
    return tell_and_add(c, &row, &row.bandwidth, "GB/s", f);
}

static enum status add_streams(struct ceilings *c, const struct machine *m, int64_t workers,
                               struct failure *f)
{
    struct stream_level levels[STREAM_LEVELS];
    const size_t count = stream_levels(m, workers, levels);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t pass = 0; status == STATUS_OK && pass < stream_pass_count; pass++)
            status = add_stream(c, &levels[i], pass, workers, f);
    return status;
}

static enum status add_peak(struct ceilings *c, size_t peak, enum isa isa, int64_t workers,
                            struct failure *f)
{
    struct summary seconds;
    double operations;
    enum status status = peak_measure(peak, isa, workers, &operations, &seconds, f);
    if (status != STATUS_OK)
        return status;
    struct ceiling row = ceiling_blank();
    row.workers = (double)workers;
    row.operations = rate_of(operations, &seconds);
    snprintf(row.what, sizeof row.what, "%s", peaks[peak].name);
    snprintf(row.isa, sizeof row.isa, "%s", isa_name(isa));
    return tell_and_add(c, &row, &row.operations, "Gop/s", f);
}

static enum status add_peaks(struct ceilings *c, int64_t workers, struct failure *f)
{
    enum status status = STATUS_OK;
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        for (size_t peak = 0; status == STATUS_OK && !isa_missing(isa) && peak < peak_count; peak++)
            status = add_peak(c, peak, isa, workers, f);
    return status;
}

/* Everything with one worker, then with all that can run at once. */
static enum status measure_all(struct ceilings *c, struct failure *f)
{
    struct machine m;
    machine_describe(&m);
    const int64_t capacity = machine_capacity(&m), counts[] = {1, capacity};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < (capacity > 1 ? 2 : 1) && status == STATUS_OK; i++) {
        status = add_streams(c, &m, counts[i], f);
        if (status == STATUS_OK)
            status = add_peaks(c, counts[i], f);
    }
    return status;
}

static enum status measure(const char *folder, struct failure *f)
{
    struct ceilings now = {0}, before = {0};
    const struct results_path path = results_file(folder, "ceilings.csv");
    enum status status = results_make(folder, f);
    if (status == STATUS_OK)
        status = ceilings_read(&before, path.text, f);
    if (status == STATUS_OK)
        status = measure_all(&now, f);
    ceilings_keep_higher(&now, &before);
    if (status == STATUS_OK)
        status = ceilings_write(&now, path.text, f);
    if (status == STATUS_OK)
        printf("Written: %s\n", path.text);
    ceilings_release(&now);
    ceilings_release(&before);
    return status;
}

enum status command_roofline(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default;
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &folder},
    };
    const struct usage usage = {
        "[OPTION]...",
        "Measures how fast one worker and all workers together stream from and to\n"
        "each cache level and memory, and how fast they multiply, add and take maxima in\n"
        "each instruction set, into ceilings.csv. `analyze` then finds the roof of every\n"
        "point and times that are too short to be true, and `check` a bound to compare\n"
        "with. Measured again, the higher rate of each row stays.",
        options,
        sizeof options / sizeof *options,
        0,
        0};
    int operands;
    bool help = false;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    return status != STATUS_OK || help ? status : measure(folder, f);
}
