/* Tests the CUDA space's host side on the emulation: every call that can fail, fails once; machines
 * without driver, device or memory; small grids; the cutting into chunks; the sums of the phases;
 * what is reported about threads and kernels. */
#include "cuda/cuda_space.h"
#include "cuda/chunks.h"
#include "cuda/emulation/emulation.h"
#include "cuda/instance.h"
#include "cuda/kernels/launch.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- an operation with its operands ---------------------------------------------------------- */

struct drill {
    struct operation op;
    struct source *source;
    float *filter;
    struct job job;
    struct resources resources;
    struct instance *instance;
    struct failure f;
};

static const struct device_options image_options = {.block = 16, .streams = 1};

static void finish_drill(struct drill *d, const float *image, const struct device_options *o)
{
    d->source = case_source(d->op.image, image);
    d->job = (struct job){.operation = &d->op, .source = d->source, .device = *o, .min_cost = 1.0};
}

static void pool(struct drill *d, const struct geometry *geometry, const char *method,
                 const struct device_options *o)
{
    memset(d, 0, sizeof *d);
    struct geometry g = *geometry;
    assert_int_equal(geometry_complete(&g), GEOMETRY_OK);
    const struct pool_case c = {"",       g.planes,  g.rows,     g.cols, g.kernel,
                                g.stride, g.padding, g.pad_mode, false};
    float *image = case_image(&c, 1);
    d->filter = case_filter(g.kernel, false, 2);
    d->op = (struct operation){
        .kind = &maxpool_operator,
        .image = {g.planes, g.rows, g.cols},
        .map = {g.planes, g.out_rows, g.out_cols},
        .geometry = g,
        .operands[OPERAND_FILTER] = {.values = d->filter, .shape = {1, g.kernel, g.kernel}},
        .method = operator_method(&maxpool_operator, SPACE_CUDA, method)};
    finish_drill(d, image, o);
    free(image);
}

static void multiply(struct drill *d, int64_t rows, int64_t cols, const char *method,
                     const struct device_options *o)
{
    memset(d, 0, sizeof *d);
    const struct pool_case c = {"", 1, rows, cols, 1, 1, 0, PAD_ZERO, false};
    float *image = case_image(&c, 1);
    d->filter = case_filter(cols, false, 2);
    d->op = (struct operation){
        .kind = &matmul_operator,
        .image = {1, rows, cols},
        .map = {1, rows, cols},
        .operands[OPERAND_FILTER] = {.values = d->filter, .shape = {1, cols, cols}},
        .method = operator_method(&matmul_operator, SPACE_CUDA, method)};
    finish_drill(d, image, o);
    free(image);
}

static void end(struct drill *d)
{
    source_close(d->source);
    free(d->filter);
}

static enum status open_drill(struct drill *d)
{
    return cuda_space.open(&d->job, &d->instance, &d->resources, &d->f);
}

/* Opens, executes twice, reports and closes. */
static enum status run(struct drill *d)
{
    struct phases phases;
    FILE *out = tmpfile();
    d->f = (struct failure){0};
    enum status status = open_drill(d);
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        cuda_space.poison(d->instance);
        status = cuda_space.execute(d->instance, &phases, &d->f);
    }
    if (status == STATUS_OK)
        status = cuda_space.describe(d->instance, SPACE_INDICES, out, &d->f);
    if (status == STATUS_OK)
        status = cuda_space.describe(d->instance, SPACE_KERNEL_FACTS, out, &d->f);
    cuda_space.close(d->instance);
    d->instance = NULL;
    fclose(out);
    return status;
}

/* ---- failing calls --------------------------------------------------------------------------- */

