/* make_results DIR: a result set of made-up samples with known truth, for the tests of analysis,
 * charts and report. Times follow Amdahl's law with f = 0.95, n^2 k^3 growth, and 1 % noise. */
#include "tests/experiments/support/maker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double parallel_share = 0.95, product_share = 0.61, second_per_term = 1e-9;

static double compute_seconds(const struct record *r)
{
    int64_t more = 2 * r->padding - r->kernel;
    double out = floor((double)(r->rows + more) / (double)r->stride) + 1.0;
    double wide = floor((double)(r->cols + more) / (double)r->stride) + 1.0;
    double work = out * wide * pow((double)r->kernel, 3.0) * second_per_term;
    static const struct {
        const char *method;
        double factor; /* relative to fused */
    } methods[] = {{"literal", 4.0},  {"staged", 4.0},      {"direct", 0.5},
                   {"onednn", 3.0},   {"onednn-nhwc", 2.0}, {"libxsmm", 6.0},
                   {"pytorch", 40.0}, {"python", 4000.0},   {"numba", 20.0}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(r->method, methods[i].method) == 0)
            work *= methods[i].factor;
    double workers = (double)(r->ranks * r->threads);
    return 2e-6 + work * ((1.0 - parallel_share) + parallel_share / workers);
}

static void host_law(struct record *r)
{
    const bool moves = strcmp(r->space, "mpi") == 0;
    r->compute_s = compute_seconds(r);
    r->distribute_s = moves ? 0.1 * r->compute_s : 0.0;
    r->collect_s = moves ? 0.05 * r->compute_s : 0.0;
    r->product_s = strcmp(r->method, "staged") == 0 ? product_share * r->compute_s : RECORD_NO_REAL;
    r->total_s = r->compute_s + r->distribute_s + r->collect_s + 1e-7;
}

static void add_point(struct maker *m, const struct record *r)
{
    maker_point(m, r, host_law);
}

static void add_serial(struct maker *m)
{
    static const char *const methods[] = {"literal", "staged", "fused"};
    for (size_t i = 0; i < 3; i++) {
        struct record r = maker_blank("serial", methods[i]);
        add_point(m, &r);
    }
}

/* A point with a wrong result, and one that did not reach its interval. */
static void add_bad(struct maker *m)
{
    struct record r = maker_blank("omp", "fused");
    r.threads = 6;
    strcpy(r.verified, "wrong");
    add_point(m, &r);
}

static void make_threads(struct maker *m)
{
    maker_begin(m, "threads");
    add_serial(m);
    for (int64_t threads = 1; threads <= 8; threads *= 2)
        for (int i = 0; i < 2; i++) {
            struct record r = maker_blank("omp", i ? "fused" : "literal");
            r.threads = threads;
            add_point(m, &r);
        }
    add_bad(m);
    maker_end(m);
}

static void make_scaling(struct maker *m, const char *experiment, int64_t grow)
{
    maker_begin(m, experiment);
    add_serial(m);
    for (int64_t ranks = 1; ranks <= 16; ranks *= 2) {
        struct record r = maker_blank("mpi", "fused");
        strcpy(r.distribution, "generate");
        strcpy(r.launch, "mpirun");
        r.ranks = ranks;
        r.rows *= grow ? ranks : 1;
        add_point(m, &r);
    }
    maker_end(m);
}

/* 1, 2, 4 and 8 ranks: bound, unbound, sharing cores, and unbound although binding was
 * requested. */
static void make_binding(struct maker *m)
{
    static const char *const bindings[] = {"inherited", "none", "shared", "none"};
    maker_begin(m, "binding");
    for (int i = 0; i < 4; i++) {
        struct record r = maker_blank("mpi", "fused");
        r.ranks = INT64_C(1) << i;
        strcpy(r.binding, bindings[i]);
        add_point(m, &r);
        if (i < 3)
            continue;
        strcpy(r.method, "direct"); /* a method of its own: no curve with the others */
        strcpy(r.bind, "core");
        add_point(m, &r);
    }
    maker_end(m);
}

/* fused on huge pages in half of its launches, direct in all of them; literal's pages were not
 * recorded. */
static void make_pages(struct maker *m)
{
    static const struct {
        const char *method, *pages;
    } rows[] = {{"fused", "huge"}, {"fused", "ordinary"}, {"direct", "huge"}, {"literal", ""}};
    maker_begin(m, "pages");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct record r = maker_blank("serial", rows[i].method);
        strcpy(r.pages, rows[i].pages);
        add_point(m, &r);
    }
    maker_end(m);
}

