/* The ceilings of a machine and the roofs below them: known answers, old and new files, and the
 * measuring loops themselves. */
#include "classroom/lab/lab.h"
#include "experiments/limits/ceilings_file.h"
#include "experiments/limits/limit_interval.h"
#include "experiments/limits/roof.h"
#include "experiments/limits/survey.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- a machine with round numbers ----------------------------------------------------------- */

/* A bandwidth measured with a working set of `set` bytes; bandwidth() uses half of the level's
 * size. */
static struct ceiling bandwidth_at(const char *what, const char *level, double bytes, double set,
                                   double workers, const char *stores, double rate)
{
    struct ceiling c = ceiling_blank();
    snprintf(c.what, sizeof c.what, "%s", what);
    snprintf(c.level, sizeof c.level, "%s", level);
    snprintf(c.stores, sizeof c.stores, "%s", stores);
    c.bytes = bytes;
    c.working_set = set;
    c.workers = workers;
    c.bandwidth = (struct rate){rate, 0.9 * rate, 1.1 * rate, rate, 1.1 * rate};
    return c;
}

static struct ceiling bandwidth(const char *what, const char *level, double bytes, double workers,
                                const char *stores, double rate)
{
    const double set = isnan(bytes) ? 1200.0 * workers : 0.5 * bytes;
    return bandwidth_at(what, level, bytes, set, workers, stores, rate);
}

static struct ceiling arithmetic(const char *what, const char *isa, double workers, double rate)
{
    struct ceiling c = ceiling_blank();
    snprintf(c.what, sizeof c.what, "%s", what);
    snprintf(c.isa, sizeof c.isa, "%s", isa);
    c.workers = workers;
    c.operations = (struct rate){rate, 0.9 * rate, 1.1 * rate, rate, 1.1 * rate};
    return c;
}

enum { ROWS = 16 };

/* One cache of 1000 bytes per worker, and a memory. "wide": multiply-adds and maxima share units,
 * together 10 a second; "split": each has its own units, 10 a second of each. */
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

TEST(bandwidth_follows_the_share_written)
{
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    near(rates_bandwidth(&c, 5000.0, 1.0, 0.0, RATE_VALUE), 40.0);
    near(rates_bandwidth(&c, 5000.0, 1.0, 0.2, RATE_VALUE), 25.0);
    near(rates_bandwidth(&c, 5000.0, 1.0, 0.5, RATE_VALUE), 20.0); /* streaming, the faster */
    near(rates_bandwidth(&c, 5000.0, 1.0, 0.9, RATE_VALUE), 20.0);
    near(rates_bandwidth(&c, 5000.0, 1.0, 0.1, RATE_VALUE), 2.0 / (1.0 / 40.0 + 1.0 / 25.0));
    near(rates_bandwidth(&c, 5000.0, 1.0, 0.0, RATE_UPPER), 44.0);
    assert_true(isnan(rates_bandwidth(&c, 5000.0, 3.0, 0.0, RATE_VALUE)));
    assert_true(isnan(rates_bandwidth(&c, 5000.0, NAN, 0.0, RATE_VALUE)));
    assert_true(isnan(rates_bandwidth(NULL, 5000.0, 1.0, 0.0, RATE_VALUE)));
}

/* Sizes of 500 and 1200 bytes were measured: the rate of each holds from that size on, and the
 * smallest one's for smaller sets too. */
TEST(a_size_speaks_for_what_is_larger)
{
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    near(rates_bandwidth(&c, 10.0, 1.0, 0.0, RATE_VALUE), 400.0);
    near(rates_bandwidth(&c, 500.0, 1.0, 0.0, RATE_VALUE), 400.0);
    near(rates_bandwidth(&c, 1199.0, 1.0, 0.0, RATE_VALUE), 400.0);
    near(rates_bandwidth(&c, 1200.0, 1.0, 0.0, RATE_VALUE), 40.0);
    near(rates_next_size(&c, 0.0, 1.0), 500.0);
    near(rates_next_size(&c, 500.0, 1.0), 1200.0);
    assert_true(isinf(rates_next_size(&c, 1200.0, 1.0)));
}

/* The curve takes a size that was measured in a bad moment as fast as the next larger one. */
TEST(the_curve_never_rises)
{
    struct ceiling rows[] = {bandwidth_at("read", "L1", 4e4, 1e4, 1.0, "", 100.0),
                             bandwidth_at("read", "L2", 4e5, 1e5, 1.0, "", 7.0),
                             bandwidth_at("read", "L2", 4e5, 2e5, 1.0, "", 50.0),
                             bandwidth_at("read", "memory", NAN, 1e6, 1.0, "", 10.0)};
    const struct ceilings c = {rows, 4};
    double before = INFINITY;
    for (int step = 0; step < 44; step++) { /* 1 kB to 80 MB */
        const double set = 1e3 * pow(1.3, step);
        const double rate = rates_bandwidth(&c, set, 1.0, 0.0, RATE_VALUE);
        assert_true(rate <= before);
        before = rate;
    }
    near(rates_bandwidth(&c, 1.5e5, 1.0, 0.0, RATE_VALUE), 50.0);
    near(before, 10.0);
}

