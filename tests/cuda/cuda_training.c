/* Tests the host side of network_cuda --task train on the emulation: every call of the runtime
 * fails once; results have the same bits in whatever order threads run; what is sent in a step;
 * what is wrong is named. */
#include "cuda/emulation/emulation.h"
#include "tests/cuda/small_training.h"
#include "tests/support/run_program.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct training_way plain = {.batch = 5, .shards = 2, .block = 16, .drops = true};

static int begin(NO_STATE)
{
    emulation_reset(&emulation_sound_machine, 7);
    return 0;
}

/* Opens a training and fills its first batch. */
static void open_filled(struct small_training *s, int which)
{
    struct failure f = {0};
    assert_int_equal(small_training_open(s, which, &plain, &f), STATUS_OK);
    small_training_fill(&s->trainer, 0);
}

/* ---- failing calls --------------------------------------------------------------------------- */

/* Opens, prepares the first size of batch, runs a step that is verified and one that is not;
 * copies everything to the host, closes. The second step is of the other size, unless it is to be
 * graphs. */
static enum status run(int which, const struct training_way *way, uint64_t *hash, struct failure *f)
{
    const struct verify_extent all = {.full = true};
    struct small_training s;
    struct step_result result;
    enum status status = small_training_open(&s, which, way, f);
    if (status == STATUS_OK)
        status = small_training_prepare(&s.trainer, 0, f);
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        small_training_fill(&s.trainer, way->captures ? 2 * i : i);
        status = trainer_step(&s.trainer, i == 0 ? &all : NULL, &result, f);
    }
    if (status == STATUS_OK)
        status = trainer_fetch_state(&s.trainer, f);
    if (status == STATUS_OK)
        status = trainer_outputs(&s.trainer, s.trainer.share.images, 2, f);
    *hash = status == STATUS_OK ? trainer_hash(&s.trainer) : 0;
    small_training_close(&s);
    return status;
}

/* Makes each call fail, one per run, until none is left; returns how many there were. */
static int64_t fail_calls(const struct training_way *way, cudaError_t error, enum status expected)
{
    for (int64_t n = 1;; n++) {
        struct failure f = {0};
        uint64_t hash;
        emulation_reset(&emulation_sound_machine, 7);
        emulation_fail_at(n, error);
        const enum status status = run(1, way, &hash, &f);
        assert_int_equal(emulation_live(), 0);
        if (status == STATUS_OK) {
            assert_true(emulation_calls() <= n);
            return n - 1;
        }
        if (status != expected)
            print_error("call %lld: status %d, %s\n", (long long)n, (int)status, f.message);
        assert_int_equal(status, expected);
        assert_non_null(strstr(f.message, "cuda/"));
    }
}

TEST_WITH(failing_calls_are_named_and_all_is_freed, begin, NULL)
{
    const struct training_way pinned = {
        .batch = 3, .shards = 1, .block = 16, .memory = HOST_PINNED, .traced = true};
    const struct training_way graphs = {.batch = 3, .shards = 1, .block = 16, .captures = true};
    assert_true(fail_calls(&pinned, cudaErrorLaunchFailure, STATUS_RESOURCE) > 100);
    assert_true(fail_calls(&graphs, cudaErrorLaunchFailure, STATUS_RESOURCE) > 100);
    assert_true(fail_calls(&pinned, cudaErrorMemoryAllocation, STATUS_RESOURCE) > 100);
}

/* If parameters that were reset cannot be sent, the next step reports it. */
TEST_WITH(parameters_that_cannot_be_sent_are_reported, begin, NULL)
{
    struct small_training s;
    struct step_result result;
    struct failure f = {0};
    open_filled(&s, 1);
    emulation_fail_at(1, cudaErrorLaunchFailure);
    trainer_refresh(&s.trainer);
    assert_int_equal(trainer_step(&s.trainer, NULL, &result, &f), STATUS_RESOURCE);
    small_training_close(&s);
    assert_int_equal(emulation_live(), 0);
}

