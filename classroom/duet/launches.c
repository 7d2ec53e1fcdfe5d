#include "classroom/duet/launches.h"

#include "experiments/common/progress.h"
#include "experiments/program/launch/own_launch.h"
#include "experiments/program/own_rounds.h"
#include "harness/base/clock.h"
#include "harness/base/digest.h"
#include "harness/base/text/fit.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PADDINGS = 4096 }; /* bytes, from 0 */
static const char padding_name[] = "MAXPOOL_DUET_PADDING";
static const struct own_workers no_workers = {
    .ranks = RECORD_NO_INT, .threads = RECORD_NO_INT, .size = RECORD_NO_INT};
static const char *const arm_names[DUET_ARMS] = {"A", "B", "A again"};

/* A row of the file of launches. */
struct launch_row {
    int64_t round, padding, disturbed;
    char benchmark[BENCHMARK_NAME], arm[16], status[16], time_utc[32], hash[SHA256_HEX],
        reason[JOURNAL_TEXT];
    double seconds, wall_s, cpu_s, others_cores;
};

#define COLUMN(field, type, meaning) TABLE_COLUMN(struct launch_row, field, type, meaning)
static const struct column columns[] = {
    COLUMN(round, COLUMN_INT, "round, from 0"),
    COLUMN(benchmark, COLUMN_TEXT, "name of the benchmark"),
    COLUMN(arm, COLUMN_TEXT, "what was launched: A, B or A again"),
    COLUMN(seconds, COLUMN_REAL, "its time: of the process, or what --seconds found"),
    COLUMN(wall_s, COLUMN_REAL, "seconds of the process"),
    COLUMN(cpu_s, COLUMN_REAL, "processor time of the process and its children"),
    COLUMN(padding, COLUMN_INT, "bytes by which the environment was larger"),
    COLUMN(others_cores, COLUMN_REAL,
           "cores that other programs kept busy since the last launch that has this"),
    COLUMN(disturbed, COLUMN_INT, "1 if they disturbed"),
    COLUMN(status, COLUMN_TEXT, "done, failed or timeout"),
    COLUMN(reason, COLUMN_TEXT, "why it does not count"),
    COLUMN(hash, COLUMN_TEXT, "SHA-256 of the output, for --same-output"),
    COLUMN(time_utc, COLUMN_TEXT, "its end"),
};
#undef COLUMN
static const struct schema schema = {columns, sizeof columns / sizeof *columns,
                                     sizeof(struct launch_row)};
_Static_assert(TABLE_LINE_FITS(struct launch_row, columns), "a row fits a line");

struct session {
    const struct launches_request *request;
    struct launches *result;
    struct own_arm *arms; /* [benchmark][arm] */
    struct own_rounds rounds;
    char (*hashes)[SHA256_HEX]; /* per benchmark: of its first launch, "": none yet */
    struct table_writer *file;
    struct progress progress;
    bool shown;
    struct failure *failure;
};

static double *seconds_at(const struct launches *l, size_t benchmark, size_t arm, int64_t round)
{
    return &l->seconds[(benchmark * DUET_ARMS + arm) * OWN_ROUNDS_MOST + (size_t)round];
}

const double *launches_seconds(const struct launches *l, size_t benchmark, size_t arm)
{
    return seconds_at(l, benchmark, arm, 0);
}

static int side_of(size_t arm)
{
    return arm == 1;
}

/* ---- what is there already ------------------------------------------------------------------- */

static void note(struct session *s, size_t benchmark, size_t arm, const struct launch_row *row)
{
    struct launches *l = s->result;
    s->arms[benchmark * DUET_ARMS + arm].done[row->round] = true;
    *seconds_at(l, benchmark, arm, row->round) = s->request->cpu ? row->cpu_s : row->seconds;
    l->rounds = (size_t)row->round + 1 > l->rounds ? (size_t)row->round + 1 : l->rounds;
    l->known[benchmark] += !isnan(row->others_cores);
    l->disturbed[benchmark] += row->disturbed == 1;
    if (row->disturbed == 1)
        l->most_cores = fmax(l->most_cores, row->others_cores);
    if (!s->hashes[benchmark][0])
        memcpy(s->hashes[benchmark], row->hash, SHA256_HEX);
}

static bool take_row(const void *read, int64_t line, void *context)
{
    struct session *s = context;
    const struct launch_row *row = read;
    (void)line;
    if (strcmp(row->status, "done") != 0 || row->round < 0 || row->round >= OWN_ROUNDS_MOST ||
        !(row->seconds > 0.0))
        return true;
    for (size_t i = 0; i < s->request->benchmarks->count; i++)
        for (size_t arm = 0; arm < DUET_ARMS; arm++)
            if (strcmp(row->benchmark, s->request->benchmarks->all[i].name) == 0 &&
                strcmp(row->arm, arm_names[arm]) == 0)
                note(s, i, arm, row);
    return true;
}

