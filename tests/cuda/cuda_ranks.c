/* A rank a GPU over a part of the grid, run by mpirun with emulated GPUs: the root compares the
 * gathered maps with the oracles. */
#include "cuda/emulation/emulation.h"
#include "cuda/ranks/engine.h"
#include "cuda/ranks/local_rank.h"
#include "cuda/ranks/place.h"
#include "mpi/group.h"
#include "tests/cuda/ranks/fake_readings.h"
#include "tests/support/cases.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 3 }; /* of the cases: other ones for each way to distribute */

static struct space space;

/* Only the root compares; all ranks leave together, so that none waits for another. */
static void assert_none_failed(int64_t failures)
{
    assert_int_equal(mpi_processes.largest((int)failures), 0);
}

static struct job job_of(int64_t turn)
{
    return (struct job){
        .distribution = turn % 2 ? DISTRIBUTE_SCATTER : DISTRIBUTE_GENERATE,
        .min_cost = 1.0,
        .device = {.block = 16, .streams = 1 + turn % 3 / 2, .device = DEVICE_OF_RANK}};
}

static const struct method *method_of(const struct operator_row *kind, int64_t turn)
{
    const char *const names[] = {"naive", "tiled"};
    return operator_method(kind, SPACE_CUDA, names[turn % 2]);
}

TEST(pooling_passes)
{
    for (size_t i = 0; i < pool_case_count; i += STEP) {
        const struct job job = job_of((int64_t)i / STEP);
        const struct method *m = method_of(&maxpool_operator, (int64_t)i / STEP / 2);
        const bool identity = pool_cases[i].pad_mode != PAD_ZERO;
        assert_none_failed(check_pooling(&space, &job, m, &pool_cases[i], identity));
    }
}

/* Every chunk of a band must come from the right lines: device memory holds only a part of it. */
TEST(chunks_of_a_band_pass)
{
    static const struct pool_case chunky = {"chunks_of_a_band", 3, 23, 9, 5, 2, 1, PAD_ZERO, false};
    for (int64_t streams = 1; streams <= 2; streams++) {
        struct job job = job_of(0);
        job.device.streams = streams;
        job.device.memory_bytes = streams * 2 * 4 * (7 * 9 + 2 * 4);
        assert_none_failed(
            check_pooling(&space, &job, method_of(&maxpool_operator, 1), &chunky, false));
    }
}

TEST(products_pass)
{
    const struct operator_row *kind = operator_find("matmul");
    for (size_t i = 0; i < product_case_count; i += STEP - 1) {
        const struct job job = job_of((int64_t)i / (STEP - 1));
        const struct method *m = method_of(kind, (int64_t)i / STEP);
        assert_none_failed(check_product(&space, &job, m, &product_cases[i]));
    }
}

TEST(convolutions_and_distances_pass)
{
    const struct operator_row *conv = operator_find("conv"), *pairs = operator_find("distances");
    for (size_t i = 0; i < conv_case_count; i += STEP) {
        const struct job job = job_of((int64_t)i / STEP);
        assert_none_failed(
            check_conv(&space, &job, method_of(conv, (int64_t)i / STEP), &conv_cases[i]));
    }
    for (size_t i = 0; i < points_case_count; i += STEP) {
        const struct job job = job_of((int64_t)i / STEP);
        assert_none_failed(
            check_distances(&space, &job, method_of(pairs, (int64_t)i / STEP), &points_cases[i]));
    }
}

/* The runtime's current device is that of the local rank, after all that was opened on it. */
TEST(ranks_have_their_own_device)
{
    int device = -1, devices = 0;
    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    assert_int_equal(cudaGetDeviceCount(&devices), cudaSuccess);
    assert_int_equal(device, group()->node_rank % devices);
}

/* Of ranks that read their GPUs: the lowest clock, the power of each GPU once, each reason once,
 * and the first rank that has one. */
