/* Networks: their shapes, parameters and multiply-adds; their plans (steps, places in memory); and
 * that every layer of every network is right at odd sizes, several batches and any number of
 * workers, which must give the same bits. Faults of each kind of layer are planted, and the verdict
 * names them. */
#include "tests/support/network_cases.h"

#include "harness/base/digest.h"
#include "harness/image/image.h"
#include "networks/forward.h"
#include "networks/layers/batchnorm.h"
#include "networks/layers/conv_choices.h"
#include "networks/layers/kinds.h"
#include "networks/layers/linear_product.h"
#include "networks/models/models.h"
#include "networks/parameters.h"
#include "networks/point/network_run.h"
#include "networks/reference.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what they are --------------------------------------------------------------------------- */

TEST(test_parameters_are_the_published_ones)
{
    static const struct {
        const char *name;
        int64_t parameters;
        double multiply_adds;
    } published[] = {
        {"resnet18", 11689512, 1814073344.0}, /* 1.81 billion, like torchvision */
        {"mobilenet_v2", 3504872, 300774272.0},
        {"solar_cnn", 4352641, 43999360.0},
        {"alexnet_mri", 23242435, 0.0},
        {"alexnet_tesina", 23272266, 0.0},
        {"mlp:50", 50 * 50 + 50 + 50 + 1, 2550.0},
        {"mlp:25600-12800-6656", 0, 0.0},
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        struct network n = made(published[i].name, 0);
        if (published[i].parameters > 0)
            assert_int_equal(n.parameters, published[i].parameters);
        if (published[i].multiply_adds > 0.0)
            assert_float_equal(network_multiply_adds(&n), published[i].multiply_adds, 0.0);
        network_release(&n);
    }
}

static void expect_refusal(const char *name, int64_t size, enum status status, const char *words)
{
    struct network n;
    struct failure f = {0};
    const struct model_request request = {.name = name, .input = {0, size, size}};
    assert_int_equal(model_make(&n, &request, &f), status);
    if (!strstr(f.message, words))
        fail_msg("'%s' is not in '%s'", words, f.message);
    network_release(&n);
}

