/* study roofline: measures the ceilings of this machine, of its memory and of its arithmetic. */
#include "experiments/ceilings/ceilings_file.h"
#include "experiments/ceilings/peaks.h"
#include "experiments/ceilings/streams.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/lock.h"
#include "experiments/common/progress.h"
#include "experiments/common/results.h"
#include "harness/ceilings/rates.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct measuring {
    struct machine machine;
    struct ceilings ceilings;
    struct progress progress;
    double seconds; /* of a pass, past which its buffers double no more */
};

/* The highest rate of all samples, beside their median and its interval: others can only take from
 * a rate, never add to it. A rate falls as seconds rise, so the interval's ends change places. */
static struct rate rate_of(double amount, const struct summary *seconds)
{
    return (struct rate){amount / seconds->minimum, amount / seconds->upper,
                         amount / seconds->lower, amount / seconds->median};
}

static void print_row(const struct ceiling *row)
{
    char size[32] = "";
    const bool peak = ceiling_is_peak(row);
    const struct rate *rate = peak ? &row->operations : &row->bandwidth;
    if (!peak)
        memory_text(size, sizeof size, row->working_set);
    printf("%-12s %-9s %2.0f worker%s  %-7s %9s  best %.2f %s, median %.2f [%.2f, %.2f]\n",
           row->what, row->stores, row->workers, row->workers == 1.0 ? " " : "s",
           peak ? row->isa : row->level, size, rate->value / 1e9, peak ? "Gop/s" : "GB/s",
           rate->median / 1e9, rate->lower / 1e9, rate->upper / 1e9);
    fflush(stdout);
}

/* ---- bandwidths ----------------------------------------------------------------------------- */

static enum status add_size(struct measuring *m, const struct stream_size *size, size_t pass,
                            int64_t workers, struct failure *f)
{
    const struct stream_level level = stream_level_of(&m->machine, workers, size->bytes);
    struct ceiling row = ceiling_blank();
    row.workers = (double)workers;
    row.bytes = level.capacity_bytes;
    row.working_set = size->bytes;
    row.bandwidth = rate_of(size->bytes, &size->seconds);
    snprintf(row.what, sizeof row.what, "%s", stream_passes[pass].what);
    snprintf(row.level, sizeof row.level, "%s", level.name);
    snprintf(row.stores, sizeof row.stores, "%s", stream_passes[pass].stores);
    snprintf(row.isa, sizeof row.isa, "%s", isa_name(isa_best()));
    snprintf(row.host, sizeof row.host, "%s", m->machine.host);
    return ceilings_add(&m->ceilings, &row, f);
}

/* A line for each level, and why sizes end where the curve did not become flat. */
static void print_curve(const struct measuring *m, size_t first, enum stream_end end)
{
    static const char *const why[] = {[STREAM_NO_MEMORY] =
                                          "larger ones do not fit into half of the free memory",
                                      [STREAM_NO_TIME] = "the seconds were over"};
    char size[32];
    const struct ceilings *c = &m->ceilings;
    progress_end(&m->progress);
    for (size_t i = first; i < c->count; i++)
        if (rates_stands_for_level(c, &c->rows[i]))
            print_row(&c->rows[i]);
    memory_text(size, sizeof size, c->rows[c->count - 1].working_set);
    if (end != STREAM_FLAT)
        printf("  sizes end at %s, before the rate was flat: %s\n", size, why[end]);
}

static enum status add_curve(struct measuring *m, size_t pass, int64_t workers, struct failure *f)
{
    struct stream_curve curve;
    char what[64];
    const size_t first = m->ceilings.count;
    snprintf(what, sizeof what, "%s %s, %lld at once", stream_passes[pass].what,
             stream_passes[pass].stores, (long long)workers);
    progress_show(&m->progress, what);
    enum status status = stream_measure_curve(pass, workers, m->seconds, &curve, f);
    for (size_t i = 0; status == STATUS_OK && i < curve.count; i++)
        status = add_size(m, &curve.sizes[i], pass, workers, f);
    if (status == STATUS_OK)
        print_curve(m, first, curve.end);
    return status;
}