TEST(readings_are_those_of_all_gpus)
{
    static const char *const throttled[] = {"none", "power_cap", "power_cap+hardware_thermal"};
    const struct rank_group *g = group();
    struct phases seen = phases_none();
    int devices = 0;
    double all_w = 0.0;
    assert_int_equal(cudaGetDeviceCount(&devices), cudaSuccess);
    if (g->ranks == 1)
        skip();
    seen.clock_mhz = 1000 - g->rank;
    seen.power_w = 100.0 * (1 + g->node_rank % devices);
    for (int i = 0; i < devices && i < g->ranks; i++)
        all_w += 100.0 * (1 + i);
    strcpy(seen.throttle, throttled[g->rank < 2 ? g->rank : 2]);
    place_merge_readings(&seen);
    assert_int_equal(seen.clock_mhz, 1000 - (g->ranks - 1));
    assert_true(seen.power_w >= all_w && seen.power_w <= all_w);
    assert_string_equal(seen.throttle, throttled[g->ranks == 2 ? 1 : 2]);
    assert_int_equal(seen.throttle_rank, 1);
}

/* A pooling of rows x cols by windows of 2 x 2, opened by every rank. */
struct pooled {
    struct operation op;
    float *elements;
    float identity[4];
    struct job job;
    struct resources resources;
    struct instance *in;
};

static enum status open_pooled(struct pooled *p, int64_t rows, int64_t cols, struct failure *f)
{
    const struct pool_case c = {"pooled", 1, rows, cols, 2, 2, 0, PAD_ZERO, false};
    *p = (struct pooled){.elements = case_image(&c, 5), .identity = {1.0f, 0.0f, 0.0f, 1.0f}};
    p->op = (struct operation){.kind = &maxpool_operator,
                               .geometry = case_geometry(&c),
                               .image = {1, rows, cols},
                               .map = {1, rows / 2, cols / 2},
                               .method = method_of(&maxpool_operator, 0),
                               .operands[OPERAND_FILTER] = {.identity = true,
                                                            .integers = true,
                                                            .max_abs = 1.0,
                                                            .values = p->identity,
                                                            .shape = {1, 2, 2}}};
    p->job = job_of(0);
    p->job.operation = &p->op;
    p->job.source = case_source(p->op.image, p->elements);
    return space.open(&p->job, &p->in, &p->resources, f);
}

/* Closes also one that could not be opened. */
static void close_pooled(struct pooled *p)
{
    if (p->in)
        space.close(p->in);
    source_close(p->job.source);
    free(p->elements);
}

/* The GPUs are read after an execution, each by its ranks: GPU n has a clock that is 100 n MHz
 * lower and 100 n W more, and GPU 1 is hot (fake_nvml.c). */
TEST(executions_read_the_gpus_of_all_ranks)
{
    struct pooled p;
    struct phases seen;
    struct failure f = {0};
    void *library = fake_nvml_begin();
    assert_int_equal(open_pooled(&p, 24, 8, &f), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        space.poison(p.in);
        assert_int_equal(space.execute(p.in, &seen, &f), STATUS_OK);
        assert_fake_readings(&seen, group()->ranks);
    }
    close_pooled(&p);
    fake_nvml_end(library);
}

/* What no rank read is unknown; so is the power of all GPUs if that of one is. */
TEST(what_is_not_read_is_unknown)
{
    const bool last = group()->rank == group()->ranks - 1;
    struct phases seen = phases_none();
    place_merge_readings(&seen);
    assert_true(seen.clock_mhz == RECORD_NO_INT && isnan(seen.power_w) && !seen.throttle[0]);
    assert_int_equal(seen.throttle_rank, RECORD_NO_INT);
    strcpy(seen.throttle, last ? "none" : "");
    place_merge_readings(&seen); /* a rank without lines reads nothing */
    assert_string_equal(seen.throttle, "none");
    assert_true(isnan(seen.power_w) && seen.throttle_rank == RECORD_NO_INT);
}

/* Returns the bytes that are allocated according to the emulation's journal. */
static size_t allocated_bytes(void)
{
    static const char word[] = "allocate ";
    size_t bytes = 0;
    for (const char *at = emulation_journal(); (at = strstr(at, word)); at += sizeof word - 1)
        bytes += strtoul(at + sizeof word - 1, NULL, 10);
    return bytes;
}