/* ---- a launch -------------------------------------------------------------------------------- */

static enum status append(struct session *s, const struct launch_row *made,
                          const struct own_launch *l)
{
    struct launch_row row = *made;
    clock_utc(row.time_utc, sizeof row.time_utc);
    snprintf(row.status, sizeof row.status, "%s", own_end_words[l->end]);
    if (l->end != OWN_DONE)
        text_fit(row.reason, sizeof row.reason, l->reason);
    return table_append(s->file, &row, s->failure);
}

/* What other programs did since the last launch of which this is known: a short launch has too few
 * ticks to tell. */
static struct other_load load_since(const struct own_launch *launch)
{
    static struct load_reading since, now; /* large */
    other_load_read(&now, "", LOAD_OF_FAMILY);
    const struct other_load load =
        since.at_s > 0.0 ? other_load_between(&since, &now) : launch->load;
    if (since.at_s <= 0.0 || !isnan(load.cores) || now.at_s - since.at_s > 1.0)
        since = now;
    return isnan(launch->load.cores) ? load : launch->load;
}

/* Enters the side's folder. *here: the folder to return to, below 0: none. */
static enum status enter(const struct session *s, int side, int *here)
{
    const char *folder = s->request->sides[side].folder;
    *here = -1;
    if (!folder[0])
        return STATUS_OK;
    *here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*here >= 0 && chdir(folder) == 0)
        return STATUS_OK;
    return fail(s->failure, STATUS_RESOURCE, "%s cannot be entered", text_brief(folder, 500).text);
}

static enum status leave(const struct session *s, int here)
{
    if (here < 0)
        return STATUS_OK;
    const bool good = fchdir(here) == 0;
    close(here);
    return good ? STATUS_OK
                : fail(s->failure, STATUS_RESOURCE, "this folder cannot be entered again");
}

/* Launches in the side's folder, with an environment of another size. */
static enum status launch_side(struct session *s, size_t benchmark, int side, int64_t padding,
                               struct own_launch *l)
{
    const struct launches_request *q = s->request;
    char filler[PADDINGS + 1];
    int here;
    memset(filler, 'x', (size_t)padding);
    filler[padding] = '\0';
    setenv(padding_name, filler, 1);
    *l = (struct own_launch){.seconds = NAN};
    enum status status = enter(s, side, &here);
    if (status == STATUS_OK)
        status = own_launch_run(l, &q->benchmarks->all[benchmark].commands[side], &no_workers,
                                q->timeout_s, s->hashes[benchmark], s->failure);
    const enum status left = leave(s, here);
    return status == STATUS_OK ? left : status;
}

/* A launch that fails ends its benchmark in this run. */
static void count_bad(struct session *s, size_t benchmark, const struct own_launch *l)
{
    for (size_t arm = 0; arm < DUET_ARMS; arm++)
        s->arms[benchmark * DUET_ARMS + arm].failed = true;
    s->result->failed++;
    s->result->wrong |= l->end == OWN_WRONG;
    if (s->shown)
        return;
    s->shown = true;
    progress_end(&s->progress);
    own_launch_show(l);
}

static enum status take_launch(struct session *s, size_t index, struct launch_row *row,
                               const struct own_launch *l)
{
    const size_t benchmark = index / DUET_ARMS, arm = index % DUET_ARMS;
    const struct other_load load = load_since(l);
    const double busy = l->wall_s > 0.0 ? l->cpu_s / l->wall_s : 1.0;
    row->seconds = l->seconds;
    row->wall_s = l->wall_s;
    row->cpu_s = l->cpu_s;
    row->others_cores = load.cores;
    row->disturbed = other_load_disturbs(&load, busy < 1.5 ? 1 : (int64_t)(busy + 0.5));
    memcpy(row->hash, l->hash, sizeof row->hash);
    s->result->hardware_threads = load.hardware_threads;
    s->arms[index].latest_s = l->wall_s > 0.0 ? l->wall_s : s->arms[index].latest_s;
    if (l->end == OWN_NOT_STARTED)
        return fail(s->failure, STATUS_USAGE, "%s", l->reason);
    if (l->end == OWN_STOPPED)
        return STATUS_OK;
    if (l->end == OWN_DONE) {
        note(s, benchmark, arm, row);
        s->result->now++;
    } else {
        count_bad(s, benchmark, l);
    }
    return append(s, row, l);
}