/* ---- peaks ---------------------------------------------------------------------------------- */

static enum status add_peak(struct measuring *m, size_t peak, enum isa isa, int64_t workers,
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
    snprintf(row.host, sizeof row.host, "%s", m->machine.host);
    progress_end(&m->progress);
    print_row(&row);
    return ceilings_add(&m->ceilings, &row, f);
}

static enum status add_peaks(struct measuring *m, int64_t workers, struct failure *f)
{
    enum status status = STATUS_OK;
    progress_show(&m->progress, "arithmetic peaks");
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        for (size_t peak = 0; status == STATUS_OK && !isa_missing(isa) && peak < peak_count; peak++)
            status = add_peak(m, peak, isa, workers, f);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Everything with one worker, then with all that can run at once. */
static enum status measure_all(struct measuring *m, struct failure *f)
{
    const double pass_s = 2.0, peaks_s = 1.0; /* about, on two cores: for the progress line */
    const int64_t capacity = machine_capacity(&m->machine), counts[] = {1, capacity};
    const size_t teams = capacity > 1 ? 2 : 1;
    enum status status = STATUS_OK;
    m->progress = progress_begin(teams * (stream_pass_count + 1),
                                 (double)teams * (pass_s * (double)stream_pass_count + peaks_s));
    for (size_t i = 0; i < teams && status == STATUS_OK; i++) {
        for (size_t pass = 0; pass < stream_pass_count && status == STATUS_OK; pass++) {
            status = add_curve(m, pass, counts[i], f);
            progress_advance(&m->progress, pass_s);
        }
        if (status == STATUS_OK)
            status = add_peaks(m, counts[i], f);
        progress_advance(&m->progress, peaks_s);
    }
    progress_end(&m->progress);
    return status;
}

/* What was measured is worth keeping however long it took: the file is read again only then, so
 * that nothing is lost that came meanwhile. */
static enum status keep(struct ceilings *now, const char *path, struct failure *f)
{
    struct ceilings before = {0};
    enum status status = ceilings_read(&before, path, f);
    if (status == STATUS_OK)
        status = ceilings_keep_higher(now, &before, f);
    if (status == STATUS_OK)
        status = ceilings_write(now, path, f);
    if (status == STATUS_OK)
        printf("Written: %s\n", path);
    ceilings_release(&before);
    return status;
}

static enum status measure(const char *folder, double seconds, struct failure *f)
{
    struct measuring m = {.seconds = seconds};
    struct results_lock lock = {-1};
    const struct results_path path = results_file(folder, "ceilings.csv");
    machine_describe(&m.machine);
    enum status status = results_make(folder, f);
    if (status == STATUS_OK)
        status = results_lock(folder, "study roofline", &lock, f);
    if (status == STATUS_OK)
        status = measure_all(&m, f);
    if (status == STATUS_OK)
        status = keep(&m.ceilings, path.text, f);
    results_unlock(&lock);
    ceilings_release(&m.ceilings);
    return status;
}

enum status command_roofline(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default;
    double seconds = 3.0;
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &folder},
        {"seconds", OPTION_DURATION, "S",
         "of a pass, past which buffers beyond 256 MiB double no more (default 3)", &seconds},
    };
    const struct usage usage = {
        "",
        "Measures how fast one worker and all workers together stream from and to\n"
        "working sets from 16 KiB on until the rate is flat, and how fast they multiply,\n"
        "add and take maxima in each instruction set, into ceilings.csv. `analyze` then\n"
        "finds the roof of every point and times that are too short to be true, and\n"
        "`check` a bound to compare with. Measured again, the higher rate of each row\n"
        "of this machine stays. Nothing else may run meanwhile.",
        options,
        sizeof options / sizeof *options,
        0,
        0};
    int operands;
    bool help = false;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    return status != STATUS_OK || help ? status : measure(folder, seconds, f);
}