/* Opens a pooling of a large image where a device has this much memory. Sets *bytes to what is
 * allocated on the device. */
static enum status open_large(size_t memory, size_t *bytes, struct failure *f)
{
    struct pooled p;
    emulation_memory(memory);
    emulation_journal_begin();
    const enum status status = open_pooled(&p, 240, 100, f);
    *bytes = allocated_bytes();
    emulation_memory(emulation_sound_machine.memory_bytes);
    close_pooled(&p);
    return status;
}

/* Ranks that share a device share its memory. An emulated device is its process's own, so that
 * only what they allocate shows it. */
TEST(ranks_share_the_memory_of_a_device)
{
    enum { MEMORY = 60000, LEAST = 1132 };
    const struct rank_group *g = group();
    struct failure f = {0};
    size_t bytes = 0;
    int devices = 0;
    assert_int_equal(cudaGetDeviceCount(&devices), cudaSuccess);
    const int first = g->node_rank % devices, sharing = (g->node_ranks - 1) / devices + 1;
    const int here = (g->node_ranks - first - 1) / devices + 1; /* no more than share device 0 */
    assert_int_equal(open_large(MEMORY, &bytes, &f), STATUS_OK);
    assert_true(bytes > 0 && bytes * (size_t)here <= MEMORY);
    /* What is enough for one rank is not enough for two, and the message has the bytes. */
    assert_int_equal(open_large(LEAST, &bytes, &f), sharing > 1 ? STATUS_RESOURCE : STATUS_OK);
    assert_int_equal(open_large(LEAST * (size_t)sharing, &bytes, &f), STATUS_OK);
    f = (struct failure){0};
    assert_int_equal(open_large((LEAST - 8) * (size_t)sharing, &bytes, &f), STATUS_RESOURCE);
    assert_non_null(strstr(
        f.message, "not enough memory on the device: one row of outputs takes 1000 B there"));
}

/* No rank reads another one's device memory: the address that the other rank sends is none of this
 * rank's device. */
TEST(device_memory_is_a_ranks_own)
{
    enum { BYTES = 256 };
    const struct rank_group *g = group();
    const int next = (g->rank + 1) % g->ranks, before = (g->rank + g->ranks - 1) % g->ranks;
    void *own = NULL, *received = NULL, *apart = NULL;
    float host[BYTES / sizeof(float)];
    if (g->ranks == 1)
        skip();
    for (int i = 0; i <= g->rank; i++) /* so that no two ranks have the same address by chance */
        assert_int_equal(cudaMalloc(i < g->rank ? &apart : &own, (size_t)BYTES << 12), cudaSuccess);
    MPI_Sendrecv(&own, (int)sizeof own, MPI_BYTE, next, 0, &received, (int)sizeof received,
                 MPI_BYTE, before, 0, g->all, MPI_STATUS_IGNORE);
    assert_int_equal(cudaMemcpy(host, own, BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaMemcpy(host, received, BYTES, cudaMemcpyDeviceToHost),
                     cudaErrorInvalidValue);
    MPI_Barrier(g->all);
}

/* A call that fails in the last rank fails the execution in all of them, and only that one. */
TEST(failures_are_common)
{
    struct pooled p;
    struct phases phases;
    struct failure f = {0};
    assert_int_equal(open_pooled(&p, 24, 8, &f), STATUS_OK);
    space.poison(p.in);
    if (group()->rank == group()->ranks - 1)
        emulation_fail_at(2, cudaErrorMemoryAllocation);
    assert_int_equal(space.execute(p.in, &phases, &f), STATUS_RESOURCE);
    assert_non_null(strstr(f.message, "memory"));
    emulation_fail_at(0, cudaSuccess);
    f = (struct failure){0};
    assert_int_equal(space.execute(p.in, &phases, &f), STATUS_OK);
    close_pooled(&p);
}

int main(int argc, char **argv)
{
    struct failure f = {0};
    if (mpi_processes.begin(&argc, &argv, &f) != STATUS_OK)
        return 1;
    space = mpi_space_by(&gpu_engine);
    const int failures = tests_run();
    const int all = mpi_processes.largest(failures);
    mpi_processes.end();
    return all;
}
