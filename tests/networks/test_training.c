/* Training steps: the known answers of PyTorch, every part of a step compared with its oracle,
 * equal bits for any number of workers, and planted faults that the verification must name. */
#include "harness/image/image.h"
#include "kernels/conv/gradients/gradient.h"
#include "networks/layers/conv_layer.h"
#include "networks/layers/kinds.h"
#include "networks/models/models.h"
#include "networks/parameters.h"
#include "networks/safetensors.h"
#include "networks/training/trainer.h"
#include "tests/support/network_cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct verify_extent in_full = {.full = true};

/* ---- a trainer ------------------------------------------------------------------------------- */

struct setting {
    int64_t batch, shards, workers;
    const struct loss *loss;
    const struct optimizer *optimizer;
    double rate;
    bool drops;
};

/* Opens a trainer with parameters from seed 11, as one process of an exchange. */
static void opened_with(struct trainer *t, const struct network *n, const struct setting *s,
                        const struct gradient_exchange *exchange)
{
    *t = (struct trainer){.forward = {.plan = {.network = n, .isa = isa_best()},
                                      .team = {.workers = s->workers, .run = team_alone}},
                          .state.parameters = make_parameters(n, 11),
                          .settings.loss = s->loss,
                          .settings.optimizer = s->optimizer,
                          .settings.rate = s->rate,
                          .settings.batch = s->batch,
                          .settings.shards = s->shards,
                          .settings.drops = s->drops,
                          .settings.seed = 35,
                          .where.exchange = exchange};
    struct failure f = {0};
    if (trainer_open(t, &f) != STATUS_OK)
        fail_msg("%s: %s", n->name, f.message);
}

static void opened(struct trainer *t, const struct network *n, const struct setting *s)
{
    opened_with(t, n, s, NULL);
}

static void closed(struct trainer *t)
{
    trainer_close(t);
    free(t->state.parameters);
}

static struct step_result stepped(struct trainer *t, const struct verify_extent *how)
{
    struct step_result result;
    struct failure f = {0};
    if (trainer_step(t, how, &result, &f) != STATUS_OK)
        fail_msg("%s, %lld workers: %s", t->forward.plan.network->name,
                 (long long)t->forward.team.workers, f.message);
    return result;
}

/* ---- networks -------------------------------------------------------------------------------- */

