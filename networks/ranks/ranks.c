/* A batch distributed over ranks. Each image is computed by a single rank, so that no rank waits
 * for another between its images and its outputs, and every output has the bits of one process. */
#include "networks/ranks/ranks.h"

#include "harness/base/clock.h"
#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "mpi/group.h"
#include "mpi/messages.h"
#include "mpi/per_rank.h"
#include "mpi/start_skew.h"
#include "mpi/team.h"
#include "networks/point/instance.h"
#include "networks/point/training/training.h"
#include "networks/ranks/gradients.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The engine of this process's instances; NULL: their teams compute. */
static const struct network_engine *the_engine;

/* ---- the messages of a batch ----------------------------------------------------------------- */

/* The exchange of one instance. */
struct exchange {
    bool scatters; /* images are sent, and outputs gathered, within each sample */
    float *images; /* on the root: the images of the whole batch, if it sends them */
    float *whole;  /* on the root: the outputs of the whole batch; NULL: not gathered yet */
    struct messages messages;
};

static bool is_root(void)
{
    return group()->rank == GROUP_ROOT;
}

static struct image_span span_of(const struct network_run *run, int rank)
{
    return network_span(run->images.batch, rank, group()->ranks);
}

static int64_t image_elements(const struct network_run *run)
{
    return tensor_elements(run->network.input);
}

static int64_t output_elements(const struct network_run *run)
{
    return tensor_elements(network_output(&run->network));
}

/* Pieces of the messages between the root and the other ranks, for `elements` floats per image. */
static size_t pieces(const struct network_run *run, int64_t elements)
{
    size_t sum = 0;
    if (!is_root())
        return messages_pieces(run->images.here.count * elements);
    for (int rank = 1; rank < group()->ranks; rank++)
        sum += messages_pieces(span_of(run, rank).count * elements);
    return sum;
}

/* Allocates memory for the outputs of the whole batch on the root, unless it has it. Not
 * collective. */
static enum status exchange_allocate_outputs(struct exchange *e, const struct network_run *run,
                                             struct failure *f)
{
    const size_t bytes = (size_t)(run->images.batch * output_elements(run)) * sizeof(float);
    return is_root() && !e->whole
               ? memory_allocate((void **)&e->whole, bytes, "the outputs of all ranks", f)
               : STATUS_OK;
}

/* Allocates the messages and, on the root of a scattered batch, memory for all outputs. Not
 * collective. */
static enum status exchange_open(struct exchange *e, const struct network_run *run,
                                 struct failure *f)
{
    const size_t out = pieces(run, image_elements(run)), in = pieces(run, output_elements(run));
    const enum status status = messages_reserve(&e->messages, out > in ? out : in, f);
    return status == STATUS_OK && e->scatters ? exchange_allocate_outputs(e, run, f) : status;
}

static void exchange_close(struct exchange *e)
{
    messages_release(&e->messages);
    free(e->whole);
}

/* Sends each rank its images from the root; the other ranks receive them in `own`. */
static void exchange_scatter(struct exchange *e, const struct network_run *run, float *own)
{
    const int64_t elements = image_elements(run);
    if (!is_root())
        messages_receive(&e->messages, own, run->images.here.count * elements, GROUP_ROOT);
    for (int rank = 1; is_root() && rank < group()->ranks; rank++) {
        const struct image_span span = span_of(run, rank);
        messages_send(&e->messages, e->images + span.first * elements, span.count * elements, rank);
    }
    messages_wait(&e->messages);
}

/* Gathers each rank's outputs in e->whole of the root. */
static void exchange_collect(struct exchange *e, const struct network_run *run, const float *own)
{
    const int64_t elements = output_elements(run);
    if (!is_root())
        messages_send(&e->messages, own, run->images.here.count * elements, GROUP_ROOT);
    for (int rank = 1; is_root() && rank < group()->ranks; rank++) {
        const struct image_span span = span_of(run, rank);
        messages_receive(&e->messages, e->whole + span.first * elements, span.count * elements,
                         rank);
    }
    if (is_root())
        memcpy(e->whole, own, (size_t)(run->images.here.count * elements) * sizeof(float));
    messages_wait(&e->messages);
}

/* Collective: true if the parts that the ranks hold together have the same hash as the whole that
 * the root holds; an image has `elements` floats. */
static bool exchange_matches(const struct network_run *run, const float *own, const float *whole,
                             int64_t elements)
{
    const int64_t first = run->images.here.first * elements;
    const uint64_t mine = digest_range(own, first, run->images.here.count * elements);
    struct {
        uint64_t parts, whole;
    } hashes = {0, 0};
    MPI_Allreduce(&mine, &hashes.parts, 1, MPI_UINT64_T, MPI_SUM, group()->all);
    if (is_root())
        hashes.whole = digest_range(whole, 0, run->images.batch * elements);
    MPI_Bcast(&hashes.whole, 1, MPI_UINT64_T, GROUP_ROOT, group()->all);
    return hashes.parts == hashes.whole;
}