TEST(levels_only_label)
{
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    /* Two workers' caches hold 1500 bytes, one worker's do not. */
    assert_string_equal(rates_level(&c, 1500.0, 1.0), "memory");
    assert_string_equal(rates_level(&c, 1500.0, 2.0), "L1");
    assert_string_equal(rates_level(&c, 1500.0, 3.0), "");
    assert_string_equal(rates_level(&c, 1500.0, NAN), "");
    assert_string_equal(rates_level(NULL, 1500.0, 1.0), "");
    for (size_t i = 0; i < c.count; i++) /* read of L1 and of memory for one worker and for two */
        if (!ceiling_is_peak(&rows[i]))
            assert_int_equal(rates_is_line(&c, &rows[i]), strcmp(rows[i].what, "read") == 0);
}

/* Of the many sizes of a curve, one per level is drawn: half of a cache, and the largest in
 * memory. */
TEST(half_of_a_cache_stands_for_it)
{
    struct ceiling rows[] = {bandwidth_at("read", "L1", 4e4, 1e4, 1.0, "", 100.0),
                             bandwidth_at("read", "L1", 4e4, 2e4, 1.0, "", 90.0),
                             bandwidth_at("copy", "L1", 4e4, 2e4, 1.0, "ordinary", 95.0),
                             bandwidth_at("read", "L1", 4e4, 4e4, 1.0, "", 80.0),
                             bandwidth_at("read", "L2", 5e4, 4.5e4, 1.0, "", 60.0),
                             bandwidth_at("read", "memory", NAN, 8e4, 1.0, "", 50.0),
                             bandwidth_at("read", "memory", NAN, 1.6e5, 1.0, "", 10.0)};
    static const bool stands[] = {false, true, true, false, true, false, true};
    static const bool line[] = {false, false, true, false, true, false, true};
    const struct ceilings c = {rows, sizeof rows / sizeof *rows};
    for (size_t i = 0; i < c.count; i++) {
        assert_int_equal(rates_stands_for_level(&c, &rows[i]), stands[i]);
        assert_int_equal(rates_is_line(&c, &rows[i]), line[i]);
    }
}

TEST(warm_caches_count_for_the_least)
{
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    near(least_traffic_s(&c, 500.0, 1.0, 0.0), 500.0 / 440.0);
    near(least_traffic_s(&c, 1400.0, 1.0, 0.0), 1200.0 / 440.0 + 200.0 / 44.0);
    near(least_traffic_s(&c, 1400.0, 3.0, 0.0), 0.0);
    near(least_traffic_s(NULL, 1400.0, 1.0, 0.0), 0.0);
}

