/* Several methods in one launch: the order of the methods, the contents of their rows, what is left
 * out, and how the fault of one method affects the others. */
#include "harness/base/clock.h"
#include "harness/point/sampling/noise.h"
#include "harness/point/sampling/rounds.h"
#include "harness/records/record.h"
#include "tests/harness/kept_rows.h"
#include "tests/support/command.h"
#include "tests/support/heap.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs `command --record FILE` in the folder of the programs and reads the rows of the file. No
 * method stops because of its time limit unless the command sets one, however busy the machine
 * is. */
static struct outcome run(const char *command, struct rows *rows)
{
    char line[1024], path[64];
    struct failure f = {0};
    snprintf(path, sizeof path, "%s/rows.csv", command_folder());
    remove(path);
    snprintf(line, sizeof line, "%s%s --record $DIR/rows.csv", command,
             strstr(command, "--samples") && !strstr(command, "--max-seconds")
                 ? " --max-seconds 600"
                 : "");
    struct outcome o = command_fed(NULL, line);
    if (rows) {
        rows->count = 0;
        if (record_read(path, keep_row, rows, NULL, &f) != STATUS_OK)
            fail_msg("%s: status %d\n%s%s", command, o.status, o.err, f.message);
    }
    return o;
}

static struct rows *rows_of(const char *command, int status)
{
    struct rows *rows = malloc(sizeof *rows);
    assert_non_null(rows);
    struct outcome o = run(command, rows);
    if (o.status != status)
        fail_msg("%s: status %d\n%s", command, o.status, o.err);
    return rows;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

/* The rows of one method are complete and in order, and only the last one gives the stop reason. */
static void check_method(const struct rows *rows, const char *method, int64_t warmup,
                         int64_t samples)
{
    int64_t seen = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &rows->items[i];
        if (strcmp(r->method, method) != 0)
            continue;
        const bool warm = seen < warmup;
        assert_int_equal(r->warmup, warm);
        assert_int_equal(r->sample, warm ? seen : seen - warmup);
        assert_string_equal(r->verified, "exact");
        assert_true(r->total_s > 0.0);
        seen++;
        assert_string_equal(r->stop_reason, seen == warmup + samples ? "samples" : "");
    }
    assert_int_equal(seen, warmup + samples);
}

static void every_method_has_all_its_rows(NO_STATE)
{
    static const char *const methods[] = {"literal", "simd", "direct"};
    struct rows *rows = rows_of("./maxpool_omp -t 2 -n 64 --method literal,simd,direct --samples 7 "
                                "--warmup 2 --relative-ci 0",
                                0);
    for (size_t i = 0; i < 3; i++)
        check_method(rows, methods[i], 2, 7);
    assert_int_equal(rows->count, 3 * 9);
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &rows->items[i];
        assert_string_equal(r->run_id, rows->items[0].run_id);
        assert_string_equal(r->company, "literal+simd+direct");
        assert_int_equal(r->turn, i % 3); /* rounds are complete, rows in the order of execution */
        assert_int_equal(r->sample, rows->items[i / 3 * 3].sample);
    }
    free(rows);
}

static void a_method_alone_has_no_turn(NO_STATE)
{
    struct rows *rows = rows_of("./maxpool_serial -n 64 --samples 2", 0);
    for (size_t i = 0; i < rows->count; i++) {
        assert_int_equal(rows->items[i].turn, RECORD_NO_INT);
        assert_string_equal(rows->items[i].company, "");
    }
    free(rows);
}

/* Writes the sequence of methods, row by row, as the first letters of their names. */
static void sequence(const char *command, char *out)
{
    struct rows *rows = rows_of(command, 0);
    for (size_t i = 0; i < rows->count; i++)
        *out++ = rows->items[i].method[0];
    *out = 0;
    free(rows);
}

static void the_order_is_drawn_by_the_seed(NO_STATE)
{
    char first[256], again[256], other[256];
    const char *command = "./maxpool_serial -n 64 --method literal,fused,simd,van_herk "
                          "--samples 12 --relative-ci 0 --seed 7";
    sequence(command, first);
    sequence(command, again);
    assert_string_equal(first, again);
    sequence("./maxpool_serial -n 64 --method literal,fused,simd,van_herk --samples 12 "
             "--relative-ci 0 --seed 8",
             other);
    assert_int_equal(strlen(first), strlen(other));
    assert_string_not_equal(first, other);
    int changes = 0;
    for (size_t i = 4; i < strlen(first); i += 4)
        changes += strncmp(first + i, first + i - 4, 4) != 0;
    assert_true(changes >= 6);
}