static enum status launch(void *context, size_t index, int64_t round, bool extra)
{
    struct session *s = context;
    const struct launches_request *q = s->request;
    const size_t benchmark = index / DUET_ARMS, arm = index % DUET_ARMS;
    struct launch_row row = {.round = round};
    struct own_launch l;
    const uint64_t drawn =
        digest_mix((uint64_t)q->seed * 1000003u + (uint64_t)round * 4099u + index);
    (void)extra;
    row.padding = (int64_t)(drawn % PADDINGS);
    snprintf(row.benchmark, sizeof row.benchmark, "%s", q->benchmarks->all[benchmark].name);
    snprintf(row.arm, sizeof row.arm, "%s", arm_names[arm]);
    s->progress.left_s = own_rounds_left_s(&s->rounds);
    progress_show(&s->progress, row.benchmark);
    enum status status = launch_side(s, benchmark, side_of(arm), row.padding, &l);
    if (status == STATUS_OK)
        status = take_launch(s, index, &row, &l);
    own_launch_release(&l);
    progress_advance(&s->progress, 0.0);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Once for each side, in its folder. */
static enum status clean_up(struct session *s)
{
    const struct own_command *options = s->request->benchmarks->all[0].commands;
    enum status status = STATUS_OK;
    for (int side = 0; side < SIDES && status == STATUS_OK && options->cleanup; side++) {
        int here;
        status = enter(s, side, &here);
        if (status == STATUS_OK)
            status = own_cleanup_run(&options[side], &no_workers, s->failure);
        const enum status left = leave(s, here);
        status = status == STATUS_OK ? left : status;
    }
    return status;
}

static bool make(struct session *s)
{
    struct launches *l = s->result;
    const size_t count = s->request->benchmarks->count, arms = count * DUET_ARMS;
    *l = (struct launches){.seconds = calloc(arms * OWN_ROUNDS_MOST, sizeof *l->seconds),
                           .benchmarks = count,
                           .known = calloc(count, sizeof *l->known),
                           .disturbed = calloc(count, sizeof *l->disturbed)};
    s->arms = calloc(arms, sizeof *s->arms);
    s->hashes = calloc(count, sizeof *s->hashes);
    s->rounds = (struct own_rounds){.arms = calloc(arms, sizeof *s->rounds.arms),
                                    .count = arms,
                                    .planned = s->request->rounds,
                                    .budget_s = s->request->budget_s,
                                    .launch = launch,
                                    .context = s};
    bool good = l->seconds && l->known && l->disturbed && s->arms && s->hashes && s->rounds.arms;
    for (size_t i = 0; good && i < arms; i++) {
        good = own_arm_begin(&s->arms[i]);
        s->rounds.arms[i] = &s->arms[i];
    }
    for (size_t i = 0; good && i < arms * OWN_ROUNDS_MOST; i++)
        l->seconds[i] = NAN;
    return good;
}

static enum status run_missing(struct session *s)
{
    const struct launches_request *q = s->request;
    struct launches *l = s->result;
    enum status status = q->begin(q->context, s->failure);
    if (status == STATUS_OK)
        status = table_writer_open(&s->file, &schema, q->path, NULL, s->failure);
    if (status != STATUS_OK)
        return status;
    s->rounds.began = clock_now();
    s->progress = progress_begin(s->rounds.count * (size_t)q->rounds - l->before, 0.0);
    status = own_rounds_run(&s->rounds, s->failure);
    progress_end(&s->progress);
    l->out_of_budget = s->rounds.out_of_budget;
    l->stop_signal = process_stop_signal();
    if (status == STATUS_OK)
        status = clean_up(s);
    struct failure *of_close = status == STATUS_OK ? s->failure : &(struct failure){0};
    const enum status closed = table_writer_close(s->file, of_close);
    return status == STATUS_OK ? closed : status;
}

enum status launches_run(struct launches *l, const struct launches_request *q, struct failure *f)
{
    struct session s = {.request = q, .result = l, .failure = f};
    enum status status =
        make(&s) ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory for the launches");
    if (status == STATUS_OK && table_is_begun(q->path))
        status = table_read(q->path, &schema, take_row, &s, NULL, f);
    const size_t planned = q->benchmarks->count * DUET_ARMS * (size_t)q->rounds;
    if (status == STATUS_OK) {
        l->before = own_rounds_done(&s.rounds);
        if (l->before < planned)
            status = run_missing(&s);
        l->missing = planned - own_rounds_done(&s.rounds);
    }
    for (size_t i = 0; s.arms && i < s.rounds.count; i++)
        own_arm_release(&s.arms[i]);
    free(s.arms);
    free(s.hashes);
    free(s.rounds.arms);
    return status;
}

void launches_release(struct launches *l)
{
    free(l->seconds);
    free(l->known);
    free(l->disturbed);
    *l = (struct launches){.seconds = NULL};
}