/* Makes each call fail, one per run, until none is left; returns how many there were. */
static int64_t fail_each_call(struct drill *d, cudaError_t error, enum status expected)
{
    int64_t n = 1;
    for (;; n++) {
        emulation_reset(&emulation_sound_machine, 7);
        emulation_fail_at(n, error);
        const enum status status = run(d);
        if (status == STATUS_OK) { /* only the wait on closing was left, whose error is ignored */
            assert_true(emulation_calls() <= n);
            assert_int_equal(emulation_live(), 0);
            return n - 1;
        }
        if (status != expected || !strstr(d->f.message, "cuda/") || !strstr(d->f.message, ".c:") ||
            emulation_live() != 0)
            print_error("call %lld: status %d, %lld things left: %s\n", (long long)n, (int)status,
                        (long long)emulation_live(), d->f.message);
        assert_int_equal(emulation_live(), 0);
        assert_int_equal(status, expected);
        assert_non_null(strstr(d->f.message, "cuda/"));
        assert_non_null(strstr(d->f.message, ".c:"));
    }
}

TEST(failing_calls_are_named_and_all_is_freed)
{
    static const struct device_options ways[] = {
        {.block = 16, .streams = 1},
        {.block = 32, .streams = 1, .warm_cache = true, .filter_memory = FILTER_CONSTANT},
        {.block = 16, .streams = 2, .host_memory = HOST_PINNED, .memory_bytes = 1200},
        {.block = 16, .streams = 1, .offload = OFFLOAD_WINDOW},
        {.block = 16,
         .streams = 1,
         .offload = OFFLOAD_WINDOW_LEAN,
         .host_memory = HOST_PINNED,
         .filter_memory = FILTER_CONSTANT},
    };
    const struct geometry g = {.planes = 1, .rows = 6, .cols = 6, .kernel = 3, .stride = 3};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct drill d;
        pool(&d, &g, "tiled", &ways[i]);
        assert_true(fail_each_call(&d, cudaErrorLaunchFailure, STATUS_RESOURCE) > 20);
        assert_true(fail_each_call(&d, cudaErrorMemoryAllocation, STATUS_RESOURCE) > 20);
        end(&d);
    }
    struct drill d;
    multiply(&d, 5, 7, "naive", &image_options);
    assert_true(fail_each_call(&d, cudaErrorIllegalAddress, STATUS_RESOURCE) > 20);
    end(&d);
}

/* An impossible launch is reported as that launch, not as some later call. */
TEST(a_failing_launch_is_named)
{
    const struct geometry g = {.planes = 1, .rows = 4, .cols = 4, .kernel = 2, .stride = 2};
    struct drill d;
    pool(&d, &g, "loop", &(struct device_options){.block = 64, .streams = 1});
    emulation_reset(&emulation_sound_machine, 0);
    assert_int_equal(run(&d), STATUS_RESOURCE);
    assert_non_null(strstr(d.f.message, "cudaErrorInvalidConfiguration, launch_pool, "));
    assert_non_null(strstr(d.f.message, "image_steps.c:"));
    assert_int_equal(emulation_live(), 0);
    end(&d);
}

/* After a fault every later call fails, and names the first fault. */
TEST(the_first_of_many_faults_is_reported)
{
    const struct geometry g = {.planes = 1, .rows = 4, .cols = 4, .kernel = 2, .stride = 2};
    struct phases phases;
    struct drill d, later;
    pool(&d, &g, "naive", &image_options);
    emulation_reset(&emulation_sound_machine, 0);
    assert_int_equal(open_drill(&d), STATUS_OK);
    emulation_break(cudaErrorIllegalAddress);
    assert_int_equal(cuda_space.execute(d.instance, &phases, &d.f), STATUS_RESOURCE);
    assert_non_null(strstr(d.f.message, "cudaErrorIllegalAddress, cudaMemcpyAsync"));
    assert_null(strstr(d.f.message, "since"));
    pool(&later, &g, "loop", &image_options);
    assert_int_equal(open_drill(&later), STATUS_RESOURCE);
    assert_non_null(strstr(later.f.message, "the device is lost since an illegal memory access"));
    assert_non_null(strstr(later.f.message, "(cudaErrorIllegalAddress, cudaMemcpyAsync, "));
    assert_non_null(strstr(later.f.message, "image_steps.c:"));
    cuda_space.close(d.instance);
    emulation_reset(&emulation_sound_machine, 0);
    assert_int_equal(open_drill(&later), STATUS_OK); /* a sound device: the fault is forgotten */
    cuda_space.close(later.instance);
    emulation_fail_at(1, cudaErrorIllegalAddress);
    struct failure f = {0};
    assert_int_not_equal(cuda_space.available(&f), STATUS_OK);
    assert_null(strstr(f.message, "since"));
    end(&d);
    end(&later);
}

