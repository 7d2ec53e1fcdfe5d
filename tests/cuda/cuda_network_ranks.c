/* Networks among ranks, each with a GPU, run by mpirun with emulated ones: outputs have the bits of
 * one GPU that runs the whole batch. */
#include "cuda/emulation/emulation.h"
#include "cuda/ranks/network_engine.h"
#include "mpi/group.h"
#include "networks/ranks/ranks.h"
#include "tests/cuda/ranks/fake_readings.h"
#include "tests/cuda/small_networks.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

static struct space space;

/* A network whose batch the ranks share, and the same batch on one GPU. */
struct shared_run {
    struct small alone;
    struct network_run run;
    struct operation operation;
    struct job job;
    struct resources resources;
    struct instance *instance;
};

static void describe_run(struct shared_run *s, int64_t batch)
{
    const struct tensor_shape in = s->alone.network.input;
    s->run = (struct network_run){
        .row = network_row,
        .network = s->alone.network,
        .images = {.batch = batch, .here = network_span(batch, group()->rank, group()->ranks)},
        .raw.values = s->alone.parameters};
    s->operation = (struct operation){.kind = &s->run.row,
                                      .method = operator_method(&network_row, SPACE_CUDA, "own")};
    s->job.operation = &s->operation;
    s->job.subject = &s->run;
    s->job.source =
        case_source((struct image_shape){batch * in.channels, in.rows, in.cols}, s->alone.images);
}

/* Opens one, of images that every rank has; `turn` says how. */
static void open_shared(struct shared_run *s, int which, int64_t batch, int64_t turn)
{
    const struct small_way way = {.batch = batch, .block = 16, .warm_cache = true};
    struct failure f = {0};
    *s = (struct shared_run){
        .job = {.distribution = turn % 2 ? DISTRIBUTE_SCATTER : DISTRIBUTE_GENERATE,
                .device = {.block = 16,
                           .device = DEVICE_OF_RANK,
                           .submit = turn % 3 == 2 ? SUBMIT_GRAPH : SUBMIT_SINGLE}}};
    assert_int_equal(small_open(&s->alone, which, &way, &f), STATUS_OK);
    describe_run(s, batch);
    const enum status status = space.open(&s->job, &s->instance, &s->resources, &f);
    if (status != STATUS_OK)
        fail_msg("%s: %s", small_name(which), f.message);
}

static void close_shared(struct shared_run *s)
{
    space.close(s->instance);
    source_close(s->job.source);
    small_close(&s->alone);
}

/* Returns the wrong outputs of an execution, in the root. */
static int64_t wrong_outputs(struct shared_run *s)
{
    const int64_t count = forward_outputs(&s->alone.forward);
    struct phases phases;
    struct failure f = {0};
    const float *map = NULL;
    int64_t wrong = 0;
    space.poison(s->instance);
    if (space.execute(s->instance, &phases, &f) != STATUS_OK ||
        space.gather(s->instance, &map, &f) != STATUS_OK)
        fail_msg("%s: %s", s->alone.network.name, f.message);
    for (int64_t i = 0; group()->rank == GROUP_ROOT && i < count; i++)
        wrong += memcmp(&map[i], &s->alone.forward.output[i], sizeof *map) != 0;
    return wrong;
}

/* Only the root compares; all ranks leave together, so that none waits for another. */
TEST(outputs_have_the_bits_of_one_gpu)
{
    const int64_t ranks = group()->ranks;
    for (int which = 0; which < SMALL_NETWORKS; which++) {
        const int64_t batch = which % 3 == 2 ? ranks - 1 : 2 * ranks + which % 3;
        struct shared_run s;
        struct failure f = {0};
        struct phases phases;
        open_shared(&s, which, batch, which);
        assert_int_equal(device_run_batch(&s.alone.run, &s.alone.forward, &phases, &f), STATUS_OK);
        const int64_t wrong = wrong_outputs(&s) + wrong_outputs(&s);
        const int64_t arrived = s.instance->arrived(s.instance, &f) != STATUS_OK;
        if (mpi_processes.largest((int)(wrong + arrived)))
            fail_msg("%s: %d outputs differ; %s", small_name(which), (int)wrong, f.message);
        close_shared(&s);
    }
}

/* After all that was opened on the device of the rank. */
TEST(ranks_have_their_own_device)
{
    int device = -1, devices = 0;
    struct shared_run s;
    open_shared(&s, 3, group()->ranks, 0);
    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    assert_int_equal(cudaGetDeviceCount(&devices), cudaSuccess);
    assert_int_equal(device, group()->node_rank % devices);
    close_shared(&s);
}

/* The GPUs of all ranks are read in or after an execution. */
TEST(executions_read_the_gpus_of_all_ranks)
{
    struct shared_run s;
    struct phases seen;
    struct failure f = {0};
    void *library = fake_nvml_begin();
    open_shared(&s, 3, 2 * group()->ranks, 0);
    for (int i = 0; i < 2; i++) {
        space.poison(s.instance);
        assert_int_equal(space.execute(s.instance, &seen, &f), STATUS_OK);
        assert_fake_readings(&seen, group()->ranks);
    }
    close_shared(&s);
    fake_nvml_end(library);
}

/* A call that fails in the last rank fails the execution in all of them, and only that one. */
TEST(failures_are_common)
{
    struct shared_run s;
    struct phases phases;
    struct failure f = {0};
    open_shared(&s, 3, 2 * group()->ranks, 1);
    space.poison(s.instance);
    if (group()->rank == group()->ranks - 1)
        emulation_fail_at(2, cudaErrorMemoryAllocation);
    assert_int_equal(space.execute(s.instance, &phases, &f), STATUS_RESOURCE);
    assert_non_null(strstr(f.message, "memory"));
    emulation_fail_at(0, cudaSuccess);
    f = (struct failure){0};
    assert_int_equal(space.execute(s.instance, &phases, &f), STATUS_OK);
    close_shared(&s);
}

/* The same of opening: none of the ranks waits for one that left. */
TEST(openings_fail_together)
{
    const struct small_way way = {.batch = 4, .block = 16, .warm_cache = true};
    struct shared_run s = {.job.device = {.block = 16, .device = DEVICE_OF_RANK}};
    struct failure f = {0};
    assert_int_equal(small_open(&s.alone, 3, &way, &f), STATUS_OK);
    describe_run(&s, 4);
    emulation_memory(group()->rank == group()->ranks - 1 ? 100
                                                         : emulation_sound_machine.memory_bytes);
    assert_int_equal(space.open(&s.job, &s.instance, &s.resources, &f), STATUS_RESOURCE);
    emulation_memory(emulation_sound_machine.memory_bytes);
    assert_null(s.instance);
    source_close(s.job.source);
    small_close(&s.alone);
}

int main(int argc, char **argv)
{
    struct failure f = {0};
    if (mpi_processes.begin(&argc, &argv, &f) != STATUS_OK)
        return 1;
    space = network_ranks_by(&gpu_network_engine);
    const int failures = tests_run();
    const int all = mpi_processes.largest(failures);
    mpi_processes.end();
    return all;
}
