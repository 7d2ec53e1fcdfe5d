/* Looking inside a network: the file of layers, the trace with its nested events, and the
 * timeline. */
#include "harness/records/layer_record.h"
#include "harness/records/timeline.h"
#include "kernels/isa.h"
#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef MAXPOOL_HAVE_CJSON
#include <cjson/cJSON.h>
#endif

static void succeed(const char *command)
{
    command_done("%s", command);
}

/* ---- layers -----------------------------------------------------------------------------------
 */

struct layers {
    int64_t rows, parameters;
    double multiply_adds;
    struct layer_record first;
};

static bool see_layer(const void *row, int64_t line, void *context)
{
    const struct layer_record *r = row;
    struct layers *seen = context;
    (void)line;
    assert_int_equal(r->step, seen->rows);
    assert_true(r->executions >= 4); /* includes a warm-up, and several if one is short */
    assert_true(r->fastest_s > 0.0 && r->fastest_s <= r->mean_s * (1.0 + 1e-6));
    if (seen->rows == 0)
        seen->first = *r;
    /* pooling is exact; convolutions and products round */
    assert_true(strcmp(r->layer, "pool") == 0
                    ? r->error_ulps_rms == 0.0
                    : r->error_ulps_rms > 0.01 && r->error_ulps_rms < 20.0);
    seen->rows++;
    seen->parameters += r->parameters;
    seen->multiply_adds += r->multiply_adds;
    return true;
}

/* The totals are those of the network; the bytes of the first step are counted here
 * independently. */
static void layers_are_recorded(NO_STATE)
{
    struct layers seen = {0};
    struct record_report report;
    struct failure f = {0};
    succeed("./network_serial --network solar_cnn --image-size 12 --batch 3 --samples 3 "
            "--relative-ci 0 --record-layers $DIR/layers.csv --record $DIR/samples.csv");
    if (table_read(files_path("layers.csv"), &layer_record_schema, see_layer, &seen, &report, &f) !=
        STATUS_OK)
        fail_msg("%s", f.message);
    assert_int_equal(report.corrupt, 0);
    assert_int_equal(seen.rows, 5);
    assert_string_equal(seen.first.layer, "conv1");
    assert_string_equal(seen.first.kinds, "conv+relu");
    assert_int_equal(seen.first.images, 3);
    assert_int_equal(seen.first.images_here, 3);
    assert_int_equal(seen.first.image_rows, 12);
    assert_int_equal(seen.first.channels, 32);
    assert_int_equal(seen.first.rows, 10);
    assert_int_equal(seen.first.parameters, 32 * 9 + 32);
    assert_true(seen.first.bytes == 4.0 * (3 * (12 * 12 + 32 * 10 * 10) + 32 * 9 + 32));
    assert_true(isnan(seen.first.roof_s) && isnan(seen.first.roof_share)); /* not requested */
    assert_true(seen.first.multiply_adds == 3.0 * 32 * 10 * 10 * 9);
    assert_int_equal(seen.parameters, 320 + 18496 + 64 * 4 * 4 * 128 + 128 + 129);
    size_t size;
    char *samples = (char *)files_read(files_path("samples.csv"), &size);
    assert_non_null(strstr(samples, seen.first.run_id));
    free(samples);
}

/* The first and the last step of a training are verified: their errors are those of outputs and
 * gradients. */
static bool see_training_step(const struct record *r, int64_t line, void *context)
{
    int *steps = context;
    (void)line;
    if (r->warmup)
        return true;
    const bool verified = r->sample != 1;
    assert_int_equal(strcmp(r->verified, "none") != 0, verified);
    assert_int_equal(r->error_layer[0] != 0, verified);
    if (verified)
        assert_true(r->error_bound_max > 0.0 && r->error_bound_max < 1.0 &&
                    r->error_ulps_rms > 0.05 && r->error_ulps_rms < 50.0 &&
                    r->error_ulps_max >= r->error_ulps_rms);
    else
        assert_true(isnan(r->error_bound_max) && isnan(r->error_ulps_rms));
    ++*steps;
    return true;
}

struct passes {
    int forward, backward, update;
};

/* In the backward pass the first layer has no data gradient, and pooling no parameter gradient. */
static bool see_training_layer(const void *row, int64_t line, void *context)
{
    const struct layer_record *r = row;
    struct passes *seen = context;
    (void)line;
    if (strcmp(r->pass, "update") == 0) {
        assert_true(isnan(r->error_ulps_rms));
        seen->update++;
        return true;
    }
    const bool backward = strcmp(r->pass, "backward") == 0;
    assert_true(strcmp(r->layer, "pool") == 0
                    ? r->error_ulps_rms >= 0.0
                    : r->error_ulps_rms > 0.01 && r->error_ulps_rms < 50.0);
    seen->backward += backward;
    seen->forward += !backward;
    return true;
}

