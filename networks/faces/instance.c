#include "networks/faces/faces.h"

#include "harness/base/clock.h"
#include "harness/base/text/messages.h"
#include "harness/machine/memory.h"
#include "networks/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const faces_part_words[FACES_PARTS] = {N_("network"), N_("images"), N_("embedding"),
                                                   N_("distances")};

/* Fills `values` with the network's parameters: from the run's file, or seeded. */
static enum status faces_parameters(const struct faces_run *run, float *values, struct failure *f)
{
    if (run->weights)
        return parameters_read(&run->network, run->weights, values, NULL, f);
    parameters_seed(&run->network, run->seed, values);
    return STATUS_OK;
}

enum status faces_images(const struct faces_run *run, struct source *source, int64_t first,
                         int64_t count, float *images, struct failure *f)
{
    const struct tensor_shape in = run->network.input;
    const int64_t elements = in.rows * in.cols;
    struct image_range plane = {.rows = in.rows, .cols = in.cols};
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < count * in.channels; i++) {
        plane.plane = first * in.channels + i;
        status = source_read(source, &plane, images + i * elements, in.cols, NULL, f);
    }
    return status;
}

/* ---- the network ------------------------------------------------------------------------------
 */

/* In every structure the network sums products as for the largest batch, so that all structures
 * give the same bits. */
enum status faces_open_network(struct instance *in, int64_t batch, struct failure *f)
{
    const struct faces_run *run = in->run;
    in->forward = (struct forward){.team = in->team, .input = in->images};
    in->forward.plan = (struct plan){.network = &run->network,
                                     .parameters = in->parameters,
                                     .batch = batch,
                                     .whole_batch = faces_together(run),
                                     .isa = in->operation->isa};
    const enum status status = faces_parameters(run, in->parameters, f);
    return status == STATUS_OK ? forward_open(&in->forward, f) : status;
}

void faces_close_network(struct instance *in)
{
    forward_close(&in->forward);
    in->forward = (struct forward){0};
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static enum status allocate(struct instance *in, struct failure *f)
{
    const struct faces_run *run = in->run;
    const size_t n = (size_t)run->images, d = (size_t)faces_dimensions(run);
    const size_t image = (size_t)tensor_elements(run->network.input);
    const struct {
        float **out;
        size_t floats;
        const char *what;
    } parts[] = {
        {&in->parameters, (size_t)run->network.floats, "the parameters"},
        {&in->images, memory_multiply((size_t)faces_together(run), image), "the images"},
        {&in->embeddings, memory_multiply(n, d), "the embeddings"},
        {&in->distances, memory_multiply(n, n), "the distances"},
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sizeof parts / sizeof *parts; i++)
        status = memory_allocate((void **)parts[i].out,
                                 memory_multiply(parts[i].floats, sizeof(float)), parts[i].what, f);
    if (status == STATUS_OK)
        memset(in->images, 0, parts[1].floats * sizeof(float));
    return status;
}

/* Opens the network once before anything is timed, so that one that does not fit is reported. */
static enum status try_network(struct instance *in, struct resources *resources, struct failure *f)
{
    const enum status status = faces_open_network(in, faces_together(in->run), f);
    if (status == STATUS_OK)
        resources->scratch_bytes = (int64_t)forward_scratch_bytes(&in->forward);
    faces_close_network(in);
    return status;
}

static enum status open_instance(const struct job *job, struct source *source, struct team team,
                                 struct instance **out, struct resources *resources,
                                 struct failure *f)
{
    const double start = clock_now();
    struct instance *in = calloc(1, sizeof *in);
    *out = NULL;
    if (!in)
        return fail(f, STATUS_RESOURCE, "no memory for an instance");
    in->run = job->subject;
    in->operation = job->operation;
    in->source = source;
    in->team = team;
    in->fastest_s = INFINITY;
    enum status status = allocate(in, f);
    if (status == STATUS_OK)
        status = try_network(in, resources, f);
    if (status != STATUS_OK) {
        faces_close(in);
        return status;
    }
    resources->facts = IMAGE_FACTS_NONE;
    resources->isa = isa_name(job->operation->isa);
    resources->partition = (struct partition){.workers = team.workers};
    resources->pages = memory_pages(in->images, sizeof(float));
    resources->setup_s = clock_now() - start;
    *out = in;
    return STATUS_OK;
}

enum status faces_open(const struct job *job, struct team team, struct instance **out,
                       struct resources *resources, struct failure *f)
{
    return open_instance(job, job->source, team, out, resources, f);
}

enum status faces_join(struct instance *first, const struct job *job, struct instance **out,
                       struct resources *resources, struct failure *f)
{
    return open_instance(job, first->source, first->team, out, resources, f);
}

void faces_close(struct instance *in)
{
    if (!in)
        return;
    free(in->parameters);
    free(in->images);
    free(in->embeddings);
    free(in->distances);
    free(in);
}

/* ---- running ----------------------------------------------------------------------------------
 */

void faces_poison(struct instance *in)
{
    const size_t n = (size_t)in->run->images, d = (size_t)faces_dimensions(in->run);
    memset(in->embeddings, 0xff, n * d * sizeof(float));
    memset(in->distances, 0xff, n * n * sizeof(float));
}

enum status faces_execute(struct instance *in, struct phases *phases, struct failure *f)
{
    const char *structure = operation_method(in->operation);
    memset(in->parts_s, 0, sizeof in->parts_s);
    timeline_label(in->run->timeline, structure);
    const double start = clock_now();
    const enum status status = faces_structure_run(in, structure, f);
    const double seconds = clock_now() - start;
    timeline_label(in->run->timeline, "");
    *phases = phases_none();
    phases->distribute_s = phases->collect_s = 0.0;
    phases->compute_s = phases->total_s = seconds;
    if (seconds < in->fastest_s) {
        in->fastest_s = seconds;
        memcpy(in->fastest_parts_s, in->parts_s, sizeof in->parts_s);
    }
    return status;
}

const float *faces_map(const struct instance *in, int64_t *first, int64_t *count)
{
    *first = 0;
    *count = in->run->images * in->run->images;
    return in->distances;
}