/* ---- memory that was never written ----------------------------------------------------------- */

/* No kernel reads what nothing has written or sent, from the first run of every part on, which is
 * before the parameters are sent. */
TEST_WITH(what_was_never_written_is_not_read, begin, NULL)
{
    struct failure f = {0};
    uint64_t hash;
    emulation_watch(true);
    if (run(0, &plain, &hash, &f) != STATUS_OK) /* it has pools */
        print_error("%s: %s\n", small_training_name(0), f.message);
    assert_string_equal(emulation_fault(), "");
    assert_int_equal(f.status, STATUS_OK);
    emulation_watch(false);
}

/* ---- the same bits --------------------------------------------------------------------------- */

/* The seed draws the order of threads, blocks and streams. On a wider device the forward run has
 * other tiles, but sums are the same. */
TEST_WITH(threads_in_any_order_come_to_the_same_bits, begin, NULL)
{
    static const uint64_t seeds[] = {0, 1, 7, 1234};
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        struct failure f = {0};
        uint64_t hash;
        emulation_reset(&emulation_sound_machine, seeds[i]);
        if (run(0, &plain, &hash, &f) != STATUS_OK)
            fail_msg("%s", f.message);
        first = i == 0 ? hash : first;
        assert_true(hash == first);
    }
}

/* ---- what is sent ---------------------------------------------------------------------------- */

/* Images, labels, the keys of dropout and the numbers of the update are sent, losses and outputs
 * are copied back. Parameters, gradients and the arrays between layers stay on the device. */
TEST_WITH(of_a_step_images_go_and_losses_come, begin, NULL)
{
    struct small_training s;
    struct step_result result;
    struct phases phases = phases_none();
    struct failure f = {0};
    char images[32], labels[32], losses[32], outputs[32], keys[32];
    open_filled(&s, 0);
    emulation_journal_begin();
    assert_int_equal(trainer_step(&s.trainer, NULL, &result, &f), STATUS_OK);
    snprintf(images, sizeof images, "send %d\n", 5 * 2 * 11 * 9 * 4);
    snprintf(labels, sizeof labels, "send %d\n", 5 * 4);
    snprintf(losses, sizeof losses, "collect %d\n", 5 * 8);
    snprintf(outputs, sizeof outputs, "collect %d\n", 5 * 3 * 4);
    snprintf(keys, sizeof keys, "send %d\n",
             s.trainer.forward.plan.count * 8 + (int)sizeof(struct step_numbers));
    assert_int_equal(count_of(emulation_journal(), "send"), 3);
    assert_int_equal(count_of(emulation_journal(), keys), 1); /* of dropout */
    assert_int_equal(count_of(emulation_journal(), images), 1);
    assert_int_equal(count_of(emulation_journal(), labels), 1);
    assert_int_equal(count_of(emulation_journal(), "collect"), 2);
    assert_int_equal(count_of(emulation_journal(), losses), 1);
    assert_int_equal(count_of(emulation_journal(), outputs), 1);
    assert_int_equal(count_of(emulation_journal(), "allocate"), 0);
    s.there.trainer_interface.read_phases(&s.trainer, &phases);
    assert_true(phases.device_compute_s > 0.0 && phases.device_distribute_s >= 0.0);
    assert_true(phases.device_collect_s >= 0.0 && phases.first_launch_s > 0.0);
    assert_true(result.seconds.send_s > 0.0 && result.seconds.collect_s > 0.0);
    assert_true(result.seconds.backward_s > 0.0 && result.seconds.update_s > 0.0);
    small_training_close(&s);
}