/* ---- machines -------------------------------------------------------------------------------- */

TEST(what_is_missing_is_named)
{
    static const struct {
        struct emulation_machine machine;
        int64_t device;
        enum status status;
        const char *message;
    } rows[] = {
        {{0, 0, 0, 1, 1}, 0, STATUS_UNAVAILABLE, "no NVIDIA driver on this machine"},
        {{12040, 1, 1 << 20, 9, 9},
         0,
         STATUS_UNAVAILABLE,
         "the NVIDIA driver is too old: it serves CUDA 12.4, this build needs 13.0"},
        {{13000, 0, 0, 9, 9}, 0, STATUS_UNAVAILABLE, "no CUDA device"},
        {{13000, 1, 1 << 20, 9, 9}, 1, STATUS_USAGE, "--device 1: this machine has 1"},
        {{13000, 2, 1 << 20, 9, 9},
         7,
         STATUS_USAGE,
         "--device 7: this machine has 2, counted from 0"},
        {{13000, 1, 8500, 9, 9},
         0,
         STATUS_RESOURCE,
         "not enough memory on the device: one row of outputs takes"},
        {{13000, 1, 32, 9, 9}, 0, STATUS_RESOURCE, "36 bytes are needed, 32 of 32 are free"},
    };
    const struct geometry g = {.planes = 1, .rows = 40, .cols = 40, .kernel = 3, .stride = 1};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct drill d;
        pool(&d, &g, "naive", &image_options);
        d.job.device.device = rows[i].device;
        emulation_reset(&rows[i].machine, 0);
        assert_int_equal(open_drill(&d), rows[i].status);
        if (!strstr(d.f.message, rows[i].message))
            print_error("row %zu: %s\n", i, d.f.message);
        assert_non_null(strstr(d.f.message, rows[i].message));
        assert_null(strchr(d.f.message, '\n'));
        assert_int_equal(emulation_live(), 0);
        end(&d);
    }
    emulation_reset(&emulation_sound_machine, 0);
    assert_int_equal(cuda_space.available(NULL), STATUS_OK);
}

/* If windows overlap, leave gaps, are large, or are offloaded one by one, loop's kernels compute
 * instead of roof's. */
TEST(roof_leaves_other_windows_to_loop)
{
    static const struct {
        int64_t kernel, stride;
        enum offload offload;
        const struct cuda_kernels *kernels;
    } rows[] = {
        {2, 2, OFFLOAD_IMAGE, &roof_kernels},  {3, 3, OFFLOAD_IMAGE, &roof_kernels},
        {4, 4, OFFLOAD_IMAGE, &roof_kernels},  {2, 1, OFFLOAD_IMAGE, &loop_kernels},
        {3, 4, OFFLOAD_IMAGE, &loop_kernels},  {5, 5, OFFLOAD_IMAGE, &loop_kernels},
        {2, 2, OFFLOAD_WINDOW, &loop_kernels},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct geometry g = {.planes = 1,
                                   .rows = 12,
                                   .cols = 12,
                                   .kernel = rows[i].kernel,
                                   .stride = rows[i].stride};
        struct device_options o = image_options;
        struct drill d;
        o.offload = rows[i].offload;
        pool(&d, &g, "roof", &o);
        emulation_reset(&emulation_sound_machine, 0);
        assert_int_equal(open_drill(&d), STATUS_OK);
        assert_ptr_equal(d.instance->kernels, &rows[i].kernels->head);
        cuda_space.close(d.instance);
        end(&d);
    }
}

