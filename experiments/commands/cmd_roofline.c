/* study roofline: measures the ceilings of this machine's memory and arithmetic. */
#include "experiments/analysis/numbers.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/lock.h"
#include "experiments/common/progress.h"
#include "experiments/common/results.h"
#include "experiments/limits/ceilings_file.h"
#include "experiments/limits/survey.h"
#include "experiments/run/quiet.h"
#include "harness/base/clock.h"
#include "harness/base/text/screen.h"
#include "harness/limits/rates.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct measuring {
    struct machine machine;
    struct survey survey;
    struct stream_buffers buffers;
    struct ceilings ceilings;
    struct progress progress;
    double seconds; /* per curve; from its least set on, buffers stop doubling after it */
    double most_s;  /* no measurement begins after this time */
    double began;   /* clock_now() */
    double visit_s; /* duration of the last visit of the rows */
    bool whole;     /* the time sufficed for all of them */
    bool doubtful;  /* only rows of the file that are doubtful */
    int64_t visits;
};

static void print_row(const struct ceiling *row)
{
    const struct language *l = screen_language();
    char workers[64];
    const bool peak = ceiling_is_peak(row);
    const struct rate *rate = peak ? &row->operations : &row->bandwidth;
    const struct interval of = {rate->lower / 1e9, rate->upper / 1e9};
    message_fill(workers, sizeof workers,
                 message_plural(l, "%{n} worker", "%{n} workers", (unsigned long)row->workers),
                 WITH({"n", number_text("%2.0f", row->workers).text}));
    printf("%-12s %-9s ", row->what, row->stores);
    screen_left(stdout, workers, 15);
    printf("%-7s %9s  ", peak ? row->isa : row->level,
           peak ? "" : memory_text(row->working_set).text);
    screen_say(stdout, "%{rate} %{unit}, median %{median}, best %{best}\n",
               WITH({"rate", number_justified(l, rate->value / 1e9, of).text},
                    {"unit", peak ? "Gop/s" : "GB/s"},
                    {"median", number_plain(l, rate->median / 1e9).text},
                    {"best", number_plain(l, rate->highest / 1e9).text}));
}

/* Expected seconds of `visits` visits of `each_s` seconds, at most the time that is left. */
static double expected_s(const struct measuring *m, int64_t visits, double each_s)
{
    return fmax(0.0, fmin((double)visits * each_s, m->began + m->most_s - clock_now()));
}

/* ---- the first visits ----------------------------------------------------------------------- */

static const double round_s = 4.0; /* estimated seconds of a visit of all rows on two cores; used
                                    * until one has been measured */

/* Prints why the sizes end before the curve became flat. */
static void print_end(struct measuring *m, const struct stream_curve *curve, const char *what)
{
    static const char *const why[] = {[STREAM_NO_MEMORY] =
                                          N_("larger ones do not fit into half of the free memory"),
                                      [STREAM_NO_TIME] = N_("the seconds were over")};
    if (curve->end == STREAM_FLAT)
        return;
    progress_end(&m->progress);
    screen_say(stdout, "%{what}: sizes end at %{size}, before the rate was flat: %{why}\n",
               WITH({"what", what},
                    {"size", memory_text(curve->sizes[curve->count - 1].bytes).text},
                    {"why", screen_text(why[curve->end])}));
    fflush(stdout);
}

static enum status add_curve(struct measuring *m, size_t pass, int64_t workers, struct failure *f)
{
    struct stream_curve curve;
    char what[80];
    char passing[48];
    snprintf(passing, sizeof passing, "%s%s%s", stream_passes[pass].what,
             *stream_passes[pass].stores ? " " : "", stream_passes[pass].stores);
    message_format(what, sizeof what, screen_language(), "%{pass}, %{workers} at once",
                   WITH({"pass", passing}, {"workers", number_of(workers).text}));
    progress_show(&m->progress, what);
    const struct stream_until until = {stream_least_set(&m->machine, workers), m->seconds,
                                       m->began + m->most_s};
    enum status status = stream_measure_curve(pass, workers, &until, &curve, &m->buffers, f);
    for (size_t i = 0; status == STATUS_OK && i < curve.count; i++)
        status = survey_add(
            &m->survey,
            &(struct surveyed){.which = pass, .workers = workers, .size = curve.sizes[i]}, f);
    if (status == STATUS_OK)
        print_end(m, &curve, what);
    progress_advance(&m->progress, round_s / (double)m->progress.count);
    return status;
}

