/* Trainings among ranks, each with a GPU, run by mpirun with emulated ones: losses and parameters
 * have the bits of one GPU for the same shards. */
#include "cuda/emulation/emulation.h"
#include "mpi/group.h"
#include "networks/ranks/gradients.h"
#include "tests/cuda/small_training.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 3 };

/* Five shards of six images: one shard has two. */
static const struct training_way usual = {
    .batch = 6, .shards = 5, .block = 16, .memory = HOST_PINNED, .drops = true, .overlaps = true};

/* A training of which this rank holds some shards. */
struct shared_training {
    struct small_training here;
    struct rank_gradients *gradients;
};

static int64_t device_here(void)
{
    int devices = 0;
    assert_int_equal(cudaGetDeviceCount(&devices), cudaSuccess);
    return group()->node_rank % devices;
}

static void open_shared(struct shared_training *s, int which, const struct training_way *way,
                        enum strategy strategy)
{
    struct failure f = {0};
    struct training_way own = *way;
    own.device = device_here();
    enum status status = small_training_make(&s->here, which, &own, &f);
    s->gradients = NULL;
    if (status == STATUS_OK)
        status = rank_gradients_open(&s->gradients, &s->here.trainer, strategy, &f);
    if (status == STATUS_OK)
        status = trainer_open(&s->here.trainer, &f);
    if (status != STATUS_OK)
        fail_msg("%s: %s", small_training_name(which), f.message);
}

static void close_shared(struct shared_training *s)
{
    small_training_close(&s->here);
    rank_gradients_close(s->gradients);
}

/* What a training came to. */
struct outcome_of_steps {
    double losses[STEPS];
    uint64_t hash;
};

/* Takes the steps; batches of two sizes, of which the smaller one leaves shards without images. */
static void take_steps(struct trainer *t, const struct verify_extent *how,
                       struct outcome_of_steps *to)
{
    struct failure f = {0};
    enum status status = STATUS_OK;
    for (int turn = 0; status == STATUS_OK && turn < 2; turn++)
        status = small_training_prepare(t, turn, &f);
    if (status == STATUS_OK)
        status = small_training_steps(t, STEPS, how, to->losses, &to->hash, &f);
    if (status != STATUS_OK)
        fail_msg("%s: %s", t->forward.plan.network->name, f.message);
}

/* What the same training came to on one GPU, kernel by kernel. */
struct reference {
    int which;
    int64_t batch, shards;
    struct outcome_of_steps outcome;
};

static void train_alone(int which, const struct training_way *way, struct outcome_of_steps *to)
{
    struct small_training alone;
    struct training_way single = *way;
    struct failure f = {0};
    single.captures = false;
    assert_int_equal(small_training_open(&alone, which, &single, &f), STATUS_OK);
    take_steps(&alone.trainer, NULL, to);
    small_training_close(&alone);
}

/* Rank 0 trains alone, once for each training, and the others receive what it came to. */
static const struct outcome_of_steps *reference(int which, const struct training_way *way)
{
    static struct reference all[8];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (all[i].which == which && all[i].batch == way->batch && all[i].shards == way->shards)
            return &all[i].outcome;
    assert_true(count < sizeof all / sizeof *all && way->drops);
    struct reference *r = &all[count++];
    *r = (struct reference){.which = which, .batch = way->batch, .shards = way->shards};
    if (group()->rank == GROUP_ROOT)
        train_alone(which, way, &r->outcome);
    MPI_Bcast(&r->outcome, (int)sizeof r->outcome, MPI_BYTE, GROUP_ROOT, group()->all);
    return &r->outcome;
}