/* Every order occurs about equally often. */
static void orders_are_fair(NO_STATE)
{
    enum { TURNS = 6000, ITEMS = 3 };
    int often[ITEMS][ITEMS] = {{0}};
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        size_t items[ITEMS] = {0, 1, 2};
        rounds_shuffle(35, turn, items, ITEMS);
        assert_int_equal(items[0] + items[1] + items[2], 3);
        assert_int_equal(1u << items[0] | 1u << items[1] | 1u << items[2], 7);
        for (size_t place = 0; place < ITEMS; place++)
            often[place][items[place]]++;
    }
    for (size_t place = 0; place < ITEMS; place++)
        for (size_t item = 0; item < ITEMS; item++) /* 2000 +- 36; five sigma */
            assert_in_range(often[place][item], 1817, 2183);
}

/* ---- who takes part ---------------------------------------------------------------------------
 */

struct refused {
    const char *command;
    int status;
    const char *message;
};

static void methods_that_cannot_are_refused_where_named(NO_STATE)
{
    static const struct refused rows[] = {
        {"./maxpool_serial -n 8 --method literal,turbo", 2, "there is no 'turbo'"},
        {"./maxpool_serial -n 8 --method literal,,simd", 2, "there is no ''"},
        {"./maxpool_serial -n 8 --method simd,literal,simd", 2, "--method names 'simd' twice"},
        {"./maxpool_serial -n 8 --method all,all", 2, "--method names 'all' twice"},
        {"./maxpool_serial -n 8 --method literal,direct --filter random", 2,
         "--method direct takes the maximum alone: it needs the identity filter"},
        {"./maxpool_serial -n 8 --method all,direct --filter random", 2,
         "--method direct takes the maximum alone"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome o = run(rows[i].command, NULL);
        if (o.status != rows[i].status || !strstr(o.err, rows[i].message))
            fail_msg("%s: status %d, %s", rows[i].command, o.status, o.err);
    }
}

/* "all" means the methods of --list-methods, in that order; a method that is also named keeps its
 * named position. */
static void all_is_every_method_that_runs(NO_STATE)
{
    struct outcome listed =
        run_program("./maxpool_serial --list-methods | cut -d ' ' -f 1 | paste -s -d +", NULL);
    struct rows *rows = rows_of("./maxpool_serial -n 32 --method all --samples 1", 0);
    listed.out[strcspn(listed.out, "\n")] = 0;
    assert_string_equal(rows->items[0].company, listed.out);
    free(rows);
    rows = rows_of("./maxpool_serial -n 32 --method simd,all --samples 1", 0);
    assert_memory_equal(rows->items[0].company, "simd+literal+", 13);
    assert_null(strstr(rows->items[0].company + 1, "+simd"));
    free(rows);
}

static void all_leaves_out_what_cannot_and_says_so(NO_STATE)
{
    struct rows *rows = malloc(sizeof *rows);
    assert_non_null(rows);
    struct outcome o = run("./maxpool_serial -n 32 --method all --filter random --samples 1", rows);
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.err, "maxpool_serial: left out: --method direct takes the maximum "
                                  "alone"));
    assert_null(strstr(rows->items[0].company, "direct"));
    assert_non_null(strstr(rows->items[0].company, "literal+"));
    free(rows);
}

/* ---- faults and ends --------------------------------------------------------------------------
 */

/* A method that writes outside its map is wrong even if its map is right, alone or among other
 * methods; none of the others is blamed. */