/* Each fault of a driver or a build has its own message. */
TEST(errors_of_drivers_are_distinguished)
{
    static const struct {
        cudaError_t error;
        const char *message;
    } rows[] = {
        {cudaErrorUnsupportedPtxVersion, "driver is too old to make some: configure with cmake"},
        {cudaErrorJitCompilerNotFound, "driver is too old to make"},
        {cudaErrorInvalidKernelImage, "no kernels for this GPU"},
        {cudaErrorNoKernelImageForDevice,
         "no kernels for this GPU: configure with cmake --preset release "
         "-DMAXPOOL_CUDA_ARCHITECTURES=90"},
        {cudaErrorStubLibrary, "the stub that programs are linked with"},
        {cudaErrorCompatNotSupportedOnDevice, "compatibility package"},
        {cudaErrorOperatingSystem, "/dev/nvidia"},
        {cudaErrorSystemNotReady, "the NVIDIA driver does not work here: system not yet"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct failure f = {0};
        emulation_reset(&emulation_sound_machine, 0);
        emulation_fail_at(1, rows[i].error);
        assert_int_equal(cuda_space.available(&f), STATUS_UNAVAILABLE);
        if (!strstr(f.message, rows[i].message))
            print_error("row %zu: %s\n", i, f.message);
        assert_non_null(strstr(f.message, rows[i].message));
        assert_null(strstr(f.message, "CUDA: "));
    }
}

/* If a grid may have only few rows or planes, the work is launched in several grids. */
TEST(small_grids_do)
{
    static const struct pool_case cases[] = {
        {"many_rows", 1, 133, 9, 2, 1, 1, PAD_ZERO, false},
        {"many_planes", 11, 50, 6, 3, 1, 1, PAD_ZERO, true},
    };
    static const struct product_case products[] = {
        {"many_rows", 100, 20, 1, false, 30},
        {"many_products", 100, 5, 7, true, 9},
    };
    const struct emulation_machine small = {13000, 1, 1 << 24, 2, 3};
    const struct job job = {.device = image_options};
    for (size_t i = 0; i < operator_method_count(&maxpool_operator); i++)
        for (size_t j = 0; maxpool_operator.method(i)->kind == SPACE_CUDA && j < 2; j++) {
            emulation_reset(&small, 7);
            assert_int_equal(
                check_pooling(&cuda_space, &job, maxpool_operator.method(i), &cases[j], false), 0);
        }
    for (size_t i = 0; i < operator_method_count(&matmul_operator); i++)
        for (size_t j = 0; matmul_operator.method(i)->kind == SPACE_CUDA && j < 2; j++) {
            emulation_reset(&small, 7);
            assert_int_equal(
                check_product(&cuda_space, &job, matmul_operator.method(i), &products[j]), 0);
        }
}

static void does_nothing(struct pool_task task)
{
    (void)task;
}

/* The blocks that fill a device are launched, whatever the shape of the map: 132 multiprocessors of
 * five blocks each are 660 blocks. */
TEST(striding_grids_fill_the_device)
{
    static const struct {
        int64_t planes, rows, cols;
        const char *grid;
    } maps[] = {
        {1, 8192, 8192, "kernel 132 5 1\n"}, /* 512 blocks each way */
        {1, 8, 70000, "kernel 660 1 1\n"},   /* no second row of blocks */
        {1, 70000, 8, "kernel 1 660 1\n"},   {3, 160, 160, "kernel 10 10 3\n"},
        {1, 40, 40, "kernel 3 3 1\n"},       {9, 600, 20000, "kernel 132 5 1\n"},
    };
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        struct launch l = {.block = 16,
                           .grid_rows = 65535,
                           .grid_planes = 65535,
                           .filling = 660,
                           .processors = 132};
        const struct pool_task task = {
            .planes = maps[i].planes, .out_rows = maps[i].rows, .out_cols = maps[i].cols};
        emulation_reset(&emulation_sound_machine, 0);
        assert_int_equal(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking), cudaSuccess);
        emulation_journal_begin();
        assert_int_equal(launch_pool(does_nothing, &l, &task), cudaSuccess);
        assert_int_equal(cudaStreamDestroy(l.stream), cudaSuccess);
        assert_string_equal(emulation_journal(), maps[i].grid);
    }
}