/* All ranks leave together, so that none waits for another. */
static void compare(int which, const struct training_way *way, enum strategy strategy,
                    const struct verify_extent *how)
{
    const struct outcome_of_steps *alone = reference(which, way);
    struct outcome_of_steps shared;
    struct shared_training s;
    open_shared(&s, which, way, strategy);
    take_steps(&s.here.trainer, how, &shared);
    close_shared(&s);
    const bool differ = memcmp(alone->losses, shared.losses, sizeof shared.losses) != 0 ||
                        alone->hash != shared.hash;
    if (mpi_processes.largest(differ))
        fail_msg("%s, strategy %d: rank %d came to %.17g and %llx, one GPU to %.17g and %llx",
                 small_training_name(which), (int)strategy, group()->rank, shared.losses[STEPS - 1],
                 (unsigned long long)shared.hash, alone->losses[STEPS - 1],
                 (unsigned long long)alone->hash);
}

TEST(trainings_have_the_bits_of_one_gpu)
{
    /* Here the shards of the batch, but not those of a rank, are cut into pieces. */
    static const struct training_way cut = {
        .batch = 12, .shards = 4, .block = 16, .memory = HOST_PINNED, .drops = true};
    for (int which = 0; which < LONG_TRAINING; which++)
        compare(which, &usual, which % 2 ? STRATEGY_CENTRAL : STRATEGY_MIRRORED, NULL);
    compare(0, &cut, STRATEGY_CENTRAL, NULL);
}

/* Every other batch has so few images that some ranks have none of them. */
TEST(ranks_without_images_take_part)
{
    static const struct training_way way = {.batch = 3,
                                            .shards = 3,
                                            .block = 16,
                                            .memory = HOST_PINNED,
                                            .drops = true,
                                            .overlaps = true};
    struct training_way graphs = way;
    const struct verify_extent all = {.full = true};
    graphs.captures = true;
    compare(0, &way, STRATEGY_MIRRORED, &all);
    compare(1, &way, STRATEGY_CENTRAL, NULL);
    compare(0, &graphs, STRATEGY_CENTRAL, NULL);
}

/* The last of two ranks has two images of both sizes of batches, but other ones. */
TEST(graphs_have_the_same_bits)
{
    struct training_way way = usual;
    way.batch = 8;
    way.captures = true;
    compare(0, &way, STRATEGY_CENTRAL, NULL);
    compare(1, &way, STRATEGY_MIRRORED, NULL);
}

/* The exchange of a training, which notes at each layer whether the device is still at work, and
 * what the host has of the layer's gradients. */
static struct {
    const struct gradient_exchange *exchange;
    int begun, while_busy;
    float *gradients; /* of all shards of this rank, as they were sent */
} observed;

static void observe(const struct gradient_exchange *e, struct trainer *t, int64_t first,
                    int64_t count)
{
    observed.begun++;
    observed.while_busy += emulation_busy();
    for (int64_t i = 0; i < t->share.own.count; i++) {
        const int64_t at = i * t->forward.plan.network->floats + first;
        memcpy(observed.gradients + at, t->work.shard_gradients + at,
               (size_t)count * sizeof *observed.gradients);
    }
    observed.exchange->begin(e, t, first, count);
}

/* Counts the layers of a step, and those whose exchange begins before the backward pass has
 * ended. Their gradients had arrived by then: none was written later. */
static void observe_step(const struct training_way *way)
{
    struct shared_training s;
    struct step_result result;
    struct failure f = {0};
    open_shared(&s, 0, way, STRATEGY_MIRRORED);
    struct trainer *t = &s.here.trainer;
    struct gradient_exchange with_notes = *t->where.exchange;
    observed.exchange = t->where.exchange;
    observed.begun = observed.while_busy = 0;
    const size_t floats = (size_t)(t->share.own.count * t->forward.plan.network->floats);
    observed.gradients = malloc(floats * sizeof *observed.gradients);
    assert_non_null(observed.gradients);
    with_notes.begin = observe;
    t->where.exchange = &with_notes;
    small_training_fill(t, 0);
    assert_int_equal(trainer_step(t, NULL, &result, &f), STATUS_OK);
    t->where.exchange = observed.exchange;
    const int late = memcmp(observed.gradients, t->work.shard_gradients,
                            floats * sizeof *observed.gradients) != 0;
    free(observed.gradients);
    close_shared(&s);
    assert_int_equal(mpi_processes.largest(late), 0);
}

