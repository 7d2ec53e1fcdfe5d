#include "classroom/lab/run_file.h"

#include "classroom/lab/lab.h"
#include "experiments/common/frame.h"
#include "experiments/common/output.h"
#include "generated/commit.h"
#include "harness/base/own_path.h"
#include "harness/machine/machine.h"
#include "harness/point/sampling/rounds.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- paths ----------------------------------------------------------------------------------- */

static struct results_path run_path(const char *results, const char *method, const char *suffix)
{
    char name[LAB_NAME + 32];
    const char *colon = strchr(method, ':');
    snprintf(name, sizeof name, "lab/%.*s%s", LAB_NAME, colon ? colon + 1 : method, suffix);
    return results_file(results, name);
}

struct results_path lab_run_facts_path(const char *results, const char *method)
{
    return run_path(results, method, ".json");
}

struct results_path lab_run_samples_path(const char *results, const char *method)
{
    return run_path(results, method, ".samples.csv");
}

/* ---- samples --------------------------------------------------------------------------------- */

static const char *const columns[] = {"round", "turn", "method", "began_ns", "ended_ns", "seconds"};
enum { ROUND, TURN, METHOD, BEGAN, ENDED, SECONDS, COLUMNS };

static int64_t nanoseconds(double seconds)
{
    return (int64_t)llround(seconds * 1e9);
}

static double first_began(const struct lab_timing *timing)
{
    double first = INFINITY;
    for (size_t i = 0; i < timing->count && timing->rounds > 0; i++)
        first = fmin(first, timing->candidates[i].began[0]);
    return first;
}

/* Writes all rounds of a timing. */
static void print_samples(FILE *stream, const struct lab_timing *timing)
{
    const double first = first_began(timing);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(stream, "%s%c", columns[i], i + 1 < COLUMNS ? ',' : '\n');
    for (size_t round = 0; round < timing->rounds; round++) {
        size_t order[LAB_CANDIDATES];
        rounds_order(timing->seed, round, order, timing->count);
        for (size_t turn = 0; turn < timing->count; turn++) {
            const struct lab_candidate *r = &timing->candidates[order[turn]];
            const int64_t began = nanoseconds(r->began[round] - first);
            const int64_t taken = nanoseconds(r->seconds[round]);
            fprintf(stream, "%zu,%zu,", round, turn);
            frame_write_field(stream, r->name);
            fprintf(stream, ",%" PRId64 ",%" PRId64 ",%.9f\n", began, began + taken,
                    (double)taken * 1e-9);
        }
    }
}

static bool take_row(const struct frame *frame, const size_t places[COLUMNS], size_t row,
                     struct lab_sample *s)
{
    double numbers[COLUMNS] = {0};
    for (size_t i = 0; i < COLUMNS; i++)
        if (i != METHOD)
            numbers[i] = frame_number(frame, row, places[i]);
    for (size_t i = 0; i < COLUMNS; i++)
        if (!isfinite(numbers[i]) || fabs(numbers[i]) > 1e15)
            return false;
    const char *method = frame_field(frame, row, places[METHOD]);
    *s = (struct lab_sample){.round = (int64_t)numbers[ROUND],
                             .turn = (int64_t)numbers[TURN],
                             .began_ns = (int64_t)numbers[BEGAN],
                             .ended_ns = (int64_t)numbers[ENDED],
                             .seconds = numbers[SECONDS]};
    snprintf(s->method, sizeof s->method, "%s", method);
    return strlen(method) < sizeof s->method;
}

static enum status take_rows(struct lab_samples *out, const struct frame *frame, struct failure *f)
{
    size_t places[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++) {
        const ptrdiff_t at = frame_find(frame, columns[i]);
        if (at < 0)
            return fail(f, STATUS_USAGE, "the samples have no column '%s'", columns[i]);
        places[i] = (size_t)at;
    }
    out->items = calloc(frame->rows + 1, sizeof *out->items);
    if (!out->items)
        return fail(f, STATUS_RESOURCE, "not enough memory for the samples");
    for (; out->count < frame->rows; out->count++)
        if (!take_row(frame, places, out->count, &out->items[out->count]))
            return fail(f, STATUS_USAGE, "line %zu of the samples is damaged", out->count + 2);
    return STATUS_OK;
}

