/* make_crossover_results DIR: made-up samples of fully connected networks with one thread, two
 * threads and a GPU. They overtake each other at known numbers of parameters, and the parts of a
 * step have known shares. */
#include "tests/experiments/support/maker.h"

#include "experiments/samples/point.h"

#include <stdio.h>
#include <string.h>

static const char *const wide[] = {"mlp:50",  "mlp:100", "mlp:200",
                                   "mlp:400", "mlp:800", "mlp:1600"};
static const char *const deep[] = {"mlp:50-25", "mlp:100-50", "mlp:200-100", "mlp:400-200"};

/* Seconds of one thread for 1000 vectors, as a function of the parameters. Wide networks take more
 * time per parameter the more parameters they have. */
static double one_thread(const struct record *r)
{
    const double parameters = point_parameter_bytes(r) / sizeof(float), over = parameters / 60000.0;
    return 1e-8 * parameters * (strchr(r->network, '-') ? 1.0 : 1.0 + over * over);
}

static const char other_method[] = "literal";

/* Maps the seconds of one thread to those of two. */
typedef double two_function(double one);
static two_function *two_threads;

static double with_overhead(double one)
{
    return 60e-6 + one / 1.9;
}

static double always_faster(double one)
{
    return one / 1.9;
}

static double always_slower(double one)
{
    return 1.2 * one;
}

static double alike(double one)
{
    return one;
}

static double slower_at_first(double one)
{
    return one < 120e-6 ? 1.2 * one : one;
}

static double faster_at_first(double one)
{
    return one < 300e-6 ? one / 1.9 : 1.2 * one;
}

static double faster_between(double one)
{
    return one < 120e-6 || one > 400e-6 ? 1.2 * one : one / 1.9;
}

static double alike_at_the_ends(double one)
{
    return one < 60e-6 || one > 600e-6 ? one : one < 250e-6 ? 1.2 * one : one / 1.9;
}

/* The update takes a twentieth of a step of 1000 vectors; its seconds do not depend on the
 * batch. */
static void law(struct record *r)
{
    const double one = one_thread(r);
    double whole = r->threads == 2 ? two_threads(one) : one;
    if (strcmp(r->space, "cuda") == 0)
        whole = 190e-6 + one / 20.0;
    const double work = whole * (double)r->batch / 1000.0;
    const bool trains = strcmp(r->task, "train") == 0;
    const double moved = strcmp(r->method, other_method) == 0 ? 0.2 : 0.0; /* moved to backward */
    r->forward_s = (trains ? 0.3 - moved : 1.0) * work;
    r->backward_s = trains ? (0.65 + moved) * work : RECORD_NO_REAL;
    r->loss_s = trains ? 0.05 * work : RECORD_NO_REAL;
    r->update_s = trains ? 0.05 * whole : RECORD_NO_REAL;
    r->distribute_s = r->collect_s = 0.0;
    r->product_s = RECORD_NO_REAL;
    r->compute_s = r->total_s = work + (trains ? 0.05 * whole : 0.0);
}

static struct record point_of(const char *method, const char *network, bool trains, int64_t batch,
                              int64_t threads)
{
    const bool device = threads == 0;
    struct record r = maker_network(device ? "cuda" : "omp", network, batch, 50);
    strcpy(r.method, device ? "own" : method);
    strcpy(r.task, trains ? "train" : "infer");
    r.threads = threads;
    if (trains) {
        strcpy(r.data, "random");
        strcpy(r.optimizer, "adam");
        r.shards = 8;
    }
    if (device) {
        r.ranks = r.threads = r.nodes = RECORD_NO_INT;
        strcpy(r.device, "made-up GPU");
        strcpy(r.throttle, "none");
    }
    return r;
}

static void add_method(struct maker *m, const char *method, const char *network, bool trains,
                       int64_t batch, int64_t threads)
{
    struct record r = point_of(method, network, trains, batch, threads);
    maker_point(m, &r, law);
}

static void add(struct maker *m, const char *network, bool trains, int64_t batch, int64_t threads)
{
    add_method(m, "auto", network, trains, batch, threads);
}

/* Every network with one thread and with two; if `device`, also with two threads and on a GPU in
 * batches of 100. */
static void add_networks(struct maker *m, bool trains, bool device)
{
    enum { WIDE = sizeof wide / sizeof *wide, DEEP = sizeof deep / sizeof *deep };
    for (int i = 0; i < WIDE + DEEP; i++) {
        const char *network = i < WIDE ? wide[i] : deep[i - WIDE];
        for (int64_t threads = device ? 0 : 1; threads <= 2; threads++)
            add(m, network, trains, 1000, threads);
        for (int64_t threads = 0; device && threads <= 2; threads += 2)
            add(m, network, trains, 100, threads);
    }
}

static void make(struct maker *m, const char *name, two_function *two, bool trains, bool device)
{
    two_threads = two;
    maker_begin(m, name);
    add_networks(m, trains, device);
    maker_end(m);
}

/* A network of another experiment, measured with another commit: its launches do not join the
 * other's. */
static void make_other_commit(struct maker *m, const char *as)
{
    m->as = as;
    maker_begin(m, "other_commit");
    for (int64_t batch = 100; batch <= 1000; batch *= 10) {
        struct record r = point_of("auto", "mlp:100-50", true, batch, 2);
        strcpy(r.commit, "ba9876543210");
        maker_point(m, &r, law);
    }
    maker_end(m);
    m->as = NULL;
}