static void a_method_that_writes_outside_is_wrong(NO_STATE)
{
    static const char *const methods[] = {"simd", "literal,simd,direct"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char command[160];
        struct rows *rows = malloc(sizeof *rows);
        assert_non_null(rows);
        snprintf(command, sizeof command,
                 "FAULT=outside ./wrong_serial -n 64 --method %s --samples 8 --relative-ci 0",
                 methods[i]);
        struct outcome o = run(command, rows);
        assert_int_equal(o.status, 1);
        assert_non_null(strstr(o.err, "wrong_serial: method simd: wrote outside its block at row "
                                      "31, column 32 of the map"));
        int wrong = 0;
        for (size_t r = 0; r < rows->count; r++) {
            const bool bad = strcmp(rows->items[r].verified, "wrong") == 0;
            wrong += bad;
            assert_int_equal(bad, strcmp(rows->items[r].stop_reason, "wrong") == 0);
            assert_true(!bad || strcmp(rows->items[r].method, "simd") == 0);
        }
        assert_int_equal(wrong, 1);
        free(rows);
    }
}

/* A wrong method is named and stops; the others continue. If it is the first method, no map is
 * written. */
static void a_wrong_method_stops_alone(NO_STATE)
{
    struct rows *rows = malloc(sizeof *rows);
    assert_non_null(rows);
    struct outcome o = run("./wrong_serial -n 64 --method literal,simd,direct --samples 8 "
                           "--relative-ci 0",
                           rows);
    assert_int_equal(o.status, 1);
    assert_non_null(strstr(o.err, "wrong_serial: method simd: wrong result at plane 0"));
    assert_non_null(strstr(o.out, "Verified      WRONG: simd\n"));
    assert_non_null(strstr(o.out, "the others exact: every value"));
    int wrong = 0, samples = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &rows->items[i];
        const bool bad = strcmp(r->verified, "wrong") == 0;
        wrong += bad;
        samples += !r->warmup && strcmp(r->method, "simd") != 0;
        assert_int_equal(bad, strcmp(r->stop_reason, "wrong") == 0);
        assert_true(!bad || strcmp(r->method, "simd") == 0);
    }
    assert_int_equal(wrong, 1);
    assert_int_equal(samples, 2 * 8);
    free(rows);
    o = run("./wrong_serial -n 64 --method simd,literal --samples 3 -o $DIR/none.npy; "
            "ls $DIR/none.npy; :",
            NULL);
    assert_string_equal(strstr(o.out, "none.npy") ? "written" : "", "");
}

/* The written map is the first method's, even if a wrong method was executed last, which happens
 * for some of the seeds. */
static void the_map_is_the_first_methods(NO_STATE)
{
    int last = 0;
    for (int seed = 1; seed <= 12; seed++) {
        char command[256];
        struct rows *rows = malloc(sizeof *rows);
        assert_non_null(rows);
        snprintf(command, sizeof command,
                 "./maxpool_serial -n 64 --seed %d --samples 1 -o $DIR/alone.npy", seed);
        struct outcome o = run(command, NULL);
        snprintf(command, sizeof command,
                 "./wrong_serial -n 64 --method literal,simd --seed %d --samples 1 -o $DIR/o.npy",
                 seed);
        o = run(command, rows);
        assert_int_equal(o.status, 1);
        last += strcmp(rows->items[rows->count - 1].verified, "wrong") == 0;
        free(rows);
        o = run("cmp $DIR/o.npy $DIR/alone.npy; :", NULL);
        assert_string_equal(o.out, "");
        assert_string_equal(o.err, "");
    }
    assert_true(last > 0);
}

/* If only a bound applies, a map of one method that was verified is not trusted for another
 * method. */
static void a_wrong_method_hides_behind_no_bound(NO_STATE)
{
    struct outcome o = run("./wrong_serial -n 64 --method literal,simd --samples 8 --relative-ci 0 "
                           "--filter random --max-value 16777216 --format csv",
                           NULL);
    assert_int_equal(o.status, 1);
    assert_non_null(strstr(o.err, "method simd: wrong result"));
    assert_non_null(strstr(o.out, ",bound,"));
    int rows = 0; /* of simd: a warm-up, and the first wrong execution */
    for (const char *at = o.out; (at = strstr(at, ",simd,")); at++)
        rows++;
    assert_int_equal(rows, 2);
}

/* Ctrl-C ends all methods after the current sample. */
static void an_interrupt_ends_all(NO_STATE)
{
    struct rows *rows =
        rows_of("$WHEN INT $DIR/rows.csv 8000 ./maxpool_serial -n 512 --method literal,simd "
                "--samples 100000 --max-seconds 600 --relative-ci 0",
                130);
    assert_true(rows->count > 4);
    for (size_t i = 0; i < rows->count; i++)
        assert_string_equal(rows->items[i].stop_reason, i + 1 < rows->count ? "" : "interrupted");
    free(rows);
}

