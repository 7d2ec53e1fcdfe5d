/* make_training_results DIR: made-up samples and training curves with known truth, for the
 * tests of analysis, charts and report. */
#include "tests/experiments/support/maker.h"

#include "experiments/common/results.h"
#include "harness/records/layer_record.h"
#include "harness/records/training_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One rank takes `seconds` times (batch + 8) for a step. Several divide this time by their number,
 * and add the exchange: 0.05 of one rank's time, or 0.3 if central. Two threads are 1.9 times as
 * fast as one. */
static const struct {
    const char *network;
    double seconds; /* per image */
} truths[] = {{"solar_cnn", 2e-3},
              {"mlp:50", 4e-8},
              {"mlp:800-400", 40e-6},
              {"alexnet_mri", 4e-3},
              {"alexnet_tesina", 4e-3}};

static void law(struct record *r)
{
    double seconds = 0.0;
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        if (strcmp(r->network, truths[i].network) == 0)
            seconds = truths[i].seconds;
    const bool central = strcmp(r->strategy, "central") == 0;
    const double one = seconds * (8.0 + (double)r->batch), ranks = (double)r->ranks;
    const double speed = pow((double)r->threads, 0.926);
    r->exchange_s = ranks > 1.0 ? one * (central ? 0.3 : 0.05) : 0.0;
    r->compute_s = one / ranks / speed + r->exchange_s;
    r->forward_s = 0.3 * one / ranks / speed;
    r->backward_s = 0.6 * one / ranks / speed;
    r->loss_s = 0.0;
    r->update_s = 0.1 * one / ranks / speed;
    r->distribute_s = r->collect_s = 0.0;
    r->product_s = RECORD_NO_REAL;
    r->total_s = r->compute_s;
}

static struct record step_of(const char *space, const char *network, int64_t images, int64_t side)
{
    struct record r = maker_network(space, network, images, side);
    strcpy(r.task, "train");
    strcpy(r.data, "random");
    strcpy(r.input, "random");
    strcpy(r.optimizer, "adam");
    r.shards = 8;
    return r;
}

static void add(struct maker *m, struct record r, int64_t threads)
{
    r.threads = threads;
    maker_point(m, &r, law);
}

/* Inference and training of the same network and batches are different points. */
static void make_batches(struct maker *m)
{
    maker_begin(m, "cnn_batch");
    for (int64_t threads = 1; threads <= 2; threads++)
        for (int64_t images = 2; images <= 512; images *= 4) {
            struct record r = maker_network("omp", "solar_cnn", images, 50);
            strcpy(r.task, "infer");
            add(m, r, threads);
            add(m, step_of("omp", "solar_cnn", images, 50), threads);
        }
    maker_end(m);
}

static void make_sizes(struct maker *m)
{
    maker_begin(m, "mlp_training");
    for (int64_t images = 100; images <= 1000; images *= 10) {
        add(m, step_of("omp", "mlp:50", images, 50), 2);
        add(m, step_of("omp", "mlp:800-400", images, 50), 2);
    }
    maker_end(m);
}

static void make_strategies(struct maker *m)
{
    static const char *const strategies[] = {"mirrored", "central"};
    maker_begin(m, "cnn_strategies");
    for (int64_t ranks = 1; ranks <= 4; ranks *= 2)
        for (size_t i = 0; i < 2; i++) {
            struct record r = step_of("mpi", "solar_cnn", 256, 50);
            snprintf(r.strategy, sizeof r.strategy, "%s", strategies[i]);
            r.ranks = ranks;
            add(m, r, 1);
        }
    maker_end(m);
}

/* ---- training curves ------------------------------------------------------------------------- */

enum { EPOCHS = 50, LAUNCHES = 6, RATES = 60 };

/* 118 images of three classes with 38, 40 and 40: 2 of class 1 are taken for class 2, and 1 of
 * class 0 for class 1. */
static const int64_t matrix[3][3] = {{37, 1, 0}, {0, 38, 2}, {0, 0, 40}};

static void append(struct table_writer *w, const struct training_record *r)
{
    struct failure f = {0};
    if (table_append(w, r, &f) != STATUS_OK)
        exit((int)STATUS_OUTPUT);
}

/* All launches have the same losses. An epoch takes 0.5 s, and 1 % more with each further
 * launch. */
