/* The ceilings of a machine and the roofs under them: known answers, files old and new, and the
 * measuring loops themselves. */
#include "experiments/ceilings/peaks.h"
#include "experiments/ceilings/roof.h"
#include "experiments/ceilings/streams.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a machine with round numbers ----------------------------------------------------------- */

static struct ceiling bandwidth(const char *what, const char *level, double bytes, double workers,
                                const char *stores, double rate)
{
    struct ceiling c = ceiling_blank();
    snprintf(c.what, sizeof c.what, "%s", what);
    snprintf(c.level, sizeof c.level, "%s", level);
    snprintf(c.stores, sizeof c.stores, "%s", stores);
    c.bytes = bytes;
    c.workers = workers;
    c.bandwidth = (struct rate){rate, 0.9 * rate, 1.1 * rate};
    return c;
}

static struct ceiling arithmetic(const char *what, const char *isa, double workers, double rate)
{
    struct ceiling c = ceiling_blank();
    snprintf(c.what, sizeof c.what, "%s", what);
    snprintf(c.isa, sizeof c.isa, "%s", isa);
    c.workers = workers;
    c.operations = (struct rate){rate, 0.9 * rate, 1.1 * rate};
    return c;
}

enum { ROWS = 16 };

/* One cache of 1000 bytes a worker and a memory. Wide: multiply-adds and maxima share units, 10 of
 * either a second; split: they have their own, 10 of each a second. */
static struct ceilings small_machine(struct ceiling rows[ROWS])
{
    const struct ceiling all[] = {
        bandwidth("read", "L1", 1000.0, 1.0, "", 400.0),
        bandwidth("copy", "L1", 1000.0, 1.0, "ordinary", 200.0),
        bandwidth("copy", "L1", 1000.0, 1.0, "streaming", 10.0),
        bandwidth("read", "memory", NAN, 1.0, "", 40.0),
        bandwidth("pool", "memory", NAN, 1.0, "ordinary", 25.0),
        bandwidth("copy", "memory", NAN, 1.0, "ordinary", 10.0),
        bandwidth("copy", "memory", NAN, 1.0, "streaming", 20.0),
        bandwidth("read", "L1", 2000.0, 2.0, "", 800.0),
        bandwidth("read", "memory", NAN, 2.0, "", 60.0),
        arithmetic("multiply_add", "wide", 1.0, 20.0),
        arithmetic("maximum", "wide", 1.0, 10.0),
        arithmetic("product", "wide", 1.0, 50.0 / 3.0),
        arithmetic("multiply_add", "split", 1.0, 20.0),
        arithmetic("maximum", "split", 1.0, 10.0),
        arithmetic("product", "split", 1.0, 25.0),
    };
    _Static_assert(sizeof all / sizeof *all < ROWS, "room for all rows");
    memcpy(rows, all, sizeof all);
    return (struct ceilings){rows, sizeof all / sizeof *all};
}

static void near(double value, double truth)
{
    if (!(fabs(value - truth) <= 1e-9 * fabs(truth)))
        fail_msg("%.12g is not %.12g", value, truth);
}

/* ---- ceilings ------------------------------------------------------------------------------- */

static void bandwidth_follows_the_share_written(void **state)
{
    (void)state;
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    const struct ceiling *memory = ceilings_level(&c, 5000.0, 1.0);
    const struct ceiling *l1 = ceilings_level(&c, 1000.0, 1.0);
    assert_string_equal(memory->level, "memory");
    assert_string_equal(l1->level, "L1");
    near(ceilings_bandwidth(&c, memory, 0.0, RATE_VALUE), 40.0);
    near(ceilings_bandwidth(&c, memory, 0.2, RATE_VALUE), 25.0);
    near(ceilings_bandwidth(&c, memory, 0.5, RATE_VALUE), 20.0); /* streaming stores, the faster */
    near(ceilings_bandwidth(&c, memory, 0.9, RATE_VALUE), 20.0);
    near(ceilings_bandwidth(&c, memory, 0.1, RATE_VALUE), 2.0 / (1.0 / 40.0 + 1.0 / 25.0));
    near(ceilings_bandwidth(&c, l1, 0.25, RATE_VALUE), 2.0 / (1.0 / 400.0 + 1.0 / 200.0));
    near(ceilings_bandwidth(&c, memory, 0.0, RATE_UPPER), 44.0);
}