static void make_growth(struct maker *m, const char *experiment)
{
    static const char *const methods[] = {"literal", "staged", "fused"};
    maker_begin(m, experiment);
    for (int64_t n = 2; n <= 4096; n *= 2)
        for (size_t i = 0; i < 3; i++) {
            struct record r = maker_blank("serial", methods[i]);
            r.rows = r.cols = n;
            add_point(m, &r);
        }
    maker_end(m);
}

static void make_shapes(struct maker *m)
{
    for (int64_t k = 2; k <= 16; k *= 2)
        for (int i = 0; i < 4; i++) {
            struct record r = maker_blank("serial", i % 2 ? "fused" : "literal");
            r.kernel = k;
            r.stride = i < 2 ? 1 : k;
            add_point(m, &r);
        }
}

/* Strides and paddings at one kernel size. */
static void make_strides(struct maker *m)
{
    for (int64_t i = 2; i <= 16; i *= 2) {
        struct record r = maker_blank("serial", "literal");
        r.kernel = 4;
        r.stride = i;
        add_point(m, &r);
        r.padding = i / 2;
        r.stride = 3;
        add_point(m, &r);
    }
}

/* Peers and our methods: a plane, and a shape that the definition names. */
static void make_peers(struct maker *m)
{
    static const char *const methods[] = {"fused",       "direct",  "onednn",
                                          "onednn-nhwc", "libxsmm", "pytorch"};
    maker_begin(m, "peers");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (int network = 0; network < 2; network++) {
            const bool pytorch = strcmp(methods[i], "pytorch") == 0;
            struct record r = maker_blank(pytorch ? "pytorch" : "serial", methods[i]);
            if (network) {
                r.planes = 4096;
                r.rows = r.cols = 13;
                r.kernel = 3;
                strcpy(r.pad_mode, "ignore");
            }
            add_point(m, &r);
        }
    maker_end(m);
}

/* Backward convolution at strides 1 and 2, by two methods each. */
static struct record gradient(const char *of, const char *method, int64_t stride)
{
    struct record r = maker_blank("serial", method);
    strcpy(r.program, "conv_serial");
    strcpy(r.operator_name, "conv");
    strcpy(r.gradient, of);
    r.pad_mode[0] = '\0';
    r.filter[0] = '\0';
    strcpy(r.weights, "random");
    strcpy(r.d_output, "random");
    r.rows = r.cols = 56;
    r.planes = r.channels = r.filters = 64;
    r.batch = r.groups = r.padding = 1;
    r.kernel = 3;
    r.stride = stride;
    return r;
}

static void make_gradients(struct maker *m)
{
    static const struct {
        const char *of, *method;
        int64_t stride;
    } rows[] = {{"image", "literal", 1},  {"image", "implicit", 1},  {"image", "literal", 2},
                {"image", "implicit", 2}, {"weights", "literal", 1}, {"weights", "tiles", 1}};
    maker_begin(m, "conv_gradients");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct record r = gradient(rows[i].of, rows[i].method, rows[i].stride);
        add_point(m, &r);
    }
    maker_end(m);
}

/* The tesina's loops in Python, compiled by Numba, and the same algorithm in C. */
static void make_technologies(struct maker *m)
{
    static const char *const steps[][2] = {
        {"python", "python"}, {"numba", "numba"}, {"serial", "literal"}, {"serial", "simd"}};
    maker_begin(m, "technologies");
    for (size_t i = 0; i < 4; i++) {
        struct record r = maker_blank(steps[i][0], steps[i][1]);
        r.rows = r.cols = 128;
        add_point(m, &r);
    }
    maker_end(m);
}

int main(int argc, char **argv)
{
    struct maker m;
    maker_open(&m, argc, argv);
    make_threads(&m);
    make_scaling(&m, "strong_scaling", 0);
    make_scaling(&m, "weak_scaling", 1);
    make_binding(&m);
    make_growth(&m, "serial_growth");
    make_growth(&m, "window_count");
    make_growth(&m, "speedup");
    make_peers(&m);
    maker_begin(&m, "hyperparameters");
    make_shapes(&m);
    make_strides(&m);
    maker_end(&m);
    maker_begin(&m, "ladder");
    make_shapes(&m);
    maker_end(&m);
    make_pages(
        &m); /* these come last, so that the random numbers of all samples before stay the same */
    make_gradients(&m);
    make_technologies(&m);
    maker_close(&m);
    return 0;
}
