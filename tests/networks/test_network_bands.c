/* Convolutions computed in bands of rows: which layers are, that bands give the same bits as the
 * layers one by one for any stride, size, batch and number of workers, that nothing is overwritten
 * that they still read, and that the verdict finds wrong bands. */
#include "tests/support/network_cases.h"

#include "harness/base/digest.h"
#include "networks/bands.h"
#include "networks/forward.h"
#include "networks/layers/kinds.h"
#include "networks/models/models.h"
#include "networks/point/layers/layer_facts.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- networks -------------------------------------------------------------------------------- */

/* An inverted residual block on a map of `channels` channels: wide maps make bands of few rows. */
struct bottleneck {
    int64_t rows, cols, channels, inner, out;
    struct window head, window;
    bool residual;
};

static const struct bottleneck blocks[] = {
    {9, 11, 3, 18, 5, {1, 1, 0}, {3, 1, 1}, false},     /* one band */
    {9, 11, 4, 24, 4, {1, 1, 0}, {3, 1, 1}, true},      /* a residual */
    {23, 200, 5, 64, 5, {1, 1, 0}, {3, 1, 1}, true},    /* several rows per band */
    {23, 201, 5, 65, 7, {1, 1, 0}, {3, 2, 1}, false},   /* stride 2, odd sizes */
    {24, 200, 5, 64, 7, {1, 1, 0}, {3, 2, 1}, false},   /* stride 2, even sizes */
    {7, 1300, 3, 97, 3, {1, 1, 0}, {3, 1, 1}, true},    /* the fewest possible rows per band */
    {31, 203, 3, 67, 9, {3, 2, 1}, {3, 1, 1}, false},   /* after a window of 3 x 3 */
    {19, 120, 4, 100, 4, {1, 1, 0}, {5, 1, 2}, true},   /* a depthwise window of 5 x 5, */
    {20, 121, 4, 100, 6, {1, 1, 0}, {3, 3, 0}, false},  /* and one with windows that do not overlap
                                                         */
    {7, 7, 4, 40, 6, {1, 1, 0}, {3, 1, 1}, false},      /* whole planes are one row of vectors: */
    {8, 8, 4, 40, 4, {1, 1, 0}, {3, 1, 1}, true},       /* the largest ones, */
    {13, 4, 4, 40, 6, {1, 1, 0}, {3, 1, 1}, false},     /* and short rows */
    {2, 150, 4, 100, 6, {1, 1, 0}, {5, 2, 2}, false},   /* higher than the map */
    {20, 150, 4, 100, 6, {1, 1, 0}, {2, 4, 0}, false}}; /* rows that no window reads */

enum { BLOCKS = sizeof blocks / sizeof *blocks };

static int add_part(struct network *n, const char *name, int input, int64_t filters,
                    struct window window, int64_t groups)
{
    char norm[LAYER_NAME];
    snprintf(norm, sizeof norm, "%s.norm", name);
    return add_plain(n, &batchnorm_layer, norm,
                     add_conv(n, name, input, filters, window, groups, false));
}

/* The block between two pointwise convolutions, so that the buffers before and after it are in
 * use. */
static struct network network_of(const struct bottleneck *b)
{
    const struct window point = {1, 1, 0};
    struct network n;
    struct failure f = {0};
    network_begin(&n, "block", (struct tensor_shape){2, b->rows, b->cols});
    const int input = add_part(&n, "before", NETWORK_INPUT, b->channels, point, 1);
    int last = add_part(&n, "expand", input, b->inner, b->head, 1);
    last = add_plain(&n, &relu6_layer, "clamp1", last);
    last = add_part(&n, "filter", last, b->inner, b->window, b->inner);
    last = add_plain(&n, &relu6_layer, "clamp2", last);
    last = add_part(&n, "project", last, b->out, point, 1);
    if (b->residual)
        last = add_sum(&n, "add", last, input);
    add_part(&n, "behind", last, 3, point, 1);
    assert_int_equal(network_finish(&n, &f), STATUS_OK);
    return n;
}

