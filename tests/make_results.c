/* make_results DIR: a result set of made-up samples with known truth, for the tests of analysis,
 * charts and report. Times follow Amdahl's law with f = 0.95, n^2 k^3 growth, and 1 % noise. */
#include "experiments/results.h"
#include "harness/record.h"
#include "synthetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 5, SAMPLES = 10 };

static const struct noise noise = {.launch = 0.008, .sample = 0.01, .outlier = 0.02};
static const double parallel_share = 0.95, product_share = 0.61, second_per_term = 1e-9;

struct maker {
    const char *folder, *experiment;
    struct record_writer *writer;
    gsl_rng *dice;
    int runs;
};

static void must(enum status status, const struct failure *f)
{
    if (status == STATUS_OK)
        return;
    fprintf(stderr, "make_results: %s\n", f->message);
    exit((int)status);
}

static struct record blank(const char *space, const char *method)
{
    struct record r = record_empty();
    snprintf(r.program, sizeof r.program, "maxpool_%s", space);
    snprintf(r.space, sizeof r.space, "%s", space);
    snprintf(r.method, sizeof r.method, "%s", method);
    strcpy(r.operator_name, "maxpool");
    strcpy(r.pad_mode, "zero");
    strcpy(r.filter, "identity");
    strcpy(r.input, "random");
    strcpy(r.launch, "plain");
    strcpy(r.bind, "none");
    strcpy(r.isa, "x86-64");
    strcpy(r.host, "example");
    strcpy(r.commit, "0123456789ab");
    strcpy(r.time_utc, "2026-01-01T00:00:00Z");
    strcpy(r.verified, "exact");
    r.planes = 1;
    r.rows = r.cols = 1024;
    r.kernel = r.stride = 2;
    r.padding = 0;
    r.seed = 35;
    r.max_value = 9;
    r.ranks = r.threads = r.nodes = 1;
    return r;
}

static double true_seconds(const struct record *r)
{
    int64_t more = 2 * r->padding - r->kernel;
    double out = floor((double)(r->rows + more) / (double)r->stride) + 1.0;
    double wide = floor((double)(r->cols + more) / (double)r->stride) + 1.0;
    double work = out * wide * pow((double)r->kernel, 3.0) * second_per_term;
    static const struct {
        const char *method;
        double factor; /* over fused */
    } methods[] = {{"literal", 4.0},     {"staged", 4.0},  {"direct", 0.5},  {"onednn", 3.0},
                   {"onednn-nhwc", 2.0}, {"libxsmm", 6.0}, {"pytorch", 40.0}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(r->method, methods[i].method) == 0)
            work *= methods[i].factor;
    double workers = (double)(r->ranks * r->threads);
    return 2e-6 + work * ((1.0 - parallel_share) + parallel_share / workers);
}

static void add_launch(struct maker *m, struct record r, size_t launch)
{
    struct failure f = {0};
    double values[SAMPLES];
    synthetic_launch(values, SAMPLES, true_seconds(&r), launch, LAUNCHES, &noise, m->dice);
    strcpy(r.experiment, m->experiment);
    snprintf(r.run_id, sizeof r.run_id, "%s-%d", m->experiment, m->runs++);
    r.round = (int64_t)launch;
    for (int i = -1; i < SAMPLES; i++) {
        r.warmup = i < 0;
        r.sample = i < 0 ? 0 : i;
        r.compute_s = values[i < 0 ? 0 : i];
        r.distribute_s = strcmp(r.space, "mpi") == 0 ? 0.1 * r.compute_s : 0.0;
        r.collect_s = strcmp(r.space, "mpi") == 0 ? 0.05 * r.compute_s : 0.0;
        r.product_s =
            strcmp(r.method, "staged") == 0 ? product_share * r.compute_s : RECORD_NO_REAL;
        r.total_s = r.compute_s + r.distribute_s + r.collect_s + 1e-7;
        r.setup_s = 0.001;
        strcpy(r.stop_reason, i == SAMPLES - 1 ? "relative_ci" : "");
        must(record_append(m->writer, &r, &f), &f);
    }
}

static void add_point(struct maker *m, const struct record *r)
{
    for (size_t launch = 0; launch < LAUNCHES; launch++)
        add_launch(m, *r, launch);
}