/* Returns how many more timed samples the fast method took than the slow one, within the same time
 * limit for each. */
static int64_t samples_apart(void)
{
    struct rows *rows = rows_of("./maxpool_serial -n 256 --method literal,van_herk --max-seconds "
                                "0.05 --relative-ci 0 --samples 10000000",
                                0);
    int64_t samples[2] = {0};
    for (size_t i = 0; i < rows->count; i++)
        samples[strcmp(rows->items[i].method, "literal") == 0] += !rows->items[i].warmup;
    for (size_t i = rows->count; i-- > 0;)
        if (rows->items[i].stop_reason[0])
            assert_string_equal(rows->items[i].stop_reason, "seconds");
    free(rows);
    return samples[0] - samples[1];
}

/* Each method stops by its own rule: the time of one method does not count for another. If it did,
 * both would stop within a round of each other. If another program takes the core in the middle of
 * a sample, the fast method may stop early too, but not in every try. */
static void seconds_are_each_methods_own(NO_STATE)
{
    enum { TRIES = 30 };
    bool apart = false;
    for (int i = 0; i < TRIES && !apart; i++)
        apart = samples_apart() > 1;
    assert_true(apart);
}

/* If its share of the working set fits into a cache, a method is executed once, untimed, before
 * each timed sample; otherwise never. The method simd of wrong_serial goes wrong at its third
 * execution: its first timed sample, or its second. */
static void caches_are_as_the_method_leaves_them(NO_STATE)
{
    static const struct {
        const char *cache;
        int64_t timed;
    } rows[] = {{"67108864", 1}, {"4096", 2}};
    for (size_t i = 0; i < 2; i++) {
        char command[256];
        struct rows *found = malloc(sizeof *found);
        assert_non_null(found);
        snprintf(command, sizeof command,
                 "HWLOC_SYNTHETIC='Package:1 L3Cache:1(size=%s) L2Cache:1(size=1024) "
                 "L1dCache:1(size=1024) Core:1 PU:1' ./wrong_serial -n 64 --method literal,simd "
                 "--samples 6 --relative-ci 0",
                 rows[i].cache);
        struct outcome o = run(command, found);
        int64_t timed = 0;
        for (size_t j = 0; j < found->count; j++)
            timed += strcmp(found->items[j].method, "simd") == 0 && !found->items[j].warmup;
        const bool simulated = strstr(o.out, "L2 1 KiB") != NULL;
        free(found);
        if (!simulated)
            skip(); /* no hwloc */
        assert_int_equal(timed, rows[i].timed);
    }
}

/* ---- short executions -------------------------------------------------------------------------
 */

/* Executions of a nanosecond, which no clock resolves, are repeated within a sample; executions of
 * ten seconds are not, nor are any without a warm-up, from which the number of repeats is
 * derived. */
static void short_executions_are_batched(NO_STATE)
{
    static const struct {
        const char *command;
        double seconds;
        bool batched;
    } cases[] = {
        {"FAULT=1e-9 ./wrong_serial -n 2 --method literal,direct --samples 6", 1e-9, true},
        {"FAULT=10 ./wrong_serial -n 2 --method literal,direct --samples 6", 10.0, false},
        {"FAULT=1e-9 ./wrong_serial -n 2 --samples 6 --warmup 0", 1e-9, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rows *rows = rows_of(cases[i].command, 0);
        for (size_t row = 0; row < rows->count; row++) {
            const struct record *r = &rows->items[row];
            assert_int_equal(r->repeats > 1, cases[i].batched && !r->warmup);
            assert_true(r->total_s == cases[i].seconds);
        }
        free(rows);
    }
}

/* Recorded times are per execution, not per batch. */
static void batches_take_no_longer_than_the_program(NO_STATE)
{
    double seconds = 0.0;
    const double start = clock_now();
    struct rows *rows =
        rows_of("./maxpool_serial -n 2 --method literal,direct --samples 6 --relative-ci 0", 0);
    const double elapsed = clock_now() - start;
    for (size_t i = 0; i < rows->count; i++) {
        assert_true(rows->items[i].total_s > 0.0);
        seconds += rows->items[i].total_s * (double)rows->items[i].repeats;
    }
    assert_true(seconds <= elapsed);
    free(rows);
}

static void a_wait_in_the_warm_up_means_nothing(NO_STATE)
{
    struct rows *rows =
        rows_of("FAULT=waits ./wrong_serial -n 2 --method literal,direct --samples 2", 0);
    assert_true(rows->items[0].total_s >= 0.1);
    for (size_t i = 0; i < rows->count; i++)
        assert_int_equal(rows->items[i].repeats > 1, !rows->items[i].warmup);
    free(rows);
}

/* ---- what a reader sees -----------------------------------------------------------------------
 */

static void a_table_compares(NO_STATE)
{
    struct outcome o = run("./maxpool_serial -n 256 --method literal,simd --samples 6", NULL);
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "2 methods, interleaved"));
    assert_non_null(strstr(o.out, "times literal"));
    assert_non_null(strstr(o.out, "\n* simd "));
    assert_non_null(strstr(o.out, "\n  literal "));
    assert_non_null(strstr(o.out, "1 (1 .. 1)"));
}