/* The host comes to the first exchange while kernels of earlier layers are still queued: it has
 * waited for none of them. */
TEST(exchanges_begin_while_the_device_computes)
{
    struct training_way way = usual;
    way.drops = false;
    observe_step(&way);
    assert_int_equal(mpi_processes.largest(observed.begun != 6), 0);
    assert_int_equal(mpi_processes.largest(observed.while_busy == 0), 0);
    way.overlaps = false;
    observe_step(&way);
    assert_int_equal(mpi_processes.largest(observed.begun != 6), 0);
    assert_int_equal(mpi_processes.largest(observed.while_busy > 0), 0);
}

/* Every value of every part is compared with its oracle, in the rank that has it. */
TEST(every_part_is_verified)
{
    const struct verify_extent all = {.full = true};
    compare(0, &usual, STRATEGY_MIRRORED, &all);
    compare(1, &usual, STRATEGY_CENTRAL, &all);
}

/* A call that fails in the last rank: no rank waits for another for ever, and all of them know.
 * Each step fails at a later call, until one has fewer calls. No copy that a failure left under way
 * reads what the next step writes. */
static void fail_steps(const struct training_way *way, enum strategy strategy)
{
    enum { MOST = 500, APART = 4 };
    const bool last = group()->rank == group()->ranks - 1;
    struct shared_training s;
    int call = 1;
    emulation_watch(true);
    open_shared(&s, 1, way, strategy);
    for (bool failed = true; failed && call < MOST; call += APART) {
        struct step_result result;
        struct failure f = {0};
        small_training_fill(&s.here.trainer, 0);
        if (last)
            emulation_fail_at(call, cudaErrorMemoryAllocation);
        const enum status status = trainer_step(&s.here.trainer, NULL, &result, &f);
        emulation_fail_at(0, cudaSuccess);
        failed = status != STATUS_OK;
        assert_int_equal(mpi_processes.largest(failed), failed);
        assert_int_equal(mpi_processes.largest(!failed), !failed);
        assert_true(!failed || strstr(f.message, "memory"));
        s.here.trainer.work.pending = (struct failure){0};
    }
    assert_string_equal(emulation_fault(), "");
    assert_true(call > 2 * APART && call < MOST);
    close_shared(&s);
    emulation_watch(false);
}

TEST(failures_are_common)
{
    struct training_way way = usual;
    way.shards = 4;
    way.drops = false;
    fail_steps(&way, STRATEGY_MIRRORED);
    fail_steps(&way, STRATEGY_CENTRAL);
    way.overlaps = false;
    fail_steps(&way, STRATEGY_MIRRORED);
}

/* The same of what is made ready before the first step. */
TEST(preparations_fail_together)
{
    struct training_way way = usual;
    way.shards = 4;
    way.drops = false;
    way.captures = true;
    enum { MOST = 400, APART = 9 };
    const bool last = group()->rank == group()->ranks - 1;
    int call = 1;
    for (bool failed = true; failed && call < MOST; call += APART) {
        struct shared_training s;
        struct failure f = {0};
        open_shared(&s, 1, &way, STRATEGY_MIRRORED);
        if (last)
            emulation_fail_at(call, cudaErrorMemoryAllocation);
        failed = small_training_prepare(&s.here.trainer, 0, &f) != STATUS_OK;
        emulation_fail_at(0, cudaSuccess);
        assert_int_equal(mpi_processes.largest(failed), failed);
        assert_int_equal(mpi_processes.largest(!failed), !failed);
        close_shared(&s);
    }
    assert_true(call > 2 * APART && call < MOST);
}

int main(int argc, char **argv)
{
    struct failure f = {0};
    if (mpi_processes.begin(&argc, &argv, &f) != STATUS_OK)
        return 1;
    const int failures = tests_run();
    const int all = mpi_processes.largest(failures);
    mpi_processes.end();
    return all;
}
