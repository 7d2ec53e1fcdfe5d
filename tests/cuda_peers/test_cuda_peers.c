/* Tests the GPU peers without a GPU: their own sources on the emulation, with libraries made of
 * plain loops. Their results are compared with the oracles over the common grid. Also tests what
 * they refuse, and that a library that does not start, or computes nothing, is noticed. */
#include "cuda/cuda_space.h"
#include "cuda/emulation/emulation.h"
#include "fake_libraries.h"
#include "peers/methods.h"
#include "peers/peers.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

/* From modules of peers, which this test links. */
extern const struct peer peer_cudnn, peer_cudnn_conv, peer_cudnn_conv_nchw, peer_cudnn_conv_nhwc;
extern const struct peer peer_cublas_pool, peer_cublas_product, peer_cublas_conv;

enum { CHOICE_RUNS = 6 }; /* of a fused call, before it is chosen */

static struct job usual_job(void)
{
    return (struct job){.device = {.offload = OFFLOAD_IMAGE, .block = 16, .streams = 1}};
}

static const struct method *row_of(const char *name)
{
    return peer_method_find(&maxpool_operator, name);
}

static int begin(NO_STATE)
{
    emulation_reset(&emulation_sound_machine, 1);
    fake_fails = fake_idles = fake_finds_default = false;
    fake_fused = fake_live = fake_products = fake_reorders = 0;
    fake_proposals = 5;
    fake_convolutions_left = INT64_MAX;
    return setenv("NVIDIA_TF32_OVERRIDE", "1", 1); /* which the libraries would obey */
}

/* Opens an 8 x 8 pooling by a peer; returns the status, and the message in f. */
static enum status open_small(const struct peer *peer, const char *name,
                              const struct device_options *options, struct failure *f)
{
    float identity[] = {1, 0, 0, 1};
    static const float values[64];
    struct operation op = {
        .kind = &maxpool_operator,
        .image = {1, 8, 8},
        .map = {1, 4, 4},
        .geometry = {1, 8, 8, 2, 2, 0, PAD_ZERO, 0, 0},
        .operands[OPERAND_FILTER] = {.values = identity, .shape = {1, 2, 2}, .identity = true},
        .method = row_of(name)};
    assert_int_equal(geometry_complete(&op.geometry), GEOMETRY_OK);
    struct source *source = case_source(op.image, values);
    const struct job job = {.operation = &op, .peer = peer, .source = source, .device = *options};
    struct resources resources = {0};
    struct instance *instance = NULL;
    const enum status status = cuda_space.open(&job, &instance, &resources, f);
    if (status == STATUS_OK) {
        assert_non_null(strstr(resources.isa, name));
        cuda_space.close(instance);
    }
    source_close(source);
    return status;
}

/* Returns the failures of a peer of max pooling over the common grid; *cases are those that it does
 * not refuse. */
static int64_t over_the_grid(const char *name, const struct peer *peer, int64_t *cases)
{
    const struct job job = usual_job();
    const struct method *m = row_of(name);
    int64_t failures = 0;
    *cases = 0;
    for (size_t i = 0; i < pool_case_count; i++)
        for (int identity = 0; identity < 2; identity++) {
            const bool any_filter = m->product && pool_cases[i].pad_mode == PAD_ZERO;
            if (!identity && !any_filter)
                continue;
            const int64_t more =
                check_pooling_by(&cuda_space, &job, m, peer, &pool_cases[i], identity);
            *cases += more >= 0;
            failures += more > 0 ? more : 0;
        }
    return failures;
}

TEST_WITH(cudnn_passes_the_grid, begin, NULL)
{
    int64_t cases;
    assert_int_equal(over_the_grid("cudnn", &peer_cudnn, &cases), 0);
    assert_true(cases >= 8);
    assert_int_equal(fake_live, 0);
    assert_int_equal(emulation_live(), 0);
}

TEST_WITH(cublas_passes_the_grid, begin, NULL)
{
    int64_t cases;
    assert_int_equal(over_the_grid("cublas", &peer_cublas_pool, &cases), 0);
    assert_true(cases >= 2 * (int64_t)pool_case_count / 2);
    /* A few rows of products fill the scratch, so that a plane takes several groups. */
    const struct job job = usual_job();
    const struct pool_case wide = {"groups", 2, 70, 40000, 12, 10, 3, PAD_ZERO, false};
    assert_int_equal(
        check_pooling_by(&cuda_space, &job, row_of("cublas"), &peer_cublas_pool, &wide, false), 0);
    assert_int_equal(fake_live, 0);
    assert_int_equal(emulation_live(), 0);
}