static void errors_of_a_training_are_recorded(NO_STATE)
{
    struct passes seen = {0};
    struct record_report report;
    struct failure f = {0};
    int steps = 0;
    succeed("./network_omp --network solar_cnn --image-size 12 --task train --batch 9 --steps 3 "
            "--threads 2 --record-layers $DIR/trained.csv --record $DIR/steps.csv");
    assert_int_equal(record_read(files_path("steps.csv"), see_training_step, &steps, &report, &f),
                     STATUS_OK);
    assert_int_equal(steps, 3);
    assert_int_equal(table_read(files_path("trained.csv"), &layer_record_schema, see_training_layer,
                                &seen, &report, &f),
                     STATUS_OK);
    assert_int_equal(seen.forward, 5);
    assert_int_equal(seen.backward, 5);
    assert_int_equal(seen.update, 1);
}

static bool see_executions(const void *row, int64_t line, void *context)
{
    const struct layer_record *r = row;
    int64_t *executions = context;
    (void)line;
    assert_true(*executions < 0 || r->executions == *executions);
    if (strcmp(r->layer, "hidden1") == 0 && strcmp(r->pass, "forward") == 0)
        assert_true(r->multiply_adds == 5000.0 * 50.0 * 4.0);
    *executions = r->executions;
    return true;
}

/* The last step of the epoch has fewer images: the rows do not include it. */
static void layers_are_those_of_whole_batches(NO_STATE)
{
    int64_t executions = -1;
    struct failure f = {0};
    succeed("./network_omp --network mlp:4 --task train --data solar --batch 5000 --epochs 1 "
            "--verify none --record-layers $DIR/whole.csv");
    assert_int_equal(table_read(files_path("whole.csv"), &layer_record_schema, see_executions,
                                &executions, NULL, &f),
                     STATUS_OK);
    assert_int_equal(executions, 1);
}

/* ---- trace ------------------------------------------------------------------------------------
 */

#ifdef MAXPOOL_HAVE_CJSON
enum { TRACKS = 64, DEPTH = 8 };

/* State of one thread of one process: the ends of the events that are open. */
struct track {
    int64_t process, thread;
    double ends[DEPTH];
    int depth, steps;
};

struct trace {
    struct track tracks[TRACKS];
    int count;
};

static struct track *track_of(struct trace *t, int64_t process, int64_t thread)
{
    for (int i = 0; i < t->count; i++)
        if (t->tracks[i].process == process && t->tracks[i].thread == thread)
            return &t->tracks[i];
    assert_true(t->count < TRACKS);
    t->tracks[t->count] = (struct track){.process = process, .thread = thread};
    return &t->tracks[t->count++];
}