TEST(test_what_cannot_be_is_refused)
{
    expect_refusal("resnet19", 0, STATUS_USAGE, "no 'resnet19'");
    expect_refusal("mlp", 0, STATUS_USAGE, "no 'mlp'");
    expect_refusal("resnet18:50", 0, STATUS_USAGE, "no 'resnet18:50'");
    expect_refusal("mlp:", 0, STATUS_USAGE, "sizes of hidden layers");
    expect_refusal("mlp:50-", 0, STATUS_USAGE, "sizes of hidden layers");
    expect_refusal("mlp:50-x", 0, STATUS_USAGE, "sizes of hidden layers");
    expect_refusal("mlp:-5", 0, STATUS_USAGE, "sizes of hidden layers");
    expect_refusal("mlp:99999999999999999999", 0, STATUS_USAGE, "sizes of hidden layers");
    expect_refusal("mlp:9000000000000000000", 0, STATUS_RESOURCE, "counted in bytes");
    expect_refusal("mlp:50", 8, STATUS_USAGE, "vectors");
    expect_refusal("solar_cnn", 5, STATUS_USAGE, "pool: a window of 2 x 2 does not fit 1 x 1");
    expect_refusal("solar_cnn", 2, STATUS_USAGE, "conv1: a window of 3 x 3 does not fit 2 x 2");
    expect_refusal("alexnet_mri", 12, STATUS_USAGE, "features.11");
    expect_refusal("resnet18", 4000000000LL, STATUS_RESOURCE, "counted in bytes");
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* The output of a step that is still to be read never overlaps the output that is being written. */
static void check_places(const struct plan *p)
{
    for (int writer = 0; writer + 1 < p->count; writer++)
        for (int reader = writer + 1; reader < p->count; reader++) {
            const struct step *s = &p->steps[reader];
            if (plan_step_of(p, s->input) != writer &&
                (!s->add || plan_step_of(p, s->other) != writer))
                continue;
            const int64_t first = p->place[writer];
            const int64_t end = first + p->batch * tensor_elements(p->steps[writer].out);
            for (int i = writer + 1; i <= reader && i + 1 < p->count; i++) {
                const int64_t begin = p->place[i];
                const int64_t past = begin + p->batch * tensor_elements(p->steps[i].out);
                assert_true(past <= first || begin >= end);
            }
        }
}

static struct plan planned(const struct network *n, int64_t batch)
{
    struct plan p = {.network = n, .batch = batch, .whole_batch = batch, .workers = 1};
    struct failure f = {0};
    assert_int_equal(plan_make(&p, &f), STATUS_OK);
    return p;
}

TEST(test_places_are_used_again)
{
    static const char *const names[] = {"resnet18", "mobilenet_v2", "solar_cnn", "alexnet_mri",
                                        "mlp:50-25-13"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct network n = made(names[i], 0);
        struct plan p = planned(&n, 3);
        check_places(&p);
        assert_true(p.arena_floats <= p.apart_floats);
        plan_release(&p);
        network_release(&n);
    }
    struct network n = made("resnet18", 224);
    struct plan p = planned(&n, 1);
    assert_true(p.arena_floats * 2 < p.apart_floats);
    assert_int_equal(p.count, 1 + 1 + 8 * 2 + 3 + 1 + 1); /* norms, sums and ReLUs are fused */
    plan_release(&p);
    network_release(&n);
}

TEST(test_steps_of_every_role)
{
    struct network n;
    make_every_kind(&n, 33);
    assert_int_equal(n.failure.status, STATUS_OK);
    struct plan p = planned(&n, 2);
    int alone = 0, norms = 0, sums = 0, clamps = 0;
    for (int i = 0; i < p.count; i++) {
        const struct step *s = &p.steps[i];
        alone += s->layer->kind->role != ROLE_COMPUTE;
        norms += s->norm != NULL;
        sums += s->add && s->add != s->layer;
        clamps += s->clamp && s->clamp != s->layer;
    }
    assert_int_equal(alone, 2);
    assert_int_equal(norms, 2);
    assert_int_equal(sums, 3);
    assert_int_equal(clamps, 5);
    check_places(&p);
    plan_release(&p);
    network_release(&n);
}

/* Fields of a row depend on each other: a kind that can be a step has a form of arithmetic that
 * devices and libraries recognize, an oracle and a function that runs it; a kind with parameters
 * provides its weights. */
TEST(test_rows_are_whole)
{
    for (int i = 0; i < layer_kind_count; i++) {
        const struct layer_kind *k = layer_kinds[i];
        const bool steps = k->role != ROLE_NOTHING && k->role != ROLE_NORM;
        if (steps != (k->form != FORM_NONE) || steps != (k->run != NULL) ||
            steps != (k->expect != NULL) || (steps && k->parameter) != (k->weights != NULL) ||
            (k->role == ROLE_COMPUTE && k->form == FORM_COPY) || !k->shape)
            fail_msg("the row of %s is not whole", k->name);
    }
}

/* The weights provided to devices and libraries are those of the computation: with a folded batch
 * norm, the product of both. */
TEST(test_weights_are_handed_out_folded)
{
    struct network n;
    struct failure f = {0};
    make_every_kind(&n, 33);
    float *parameters = make_parameters(&n, 5);
    struct plan p = planned(&n, 1);
    p.parameters = parameters;
    for (int i = 0; i < p.count; i++) {
        struct step *s = &p.steps[i];
        struct step_weights w = {0};
        if (!s->layer->kind->weights)
            continue;
        assert_int_equal(s->layer->kind->weights(s, &p, &w, &f), STATUS_OK);
        const double scale = s->norm ? norm_of(s->norm, parameters, 0).scale : 1.0;
        assert_true(w.weights[0] == (float)(parameters[s->layer->offset[0]] * scale));
        assert_int_equal(w.bias != NULL, s->layer->bias || s->norm);
        free(w.own);
        free(s->bias);
        s->bias = NULL;
    }
    plan_release(&p);
    free(parameters);
    network_release(&n);
}

/* ---- running --------------------------------------------------------------------------------- */

struct setting {
    int64_t batch, workers;
    const char *conv; /* NULL: each layer's default */
    enum isa isa;
};

/* A network opened with its own images and the given parameters. */
struct trial {
    float *parameters, *images;
    struct forward forward;
};

static struct trial opened(struct network *n, float *parameters, const struct setting *s)
{
    struct trial t = {.parameters = parameters, .images = make_images(n, s->batch, 7)};
    struct failure f = {0};
    t.forward = (struct forward){.plan = {.network = n,
                                          .parameters = t.parameters,
                                          .batch = s->batch,
                                          .whole_batch = s->batch,
                                          .isa = s->isa,
                                          .forced = conv_choice_named(s->conv)},
                                 .team = {.workers = s->workers, .run = team_alone},
                                 .input = t.images};
    if (forward_open(&t.forward, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return t;
}

static void closed(struct trial *t)
{
    forward_close(&t->forward);
    free(t->images);
}

static const struct verify_extent in_full = {.full = true};
static struct error_tally tally; /* errors of verifications that no test reads */

/* Returns the hash of a run whose layers were compared with the oracle. */
static uint64_t verified_hash(struct network *n, float *parameters, const struct setting *s,
                              const struct verify_extent *how)
{
    struct trial t = opened(n, parameters, s);
    struct failure f = {0};
    const int64_t count = forward_outputs(&t.forward);
    if (forward_verify(&t.forward, how, &f) != STATUS_OK)
        fail_msg("%s, batch %lld, %lld workers, %s: %s", n->name, (long long)s->batch,
                 (long long)s->workers, s->conv ? s->conv : "-", f.message);
    const uint64_t hash = digest_range(t.forward.output, 0, count);
    forward_poison(&t.forward);
    forward_run(&t.forward);
    assert_true(digest_range(t.forward.output, 0, count) == hash);
    closed(&t);
    return hash;
}

static uint64_t run_hash(struct network *n, float *parameters, const struct setting *s)
{
    struct trial t = opened(n, parameters, s);
    forward_run(&t.forward);
    const uint64_t hash = digest_range(t.forward.output, 0, forward_outputs(&t.forward));
    closed(&t);
    return hash;
}

/* The layers are right with one worker, and 2, 3 and 7 workers give the same bits. */
static void check_workers(struct network *n, const struct setting *alone,
                          const struct verify_extent *how)
{
    struct setting s = *alone;
    float *parameters = make_parameters(n, 11);
    const uint64_t hash = verified_hash(n, parameters, &s, how);
    for (s.workers = 2; s.workers <= 7; s.workers += s.workers == 3 ? 4 : 1)
        assert_true(run_hash(n, parameters, &s) == hash);
    free(parameters);
}

TEST(test_every_kind_in_every_way)
{
    static const char *const convs[] = {NULL,       "literal",   "im2col", "implicit",
                                        "winograd", "winograd4", "exact"};
    static const int64_t batches[] = {1, 2, 3, 17};
    for (size_t c = 0; c < sizeof convs / sizeof *convs; c++)
        for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
            struct network n;
            const struct setting s = {batches[b], 1, convs[c], isa_best()};
            make_every_kind(&n, convs[c] ? 19 : 33);
            check_workers(&n, &s, &in_full);
            network_release(&n);
        }
}

/* For few outputs the sums run along the images, which are divided among workers, however many
 * images there are; for more outputs the method is tiles, and the outputs are divided. The layers
 * are right, and the bits are the same. */
TEST(test_few_outputs_of_many_images)
{
    struct network n = made("mlp:70-33", 0);
    for (int64_t batch = 5; batch <= 100; batch *= 20) {
        const struct setting s = {batch, 1, NULL, isa_best()};
        struct trial t = opened(&n, make_parameters(&n, 11), &s);
        const struct step *hidden = &t.forward.plan.steps[1], *output = &t.forward.plan.steps[2];
        assert_string_equal(hidden->method, "tiles");
        assert_string_equal(output->method, "dots");
        assert_int_equal(hidden->partitioning, PARTITION_CHANNELS);
        assert_int_equal(output->partitioning, PARTITION_ROWS);
        free(t.parameters);
        closed(&t);
        check_workers(&n, &s, &in_full);
    }
    network_release(&n);
}

static const char *chosen_of(int64_t batch, int64_t side, int64_t channels, int64_t stride,
                             const char *conv)
{
    struct conv_shape s = {.batch = batch,
                           .channels = channels,
                           .rows = side,
                           .cols = side,
                           .filters = channels,
                           .groups = 1,
                           .kernel = 3,
                           .stride = stride,
                           .padding = 1};
    assert_int_equal(conv_complete(&s), CONV_OK);
    return conv_choice_for(&s, conv_choice_named(conv))->head.name;
}

static const char *chosen(int64_t side, int64_t channels, int64_t stride, const char *conv)
{
    return chosen_of(1, side, channels, stride, conv);
}

/* Tiles of 4 x 4 outputs where they are faster, from 64 channels on; none if "exact" is
 * requested. */
TEST(test_choices_by_error_and_time)
{
    assert_string_equal(chosen(56, 64, 1, NULL), "winograd4");
    assert_string_equal(chosen(28, 128, 1, NULL), "winograd4");
    assert_string_equal(chosen(14, 256, 1, NULL), "winograd4");
    assert_string_equal(chosen(7, 512, 1, NULL), "winograd");
    assert_string_equal(chosen(56, 64, 2, NULL), "winograd");
    assert_string_equal(chosen(28, 128, 2, "exact"), "winograd");
    assert_string_equal(chosen(14, 256, 2, NULL), "implicit");
    assert_string_equal(chosen(56, 63, 1, NULL), "winograd");
    assert_string_equal(chosen(56, 15, 1, NULL), "implicit");
    assert_string_equal(chosen(56, 64, 1, "auto"), "winograd4");
    assert_string_equal(chosen(56, 64, 1, "exact"), "winograd");
    assert_string_equal(chosen(7, 512, 1, "winograd4"), "winograd4");
    assert_string_equal(chosen(56, 64, 1, "implicit"), "implicit");
}

/* Images of a batch share the weights that were read, if each image has few tiles. */
TEST(test_choices_of_a_batch)
{
    assert_string_equal(chosen(4, 256, 1, NULL), "winograd");
    assert_string_equal(chosen_of(16, 4, 256, 1, NULL), "winograd4");
    assert_string_equal(chosen_of(16, 4, 256, 1, "exact"), "winograd");
    assert_string_equal(chosen_of(16, 7, 512, 1, NULL), "winograd4");
    assert_string_equal(chosen_of(16, 14, 256, 1, NULL), "winograd4");
    assert_string_equal(chosen_of(16, 14, 256, 2, NULL), "implicit");
    assert_string_equal(chosen_of(2, 7, 512, 1, NULL), "winograd");
    assert_string_equal(chosen_of(4, 7, 512, 1, NULL), "winograd4");
}

TEST(test_every_instruction_set)
{
    struct network n;
    make_every_kind(&n, 21);
    float *parameters = make_parameters(&n, 11);
    for (int isa = 0; isa < ISA_COUNT; isa++)
        for (int64_t batch = 2; batch <= 9 && !isa_missing((enum isa)isa); batch += 7) {
            const struct setting s = {batch, 2, NULL, (enum isa)isa};
            verified_hash(&n, parameters, &s, &in_full);
        }
    free(parameters);
    network_release(&n);
}

/* All networks, at sizes that nothing divides. Size 0: a network of vectors, or of a fixed size. */
static const struct {
    const char *name;
    int64_t sizes[2];
} models_at_odd_sizes[] = {
    {"resnet18", {33, 97}},    {"mobilenet_v2", {33, 97}}, {"solar_cnn", {33, 97}},
    {"alexnet_mri", {33, 97}}, {"mlp:50-25-13", {0, -1}},  {"mlp:33", {0, -1}},
};

enum { MODELS = sizeof models_at_odd_sizes / sizeof *models_at_odd_sizes };

/* Sanitizers check how memory is used, for which one size and two batches of each suffice. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ODD_SIZES = 1, ODD_BATCHES = 2, MOST_RANKS = 2 };
#else
enum { ODD_SIZES = 2, ODD_BATCHES = 4, MOST_RANKS = 3 };
#endif

/* One worker is right, and each of the `count` numbers in `workers` gives its bits. */
static void check_model(struct network *n, float *parameters, int64_t batch, const int64_t *workers,
                        size_t count)
{
    static const struct verify_extent drawn = {.drawn = 100, .seed = 5};
    struct setting s = {batch, 1, NULL, isa_best()};
    const uint64_t hash = verified_hash(n, parameters, &s, &drawn);
    for (size_t i = 0; i < count; i++) {
        s.workers = workers[i];
        if (run_hash(n, parameters, &s) != hash)
            fail_msg("%s of %lld, batch %lld: %lld workers give other bits than one", n->name,
                     (long long)n->input.rows, (long long)batch, (long long)workers[i]);
    }
}

/* Runs the images of one rank, which holds only this part of the batch, and adds its outputs. */
static void run_part(struct network *n, float *parameters, const float *images, int64_t batch,
                     const struct image_span *part, float *outputs)
{
    struct failure f = {0};
    const int64_t values = tensor_elements(network_output(n));
    struct forward w = {.plan = {.network = n,
                                 .parameters = parameters,
                                 .batch = part->count,
                                 .whole_batch = batch,
                                 .isa = isa_best()},
                        .team = {.workers = 2, .run = team_alone},
                        .input = images + part->first * tensor_elements(n->input)};
    assert_int_equal(forward_open(&w, &f), STATUS_OK);
    forward_run(&w);
    memcpy(outputs + part->first * values, w.output,
           (size_t)(part->count * values) * sizeof(float));
    forward_close(&w);
}

/* Five images, of which two or three ranks have so few each that a batch of that size would use
 * other methods. They use the same methods, because the plan depends on the whole batch. */
static void check_parts(struct network *n, float *parameters)
{
    enum { BATCH = 5 };
    const int64_t count = BATCH * tensor_elements(network_output(n));
    float *images = make_images(n, BATCH, 7), *outputs = calloc((size_t)count, sizeof *outputs);
    uint64_t whole = 0;
    assert_non_null(outputs);
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int rank = 0; rank < ranks; rank++) {
            const struct image_span part = network_span(BATCH, rank, ranks);
            run_part(n, parameters, images, BATCH, &part, outputs);
        }
        const uint64_t hash = digest_range(outputs, 0, count);
        if (ranks > 1 && hash != whole)
            fail_msg("%s: %d ranks give other bits than one", n->name, ranks);
        whole = hash;
    }
    free(images);
    free(outputs);
}