/* Windows that do not overlap take one call for each group of rows, whatever their number, if the
 * stride divides the columns. All others take one call for each row, and two if a row has more than
 * 65,535 windows. */
TEST_WITH(cublas_is_called_seldom, begin, NULL)
{
    enum { EXECUTIONS = 3 }; /* the first one, which is not timed, and two that are checked */
    static const struct {
        struct pool_case pool;
        int64_t calls; /* per execution */
    } rows[] = {
        {{"touching", 1, 64, 96, 2, 2, 0, PAD_ZERO, false}, 1},
        {{"touching_planes", 3, 30, 33, 3, 3, 0, PAD_ZERO, true}, 3},
        {{"apart", 1, 50, 40, 2, 5, 0, PAD_ZERO, false}, 1},
        {{"padded", 1, 41, 39, 3, 4, 2, PAD_ZERO, true}, 1},
        {{"no_whole_stride", 1, 20, 43, 2, 4, 0, PAD_ZERO, false}, 5},
        {{"overlap", 1, 20, 20, 3, 1, 0, PAD_ZERO, false}, 18},
        {{"batches", 1, 3, 70000, 2, 1, 0, PAD_ZERO, false}, 4},
    };
    const struct job job = usual_job();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        emulation_clock(1e-2, 0.0); /* long enough that no launch is repeated to be timed */
        fake_products = 0;
        assert_int_equal(check_pooling_by(&cuda_space, &job, row_of("cublas"), &peer_cublas_pool,
                                          &rows[i].pool, false),
                         0);
        if (fake_products != EXECUTIONS * rows[i].calls)
            print_error("%s\n", rows[i].pool.name);
        assert_int_equal(fake_products, EXECUTIONS * rows[i].calls);
    }
}

/* Whatever a library defers to its first call happens before the first sample: the library was
 * called once over the whole image, and this is what the first launch took. */
TEST_WITH(the_first_call_is_before_the_clock, begin, NULL)
{
    const struct device_options o = usual_job().device;
    struct failure f = {0};
    emulation_journal_begin();
    assert_int_equal(open_small(&peer_cublas_pool, "cublas", &o, &f), STATUS_OK);
    const char *kernel = strstr(emulation_journal(), "kernel 1 1 1\nkernel 1 1 1\n");
    assert_non_null(kernel);             /* the product and the maxima */
    assert_null(strstr(kernel, "send")); /* nothing was measured */
    assert_int_equal(fake_products, 1);
}

TEST_WITH(cublas_multiplies, begin, NULL)
{
    const struct job job = usual_job();
    int64_t failures = 0;
    for (size_t i = 0; i < product_case_count; i++)
        failures +=
            check_product_by(&cuda_space, &job, peer_method_find(&matmul_operator, "cublas"),
                             &peer_cublas_product, &product_cases[i]);
    assert_int_equal(failures, 0);
    assert_int_equal(fake_live, 0);
}

/* ---- convolution ----------------------------------------------------------------------------- */

static int64_t convolutions(const char *name, const struct peer *peer, int64_t *cases)
{
    const struct job job = usual_job();
    const struct method *m = peer_method_find(&conv_operator, name);
    int64_t failures = 0;
    *cases = 0;
    for (size_t i = 0; i < conv_case_count; i++) {
        const int64_t more = check_conv_by(&cuda_space, &job, m, peer, &conv_cases[i]);
        *cases += more >= 0;
        failures += more > 0 ? more : 0;
    }
    return failures;
}

static const struct {
    const char *name;
    const struct peer *peer;
    int reorders; /* per execution: image and map, and weights if channels are innermost */
} layouts[] = {{"cudnn-nchw", &peer_cudnn_conv_nchw, 2}, {"cudnn-nhwc", &peer_cudnn_conv_nhwc, 3}};

/* cuDNN is opened for its own layout, and arrays are converted to it and back. The first call and
 * each execution convert once, however often the kernel is launched. */
TEST_WITH(cudnn_convolves_in_its_layouts, begin, NULL)
{
    enum { EXECUTIONS = 3 }; /* the first call, and two that are checked */
    int64_t cases;
    for (int i = 0; i < 2; i++) {
        const struct job job = usual_job();
        const struct method *m = peer_method_find(&conv_operator, layouts[i].name);
        assert_int_equal(convolutions(layouts[i].name, layouts[i].peer, &cases), 0);
        assert_int_equal(cases, conv_case_count);
        assert_int_equal(fake_live, 0);
        assert_int_equal(emulation_live(), 0);
        fake_reorders = 0;
        assert_int_equal(check_conv_by(&cuda_space, &job, m, layouts[i].peer, &conv_cases[0]), 0);
        assert_int_equal(fake_reorders, EXECUTIONS * layouts[i].reorders);
    }
}