static struct network mobilenet(int64_t size)
{
    struct network n;
    struct failure f = {0};
    const struct model_request request = {.name = "mobilenet_v2", .input = {0, size, size}};
    if (model_make(&n, &request, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return n;
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct setting {
    int64_t batch, workers;
    enum banding banding;
    enum isa isa;
};

struct trial {
    float *images;
    struct forward forward;
};

static struct trial opened(struct network *n, float *parameters, struct setting s,
                           void (*run)(int64_t, team_task *, void *))
{
    struct trial t = {.images = make_images(n, s.batch, 7)};
    struct failure f = {0};
    t.forward = (struct forward){.plan = {.network = n,
                                          .parameters = parameters,
                                          .batch = s.batch,
                                          .whole_batch = s.batch,
                                          .isa = s.isa,
                                          .banding = s.banding},
                                 .team = {.workers = s.workers, .run = run},
                                 .input = t.images,
                                 .traced = true};
    if (forward_open(&t.forward, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return t;
}

static void closed(struct trial *t)
{
    forward_close(&t->forward);
    free(t->images);
}

static uint64_t hash_of_output(const struct forward *w)
{
    return digest_range(w->output, 0, forward_outputs(w));
}

/* Returns the hash of the outputs of a run; guards surround arena, outputs and scratch. */
static uint64_t run_hash(struct network *n, float *parameters, struct setting s)
{
    struct trial t = opened(n, parameters, s, team_alone);
    struct failure f = {0};
    forward_run(&t.forward);
    const uint64_t hash = hash_of_output(&t.forward);
    if (forward_check_guards(&t.forward, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    closed(&t);
    return hash;
}

static int chains_of(const struct plan *p)
{
    int chains = 0;
    for (int i = 0; i < p->count; i++)
        chains += p->steps[i].bands > 0;
    return chains;
}

static struct plan planned(struct network *n, enum banding banding, int64_t batch)
{
    struct plan p = {
        .network = n, .batch = batch, .whole_batch = batch, .workers = 1, .banding = banding};
    struct failure f = {0};
    assert_int_equal(plan_make(&p, &f), STATUS_OK);
    return p;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static void compare_with_layers(struct network *n, float *parameters, struct setting s,
                                const char *what)
{
    s.banding = BANDS_NEVER;
    const uint64_t hash = run_hash(n, parameters, s);
    s.banding = BANDS_ALWAYS;
    for (s.workers = 1; s.workers <= 7; s.workers += s.workers == 3 ? 4 : 1)
        if (run_hash(n, parameters, s) != hash)
            fail_msg("%s, batch %lld, %lld workers, %s: bands have other bits", what,
                     (long long)s.batch, (long long)s.workers, isa_name(s.isa));
}

TEST(test_bits_are_those_of_the_layers)
{
    for (int i = 0; i < BLOCKS; i++) {
        struct network n = network_of(&blocks[i]);
        float *parameters = make_parameters(&n, 11);
        char what[32];
        snprintf(what, sizeof what, "block %d", i);
        for (int64_t batch = 1; batch <= 3; batch += 2)
            compare_with_layers(&n, parameters, (struct setting){batch, 1, 0, isa_best()}, what);
        free(parameters);
        network_release(&n);
    }
}

TEST(test_every_instruction_set)
{
    struct network n = network_of(&blocks[3]);
    float *parameters = make_parameters(&n, 11);
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (!isa_missing((enum isa)isa))
            compare_with_layers(&n, parameters, (struct setting){2, 1, 0, (enum isa)isa}, "block");
    free(parameters);
    network_release(&n);
}

TEST(test_a_network_has_its_bits)
{
    static const int64_t sizes[] = {33, 97};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct network n = mobilenet(sizes[i]);
        float *parameters = make_parameters(&n, 11);
        for (int64_t batch = 1; batch <= 3; batch += 2)
            compare_with_layers(&n, parameters, (struct setting){batch, 1, 0, isa_best()},
                                "mobilenet_v2");
        free(parameters);
        network_release(&n);
    }
}

/* ---- which ----------------------------------------------------------------------------------- */

TEST(test_blocks_are_found)
{
    for (int i = 0; i < BLOCKS; i++) {
        struct network n = network_of(&blocks[i]);
        struct plan p = planned(&n, BANDS_ALWAYS, 1);
        assert_int_equal(chains_of(&p), 1);
        assert_int_equal(p.steps[1].bands, BAND_STEPS);
        assert_true(p.steps[2].bands == -1 && p.steps[3].bands == -2);
        for (int k = 0; k < p.count; k++)
            assert_int_equal(bands_last(&p, k), k >= 1 && k <= 3 ? 3 : k);
        plan_release(&p);
        p = planned(&n, BANDS_NEVER, 1);
        assert_int_equal(chains_of(&p), 0);
        plan_release(&p);
        network_release(&n);
    }
}

/* Bands are not used for a map that another layer reads, for a network that is trained, or for a
 * device. */
TEST(test_what_is_left_alone)
{
    const struct window point = {1, 1, 0}, window = {3, 1, 1};
    struct network n;
    struct failure f = {0};
    network_begin(&n, "shared", (struct tensor_shape){2, 9, 9});
    const int expanded = add_conv(&n, "expand", NETWORK_INPUT, 8, point, 1, true);
    const int filtered = add_conv(&n, "filter", expanded, 8, window, 8, true);
    add_sum(&n, "add", add_conv(&n, "project", filtered, 8, point, 1, true), expanded);
    struct plan p = planned(&n, BANDS_ALWAYS, 1);
    assert_int_equal(chains_of(&p), 0);
    plan_release(&p);
    network_release(&n);
    n = network_of(&blocks[0]);
    for (int i = 0; i < 2; i++) {
        p = (struct plan){.network = &n,
                          .batch = 1,
                          .whole_batch = 1,
                          .workers = 1,
                          .training = i == 0,
                          .external = i == 1,
                          .banding = BANDS_ALWAYS};
        assert_int_equal(plan_make(&p, &f), STATUS_OK);
        assert_int_equal(chains_of(&p), 0);
        plan_release(&p);
    }
    network_release(&n);
}

/* The choice depends on the size of the maps of the whole batch: the number of images on this rank
 * does not matter, nor do workers with few rows each. */
TEST(test_large_maps_alone_are_worth_it)
{
    struct network small = mobilenet(64), large = mobilenet(512);
    struct plan p = planned(&small, BANDS_BY_SIZE, 1), q = planned(&large, BANDS_BY_SIZE, 1);
    struct plan many = planned(&small, BANDS_BY_SIZE, 64), part = many;
    struct failure f = {0};
    assert_int_equal(chains_of(&p), 0);
    assert_true(chains_of(&q) >= 4);
    assert_true(chains_of(&many) >= 4);
    part.batch = 3;
    part.workers = 5;
    assert_int_equal(plan_make(&part, &f), STATUS_OK);
    for (int i = 0; i < part.count; i++)
        assert_int_equal(part.steps[i].bands, many.steps[i].bands);
    plan_release(&p);
    plan_release(&q);
    plan_release(&many);
    plan_release(&part);
    network_release(&small);
    network_release(&large);
}

/* Returns the number of blocks of MobileNetV2 in bands, for one image of 224 x 224. */
static int64_t chains_for(const struct network *n, int64_t workers)
{
    struct failure f = {0};
    struct plan p = {.network = n, .batch = 1, .whole_batch = 1, .workers = workers};
    assert_int_equal(plan_make(&p, &f), STATUS_OK);
    const int64_t chains = chains_of(&p);
    plan_release(&p);
    return chains;
}

/* Small maps use bands too, if several workers have enough rows each: at least seven. */
TEST(test_workers_with_rows_of_their_own_are_worth_it)
{
    struct network n = mobilenet(224);
    assert_int_equal(chains_for(&n, 1), 0);
    assert_int_equal(chains_for(&n, 2), 13); /* all whose maps have 112, 56, 28 or 14 rows */
    assert_int_equal(chains_for(&n, 3), 6);  /* 112, 56 or 28 */
    assert_int_equal(chains_for(&n, 4), 6);
    assert_int_equal(chains_for(&n, 5), 3);
    assert_int_equal(chains_for(&n, 16), 1);
    assert_int_equal(chains_for(&n, 17), 0);
    network_release(&n);
}

/* ---- places, times and the verdict ----------------------------------------------------------- */

/* The input of the first step and the residual of the last step must not overlap the output of the
 * last step: its first rows are written while the first step still reads. */
TEST(test_inputs_stay_until_the_end)
{
    struct network n = mobilenet(97);
    struct plan p = planned(&n, BANDS_ALWAYS, 2);
    int compared = 0;
    for (int i = 0; i < p.count; i++) {
        const int from = plan_step_of(&p, p.steps[i].input), last = bands_last(&p, i);
        if (p.steps[i].bands <= 0 || from < 0)
            continue;
        const int64_t begin = p.place[from], to = p.place[last];
        const int64_t end = begin + p.batch * tensor_elements(p.steps[from].out);
        assert_true(to >= end || to + p.batch * tensor_elements(p.steps[last].out) <= begin);
        compared++;
    }
    assert_true(compared >= 16);
    plan_release(&p);
    network_release(&n);
}

/* Each step of a chain is clocked once per run, and the parts of a worker follow each other. */
TEST(test_every_step_has_its_time)
{
    struct network n = network_of(&blocks[2]);
    float *parameters = make_parameters(&n, 11);
    struct trial t =
        opened(&n, parameters, (struct setting){2, 3, BANDS_ALWAYS, isa_best()}, team_alone);
    t.forward.clocked = true;
    forward_run(&t.forward);
    forward_run(&t.forward);
    for (int i = 0; i < t.forward.plan.count; i++) {
        const struct step_clock *c = &t.forward.clocks[i];
        assert_int_equal(c->executions, 2);
        assert_true(c->fastest_s > 0.0 && c->sum_s >= 2.0 * c->fastest_s);
        for (int w = 0; w < 3; w++) {
            const struct mark *m = &t.forward.marks[i * 3 + w];
            assert_true(m->begin > 0.0 && m->end >= m->begin);
            if (t.forward.plan.steps[i].bands < 0)
                assert_true(m->begin == (m - 3)->end);
        }
    }
    closed(&t);
    free(parameters);
    network_release(&n);
}

/* Maps that stay in bands cause no memory traffic: what remains are images, weights, residual and
 * outputs. */
TEST(test_bytes_of_bands_are_those_at_their_ends)
{
    const struct bottleneck *b = &blocks[2];
    struct network n = network_of(b);
    struct plan p = planned(&n, BANDS_ALWAYS, 1);
    const double elements = (double)(b->rows * b->cols), channels = (double)b->channels;
    const double inner = (double)b->inner;
    const struct layer_facts expand = layer_facts_of(&p.steps[1]);
    const struct layer_facts filter = layer_facts_of(&p.steps[2]);
    const struct layer_facts project = layer_facts_of(&p.steps[3]);
    assert_true(expand.bytes == 4.0 * (channels * elements + inner * (channels + 1)));
    assert_true(filter.bytes == 4.0 * inner * (9 + 1));
    assert_true(project.bytes == 4.0 * (2 * channels * elements + channels * (inner + 1)));
    assert_true(expand.bytes_written == 0.0 && filter.bytes_written == 0.0);
    assert_true(project.bytes_written == 4.0 * channels * elements);
    plan_release(&p);
    network_release(&n);
}

static const struct verify_extent in_full = {.full = true};

/* A trace shows the last run, not its verification. */
TEST(test_verification_leaves_the_marks)
{
    enum { WORKERS = 2, MOST = 16 };
    struct network n = network_of(&blocks[2]);
    float *parameters = make_parameters(&n, 11);
    struct failure f = {0};
    struct mark before[MOST * WORKERS];
    struct trial t =
        opened(&n, parameters, (struct setting){2, WORKERS, BANDS_ALWAYS, isa_best()}, team_alone);
    const size_t marks = (size_t)t.forward.plan.count * WORKERS;
    assert_true(marks <= MOST * WORKERS);
    forward_run(&t.forward);
    memcpy(before, t.forward.marks, marks * sizeof *before);
    if (forward_verify(&t.forward, &in_full, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    for (size_t i = 0; i < marks; i++)
        assert_true(t.forward.marks[i].begin == before[i].begin &&
                    t.forward.marks[i].end == before[i].end);
    closed(&t);
    free(parameters);
    network_release(&n);
}

TEST(test_every_layer_is_verified)
{
    for (int i = 2; i <= 3; i++) {
        struct network n = network_of(&blocks[i]);
        float *parameters = make_parameters(&n, 11);
        struct failure f = {0};
        struct trial t =
            opened(&n, parameters, (struct setting){2, 2, BANDS_ALWAYS, isa_best()}, team_alone);
        if (forward_verify(&t.forward, &in_full, &f) != STATUS_OK)
            fail_msg("%s", f.message);
        const uint64_t hash = hash_of_output(&t.forward);
        forward_poison(&t.forward);
        forward_run(&t.forward);
        assert_true(hash_of_output(&t.forward) == hash);
        closed(&t);
        free(parameters);
        network_release(&n);
    }
}

/* A team that changes the last bit of one output as soon as it is written. */
static float *spoiled;
static bool spoils;

static void spoiling_team(int64_t workers, team_task *task, void *context)
{
    team_alone(workers, task, context);
    if (!spoils || !spoiled || isnan(*spoiled))
        return;
    *spoiled = nextafterf(*spoiled, INFINITY);
    spoils = false;
}

TEST(test_other_bits_in_bands_are_seen)
{
    struct network n = network_of(&blocks[2]);
    float *parameters = make_parameters(&n, 11);
    struct failure f = {0};
    struct trial t =
        opened(&n, parameters, (struct setting){1, 2, BANDS_ALWAYS, isa_best()}, spoiling_team);
    spoiled = t.forward.plan.steps[3].to + 700;
    spoils = false;
    if (forward_verify(&t.forward, &in_full, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    spoils = true;
    assert_int_equal(forward_verify(&t.forward, &in_full, &f), STATUS_WRONG);
    assert_non_null(strstr(f.message, "layer project (conv) is wrong: computed in bands"));
    assert_false(spoils);
    closed(&t);
    free(parameters);
    network_release(&n);
}