static void begin(struct maker *m, const char *experiment)
{
    struct failure f = {0};
    m->experiment = experiment;
    must(record_writer_open(&m->writer, results_samples(m->folder, experiment).text, NULL, &f), &f);
}

static void end(struct maker *m)
{
    struct failure f = {0};
    must(record_writer_close(m->writer, &f), &f);
}

static void add_serial(struct maker *m)
{
    static const char *const methods[] = {"literal", "staged", "fused"};
    for (size_t i = 0; i < 3; i++) {
        struct record r = blank("serial", methods[i]);
        add_point(m, &r);
    }
}

/* One point with a wrong result, one with an unreached interval. */
static void add_bad(struct maker *m)
{
    struct record r = blank("omp", "fused");
    r.threads = 6;
    strcpy(r.verified, "wrong");
    add_point(m, &r);
}

static void make_threads(struct maker *m)
{
    begin(m, "threads");
    add_serial(m);
    for (int64_t threads = 1; threads <= 8; threads *= 2)
        for (int i = 0; i < 2; i++) {
            struct record r = blank("omp", i ? "fused" : "literal");
            r.threads = threads;
            add_point(m, &r);
        }
    add_bad(m);
    end(m);
}

static void make_scaling(struct maker *m, const char *experiment, int64_t grow)
{
    begin(m, experiment);
    add_serial(m);
    for (int64_t ranks = 1; ranks <= 16; ranks *= 2) {
        struct record r = blank("mpi", "fused");
        strcpy(r.distribution, "generate");
        strcpy(r.launch, "mpirun");
        r.ranks = ranks;
        r.rows *= grow ? ranks : 1;
        add_point(m, &r);
    }
    end(m);
}

static void make_growth(struct maker *m, const char *experiment)
{
    static const char *const methods[] = {"literal", "staged", "fused"};
    begin(m, experiment);
    for (int64_t n = 2; n <= 4096; n *= 2)
        for (size_t i = 0; i < 3; i++) {
            struct record r = blank("serial", methods[i]);
            r.rows = r.cols = n;
            add_point(m, &r);
        }
    end(m);
}

static void make_shapes(struct maker *m)
{
    for (int64_t k = 2; k <= 16; k *= 2)
        for (int i = 0; i < 4; i++) {
            struct record r = blank("serial", i % 2 ? "fused" : "literal");
            r.kernel = k;
            r.stride = i < 2 ? 1 : k;
            add_point(m, &r);
        }
}

/* Strides and paddings at one kernel size. */
static void make_strides(struct maker *m)
{
    for (int64_t i = 2; i <= 16; i *= 2) {
        struct record r = blank("serial", "literal");
        r.kernel = 4;
        r.stride = i;
        add_point(m, &r);
        r.padding = i / 2;
        r.stride = 3;
        add_point(m, &r);
    }
}

/* Peers beside our methods: a plane, and a shape that the definition names. */
static void make_peers(struct maker *m)
{
    static const char *const methods[] = {"fused",       "direct",  "onednn",
                                          "onednn-nhwc", "libxsmm", "pytorch"};
    begin(m, "peers");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (int network = 0; network < 2; network++) {
            const bool pytorch = strcmp(methods[i], "pytorch") == 0;
            struct record r = blank(pytorch ? "pytorch" : "serial", methods[i]);
            if (network) {
                r.planes = 4096;
                r.rows = r.cols = 13;
                r.kernel = 3;
                strcpy(r.pad_mode, "ignore");
            }
            add_point(m, &r);
        }
    end(m);
}

int main(int argc, char **argv)
{
    struct failure f = {0};
    if (argc != 2) {
        fputs("usage: make_results DIR\n", stderr);
        return STATUS_USAGE;
    }
    struct maker m = {.folder = argv[1], .dice = gsl_rng_alloc(gsl_rng_mt19937)};
    gsl_rng_set(m.dice, 35);
    must(results_make(m.folder, &f), &f);
    make_threads(&m);
    make_scaling(&m, "strong_scaling", 0);
    make_scaling(&m, "weak_scaling", 1);
    make_growth(&m, "serial_growth");
    make_growth(&m, "window_count");
    make_growth(&m, "speedup");
    make_peers(&m);
    begin(&m, "hyperparameters");
    make_shapes(&m);
    make_strides(&m);
    end(&m);
    begin(&m, "ladder");
    make_shapes(&m);
    end(&m);
    gsl_rng_free(m.dice);
    return 0;
}