static void multiplies_nothing(struct product_task task)
{
    (void)task;
}

static void convolves_nothing(struct conv_task task)
{
    (void)task;
}

static void measures_nothing(struct distances_task task)
{
    (void)task;
}

/* A task without planes, rows, columns or images is not launched, not even as one block. */
TEST(no_work_is_no_launch)
{
    const struct conv_pair pair = {convolves_nothing, convolves_nothing};
    const struct launch l = {
        .block = 16, .grid_rows = 65535, .grid_planes = 65535, .processors = 132};
    emulation_reset(&emulation_sound_machine, 0);
    emulation_journal_begin();
    for (int i = 0; i < 3; i++) {
        const int64_t planes = i != 0, rows = i != 1, cols = i != 2;
        const struct pool_task pool = {.planes = planes, .out_rows = rows, .out_cols = cols};
        const struct product_task product = {.planes = planes, .rows = rows, .cols = cols};
        const struct conv_task conv = {.images = planes,
                                       .out_rows = rows,
                                       .out_cols = cols,
                                       .filters = 1,
                                       .groups = 1,
                                       .depth = 1,
                                       .kernel = 1,
                                       .stride = 1};
        const struct distances_task distances = {.rows = i == 0 ? 0 : rows, .cols = cols};
        assert_int_equal(launch_pool(does_nothing, &l, &pool), cudaSuccess);
        assert_int_equal(launch_product(multiplies_nothing, &l, &product), cudaSuccess);
        assert_int_equal(launch_conv(&pair, &l, &conv), cudaSuccess);
        assert_int_equal(launch_distances(measures_nothing, &l, &distances), cudaSuccess);
    }
    assert_string_equal(emulation_journal(), "");
}