/* What runs between two steps belongs to neither of them. */
TEST_WITH(the_time_between_steps_is_of_no_step, begin, NULL)
{
    for (int captures = 0; captures < 2; captures++) {
        struct small_training s;
        struct training_way way = plain;
        struct step_result result;
        struct phases phases = phases_none();
        struct failure f = {0};
        way.captures = captures == 1;
        emulation_clock(4e-3, 0.0);
        assert_int_equal(small_training_open(&s, 1, &way, &f), STATUS_OK);
        small_training_fill(&s.trainer, 0);
        assert_int_equal(trainer_fetch_state(&s.trainer, &f), STATUS_OK);
        assert_false(s.there.began); /* the next phase has a begin of its own */
        assert_int_equal(trainer_outputs(&s.trainer, s.trainer.share.images, 2, &f), STATUS_OK);
        small_training_fill(&s.trainer, 0);
        assert_int_equal(trainer_step(&s.trainer, NULL, &result, &f), STATUS_OK);
        s.there.trainer_interface.read_phases(&s.trainer, &phases);
        assert_true(phases.device_distribute_s < 1e-6);
        small_training_close(&s);
    }
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* Runs a step; returns how often the word occurs in its journal. */
static int lines_of_step(struct trainer *t, int64_t turn, const char *word, int *kernels)
{
    struct step_result result;
    struct failure f = {0};
    small_training_fill(t, turn);
    emulation_journal_begin();
    assert_int_equal(trainer_step(t, NULL, &result, &f), STATUS_OK);
    *kernels = count_of(emulation_journal(), "kernel ");
    return count_of(emulation_journal(), word);
}

/* A step is a graph, in the first step of a batch's size too, for which the host waits once. No
 * step captures: that was done before. The kernels are the same. */
TEST_WITH(a_step_is_one_graph, begin, NULL)
{
    struct small_training s;
    struct training_way way = plain;
    struct failure f = {0};
    int kernels[2], now;
    assert_int_equal(small_training_open(&s, 0, &way, &f), STATUS_OK);
    for (int turn = 0; turn < 2; turn++)
        assert_int_equal(lines_of_step(&s.trainer, turn, "graph ", &kernels[turn]), 0);
    small_training_close(&s);
    way.captures = true;
    assert_int_equal(small_training_open(&s, 0, &way, &f), STATUS_OK);
    for (int turn = 0; turn < 2; turn++)
        assert_int_equal(small_training_prepare(&s.trainer, turn, &f), STATUS_OK);
    const int64_t live = emulation_live();
    for (int turn = 0; turn < 5; turn++) {
        const int64_t waits = emulation_waits();
        assert_int_equal(lines_of_step(&s.trainer, turn, "graph ", &now), 1);
        assert_int_equal(emulation_waits(), waits + 1);
        assert_int_equal(now, kernels[turn % 2]);
        assert_int_equal(count_of(emulation_journal(), "send"), 3);
        assert_int_equal(count_of(emulation_journal(), "collect"), 2);
    }
    assert_int_equal(emulation_live(), live);
    assert_int_equal(s.there.graphs.count, 2); /* of two sizes */
    assert_int_equal(s.there.graphs.captured, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(s.there.graphs.all[i].graph.kernels, kernels[i]);
        assert_int_equal(s.there.graphs.all[i].graph.others, 0);
    }
    small_training_close(&s);
    assert_int_equal(emulation_live(), 0);
}

/* Steps of a size that was not prepared are launched one by one; they capture nothing. */
TEST_WITH(a_step_that_was_not_prepared_captures_nothing, begin, NULL)
{
    struct small_training s;
    struct training_way way = plain;
    struct failure f = {0};
    int kernels;
    way.captures = true;
    assert_int_equal(small_training_open(&s, 1, &way, &f), STATUS_OK);
    assert_int_equal(small_training_prepare(&s.trainer, 0, &f), STATUS_OK);
    for (int turn = 0; turn < 4; turn++)
        assert_int_equal(lines_of_step(&s.trainer, turn, "graph ", &kernels),
                         turn % 2 == 0 ? 1 : 0);
    assert_int_equal(s.there.graphs.captured, 1);
    small_training_close(&s);
}

/* Kernels that are launched one by one begin later here: of 5 ms each, 1 ms. The comparison changes
 * no state either. */
TEST_WITH(time_between_kernels_is_measured, begin, NULL)
{
    struct small_training s;
    struct training_way way = plain;
    struct failure f = {0};
    way.captures = way.compares = true;
    emulation_clock(4e-3, 0.0);
    emulation_gap(1e-3);
    assert_int_equal(small_training_open(&s, 1, &way, &f), STATUS_OK);
    const uint64_t before = trainer_hash(&s.trainer);
    for (int turn = 0; turn < 2; turn++)
        assert_int_equal(small_training_prepare(&s.trainer, turn, &f), STATUS_OK);
    assert_true(s.there.graphs.between_share > 0.19 && s.there.graphs.between_share < 0.21);
    assert_int_equal(trainer_fetch_state(&s.trainer, &f), STATUS_OK);
    assert_true(trainer_hash(&s.trainer) == before);
    small_training_close(&s);
}

/* The times of phases are not known of a step that is one graph; those of its copies are. */
TEST_WITH(a_step_that_is_one_graph_has_no_phases, begin, NULL)
{
    struct small_training s;
    struct training_way way = plain;
    struct step_result result;
    struct phases phases = phases_none();
    struct failure f = {0};
    way.captures = true;
    emulation_clock(4e-3, 0.0);
    assert_int_equal(small_training_open(&s, 1, &way, &f), STATUS_OK);
    assert_int_equal(small_training_prepare(&s.trainer, 0, &f), STATUS_OK);
    assert_int_equal(trainer_step(&s.trainer, NULL, &result, &f), STATUS_OK);
    const struct step_seconds *r = &result.seconds;
    assert_true(isnan(r->forward_s) && isnan(r->loss_s) && isnan(r->backward_s));
    assert_true(isnan(r->exchange_s) && isnan(r->update_s));
    assert_true(r->send_s >= 0.0 && r->collect_s >= 0.0);
    s.there.trainer_interface.read_phases(&s.trainer, &phases);
    assert_true(fabs(phases.device_compute_s - 4e-3 * (double)s.there.graphs.kernels) < 1e-6);
    small_training_close(&s);
}

/* What is prepared leaves the parameters and the optimizer's moments as they were. */
TEST_WITH(preparing_changes_no_state, begin, NULL)
{
    struct small_training s;
    struct training_way way = plain;
    struct failure f = {0};
    way.captures = true;
    assert_int_equal(small_training_open(&s, 0, &way, &f), STATUS_OK);
    const size_t bytes = (size_t)s.network.floats * sizeof(float);
    const uint64_t before = trainer_hash(&s.trainer);
    assert_int_equal(small_training_prepare(&s.trainer, 0, &f), STATUS_OK);
    memset(s.trainer.state.parameters, 0xff, bytes);
    memset(s.trainer.state.moments[0], 0xff, bytes);
    assert_int_equal(trainer_fetch_state(&s.trainer, &f), STATUS_OK);
    assert_true(trainer_hash(&s.trainer) == before);
    assert_int_equal(s.trainer.state.updates, 0);
    for (int64_t i = 0; i < s.network.floats; i++)
        assert_true(s.trainer.state.moments[0][i] == 0.0f);
    small_training_close(&s);
}

static int launched[TRAINER_PARTS]; /* of each part */

static enum status count_part(struct trainer *t, enum trainer_part part, int step,
                              struct failure *f)
{
    (void)t;
    (void)step;
    (void)f;
    launched[part]++;
    return STATUS_OK;
}

/* Two phases of one part each, of the same number of images, as a network of one layer has them. */
TEST_WITH(a_graph_serves_its_own_parts_and_images, begin, NULL)
{
    static const enum trainer_part parts[] = {PART_FORWARD, PART_PARAMETERS};
    struct part_graphs graphs = {0};
    struct failure f = {0};
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < 4; i++) {
            assert_int_equal(part_graphs_collect(&graphs, parts[i % 2], 0, &f), STATUS_OK);
            assert_int_equal((turn == 0 ? part_graphs_prepare : part_graphs_queue)(
                                 &graphs, NULL, 5 + i / 2, count_part, stream, &f),
                             STATUS_OK);
        }
    assert_int_equal(graphs.count, 4);
    assert_int_equal(graphs.captured, 4);
    for (int i = 0; i < 2; i++) /* for each number of images, once launched and once captured */
        assert_int_equal(launched[parts[i]], 2 * 2);
    part_graphs_close(&graphs);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(emulation_live(), 0);
}