TEST(test_models_at_odd_sizes)
{
    static const struct {
        int64_t batch, workers[2];
        size_t count;
    } batches[] = {{1, {2, 7}, 2}, {2, {3}, 1}, {3, {7}, 1}, {17, {3}, 1}};
    for (size_t m = 0; m < MODELS; m++)
        for (size_t i = 0; i < ODD_SIZES && models_at_odd_sizes[m].sizes[i] >= 0; i++) {
            struct network n = made(models_at_odd_sizes[m].name, models_at_odd_sizes[m].sizes[i]);
            float *parameters = make_parameters(&n, 11);
            for (size_t b = 0; b < (i == 0 ? ODD_BATCHES : 1); b++) /* the larger size alone */
                check_model(&n, parameters, batches[b].batch, batches[b].workers, batches[b].count);
            if (i == 0)
                check_parts(&n, parameters);
            free(parameters);
            network_release(&n);
        }
}

/* Integers, so that sums are exact in any order. */
static float weight_of(int64_t output, int64_t input)
{
    return (float)((output * 7 + input * 3) % 5 - 2);
}

static float element_of(int64_t image, int64_t input)
{
    return (float)((input * 11 + image * 13) % 7 - 3);
}

static void check_dots(enum isa isa, int64_t inputs, int64_t outputs, int64_t images)
{
    static linear_function *const run[ISA_COUNT] = ISA_VARIANTS(linear_dots);
    float *weights = malloc((size_t)(inputs * outputs) * sizeof *weights);
    float *x = malloc((size_t)(inputs * images) * sizeof *x);
    float *bias = malloc((size_t)outputs * sizeof *bias);
    float *y = malloc((size_t)(outputs * images) * sizeof *y);
    assert_true(weights && x && bias && y);
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t i = 0; i < inputs; i++)
            weights[o * inputs + i] = weight_of(o, i);
    for (int64_t n = 0; n < images; n++)
        for (int64_t i = 0; i < inputs; i++)
            x[n * inputs + i] = element_of(n, i);
    for (int64_t o = 0; o < outputs; o++)
        bias[o] = (float)(o % 17);
    memset(y, 0xff, (size_t)(outputs * images) * sizeof *y);
    run[isa](&(struct linear_call){inputs, outputs, images, weights, bias, x, y, outputs}, NULL);
    for (int64_t n = 0; n < images; n++)
        for (int64_t o = 0; o < outputs; o++) {
            float sum = bias[o];
            for (int64_t i = 0; i < inputs; i++)
                sum += weights[o * inputs + i] * x[n * inputs + i];
            if (y[n * outputs + o] != sum)
                fail_msg("%s, %lld x %lld, image %lld: output %lld is %g, not %g", isa_name(isa),
                         (long long)outputs, (long long)inputs, (long long)n, (long long)o,
                         (double)y[n * outputs + o], (double)sum);
        }
    free(weights);
    free(x);
    free(bias);
    free(y);
}