static double number(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* On each track, events are sorted by their beginning, enclosing ones first: an event that begins
 * before another ends must end before it too. */
static void see_event(struct trace *t, const cJSON *event)
{
    const double rounding = 0.002; /* microseconds; the file has three digits */
    struct track *track = track_of(t, (int64_t)number(event, "pid"), (int64_t)number(event, "tid"));
    const double begin = number(event, "ts"), end = begin + number(event, "dur");
    assert_true(begin >= 0.0 && end >= begin);
    while (track->depth > 0 && track->ends[track->depth - 1] <= begin + rounding)
        track->depth--;
    if (track->depth > 0 && end > track->ends[track->depth - 1] + rounding)
        fail_msg("%s ends %g after the event around it", cJSON_Print(event),
                 end - track->ends[track->depth - 1]);
    assert_true(track->depth < DEPTH);
    track->ends[track->depth++] = end;
    track->steps += cJSON_GetObjectItemCaseSensitive(event, "args") != NULL;
}

static int by_begin(const void *a, const void *b)
{
    const cJSON *const *x = a, *const *y = b;
    const double begins[] = {number(*x, "ts"), number(*y, "ts")};
    const double ends[] = {number(*x, "dur"), number(*y, "dur")};
    return begins[0] != begins[1] ? (begins[0] > begins[1]) - (begins[0] < begins[1])
                                  : (ends[0] < ends[1]) - (ends[0] > ends[1]);
}

/* Reads a trace and checks that its events nest. */
static void read_trace(const char *path, struct trace *t)
{
    enum { EVENTS = 1024 };
    const cJSON *event, *complete[EVENTS];
    int count = 0;
    size_t size;
    char *text = (char *)files_read(path, &size);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(json, "traceEvents");
    assert_true(cJSON_IsArray(events));
    *t = (struct trace){0};
    cJSON_ArrayForEach(event, events)
    {
        const char *kind = cJSON_GetObjectItemCaseSensitive(event, "ph")->valuestring;
        assert_true(strcmp(kind, "X") == 0 || strcmp(kind, "M") == 0);
        assert_true(count < EVENTS);
        if (kind[0] == 'X')
            complete[count++] = event;
    }
    qsort(complete, (size_t)count, sizeof *complete, by_begin);
    for (int i = 0; i < count; i++)
        see_event(t, complete[i]);
    cJSON_Delete(json);
    free(text);
}

/* Thread 0 takes part in every step; another thread may be late for some. */
static void expect_tracks(const struct trace *t, int tracks, int64_t process, int64_t thread,
                          int steps)
{
    assert_int_equal(t->count, tracks);
    for (int i = 0; i < t->count; i++)
        if (t->tracks[i].process == process && t->tracks[i].thread == thread) {
            assert_in_range(t->tracks[i].steps, thread > 0 ? 0 : steps, steps);
            return;
        }
    fail_msg("no track of process %lld, thread %lld", (long long)process, (long long)thread);
}
#endif

/* One track per worker, and one process per method. */
static void events_of_threads_nest(NO_STATE)
{
#ifdef MAXPOOL_HAVE_CJSON
    struct trace t;
    succeed("./network_omp --network solar_cnn --image-size 12 --batch 2 --samples 2 --threads 2 "
            "--conv auto,literal --trace $DIR/trace.json");
    read_trace(files_path("trace.json"), &t);
    expect_tracks(&t, 4, 0, 1, 5);
    expect_tracks(&t, 4, 1, 0, 5);
#else
    skip();
#endif
}

/* One process per rank, messages on a separate track; a rank without images has no step. */
static void events_of_ranks_nest(NO_STATE)
{
#ifdef MAXPOOL_HAVE_CJSON
    struct trace t;
    if (!MAXPOOL_MPIEXEC[0])
        skip();
    succeed("$MPIRUN 3 ./network_mpi --network solar_cnn --image-size 12 --batch 2 --samples 2 "
            "--distribute scatter --trace $DIR/ranks.json");
    read_trace(files_path("ranks.json"), &t);
    expect_tracks(&t, 6, 0, 0, 5);
    expect_tracks(&t, 6, 1, 0, 5);
    expect_tracks(&t, 6, 2, 0, 0);
    expect_tracks(&t, 6, 1, 1, 0);
#else
    skip();
#endif
}

/* A training traces its last step: forward, gates, gradients of parameters and inputs, by every
 * worker; messages of ranks have a separate track. */
static void events_of_a_training_nest(NO_STATE)
{
#ifdef MAXPOOL_HAVE_CJSON
    enum { PARTS = 3 + 4 + 3 + 4 + 3 + 2 }; /* of five layers, loss and update */
    struct trace t;
    succeed("./network_omp --network solar_cnn --image-size 12 --task train --batch 9 --steps 3 "
            "--threads 2 --trace $DIR/training.json");
    read_trace(files_path("training.json"), &t);
    expect_tracks(&t, 2, 0, 0, PARTS);
    expect_tracks(&t, 2, 0, 1, PARTS);
    if (!MAXPOOL_MPIEXEC[0])
        skip();
    succeed("$MPIRUN 2 ./network_mpi --network solar_cnn --image-size 12 --task train --batch 9 "
            "--steps 2 --strategy central --trace $DIR/training.json");
    read_trace(files_path("training.json"), &t);
    expect_tracks(&t, 4, 0, 0, PARTS);
    expect_tracks(&t, 4, 1, 0, PARTS);
    expect_tracks(&t, 4, 1, 1, 0);
#else
    skip();
#endif
}

/* ---- roofs ------------------------------------------------------------------------------------
 */

/* The first step of mlp:800 on one vector: weights, biases, input and output, each float once. */
static const double first_bytes = 4.0 * (50 * 800 + 800 + 50 + 800);

/* Writes ceilings for this machine as if one worker moved 1 GB/s. */
static void write_slow_ceilings(void)
{
    char host[256] = "", text[1024];
    gethostname(host, sizeof host - 1);
    snprintf(
        text, sizeof text,
        "what,level,working_set_bytes,workers,bandwidth_bytes_per_s,isa,operations_per_s,host\n"
        "read,memory,1e6,1,1e9,,,%s\nmultiply_add,,,1,,%s,1e30,%s\n",
        host, isa_name(ISA_BASELINE), host);
    files_write("slow.csv", text, strlen(text));
}

static bool see_roof(const void *row, int64_t line, void *context)
{
    const struct layer_record *r = row;
    int64_t *rows = context;
    (void)line;
    if ((*rows)++ == 0)
        assert_true(fabs(r->roof_s / (first_bytes * 1e-9) - 1.0) < 1e-6);
    assert_true(r->roof_s > 0.0 && r->bytes_written > 0.0 && r->bytes_written < r->bytes);
    assert_true(r->least_multiply_adds == r->multiply_adds);
    assert_true(fabs(r->roof_share * r->fastest_s / r->roof_s - 1.0) < 1e-6);
    return true;
}

#ifdef MAXPOOL_HAVE_CJSON
/* Steps have events, and the first step has its share of the machine's limit in that time. */
static void expect_roofs_in_trace(const char *path)
{
    size_t size;
    int steps = 0;
    const cJSON *event;
    char *text = (char *)files_read(path, &size);
    cJSON *json = cJSON_Parse(text);
    cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(json, "traceEvents"))
    {
        const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(event, "args");
        if (!cJSON_GetObjectItemCaseSensitive(arguments, "step"))
            continue;
        const double share = number(arguments, "roof_share");
        if (steps++ == 0)
            assert_true(fabs(share * number(event, "dur") / (first_bytes * 1e-3) - 1.0) < 0.02);
        assert_true(share > 0.0);
    }
    assert_int_equal(steps, 2);
    cJSON_Delete(json);
    free(text);
}
#endif