/* The measurement ends by time, so its end depends on the load, never on the measured rates. */
static bool time_is_left(const struct measuring *m)
{
    return clock_now() - m->began < m->most_s;
}

static enum status add_peaks(struct measuring *m, int64_t workers, struct failure *f)
{
    enum status status = STATUS_OK;
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        for (size_t i = 0;
             status == STATUS_OK && time_is_left(m) && !isa_missing(isa) && i < peak_count; i++) {
            struct surveyed row = {.peak = true, .which = i, .isa = isa, .workers = workers};
            status = survey_visit(&row, &m->buffers, f);
            if (status == STATUS_OK)
                status = survey_add(&m->survey, &row, f);
        }
    return status;
}

/* Measures everything with one worker, then with as many as can run at once; the first size of the
 * first curve even if there is no time. */
static enum status begin_survey(struct measuring *m, struct failure *f)
{
    const int64_t capacity = machine_capacity(&m->machine), counts[] = {1, capacity};
    const size_t teams = capacity > 1 ? 2 : 1;
    enum status status = STATUS_OK;
    m->progress = progress_begin(teams * stream_pass_count, expected_s(m, m->visits, round_s));
    for (size_t i = 0; i < teams && status == STATUS_OK; i++) {
        for (size_t pass = 0; pass < stream_pass_count && status == STATUS_OK &&
                              (time_is_left(m) || m->survey.count == 0);
             pass++)
            status = add_curve(m, pass, counts[i], f);
        if (status == STATUS_OK)
            status = add_peaks(m, counts[i], f);
    }
    return status;
}

/* Lists the rows of the file that are doubtful here; *known: the file has rows of this host. They
 * have no visits yet. */
static enum status list_doubtful(struct measuring *m, const char *path, bool *known,
                                 struct failure *f)
{
    struct ceilings all = {0}, here = {0};
    struct surveyed row;
    enum status status = ceilings_read(&all, path, f);
    if (status == STATUS_OK)
        status = ceilings_of_host(&here, &all, m->machine.host, f);
    *known = here.count > 0 && here.rows[0].host[0];
    for (size_t i = 0; *known && status == STATUS_OK && i < here.count; i++)
        if (ceiling_is_doubtful(&here, i) && survey_row_of(&here.rows[i], &row))
            status = survey_add(&m->survey, &row, f);
    if (status == STATUS_OK && *known)
        screen_say(stdout, "Doubtful rates: %{doubtful} of %{rates}\n",
                   WITH({"doubtful", number_of(m->survey.count).text},
                        {"rates", number_of(here.count).text}));
    fflush(stdout);
    ceilings_release(&here);
    ceilings_release(&all);
    return status;
}

/* ---- further visits -------------------------------------------------------------------------- */

/* Visits a row once more. A row of the file that no longer fits into memory stays there as it is.
 */
static enum status visit_row(struct measuring *m, struct surveyed *row, struct failure *f)
{
    struct failure here = {0};
    const enum status status = survey_visit(row, &m->buffers, &here);
    return status == STATUS_OK || (status == STATUS_RESOURCE && m->doubtful)
               ? STATUS_OK
               : fail(f, status, "%s", here.message);
}

/* Visits all rows except those in `left_out` (NULL: none) for which there is time, as visit `n` of
 * `of`. */