/* ---- what is wrong is named ------------------------------------------------------------------ */

/* If a layer's parameters on the device differ from the host's, that layer is named. */
TEST_WITH(a_wrong_layer_is_named, begin, NULL)
{
    const struct verify_extent all = {.full = true};
    struct small_training s;
    struct step_result result;
    struct failure f = {0};
    open_filled(&s, 0);
    assert_string_equal(s.there.layers[4].step->layer->name, "strided");
    assert_int_equal(cudaMemset(s.there.layers[4].weights, 0, 400), cudaSuccess);
    assert_int_equal(trainer_step(&s.trainer, &all, &result, &f), STATUS_WRONG);
    assert_non_null(strstr(f.message, "layer strided (conv) is wrong"));
    small_training_close(&s);
}

TEST_WITH(a_loss_that_is_not_finite_is_traced_to_its_layer, begin, NULL)
{
    struct small_training s;
    struct step_result result;
    struct failure f = {0};
    open_filled(&s, 1);
    assert_int_equal(cudaMemset(s.there.layers[1].weights, 0xff, 4), cudaSuccess);
    assert_int_equal(trainer_step(&s.trainer, NULL, &result, &f), STATUS_WRONG);
    assert_true(isnan(result.loss));
    assert_non_null(strstr(f.message, "that began in layer hidden2: its parameters"));
    small_training_close(&s);
}