static void roofs_are_recorded_and_traced(NO_STATE)
{
    int64_t rows = 0;
    struct failure f = {0};
    write_slow_ceilings();
    succeed("./network_serial --network mlp:800 --isa baseline --samples 2 --roof $DIR/slow.csv "
            "--record-layers $DIR/roofs.csv --trace $DIR/roofs.json");
    if (table_read(files_path("roofs.csv"), &layer_record_schema, see_roof, &rows, NULL, &f) !=
        STATUS_OK)
        fail_msg("%s", f.message);
    assert_int_equal(rows, 2);
#ifdef MAXPOOL_HAVE_CJSON
    expect_roofs_in_trace(files_path("roofs.json"));
#endif
}

/* ---- timeline ---------------------------------------------------------------------------------
 */

struct moments {
    int64_t rows;
    double last;
};

static bool see_moment(const void *row, int64_t line, void *context)
{
    const struct timeline_row *r = row;
    struct moments *seen = context;
    (void)line;
    assert_string_equal(r->label, "solar_cnn");
    assert_true(r->seconds > seen->last);
    assert_true(r->cpu_share >= 0.0 && r->cpu_share < 1000.0);
    assert_true(r->resident_bytes > 1e5);
    seen->last = r->seconds;
    seen->rows++;
    return true;
}

/* Rows are written as long as the program runs, whatever else the machine does. */
static void a_timeline_is_reported(NO_STATE)
{
    struct moments seen = {0};
    struct failure f = {0};
    succeed("./network_serial --network solar_cnn --image-size 12 --samples 10000000 --relative-ci "
            "0 --max-seconds 0.7 --verify none --timeline $DIR/timeline.csv");
    if (table_read(files_path("timeline.csv"), &timeline_schema, see_moment, &seen, NULL, &f) !=
        STATUS_OK)
        fail_msg("%s", f.message);
    assert_true(seen.rows >= 2 && seen.last >= 0.2);
}

static void what_cannot_be_written_is_reported(NO_STATE)
{
    static const char *const options[] = {"--trace missing/x.json", "--trace /dev/full",
                                          "--record-layers missing/x.csv",
                                          "--record-layers /dev/full", "--timeline missing/x.csv"};
    char command[256];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        snprintf(command, sizeof command, "./network_serial --network mlp:9 --samples 1 %s",
                 options[i]);
        struct outcome o = command_run("%s", command);
        if (o.status != 5 || !strstr(o.err, strchr(options[i], ' ') + 1))
            fail_msg("%s\n  status %d: %s", command, o.status, o.err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_recorded),
        cmocka_unit_test(errors_of_a_training_are_recorded),
        cmocka_unit_test(layers_are_those_of_whole_batches),
        cmocka_unit_test(events_of_threads_nest),
        cmocka_unit_test(events_of_ranks_nest),
        cmocka_unit_test(events_of_a_training_nest),
        cmocka_unit_test(roofs_are_recorded_and_traced),
        cmocka_unit_test(a_timeline_is_reported),
        cmocka_unit_test(what_cannot_be_written_is_reported),
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