static enum status visit_rows(struct measuring *m, const bool *left_out, int64_t n, int64_t of,
                              struct failure *f)
{
    char what[80];
    const double began = clock_now();
    enum status status = STATUS_OK;
    message_format(what, sizeof what, screen_language(),
                   left_out ? N_("visit %{visit} of %{visits} of doubtful rates")
                            : N_("visit %{visit} of %{visits}"),
                   WITH({"visit", number_of(n).text}, {"visits", number_of(of).text}));
    size_t i = 0;
    for (; status == STATUS_OK && time_is_left(m) && i < m->survey.count; i++)
        if (!left_out || !left_out[i]) {
            progress_show(&m->progress, what);
            status = visit_row(m, &m->survey.rows[i], f);
            progress_advance(&m->progress, 0.0);
        }
    m->whole = i == m->survey.count;
    m->visit_s = clock_now() - began;
    m->progress.left_s = expected_s(m, of - n, m->visit_s);
    return status;
}

/* Visits the doubtful rows VISITS more times. Which rows are doubtful is decided only once. */
static enum status visit_again(struct measuring *m, struct failure *f)
{
    enum status status = STATUS_OK;
    size_t doubtful = 0;
    struct ceilings now = {0};
    bool *good = calloc(m->survey.count + 1, sizeof *good);
    if (!good)
        return fail(f, STATUS_RESOURCE, "no memory for %zu ceilings", m->survey.count);
    status = survey_ceilings(&m->survey, &m->machine, &now, f);
    for (size_t i = 0; i < now.count; i++) {
        good[i] = now.rows[i].visits == 0.0 || !ceiling_is_doubtful(&now, i);
        doubtful += !good[i];
    }
    ceilings_release(&now);
    progress_end(&m->progress);
    if (doubtful)
        screen_say(stdout,
                   "%{doubtful} of %{rates} rates vary by more than a tenth, or fall behind larger "
                   "sizes: they are measured again\n",
                   WITH({"doubtful", number_of(doubtful).text},
                        {"rates", number_of(m->survey.count).text}));
    fflush(stdout);
    const double share = (double)doubtful / fmax(1.0, (double)m->survey.count);
    m->progress = progress_begin(VISITS * doubtful, expected_s(m, VISITS, share * m->visit_s));
    for (int64_t round = 1; doubtful && round <= VISITS && time_is_left(m) && status == STATUS_OK;
         round++)
        status = visit_rows(m, good, round, VISITS, f);
    free(good);
    return status;
}

/* Where the time was over early, rows of a file may have no visit yet. */
static void drop_unvisited(struct ceilings *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].visits > 0.0)
            c->rows[kept++] = c->rows[i];
    c->count = kept;
}

static enum status write_rows(struct measuring *m, struct failure *f)
{
    const enum status status = survey_ceilings(&m->survey, &m->machine, &m->ceilings, f);
    drop_unvisited(&m->ceilings);
    for (size_t i = 0; status == STATUS_OK && i < m->ceilings.count; i++)
        if (ceiling_is_peak(&m->ceilings.rows[i]) ||
            rates_stands_for_level(&m->ceilings, &m->ceilings.rows[i]))
            print_row(&m->ceilings.rows[i]);
    return status;
}

/* Visits the rows until each has `visits` visits; it has `round` of them. */
static enum status visit_all(struct measuring *m, int64_t round, struct failure *f)
{
    enum status status = STATUS_OK;
    const int64_t visits = m->visits;
    m->whole = time_is_left(m);
    progress_end(&m->progress);
    m->progress = progress_begin((size_t)(visits - round) * m->survey.count,
                                 expected_s(m, visits - round, clock_now() - m->began));
    for (; round < visits && m->whole && status == STATUS_OK; round += m->whole)
        status = visit_rows(m, NULL, round + 1, visits, f);
    progress_end(&m->progress);
    if (status == STATUS_OK && round < visits)
        screen_say(stdout,
                   "The time was over after %{round} of %{visits} measurements of each rate: other "
                   "programs run here, or --max-seconds is short. Fewer than 13 give no "
                   "interval.\n",
                   WITH({"round", number_of(round).text}, {"visits", number_of(visits).text}));
    else if (status == STATUS_OK && visits == VISITS) /* fewer visits are only a first look */
        status = visit_again(m, f);
    progress_end(&m->progress);
    return status == STATUS_OK ? write_rows(m, f) : status;
}