TEST(mixtures_know_what_units_they_share)
{
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    static const struct {
        double multiply_adds, maxima, shared, split;
    } mixtures[] = {{100, 0, 10, 10}, {0, 100, 10, 10}, {100, 50, 15, 10},
                    {80, 20, 10, 8},  {30, 60, 9, 6},   {0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof mixtures / sizeof *mixtures; i++) {
        const double f = mixtures[i].multiply_adds, m = mixtures[i].maxima;
        near(least_arithmetic_s(&c, f, m, 1.0, "wide", RATE_VALUE), mixtures[i].shared);
        near(least_arithmetic_s(&c, f, m, 1.0, "split", RATE_VALUE), mixtures[i].split);
    }
    assert_true(isnan(least_arithmetic_s(&c, 1, 1, 1.0, "other", RATE_VALUE)));
    assert_true(isnan(least_arithmetic_s(&c, 1, 1, 2.0, "wide", RATE_VALUE)));
}

static char path[] = "/tmp/maxpool_roof_XXXXXX";

static int make_file(NO_STATE)
{
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(NO_STATE)
{
    return unlink(path);
}

TEST(ceilings_come_back)
{
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

static void put_text(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A row of 41 samples from one visit: 47 to 48, and the highest, by luck, 76. */
TEST(the_luckiest_sample_is_no_ceiling)
{
    struct ceilings read;
    struct failure f = {0};
    put_text("level,bytes,workers,bandwidth_bytes_per_s,lower_bytes_per_s,upper_bytes_per_s,what,"
             "working_set_bytes,median_bytes_per_s\n"
             "memory,,1,76,47,48,read,1000,47.5\n");
    assert_int_equal(ceilings_read(&read, path, &f), STATUS_OK);
    near(rates_bandwidth(&read, 1e4, 1.0, 0.0, RATE_VALUE), 48.0);
    near(rates_bandwidth(&read, 1e4, 1.0, 0.0, RATE_LOWER), 47.5);
    near(rates_bandwidth(&read, 1e4, 1.0, 0.0, RATE_UPPER), 76.0);
    near(rates_bandwidth(&read, 1e4, 1.0, 0.0, RATE_HIGHEST), 76.0);
    /* after rewriting, it is not taken for an old row again */
    assert_int_equal(ceilings_write(&read, path, &f), STATUS_OK);
    ceilings_release(&read);
    assert_int_equal(ceilings_read(&read, path, &f), STATUS_OK);
    near(read.rows[0].bandwidth.value, 48.0);
    near(read.rows[0].bandwidth.median, 47.5);
    near(read.rows[0].bandwidth.highest, 76.0);
    ceilings_release(&read);
}

/* A file of the version that knew only reading. */
TEST(old_files_are_read)
{
    struct ceilings read;
    struct failure f = {0};
    FILE *file = fopen(path, "w");
    fputs("level,bytes,workers,bandwidth_bytes_per_s,lower_bytes_per_s,upper_bytes_per_s\n"
          "L1,1000,1,400,390,410\nmemory,,1,40,39,41\n",
          file);
    fclose(file);
    assert_int_equal(ceilings_read(&read, path, &f), STATUS_OK);
    assert_int_equal(read.count, 2);
    near(read.rows[0].working_set, 500.0);
    near(read.rows[1].working_set, 256.0 * 1024.0 * 1024.0);
    near(rates_bandwidth(&read, 2000.0, 1.0, 0.5, RATE_VALUE), 400.0);
    near(rates_bandwidth(&read, 1e9, 1.0, 0.5, RATE_VALUE), 40.0);
    assert_true(isnan(least_arithmetic_s(&read, 1, 1, 1.0, "wide", RATE_VALUE)));
    ceilings_release(&read);
}

/* A full disk left an empty file or half a header: nothing was measured yet. A file that never was
 * one of ceilings is reported. */
TEST(broken_files)
{
    static const char *const nothing[] = {"", "level,bytes,wor"};
    struct ceilings read;
    struct failure f = {0};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        put_text(nothing[i]);
        assert_int_equal(ceilings_read(&read, path, &f), STATUS_OK);
        assert_int_equal(read.count, 0);
    }
    put_text("a,stranger's,file\n1,2,3\n");
    assert_int_equal(ceilings_read(&read, path, &f), STATUS_USAGE);
    assert_true(strstr(f.message, path) != NULL);
    assert_null(read.rows);
}

/* If the new file cannot be written, the old one is kept. */
TEST(a_failed_writing_loses_nothing)
{
    struct ceiling rows[ROWS];
    struct ceilings c = small_machine(rows), read;
    struct failure f = {0};
    char missing[300];
    assert_int_equal(ceilings_write(&c, path, &f), STATUS_OK);
    snprintf(missing, sizeof missing, "%s.d/ceilings.csv", path);
    assert_int_equal(ceilings_write(&c, missing, &f), STATUS_OUTPUT);
    c.count = 3;
    struct rlimit old, none;
    getrlimit(RLIMIT_FSIZE, &old);
    none = old;
    none.rlim_cur = 64; /* limit of any file's size in bytes, as on a full disk */
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    const enum status status = ceilings_write(&c, path, &f);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, STATUS_OUTPUT);
    assert_int_equal(ceilings_read(&read, path, &f), STATUS_OK);
    assert_int_equal(read.count, sizeof rows / sizeof *rows - 1);
    ceilings_release(&read);
}

static struct ceilings copy_of(const struct ceilings *c, const char *host)
{
    struct ceilings copy = {0};
    struct failure f = {0};
    for (size_t i = 0; i < c->count; i++) {
        struct ceiling row = c->rows[i];
        snprintf(row.host, sizeof row.host, "%s", host);
        assert_int_equal(ceilings_add(&copy, &row, &f), STATUS_OK);
    }
    return copy;
}

static void put_rate(struct rate *rate, double value)
{
    *rate = (struct rate){value, 0.9 * value, 1.1 * value, value, 1.1 * value};
}

/* A faster rate of an earlier run is kept if it exceeds both intervals, which extend a tenth to
 * either side. */
TEST(what_was_seen_to_be_faster_stays)
{
    struct ceiling rows[ROWS];
    const struct ceilings small = small_machine(rows);
    struct failure f = {0};
    struct ceilings now = copy_of(&small, "here"), before = copy_of(&small, "here");
    put_rate(&before.rows[0].bandwidth, 500.0); /* faster before: kept */
    put_rate(&before.rows[1].bandwidth, 220.0); /* higher, but the intervals overlap: dropped */
    put_rate(&before.rows[3].bandwidth, 30.0);  /* slower before: dropped */
    put_rate(&before.rows[6].bandwidth, 90.0);  /* streaming stores only */
    put_rate(&before.rows[9].operations, 99.0); /* "wide" only */
    before.rows[0].isa[0] = 'x';       /* a bandwidth does not depend on the instruction set */
    before.rows[8].working_set *= 2.0; /* a size that was not measured again: added */
    assert_int_equal(ceilings_keep_faster(&now, &before, &f), STATUS_OK);
    assert_int_equal(now.count, small.count + 1);
    near(now.rows[0].bandwidth.value, 500.0);
    near(now.rows[1].bandwidth.value, 200.0);
    near(now.rows[3].bandwidth.value, 40.0);
    near(now.rows[5].bandwidth.value, 10.0);
    near(now.rows[6].bandwidth.value, 90.0);
    near(now.rows[9].operations.value, 99.0);
    near(now.rows[12].operations.value, 20.0);
    near(now.rows[small.count].working_set, 2.0 * rows[8].working_set);
    ceilings_release(&now);
    ceilings_release(&before);
}

/* A ceiling's row of `visits` visits, with an interval of a tenth to either side or without one. */
static struct ceiling seen_in(double visits, double value, bool interval)
{
    struct ceiling c = bandwidth("read", "memory", NAN, 1.0, "", value);
    if (!interval)
        c.bandwidth = (struct rate){value, NAN, NAN, value, value};
    c.visits = visits;
    return c;
}

/* Visits count together, and the highest of all stays, whichever rate does. Few visits replace no
 * rate; those with an interval replace one without, or one that they exceed. */
TEST(further_visits_keep_the_best)
{
    static const struct {
        double value, added;      /* of the row, of the further visits */
        bool interval, confident; /* have them: the row, the further visits */
        double rate, highest;     /* afterwards */
    } cases[] = {{40, 50, true, false, 40, 50},  {40, 30, true, false, 40, 44},
                 {40, 50, false, false, 40, 50}, {40, 30, false, false, 40, 40},
                 {40, 43, true, true, 40, 47.3}, {40, 80, true, true, 80, 88},
                 {40, 30, false, true, 30, 40},  {40, 20, true, true, 40, 44}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ceiling row = seen_in(3.0, cases[i].value, cases[i].interval);
        const struct ceiling seen = seen_in(2.0, cases[i].added, cases[i].confident);
        struct ceilings c = {&row, 1};
        ceilings_add_visits(&c, &seen);
        near(row.bandwidth.value, cases[i].rate);
        near(row.bandwidth.highest, cases[i].highest);
        near(row.visits, 5.0);
    }
    struct ceiling row = seen_in(3.0, 40.0, true), other = seen_in(1.0, 90.0, false);
    struct ceilings c = {&row, 1};
    other.working_set *= 2.0; /* another size */
    ceilings_add_visits(&c, &other);
    near(row.bandwidth.highest, 44.0);
}

/* The best that was ever seen does not get lost when a later measurement replaces the rate. */
TEST(a_later_measurement_keeps_the_highest)
{
    struct failure f = {0};
    struct ceiling now = seen_in(13.0, 40.0, true), before = seen_in(13.0, 41.0, true);
    snprintf(now.host, sizeof now.host, "here");
    snprintf(before.host, sizeof before.host, "here");
    before.bandwidth.highest = 70.0;
    struct ceilings c = {&now, 1}, old = {&before, 1};
    assert_int_equal(ceilings_keep_faster(&c, &old, &f), STATUS_OK);
    near(now.bandwidth.value, 40.0);
    near(now.bandwidth.highest, 70.0);
    near(now.visits, 26.0);
    near(rates_bandwidth(&c, 1e9, 1.0, 0.0, RATE_HIGHEST), 70.0);
    now = seen_in(3.0, 40.0, false); /* without an interval: twice what was seen */
    near(rates_bandwidth(&c, 1e9, 1.0, 0.0, RATE_HIGHEST), 80.0);
    near(rates_bandwidth(&c, 1e9, 1.0, 0.0, RATE_UPPER), 40.0);
}

/* A measurement that ended too early to have an interval replaces none that has one. */
TEST(too_few_visits_replace_no_rate)
{
    struct failure f = {0};
    struct ceiling now = seen_in(5.0, 40.0, false), before = seen_in(13.0, 38.0, true);
    snprintf(now.host, sizeof now.host, "here");
    snprintf(before.host, sizeof before.host, "here");
    struct ceilings c = {&now, 1}, old = {&before, 1};
    assert_int_equal(ceilings_keep_faster(&c, &old, &f), STATUS_OK);
    near(now.bandwidth.value, 38.0);
    near(now.bandwidth.highest, 41.8);
    near(now.visits, 18.0);
    now = seen_in(5.0, 40.0, false); /* neither has an interval: the later one */
    before = seen_in(5.0, 38.0, false);
    snprintf(now.host, sizeof now.host, "here");
    snprintf(before.host, sizeof before.host, "here");
    assert_int_equal(ceilings_keep_faster(&c, &old, &f), STATUS_OK);
    near(now.bandwidth.value, 40.0);
}

/* Rows of a faster machine do not replace this machine's, and rows without a host are dropped. */
TEST(machines_are_not_mixed)
{
    struct ceiling rows[ROWS];
    const struct ceilings small = small_machine(rows);
    struct failure f = {0};
    struct ceilings now = copy_of(&small, "here"), there = copy_of(&small, "there");
    struct ceilings nobody = copy_of(&small, ""), mine;
    there.rows[0].bandwidth.value = 500.0;
    nobody.rows[0].bandwidth.value = 600.0;
    assert_int_equal(ceilings_keep_faster(&now, &there, &f), STATUS_OK);
    assert_int_equal(ceilings_keep_faster(&now, &nobody, &f), STATUS_OK);
    assert_int_equal(now.count, 2 * small.count);
    assert_int_equal(ceilings_of_host(&mine, &now, "here", &f), STATUS_OK);
    assert_int_equal(mine.count, small.count);
    near(rates_bandwidth(&mine, 10.0, 1.0, 0.0, RATE_VALUE), 400.0);
    ceilings_release(&mine);
    assert_int_equal(ceilings_of_host(&mine, &now, "there", &f), STATUS_OK);
    near(rates_bandwidth(&mine, 10.0, 1.0, 0.0, RATE_VALUE), 500.0);
    ceilings_release(&mine);
    assert_int_equal(ceilings_of_host(&mine, &now, "elsewhere", &f), STATUS_OK);
    assert_int_equal(mine.count, 0);
    assert_int_equal(ceilings_of_host(&mine, &nobody, "here", &f), STATUS_OK); /* an old file */
    assert_int_equal(mine.count, small.count);
    ceilings_release(&mine);
    ceilings_release(&now);
    ceilings_release(&there);
    ceilings_release(&nobody);
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

TEST(needs_are_counted)
{
    struct record r = pooling(8, 2, 2, 0);
    struct need n = need_of(&r, true);
    holds(&n, 64, 16, 16 * 8, 16 * 3); /* k^3 and k^2 - 1 for each of 16 windows */
    near(n.per_output.multiply_adds, 16 * 8);
    near(n.per_output.maxima, 16 * 3);
    near(arithmetic_operations(&n.least), 16 * 19);
    n = need_of(&r, false);
    holds(&n, 64, 16, 0, 16 * 3);
    r = pooling(8, 3, 1, 0);
    n = need_of(&r, true); /* 36 windows; 8 rows x 6 columns of row products; 2 windows high */
    holds(&n, 64, 36, 9 * 48, 2 * 48 + 2 * 2 * 6);
    near(n.per_output.multiply_adds, 36 * 27);
    near(n.per_output.maxima, 36 * 8);
    n = need_of(&r, false);
    holds(&n, 64, 36, 0, 4 * 8); /* 2 x 2 windows that share no elements */
    r = pooling(9, 2, 4, 0);     /* elements between the windows are not read */
    n = need_of(&r, true);
    holds(&n, 16, 4, 4 * 8, 4 * 3);
    r = pooling(8, 3, 2, 1); /* windows start at -1, 1, 3, 5 */
    n = need_of(&r, false);
    holds(&n, 64, 16, 0, 4 * 8);
    r.planes = 3;
    n = need_of(&r, false);
    holds(&n, 192, 48, 0, 12 * 8);
    snprintf(r.operator_name, sizeof r.operator_name, "matmul");
    r.planes = 1;
    r.rows = 5;
    n = need_of(&r, true);
    holds(&n, 40 + 64, 40, 5 * 64, 0);
    r.rows = RECORD_NO_INT;
    n = need_of(&r, true);
    assert_true(isnan(need_bytes(&n)));
}

/* A transformed method needs at least a quarter of the multiplications, forward and for both
 * gradients; none exists at stride 2. */
TEST(transformed_convolutions_need_less)
{
    static const char *const gradients[] = {"none", "image", "weights"};
    for (size_t i = 0; i < sizeof gradients / sizeof *gradients; i++)
        for (int64_t stride = 1; stride <= 2; stride++) {
            struct record r = pooling(9, 3, stride, 1);
            snprintf(r.operator_name, sizeof r.operator_name, "conv");
            snprintf(r.gradient, sizeof r.gradient, "%s", gradients[i]);
            r.batch = r.groups = 1;
            r.planes = r.channels = r.filters = 4;
            const struct need n = need_of(&r, true);
            assert_true(n.per_output.multiply_adds > 0.0);
            const double tiles = stride == 1 ? 0.25 : i == 0 ? 25.0 / 36.0 : 1.0;
            near(n.least.multiply_adds, tiles * n.per_output.multiply_adds);
        }
}

TEST(roofs_are_the_longer_of_both)
{
    struct ceiling rows[ROWS];
    const struct ceilings c = small_machine(rows);
    struct record r = pooling(8, 2, 2, 0); /* 320 bytes, 0.2 of them written; 128 + 48 */
    struct need n = need_of(&r, true);
    struct roof roof = roof_of(&c, &n, 1.0, "wide");
    assert_string_equal(roof.level, "L1");
    near(roof.traffic_s, 320.0 * (0.6 / 400.0 + 0.4 / 200.0));
    near(roof.arithmetic_s, 17.6);
    near(roof.seconds, 17.6);
    near(roof.apart_s, 17.6);
    near(roof.lower_s, 16.0); /* ceilings a tenth higher, and a tenth lower */
    near(roof.upper_s, 17.6 / 0.9);
    near(roof.apart_lower_s, 16.0);
    near(roof.least_s, 16.0);
    n = need_of(&r, false);
    roof = roof_of(&c, &n, 1.0, "wide");
    near(roof.seconds, 4.8);
    r = pooling(8, 3, 1, 0);
    n = need_of(&r, true);
    roof = roof_of(&c, &n, 1.0, "split");
    near(roof.seconds, 43.2); /* shared row products */
    near(roof.apart_s, 97.2); /* each window separately */
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

/* A virtual machine with two cores: level 2 of 2 MiB at 163 GB/s, memory at 16 GB/s, and a level 3
 * that claims 480 MiB. */
static const double mebibyte = 1024.0 * 1024.0;

static double rate_of_that_machine(double set)
{
    static const double beyond[] = {120e9, 80e9, 45e9, 24e9, 18e9, 16e9}; /* from 4 MiB on */
    const int doublings = (int)floor(log2(set / mebibyte) + 0.5);
    return doublings < 2 ? 163e9 : beyond[doublings > 7 ? 5 : doublings - 2];
}

static struct roof roof_of_2048(const struct ceilings *c)
{
    const struct record r = pooling(2048, 2, 2, 0); /* 16 MiB read, 4 MiB written */
    const struct need n = need_of(&r, false);
    return roof_of(c, &n, 1.0, "");
}

TEST(no_cache_makes_a_true_time_impossible)
{
    struct ceilings c = {0};
    struct failure f = {0};
    for (int doublings = 0; doublings <= 14; doublings++) { /* 16 KiB to 256 MiB */
        const double set = ldexp(mebibyte / 64.0, doublings);
        const bool l3 = set > 2.0 * mebibyte;
        const struct ceiling row =
            bandwidth_at("read", l3 ? "L3" : "L2", (l3 ? 480.0 : 2.0) * mebibyte, set, 1.0, "",
                         rate_of_that_machine(set));
        assert_int_equal(ceilings_add(&c, &row, &f), STATUS_OK);
    }
    const struct roof roof = roof_of_2048(&c);
    assert_true(roof.least_s < 0.73e-3);
    assert_true(roof.least_s > 0.1e-3);
    assert_true(roof.traffic_s < 0.73e-3); /* at 45 GB/s, the rate of 16 MiB */
    near(roof.traffic_s, 20.0 * mebibyte / 45e9);
    assert_string_equal(roof.level, "L3");
    ceilings_release(&c);
}

/* The same with a file of the version that recorded levels only: their sizes become 1, 240 and 960
 * MiB. */
TEST(not_even_of_an_old_file)
{
    struct ceilings c;
    struct failure f = {0};
    put_text("level,bytes,workers,bandwidth_bytes_per_s,lower_bytes_per_s,upper_bytes_per_s,what\n"
             "L2,2097152,1,163e9,162e9,163e9,read\nL3,503316480,1,16e9,15e9,16e9,read\n"
             "memory,,1,16e9,15e9,16e9,read\n");
    assert_int_equal(ceilings_read(&c, path, &f), STATUS_OK);
    near(c.rows[2].working_set, 960.0 * mebibyte);
    const struct roof roof = roof_of_2048(&c);
    assert_true(roof.least_s < 0.73e-3);
    assert_true(roof.least_s > 0.1e-3);
    ceilings_release(&c);
}

/* ---- measuring ------------------------------------------------------------------------------ */

TEST(every_loop_does_its_work)
{
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
            image[777] = 99.0f; /* read must find it at any position */
            const float seen = stream_passes[pass].run[isa](image, map, FLOATS);
            const double share = stream_passes[pass].write_share;
            const int written = (int)(FLOATS * share / (1.0 - share) + 0.5);
            for (int i = 0; i < FLOATS + 16; i++)
                if ((map[i] != -1.0f) != (i < written))
                    fail_msg("%s %s in %s: element %d of the map", stream_passes[pass].what,
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

TEST(measuring_gives_rates)
{
    enum { BUFFER = 16384 };
    struct failure f = {0};
    struct visits visits = {0};
    double amount = 0.0;
    struct stream_buffers buffers = {0};
    for (size_t pass = 0; pass < stream_pass_count; pass++) {
        struct stream_size size = {.buffer_bytes = BUFFER};
        for (size_t visit = 1; visit <= 2; visit++) {
            assert_int_equal(stream_measure(pass, 2, &size, &buffers, &f), STATUS_OK);
            assert_int_equal(size.visits.count, visit);
            assert_int_equal(buffers.count, 2); /* kept for the next visit */
            assert_true(size.visits.seconds[visit - 1] > 0.0 && size.visits.repeats > 0);
        }
        assert_true(size.bytes > 0.9 * 2 * BUFFER && size.bytes <= 2 * BUFFER);
    }
    stream_buffers_release(&buffers);
    assert_true(buffers.of == NULL && buffers.count == 0);
    assert_int_equal(peak_measure(0, ISA_BASELINE, 2, &amount, &visits, &f), STATUS_OK);
    assert_true(amount >= 2.0 * 12.0 * 2.0 * 1000.0 && visits.seconds[0] > 0.0);
}

static struct visits visits_at(const double *rates, size_t count)
{
    struct visits v = {.count = count};
    for (size_t i = 0; i < count; i++)
        v.seconds[i] = 1000.0 / rates[i];
    return v;
}

/* The value of 13 visits is the 10th, the upper quartile; its interval is from the 7th to the 13th.
 * Of 26, a single one that is 50 % faster changes nothing. */
TEST(a_ceiling_is_the_upper_quartile)
{
    double rates[VISITS_MOST];
    for (int i = 0; i < VISITS_MOST; i++)
        rates[i] = 100.0 + (i * 5) % 13;
    struct visits v = visits_at(rates, VISITS);
    struct rate rate = visits_rate(&v, 1000.0);
    near(rate.value, 109.0);
    near(rate.lower, 106.0);
    near(rate.upper, 112.0);
    near(rate.median, 106.0);
    near(rate.highest, 112.0);
    assert_false(visits_are_apart(&rate));
    rates[0] = 150.0;
    v = visits_at(rates, VISITS);
    rate = visits_rate(&v, 1000.0);
    near(rate.value, 110.0);
    near(rate.upper, 150.0);
    assert_true(visits_are_apart(&rate));
    v = visits_at(rates, VISITS_MOST);
    rate = visits_rate(&v, 1000.0);
    assert_true(rate.value < 111.0 && rate.upper < 113.0);
    near(rate.highest, 150.0);
    assert_false(visits_are_apart(&rate));
    v = visits_at(rates, VISITS - 1);
    rate = visits_rate(&v, 1000.0);
    assert_true(isnan(rate.lower) && isnan(rate.upper) && visits_are_apart(&rate));
}

/* The rows of a survey as those of a host's file. */
static bool doubtful(struct surveyed *rows, size_t count, size_t row)
{
    static const struct machine machine = {.host = "here"};
    const struct survey s = {rows, count};
    struct ceilings c = {0};
    struct failure f = {0};
    assert_int_equal(survey_ceilings(&s, &machine, &c, &f), STATUS_OK);
    const bool is = ceiling_is_doubtful(&c, row);
    ceilings_release(&c);
    return is;
}

/* The visits of a size agree, but a larger size is faster: the size is doubtful. */
TEST(a_size_in_a_bad_moment_is_doubtful)
{
    double slow[VISITS], fast[VISITS];
    for (int i = 0; i < VISITS; i++) {
        slow[i] = 50.0 + 0.01 * i;
        fast[i] = 2.0 * slow[i];
    }
    struct surveyed rows[] = {{.workers = 1, .size = {0, 1000.0, visits_at(slow, VISITS)}},
                              {.workers = 1, .size = {0, 2000.0, visits_at(slow, VISITS)}},
                              {.workers = 2, .size = {0, 4000.0, visits_at(fast, VISITS)}}};
    assert_true(doubtful(rows, 3, 0)); /* half the bytes in the same time as the larger set */
    assert_false(doubtful(rows, 3, 1) || doubtful(rows, 3, 2)); /* other workers */
    rows[1].which = 1;
    assert_false(doubtful(rows, 3, 0)); /* another pass */
    for (size_t i = 0; i < VISITS; i++)
        slow[i] = 50.0 + 2.0 * (double)i;
    rows[0].size.visits = visits_at(slow, VISITS);
    assert_true(doubtful(rows, 3, 0)); /* the visits differ */
}

/* A visit of a study's rounds that is a little faster than the interval is luck; one that is more
 * than a tenth faster says that the rate was measured in a slow moment. */
TEST(a_rate_that_was_exceeded_since_is_doubtful)
{
    struct ceiling row = bandwidth("read", "memory", NAN, 1.0, "", 100.0);
    struct ceilings c = {&row, 1};
    row.bandwidth = (struct rate){100.0, 98.0, 102.0, 99.0, 112.0};
    assert_false(ceiling_is_doubtful(&c, 0));
    row.bandwidth.highest = 113.0;
    assert_true(ceiling_is_doubtful(&c, 0));
}

/* A row of the file is visited in the same way again: with its pass, workers and size, or as its
 * peak. What this build does not know is no row. */
TEST(a_row_of_the_file_is_visited_again)
{
    static const struct machine machine = {.host = "here"};
    struct failure f = {0};
    struct stream_buffers buffers = {0};
    struct surveyed first = {.which = 2, .workers = 1, .size.buffer_bytes = 16384}, again;
    assert_int_equal(survey_visit(&first, &buffers, &f), STATUS_OK);
    struct ceiling row = survey_ceiling(&first, &machine);
    assert_true(survey_row_of(&row, &again));
    assert_int_equal(survey_visit(&again, &buffers, &f), STATUS_OK);
    assert_true(again.which == 2 && again.workers == 1 && again.size.bytes == first.size.bytes);
    row.working_set += 0.25; /* as a file may round it */
    assert_true(survey_row_of(&row, &again));
    assert_true(survey_ceiling(&again, &machine).working_set == row.working_set);
    snprintf(row.stores, sizeof row.stores, "unknown");
    assert_false(survey_row_of(&row, &again));
    first = (struct surveyed){.peak = true, .which = 1, .isa = isa_best(), .workers = 2};
    row = survey_ceiling(&first, &machine);
    assert_true(survey_row_of(&row, &again));
    assert_true(again.peak && again.which == 1 && again.isa == isa_best() && again.workers == 2);
    snprintf(row.isa, sizeof row.isa, "unknown");
    assert_false(survey_row_of(&row, &again));
    stream_buffers_release(&buffers);
}

/* Two and a half flat doublings are too few, and so are three with a dip among them. */
TEST(flat_is_three_doublings)
{
    static const struct {
        double rates[8];
        bool flat;
    } curves[] = {{{100, 50, 20, 16, 16, 16.5, 0}, false},
                  {{100, 50, 20, 16, 16, 16.5, 15.5}, true},
                  {{100, 50, 16, 16, 12, 16, 0}, false},
                  {{16, 16, 16, 0}, false},
                  {{16, 17, 18, 16.5, 0}, true}};
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        struct stream_curve c = {0};
        for (; c.count < 8 && curves[i].rates[c.count] > 0.0; c.count++) {
            c.sizes[c.count].bytes = 16384.0 * (double)(1 << c.count);
            c.sizes[c.count].visits.seconds[0] = c.sizes[c.count].bytes / curves[i].rates[c.count];
        }
        assert_int_equal(stream_is_flat(&c), curves[i].flat);
    }
}

/* A size that fits in memory is measured; one that does not is not a failure. */
TEST(short_memory_is_no_failure)
{
    enum { ROOM = 96 << 20 }; /* 32 MiB fit in half of it, 64 MiB do not */
    const struct stream_until until = {(double)(256 << 20), 0.5, INFINITY};
    struct stream_curve c;
    struct stream_buffers buffers = {0};
    struct failure f = {0};
    struct rlimit old, little;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pages), 1);
    fclose(file);
    getrlimit(RLIMIT_AS, &old);
    little = old;
    little.rlim_cur = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + ROOM);
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    const enum status status = stream_measure_curve(0, 1, &until, &c, &buffers, &f);
    setrlimit(RLIMIT_AS, &old);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(c.end, STREAM_NO_MEMORY);
    assert_true(c.count > 4 && c.sizes[c.count - 1].bytes < 0.5 * ROOM);
    for (size_t i = 1; i < c.count; i++)
        near(c.sizes[i].bytes, 2.0 * c.sizes[i - 1].bytes);
    stream_buffers_release(&buffers);
}

TEST(levels_of_a_machine)
{
    static const struct {
        int64_t caches, workers;
        double bytes;
        const char *level;
        double capacity;
    } rows[] = {{1, 1, 32768, "L1", 32768},         {1, 1, 40000, "L2", 1 << 20},
                {1, 2, 40000, "L1", 65536},         {1, 2, 2 << 20, "L2", 2 << 20},
                {1, 2, 3 << 20, "L3", 32 << 20},    {1, 2, 33 << 20, "memory", NAN},
                {0, 2, 33 << 20, "memory", NAN},    {12, 1, 33 << 20, "memory", NAN},
                {12, 2, 33 << 20, "L3", 64 << 20},  {12, 96, 384 << 20, "L3", 384 << 20},
                {12, 96, 385 << 20, "memory", NAN}, {12, 96, 96 << 20, "L2", 96 << 20}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct machine m = {.cache_bytes = {0, 32768, 1 << 20, 32 << 20},
                                  .cache_count = {0, 96, 96, rows[i].caches}};
        const struct stream_level l = stream_level_of(&m, rows[i].workers, rows[i].bytes);
        assert_string_equal(l.name, rows[i].level);
        assert_true(isnan(rows[i].capacity) ? isnan(l.capacity_bytes)
                                            : l.capacity_bytes == rows[i].capacity);
    }
}

/* The last sizes of a curve must lie in memory, whatever caches its workers have together. */
TEST(curves_reach_beyond_the_caches)
{
    static const struct {
        int64_t l2_mib, l3_mib, caches, workers, least_mib;
    } rows[] = {{1, 32, 1, 2, 256}, {1, 32, 12, 96, 1536}, {1, 32, 12, 1, 256},
                {1, 96, 1, 8, 384}, {1, 512, 1, 1, 2048},  {2, 0, 0, 96, 768},
                {0, 0, 0, 4, 256},  {1, 32, 12, 4, 512}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct machine m = {
            .cache_bytes = {0, 32768, rows[i].l2_mib << 20, rows[i].l3_mib << 20},
            .cache_count = {0, 96, 96, rows[i].caches}};
        assert_true(stream_least_set(&m, rows[i].workers) == (double)(rows[i].least_mib << 20));
    }
}

/* Half of a limit that is known to a tenth, with a time known to a fifth and a twentieth: relative
 * errors, as logarithms, add as squares. */
TEST(a_kernel_reaches_a_share_between_bounds)
{
    static struct lab_report r; /* large */
    r.limit.roof = (struct roof){.seconds = 1.0, .lower_s = 0.9, .upper_s = 1.1};
    r.timing.candidates[0].time = (struct summary){.median = 2.0, .lower = 1.9, .upper = 2.4};
    struct bounded share = lab_share_of_limit(&r);
    assert_true(fabs(share.value - 0.5) < 1e-12);
    assert_true(fabs(share.lower - 0.4051) < 1e-4); /* 0.5 exp(-hypot(ln 0.9, ln 1.2)) */
    assert_true(fabs(share.upper - 0.5572) < 1e-4); /* 0.5 exp(hypot(ln 1.1, ln 2 / 1.9)) */
    r.timing.candidates[0].time = (struct summary){.median = 2.0, .lower = NAN, .upper = NAN};
    share = lab_share_of_limit(&r);
    assert_true(fabs(share.value - 0.5) < 1e-12 && isnan(share.lower) && isnan(share.upper));
}

/* A limit counts as passed only if the whole interval of the share lies above 1, not just its
 * middle. */
TEST(a_limit_is_passed_beyond_both_intervals)
{
    const struct bounded limit = {1.0, 0.95, 1.05};
    assert_false(limit_is_passed(limit, (struct bounded){0.97, 0.95, 0.99}));
    assert_true(limit_is_passed(limit, (struct bounded){0.90, 0.89, 0.91}));
}

const struct tests_group tests_group = {make_file, remove_file};