TEST(constant_memory_has_an_end)
{
    const struct device_options o = {
        .block = 16, .streams = 1, .filter_memory = FILTER_CONSTANT, .warm_cache = true};
    for (int64_t k = CONSTANT_ORDER; k <= CONSTANT_ORDER + 1; k++) {
        const struct geometry g = {.planes = 1, .rows = k, .cols = k, .kernel = k, .stride = 1};
        struct drill d;
        pool(&d, &g, "naive", &o);
        emulation_reset(&emulation_sound_machine, 0);
        assert_int_equal(open_drill(&d), k == CONSTANT_ORDER ? STATUS_OK : STATUS_USAGE);
        if (k > CONSTANT_ORDER)
            assert_non_null(strstr(d.f.message, "128 x 128 at most, this one is 129 x 129"));
        cuda_space.close(d.instance);
        assert_int_equal(emulation_live(), 0);
        end(&d);
    }
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Chunks contain every line of the map once, in order, with the image rows that it needs, and fit
 * into `room`. */
static void check_chunks(const struct operation *op, int64_t lanes, size_t room)
{
    struct chunks c;
    struct failure f = {0};
    int64_t line = 0;
    assert_int_equal(chunks_plan(&c, op, lanes, 1, room, &f), STATUS_OK);
    for (int64_t i = 0; i < c.count; i++) {
        const struct chunk *k = &c.items[i];
        int64_t first, count;
        assert_int_equal(k->plane * op->map.rows + k->row, line);
        assert_true(k->planes == 1 || (k->row == 0 && k->rows == op->map.rows));
        op->kind->rows_needed(op, k->row, k->rows, &first, &count);
        assert_true(count == 0 ||
                    (k->in_first <= first && first + count <= k->in_first + k->in_rows));
        assert_true(k->in_first + k->in_rows <= op->image.rows);
        assert_true(k->planes == 1 || k->in_rows == op->image.rows);
        assert_true(chunk_image_elements(op, k) <= c.image_elements);
        assert_true(chunk_map_elements(op, k) <= c.map_elements);
        line += k->planes * k->rows;
    }
    assert_int_equal(line, op->map.planes * op->map.rows);
    assert_true((size_t)(lanes * (c.image_elements + c.map_elements)) * sizeof(float) <= room);
    chunks_release(&c);
}

TEST(chunks_cover_the_map)
{
    for (size_t i = 0; i < pool_case_count; i++) {
        const struct geometry g = case_geometry(&pool_cases[i]);
        const struct operation op = {.kind = &maxpool_operator,
                                     .geometry = g,
                                     .image = {g.planes, g.rows, g.cols},
                                     .map = {g.planes, g.out_rows, g.out_cols}};
        const int64_t row = 4 * (g.kernel * g.cols + g.out_cols);
        for (int64_t lanes = 1; lanes <= 4; lanes++) {
            check_chunks(&op, lanes, (size_t)(lanes * row));
            check_chunks(&op, lanes, (size_t)(5 * lanes * row));
            check_chunks(&op, lanes, (size_t)1 << 40);
        }
    }
}

/* ---- phases ---------------------------------------------------------------------------------- */

static struct phases phases_of(const struct device_options *o, struct drill *d)
{
    const struct geometry g = {.planes = 2, .rows = 9, .cols = 9, .kernel = 3, .stride = 3};
    struct phases phases;
    pool(d, &g, "naive", o);
    emulation_reset(&emulation_sound_machine, 7);
    assert_int_equal(open_drill(d), STATUS_OK);
    cuda_space.poison(d->instance);
    emulation_journal_begin();
    assert_int_equal(cuda_space.execute(d->instance, &phases, &d->f), STATUS_OK);
    cuda_space.close(d->instance);
    end(d);
    return phases;
}

/* Returns how often the text contains the words. */
static int64_t count(const char *text, const char *words)
{
    int64_t n = 0;
    for (; (text = strstr(text, words)); text += strlen(words))
        n++;
    return n;
}

TEST(phases_add_up)
{
    struct drill d;
    struct phases p = phases_of(&image_options, &d);
    assert_true(p.distribute_s + p.compute_s + p.collect_s <= p.total_s);
    assert_true(p.first_launch_s > 0.0 && isnan(p.allocate_s) && isnan(p.product_s));
    assert_true(p.device_distribute_s >= 0.0 && p.device_distribute_s <= p.distribute_s);
    assert_true(p.device_compute_s >= 0.0);
    assert_true(p.device_collect_s >= 0.0 && p.device_collect_s <= p.total_s);
    assert_int_equal(d.resources.chunks, 1);

    const struct device_options overlapped = {
        .block = 16, .streams = 2, .host_memory = HOST_PINNED};
    p = phases_of(&overlapped, &d);
    assert_true(fabs(p.distribute_s + p.compute_s + p.collect_s - p.total_s) < 1e-9);
    assert_true(p.distribute_s >= 0.0 && p.compute_s > 0.0 && p.collect_s >= 0.0);
    assert_true(d.resources.chunks >= 6);

    const struct device_options window = {.block = 16, .streams = 1, .offload = OFFLOAD_WINDOW};
    p = phases_of(&window, &d);
    assert_true(p.allocate_s > 0.0);
    assert_true(p.allocate_s + p.distribute_s + p.compute_s + p.collect_s <= p.total_s);
    assert_true(p.device_compute_s > 0.0 && isnan(p.device_collect_s));
    const int64_t of_each = count(emulation_journal(), "allo");

    const struct device_options lean = {.block = 16, .streams = 1, .offload = OFFLOAD_WINDOW_LEAN};
    assert_true(phases_of(&lean, &d).allocate_s > 0.0);
    assert_true(count(emulation_journal(), "allo") < of_each);
}

/* Runs one execution with a simulated clock on which a kernel takes kernel_s, and returns the
 * kernel's seconds as they are measured. */
static double kernel_seconds(struct drill *d, const struct device_options *o, double kernel_s)
{
    const struct geometry g = {.planes = 2, .rows = 9, .cols = 9, .kernel = 3, .stride = 3};
    struct phases phases;
    pool(d, &g, "naive", o);
    emulation_reset(&emulation_sound_machine, 7);
    assert_int_equal(open_drill(d), STATUS_OK);
    cuda_space.poison(d->instance);
    emulation_clock(kernel_s, 5e-6);
    emulation_journal_begin();
    assert_int_equal(cuda_space.execute(d->instance, &phases, &d->f), STATUS_OK);
    cuda_space.close(d->instance);
    end(d);
    return phases.device_compute_s;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9))
        fail_msg("%.9g s, expected %.9g s", value, expected);
}