static void append_epochs(struct table_writer *w, struct training_record r, int64_t launch)
{
    strcpy(r.what, "epoch");
    for (r.epoch = 1; r.epoch <= EPOCHS; r.epoch++) {
        const double learned = 1.0 - exp(-0.12 * (double)r.epoch);
        r.step = 3 * r.epoch;
        r.seconds = 0.5 * (1.0 + 0.01 * (double)launch);
        r.loss = 1.1 * (1.0 - 0.99 * learned);
        r.accuracy = 1.0 / 3.0 + 0.66 * learned;
        r.validation_loss = 1.2 * (1.0 - 0.98 * learned);
        r.validation_accuracy = 1.0 / 3.0 + 0.63 * learned;
        r.test_accuracy = r.epoch == EPOCHS ? 115.0 / 118.0 : 1.0 / 3.0 + 0.6 * learned;
        snprintf(r.parameters_hash, RECORD_TEXT, "%016d", (int)r.epoch);
        append(w, &r);
    }
}

/* The network has more outputs than its data have classes, like the tesina's. */
static const int64_t outputs = 10;

static void append_matrix(struct table_writer *w, struct training_record r, int64_t epoch)
{
    strcpy(r.what, "confusion");
    r.epoch = epoch;
    for (r.right = 0; r.right < outputs; r.right++)
        for (r.said = 0; r.said < outputs; r.said++) {
            const bool is_class = r.right < 3 && r.said < 3;
            r.count = !is_class         ? 0
                      : epoch == EPOCHS ? matrix[r.right][r.said]
                                        : 7; /* before it learned */
            append(w, &r);
        }
}

/* The loss falls fastest at the 31st of 60 rates. */
static void append_rates(struct table_writer *w, struct training_record r)
{
    strcpy(r.what, "rate");
    for (int i = 0; i < RATES; i++) {
        r.step = i + 1;
        r.rate = 1e-7 * pow(10.0, 0.1 * i);
        r.smoothed_loss = 1.2 - 1.1 / (1.0 + exp(0.4 * (30 - i))) + (i > 50 ? 0.3 * (i - 50) : 0.0);
        r.loss = r.smoothed_loss * (i % 2 ? 1.05 : 0.95);
        r.suggested = i == 30;
        append(w, &r);
    }
}

/* A launch of another program with other results, which must not join the first. */
static void append_other(struct table_writer *w, const char *network)
{
    struct training_record r;
    table_blank(&training_record_schema, &r);
    strcpy(r.program, "network_cuda");
    strcpy(r.network, network);
    strcpy(r.data, "brain_planes");
    strcpy(r.run_id, "other");
    strcpy(r.what, "epoch");
    r.epoch = EPOCHS + 1;
    r.seconds = r.loss = 1.0;
    r.accuracy = r.test_accuracy = 0.5;
    append(w, &r);
}

static struct table_writer *open_rows(struct maker *m, const char *experiment)
{
    struct table_writer *w;
    struct failure f = {0};
    if (table_writer_open(&w, &training_record_schema, results_training(m->folder, experiment).text,
                          NULL, &f) != STATUS_OK)
        exit((int)STATUS_OUTPUT);
    return w;
}

static void close_rows(struct table_writer *w)
{
    struct failure f = {0};
    if (table_writer_close(w, &f) != STATUS_OK)
        exit((int)STATUS_OUTPUT);
}

static void make_training_curve(struct maker *m, const char *experiment, const char *network)
{
    struct record step = step_of("omp", network, 256, 32);
    strcpy(step.data, "brain_planes");
    strcpy(step.input, "brain_planes");
    maker_begin(m, experiment);
    add(m, step, 2);
    maker_end(m);
    struct table_writer *w = open_rows(m, experiment);
    for (int64_t launch = 0; launch < LAUNCHES; launch++) {
        struct training_record r;
        table_blank(&training_record_schema, &r);
        strcpy(r.program, "network_omp");
        strcpy(r.network, network);
        strcpy(r.data, "brain_planes");
        r.learning_rate = 1e-4;
        snprintf(r.run_id, sizeof r.run_id, "launch-%d", (int)launch);
        append_rates(w, r);
        append_epochs(w, r, launch);
        append_matrix(w, r, launch % 2 ? EPOCHS / 2 : EPOCHS); /* some trained for fewer epochs */
    }
    append_other(w, network);
    close_rows(w);
}

/* ---- the tesina's protocol ------------------------------------------------------------------- */

enum { FIRST_SEED = 1234, SEEDS = 6 };

static void write_protocol(char *normalize, char *split, char *select, char *init)
{
    strcpy(normalize, "0.5,0.5");
    strcpy(split, "245,28,99");
    strcpy(select, "best-validation");
    strcpy(init, "tesina");
}

static struct training_record tesina_row(int64_t launch, int64_t seed)
{
    struct training_record r;
    table_blank(&training_record_schema, &r);
    strcpy(r.program, "network_omp");
    strcpy(r.network, "alexnet_tesina");
    strcpy(r.data, "brain_planes");
    write_protocol(r.normalize, r.split, r.select, r.init);
    r.learning_rate = 1e-3;
    r.seed = FIRST_SEED + seed;
    snprintf(r.run_id, sizeof r.run_id, "launch-%d", (int)launch);
    return r;
}

