#include "experiments/plan/command_line.h"

#include "experiments/samples/point.h"
#include "harness/machine/simulation.h"
#include "networks/point/record_subject.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *command_launcher(const char *asked, const struct record *point)
{
    if (point->platform[0])
        return "simgrid";
    if (point_is_own_program(point))
        return "plain"; /* its command has a launcher of its own */
    if (asked && *asked && (strcmp(asked, "simgrid") != 0 || point_has_ranks(point)))
        return asked;
    const struct space_facts *space = point_record_kind(point).space;
    return space && space->launcher ? space->launcher : "plain";
}

const char *command_launcher_program(const char *launcher)
{
    if (strcmp(launcher, "simgrid") == 0)
        return "smpirun";
    return strcmp(launcher, "plain") == 0 ? NULL : launcher;
}

/* Appends a word. On failure sets *good to false, which the caller checks at the end. */
static void add(struct command_line *line, bool *good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(struct command_line *line, bool *good, const char *format, ...)
{
    char *word = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&word, format, arguments);
    va_end(arguments);
    char **grown =
        length < 0 ? NULL : realloc(line->words, (line->count + 2) * sizeof *line->words);
    if (!grown) {
        if (length >= 0)
            free(word);
        *good = false;
        return;
    }
    line->words = grown;
    line->words[line->count++] = word;
    line->words[line->count] = NULL;
}

static int64_t at_least_one(int64_t value)
{
    return value == RECORD_NO_INT || value < 1 ? 1 : value;
}

/* Adds smpirun and its settings. Messages see the latencies and bandwidths of the platform file:
 * SMPI's own corrections, fitted to clusters of its authors, are disabled, and so is its timing of
 * computations. Broadcasts are flat, so that the moment to start (mpi/start_skew.h) reaches all
 * ranks in one step, before it comes. Testing for messages takes no time. Folded memory is mapped
 * in blocks so large that a thousand ranks stay below the operating system's limit on mappings. */
static void add_smpirun(struct command_line *line, bool *good,
                        const struct command_request *request)
{
    static const char *const settings[] = {"smpi/simulate-computation:no",
                                           "smpi/bw-factor:0:1",
                                           "smpi/lat-factor:0:1",
                                           "network/crosstraffic:0",
                                           "network/weight-S:0",
                                           "network/TCP-gamma:0",
                                           "smpi/bcast:flattree",
                                           "smpi/test:0",
                                           "smpi/shared-malloc-blocksize:16777216"};
    add(line, good, "smpirun");
    add(line, good, "-np");
    add(line, good, "%" PRId64, at_least_one(request->point->ranks));
    add(line, good, "-platform");
    add(line, good, "%s", request->simulated->platform.path);
    add(line, good, "-hostfile");
    add(line, good, "%s", request->hosts);
    add(line, good, "--cfg=smpi/host-speed:%.0f", SIMULATION_REFERENCE_SPEED);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        add(line, good, "--cfg=%s", settings[i]);
    add(line, good, "--log=root.thresh:error");
}

/* Adds what a simulated rank needs in addition to the point. */
static void add_simulated(struct command_line *line, bool *good, const struct simulated *simulated,
                          bool trains)
{
    if (trains) {
        add(line, good, "--sum-seconds");
        add(line, good, "%.9g", simulated->row.sum_s);
        add(line, good, "--update-seconds");
        add(line, good, "%.9g", simulated->row.update_s);
    }
    add(line, good, "--row-seconds");
    add(line, good, "%.9g", simulated->row.value);
    if (simulated->row.product_s > 0.0) {
        add(line, good, "--product-seconds");
        add(line, good, "%.9g", simulated->row.product_s);
    }
    if (simulated->folded)
        add(line, good, "--fold");
}