enum status lab_samples_parse(struct lab_samples *out, const char *text, size_t count,
                              struct failure *f)
{
    struct frame frame;
    FILE *stream = count > 0 ? fmemopen((void *)text, count, "r") : NULL;
    *out = (struct lab_samples){NULL, 0};
    if (!stream)
        return fail(f, STATUS_USAGE, "the samples are empty");
    enum status status = frame_read(&frame, stream, "samples.csv", f);
    fclose(stream);
    if (status != STATUS_OK)
        return status;
    status = take_rows(out, &frame, f);
    frame_release(&frame);
    if (status != STATUS_OK)
        lab_samples_release(out);
    return status;
}

void lab_samples_release(struct lab_samples *s)
{
    free(s->items);
    *s = (struct lab_samples){NULL, 0};
}

/* ---- writing --------------------------------------------------------------------------------- */

static void add_sizes(cJSON *run, const struct lab_report *r)
{
    const struct foreign_sizes *s = &r->timing.input.size;
    const struct {
        const char *name;
        int64_t value;
    } sizes[] = {{"size", s->rows},       {"kernel", s->kernel}, {"stride", s->stride},
                 {"padding", s->padding}, {"planes", s->planes}, {"threads", r->threads}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        cJSON_AddNumberToObject(run, sizes[i].name, (double)sizes[i].value);
}

/* The hash of the program that measures, read once; "" if it cannot read its own file. */
static const char *hash_self(void)
{
    static char hex[SHA256_HEX];
    static bool read;
    char path[PATH_MAX];
    if (!read && (!own_path(path) || lab_hash_file(path, hex, NULL) != STATUS_OK))
        hex[0] = '\0';
    read = true;
    return hex;
}

/* Adds the facts that an archive needs in addition to those that people read. The seed is written
 * as text because it has 64 bits, and JSON's numbers have 53. */
static void add_run(cJSON *root, const struct lab_report *r, const char *samples_sha256)
{
    char seed[32];
    struct machine machine;
    cJSON *run = cJSON_AddObjectToObject(root, "run");
    machine_describe(&machine);
    cJSON_AddNumberToObject(run, "version", LAB_RUN_VERSION);
    cJSON_AddStringToObject(run, "run_id", r->run_id);
    cJSON_AddStringToObject(run, "time_utc", r->time_utc);
    cJSON_AddStringToObject(run, "host", machine.host);
    cJSON_AddStringToObject(run, "commit", MAXPOOL_COMMIT);
    cJSON_AddStringToObject(run, "cflags", r->request.flags);
    cJSON_AddStringToObject(run, "source_sha256", r->source_sha256);
    cJSON_AddStringToObject(run, "binary_sha256", r->binary_sha256);
    cJSON_AddStringToObject(run, "study_sha256", hash_self());
    cJSON_AddStringToObject(run, "samples_sha256", samples_sha256);
    if (r->verdict != LAB_CORRECT || !r->timed)
        return;
    add_sizes(run, r);
    snprintf(seed, sizeof seed, "%" PRIu64, r->timing.seed);
    cJSON_AddStringToObject(run, "seed", seed);
    cJSON_AddNumberToObject(run, "rounds", (double)r->timing.rounds);
    cJSON_AddBoolToObject(run, "limit_measured_now", r->limit.measured_now);
    cJSON *methods = cJSON_AddArrayToObject(run, "methods");
    for (size_t i = 0; i < r->timing.count; i++)
        cJSON_AddItemToArray(methods, cJSON_CreateString(r->timing.candidates[i].name));
}

static enum status write_facts(const struct lab_report *r, const char *path,
                               const char *samples_sha256, struct failure *f)
{
    cJSON *root = lab_json_object(r);
    add_run(root, r, samples_sha256);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    const enum status status = text ? output_write(path, text, strlen(text), f)
                                    : fail(f, STATUS_RESOURCE, "no memory for the JSON text");
    free(text);
    return status;
}

enum status lab_run_write(const struct lab_report *r, const char *results, struct failure *f)
{
    char hash[SHA256_HEX], *text = NULL;
    size_t count = 0;
    static const struct lab_timing nothing = {.count = 0};
    FILE *stream = open_memstream(&text, &count);
    if (!stream)
        return fail(f, STATUS_RESOURCE, "no memory for the samples");
    print_samples(stream, r->timed && r->verdict == LAB_CORRECT ? &r->timing : &nothing);
    enum status status = fclose(stream) == 0
                             ? results_make(results_file(results, "lab").text, f)
                             : fail(f, STATUS_RESOURCE, "no memory for the samples");
    if (status == STATUS_OK) {
        sha256_hex(text, count, hash);
        status = output_write(lab_run_samples_path(results, r->name).text, text, count, f);
    }
    if (status == STATUS_OK)
        status = write_facts(r, lab_run_facts_path(results, r->name).text, hash, f);
    free(text);
    return status;
}
