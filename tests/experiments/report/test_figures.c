/* The tesina's figures and claims about GPUs, on made-up samples of two GPUs whose answers are
 * known: each figure of 32 to 53 says its own, kernel by kernel, and each claim gets the verdict
 * that the made-up times have. An emulated device gives no second to any of them. */
#include "experiments/common/frame.h"
#include "experiments/published/published.h"
#include "experiments/report/reproduction/figure_table.h"
#include "experiments/report/reproduction/verdicts.h"
#include "tests/experiments/support/made_results.h"
#include "tests/experiments/support/maker.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the made-up GPUs ------------------------------------------------------------------------ */

enum { LAUNCHES = 6, SAMPLES = 4, KERNELS = 3 };
static const char *const kernels[KERNELS] = {"naive", "loop", "tiled"};

struct gpu {
    const char *folder, *device;
    double window_s[KERNELS]; /* of a product */
    double constant_s;        /* to send a window, if the filter is constant */
    const char *throttle;
};

/* On the T4, matmul3 is the slowest and the constant filter pays; on the K20, the other way round.
 * A warm T4 is slowed down, so that its times are SUSPECT. */
static const struct gpu t4 = {"t4", "Tesla T4", {1e-6, 2e-6, 3e-6}, 4e-6, "none"},
                        k20 = {"k20", "Tesla K20m", {6e-6, 5e-6, 4e-6}, 20e-6, "none"},
                        warm = {"warm", "Tesla T4", {1e-6, 2e-6, 3e-6}, 4e-6, "hardware_thermal"},
                        partly = {"partly", "Tesla T4", {1e-6, 2e-6, 3e-6}, 4e-6, "none"},
                        uneven = {"uneven", "Tesla T4", {1e-6, 2e-6, 3e-6}, 4e-6, "none"},
                        emulated = {"emulated", "CPU emulation", {1e-6, 2e-6, 3e-6}, 4e-6, "none"};
static const double transferred_s = 10e-6, serial_product_s = 0.3e-6, serial_window_s = 0.5e-6,
                    large_block = 1.0, small_block = 1.5;

static struct maker begin(const struct gpu *g, const char *experiment)
{
    char place[256];
    snprintf(place, sizeof place, "%s/%s", folder, g->folder);
    return maker_begin(place, experiment);
}

/* Launch i takes i thousandths longer, in all phases. */
static void add(struct maker *m, const struct record *truth)
{
    struct failure f = {0};
    for (int launch = 0; launch < LAUNCHES; launch++) {
        struct record r = *truth;
        const double factor = 1.0 + 0.001 * launch;
        snprintf(r.experiment, sizeof r.experiment, "%s", m->experiment);
        snprintf(r.run_id, sizeof r.run_id, "%s-%d", m->experiment, launch);
        r.round = launch;
        r.total_s *= factor;
        r.compute_s *= factor;
        r.product_s *= factor;
        r.distribute_s *= factor;
        r.collect_s *= factor;
        for (int i = -1; i < SAMPLES; i++) {
            r.warmup = i < 0;
            r.sample = i < 0 ? 0 : i;
            strcpy(r.stop_reason, i == SAMPLES - 1 ? "relative_ci" : "");
            assert_int_equal(record_append(m->writer, &r, &f), 0);
        }
    }
}

static struct record on_gpu(const struct gpu *g, int kernel, int64_t n, int64_t block,
                            const char *memory)
{
    struct record r = maker_blank("cuda", kernels[kernel]);
    const double windows = (double)(n / 2) * (double)(n / 2);
    const double sent = strcmp(memory, "constant") == 0 ? g->constant_s : transferred_s;
    r.ranks = r.threads = r.nodes = RECORD_NO_INT;
    r.isa[0] = '\0';
    strcpy(r.offload, "window");
    strcpy(r.filter_memory, memory);
    strcpy(r.host_memory, "pageable");
    snprintf(r.throttle, sizeof r.throttle, "%s", g->throttle);
    snprintf(r.device, sizeof r.device, "%s", g->device);
    r.streams = 1;
    r.block = block;
    r.rows = r.cols = n;
    r.compute_s = windows * g->window_s[kernel] * (block == 32 ? large_block : small_block);
    r.product_s = RECORD_NO_REAL;
    r.distribute_s = windows * 0.75 * sent;
    r.collect_s = windows * 0.25 * sent;
    r.total_s = r.compute_s + r.distribute_s + r.collect_s;
    return r;
}

static struct record serial(int64_t n)
{
    struct record r = maker_blank("serial", "staged");
    const double windows = (double)(n / 2) * (double)(n / 2);
    r.rows = r.cols = n;
    r.product_s = windows * serial_product_s;
    r.compute_s = r.total_s = windows * serial_window_s;
    r.distribute_s = r.collect_s = 0.0;
    return r;
}