/* The parameters and, of each, the optimizer's moments. */
enum { STATE_ARRAYS = 1 + MOMENTS };

static float *state_array(const struct trainer *t, int array)
{
    return array == 0 ? t->state.parameters : t->state.moments[array - 1];
}

static void copy_state(struct trainer *t, float *const copies[STATE_ARRAYS], bool back)
{
    const size_t bytes = (size_t)t->forward.plan.network->floats * sizeof(float);
    for (int i = 0; i <= t->settings.optimizer->moments; i++)
        memcpy(back ? state_array(t, i) : copies[i], back ? copies[i] : state_array(t, i), bytes);
}

/* A step after a step whose loss is not finite: what the latter reported, and the parameters after
 * the former. */
struct after_failure {
    char message[sizeof((struct failure *)0)->message];
    uint64_t hash;
};

static void take_step(struct trainer *t)
{
    struct step_result result;
    struct failure f = {0};
    if (trainer_step(t, NULL, &result, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    assert_int_equal(trainer_fetch_state(t, &f), STATUS_OK);
}

/* Takes a step in which the last layer's first bias is NaN on the device. It changes nothing. */
static void fail_step(struct small_training *s, float *const kept[STATE_ARRAYS], char *message)
{
    struct trainer *t = &s->trainer;
    struct step_result result;
    struct failure f = {0};
    const int last = t->forward.plan.count - 1;
    const int64_t bias = t->forward.plan.steps[last].layer->offset[1], updates = t->state.updates;
    assert_int_equal(cudaMemset(s->there.layers[last].bias, 0xff, sizeof(float)), cudaSuccess);
    assert_int_equal(trainer_step(t, NULL, &result, &f), STATUS_WRONG);
    assert_true(isnan(result.loss));
    assert_int_equal(t->state.updates, updates);
    memcpy(message, f.message, sizeof f.message);
    assert_int_equal(trainer_fetch_state(t, &f), STATUS_OK);
    assert_true(isnan(t->state.parameters[bias]));
    t->state.parameters[bias] = kept[0][bias];
    for (int i = 0; i <= t->settings.optimizer->moments; i++)
        assert_memory_equal(state_array(t, i), kept[i], (size_t)s->network.floats * sizeof(float));
}

/* A step, one that fails, and with the bias put back the training goes on. */
static void go_on_after_failure(int which, bool captures, struct after_failure *out)
{
    struct small_training s;
    struct training_way way = plain;
    struct failure f = {0};
    float *kept[STATE_ARRAYS];
    way.captures = captures;
    assert_int_equal(small_training_open(&s, which, &way, &f), STATUS_OK);
    for (int i = 0; i < STATE_ARRAYS; i++)
        kept[i] = malloc((size_t)s.network.floats * sizeof(float));
    assert_int_equal(small_training_prepare(&s.trainer, 0, &f), STATUS_OK);
    take_step(&s.trainer);
    copy_state(&s.trainer, kept, false);
    small_training_fill(&s.trainer, 2);
    fail_step(&s, kept, out->message);
    copy_state(&s.trainer, kept, true);
    trainer_refresh(&s.trainer);
    take_step(&s.trainer);
    out->hash = trainer_hash(&s.trainer);
    for (int i = 0; i < STATE_ARRAYS; i++)
        free(kept[i]);
    small_training_close(&s);
}

/* Launched one by one, the host stops before the update; in a graph, the device leaves it out. */
TEST_WITH(a_loss_that_is_not_finite_changes_nothing, begin, NULL)
{
    for (int which = 0; which < 2; which++) { /* of each optimizer, and of each loss */
        struct after_failure single, graph;
        go_on_after_failure(which, false, &single);
        go_on_after_failure(which, true, &graph);
        assert_non_null(strstr(single.message, "step 2: the loss is"));
        assert_string_equal(graph.message, single.message);
        assert_true(graph.hash == single.hash);
    }
    assert_int_equal(emulation_live(), 0);
}

/* ---- the tiles of weight gradients ----------------------------------------------------------- */

/* Large tiles are for layers that fill them, and for batches of so many outputs that the pieces
 * that fill a device have four steps each. */
TEST(large_tiles_are_for_layers_that_fill_them)
{
    static const struct {
        int64_t filters, depth, outputs, images, shards;
        const struct weight_tiling *tiling;
    } rows[] = {
        {128, 128, 64, 256, 8, &weights_128_by_128}, {128, 128, 63, 256, 8, &weights_64_by_128},
        {128, 128, 64, 255, 8, &weights_64_by_128},  {65, 65, 64, 256, 8, &weights_128_by_128},
        {64, 128, 64, 256, 8, &weights_64_by_128},   {64, 128, 63, 256, 8, &weights_64_by_64},
        {192, 128, 64, 256, 8, &weights_64_by_128},  {64, 288, 69 * 69, 128, 8, &weights_64_by_128},
        {64, 320, 64, 256, 8, &weights_64_by_128},   {64, 192, 64, 256, 8, &weights_64_by_64},
        {64, 64, 64, 256, 8, &weights_64_by_64},     {3200, 6400, 1, 512, 8, &weights_128_by_128},
        {3200, 6400, 1, 511, 8, &weights_64_by_64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct conv_task task = {.images = rows[i].images,
                                       .out_rows = 1,
                                       .out_cols = rows[i].outputs,
                                       .groups = 1,
                                       .depth = rows[i].depth,
                                       .filters = rows[i].filters,
                                       .kernel = 1,
                                       .stride = 1};
        const struct weight_tiling *tiling = weight_tiling_of(&task, rows[i].shards);
        assert_ptr_equal(tiling, rows[i].tiling);
        assert_ptr_equal(weight_gradient(tiling, &task),
                         rows[i].outputs == 1 ? &tiling->vectors : &tiling->maps);
    }
}