/* Rows that are short, long, and of more weights than caches hold; no size divides evenly. */
TEST(test_dots_of_all_sizes)
{
    static linear_function *const run[ISA_COUNT] = ISA_VARIANTS(linear_dots);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!run[isa] || isa_missing((enum isa)isa))
            continue;
        check_dots((enum isa)isa, 50, 13, 3);
        check_dots((enum isa)isa, 1, 1, 1);
        check_dots((enum isa)isa, 513, 7, 2);
        check_dots((enum isa)isa, 1999, 2103, 1);
    }
}

/* ---- known answers --------------------------------------------------------------------------- */

/* The batch norms of tests/cases/networks/make_cases.py. */
static void give_norms(const struct network *n, float *values)
{
    for (int i = 0; i < n->count; i++) {
        const struct layer *l = &n->layers[i];
        for (int64_t c = 0; l->kind == &batchnorm_layer && c < l->in.channels; c++) {
            values[l->offset[0] + c] = 0.7f + 0.05f * (float)(c * 7 % 10);
            values[l->offset[1] + c] = 0.1f * (float)(c * 3 % 10) - 0.5f;
            values[l->offset[2] + c] = 0.1f * (float)(c * 5 % 10) - 0.5f;
            values[l->offset[3] + c] = 0.5f + 0.1f * (float)(c * 11 % 10);
        }
    }
}