enum { LEAST_N = 4, MOST_N = 64 };

static void add_kernels(const struct gpu *g, const char *experiment, const char *memory,
                        int64_t block)
{
    struct maker m = begin(g, experiment);
    for (int kernel = 0; kernel < KERNELS; kernel++)
        for (int64_t n = LEAST_N; n <= MOST_N; n *= 2)
            for (int64_t b = block ? block : 16; b <= 32; b *= 2) {
                struct record r = on_gpu(g, kernel, n, b, *memory ? memory : "transferred");
                add(&m, &r);
                if (!*memory) { /* both */
                    r = on_gpu(g, kernel, n, b, "constant");
                    add(&m, &r);
                }
            }
    maker_end(&m);
}

static void make_place(const struct gpu *g)
{
    char place[256];
    snprintf(place, sizeof place, "%s/%s", folder, g->folder);
    assert_int_equal(mkdir(place, 0755), 0);
}

/* Matrix products that take n^3, or, if bent, a power whose exponent rises with n: 3 at n = 16. */
static void add_products(const struct gpu *g, double bend)
{
    struct maker m = begin(g, "tesina_matmul");
    for (int64_t n = LEAST_N; n <= MOST_N; n *= 2) {
        struct record r = on_gpu(g, 0, n, 16, "transferred");
        const double x = log((double)n / 16.0);
        strcpy(r.program, "matmul_cuda");
        strcpy(r.operator_name, "matmul");
        r.offload[0] = r.pad_mode[0] = '\0';
        r.kernel = r.stride = r.padding = RECORD_NO_INT;
        r.compute_s = 1e-9 * (double)(n * n * n) * exp(bend * x * x);
        r.total_s = r.compute_s + r.distribute_s + r.collect_s;
        add(&m, &r);
    }
    maker_end(&m);
}

static void make_gpu(const struct gpu *g)
{
    make_place(g);
    add_kernels(g, "tesina_gpu", "transferred", 0);
    add_kernels(g, "tesina_filter", "", 32);
    add_kernels(g, "tesina_transfers", "transferred", 32);
    struct maker m = begin(g, "tesina_speedup");
    for (int64_t n = LEAST_N; n <= MOST_N; n *= 2) {
        struct record r = on_gpu(g, 2, n, 32, "transferred");
        add(&m, &r);
        r = serial(n);
        add(&m, &r);
    }
    maker_end(&m);
    add_products(g, 0.0);
}

/* ---- what is said of them -------------------------------------------------------------------- */

static struct frame both, of_emulated, of_warm, of_partly, of_uneven;

/* Of the largest size, only matmul3 was measured on the warm GPU; of the others, all kernels. */
static void make_partly_warm(void)
{
    make_place(&partly);
    struct maker m = begin(&partly, "tesina_gpu");
    for (int kernel = 0; kernel < KERNELS; kernel++)
        for (int64_t n = LEAST_N; n <= MOST_N; n *= 2) {
            const struct record r =
                on_gpu(n == MOST_N && kernel != 2 ? &partly : &warm, kernel, n, 32, "transferred");
            add(&m, &r);
        }
    maker_end(&m);
}

/* matmul1 takes a multiple of its time that differs from size to size. */
static const double multiples[] = {1.5, 3.0, 1.0, 0.25, 1.0}; /* n = 4 to 64 */

static void make_uneven(void)
{
    make_place(&uneven);
    struct maker m = begin(&uneven, "tesina_gpu");
    for (int kernel = 0; kernel < KERNELS; kernel++)
        for (int64_t n = LEAST_N, i = 0; n <= MOST_N; n *= 2, i++) {
            struct record r = on_gpu(&uneven, kernel, n, 32, "transferred");
            if (kernel == 0) {
                r.compute_s *= multiples[i];
                r.distribute_s *= multiples[i];
                r.collect_s *= multiples[i];
                r.total_s *= multiples[i];
            }
            add(&m, &r);
        }
    maker_end(&m);
    add_products(&uneven, 0.29);
}

static int read_rows(struct frame *out, const char *name, const char *folders)
{
    if (run("%s/bin/study reproduce %s --document tesina --format csv -o %s/%s.csv",
            MAXPOOL_BINARY_DIR, folders, folder, name) != 0)
        return -1;
    return read_made_csv(out, name);
}