/* The 5 microseconds in which the host submits a kernel are not part of its time. They do not
 * matter for a kernel of 10 ms, which is not launched again. */
TEST(kernels_are_clocked_by_themselves)
{
    struct drill d;
    assert_near(kernel_seconds(&d, &image_options, 2.3e-5), 2.3e-5);
    assert_int_equal(count(emulation_journal(), "kernel"),
                     1 + 1 + 1 + 9); /* the cache is emptied first */
    assert_near(kernel_seconds(&d, &image_options, 1e-6), 1e-6);
    assert_int_equal(count(emulation_journal(), "kernel"), 1 + 1 + 1 + 17);
    assert_near(kernel_seconds(&d, &image_options, 5e-3), 5e-3);
    assert_int_equal(count(emulation_journal(), "kernel"), 1 + 1 + 1 + 5);
    assert_near(kernel_seconds(&d, &image_options, 1e-2), 1.0005e-2);
    assert_int_equal(count(emulation_journal(), "kernel"), 1 + 1);

    /* In chunks, each kernel is timed on the chunk that is on the device. */
    const struct device_options chunks = {.block = 16, .streams = 1, .memory_bytes = 260};
    const double seconds = kernel_seconds(&d, &chunks, 2.3e-5);
    assert_true(d.resources.chunks > 2);
    assert_near(seconds, (double)d.resources.chunks * 2.3e-5);
}

/* Sending fills the L2 cache (4096 bytes on the emulation). It is emptied by reading, before the
 * kernel that is timed. */
TEST(the_cache_is_cold_when_the_kernel_begins)
{
    static const char *const cold = "send 648\nrecord 0\nkernel 1 1 1\nrecord 0\nkernel 1 1 2\n";
    static const char *const warm = "send 648\nrecord 0\nrecord 0\nkernel 1 1 2\n";
    struct drill d;
    struct device_options o = image_options;
    phases_of(&o, &d);
    assert_int_equal(count(emulation_journal(), cold), 1);
    o.warm_cache = true;
    phases_of(&o, &d);
    assert_int_equal(count(emulation_journal(), warm), 1);
}

/* A small array stays allocated from one window to the next, whichever memory holds the filter.
 * Otherwise the runtime might allocate and return a block of device memory for each window. */
TEST(windows_leave_an_array_allocated)
{
    for (int memory = FILTER_TRANSFERRED; memory <= FILTER_CONSTANT; memory++) {
        const struct device_options o = {.block = 16,
                                         .streams = 1,
                                         .offload = OFFLOAD_WINDOW,
                                         .filter_memory = (enum filter_memory)memory,
                                         .warm_cache = true};
        struct drill d;
        phases_of(&o, &d); /* begins the journal when all is open */
        const int64_t freed = count(emulation_journal(), "free "),
                      made = count(emulation_journal(), "allo");
        assert_int_equal(made, 18 * (memory == FILTER_TRANSFERRED ? 3 : 2));
        assert_int_equal(freed - made, memory == FILTER_TRANSFERRED ? 2 : 1);
    }
}

/* ---- what is reported ------------------------------------------------------------------------ */

