/* Four programs for one result; faces.h describes them. */
#include "networks/faces/faces.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "kernels/distances/distances.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts ------------------------------------------------------------------------------------
 */

static double begin_part(struct instance *in, enum faces_part part)
{
    timeline_phase(in->run->timeline, faces_part_words[part]);
    return clock_now();
}

static void end_part(struct instance *in, enum faces_part part, double start)
{
    in->parts_s[part] += clock_now() - start;
}

static enum status open_network(struct instance *in, int64_t batch, struct failure *f)
{
    const double start = begin_part(in, FACES_NETWORK);
    const enum status status = faces_open_network(in, batch, f);
    end_part(in, FACES_NETWORK, start);
    return status;
}

/* Embeds pictures [first, first + count), at most as many as the network takes at a time. The rest
 * of the batch are pictures of the batch before. */
static enum status embed(struct instance *in, int64_t first, int64_t count, struct failure *f)
{
    const int64_t d = faces_dimensions(in->run);
    double start = begin_part(in, FACES_IMAGES);
    const enum status status = faces_images(in->run, in->source, first, count, in->images, f);
    end_part(in, FACES_IMAGES, start);
    if (status != STATUS_OK)
        return status;
    start = begin_part(in, FACES_EMBEDDING);
    forward_run(&in->forward);
    memcpy(in->embeddings + first * d, in->forward.output, (size_t)(count * d) * sizeof(float));
    end_part(in, FACES_EMBEDDING, start);
    return STATUS_OK;
}

static enum status embed_all(struct instance *in, int64_t batch, struct failure *f)
{
    const int64_t n = in->run->images;
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < n; i += batch)
        status = embed(in, i, n - i < batch ? n - i : batch, f);
    return status;
}

/* Computes the distances of embedding i to itself and to those before it, by the definition. Stores
 * each twice. */
static void compute_distances_before(struct instance *in, int64_t i)
{
    const int64_t n = in->run->images, d = faces_dimensions(in->run);
    const struct view points = {.data = in->embeddings, .row_stride = d, .rows = n};
    const struct distances_call call = {
        .dimensions = d,
        .x = points,
        .y = points,
        .same = true,
        .map = {.data = in->distances, .row_stride = n, .plane_stride = n * n},
        .block = {.planes = 1, .row = i, .rows = 1, .cols = i + 1}};
    distances_literal(&call, NULL);
    for (int64_t j = 0; j < i; j++)
        in->distances[j * n + i] = in->distances[i * n + j];
}

/* ---- one loop ---------------------------------------------------------------------------------
 */

static void compute_distances_timed(struct instance *in, int64_t i)
{
    const double start = begin_part(in, FACES_DISTANCES);
    compute_distances_before(in, i);
    end_part(in, FACES_DISTANCES, start);
}

static enum status run_reload(struct instance *in, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < in->run->images; i++) {
        status = open_network(in, 1, f);
        if (status == STATUS_OK)
            status = embed(in, i, 1, f);
        if (status == STATUS_OK)
            compute_distances_timed(in, i);
        faces_close_network(in);
    }
    return status;
}

static enum status run_once(struct instance *in, struct failure *f)
{
    enum status status = open_network(in, 1, f);
    for (int64_t i = 0; status == STATUS_OK && i < in->run->images; i++) {
        status = embed(in, i, 1, f);
        if (status == STATUS_OK)
            compute_distances_timed(in, i);
    }
    faces_close_network(in);
    return status;
}

/* ---- two loops --------------------------------------------------------------------------------
 */

/* Takes every workers-th row, since early rows are short and late ones long. */
static void distances_share(int64_t worker, void *context)
{
    struct instance *in = context;
    for (int64_t i = worker; i < in->run->images; i += in->team.workers)
        compute_distances_before(in, i);
}