static int make_folder(NO_STATE)
{
    char folders[600];
    if (!mkdtemp(folder))
        return -1;
    make_gpu(&t4);
    make_gpu(&k20);
    make_gpu(&emulated);
    make_place(&warm);
    add_kernels(&warm, "tesina_transfers", "transferred", 32);
    add_kernels(&warm, "tesina_gpu", "transferred", 32);
    snprintf(folders, sizeof folders, "--results %s/t4 --results %s/k20", folder, folder);
    if (read_rows(&both, "both", folders) != 0)
        return -1;
    snprintf(folders, sizeof folders, "--results %s/emulated", folder);
    if (read_rows(&of_emulated, "of_emulated", folders) != 0)
        return -1;
    make_partly_warm();
    make_uneven();
    snprintf(folders, sizeof folders, "--results %s/partly", folder);
    if (read_rows(&of_partly, "of_partly", folders) != 0)
        return -1;
    snprintf(folders, sizeof folders, "--results %s/uneven", folder);
    if (read_rows(&of_uneven, "of_uneven", folders) != 0)
        return -1;
    snprintf(folders, sizeof folders, "--results %s/warm", folder);
    return read_rows(&of_warm, "of_warm", folders);
}

static int release(NO_STATE)
{
    frame_release(&both);
    frame_release(&of_emulated);
    frame_release(&of_warm);
    frame_release(&of_partly);
    frame_release(&of_uneven);
    return remove_folder(state);
}

static const char *field(const struct frame *f, size_t row, const char *column)
{
    const ptrdiff_t place = frame_find(f, column);
    assert_true(place >= 0);
    return frame_field(f, row, (size_t)place);
}

/* The row of a figure, or of a claim by a part of its text. */
static size_t figure_row_of(const struct frame *f, const char *item)
{
    for (size_t i = 0; i < f->rows; i++)
        if (strncmp(field(f, i, "id"), "figures_", 8) == 0 &&
            strcmp(field(f, i, "item"), item) == 0)
            return i;
    fail_msg("no %s", item);
    return 0;
}

static size_t claim_row_of(const struct frame *f, const char *part)
{
    for (size_t i = 0; i < f->rows; i++)
        if (strncmp(field(f, i, "id"), "claims:", 7) == 0 && strstr(field(f, i, "quantity"), part))
            return i;
    fail_msg("no claim '%s'", part);
    return 0;
}

/* Medians are those of launches 2 and 3: 1.0025 times the law. n = 64 has 1024 windows. */
static const struct {
    const char *item, *finding, *device;
    const char *also; /* what it says too; NULL: no more */
} said[] = {
    {"figure 4 (first)", "matmul1 (naive), block 16 × 16: n = 4 to 64. At n = 64: product 263",
     "T4", NULL},
    {"figure 4 (second)", "matmul1 (naive), block 16 × 16: the products' time grows as n^3", "T4",
     NULL},
    {"figure 32",
     "matmul1 (naive), block 32 × 32, filter transferred, offload window: n = 4 to 64. At n = 64, "
     "1024 windows: products 1.03",
     "T4", "in all 11.3"},
    {"figure 33",
     "matmul1 (naive), block 32 × 32, filter transferred, offload window: the products' time grows "
     "as n^2",
     "T4", "from 4.01 µs at n = 4 to 1.03"},
    {"figure 34", "1024 windows: products 6.16", "K20m", "matmul1 (naive), block 32"},
    {"figure 35", "matmul1 (naive), block 32 × 32, filter transferred, offload window: the", "K20m",
     "from 24.1 µs at n = 4 to 6.16"},
    {"figure 36", "1024 windows: products 2.05", "T4", "matmul2 (loop), block 32"},
    {"figure 37", "matmul2 (loop), block 32 × 32, filter transferred, offload window: the", "T4",
     "from 8.02 µs at n = 4 to 2.05"},
    {"figure 38", "1024 windows: products 5.13", "K20m", "matmul2 (loop), block 32"},
    {"figure 39", "matmul2 (loop), block 32 × 32, filter transferred, offload window: the", "K20m",
     "from 20.1 µs at n = 4 to 5.13"},
    {"figure 40", "1024 windows: products 3.08", "T4", "matmul3 (tiled), block 32"},
    {"figure 41", "matmul3 (tiled), block 32 × 32, filter transferred, offload window: the", "T4",
     "from 12.0 µs at n = 4 to 3.08"},
    {"figure 42", "1024 windows: products 4.11", "K20m", "matmul3 (tiled), block 32"},
    {"figure 43", "matmul3 (tiled), block 32 × 32, filter transferred, offload window: the", "K20m",
     "from 16.0 µs at n = 4 to 4.11"},
    /* 0.5 us against 13 us */
    {"figure 44", "At n = 64, matmul3 (tiled) is 0.0385 times as fast as serial staged", "T4",
     NULL},
    {"figure 45", "matmul1 (naive) 11.3 ms; matmul2 (loop) 12.3 ms; matmul3 (tiled) 13.3 ms", "T4",
     "Block 32 × 32, filter transferred"},
    {"figure 46",
     "matmul1 (naive) is the fastest; matmul2 (loop) takes 1.09 times as long; matmul3 (tiled) "
     "takes 1.18 times as long",
     "T4", "Block 32 × 32, filter transferred"},
    {"figure 47",
     "Block 16 × 16, filter transferred, n = 4 to 64. At n = 64; matmul1 (naive) 11.8 ms; matmul2 "
     "(loop) 13.3 ms; matmul3 (tiled) 14.9 ms",
     "T4", NULL},
    {"figure 48",
     "Block 16 × 16, filter transferred, n = 4 to 64. At n = 64; matmul1 (naive) is the fastest; "
     "matmul2 (loop) takes 1.13",
     "T4", NULL},
    {"figure 50", "filter transferred, n = 4 to 64. At n = 64; matmul1 (naive) 11.3 ms", "T4",
     NULL},
    {"figure 51", "filter transferred, n = 4 to 64. At n = 64; matmul1 (naive) is the fastest",
     "T4", "matmul2 (loop) takes 1.09 times as long; matmul3 (tiled) takes 1.18"},
    {"figure 52",
     "filter constant, n = 4 to 64. At n = 64; matmul1 (naive) 5.13 ms; matmul2 (loop) 6.16 ms; "
     "matmul3 (tiled) 7.19 ms",
     "T4", NULL},
    {"figure 53",
     "filter constant, n = 4 to 64. At n = 64; matmul1 (naive) is the fastest; matmul2 (loop) "
     "takes "
     "1.20 times",
     "T4", NULL},
};

