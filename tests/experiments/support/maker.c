#include "tests/experiments/support/maker.h"

#include "experiments/common/results.h"
#include "tests/experiments/support/synthetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 5, EQUAL_LAUNCHES = 8, SAMPLES = 10 };
static const double equal_s = 1e-3; /* the total time of every point, if all are equal */

static const struct noise noise = {.launch = 0.008, .sample = 0.01, .outlier = 0.02};

static void must(enum status status, const struct failure *f)
{
    if (status == STATUS_OK)
        return;
    fprintf(stderr, "results could not be made up: %s\n", f->message);
    exit((int)status);
}

void maker_open(struct maker *m, int argc, char **argv)
{
    struct failure f = {0};
    const bool equal = argc == 3 && strcmp(argv[2], "equal") == 0;
    if (argc != 2 && !equal) {
        fprintf(stderr, "usage: %s DIR [equal]\n", argv[0]);
        exit(STATUS_USAGE);
    }
    *m = (struct maker){.folder = argv[1],
                        .rng = gsl_rng_alloc(gsl_rng_mt19937),
                        .launches = equal ? EQUAL_LAUNCHES : LAUNCHES,
                        .equal = equal};
    gsl_rng_set(m->rng, 35);
    must(results_make(m->folder, &f), &f);
}

void maker_close(struct maker *m)
{
    gsl_rng_free(m->rng);
}

void maker_begin(struct maker *m, const char *experiment)
{
    struct failure f = {0};
    m->experiment = experiment;
    must(record_writer_open(&m->writer, results_own_samples(m->folder, experiment).text, NULL, &f),
         &f);
}

void maker_end(struct maker *m)
{
    struct failure f = {0};
    must(record_writer_close(m->writer, &f), &f);
}

struct record maker_blank(const char *space, const char *method)
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
    r.setup_s = 0.001;
    return r;
}

struct record maker_network(const char *space, const char *network, int64_t images, int64_t side)
{
    const bool vectors = strncmp(network, "mlp", 3) == 0;
    const int64_t channels = side >= 64 ? 3 : 1;
    struct record r = maker_blank(space, "auto");
    snprintf(r.program, sizeof r.program, "network_%s", space);
    strcpy(r.operator_name, "network");
    strcpy(r.weights, "seeded");
    strcpy(r.verified, "bound");
    snprintf(r.network, sizeof r.network, "%s", network);
    r.pad_mode[0] = r.filter[0] = '\0';
    r.kernel = r.stride = r.padding = RECORD_NO_INT;
    r.batch = images;
    r.planes = vectors ? 1 : images * channels;
    r.rows = vectors ? images : side;
    r.cols = side;
    return r;
}

/* Scales all phases of a sample by the same factor as its total. */
static void scale(struct record *r, const struct record *truth, double factor)
{
    r->distribute_s = factor * truth->distribute_s;
    r->compute_s = factor * truth->compute_s;
    r->product_s = factor * truth->product_s;
    r->collect_s = factor * truth->collect_s;
    r->allocate_s = factor * truth->allocate_s;
    r->total_s = factor * truth->total_s;
}

/* Returns a seed for the images of an experiment, so that no two experiments measure the same
 * point: such a point would have the launches of both. */
static int64_t seed_of(const char *experiment)
{
    int64_t seed = 35;
    for (; *experiment; experiment++)
        seed = (31 * seed + *experiment) % 100003;
    return seed;
}

/* A scatter of at most 0.8 % that differs between points and rounds, in which no point is faster
 * than another in more than two rounds together, nor in its even or its odd ones. */
static double equal_scatter(size_t point, size_t round)
{
    const double own = 0.002 * (1.0 + (double)(point % 5));
    return 1.0 + (round / 2 % 2 ? own : -own);
}

static void add_launch(struct maker *m, const struct record *truth, size_t launch)
{
    struct failure f = {0};
    struct record r = *truth;
    double values[SAMPLES];
    synthetic_launch(values, SAMPLES, 1.0, launch, m->launches, &noise, m->rng);
    for (size_t i = 0; m->equal && i < SAMPLES; i++)
        values[i] = equal_scatter(m->points, launch);
    strcpy(r.experiment, m->experiment);
    r.seed = seed_of(m->as ? m->as : m->experiment);
    snprintf(r.run_id, sizeof r.run_id, "%s-%d", m->experiment, m->runs++);
    r.round = (int64_t)launch;
    for (int i = -1; i < SAMPLES; i++) {
        r.warmup = i < 0;
        r.sample = i < 0 ? 0 : i;
        scale(&r, truth, values[i < 0 ? 0 : i]);
        strcpy(r.stop_reason, i == SAMPLES - 1 ? "relative_ci" : "");
        must(record_append(m->writer, &r, &f), &f);
    }
}

void maker_point(struct maker *m, const struct record *r, maker_law *law)
{
    struct record truth = *r;
    law(&truth);
    if (m->equal) {
        const struct record by_law = truth;
        scale(&truth, &by_law, equal_s / by_law.total_s);
    }
    m->points++;
    for (size_t launch = 0; launch < m->launches; launch++)
        add_launch(m, &truth, launch);
}