static void add_launcher(struct command_line *line, bool *good,
                         const struct command_request *request)
{
    int64_t ranks = at_least_one(request->point->ranks);
    int64_t threads = at_least_one(request->point->threads);
    if (strcmp(request->launcher, "mpirun") == 0) {
        add(line, good, "mpirun");
        add(line, good, "-np");
        add(line, good, "%" PRId64, ranks);
        if (ranks * threads > (request->here > 0 ? request->here : request->cores))
            add(line, good, "--oversubscribe");
        /* otherwise threads would share the core of their rank; a program that binds must start
         * unbound */
        if (threads > 1 || ranks * threads > request->cores || *request->point->bind) {
            add(line, good, "--bind-to");
            add(line, good, "none");
        }
    } else if (strcmp(request->launcher, "srun") == 0) {
        add(line, good, "srun");
        add(line, good, "--ntasks=%" PRId64, ranks);
        add(line, good, "--cpus-per-task=%" PRId64, threads);
        if (ranks * threads > request->cores)
            add(line, good, "--overcommit");
        if (request->point->nodes != RECORD_NO_INT)
            add(line, good, "--nodes=%" PRId64, request->point->nodes);
    } else if (request->simulated) {
        add_smpirun(line, good, request);
    }
}

/* Whether the program uses this value without the option. */
static bool is_made_here(const struct record *point, const struct record_column *column,
                         const char *word)
{
    const char *name = column->column.name;
    if (strcmp(name, "input") == 0)
        return strcmp(word, recorded_input(point_planned_kind(point).operator_row)) == 0 ||
               point_trains(point); /* --data determines it */
    if (column->fallback && !record_column_is(column, COLUMN_TRAINING))
        return strcmp(word, column->fallback) == 0;
    /* vectors have one length; the size of a file is its own */
    return strcmp(name, "rows") == 0 && point->network[0] && !recorded_takes_sizes(point);
}

/* "resnet18+features" becomes two options. */
static void add_network(struct command_line *line, bool *good, const char *network)
{
    const size_t name = strcspn(network, "+");
    add(line, good, "%.*s", (int)name, network);
    if (network[name])
        add(line, good, "--%s", network + name + 1);
}

/* Adds each point column that is an option of this program, with the value of the plan. */
static void add_point(struct command_line *line, bool *good, const struct command_request *request)
{
    const struct record *point = request->point;
    const struct point_kind kind = point_planned_kind(point);
    for (size_t i = 0; i < point_column_count(); i++) {
        const struct record_column *c = point_column(i);
        const struct column *column = &c->column;
        const char *field = (const char *)point + column->offset;
        int64_t number = RECORD_NO_INT;
        const char *option = point_column_option(c, kind.operator_row);
        if (!option || !point_column_applies(c, kind))
            continue;
        if (column->type == COLUMN_INT)
            memcpy(&number, field, sizeof number);
        bool made_here = is_made_here(point, c, field);
        /* simulated ranks have one thread each, and their program has no option for it */
        bool threads = point->platform[0] && strcmp(column->name, "threads") == 0;
        bool absent = column->type == COLUMN_INT ? number == RECORD_NO_INT : !*field;
        if (absent || made_here || threads)
            continue;
        add(line, good, "--%s", option);
        if (column->type == COLUMN_INT)
            add(line, good, "%" PRId64, number);
        else if (request->methods && strcmp(column->name, "method") == 0)
            add(line, good, "%s", request->methods);
        else if (strcmp(column->name, "network") == 0)
            add_network(line, good, field);
        else
            add(line, good, "%s", field);
    }
}

static void add_rule(struct command_line *line, bool *good, const struct sampling *sampling)
{
    add(line, good, "--samples");
    add(line, good, "%" PRId64, sampling->samples);
    add(line, good, "--relative-ci");
    add(line, good, "%g", sampling->relative_ci);
    add(line, good, "--max-seconds");
    add(line, good, "%g", sampling->max_seconds);
}