/* The experiments of the suite's own definitions whose findings a report contains. */
static void make_thesis(struct maker *m)
{
    make(m, "solar_mlp_training", with_overhead, true, true);
    make(m, "solar_mlp_inference", with_overhead, false, true);
    maker_begin(m, "solar_threads");
    add_networks(m, true, false);
    add_networks(m, false, false);
    maker_end(m);
}

/* Two networks in two batches with one thread, a third one with two threads, and a deeper one in
 * one batch. */
static void make_fewer_threads(struct maker *m)
{
    two_threads = with_overhead;
    maker_begin(m, "fewer_threads");
    for (int64_t batch = 100; batch <= 1000; batch *= 10) {
        add(m, "mlp:50-25", true, batch, 1);
        add(m, "mlp:100-50", true, batch, 1);
        add(m, "mlp:200-100", true, batch, 2);
    }
    add(m, "mlp:50-25-13", true, 1000, 2);
    maker_end(m);
}

/* A network in two batches with two threads. Other points have more threads, but share cores, have
 * a limited instruction set or small pages, or are in one batch only. */
static void make_more_threads(struct maker *m)
{
    two_threads = with_overhead;
    maker_begin(m, "more_threads");
    for (int64_t batch = 100; batch <= 1000; batch *= 10) {
        struct record crowded = point_of("auto", "mlp:50-25", true, batch, 4),
                      limited = point_of("auto", "mlp:100-50", true, batch, 3),
                      small = point_of("auto", "mlp:400-200", true, batch, 5);
        strcpy(crowded.binding, "shared");
        strcpy(limited.isa_limit, "avx2");
        strcpy(small.pages_asked, "ordinary");
        maker_point(m, &crowded, law);
        maker_point(m, &limited, law);
        maker_point(m, &small, law);
        add(m, "mlp:200-100", true, batch, 2);
    }
    add(m, "mlp:50-25-13", true, 1000, 6);
    maker_end(m);
}

/* Every network in batches of 200, two of them also in batches of 1000. */
static void make_batches(struct maker *m)
{
    two_threads = with_overhead;
    maker_begin(m, "batches");
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        for (int64_t threads = 0; threads <= 2; threads++) {
            add(m, wide[i], true, 200, threads);
            if (i < 2)
                add(m, wide[i], true, 1000, threads);
            if (i < sizeof deep / sizeof *deep)
                add(m, deep[i], true, 200, threads);
        }
    maker_end(m);
}

/* One network on a GPU, all networks on the processor. */
static void make_lone_device(struct maker *m)
{
    maker_begin(m, "lone_device");
    add(m, wide[0], true, 1000, 0);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        add(m, wide[i], true, 1000, 2);
    maker_end(m);
}

/* With two rounds no difference can be tested. */
static void make_few_rounds(struct maker *m)
{
    const size_t launches = m->launches;
    m->launches = 2;
    make(m, "few_rounds", always_faster, true, false);
    m->launches = launches;
}

static void make_many(struct maker *m)
{
    two_threads = always_faster;
    maker_begin(m, "many");
    for (int i = 1; i <= 70; i++)
        for (int64_t threads = 1; threads <= 2; threads++) {
            char network[16];
            snprintf(network, sizeof network, "mlp:%d", 10 * i);
            add(m, network, false, 1000, threads);
        }
    maker_end(m);
}

/* A network by two methods with different shares; the files differ only in the order of the
 * methods. */
static void make_methods(struct maker *m, const char *name, const char *first, const char *then)
{
    two_threads = always_faster;
    maker_begin(m, name);
    for (int64_t batch = 100; batch <= 1000; batch += 900) {
        add_method(m, first, deep[1], true, batch, 2);
        add_method(m, then, deep[1], true, batch, 2);
    }
    maker_end(m);
}

/* The second method in one batch only. */
static void make_methods_partly(struct maker *m)
{
    maker_begin(m, "methods_partly");
    add_method(m, "im2col", deep[1], true, 100, 2);
    add_method(m, "im2col", deep[1], true, 1000, 2);
    add_method(m, other_method, deep[1], true, 1000, 2);
    maker_end(m);
}

/* Two networks of 4223 parameters each, with one thread and with two. */
static void make_equal_sizes(struct maker *m)
{
    static const char *const networks[] = {"mlp:44-43", "mlp:45-41"};
    two_threads = always_faster;
    maker_begin(m, "equal_sizes");
    for (int64_t batch = 100; batch <= 1000; batch += 900)
        for (int64_t threads = 1; threads <= 2; threads++)
            for (int i = 0; i < 2; i++)
                add(m, networks[i], true, batch, threads);
    maker_end(m);
}

int main(int argc, char **argv)
{
    struct maker m;
    maker_open(&m, argc, argv);
    make(&m, "crossing", with_overhead, true, true);
    make(&m, "crossing_inference", with_overhead, false, true);
    make(&m, "faster", always_faster, true, false);
    make(&m, "slower", always_slower, false, false);
    make(&m, "alike", alike, true, false);
    make(&m, "slower_at_first", slower_at_first, true, false);
    make_thesis(&m);
    make_other_commit(&m, "solar_mlp_training");
    make_fewer_threads(&m);
    make_more_threads(&m);
    make(&m, "faster_at_first", faster_at_first, true, false);
    make(&m, "faster_between", faster_between, true, false);
    make(&m, "alike_at_the_ends", alike_at_the_ends, true, false);
    make_batches(&m);
    make_lone_device(&m);
    make_few_rounds(&m);
    make_many(&m);
    make_methods(&m, "methods", "im2col", "literal");
    make_methods(&m, "methods_turned", "literal", "im2col");
    make_methods_partly(&m);
    make_equal_sizes(&m);
    maker_close(&m);
    return 0;
}