static void levels_are_those_of_the_workers(void **state)
{
    (void)state;
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    /* Two workers' caches hold 1500 bytes, one worker's do not. */
    assert_string_equal(ceilings_level(&c, 1500.0, 1.0)->level, "memory");
    assert_string_equal(ceilings_level(&c, 1500.0, 2.0)->level, "L1");
    assert_null(ceilings_level(&c, 1500.0, 3.0));
    assert_null(ceilings_level(&c, 1500.0, NAN));
    assert_null(ceilings_level(NULL, 1500.0, 1.0));
}

static void warm_caches_count_for_the_least(void **state)
{
    (void)state;
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    near(ceilings_least_seconds(&c, 500.0, 1.0, 0.0), 500.0 / 440.0);
    near(ceilings_least_seconds(&c, 1400.0, 1.0, 0.0), 1000.0 / 440.0 + 400.0 / 44.0);
    near(ceilings_least_seconds(&c, 1400.0, 3.0, 0.0), 0.0);
}

static void mixtures_know_what_units_they_share(void **state)
{
    (void)state;
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    static const struct {
        double multiply_adds, maxima, shared, split;
    } mixtures[] = {{100, 0, 10, 10}, {0, 100, 10, 10}, {100, 50, 15, 10},
                    {80, 20, 10, 8},  {30, 60, 9, 6},   {0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof mixtures / sizeof *mixtures; i++) {
        const double f = mixtures[i].multiply_adds, m = mixtures[i].maxima;
        near(ceilings_arithmetic(&c, f, m, 1.0, "wide", RATE_VALUE), mixtures[i].shared);
        near(ceilings_arithmetic(&c, f, m, 1.0, "split", RATE_VALUE), mixtures[i].split);
    }
    assert_true(isnan(ceilings_arithmetic(&c, 1, 1, 1.0, "other", RATE_VALUE)));
    assert_true(isnan(ceilings_arithmetic(&c, 1, 1, 2.0, "wide", RATE_VALUE)));
}

static char path[] = "/tmp/maxpool_roof_XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void ceilings_come_back(void **state)
{
    (void)state;
    struct ceiling rows[ROWS];
    struct ceilings c = small_machine(rows), read;
    struct failure f = {0};
    assert_int_equal(ceilings_write(&c, path, &f), STATUS_OK);
    assert_int_equal(ceilings_read(&read, path, &f), STATUS_OK);
    assert_int_equal(read.count, c.count);
    for (size_t i = 0; i < c.count; i++) {
        assert_string_equal(read.rows[i].what, rows[i].what);
        assert_string_equal(read.rows[i].level, rows[i].level);
        assert_string_equal(read.rows[i].stores, rows[i].stores);
        assert_string_equal(read.rows[i].isa, rows[i].isa);
        assert_true(read.rows[i].workers == rows[i].workers);
        assert_true(isnan(rows[i].bytes) ? isnan(read.rows[i].bytes)
                                         : read.rows[i].bytes == rows[i].bytes);
        if (rows[i].level[0]) {
            near(read.rows[i].bandwidth.value, rows[i].bandwidth.value);
            near(read.rows[i].bandwidth.upper, rows[i].bandwidth.upper);
            assert_true(isnan(read.rows[i].operations.value));
        } else if (fabs(read.rows[i].operations.lower / rows[i].operations.lower - 1.0) > 1e-8) {
            fail_msg("row %zu: %.12g", i, read.rows[i].operations.lower);
        }
    }
    ceilings_release(&read);
}

/* A file of the version that knew reading alone. */
static void old_files_are_read(void **state)
{
    (void)state;
    struct ceilings read;
    struct failure f = {0};
    FILE *file = fopen(path, "w");
    fputs("level,bytes,workers,bandwidth_bytes_per_s,lower_bytes_per_s,upper_bytes_per_s\n"
          "L1,1000,1,400,390,410\nmemory,,1,40,39,41\n",
          file);
    fclose(file);
    assert_int_equal(ceilings_read(&read, path, &f), STATUS_OK);
    assert_int_equal(read.count, 2);
    const struct ceiling *memory = ceilings_level(&read, 2000.0, 1.0);
    assert_string_equal(memory->what, "read");
    near(ceilings_bandwidth(&read, memory, 0.5, RATE_VALUE), 40.0);
    assert_true(isnan(ceilings_arithmetic(&read, 1, 1, 1.0, "wide", RATE_VALUE)));
    ceilings_release(&read);
}

static void the_highest_ever_seen_stays(void **state)
{
    (void)state;
    struct ceiling now_rows[ROWS], before_rows[ROWS];
    struct ceilings now = small_machine(now_rows), before = small_machine(before_rows);
    before_rows[0].bandwidth.value = 500.0; /* higher then: stays */
    before_rows[3].bandwidth.value = 30.0;  /* lower then: gone */
    before_rows[6].bandwidth.value = 90.0;  /* streaming stores alone */
    before_rows[9].operations.value = 99.0; /* wide alone */
    before_rows[0].isa[0] = 'x';            /* a bandwidth is one in whatever set it was measured */
    ceilings_keep_higher(&now, &before);
    near(now_rows[0].bandwidth.value, 500.0);
    near(now_rows[3].bandwidth.value, 40.0);
    near(now_rows[5].bandwidth.value, 10.0);
    near(now_rows[6].bandwidth.value, 90.0);
    near(now_rows[9].operations.value, 99.0);
    near(now_rows[12].operations.value, 20.0);
}

/* ---- needs and roofs ------------------------------------------------------------------------ */

static struct record pooling(int64_t n, int64_t k, int64_t s, int64_t p)
{
    struct record r = record_empty();
    snprintf(r.operator_name, sizeof r.operator_name, "maxpool");
    r.planes = 1;
    r.rows = r.cols = n;
    r.kernel = k;
    r.stride = s;
    r.padding = p;
    return r;
}

static void holds(const struct need *n, double read, double written, double multiply_adds,
                  double maxima)
{
    near(n->bytes_read, 4.0 * read);
    near(n->bytes_written, 4.0 * written);
    near(n->least.multiply_adds, multiply_adds);
    near(n->least.maxima, maxima);
}

static void needs_are_counted(void **state)
{
    (void)state;
    struct record r = pooling(8, 2, 2, 0);
    struct need n = need_of(&r, true);
    holds(&n, 64, 16, 16 * 8, 16 * 3); /* k^3 and k^2 - 1 for each of 16 windows */
    near(n.apart.multiply_adds, 16 * 8);
    near(n.apart.maxima, 16 * 3);
    near(arithmetic_operations(&n.least), 16 * 19);
    n = need_of(&r, false);
    holds(&n, 64, 16, 0, 16 * 3);
    r = pooling(8, 3, 1, 0);
    n = need_of(&r, true); /* 36 windows; 8 rows x 6 columns of row products; 2 windows high */
    holds(&n, 64, 36, 9 * 48, 2 * 48 + 2 * 2 * 6);
    near(n.apart.multiply_adds, 36 * 27);
    near(n.apart.maxima, 36 * 8);
    n = need_of(&r, false);
    holds(&n, 64, 36, 0, 4 * 8); /* 2 x 2 windows share no cells */
    r = pooling(9, 2, 4, 0);     /* cells between the windows are not touched */
    n = need_of(&r, true);
    holds(&n, 16, 4, 4 * 8, 4 * 3);
    r = pooling(8, 3, 2, 1); /* windows begin at -1, 1, 3, 5 */
    n = need_of(&r, false);
    holds(&n, 64, 16, 0, 4 * 8);
    r.planes = 3;
    n = need_of(&r, false);
    holds(&n, 192, 48, 0, 12 * 8);
    snprintf(r.operator_name, sizeof r.operator_name, "matmul");
    r.rows = 5;
    n = need_of(&r, true);
    holds(&n, 40 + 64, 40, 5 * 64, 0);
    r.rows = RECORD_NO_INT;
    n = need_of(&r, true);
    assert_true(isnan(need_bytes(&n)));
}

static void roofs_are_the_longer_of_both(void **state)
{
    (void)state;
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    struct record r = pooling(8, 2, 2, 0); /* 320 bytes, a share of 0.2 written; 128 + 48 */
    struct need n = need_of(&r, true);
    struct roof roof = roof_of(&c, &n, 1.0, "wide");
    assert_string_equal(roof.level, "L1");
    near(roof.traffic_s, 320.0 * (0.6 / 400.0 + 0.4 / 200.0));
    near(roof.arithmetic_s, 17.6);
    near(roof.seconds, 17.6);
    near(roof.apart_s, 17.6);
    near(roof.least_s, 16.0);
    n = need_of(&r, false);
    roof = roof_of(&c, &n, 1.0, "wide");
    near(roof.seconds, 4.8);
    r = pooling(8, 3, 1, 0);
    n = need_of(&r, true);
    roof = roof_of(&c, &n, 1.0, "split");
    near(roof.seconds, 43.2); /* shared row products */
    near(roof.apart_s, 97.2); /* each window by itself */
    r = pooling(1000, 2, 2, 0);
    n = need_of(&r, false);
    roof = roof_of(&c, &n, 1.0, "wide");
    assert_string_equal(roof.level, "memory");
    near(roof.traffic_s, 5e6 / 25.0);
    near(roof.seconds, 2e5);
    assert_true(roof.least_s < roof.seconds);
    roof =
        roof_of(&c, &n, 1.0, "other"); /* no peaks of it: the roof is unknown, the least is not */
    assert_true(isnan(roof.seconds) && isnan(roof.apart_s));
    assert_true(roof.least_s > 0.0);
    roof = roof_of(NULL, &n, 1.0, "wide");
    assert_true(isnan(roof.seconds) && isnan(roof.least_s));
}

/* ---- measuring ------------------------------------------------------------------------------ */

static void every_loop_does_its_work(void **state)
{
    (void)state;
    enum { FLOATS = 4 * LOOP_STEP };
    _Alignas(64) static float image[FLOATS], map[FLOATS + 16];
    for (size_t pass = 0; pass < stream_pass_count; pass++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
            if (isa_missing(isa) || !stream_passes[pass].run[isa])
                continue;
            for (int i = 0; i < FLOATS; i++)
                image[i] = (float)(i % 61);
            for (int i = 0; i < FLOATS + 16; i++)
                map[i] = -1.0f;
            image[777] = 99.0f; /* read must see it, wherever it lies */
            const float seen = stream_passes[pass].run[isa](image, map, FLOATS);
            const double share = stream_passes[pass].write_share;
            const int written = (int)(FLOATS * share / (1.0 - share) + 0.5);
            for (int i = 0; i < FLOATS + 16; i++)
                if ((map[i] != -1.0f) != (i < written))
                    fail_msg("%s %s in %s: cell %d of the map", stream_passes[pass].what,
                             stream_passes[pass].stores, isa_name(isa), i);
            if (written == 0)
                assert_true(seen == 99.0f);
            if (written == FLOATS)
                assert_memory_equal(map, image, sizeof image);
        }
    for (size_t peak = 0; peak < peak_count; peak++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
            float values[LOOP_VALUES];
            for (int i = 0; i < LOOP_VALUES; i++)
                values[i] = (float)(i + 1) / 64.0f;
            if (isa_missing(isa) || !peaks[peak].run[isa])
                continue;
            const double once = peaks[peak].run[isa](1, values);
            assert_true(once >= 12.0);
            assert_true(peaks[peak].run[isa](5, values) == 5.0 * once);
            assert_true(values[0] > 1.0f / 64.0f && values[0] <= 1.0f);
        }
}

static void measuring_gives_rates(void **state)
{
    (void)state;
    const struct stream_level level = {"L1", 32768, 16384};
    struct failure f = {0};
    struct summary seconds;
    double amount = 0.0;
    for (size_t pass = 0; pass < stream_pass_count; pass++) {
        assert_int_equal(stream_measure(&level, pass, 2, &amount, &seconds, &f), STATUS_OK);
        assert_true(amount > 0.9 * 2 * 16384 && amount <= 2 * 16384);
        assert_true(seconds.median > 0.0 && seconds.lower <= seconds.median);
    }
    assert_int_equal(peak_measure(0, ISA_BASELINE, 2, &amount, &seconds, &f), STATUS_OK);
    assert_true(amount >= 2.0 * 12.0 * 2.0 * 1000.0 && seconds.median > 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bandwidth_follows_the_share_written),
        cmocka_unit_test(levels_are_those_of_the_workers),
        cmocka_unit_test(warm_caches_count_for_the_least),
        cmocka_unit_test(mixtures_know_what_units_they_share),
        cmocka_unit_test(ceilings_come_back),
        cmocka_unit_test(old_files_are_read),
        cmocka_unit_test(the_highest_ever_seen_stays),
        cmocka_unit_test(needs_are_counted),
        cmocka_unit_test(roofs_are_the_longer_of_both),
        cmocka_unit_test(every_loop_does_its_work),
        cmocka_unit_test(measuring_gives_rates),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