/* A training with a given number of epochs runs to its end, so it needs no rule for stopping. */
static void add_sampling(struct command_line *line, bool *good, const struct sampling *sampling,
                         bool trains)
{
    if (trains && sampling->epochs > 0) {
        add(line, good, "--epochs");
        add(line, good, "%" PRId64, sampling->epochs);
    }
    if (trains && sampling->learning_rate > 0) {
        add(line, good, "--learning-rate");
        add(line, good, "%g", sampling->learning_rate);
    }
    if (trains && sampling->find_rate > 0)
        add(line, good, "--find-learning-rate");
    add(line, good, "--warmup");
    add(line, good, "%" PRId64, sampling->warmup);
    if (!trains || sampling->epochs == 0)
        add_rule(line, good, sampling);
    add(line, good, "--verify");
    add(line, good, "%s", sampling->verify);
}

static const char *word_with_blank(const struct command_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        if (strpbrk(line->words[i], " \t"))
            return line->words[i];
    return NULL;
}

static void add_program(struct command_line *line, bool *good,
                        const struct command_request *request)
{
    const char *own = request->simulated ? request->simulated_bin : NULL;
    const char *folder = own ? own : request->bin;
    add(line, good, "%s%s%s%s", folder, *folder ? "/" : "",
        request->simulated && !own ? "simgrid/" : "", request->point->program);
}

enum status command_line_make(struct command_line *out, const struct command_request *request,
                              struct failure *f)
{
    bool good = true;
    const struct record *point = request->point;
    const bool trains = point_trains(point);
    *out = (struct command_line){0};
    struct sampling sampling = *request->sampling;
    char none[] = "none";
    if (request->simulated && request->simulated->folded)
        sampling.verify = none;
    if (request->simulated) { /* all executions are equal, once the ranks start together */
        sampling.samples = 1;
        sampling.warmup = 3;
    }
    add_launcher(out, &good, request);
    add_program(out, &good, request);
    add_point(out, &good, request);
    if (request->simulated)
        add_simulated(out, &good, request->simulated, trains);
    add_sampling(out, &good, &sampling, trains);
    add(out, &good, "--experiment");
    add(out, &good, "%s", point->experiment);
    add(out, &good, "--round");
    add(out, &good, "%" PRId64, point->round);
    add(out, &good, "--record");
    add(out, &good, "%s", request->record);
    if (request->layers && point->network[0]) {
        add(out, &good, "--record-layers");
        add(out, &good, "%s", request->layers);
    }
    if (request->training && trains) {
        add(out, &good, "--record-training");
        add(out, &good, "%s", request->training);
    }
    if (request->timeline && point->network[0]) {
        add(out, &good, "--timeline");
        add(out, &good, "%s", request->timeline);
    }
    const char *blank = good && request->simulated ? word_with_blank(out) : NULL;
    if (good && !blank)
        return STATUS_OK;
    if (blank)
        fail(f, STATUS_USAGE, "smpirun parts words at blanks: '%s' has one", blank);
    command_line_release(out);
    return blank ? STATUS_USAGE : fail(f, STATUS_RESOURCE, "not enough memory for a command line");
}

void command_line_release(struct command_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        free(line->words[i]);
    free(line->words);
    *line = (struct command_line){0};
}

static bool needs_quotes(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=.,/:@%";
    return !*word || word[strspn(word, plain)] != '\0';
}

static char *put_word(char *to, const char *word)
{
    bool quoted = needs_quotes(word);
    if (quoted)
        *to++ = '\'';
    for (; *word; word++) {
        if (*word == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *word;
        }
    }
    if (quoted)
        *to++ = '\'';
    return to;
}

char *command_line_text(const struct command_line *line)
{
    size_t capacity = 1;
    for (size_t i = 0; i < line->count; i++)
        capacity += 4 * strlen(line->words[i]) + 3;
    char *text = malloc(capacity), *at = text;
    for (size_t i = 0; text && i < line->count; i++) {
        if (i > 0)
            *at++ = ' ';
        at = put_word(at, line->words[i]);
    }
    if (text)
        *at = '\0';
    return text;
}
