#include "tests/cuda/small_training.h"

#include "networks/layers/kinds.h"
#include "tests/support/network_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 2, GRAPH_STEPS = 5 };
static const double RATE = 1e-3; /* of the first step */

/* ---- the networks ---------------------------------------------------------------------------- */

/* Strides, groups, padding beyond the window, pools that overlap and are padded; dropout after
 * clamps and alone. */
static void make_windows(struct network *n)
{
    network_begin(n, "windows", (struct tensor_shape){2, 11, 9});
    int at = add_conv(n, "first", NETWORK_INPUT, 6, (struct window){5, 2, 2}, 1, true);
    at = add_plain(n, &relu_layer, "relu1", at);
    at = add_maxpool(n, "pool1", at, (struct window){3, 2, 1});
    at = add_conv(n, "grouped", at, 10, (struct window){3, 1, 1}, 2, false);
    at = add_plain(n, &relu6_layer, "six", at);
    at = add_dropout(n, "dropout1", at, 0.25);
    at = add_conv(n, "point", at, 5, (struct window){1, 1, 1}, 1, true);
    at = add_conv(n, "strided", at, 70, (struct window){3, 2, 1}, 1, true);
    at = add_maxpool(n, "pool2", at, (struct window){2, 1, 0});
    at = add_dropout(n, "dropout2", at, 0.5);
    at = add_plain(n, &flatten_layer, "flatten", at);
    at = add_linear(n, "dense", at, 13);
    at = add_plain(n, &relu_layer, "relu2", at);
    at = add_dropout(n, "dropout3", at, 0.5);
    add_linear(n, "classes", at, 3);
}

static void make_vectors(struct network *n)
{
    network_begin(n, "vectors", (struct tensor_shape){50, 1, 1});
    int at = add_linear(n, "hidden1", NETWORK_INPUT, 9);
    at = add_plain(n, &relu_layer, "relu1", at);
    at = add_linear(n, "hidden2", at, 5);
    at = add_plain(n, &relu_layer, "relu2", at);
    add_linear(n, "output", at, 2);
}

/* Strides of every kind: tiles of channels and elements with an edge, a group of one channel,
 * windows smaller than the stride, so that no window contains some elements. */
static void make_strides(struct network *n)
{
    network_begin(n, "strides", (struct tensor_shape){3, 17, 14});
    int at = add_conv(n, "point", NETWORK_INPUT, 5, (struct window){1, 1, 0}, 1, true);
    at = add_conv(n, "strided", at, 70, (struct window){3, 2, 1}, 1, true);
    at = add_plain(n, &relu_layer, "relu", at);
    at = add_conv(n, "apart", at, 70, (struct window){3, 2, 1}, 70, false);
    at = add_conv(n, "gaps", at, 6, (struct window){2, 3, 1}, 1, true);
    at = add_plain(n, &flatten_layer, "flatten", at);
    add_linear(n, "classes", at, 3);
}

/* Maps of more pixels than a block has threads, and so many filters that a block sums the bias of
 * several images. */
static void make_maps(struct network *n)
{
    network_begin(n, "maps", (struct tensor_shape){1, 19, 17});
    int at = add_conv(n, "first", NETWORK_INPUT, 300, (struct window){3, 1, 1}, 1, true);
    at = add_maxpool(n, "pool", at, (struct window){16, 16, 0});
    at = add_plain(n, &flatten_layer, "flatten", at);
    add_linear(n, "classes", at, 3);
}

/* So many weights that no shard is cut into pieces. */
static void make_wide(struct network *n)
{
    network_begin(n, "wide", (struct tensor_shape){1030, 1, 1});
    int at = add_linear(n, "hidden", NETWORK_INPUT, 1000);
    at = add_plain(n, &relu_layer, "relu", at);
    add_linear(n, "classes", at, 3);
}

/* So many groups that the weight gradient is computed in tiles of 64 filters x 128 terms; for fewer
 * groups a batch would have to be larger. */
static void make_groups(struct network *n)
{
    network_begin(n, "groups", (struct tensor_shape){2048, 4, 8});
    int at = add_conv(n, "grouped", NETWORK_INPUT, 256, (struct window){3, 1, 1}, 256, false);
    at = add_maxpool(n, "pool", at, (struct window){4, 4, 0});
    at = add_plain(n, &flatten_layer, "flatten", at);
    add_linear(n, "classes", at, 3);
}

static const struct {
    const char *name;
    void (*make)(struct network *n);
    const struct loss *loss;
    const struct optimizer *optimizer;
} rows[SMALL_TRAININGS] = {{"windows", make_windows, &cross_entropy_loss, &adam_optimizer},
                           {"vectors", make_vectors, &mean_squared_loss, &sgd_optimizer},
                           {"strides", make_strides, &cross_entropy_loss, &sgd_optimizer},
                           {"maps", make_maps, &cross_entropy_loss, &adam_optimizer},
                           {"wide", make_wide, &cross_entropy_loss, &adam_optimizer},
                           {"groups", make_groups, &cross_entropy_loss, &adam_optimizer}};