static void make_small(struct network *n)
{
    const struct window first = {3, 2, 1}, same = {3, 1, 1}, pool = {2, 2, 0};
    network_begin(n, "small", (struct tensor_shape){1, 12, 12});
    int last = add_conv(n, "conv1", NETWORK_INPUT, 4, first, 1, true);
    last = add_plain(n, &relu_layer, "relu1", last);
    last = add_conv(n, "conv2", last, 6, same, 1, true);
    last = add_plain(n, &relu_layer, "relu2", last);
    last = add_maxpool(n, "pool", last, pool);
    last = add_plain(n, &flatten_layer, "flatten", last);
    n->classifier = add_linear(n, "dense", last, 3);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The calls of workers before the trainer's steps are known: for the memory of gradients alone. */
static struct {
    const struct trainer *trainer;
    int64_t calls;
} noted;

static void noting_team(int64_t workers, team_task *task, void *context)
{
    noted.calls += noted.trainer->forward.plan.steps ? 0 : workers;
    team_alone(workers, task, context);
}

/* All workers first touch a part of each array, so that no memory node has all of them: images, two
 * output gradients, those of the parameters, and what the optimizer keeps. */
TEST(workers_touch_their_parts)
{
    enum { WORKERS = 3, ARRAYS = 4 };
    struct network n;
    struct trainer t = {.forward = {.plan = {.network = &n, .isa = isa_best()},
                                    .team = {.workers = WORKERS, .run = noting_team}},
                        .settings = {.loss = &cross_entropy_loss,
                                     .optimizer = &adam_optimizer,
                                     .rate = 0.01,
                                     .batch = 5,
                                     .shards = 2,
                                     .seed = 35}};
    struct failure f = {0};
    make_small(&n);
    t.state.parameters = make_parameters(&n, 11);
    noted.trainer = &t;
    noted.calls = 0;
    assert_int_equal(trainer_open(&t, &f), STATUS_OK);
    assert_int_equal(noted.calls, WORKERS * (ARRAYS + adam_optimizer.moments));
    for (int64_t i = 0; i < n.floats; i++)
        assert_true(t.work.gradients[i] == 0.0f && t.state.moments[0][i] == 0.0f);
    closed(&t);
    network_release(&n);
}

/* ---- known answers --------------------------------------------------------------------------- */

static const char *case_path(const char *file)
{
    static char path[512];
    snprintf(path, sizeof path, MAXPOOL_SOURCE_DIR "/tests/cases/training/%s", file);
    return path;
}

static void read_npy(const char *file, int64_t count, float *values)
{
    struct source *source;
    struct failure f = {0};
    if (source_open_file(&source, case_path(file), &f) != STATUS_OK)
        fail_msg("%s", f.message);
    const struct image_shape s = source_shape(source);
    assert_int_equal(s.planes * s.rows * s.cols, count);
    for (int64_t p = 0; p < s.planes; p++) {
        const struct image_range plane = {p, 0, s.rows, 0, s.cols};
        assert_int_equal(
            source_read(source, &plane, values + p * s.rows * s.cols, s.cols, NULL, &f), STATUS_OK);
    }
    source_close(source);
}

static float *read_parameters(const struct network *n, const char *file)
{
    struct failure f = {0};
    float *values = malloc((size_t)n->floats * sizeof *values);
    assert_non_null(values);
    if (parameters_read(n, case_path(file), values, NULL, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return values;
}

static const double as_pytorch = 1e-5;

static void expect_tensors(const struct network *n, const float *found, const char *file)
{
    float *right = read_parameters(n, file);
    for (int i = 0; i < n->count; i++)
        for (int k = 0; k < layer_parameter_count(&n->layers[i]); k++) {
            const struct parameter_tensor tensor = layer_parameter(&n->layers[i], k);
            const int64_t at = n->layers[i].offset[k];
            const double apart = distance(found + at, right + at, parameter_floats(&tensor));
            if (!(apart <= as_pytorch))
                fail_msg("%s: %s.%s: %g of its largest value apart", file, n->layers[i].name,
                         tensor.suffix, apart);
        }
    free(right);
}

TEST(test_mlp_is_trained_as_pytorch_trains_it)
{
    const struct setting s = {10, 8, 2, &mean_squared_loss, &adam_optimizer, 1e-2, false};
    struct network n = made("mlp:50-25-13", 0);
    float x[40 * 50], y[40], losses[4];
    read_npy("mlp.x.npy", 40 * 50, x);
    read_npy("mlp.y.npy", 40, y);
    read_npy("mlp.losses.npy", 4, losses);
    struct trainer t;
    opened(&t, &n, &s);
    float *before = read_parameters(&n, "mlp.before.safetensors");
    memcpy(t.state.parameters, before, (size_t)n.floats * sizeof *before);
    trainer_refresh(&t);
    for (int step = 0; step < 4; step++) {
        memcpy(t.share.images, x + step * 10 * 50, 10 * 50 * sizeof *x);
        memcpy(t.share.values, y + step * 10, 10 * sizeof *y);
        const struct step_result r = stepped(&t, &in_full);
        assert_true(fabs(r.loss - losses[step]) <= as_pytorch * fabs((double)losses[step]));
        if (step == 0)
            expect_tensors(&n, t.work.gradients, "mlp.first_gradients.safetensors");
    }
    expect_tensors(&n, t.state.parameters, "mlp.after.safetensors");
    closed(&t);
    free(before);
    network_release(&n);
}

/* Checks the data gradient of the first layer, which training itself does not compute. */
static void expect_input_gradient(const struct trainer *t)
{
    static float found[6 * 12 * 12], right[6 * 12 * 12];
    struct safetensors file;
    struct failure f = {0};
    const struct layer *l = t->forward.plan.steps[0].layer;
    const struct conv_shape shape = conv_layer_shape(l);
    for (int64_t image = 0; image < 6; image++) {
        const struct conv_data_gradient call = {&shape,
                                                t->state.parameters + l->offset[0],
                                                t->work.reverses[0].d_output +
                                                    image * tensor_elements(l->out),
                                                {found + image * 12 * 12, 12, 0, 12 * 12},
                                                0,
                                                12};
        conv_data_gradient_literal(&call);
    }
    assert_int_equal(safetensors_open(&file, case_path("small.first_gradients.safetensors"), &f),
                     STATUS_OK);
    assert_int_equal(safetensors_read(&file, safetensors_find(&file, "input"), right, NULL, &f),
                     STATUS_OK);
    safetensors_close(&file);
    assert_true(distance(found, right, 6 * 12 * 12) <= as_pytorch);
}

TEST(test_small_network_has_the_gradients_of_pytorch)
{
    const struct setting s = {6, 4, 2, &cross_entropy_loss, &sgd_optimizer, 0.0, false};
    struct network n;
    float labels[6], output[18], loss;
    make_small(&n);
    read_npy("small.labels.npy", 6, labels);
    read_npy("small.output.npy", 18, output);
    read_npy("small.loss.npy", 1, &loss);
    struct trainer t;
    opened(&t, &n, &s);
    float *before = read_parameters(&n, "small.before.safetensors");
    memcpy(t.state.parameters, before, (size_t)n.floats * sizeof *before);
    trainer_refresh(&t);
    read_npy("small.x.npy", 6 * 12 * 12, t.share.images);
    for (int i = 0; i < 6; i++)
        t.share.labels[i] = (int32_t)labels[i];
    const struct step_result r = stepped(&t, &in_full);
    assert_true(fabs(r.loss - loss) <= as_pytorch * fabs((double)loss));
    assert_true(distance(t.forward.output, output, 18) <= as_pytorch);
    expect_tensors(&n, t.work.gradients, "small.first_gradients.safetensors");
    expect_input_gradient(&t);
    closed(&t);
    free(before);
    network_release(&n);
}

/* ---- any number of workers ------------------------------------------------------------------- */

/* Returns the hash of the parameters after three steps; the last batch is smaller than the
 * others. */
static uint64_t hash_after(const struct network *n, const struct setting *s,
                           const struct verify_extent *how)
{
    struct trainer t;
    opened(&t, n, s);
    for (int64_t turn = 0; turn < 3; turn++) {
        fill_batch(&t, turn, turn < 2 ? s->batch : s->batch * 2 / 3);
        stepped(&t, turn == 1 ? NULL : how);
    }
    const uint64_t hash = trainer_hash(&t);
    closed(&t);
    return hash;
}

static void check_workers(const struct network *n, struct setting s,
                          const struct verify_extent *how)
{
    s.workers = 1;
    const uint64_t hash = hash_after(n, &s, how);
    for (s.workers = 2; s.workers <= 7; s.workers++)
        assert_true(hash_after(n, &s, s.workers == 3 ? how : NULL) == hash);
    s.drops = !s.drops;
    assert_true(hash_after(n, &s, NULL) != hash);
}

TEST(test_every_kind_by_any_number_of_workers)
{
    struct network n;
    make_every_trained_kind(&n);
    assert_int_equal(n.failure.status, STATUS_OK);
    check_workers(&n, (struct setting){11, 8, 1, &cross_entropy_loss, &adam_optimizer, 1e-3, true},
                  &in_full);
    check_workers(&n, (struct setting){5, 3, 1, &mean_squared_loss, &sgd_optimizer, 1e-3, true},
                  &in_full);
    network_release(&n);
}

TEST(test_models_by_any_number_of_workers)
{
    static const struct verify_extent drawn = {.drawn = 100, .seed = 5};
    struct network cnn = made("solar_cnn", 14), mlp = made("mlp:100-50-25", 0);
    const struct setting s = {17, 8, 1, &mean_squared_loss, &adam_optimizer, 1e-3, true};
    check_workers(&cnn, s, &drawn);
    struct setting many = s;
    many.batch = 333;
    many.workers = 1;
    const uint64_t hash = hash_after(&mlp, &many, &in_full);
    many.workers = 3;
    assert_true(hash_after(&mlp, &many, NULL) == hash);
    network_release(&cnn);
    network_release(&mlp);
}

TEST(test_loss_falls)
{
    struct network n;
    const struct setting s = {12, 8, 2, &cross_entropy_loss, &adam_optimizer, 1e-2, false};
    make_small(&n);
    struct trainer t;
    opened(&t, &n, &s);
    fill_batch(&t, 0, 12);
    const double first = stepped(&t, NULL).loss;
    for (int i = 0; i < 60; i++)
        stepped(&t, NULL);
    const struct step_result last = stepped(&t, NULL);
    assert_true(last.loss < first / 10.0);
    assert_int_equal(last.hits, 12);
    closed(&t);
    network_release(&n);
}

/* ---- planted faults -------------------------------------------------------------------------- */

static const struct backward *honest;

static void negative(float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = -values[i];
}

static void wrong_sign_of_weights(const struct reverse *r, const struct shares *shares,
                                  int64_t worker, void *scratch)
{
    (void)shares;
    (void)scratch;
    const struct parameter_tensor weights = layer_parameter(r->step->layer, 0);
    if (worker == 0)
        negative(r->gradients.values + r->step->layer->offset[0], parameter_floats(&weights));
}

static void wrong_sign_of_input(const struct reverse *r, const struct shares *shares,
                                int64_t worker, void *scratch)
{
    honest->input.run(r, shares, worker, scratch);
    if (worker == 0)
        negative(r->d_input, r->step->images * tensor_elements(r->step->in));
}

static void left_out(const struct reverse *r, const struct shares *shares, int64_t worker,
                     void *scratch)
{
    (void)r;
    (void)shares;
    (void)worker;
    (void)scratch;
}

/* If the layer of a step runs another row's backward pass, the step must be refused by name. */
static void expect_named(const struct network *n, int step, const struct backward *wrong)
{
    const struct setting s = {5, 2, 1, &cross_entropy_loss, &adam_optimizer, 1e-3, true};
    struct trainer t;
    opened(&t, n, &s);
    struct step *at = &t.forward.plan.steps[step];
    struct layer layer = *at->layer;
    const struct layer *kept = at->layer;
    struct layer_kind kind = *layer.kind;
    struct step_result result;
    struct failure f = {0};
    kind.backward = wrong;
    layer.kind = &kind;
    fill_batch(&t, 0, 5);
    memset(t.work.gradients, 0xff, (size_t)n->floats * sizeof *t.work.gradients);
    memset(t.work.d_output[0], 0xff, 5 * 19 * 17 * 2 * sizeof(float));
    memset(t.work.d_output[1], 0xff, 5 * 19 * 17 * 2 * sizeof(float));
    at->layer = &layer;
    const enum status status = trainer_step(&t, &in_full, &result, &f);
    at->layer = kept;
    if (status != STATUS_WRONG || !strstr(f.message, kept->name))
        fail_msg("%s: status %d, %s", kept->name, status, f.message);
    closed(&t);
}

TEST(test_a_wrong_gradient_of_every_layer_is_named)
{
    struct network n;
    int64_t faults = 0;
    make_every_trained_kind(&n);
    const struct setting s = {5, 2, 1, &cross_entropy_loss, &adam_optimizer, 1e-3, true};
    struct trainer t;
    opened(&t, &n, &s);
    for (int i = 0; i < t.forward.plan.count; i++) {
        honest = t.forward.plan.steps[i].layer->kind->backward;
        struct backward wrong = *honest;
        int stages = 0;
        while (stages < BACKWARD_STAGES && honest->parameters[stages].run)
            stages++;
        if (stages > 0) {
            wrong.parameters[stages] =
                (struct backward_stage){wrong_sign_of_weights, honest->parameters[0].pieces};
            expect_named(&n, i, &wrong);
            wrong = *honest;
            wrong.parameters[0].run = left_out;
            if (honest != &conv_backward) /* which sums what is left out from its own buffers */
                expect_named(&n, i, &wrong);
            faults++;
        }
        wrong = *honest;
        wrong.input.run = wrong_sign_of_input;
        if (i > 0)
            expect_named(&n, i, &wrong);
        wrong.input.run = left_out;
        if (i > 0)
            expect_named(&n, i, &wrong);
        faults++;
    }
    closed(&t);
    network_release(&n);
    print_message("planted faults in %lld places\n", (long long)faults);
}

static void wrong_adam(const struct update *u)
{
    adam_optimizer.run[0](u);
    if (u->count > 0)
        u->parameters[u->count - 1] += 1e-3f;
}

TEST(test_a_wrong_update_is_named)
{
    struct network n;
    struct failure f = {0};
    struct step_result result;
    struct optimizer wrong = adam_optimizer;
    const struct setting s = {5, 2, 2, &cross_entropy_loss, &wrong, 1e-3, false};
    for (int i = 0; i < ISA_COUNT; i++)
        wrong.run[i] = wrong_adam;
    make_small(&n);
    struct trainer t;
    opened(&t, &n, &s);
    fill_batch(&t, 0, 5);
    assert_int_equal(trainer_step(&t, &in_full, &result, &f), STATUS_WRONG);
    assert_non_null(strstr(f.message, "the updated parameter is wrong at"));
    closed(&t);
    network_release(&n);
}

/* ---- several processes ----------------------------------------------------------------------- */

/* Counts calls of an exchange that the other process does not answer, because it has failed. */
static int unanswered;

static void begin_alone(const struct gradient_exchange *e, struct trainer *t, int64_t first,
                        int64_t count)
{
    (void)e;
    (void)t;
    (void)first;
    (void)count;
    unanswered++;
}

static void progress_alone(const struct gradient_exchange *e)
{
    (void)e;
}

static void finish_alone(const struct gradient_exchange *e, struct trainer *t, double *exchange_s)
{
    (void)e;
    (void)t;
    (void)exchange_s;
    unanswered++;
}

static void gather_alone(const struct gradient_exchange *e, double *values, int64_t first,
                         int64_t count)
{
    (void)e;
    (void)values;
    (void)first;
    (void)count;
    unanswered++;
}

static int64_t sum_alone(const struct gradient_exchange *e, int64_t value)
{
    (void)e;
    unanswered++;
    return value;
}

/* Collective checks before the one at which the other process reports its failure. */
static int checks_before;

static enum status expect_common_failure(enum status status, struct failure *f)
{
    if (checks_before-- > 0)
        return status;
    return (fail)(f, STATUS_RESOURCE, "the other process");
}

/* If another process has no memory for the verification, or its layers or losses are wrong, this
 * process leaves with its message and waits for nothing more. */
TEST(test_processes_leave_a_verified_step_together)
{
    static const struct gradient_exchange exchange = {.ranks = 2,
                                                      .updates = true,
                                                      .begin = begin_alone,
                                                      .progress = progress_alone,
                                                      .finish = finish_alone,
                                                      .gather = gather_alone,
                                                      .sum = sum_alone,
                                                      .common_status = expect_common_failure};
    static const int calls[] = {0, 0, 2}; /* gather and sum, after the layers were right */
    const struct setting s = {5, 1, 4, &cross_entropy_loss, &adam_optimizer, 1e-3, false};
    for (int check = 0; check < 3; check++) {
        struct network n;
        struct trainer t;
        struct step_result result;
        struct failure f = {0};
        make_small(&n);
        opened_with(&t, &n, &s, &exchange);
        fill_batch(&t, 0, 5);
        unanswered = 0;
        checks_before = check;
        assert_int_equal(trainer_step(&t, &in_full, &result, &f), STATUS_RESOURCE);
        assert_string_equal(f.message, "the other process");
        assert_int_equal(unanswered, calls[check]);
        assert_int_equal(t.state.updates, 0);
        closed(&t);
        network_release(&n);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST(test_what_cannot_be_trained)
{
    struct network resnet = made("resnet18", 32), mobile = made("mobilenet_v2", 32);
    struct failure f = {0};
    assert_int_equal(trainer_can(&resnet, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "bn1 is a batch norm"));
    f = (struct failure){0};
    assert_int_equal(trainer_can(&mobile, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "batch norm"));
    network_release(&resnet);
    network_release(&mobile);
}

TEST(test_a_loss_that_is_not_finite_names_step_and_layer)
{
    struct network n;
    struct failure f = {0};
    struct step_result result;
    const struct setting s = {5, 2, 2, &cross_entropy_loss, &adam_optimizer, 1e-3, false};
    make_small(&n);
    struct trainer t;
    opened(&t, &n, &s);
    fill_batch(&t, 0, 5);
    stepped(&t, NULL);
    t.state.parameters[n.layers[2].offset[1] + 1] = INFINITY;
    trainer_refresh(&t);
    assert_int_equal(trainer_step(&t, NULL, &result, &f), STATUS_WRONG);
    assert_non_null(strstr(f.message, "step 2: the loss is"));
    assert_non_null(strstr(f.message, "layer conv2: its parameters"));
    closed(&t);
    network_release(&n);
}