/* Whether a row says what the made-up times are. */
static bool is_right(const struct frame *f, size_t i)
{
    const size_t row = figure_row_of(f, said[i].item);
    const char *ours = field(f, row, "ours");
    char device[40];
    snprintf(device, sizeof device, "Measured on Tesla %s.", said[i].device);
    return strcmp(field(f, row, "state"), "measured") == 0 && strstr(ours, said[i].finding) &&
           (!said[i].also || strstr(ours, said[i].also)) &&
           strstr(field(f, row, "sentence"), device);
}

static void test_each_figure_says_its_own(NO_STATE)
{
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const size_t row = figure_row_of(&both, said[i].item);
        if (!is_right(&both, i))
            fail_msg("%s: '%s' %s, not '%s' and '%s' on %s", said[i].item,
                     field(&both, row, "ours"), field(&both, row, "sentence"), said[i].finding,
                     said[i].also ? said[i].also : "", said[i].device);
    }
    const size_t transfers = figure_row_of(&both, "figure 49");
    assert_non_null(strstr(field(&both, transfers, "ours"), "Moving data takes"));
}

/* Faults in the table of counterparts: the kernel of another figure, another block, filter memories
 * exchanged, a curve for a table. Seconds of the products for those in all, and the other way
 * round, are mutants of tests/mutation. */
static const struct {
    const char *item, *from, *to;
} faults[] = {
    {"figure 32", "method=naive", "method=loop"},
    {"figure 33", "method=naive", "method=loop"},
    {"figure 34", "method=naive", "method=loop"},
    {"figure 35", "method=naive", "method=loop"},
    {"figure 36", "method=loop", "method=tiled"},
    {"figure 37", "method=loop", "method=tiled"},
    {"figure 38", "method=loop", "method=tiled"},
    {"figure 39", "method=loop", "method=tiled"},
    {"figure 40", "method=tiled", "method=naive"},
    {"figure 41", "method=tiled", "method=naive"},
    {"figure 42", "method=tiled", "method=naive"},
    {"figure 43", "method=tiled", "method=naive"},
    {"figure 44", "method=tiled", "method=naive"},
    {"figure 45", "block=32", "block=16"},
    {"figure 46", "block=32", "block=16"},
    {"figure 47", "block=16", "block=32"},
    {"figure 48", "block=16", "block=32"},
    {"figure 50", "filter_memory=transferred", "filter_memory=constant"},
    {"figure 51", "filter_memory=transferred", "filter_memory=constant"},
    {"figure 52", "filter_memory=constant", "filter_memory=transferred"},
    {"figure 53", "filter_memory=constant", "filter_memory=transferred"},
    {"figure 4 (first)", ",table,", ",curve,"},
    {"figure 4 (second)", ",curve,", ",table,"},
};

/* With all faults at once, every figure that has one is wrong: a test that a figure's own answer
 * can fail. */