static void describe(struct drill *d, enum space_topic topic, char *text, size_t size)
{
    FILE *out = tmpfile();
    emulation_reset(&emulation_sound_machine, 7);
    assert_int_equal(open_drill(d), STATUS_OK);
    assert_int_equal(cuda_space.describe(d->instance, topic, out, &d->f), STATUS_OK);
    cuda_space.close(d->instance);
    rewind(out);
    text[fread(text, 1, size - 1, out)] = 0;
    fclose(out);
    end(d);
}

TEST(threads_list_their_elements)
{
    static char text[1 << 16];
    struct drill d;
    const struct device_options window = {.block = 16, .streams = 1, .offload = OFFLOAD_WINDOW};
    const struct geometry g = {.planes = 1, .rows = 6, .cols = 6, .kernel = 3, .stride = 3};
    pool(&d, &g, "naive", &window);
    describe(&d, SPACE_INDICES, text, sizeof text);
    assert_non_null(strstr(text, "of the 9 made by each thread"));
    assert_non_null(strstr(text, "\n  block (0, 0) thread ( 2,  1): (2, 1)\n"));

    /* Two blocks of 16 x 16 at a time over 40 columns: a thread also computes the element 32
     * further. */
    multiply(&d, 3, 40, "loop", &image_options);
    describe(&d, SPACE_INDICES, text, sizeof text);
    assert_non_null(strstr(text, "\n  block (0, 0) thread ( 1,  7): (1, 7) (1, 39)\n"));
    assert_non_null(strstr(text, "\n  block (0, 1) thread ( 1,  7): (1, 23)\n"));
    assert_null(strstr(text, "nobody"));
    assert_null(strstr(text, "more than once"));

    /* Over several chunks too, each with its own part of the map. */
    const struct device_options chunks = {.block = 16, .streams = 2, .host_memory = HOST_PINNED};
    pool(&d, &g, "tiled", &chunks);
    describe(&d, SPACE_INDICES, text, sizeof text);
    assert_non_null(strstr(text, "(1, 1)"));
    assert_null(strstr(text, "nobody"));
}

TEST(kernels_have_their_facts)
{
    char text[4096];
    struct drill d;
    const struct geometry g = {.planes = 1, .rows = 6, .cols = 6, .kernel = 3, .stride = 3};
    pool(&d, &g, "naive", &image_options);
    describe(&d, SPACE_KERNEL_FACTS, text, sizeof text);
    /* The emulation reports 32 registers and 2 blocks; 2 x 256 of 2,048 threads are a quarter. A
     * tile for 16 x 16 outputs with stride 3 and windows of 3 has 48 x 48 elements of 4 bytes. */
    assert_non_null(strstr(text, "naive     32            0                  0               2"));
    assert_non_null(strstr(text, "tiled     32            9216               0               2"));
    assert_non_null(strstr(text, "25 %"));
    assert_non_null(strstr(text, "roof"));
    assert_null(strstr(text, "\n  registers ")); /* the matrix product's */
    multiply(&d, 6, 6, "naive", &image_options);
    describe(&d, SPACE_KERNEL_FACTS, text, sizeof text);
    assert_non_null(strstr(text, "\n  registers "));
    assert_null(strstr(text, "roof"));
}

/* ---- the emulation itself
 * --------------------------------------------------------------------------
 */

/* A copy to pinned memory does not arrive before the host waits. */
TEST(streams_only_queue)
{
    void *device, *host;
    cudaStream_t stream;
    emulation_reset(&emulation_sound_machine, 7);
    assert_int_equal(cudaMalloc(&device, 4), cudaSuccess);
    assert_int_equal(cudaMallocHost(&host, 4), cudaSuccess);
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    memset(host, 1, 4);
    assert_int_equal(cudaMemsetAsync(device, 5, 4, stream), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(host, device, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    assert_int_equal(*(char *)host, 1);
    assert_int_equal(emulation_live(), 3);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(*(char *)host, 5);
    assert_int_equal(cudaMemcpyAsync(host, device, 5, cudaMemcpyDeviceToHost, stream),
                     cudaErrorInvalidValue); /* beyond the array */
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
    cudaFree(device);
    assert_int_equal(emulation_live(), 0);
}