static float *read_case(const char *name, const char *what, int64_t *count)
{
    char path[512];
    struct source *source;
    struct failure f = {0};
    snprintf(path, sizeof path, MAXPOOL_SOURCE_DIR "/tests/cases/networks/%s.%s.npy", name, what);
    if (source_open_file(&source, path, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    const struct image_shape s = source_shape(source);
    float *values = malloc((size_t)(s.planes * s.rows * s.cols) * sizeof *values);
    assert_non_null(values);
    *count = s.planes * s.rows * s.cols;
    for (int64_t p = 0; p < s.planes; p++) {
        const struct image_range plane = {p, 0, s.rows, 0, s.cols};
        assert_int_equal(
            source_read(source, &plane, values + p * s.rows * s.cols, s.cols, NULL, &f), STATUS_OK);
    }
    source_close(source);
    return values;
}

static void check_case(const char *name, const char *file, int64_t size)
{
    struct network n = made(name, size);
    struct failure f = {0};
    int64_t elements, outputs;
    float *x = read_case(file, "x", &elements), *y = read_case(file, "y", &outputs);
    float *parameters = malloc((size_t)n.floats * sizeof *parameters);
    assert_non_null(parameters);
    parameters_seed(&n, 35, parameters);
    give_norms(&n, parameters);
    const int64_t batch = elements / tensor_elements(n.input);
    struct forward w = {.plan = {.network = &n,
                                 .parameters = parameters,
                                 .batch = batch,
                                 .whole_batch = batch,
                                 .isa = isa_best()},
                        .team = {.workers = 2, .run = team_alone},
                        .input = x};
    assert_int_equal(forward_open(&w, &f), STATUS_OK);
    assert_int_equal(forward_outputs(&w), outputs);
    forward_run(&w);
    const double apart = distance(w.output, y, outputs);
    if (!(apart <= 2e-5))
        fail_msg("%s: %g of the largest output from PyTorch's", name, apart);
    forward_close(&w);
    free(parameters);
    free(x);
    free(y);
    network_release(&n);
}

TEST(test_known_answers_of_pytorch)
{
    check_case("resnet18", "resnet18", 33);
    check_case("mobilenet_v2", "mobilenet_v2", 33);
    check_case("solar_cnn", "solar_cnn", 0);
    check_case("alexnet_mri", "alexnet_mri", 0);
    check_case("mlp:25-13", "mlp_25-13", 0);
}

/* ---- planted faults -------------------------------------------------------------------------- */

/* Returns true if the verdict on a network with a fault names the layer. */
static bool is_named(struct trial *t, const char *layer)
{
    struct failure f = {0};
    char words[LAYER_NAME + 16];
    snprintf(words, sizeof words, "layer %s (", layer);
    const enum status status = forward_verify(&t->forward, &in_full, &f);
    if (status != STATUS_OK && !strstr(f.message, words))
        fail_msg("'%s' is not in '%s'", words, f.message);
    return status == STATUS_WRONG;
}

static const struct setting plain = {.batch = 5, .workers = 2, .isa = ISA_BASELINE};

/* For each step, one output is computed wrongly: a function in place of the kind's own changes the
 * value. */
static const struct layer_kind *honest;

static void run_wrongly(const struct step *s, const struct portion_of_step *p)
{
    const int64_t elements = tensor_elements(s->out);
    honest->run(s, p);
    if (p->image == 0 && p->channel == 0 && p->row == 0) {
        float *value = s->to + (p->images > 1 ? elements : 0);
        *value = *value > 1.0f ? -1000.0f : 1000.0f; /* visible after any sum and clamp */
    }
}

TEST(test_a_wrong_output_of_every_step_is_named)
{
    struct network n;
    make_every_kind(&n, 21);
    struct trial t = opened(&n, make_parameters(&n, 11), &plain);
    for (int i = 0; i < t.forward.plan.count; i++) {
        struct step *s = &t.forward.plan.steps[i];
        struct layer wrong = *s->layer;
        struct layer_kind kind = *wrong.kind;
        const struct layer *kept = s->layer;
        honest = wrong.kind;
        kind.run = run_wrongly;
        wrong.kind = &kind;
        s->layer = &wrong;
        assert_true(is_named(&t, wrong.name));
        s->layer = kept;
    }
    free(t.parameters);
    closed(&t);
    network_release(&n);
}

static void set_all(float *values, const float *kept, int64_t count, float change)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = kept[i] + change;
}

/* Changes a tensor after its values were packed, up and then down: if outputs are rectified, one of
 * the two is visible. */
static bool change_is_named(struct trial *t, float *values, int64_t count, const char *layer)
{
    float *kept = malloc((size_t)count * sizeof *kept);
    assert_non_null(kept);
    memcpy(kept, values, (size_t)count * sizeof *kept);
    set_all(values, kept, count, 8.0f);
    bool named = is_named(t, layer);
    set_all(values, kept, count, -8.0f);
    named = is_named(t, layer) || named;
    set_all(values, kept, count, 0.0f);
    free(kept);
    return named;
}

TEST(test_a_wrong_parameter_of_every_layer_is_named)
{
    struct network n;
    make_every_kind(&n, 21);
    struct trial t = opened(&n, make_parameters(&n, 11), &plain);
    for (int i = 0; i < n.count; i++)
        for (int k = 0; k < layer_parameter_count(&n.layers[i]); k++) {
            const struct layer *l = &n.layers[i];
            const char *name = l->kind == &batchnorm_layer ? n.layers[l->input].name : l->name;
            if (l->kind == &linear_layer && k == 1) /* read in place, not packed */
                continue;
            const struct parameter_tensor tensor = layer_parameter(l, k);
            float *values = &t.parameters[l->offset[k]];
            if (!change_is_named(&t, values, parameter_floats(&tensor), name))
                fail_msg("parameter %d of %s", k, l->name);
        }
    free(t.parameters);
    closed(&t);
    network_release(&n);
}

/* A full verdict compares every output, including the very last one. */
TEST(test_the_last_output_is_compared)
{
    struct network n;
    make_every_kind(&n, 21);
    struct trial t = opened(&n, make_parameters(&n, 11), &plain);
    forward_run(&t.forward);
    const struct step *s = &t.forward.plan.steps[t.forward.plan.count - 1];
    const struct verified_step j = {s, t.parameters, s->from, s->residual, s->to};
    struct failure f = {0};
    assert_int_equal(verify_share(&j, &in_full, 0, 1, &tally, &f), STATUS_OK);
    s->to[s->images * tensor_elements(s->out) - 1] += 1000.0f;
    assert_int_equal(verify_share(&j, &in_full, 0, 1, &tally, &f), STATUS_WRONG);
    free(t.parameters);
    closed(&t);
    network_release(&n);
}

/* Where as many outputs are drawn as there are, each is verified once: draws alone would miss some,
 * and repeat others. */
TEST(test_few_outputs_are_all_compared)
{
    struct network n;
    make_every_kind(&n, 21);
    struct trial t = opened(&n, make_parameters(&n, 11), &plain);
    forward_run(&t.forward);
    const struct step *s = &t.forward.plan.steps[t.forward.plan.count - 1];
    const struct verified_step j = {s, t.parameters, s->from, s->residual, s->to};
    const int64_t outputs = s->images * tensor_elements(s->out);
    const struct verify_extent drawn = {.drawn = outputs - 2 * s->images, .seed = 3};
    assert_true(outputs > 2 * s->images);
    for (int64_t i = 0; i < outputs; i++) {
        const float right = s->to[i];
        struct failure f = {0};
        assert_int_equal(verify_share(&j, &drawn, 0, 1, &tally, &f), STATUS_OK);
        s->to[i] += 1000.0f;
        if (verify_share(&j, &drawn, 0, 1, &tally, &f) != STATUS_WRONG)
            fail_msg("output %lld of %lld is not compared", (long long)i, (long long)outputs);
        s->to[i] = right;
    }
    free(t.parameters);
    closed(&t);
    network_release(&n);
}

TEST(test_a_wrong_sum_and_a_wrong_clamp_are_named)
{
    struct network n;
    make_every_kind(&n, 21);
    struct trial t = opened(&n, make_parameters(&n, 11), &plain);
    for (int i = 0; i < t.forward.plan.count; i++) {
        struct step *s = &t.forward.plan.steps[i];
        const struct layer *add = s->add, *clamp = s->clamp;
        if (add) { /* the residual is left out; the oracle reads an unchanged copy of the step */
            struct step honest_step = *s;
            s->add = NULL;
            forward_run(&t.forward);
            struct verified_step j = {&honest_step, t.parameters, s->from, s->residual, s->to};
            struct failure f = {0};
            assert_int_equal(verify_share(&j, &in_full, 0, 1, &tally, &f), STATUS_WRONG);
            s->add = add;
        }
        if (clamp) {
            struct step honest_step = *s;
            s->clamp = NULL;
            forward_run(&t.forward);
            struct verified_step j = {&honest_step, t.parameters, s->from, s->residual, s->to};
            struct failure f = {0};
            assert_int_equal(verify_share(&j, &in_full, 0, 1, &tally, &f), STATUS_WRONG);
            s->clamp = clamp;
        }
    }
    free(t.parameters);
    closed(&t);
    network_release(&n);
}

/* A layer that writes nothing leaves the NaN that was there before. */
static void run_nothing(const struct step *s, const struct portion_of_step *p)
{
    (void)s;
    (void)p;
}

TEST(test_outputs_left_out_are_seen)
{
    struct network n;
    make_every_kind(&n, 21);
    struct trial t = opened(&n, make_parameters(&n, 11), &plain);
    struct verify_extent drawn = {.full = false, .drawn = 64, .seed = 3};
    for (int i = 0; i < t.forward.plan.count; i++) {
        struct step *s = &t.forward.plan.steps[i];
        struct layer wrong = *s->layer;
        struct layer_kind kind = *wrong.kind;
        const struct layer *kept = s->layer;
        struct failure f = {0};
        kind.run = run_nothing;
        wrong.kind = &kind;
        s->layer = &wrong;
        assert_int_equal(forward_verify(&t.forward, &drawn, &f), STATUS_WRONG);
        assert_non_null(strstr(f.message, wrong.name));
        s->layer = kept;
    }
    free(t.parameters);
    closed(&t);
    network_release(&n);
}

/* ---- in double precision -----------------------------------------------------------------------
 *
 * All layers in double precision, compared with the outputs in float32: as close as their errors
 * allow, and the same bits for any number of workers. */

static double *referred(const struct forward *w)
{
    double *out;
    struct failure f = {0};
    if (reference_outputs(w, &out, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return out;
}

static void check_reference(struct network *n)
{
    struct setting s = {.batch = 2, .workers = 1, .isa = isa_best()};
    float *parameters = make_parameters(n, 11);
    struct trial t = opened(n, parameters, &s);
    const int64_t count = tensor_elements(network_output(n));
    double *right = referred(&t.forward), largest = 0.0, error = 0.0;
    forward_run(&t.forward);
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(right[i]));
        error = fmax(error, fabs(right[i] - t.forward.output[i]));
    }
    if (!(error > 0.0 && error <= 1e-5 * largest))
        fail_msg("%s: off by %g of %g", n->name, error, largest);
    t.forward.team.workers = 3;
    double *others = referred(&t.forward);
    assert_memory_equal(right, others, (size_t)count * sizeof *right);
    free(right);
    free(others);
    free(parameters);
    closed(&t);
}

TEST(test_outputs_are_those_of_double_precision)
{
    static const char *const names[] = {"resnet18", "mobilenet_v2", "solar_cnn", "alexnet_mri",
                                        "mlp:20-10"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct network n = made(names[i], i < 2 ? 45 : 0);
        check_reference(&n);
        network_release(&n);
    }
}

/* Steps that round report errors of their float32 sums; steps that are exact report none. */
TEST(test_errors_of_steps_are_reported)
{
    struct network n = made("solar_cnn", 0);
    struct setting s = {.batch = 2, .workers = 3, .isa = isa_best()};
    struct error_tally errors[16] = {{0}};
    const struct verify_extent how = {.full = true, .errors = errors};
    struct failure f = {0};
    float *parameters = make_parameters(&n, 11);
    struct trial t = opened(&n, parameters, &s);
    assert_int_equal(forward_verify(&t.forward, &how, &f), STATUS_OK);
    for (int i = 0; i < t.forward.plan.count; i++) {
        const struct step *step = &t.forward.plan.steps[i];
        const bool rounds = step->layer->kind->form != FORM_MAXPOOL;
        assert_int_equal(errors[i].outputs, tensor_elements(step->out) * 2);
        assert_int_equal(errors[i].rounding > 0, rounds);
        assert_int_equal(errors[i].error_max > 0.0, rounds);
        assert_true(errors[i].bound_max < 1.0);
    }
    free(parameters);
    closed(&t);
    network_release(&n);
}

TEST(test_more_than_memory_is_refused_before_it_is_asked_for)
{
    struct network n = made("resnet18", 224);
    struct failure f = {0};
    float *parameters = make_parameters(&n, 1);
    struct forward w = {.plan = {.network = &n,
                                 .parameters = parameters,
                                 .batch = 10000000,
                                 .whole_batch = 10000000},
                        .team = {.workers = 1, .run = team_alone}};
    assert_int_equal(forward_open(&w, &f), STATUS_RESOURCE);
    assert_null(w.arena);
    forward_close(&w);
    free(parameters);
    network_release(&n);
}