static void test_planted_faults_are_seen(NO_STATE)
{
    char folders[600];
    struct frame faulty;
    assert_int_equal(run("cp -r %s %s/published", published_folder(), folder), 0);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_int_equal(run("sed -i '/^figures_without_numbers,%s,/ s/%s/%s/' "
                             "%s/published/counterparts.csv",
                             faults[i].item, faults[i].from, faults[i].to, folder),
                         0);
    snprintf(folders, sizeof folders, "--published %s/published --results %s/t4 --results %s/k20",
             folder, folder, folder);
    assert_int_equal(read_rows(&faulty, "faulty", folders), 0);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (is_right(&faulty, i))
            fail_msg("%s: '%s' with a fault", said[i].item,
                     field(&faulty, figure_row_of(&faulty, said[i].item), "ours"));
    assert_int_equal(sizeof said / sizeof *said, sizeof faults / sizeof *faults);
    frame_release(&faulty);
}

/* The last row of each figure's own table on the page, between its name and the next one's. */
static void test_tables(NO_STATE)
{
    static const char *const cells[][2] = {{"Figure 32: ", "| 64 | 1024 | 1.03 ms | 11.3 ms |"},
                                           {"Figure 36: ", "| 64 | 1024 | 2.05 ms | 12.3 ms |"},
                                           {"Figure 40: ", "| 64 | 1024 | 3.08 ms | 13.3 ms |"},
                                           {"Figure 44: ", "| 64 | 513 µs | 13.3 ms | 0.0385"},
                                           {"Figure 45: ", "| 64 | 11.3 ms | 12.3 ms | 13.3 ms |"},
                                           {"Figure 47: ", "| 64 | 11.8 ms | 13.3 ms | 14.9 ms |"},
                                           {"Figure 52: ", "| 64 | 5.13 ms | 6.16 ms | 7.19 ms |"}};
    assert_int_equal(run("%s/bin/study reproduce --results %s/t4 --document tesina --format "
                         "markdown -o %s/tables.md",
                         MAXPOOL_BINARY_DIR, folder, folder),
                     0);
    char *page = read_file("tables.md");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char *from = strstr(page, cells[i][0]), *found = from ? strstr(from, cells[i][1]) : NULL;
        char *next = from ? strstr(from, "\n#") : NULL;
        if (!found || (next && next < found))
            fail_msg("%s has no '%s' of its own", cells[i][0], cells[i][1]);
    }
    free(page);
}

/* No two figures of 32 to 53 have the same finding, but where the same was drawn from another
 * experiment: 45, 46 and 50, 51. */
static void test_findings_differ(NO_STATE)
{
    char item[40], other[40];
    for (int i = 32; i <= 53; i++)
        for (int j = 32; j < i; j++) {
            snprintf(item, sizeof item, "figure %d", i);
            snprintf(other, sizeof other, "figure %d", j);
            const char *a = field(&both, figure_row_of(&both, item), "ours"),
                       *b = field(&both, figure_row_of(&both, other), "ours");
            if (strcmp(a, b) == 0 && i - j != 5)
                fail_msg("%s and %s say '%s'", item, other, a);
        }
}

/* Speedup over the T4's 2560 cores: 0.5 / 13 / 2560. */
static void test_efficiency_by_cores(NO_STATE)
{
    const char *sentence = field(&both, figure_row_of(&both, "figure 44"), "sentence");
    if (!strstr(sentence, "speedup over the GPU's 2560 cores, is 0.0015 %"))
        fail_msg("%s", sentence);
}

static void has_state(const struct frame *f, const char *claim, const char *verdict)
{
    const size_t row = claim_row_of(f, claim);
    if (strcmp(field(f, row, "state"), verdict) != 0)
        fail_msg("'%s' %s (%s [%s, %s]), not %s", claim, field(f, row, "state"),
                 field(f, row, "ours"), field(f, row, "lower"), field(f, row, "upper"), verdict);
}

static void test_verdicts(NO_STATE)
{
    has_state(&both, "A filter in constant memory is faster than a transferred one: matmul1",
              "agrees");
    has_state(&both, "matmul3 (tiled) is faster than matmul1", "disagrees");
    has_state(&both, "matmul3 (tiled) is faster than matmul2", "disagrees");
    has_state(&both, "matmul3 (tiled) is less effective than matmul1", "agrees");
    has_state(&both, "by matmul1 (naive) grows exponentially", "disagrees");
    has_state(&both, "The time of a matrix product grows as n^3", "agrees");
    has_state(&both, "Speedup and efficiency", "not comparable");
    has_state(&both, "The products take 61 %", "agrees"); /* 0.3 of 0.5 */
    has_state(&both, "Padding 2 keeps the size", "agrees");
    has_state(&both, "The time of the serial program grows as n^5", "undecided"); /* no samples */
    has_state(&of_emulated, "matmul3 (tiled) is faster than matmul1", "needs a GPU");
    has_state(&of_warm, "matmul3 (tiled) is faster than matmul1", "undecided"); /* SUSPECT */
}