static void json_is_an_array(NO_STATE)
{
    struct outcome o =
        run("./maxpool_serial -n 64 --method literal,simd --samples 6 --format json", NULL);
    if (o.status == 3) {
        skip();
    }
    assert_int_equal(o.status, 0);
    assert_int_equal(o.out[0], '[');
    assert_non_null(strstr(o.out, "\"method\":\t\"literal\""));
    assert_non_null(strstr(o.out, "\"method\":\t\"simd\""));
    assert_non_null(strstr(o.out, "\"times_first\""));
}

/* Memory holds one image and one map, whatever the number of methods, and at most 12 MiB more, part
 * of which is the code of nine methods. */
static void memory_holds_one_image(NO_STATE)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip();
#endif
    const long image = 64 << 10, map = 16 << 10, rest = 12 << 10; /* KiB */
    struct outcome o = run("exec ./maxpool_serial -n 4096 --method all --samples 1", NULL);
    assert_int_equal(o.status, 0);
    if (o.peak_kib > image + map + rest)
        fail_msg("%ld KiB, %ld allowed", o.peak_kib, image + map + rest);
}

/* ---- noise ------------------------------------------------------------------------------------
 */

static struct noise noise_in(const double *seconds, size_t count)
{
    struct phases timed[64];
    for (size_t i = 0; i < count; i++)
        timed[i] = (struct phases){.total_s = seconds[i]};
    const struct measurement m = {.timed = timed, .count = count};
    return noise_of(&m);
}

static void noise_is_reported_with_its_cause(NO_STATE)
{
    static const double quiet[] = {3.49, 3.5, 3.5, 3.51, 3.52, 3.55, 3.6, 3.7, 3.8, 4.5, 4.9};
    static const double kept[] = {3.49, 4.2, 5.1, 6.0, 6.9, 7.65, 8.1, 8.8, 9.4, 10.3, 11.0};
    static const double modes[] = {1.0, 1.01, 1.0,  0.99, 1.02, 1.0,  1.31,
                                   1.3, 1.29, 1.31, 1.3,  1.32, 1.01, 1.3};
    static const double lucky[] = {2.1, 3.5, 3.5, 3.51, 3.52, 3.55, 3.6, 3.7, 3.8, 4.5, 4.9};
    const struct machine machine = {.load = 2.5};
    char text[512];
    struct noise noise = noise_in(quiet, 11);
    assert_false(noise.seen);
    noise =
        noise_in(lucky, 11); /* one sample that was fast by chance says nothing about the others */
    assert_false(noise.seen);
    noise = noise_in(kept, 11);
    assert_true(noise.seen && !noise.modes.two);
    assert_true(fabs(noise.ratio - 7.65 / 4.2) < 1e-9);
    noise_text(&noise, text, sizeof text);
    assert_string_equal(text, "half of the samples took more than 1.82 times what the fastest "
                              "tenth takes");
    noise_remedy(&machine, "", text, sizeof text);
    assert_non_null(strstr(text, "something else was probably running (load 2.50"));
    noise_remedy(&machine, "16 ranks share 2 cores", text, sizeof text);
    assert_string_equal(text, "16 ranks share 2 cores and wait for each other: measure with no "
                              "more workers than cores");
    noise = noise_in(modes, 14);
    assert_true(noise.seen && noise.modes.two && noise.ratio < noise_ratio);
    noise_text(&noise, text, sizeof text);
    assert_string_equal(text, "50 % of the samples took 1.3 times as long as the others");
    noise = noise_in(kept, 5);
    assert_false(noise.seen);
}