/* What an execution leaves in the library's own arrays does not pass as a result: the last of three
 * executions computes nothing. */
TEST_WITH(what_a_layout_holds_is_poisoned, begin, NULL)
{
    const struct job job = usual_job();
    for (int i = 0; i < 2; i++) {
        const struct method *m = peer_method_find(&conv_operator, layouts[i].name);
        emulation_clock(1e-2, 0.0); /* no launch is repeated to be timed */
        fake_convolutions_left = 2 + (conv_cases[1].bias ? 2 * CHOICE_RUNS : 0);
        assert_int_equal(check_conv_by(&cuda_space, &job, m, layouts[i].peer, &conv_cases[1]), 4);
    }
    fake_convolutions_left = INT64_MAX;
}

TEST_WITH(both_convolve, begin, NULL)
{
    int64_t cases;
    assert_int_equal(convolutions("cublas", &peer_cublas_conv, &cases), 0);
    assert_int_equal(cases, conv_case_count);
    assert_int_equal(convolutions("cudnn", &peer_cudnn_conv, &cases), 0);
    assert_int_equal(cases, conv_case_count);
    assert_int_equal(fake_live, 0);
    assert_int_equal(emulation_live(), 0);
}

/* Windows fill the scratch many times over, so that an image takes several groups of rows. */
TEST_WITH(windows_go_in_groups_of_rows, begin, NULL)
{
    struct job job = usual_job();
    const struct conv_case overlapping = {"groups", 2, 1, 24, 24, 2, 5, 1, 0, 1, true};
    job.device.memory_bytes = 12000; /* image and map take 7,808; windows of 20 rows 40,000 */
    emulation_clock(1e-2, 0.0);
    assert_int_equal(check_conv_by(&cuda_space, &job, peer_method_find(&conv_operator, "cublas"),
                                   &peer_cublas_conv, &overlapping),
                     0);
    assert_int_equal(fake_products, 3 * 2 * 4); /* executions, images, groups of 6 rows at most */
}

/* No algorithm is left that computes in float32 within our bounds. */
TEST_WITH(what_is_not_accurate_is_not_taken, begin, NULL)
{
    const struct job job = usual_job();
    fake_proposals = 4;
    assert_true(check_conv_by(&cuda_space, &job, peer_method_find(&conv_operator, "cudnn"),
                              &peer_cudnn_conv, &conv_cases[1]) > 0);
    assert_int_equal(fake_live, 0);
    assert_int_equal(emulation_live(), 0);
}

/* An algorithm that cuDNN measured with its default math computes in float32 too, where that works:
 * it is tried. */
TEST_WITH(another_math_type_is_tried_in_float32, begin, NULL)
{
    int64_t cases;
    fake_finds_default = true;
    assert_int_equal(convolutions("cudnn", &peer_cudnn_conv, &cases), 0);
    assert_int_equal(cases, conv_case_count);
    fake_proposals = 4; /* none of these does */
    const struct job job = usual_job();
    assert_true(check_conv_by(&cuda_space, &job, peer_method_find(&conv_operator, "cudnn"),
                              &peer_cudnn_conv, &conv_cases[1]) > 0);
    assert_int_equal(fake_live, 0);
    assert_int_equal(emulation_live(), 0);
}

/* With the bias in the same call there is one kernel instead of two, which is faster here. */
TEST_WITH(the_bias_is_fused_where_that_is_faster, begin, NULL)
{
    const struct conv_case biased = {"biased", 2, 3, 9, 9, 4, 3, 1, 1, 1, true};
    const struct conv_case plain = {"plain", 2, 3, 9, 9, 4, 3, 1, 1, 1, false};
    const struct job job = usual_job();
    emulation_clock(1e-2, 0.0);
    for (int i = 0; i < 2; i++) {
        const struct method *m = peer_method_find(&conv_operator, "cudnn");
        fake_fused = 0;
        assert_int_equal(
            check_conv_by(&cuda_space, &job, m, &peer_cudnn_conv, i ? &plain : &biased), 0);
        assert_int_equal(fake_fused, i ? 0 : CHOICE_RUNS + 2); /* and two executions */
    }
}