/* As append_epochs, but a seed is right on a hundredth more images than the one before, and the
 * validation loss rises in epoch 25, so that epoch 24 is selected by then. */
static void append_seed(struct table_writer *w, struct training_record r, int64_t launch)
{
    strcpy(r.what, "epoch");
    for (r.epoch = 1; r.epoch <= EPOCHS; r.epoch++) {
        const double learned = 1.0 - exp(-0.12 * (double)r.epoch);
        const double seed = 0.01 * ((double)(r.seed - FIRST_SEED) - 2.5);
        r.step = r.epoch;
        r.seconds = 0.5 * (1.0 + 0.01 * (double)launch);
        r.loss = 1.1 * (1.0 - 0.99 * learned);
        r.accuracy = 1.0 / 3.0 + 0.6 * learned + seed;
        r.validation_loss = 1.2 * (1.0 - 0.98 * learned) * (r.epoch == EPOCHS / 2 ? 2.0 : 1.0);
        r.validation_accuracy = 1.0 / 3.0 + 0.63 * learned;
        r.test_accuracy = 1.0 / 3.0 + 0.6 * learned + seed;
        append(w, &r);
    }
    append_matrix(w, r, EPOCHS);
}

/* Six seeds, the first of them launched once more, which is no further training; and launches by
 * other protocols, which belong to none. The rates were tried by an experiment of their own. */
static void make_protocol(struct maker *m)
{
    struct record step = step_of("omp", "alexnet_tesina", 245, 32);
    strcpy(step.data, "brain_planes");
    strcpy(step.input, "brain_planes");
    write_protocol(step.normalize, step.split, step.select, step.init);
    maker_begin(m, "tesina_alexnet");
    for (step.seed = FIRST_SEED; step.seed < FIRST_SEED + SEEDS; step.seed++)
        add(m, step, 2);
    maker_end(m);
    struct table_writer *w = open_rows(m, "tesina_alexnet");
    for (int64_t launch = 0; launch <= SEEDS; launch++)
        append_seed(w, tesina_row(launch, launch % SEEDS), launch);
    struct training_record other = tesina_row(SEEDS + 1, SEEDS);
    other.split[0] = '\0';
    append_seed(w, other, 100);
    other = tesina_row(SEEDS + 2, SEEDS);
    other.init[0] = '\0';
    append_seed(w, other, 100);
    append_other(w, "alexnet_tesina");
    close_rows(w);
    maker_begin(m, "tesina_rates");
    step.seed = FIRST_SEED;
    add(m, step, 2);
    maker_end(m);
    w = open_rows(m, "tesina_rates");
    append_rates(w, tesina_row(0, 0));
    close_rows(w);
}

/* A step whose parts take 1, 2, 2, 4 and 1 tenths of the time, which differs between launches:
 * conv1 forward and backward, dense1 likewise, and the update. */
static void make_layers(struct maker *m)
{
    static const struct {
        const char *layer, *pass;
        int64_t step;
        double share;
    } parts[] = {{"conv1", "forward", 0, 0.1},
                 {"dense1", "forward", 1, 0.2},
                 {"dense1", "backward", 1, 0.4},
                 {"conv1", "backward", 0, 0.2},
                 {"update", "update", 2, 0.1}};
    struct table_writer *w;
    struct failure f = {0};
    maker_begin(m, "training_layers");
    add(m, step_of("serial", "solar_cnn", 128, 50), 1);
    maker_end(m);
    enum status status = table_writer_open(
        &w, &layer_record_schema, results_layers(m->folder, "training_layers").text, NULL, &f);
    for (int launch = 0; launch < 9; launch++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts && status == STATUS_OK; i++) {
            struct layer_record r;
            table_blank(&layer_record_schema, &r);
            strcpy(r.network, "solar_cnn");
            snprintf(r.layer, sizeof r.layer, "%s", parts[i].layer);
            snprintf(r.pass, sizeof r.pass, "%s", parts[i].pass);
            snprintf(r.run_id, sizeof r.run_id, "launch-%d", launch);
            r.step = parts[i].step;
            r.mean_s = 30e-3 * (1.0 + 0.1 * launch) * parts[i].share;
            status = table_append(w, &r, &f);
        }
    if (status != STATUS_OK || table_writer_close(w, &f) != STATUS_OK)
        exit((int)STATUS_OUTPUT);
}

int main(int argc, char **argv)
{
    struct maker m;
    maker_open(&m, argc, argv);
    make_batches(&m);
    make_sizes(&m);
    make_strategies(&m);
    make_training_curve(&m, "mri_training", "alexnet_mri");
    make_protocol(&m);
    make_layers(&m);
    maker_close(&m);
    return 0;
}