static enum status measure_rows(struct measuring *m, const char *path, struct failure *f)
{
    bool listed = false;
    enum status status = m->doubtful ? list_doubtful(m, path, &listed, f) : STATUS_OK;
    if (status != STATUS_OK || (listed && m->survey.count == 0))
        return status;
    if (!listed)
        status = begin_survey(m, f);
    return status == STATUS_OK ? visit_all(m, !listed && time_is_left(m), f) : status;
}

/* Keeps what was measured, however long it took, and merges it with the file. The file is read only
 * now, so that nothing is lost that was written meanwhile. */
static enum status keep(struct ceilings *now, const char *path, struct failure *f)
{
    struct ceilings before = {0};
    enum status status = ceilings_read(&before, path, f);
    if (status == STATUS_OK)
        status = ceilings_keep_faster(now, &before, f);
    if (status == STATUS_OK)
        status = ceilings_write(now, path, f);
    if (status == STATUS_OK)
        screen_say(stdout, "Written: %{path}\n", WITH({"path", path}));
    ceilings_release(&before);
    return status;
}

static enum status measure(const char *folder, const struct measuring *asked, struct failure *f)
{
    struct measuring m = *asked;
    struct results_lock lock = {-1};
    const struct results_path path = results_file(folder, "ceilings.csv");
    machine_describe(&m.machine);
    enum status status = results_make(folder, f);
    if (status == STATUS_OK)
        status = results_lock(folder, "study roofline", &lock, f);
    if (status == STATUS_OK) {
        m.began = clock_now();
        quiet_wait(m.most_s / 4);
        status = measure_rows(&m, path.text, f);
    }
    if (status == STATUS_OK && m.ceilings.count > 0)
        status = keep(&m.ceilings, path.text, f);
    results_unlock(&lock);
    ceilings_release(&m.ceilings);
    survey_release(&m.survey);
    stream_buffers_release(&m.buffers);
    return status;
}

enum status command_roofline(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default;
    struct measuring asked = {.seconds = 3.0, .most_s = 120.0, .visits = VISITS};
    const struct option_row options[] = {
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &folder},
        {"seconds", VALUE_DURATION, "S",
         "of each curve: from 256 MiB on, no larger buffer is measured after S seconds (default 3)",
         .target = &asked.seconds},
        {"visits", VALUE_INT, "N", "measurements of each rate, 1 to 13 (default 13)",
         .target = &asked.visits, .least = 1, .most = VISITS},
        {"max-seconds", VALUE_DURATION, "S",
         "start no further measurement after S seconds (default 120)", .target = &asked.most_s},
        {"doubtful", VALUE_FLAG, NULL,
         "measure again only the rates of ceilings.csv that vary by more than a tenth, that fall "
         "behind larger sizes, or that were exceeded by more than a tenth since",
         .target = &asked.doubtful},
    };
    const struct usage usage = {
        "",
        "Measures the limits of this machine into ceilings.csv: the bandwidth of one worker and "
        "of\n"
        "all workers, for working sets from 16 KiB until the rate is flat, and the arithmetic "
        "peak\n"
        "of each instruction set. `study analyze` needs them for the share of the machine's "
        "limit,\n"
        "and to find times that are too short to be true. Each rate is measured 13 times, 26 "
        "times\n"
        "where it varies: the upper quartile counts, with its 95 % interval. If you measure "
        "again,\n"
        "an earlier rate is kept only if it was higher beyond both intervals. This takes about a\n"
        "minute. Run nothing else at the same time.",
        options,
        sizeof options / sizeof *options,
        0,
        0};
    int operands;
    return arguments_taken(&usage, argc, argv, &operands, f) ? measure(folder, &asked, f)
                                                             : f->status;
}
