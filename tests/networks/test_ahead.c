/* What convolutions prefetch for a fully connected layer: each of its weights once, whatever the
 * number of workers, and nothing else. */
#include "tests/support/network_cases.h"

#include "networks/ahead.h"
#include "networks/forward.h"
#include "networks/layers/kinds.h"
#include "networks/models/models.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>

static struct forward opened(struct network *n, float *parameters, int64_t workers, float *images)
{
    struct forward w = {
        .plan = {.network = n, .parameters = parameters, .batch = 1, .whole_batch = 1},
        .team = {.workers = workers, .run = team_alone},
        .input = images};
    struct failure f = {0};
    w.plan.isa = isa_best();
    if (forward_open(&w, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    return w;
}

/* Counts the weights that the calls of a step prefetch: those of each part, and of its rows in two
 * pieces. A call may round its share up by one weight. */
static void count_step(const struct step *s, const float *weights, int64_t all, int *times)
{
    const int64_t half = s->out.rows / 2;
    for (int part = 0; part < s->part_count; part++)
        for (int piece = 0; piece < 2; piece++) {
            const struct conv_rows r = {0, 1, piece ? half : 0, piece ? s->out.rows - half : half};
            const struct conv_ahead a = ahead_of(s, &s->parts[part], &r);
            assert_true(a.floats == 0 || (a.from >= weights && a.from + a.floats <= weights + all + 1));
            for (int64_t i = 0; i + 1 < a.floats; i++)
                times[a.from - weights + i]++;
        }
}

static void every_weight_is_prefetched(NO_STATE)
{
    struct network n;
    struct failure f = {0};
    const struct model_request request = {.name = "mobilenet_v2", .input = {0, 224, 224}};
    assert_int_equal(model_make(&n, &request, &f), STATUS_OK);
    float *parameters = make_parameters(&n, 11), *images = make_images(&n, 1, 7);
    for (int64_t workers = 1; workers <= 3; workers++) {
        struct forward w = opened(&n, parameters, workers, images);
        const struct step *last = &w.plan.steps[w.plan.count - 1];
        const int64_t all = last->in.channels * last->out.channels;
        int *times = calloc((size_t)all, sizeof *times);
        assert_true(last->layer->kind == &linear_layer);
        for (int i = 0; i < w.plan.count - 1; i++)
            if (w.plan.steps[i].ahead.from)
                count_step(&w.plan.steps[i], last->raw, all, times);
        int64_t missed = 0;
        for (int64_t i = 0; i < all; i++) {
            assert_true(times[i] <= 1);
            missed += times[i] == 0;
        }
        assert_true(missed <= 200); /* what calls round down */
        free(times);
        forward_close(&w);
    }
    free(images);
    free(parameters);
    network_release(&n);
}

/* The last convolution prefetches the weights that are read first. */
static void the_first_weights_are_the_nearest(NO_STATE)
{
    struct network n;
    struct failure f = {0};
    const struct model_request request = {.name = "mobilenet_v2", .input = {0, 224, 224}};
    assert_int_equal(model_make(&n, &request, &f), STATUS_OK);
    float *parameters = make_parameters(&n, 11), *images = make_images(&n, 1, 7);
    struct forward w = opened(&n, parameters, 1, images);
    const float *next = w.plan.steps[w.plan.count - 1].raw;
    for (int i = w.plan.count - 1; i >= 0; i--) {
        const struct conv_ahead *a = &w.plan.steps[i].ahead;
        assert_true(!a->from || a->from == next);
        next += a->floats;
    }
    forward_close(&w);
    free(images);
    free(parameters);
    network_release(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_weight_is_prefetched),
                                       cmocka_unit_test(the_first_weights_are_the_nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