const char *small_training_name(int which)
{
    return rows[which].name;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Returns the settings of a trainer of that network, the same on the device and on the host. */
static struct trainer trainer_of(const struct network *n, float *parameters, int which,
                                 const struct training_way *way)
{
    return (struct trainer){.forward = {.plan = {.network = n, .isa = ISA_BASELINE},
                                        .team = {.workers = 1, .run = team_alone}},
                            .state.parameters = parameters,
                            .settings.loss = rows[which].loss,
                            .settings.optimizer = rows[which].optimizer,
                            .settings.rate = RATE,
                            .settings.batch = way->batch,
                            .settings.shards = way->shards,
                            .settings.drops = way->drops,
                            .settings.seed = 35};
}

enum status small_training_make(struct small_training *s, int which, const struct training_way *way,
                                struct failure *f)
{
    *s = (struct small_training){.which = which, .way = *way};
    rows[which].make(&s->network);
    enum status status = network_finish(&s->network, f);
    if (status != STATUS_OK)
        return status;
    s->parameters = make_parameters(&s->network, 11);
    device_trainer_begin(&s->there, &s->device, way->block, way->memory);
    s->there.trainer_interface.traced = way->traced;
    s->there.trainer_interface.overlaps = way->overlaps;
    s->there.captures = way->captures;
    s->there.graphs.compares = way->compares;
    s->trainer = trainer_of(&s->network, s->parameters, which, way);
    s->trainer.where.device = &s->there.trainer_interface;
    return device_take(&s->device, way->device, f);
}

enum status small_training_open(struct small_training *s, int which, const struct training_way *way,
                                struct failure *f)
{
    const enum status status = small_training_make(s, which, way, f);
    return status == STATUS_OK ? trainer_open(&s->trainer, f) : status;
}

void small_training_close(struct small_training *s)
{
    device_trainer_close(&s->there);
    if (s->trainer.where.device)
        trainer_close(&s->trainer);
    network_release(&s->network);
    free(s->parameters);
}

void small_training_fill(struct trainer *t, int64_t turn)
{
    fill_batch(t, turn, turn % 2 == 0 ? t->settings.batch : t->settings.batch - 2);
}

enum status small_training_prepare(struct trainer *t, int64_t turn, struct failure *f)
{
    small_training_fill(t, turn);
    return trainer_prepare(t, f);
}

/* ---- checking -------------------------------------------------------------------------------- */

enum status small_training_steps(struct trainer *t, int64_t steps, const struct verify_extent *how,
                                 double *losses, uint64_t *hash, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < steps; i++) {
        struct step_result result;
        small_training_fill(t, i);
        t->settings.rate = RATE / (double)(1 + i);
        status = trainer_step(t, how, &result, f);
        losses[i] = result.loss;
    }
    if (status == STATUS_OK)
        status = trainer_fetch_state(t, f);
    *hash = trainer_hash(t);
    return status;
}

static void put_back(struct trainer *t, uint64_t seed)
{
    const size_t bytes = (size_t)t->forward.plan.network->floats * sizeof(float);
    float *seeded = make_parameters(t->forward.plan.network, seed);
    memcpy(t->state.parameters, seeded, bytes);
    for (int i = 0; i < t->settings.optimizer->moments; i++)
        memset(t->state.moments[i], 0, bytes);
    free(seeded);
    t->state.updates = 0;
    trainer_refresh(t);
}

static enum status compare_with_host(const struct small_training *s, const double *losses,
                                     struct failure *f)
{
    struct trainer here =
        trainer_of(&s->network, make_parameters(&s->network, 11), s->which, &s->way);
    double own[STEPS];
    uint64_t hash;
    enum status status = trainer_open(&here, f);
    if (status == STATUS_OK)
        status = small_training_steps(&here, STEPS, NULL, own, &hash, f);
    for (int i = 0; status == STATUS_OK && i < STEPS; i++)
        if (!(fabs(own[i] - losses[i]) <= 1e-4 * fabs(own[i])))
            status = fail(f, STATUS_WRONG, "step %d: the host's loss is %.9g, the device's %.9g",
                          i + 1, own[i], losses[i]);
    trainer_close(&here);
    free(here.state.parameters);
    return status;
}

enum status small_training_check(struct small_training *s, struct failure *f)
{
    const struct verify_extent all = {.full = true};
    struct trainer *t = &s->trainer;
    double losses[STEPS], again[STEPS];
    uint64_t first, second;
    enum status status = small_training_steps(t, STEPS, NULL, losses, &first, f);
    put_back(t, 11);
    if (status == STATUS_OK)
        status = small_training_steps(t, STEPS, &all, again, &second, f);
    for (int i = 0; status == STATUS_OK && i < STEPS; i++)
        if (losses[i] != again[i])
            status = fail(f, STATUS_WRONG, "step %d came to another loss the second time", i + 1);
    if (status == STATUS_OK && first != second)
        status = fail(f, STATUS_WRONG, "the same steps came to other parameters");
    return status == STATUS_OK ? compare_with_host(s, losses, f) : status;
}

enum status small_training_compare_graphs(int which, const struct training_way *way,
                                          struct failure *f)
{
    double losses[2][GRAPH_STEPS];
    uint64_t hashes[2];
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        struct training_way now = *way;
        struct small_training s;
        now.captures = i == 1;
        status = small_training_open(&s, which, &now, f);
        for (int turn = 0; status == STATUS_OK && turn < 2; turn++)
            status = small_training_prepare(&s.trainer, turn, f);
        if (status == STATUS_OK)
            status = small_training_steps(&s.trainer, GRAPH_STEPS, NULL, losses[i], &hashes[i], f);
        small_training_close(&s);
    }
    for (int i = 0; status == STATUS_OK && i < GRAPH_STEPS; i++)
        if (losses[0][i] != losses[1][i])
            status = fail(f, STATUS_WRONG, "step %d: the loss is %.9g, as graphs %.9g", i + 1,
                          losses[0][i], losses[1][i]);
    return status == STATUS_OK && hashes[0] != hashes[1]
               ? fail(f, STATUS_WRONG, "as graphs the steps came to other parameters")
               : status;
}