/* ---- the ranks ------------------------------------------------------------------------------- */

/* What an instance has in addition to that of a single process. */
struct rank_state {
    const struct instance *first; /* the instance whose images are used; NULL: its own */
    const char *method;
    struct exchange exchange;
    struct rank_times times;          /* of the last execution */
    struct failure trouble;           /* of the engine, in an execution */
    struct phases of_device;          /* what the engine measured in it */
    struct per_rank *per_rank;        /* NULL: not requested */
    struct rank_gradients *gradients; /* in training */
};

static struct rank_state *rank_state_of(const struct instance *in)
{
    return in->space_state;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static void close_ranks(struct instance *in)
{
    struct rank_state *c = in ? rank_state_of(in) : NULL;
    if (c) {
        exchange_close(&c->exchange);
        rank_gradients_close(c->gradients);
        if (!c->first)
            per_rank_close(c->per_rank, NULL);
    }
    free(c);
    if (in && the_engine)
        the_engine->close(in);
    network_close(in);
}

/* Checks that all that was sent since the images were made has arrived. */
static enum status arrived(struct instance *in, struct failure *f)
{
    const struct exchange *e = &rank_state_of(in)->exchange;
    const struct network_run *run = in->run;
    const int64_t in_elements = tensor_elements(run->network.input);
    const int64_t out_elements = tensor_elements(network_output(&run->network));
    if (!e->scatters)
        return STATUS_OK;
    if (!exchange_matches(run, in->forward.input, e->images, in_elements))
        return fail(f, STATUS_WRONG, "the ranks' images are not those that rank 0 sent");
    if (!exchange_matches(run, in->forward.output, e->whole, out_elements))
        return fail(f, STATUS_WRONG, "the outputs in rank 0 are not those of the ranks");
    return STATUS_OK;
}

/* Makes an instance of this rank alone, with the state of its exchanges. */
static enum status make(const struct network_run *run, const char *method, struct instance **out,
                        struct failure *f)
{
    enum status status = instance_make(run, out, f);
    if (status != STATUS_OK)
        return status;
    struct rank_state *c = calloc(1, sizeof *c);
    if (!c)
        return fail(f, STATUS_RESOURCE, "no memory for an instance");
    c->method = method;
    (*out)->memory = the_engine ? the_engine->memory : NULL;
    (*out)->space_state = c;
    (*out)->arrived = arrived;
    return STATUS_OK;
}

/* Opens the images. A root that sends the batch holds all of it; otherwise each rank holds its own
 * images. */
static enum status open_images(struct instance *in, const struct job *job,
                               struct resources *resources, struct failure *f)
{
    struct exchange *e = &rank_state_of(in)->exchange;
    const struct network_run *run = in->run;
    const struct image_span all = {0, run->images.batch};
    e->scatters = job->distribution == DISTRIBUTE_SCATTER;
    const bool whole = e->scatters && is_root();
    const enum status status =
        instance_images(in, whole ? all : run->images.here,
                        e->scatters && !whole ? NULL : job->source, resources, f);
    e->images = in->images;
    return status == STATUS_OK ? exchange_open(e, run, f) : status;
}

/* Merges over the ranks: the slowest one's setup, and the sum of their scratch. */
static void merge_resources(double start, struct resources *resources)
{
    const double mine = clock_now() - start;
    const int64_t scratch = resources->scratch_bytes;
    MPI_Allreduce(&mine, &resources->setup_s, 1, MPI_DOUBLE, MPI_MAX, group()->all);
    MPI_Allreduce(&scratch, &resources->scratch_bytes, 1, MPI_INT64_T, MPI_SUM, group()->all);
}

/* A device opens no network for no images, though a smaller batch may leave it without. Not
 * collective: the same in every rank. */
static enum status check_shares(const struct trainer *t, struct failure *f)
{
    int64_t first, end;
    const int64_t ranks = group()->ranks;
    shares_part(t->settings.shards, ranks, ranks - 1, &first, &end);
    return first < end && first < t->settings.batch
               ? STATUS_OK
               : fail(f, STATUS_USAGE,
                      "--task train: the last of %lld ranks would have no image for its GPU "
                      "(--batch %lld, --shards %lld): take fewer ranks, or more shards",
                      (long long)ranks, (long long)t->settings.batch,
                      (long long)t->settings.shards);
}

/* Opens the forward run of an instance that has images, or its training. */
static enum status open_run(struct instance *in, const struct job *job, struct team team,
                            struct resources *resources, struct failure *f)
{
    if (the_engine)
        return the_engine->open(in, job, resources, f);
    return in->run->training ? training_open(job, in->run, team, resources, f)
                             : instance_forward(in, job, team, resources, f);
}

/* Opens what the ranks exchange in a training: its images come from a data set, batch by batch. */
static enum status open_exchange(struct instance *in, struct resources *resources,
                                 struct failure *f)
{
    struct training *t = in->run->training;
    const enum status status = the_engine ? check_shares(&t->trainer, f) : STATUS_OK;
    resources->facts = IMAGE_FACTS_NONE;
    return status == STATUS_OK ? rank_gradients_open(&rank_state_of(in)->gradients, &t->trainer,
                                                     (enum strategy)t->options->strategy, f)
                               : status;
}

/* Finds what computes: the device of this rank, or its team. */
static enum status take(const struct job *job, struct team *team, struct resources *resources,
                        struct failure *f)
{
    *team = (struct team){.workers = 1, .run = team_alone};
    return the_engine ? the_engine->take(job, f) : team_open(job, team, resources, f);
}

static enum status set_up(struct instance *in, const struct job *job, struct team *team,
                          struct resources *resources, struct failure *f)
{
    enum status status = take(job, team, resources, f);
    if (status == STATUS_OK)
        status = in->run->training ? open_exchange(in, resources, f)
                                   : open_images(in, job, resources, f);
    if (status == STATUS_OK)
        status = open_run(in, job, *team, resources, f);
    status = mpi_processes.common_status(status, f);
    if (status == STATUS_OK && job->per_rank)
        status = per_rank_open(&rank_state_of(in)->per_rank, job->per_rank, f);
    return status;
}

/* Collective: says what computed. */
static void describe(const struct instance *in, const struct job *job, struct team team,
                     struct resources *resources)
{
    team_describe(job, team, resources);
    if (the_engine) {
        resources->threads = RECORD_NO_INT;
        the_engine->describe(resources);
    }
    resources->partition.workers =
        in->run->images.batch < resources->ranks ? in->run->images.batch : resources->ranks;
}

static enum status open_ranks(const struct job *job, struct instance **out,
                              struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    struct instance *in;
    struct team team;
    enum status status = make(job->subject, operation_method(job->operation), &in, f);
    status = mpi_processes.common_status(status, f);
    if (status == STATUS_OK)
        status = set_up(in, job, &team, resources, f);
    *out = NULL;
    if (status != STATUS_OK) {
        close_ranks(in);
        return status;
    }
    describe(in, job, team, resources);
    team_merge_facts(&resources->facts);
    merge_resources(start, resources);
    *out = in;
    return STATUS_OK;
}

/* Sets up an instance that shares the first one's images and file of times; messages and outputs
 * are its own. */
static enum status join_set_up(struct instance *first, struct instance *in, const struct job *job,
                               struct resources *resources, struct failure *f)
{
    const struct rank_state *other = rank_state_of(first);
    struct rank_state *c = rank_state_of(in);
    c->first = first;
    c->per_rank = other->per_rank;
    c->exchange.scatters = other->exchange.scatters;
    c->exchange.images = other->exchange.images;
    in->block = first->block;
    in->forward.input = first->forward.input;
    const enum status status = exchange_open(&c->exchange, in->run, f);
    return status == STATUS_OK ? open_run(in, job, first->forward.team, resources, f) : status;
}

static enum status join_ranks(struct instance *first, const struct job *job, struct instance **out,
                              struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    struct instance *in;
    enum status status = make(first->run, operation_method(job->operation), &in, f);
    if (status == STATUS_OK)
        status = join_set_up(first, in, job, resources, f);
    status = mpi_processes.common_status(status, f);
    *out = NULL;
    if (status != STATUS_OK) {
        close_ranks(in);
        return status;
    }
    merge_resources(start, resources);
    *out = in;
    return STATUS_OK;
}

/* ---- executing --------------------------------------------------------------------------------
 */

/* Where ranks other than the root receive their images. */
static float *received(const struct instance *in)
{
    return rank_state_of(in)->exchange.images;
}

/* Poisons all that is computed or received, so that nothing of the last execution passes for it. */
static void poison_ranks(struct instance *in)
{
    const struct exchange *e = &rank_state_of(in)->exchange;
    const struct network_run *run = in->run;
    const int64_t elements = run->images.here.count * tensor_elements(run->network.input);
    if (run->images.here.count > 0)
        forward_poison(&in->forward);
    for (int64_t i = 0; e->scatters && !is_root() && i < elements; i++)
        received(in)[i] = FLT_MAX;
    if (e->whole)
        memset(e->whole, 0xff,
               (size_t)(run->images.batch * tensor_elements(network_output(&run->network))) *
                   sizeof(float));
    if (the_engine)
        the_engine->poison(in);
}

/* Runs the images of this rank. A failure of the engine is kept until all ranks have executed. */
static void run_here(struct instance *in, struct rank_times *times)
{
    struct rank_state *c = rank_state_of(in);
    struct failure f = {0};
    if (!the_engine) {
        forward_run(&in->forward);
        return;
    }
    if (the_engine->execute(in, &c->of_device, &f) != STATUS_OK)
        c->trouble = f;
    else if (in->run->images.here.count > 0)
        times->device_s += c->of_device.device_compute_s;
}

static void execute_once(struct instance *in, struct rank_times *times)
{
    struct exchange *e = &rank_state_of(in)->exchange;
    const double begin = clock_now();
    if (e->scatters)
        exchange_scatter(e, in->run, received(in));
    const double here = clock_now();
    run_here(in, times);
    const double computed = clock_now();
    if (e->scatters)
        exchange_collect(e, in->run, in->forward.output);
    const double end = clock_now();
    in->moments = (struct moments){begin, here, computed, end, e->scatters};
    times->distribute_s += here - begin;
    times->compute_s += computed - here;
    times->collect_s += end - computed;
}

/* Returns what became of the engines of all ranks, and forgets it. */
static enum status engine_status(struct instance *in, struct failure *f)
{
    struct failure *mine = &rank_state_of(in)->trouble;
    const enum status status = mine->status;
    if (status != STATUS_OK)
        *f = *mine;
    *mine = (struct failure){0};
    return mpi_processes.common_status(status, f);
}

/* Reads the devices of all ranks after an execution, unless they were read in it. */
static enum status read_devices(struct instance *in, struct phases *phases, struct failure *f)
{
    struct phases *mine = &rank_state_of(in)->of_device;
    const enum status status = the_engine->read(in, mine, f);
    the_engine->merge_readings(mine);
    phases->clock_mhz = mine->clock_mhz;
    phases->power_w = mine->power_w;
    phases->throttle_rank = mine->throttle_rank;
    memcpy(phases->throttle, mine->throttle, sizeof phases->throttle);
    return mpi_processes.common_status(status, f);
}

/* The ranks start together once; each begins the next execution as soon as it can. */
static enum status execute_batch_ranks(struct instance *in, int64_t repeats, struct phases *phases,
                                       struct failure *f)
{
    const double n = (double)repeats;
    struct rank_times times = {.device_s = the_engine ? 0.0 : (double)NAN};
    const struct start start = start_together();
    for (int64_t i = 0; i < repeats; i++)
        execute_once(in, &times);
    times.total_s = (clock_now() - start.at) / n;
    times.start_error_s = start.error_s;
    times.distribute_s /= n;
    times.compute_s /= n;
    times.collect_s /= n;
    times_reduce(&times, false, phases);
    rank_state_of(in)->times = times;
    const enum status status = the_engine ? engine_status(in, f) : STATUS_OK;
    return status == STATUS_OK && the_engine ? read_devices(in, phases, f) : status;
}

static enum status execute_ranks(struct instance *in, struct phases *phases, struct failure *f)
{
    return execute_batch_ranks(in, 1, phases, f);
}

static enum status note_ranks(struct instance *in, struct failure *f)
{
    const struct rank_state *c = rank_state_of(in);
    return c->per_rank ? per_rank_append(c->per_rank, c->method, &c->times, f) : STATUS_OK;
}

/* Gathers the outputs of all ranks now, unless they were gathered within the sample. */
static enum status gather_ranks(struct instance *in, const float **map, struct failure *f)
{
    struct exchange *e = &rank_state_of(in)->exchange;
    const enum status status =
        mpi_processes.common_status(exchange_allocate_outputs(e, in->run, f), f);
    if (status == STATUS_OK && !e->scatters)
        exchange_collect(e, in->run, in->forward.output);
    *map = e->whole;
    return status;
}

const struct space network_ranks = {.name = "mpi",
#ifdef MAXPOOL_HAVE_OPENMP
                                    .has_threads = true,
#endif
                                    .processes = &mpi_processes,
                                    .open = open_ranks,
                                    .join = join_ranks,
                                    .poison = poison_ranks,
                                    .execute = execute_ranks,
                                    .execute_batch = execute_batch_ranks,
                                    .check_guards = network_check_guards,
                                    .note = note_ranks,
                                    .map = network_map,
                                    .gather = gather_ranks,
                                    .close = close_ranks};

struct space network_ranks_by(const struct network_engine *engine)
{
    struct space s = network_ranks;
    the_engine = engine;
    s.name = engine->space;
    s.kind = engine->kind;
    s.has_threads = false;
    s.execute_batch = NULL; /* no execution of a device is too short for the clock */
    return s;
}