/* The map was poisoned, so that old contents do not pass as a result. */
TEST_WITH(idle_libraries_are_caught, begin, NULL)
{
    int64_t cases;
    fake_idles = true;
    assert_true(over_the_grid("cudnn", &peer_cudnn, &cases) >= cases);
    assert_true(over_the_grid("cublas", &peer_cublas_pool, &cases) >= cases);
    assert_true(convolutions("cudnn", &peer_cudnn_conv, &cases) >= cases);
    assert_true(convolutions("cublas", &peer_cublas_conv, &cases) >= cases);
    for (int i = 0; i < 2; i++)
        assert_true(convolutions(layouts[i].name, layouts[i].peer, &cases) >= cases);
}

/* ---- what is refused or fails --------------------------------------------------------------- */

TEST_WITH(names_have_the_release, begin, NULL)
{
    const struct device_options o = usual_job().device;
    struct failure f = {0};
    assert_int_equal(open_small(&peer_cudnn, "cudnn", &o, &f), STATUS_OK);
    assert_int_equal(open_small(&peer_cublas_pool, "cublas", &o, &f), STATUS_OK);
}

TEST_WITH(libraries_that_do_not_start_are_unavailable, begin, NULL)
{
    const struct device_options o = usual_job().device;
    struct failure cudnn = {0}, cublas = {0};
    fake_fails = true;
    assert_int_equal(open_small(&peer_cudnn, "cudnn", &o, &cudnn), STATUS_UNAVAILABLE);
    assert_non_null(strstr(cudnn.message, "CUDNN_STATUS_NOT_INITIALIZED"));
    assert_int_equal(open_small(&peer_cublas_pool, "cublas", &o, &cublas), STATUS_UNAVAILABLE);
    assert_non_null(strstr(cublas.message, "CUBLAS_STATUS_NOT_INITIALIZED"));
    assert_int_equal(fake_live, 0);
    assert_int_equal(emulation_live(), 0);
}

/* Every call of the runtime fails once: status 3 or 4, and everything is released. */
TEST_WITH(failing_calls_release_all, begin, NULL)
{
    const struct device_options o = usual_job().device;
    struct failure unused = {0};
    emulation_reset(&emulation_sound_machine, 1);
    assert_int_equal(open_small(&peer_cublas_pool, "cublas", &o, &unused), STATUS_OK);
    const int64_t calls =
        emulation_calls() - 1; /* the last one waits for the device when closing */
    for (int64_t i = 1; i <= calls; i++) {
        struct failure f = {0};
        emulation_reset(&emulation_sound_machine, 1);
        emulation_fail_at(i, cudaErrorMemoryAllocation);
        const enum status status = open_small(&peer_cublas_pool, "cublas", &o, &f);
        assert_true(status == STATUS_UNAVAILABLE || status == STATUS_RESOURCE);
        assert_int_equal(emulation_live(), 0);
        assert_int_equal(fake_live, 0);
    }
}

TEST_WITH(what_they_cannot_do_is_refused, begin, NULL)
{
    struct device_options rows[3];
    static const char *const named[] = {"--offload image", "--filter-memory transferred",
                                        "one stream"};
    for (int i = 0; i < 3; i++) {
        struct failure f = {0};
        rows[i] = usual_job().device;
        rows[i].offload = i == 0 ? OFFLOAD_WINDOW : OFFLOAD_IMAGE;
        rows[i].filter_memory = i == 1 ? FILTER_CONSTANT : FILTER_TRANSFERRED;
        rows[i].streams = i == 2 ? 2 : 1;
        assert_int_equal(open_small(&peer_cudnn, "cudnn", &rows[i], &f), STATUS_USAGE);
        assert_non_null(strstr(f.message, named[i]));
    }
    struct device_options little = usual_job().device;
    struct failure f = {0};
    little.memory_bytes = 128; /* image and map take 320 */
    assert_int_equal(open_small(&peer_cublas_pool, "cublas", &little, &f), STATUS_USAGE);
    assert_non_null(strstr(f.message, "one piece"));
    struct operation padded = {.kind = &maxpool_operator,
                               .geometry = {1, 8, 8, 3, 1, 1, PAD_ZERO, 0, 0}};
    assert_non_null(peer_cudnn.refuses(&padded));
    padded.geometry.pad_mode = PAD_IGNORE;
    assert_null(peer_cudnn.refuses(&padded));
    struct operation large = {.kind = &maxpool_operator,
                              .image = {2, 32768, 32767},
                              .map = {2, 16384, 16383},
                              .geometry = {2, 32768, 32767, 2, 2, 0, PAD_ZERO, 0, 0}};
    assert_null(peer_cudnn.refuses(&large));
    large.image.cols = large.geometry.cols = 32768; /* 2^31 */
    assert_non_null(strstr(peer_cudnn.refuses(&large), "2^31"));
}