/* Each constant selects the seconds of its column and the word that readers see. */
static void phases_are_found_by_constants(NO_STATE)
{
    static const struct {
        enum sample_phase phase;
        const char *column;
    } known[] = {
#define PHASE(constant, field, name, ...) {SAMPLE_##constant, name},
#include "harness/records/columns.inc"
    };
    struct phases phases = {
#define PHASE(constant, field, ...) .field = 100.0 + SAMPLE_##constant,
#include "harness/records/columns.inc"
    };
    assert_int_equal(sizeof known / sizeof *known, SAMPLE_PHASES);
    for (int i = 0; i < SAMPLE_PHASES; i++) {
        assert_int_equal(known[i].phase, i);
        assert_string_equal(phase_rows[i].column, known[i].column);
        assert_non_null(phase_rows[i].word);
        assert_int_not_equal(strncmp(phase_rows[i].word, "of it", 5),
                             0); /* the summary writes it */
        assert_true(phase_rows[i].is_part == (i == SAMPLE_PRODUCT || i == SAMPLE_FORWARD));
        assert_true(phase_seconds(&phases, known[i].phase) == 100.0 + i);
    }
    assert_string_equal(phase_rows[SAMPLE_TOTAL].column, "total_s");
    assert_true((phases.total_s = 7.0) == phase_seconds(&phases, SAMPLE_TOTAL));
}

/* The summary of the samples needs no memory, which may have run out by then. The qsort of the C
 * library may allocate a buffer, but can do without it. */
static void a_summary_needs_no_memory(NO_STATE)
{
    enum { SAMPLES = 100000 };
    static struct phases timed[SAMPLES];
    static double sorting[SAMPLES];
    const struct measurement m = {
        .timed = timed, .sorting = sorting, .count = SAMPLES, .capacity = SAMPLES};
    for (size_t i = 0; i < SAMPLES; i++)
        timed[i].total_s = 1.0 + (double)(i * 7919 % SAMPLES);
    heap_start();
    const struct summary total = measurement_phase(&m, SAMPLE_TOTAL);
    assert_true(heap_peak() <= sizeof sorting + 4096);
    assert_int_equal(total.n, SAMPLES);
    assert_true(total.minimum == 1.0 && total.maximum == (double)SAMPLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_are_found_by_constants),
        cmocka_unit_test(a_summary_needs_no_memory),
        cmocka_unit_test(every_method_has_all_its_rows),
        cmocka_unit_test(a_method_alone_has_no_turn),
        cmocka_unit_test(the_order_is_drawn_by_the_seed),
        cmocka_unit_test(orders_are_fair),
        cmocka_unit_test(methods_that_cannot_are_refused_where_named),
        cmocka_unit_test(all_is_every_method_that_runs),
        cmocka_unit_test(all_leaves_out_what_cannot_and_says_so),
        cmocka_unit_test(a_wrong_method_stops_alone),
        cmocka_unit_test(a_method_that_writes_outside_is_wrong),
        cmocka_unit_test(the_map_is_the_first_methods),
        cmocka_unit_test(a_wrong_method_hides_behind_no_bound),
        cmocka_unit_test(an_interrupt_ends_all),
        cmocka_unit_test(seconds_are_each_methods_own),
        cmocka_unit_test(caches_are_as_the_method_leaves_them),
        cmocka_unit_test(short_executions_are_batched),
        cmocka_unit_test(batches_take_no_longer_than_the_program),
        cmocka_unit_test(a_wait_in_the_warm_up_means_nothing),
        cmocka_unit_test(a_table_compares),
        cmocka_unit_test(json_is_an_array),
        cmocka_unit_test(memory_holds_one_image),
        cmocka_unit_test(noise_is_reported_with_its_cause),
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