/* A value is as doubtful as the most doubtful point that it rests on: the second of a ratio, the
 * first, or a small size of a growth. */
static void test_all_points_are_looked_at(NO_STATE)
{
    has_state(&of_partly, "matmul3 (tiled) is faster than matmul1", "undecided");
    has_state(&of_partly, "matmul3 (tiled) is less effective than matmul1", "undecided");
    has_state(&of_partly, "by matmul1 (naive) grows exponentially", "undecided");
}

/* A law that does not describe the times decides nothing: neither the power in the middle of a
 * curve that bends, nor the better of two laws that describe them nearly as badly. */
static void test_laws_that_do_not_hold(NO_STATE)
{
    const size_t bent = claim_row_of(&of_uneven, "The time of a matrix product grows as n^3");
    has_state(&of_uneven, "The time of a matrix product grows as n^3", "undecided");
    assert_true(strtod(field(&of_uneven, bent, "lower"), NULL) < 2.4); /* 2.2 */
    assert_true(strtod(field(&of_uneven, bent, "upper"), NULL) > 3.6); /* 3.8 */
    has_state(&of_uneven, "by matmul1 (naive) grows exponentially", "undecided");
}

/* matmul1 over matmul3: 11 / 13 times the multiples. */
static void test_ratios_along_a_column(NO_STATE)
{
    static const struct {
        const char *measure;
        double multiple;
    } cases[] = {
        {"least_ratio", 0.25}, {"most_ratio", 3.0}, {"first_ratio", 1.5}, {"last_ratio", 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frame f;
        char options[300];
        assert_int_equal(run("rm -rf %s/along && cp -r %s %s/along && sed -i "
                             "'/^tesina,.figure 45, text.,/ s/last_ratio/%s/' %s/along/claims.csv",
                             folder, published_folder(), folder, cases[i].measure, folder),
                         0);
        snprintf(options, sizeof options, "--published %s/along --results %s/uneven", folder,
                 folder);
        assert_int_equal(read_rows(&f, "along", options), 0);
        const size_t row = claim_row_of(&f, "matmul3 (tiled) is faster than matmul1");
        const double ours = strtod(field(&f, row, "ours"), NULL),
                     expected = 11.0 / 13.0 * cases[i].multiple;
        if (!(fabs(ours - expected) <= 1e-3 * expected))
            fail_msg("%s: %g, not %g", cases[i].measure, ours, expected);
        frame_release(&f);
    }
}

/* A known answer in words agrees with the same words alone. */
static void test_answers_in_words(NO_STATE)
{
    struct frame f;
    char options[300];
    assert_int_equal(run("rm -rf %s/words && cp -r %s %s/words && sed -i "
                         "'/^tesina,figure 22,/ s/equal 2x2/equal 2x3/' %s/words/claims.csv",
                         folder, published_folder(), folder, folder),
                     0);
    snprintf(options, sizeof options, "--published %s/words --results %s/uneven", folder, folder);
    assert_int_equal(read_rows(&f, "words", options), 0);
    has_state(&f, "The map of a 4 × 4 image is 2 × 2", "disagrees");
    has_state(&of_uneven, "The map of a 4 × 4 image is 2 × 2", "agrees");
    frame_release(&f);
}

/* ---- an emulated device ---------------------------------------------------------------------- */

static void test_no_second_of_an_emulator(NO_STATE)
{
    char item[40];
    for (int i = 32; i <= 53; i++) {
        snprintf(item, sizeof item, "figure %d", i);
        const size_t row = figure_row_of(&of_emulated, item);
        const char *sentence = field(&of_emulated, row, "sentence");
        assert_string_equal(field(&of_emulated, row, "state"), "missing");
        assert_string_equal(field(&of_emulated, row, "ours"), "");
        if (i != 49 && !strstr(sentence, "an emulated device has no seconds; it computed n = 4 to "
                                         "64, "))
            fail_msg("%s: %s", item, sentence);
        if (!strstr(sentence, "It needs a GPU"))
            fail_msg("%s: %s", item, sentence);
    }
}

/* Two rows of one kernel differ in the report's table by their block. */
static void test_report_names_blocks(NO_STATE)
{
    static const char *const parts[] = {
        "| workers | block | filter memory | offload | total time |",
        "| 16 | transferred | window | 11.8 ms", "| 32 | transferred | window | 11.3 ms"};
    assert_int_equal(run("%s/bin/study report --charts none --results %s/t4 > %s/said 2>&1",
                         MAXPOOL_BINARY_DIR, folder, folder),
                     0);
    char *page = read_file("t4/report.md");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(page, parts[i]))
            fail_msg("no '%s'", parts[i]);
    free(page);
}