static enum status run_split(struct instance *in, struct failure *f)
{
    enum status status = open_network(in, 1, f);
    if (status == STATUS_OK)
        status = embed_all(in, 1, f);
    faces_close_network(in);
    if (status != STATUS_OK)
        return status;
    const double start = begin_part(in, FACES_DISTANCES);
    in->team.run(in->team.workers, distances_share, in);
    end_part(in, FACES_DISTANCES, start);
    return STATUS_OK;
}

/* ---- batches and the operator -----------------------------------------------------------------
 */

struct gram {
    struct instance *in;
    struct operation operation;
    struct partition partition;
    char *scratch;
    size_t scratch_step;
};

static void gram_share(int64_t worker, void *context)
{
    const struct gram *g = context;
    const int64_t n = g->in->run->images, d = g->operation.image.cols;
    const struct view points = {.data = g->in->embeddings, .row_stride = d, .rows = n};
    const struct map_view map = {.data = g->in->distances, .row_stride = n, .plane_stride = n * n};
    struct share share = partition_share(&g->partition, worker);
    struct block block;
    double product_s = 0.0;
    while (partition_next(&g->partition, &share, &block)) {
        struct portion portion = portion_whole(&g->operation, &block, points, map,
                                               g->scratch + (size_t)worker * g->scratch_step);
        portion.shared_first = 0;
        portion.shared_rows = n;
        operation_run(&g->operation, &portion, &product_s);
    }
}

/* Makes the operation on the embeddings, and its scratch. */
static enum status make_gram(struct gram *g, float **centre, struct failure *f)
{
    const int64_t n = g->in->run->images, d = faces_dimensions(g->in->run);
    struct operation *op = &g->operation;
    double seconds;
    *op = (struct operation){
        .kind = &distances_operator,
        .image = {1, n, d},
        .operands[OPERAND_AGAINST] = {
            .values = g->in->embeddings, .shape = {1, n, d}, .itself = true, .name = "itself"}};
    const struct refusal refusal = op->kind->shape(op);
    enum status status = refusal_fail(&refusal, f);
    if (status != STATUS_OK)
        return status;
    op->method = operator_method(op->kind, SPACE_HOST, "gram");
    operation_choose_isa(op, g->in->operation->isa);
    status = operation_pack(op, centre, &seconds, f);
    op->packed = *centre;
    g->partition = operation_partition(op, g->in->team.workers, SPACE_MIN_COST);
    const size_t scratch = operation_scratch(op, partition_block_cols(&g->partition));
    g->scratch_step = memory_add(scratch, 4095) / 4096 * 4096;
    if (status == STATUS_OK)
        status = memory_allocate((void **)&g->scratch,
                                 memory_multiply(g->scratch_step, (size_t)g->in->team.workers),
                                 "the scratch", f);
    return status;
}

static enum status run_batched(struct instance *in, struct failure *f)
{
    const int64_t batch = faces_together(in->run);
    enum status status = open_network(in, batch, f);
    if (status == STATUS_OK)
        status = embed_all(in, batch, f);
    faces_close_network(in);
    if (status != STATUS_OK)
        return status;
    const double start = begin_part(in, FACES_DISTANCES);
    struct gram g = {.in = in};
    float *centre = NULL;
    status = make_gram(&g, &centre, f);
    if (status == STATUS_OK)
        in->team.run(g.partition.workers, gram_share, &g);
    free(centre);
    free(g.scratch);
    end_part(in, FACES_DISTANCES, start);
    return status;
}

/* ---- the table --------------------------------------------------------------------------------
 */

enum status faces_structure_run(struct instance *in, const char *name, struct failure *f)
{
    static const struct {
        const char *name;
        enum status (*run)(struct instance *in, struct failure *f);
    } structures[] = {
        {"reload", run_reload}, {"once", run_once}, {"split", run_split}, {"batched", run_batched}};
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++)
        if (strcmp(structures[i].name, name) == 0)
            return structures[i].run(in, f);
    return fail(f, STATUS_USAGE, "--structure: there is no '%s'", name);
}
