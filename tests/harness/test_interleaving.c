/* Interleaved methods: fair orders, the noise of their samples, and their summary. Their command
 * lines: test_interleaving_cli.py. */
#include "harness/point/sampling/noise.h"
#include "harness/point/sampling/rounds.h"
#include "tests/support/heap.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <string.h>

/* Every order occurs about equally often. */
TEST(orders_are_fair)
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

static struct noise noise_in(const double *seconds, size_t count)
{
    struct phases timed[64];
    for (size_t i = 0; i < count; i++)
        timed[i] = (struct phases){.total_s = seconds[i]};
    const struct measurement m = {.timed = timed, .count = count};
    return noise_of(&m);
}

TEST(noise_is_reported_with_its_cause)
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
TEST(phases_are_found_by_constants)
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
TEST(a_summary_needs_no_memory)
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