/* ---- maps, places, rules --------------------------------------------------------------------- */

static void test_maps(NO_STATE)
{
    static const char *const maps[][2] = {
        {"figure 22", "2x2: 9 7 / 8 9"},
        {"figure 24", "5x5: 9 9 5 7 7 / 9 9 5 7 7 / 3 6 6 9 9 / 8 8 7 9 9 / 8 8 7 7 4"},
        {"figure 25", "4x4: 0 0 0 0 / 0 9 7 0 / 0 8 9 0 / 0 0 0 0"}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const size_t row = figure_row_of(&both, maps[i][0]);
        assert_string_equal(field(&both, row, "state"), "answer");
        assert_string_equal(field(&both, row, "ours"), maps[i][1]);
    }
}

static void test_places(NO_STATE)
{
    assert_true(figure_is_at("figures 28-31", "figure 30"));
    assert_true(figure_is_at("figures 28-31", "figure 28"));
    assert_true(figure_is_at("figures 28-31", "figure 31"));
    assert_false(figure_is_at("figures 28-31", "figure 27"));
    assert_false(figure_is_at("figures 28-31", "figure 32"));
    assert_true(figure_is_at("figures 33, 35", "figure 35"));
    assert_false(figure_is_at("figures 33, 35", "figure 34"));
    assert_true(figure_is_at("figure 45, text", "figure 45"));
    assert_true(figure_is_at("figure 4", "figure 4 (second)"));
    assert_false(figure_is_at("figure 4.1", "figure 4.11"));
    assert_false(figure_is_at("figure 4.1", "figure 4.10"));
    assert_true(figure_is_at("figure 4.10 left", "figure 4.10"));
    assert_false(figure_is_at("section 4.3", "figure 4.3"));
}

static void test_rules(NO_STATE)
{
    const struct published_claim above = {
        .expectation = EXPECT_ABOVE, .low = 1.0, .high = INFINITY};
    const struct published_claim below = {
        .expectation = EXPECT_BELOW, .low = -INFINITY, .high = 10.0};
    const struct published_claim range = {.expectation = EXPECT_RANGE, .low = 1.9, .high = 2.1};
    const struct interval none = {NAN, NAN};
    assert_int_equal(verdict_of(&above, 1.2, (struct interval){1.1, 1.3}), VERDICT_AGREES);
    assert_int_equal(verdict_of(&above, 1.2, (struct interval){0.9, 1.3}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&above, 0.9, (struct interval){0.8, 0.95}), VERDICT_DISAGREES);
    assert_int_equal(verdict_of(&above, 1.2, none), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&above, 1.0, (struct interval){1.0, 1.0}), VERDICT_DISAGREES);
    assert_int_equal(verdict_of(&above, 1.1, (struct interval){1.0, 1.2}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&below, 9.0, (struct interval){8.0, 9.9}), VERDICT_AGREES);
    assert_int_equal(verdict_of(&below, 9.0, (struct interval){8.0, 10.0}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&below, 11.0, (struct interval){10.0, 12.0}), VERDICT_DISAGREES);
    assert_int_equal(verdict_of(&below, 11.0, (struct interval){9.9, 12.0}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&below, NAN, (struct interval){8.0, 9.0}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&range, 2.1, (struct interval){1.9, 2.1}), VERDICT_AGREES);
    assert_int_equal(verdict_of(&range, 2.1, (struct interval){2.1, 2.2}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&range, 2.0, (struct interval){1.95, 2.05}), VERDICT_AGREES);
    assert_int_equal(verdict_of(&range, 2.0, (struct interval){1.8, 2.05}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&range, 3.0, (struct interval){2.9, 3.1}), VERDICT_DISAGREES);
    assert_true(digits_match("245", 245.0));
    assert_true(digits_match("61.21", 61.2157)); /* cut */
    assert_true(digits_match("5", 4.9995));      /* rounded */
    assert_true(digits_match("61.21", 61.2051));
    assert_false(digits_match("61.21", 61.2049)); /* more than half a unit below */
    assert_false(digits_match("61.21", 61.2201)); /* more than a unit above */
    assert_false(digits_match("5", 4.4));
    assert_false(digits_match("3", 5.0));
    assert_false(digits_match("2.5578", 2.5577));
}

/* The page leads with claims, then figures, then numbers, in either language. */
static void test_order_of_the_page(NO_STATE)
{
    static const char *const parts[2][4] = {
        {"# The tesina, figure by figure", "Claims", "Figure 32: ", "Numbers"},
        {"# La tesina, figura por figura", "Afirmaciones", "Figura 32: ", "Números"}};
    static const char *const languages[] = {"en", "es"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run("%s/bin/study reproduce --results %s/t4 --document tesina --lang %s "
                             "--format markdown -o %s/page.md",
                             MAXPOOL_BINARY_DIR, folder, languages[i], folder),
                         0);
        char *page = read_file("page.md"), *at = page;
        for (int j = 0; j < 4; j++) {
            at = strstr(at, parts[i][j]);
            if (!at)
                fail_msg("%s: no '%s' in its place", languages[i], parts[i][j]);
        }
        assert_null(strstr(page, "irradianc")); /* of another document */
        assert_null(strstr(page, ": -."));      /* nothing is published there */
        assert_null(strstr(page, "%{"));
        free(page);
    }
    assert_int_equal(
        run("%s/bin/study reproduce --document thesis 2> %s/why", MAXPOOL_BINARY_DIR, folder),
        STATUS_USAGE);
}

/* The page of some folders, as Markdown. */
static char *page_of(const char *folders)
{
    assert_int_equal(run("%s/bin/study reproduce %s --document tesina --format markdown -o "
                         "%s/said.md",
                         MAXPOOL_BINARY_DIR, folders, folder),
                     0);
    return read_file("said.md");
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* Cuts the text of one figure out: from its heading or first words to the next figure's. */
static void cut_figure(char *page, const char *title, char *out, size_t size)
{
    char *from = strstr(page, title), *to = from ? strstr(from + 1, "Figure ") : NULL;
    if (!from || !to || (size_t)(to - from) >= size)
        fail_msg("no '%s'", title);
    snprintf(out, size, "%.*s", (int)(to - from), from);
}

/* Of a figure with SUSPECT times the page has the word once, although finding, trust word and
 * sentence each have it; what a number means is said at the first figure with the claim; that a GPU
 * is needed is the verdict. */
static void test_nothing_is_said_twice(NO_STATE)
{
    char folders[300], text[4096];
    snprintf(folders, sizeof folders, "--results %s/warm", folder);
    char *page = page_of(folders);
    cut_figure(page, "Figure 49: ", text, sizeof text);
    if (!strstr(text, "Moving data takes") || count_of(text, "SUSPECT") != 1)
        fail_msg("SUSPECT %zu times: %s", count_of(text, "SUSPECT"), text);
    cut_figure(page, "Figure 52: ", text, sizeof text);
    if (!strstr(text, "'study run --thesis tesina\\_filter' measures it. ") ||
        !strstr(text, "Verdict: needs a GPU.") || strstr(text, "It needs a GPU"))
        fail_msg("%s", text);
    free(page);
    assert_int_equal(
        run("%s/bin/study reproduce --results %s/warm --format markdown -o %s/whole.md",
            MAXPOOL_BINARY_DIR, folder, folder),
        0);
    page = read_file("whole.md");
    char *row = strstr(page, "| figure 49: ");
    assert_non_null(row);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(row, "\n"), row);
    if (!strstr(text, "Moving data takes") || count_of(text, "SUSPECT") != 1)
        fail_msg("SUSPECT %zu times: %s", count_of(text, "SUSPECT"), text);
    free(page);
    snprintf(folders, sizeof folders, "--results %s/t4 --results %s/k20", folder, folder);
    page = page_of(folders);
    assert_int_equal(count_of(page, "by matmul1 (naive) grows exponentially with n. Verdict: "
                                    "disagrees, "),
                     2);
    cut_figure(page, "Figure 33: ", text, sizeof text);
    assert_int_equal(count_of(text, " Ours: as for the serial program."), 1);
    cut_figure(page, "Figure 35: ", text, sizeof text);
    assert_int_equal(count_of(text, " Ours: as for the serial program."), 0);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_figure_says_its_own),
        cmocka_unit_test(test_planted_faults_are_seen),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_findings_differ),
        cmocka_unit_test(test_efficiency_by_cores),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_all_points_are_looked_at),
        cmocka_unit_test(test_laws_that_do_not_hold),
        cmocka_unit_test(test_ratios_along_a_column),
        cmocka_unit_test(test_answers_in_words),
        cmocka_unit_test(test_no_second_of_an_emulator),
        cmocka_unit_test(test_report_names_blocks),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_order_of_the_page),
        cmocka_unit_test(test_nothing_is_said_twice),
    };
    return tests_end(cmocka_run_group_tests(tests, make_folder, release));
}
