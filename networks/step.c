#include "networks/step.h"

#include "kernels/conv/methods.h"
#include "networks/layers/dropout.h"
#include "networks/layers/epilogue.h"

#include <stdlib.h>

/* ---- partitioning -----------------------------------------------------------------------------
 */

void step_partition_planes(struct step *s)
{
    s->partitioning = PARTITION_PLANES;
    s->align = 1;
}

static enum status make_parts(struct step *s, int count, struct failure *f)
{
    s->parts = calloc((size_t)count, sizeof *s->parts);
    if (!s->parts)
        return fail(f, STATUS_RESOURCE, "no memory for %d workers", count);
    s->part_count = count;
    return STATUS_OK;
}

enum status step_make_parts(struct step *s, int64_t align, struct failure *f)
{
    const int64_t channels = s->out.channels, units = (channels + align - 1) / align;
    const enum status status = make_parts(s, (int)s->workers, f);
    s->partitioning = PARTITION_CHANNELS;
    for (int w = 0; status == STATUS_OK && w < s->part_count; w++) {
        int64_t first, end;
        shares_part(units, s->workers, w, &first, &end);
        const int64_t past = end * align < channels ? end * align : channels;
        s->parts[w].channel = first * align;
        s->parts[w].channels = first < end ? past - first * align : 0;
    }
    return status;
}

enum status step_make_part(struct step *s, struct failure *f)
{
    const enum status status = make_parts(s, 1, f);
    if (status == STATUS_OK)
        s->parts[0].channels = s->out.channels;
    return status;
}

/* ---- a portion --------------------------------------------------------------------------------
 */

/* Adds to, clamps and drops elements [at, at + count) of an image, which were just computed and are
 * still in the caches. */
static void finish_run(const struct step *s, bool finishes, int64_t image, int64_t at,
                       int64_t count)
{
    const int64_t first = image * tensor_elements(s->out) + at;
    const struct epilogue e = {.values = s->to + first,
                               .added = s->add ? s->residual + first : NULL,
                               .count = count,
                               .clamped = s->clamp != NULL,
                               .least = s->clamp ? s->clamp->kind->least : 0.0f,
                               .most = s->clamp ? s->clamp->kind->most : 0.0f};
    if (finishes)
        epilogue_run(&e, s->isa);
    if (s->drop)
        dropout_run(s->draws, s->drop, image, at, e.values, count, s->isa);
}

/* Whole planes are contiguous, and form one run; otherwise the rows of each plane are a run. */
static void finish_portion(const struct step *s, const struct portion_of_step *p)
{
    const int64_t plane = s->out.rows * s->out.cols, elements = p->rows * s->out.cols;
    const int64_t together = p->rows == s->out.rows ? p->channels : 1;
    const bool finishes = (s->add || s->clamp) && !s->layer->kind->finishes;
    if (!finishes && !s->drop)
        return;
    for (int64_t n = p->image; n < p->image + p->images; n++)
        for (int64_t c = p->channel; c < p->channel + p->channels; c += together)
            finish_run(s, finishes, n, c * plane + p->row * s->out.cols, elements * together);
}

static void run_portion(const struct step *s, const struct portion_of_step *p)
{
    s->layer->kind->run(s, p);
    finish_portion(s, p);
}

/* Groups of rows of an image. */
static int64_t groups_of(const struct step *s)
{
    return (s->out.rows + s->align - 1) / s->align;
}

/* Runs groups of rows, numbered over all images: groups of one image at a time, or whole images
 * together if the method takes several. */
static void run_rows(const struct step *s, int64_t first, int64_t end, struct portion_of_step *p)
{
    const int64_t groups = groups_of(s);
    const bool several = s->choice && s->choice->head.whole_planes;
    p->channels = s->out.channels;
    while (first < end) {
        const int64_t group = first % groups, left = end - first;
        const int64_t count = left < groups - group ? left : groups - group;
        const int64_t rest = s->out.rows - group * s->align;
        p->image = first / groups;
        p->images = several && group == 0 && left >= groups ? left / groups : 1;
        p->row = group * s->align;
        p->rows = count * s->align < rest ? count * s->align : rest;
        run_portion(s, p);
        first += count + (p->images - 1) * groups;
    }
}

/* Runs planes, numbered over all images. */
static void run_planes(const struct step *s, int64_t first, int64_t end, struct portion_of_step *p)
{
    p->images = 1;
    p->rows = s->out.rows;
    while (first < end) {
        const int64_t left = end - first;
        p->image = first / s->out.channels;
        p->channel = first % s->out.channels;
        p->channels = left < s->out.channels - p->channel ? left : s->out.channels - p->channel;
        run_portion(s, p);
        first += p->channels;
    }
}

/* Runs the channels of one part in all images. */
static void run_channels(const struct step *s, int64_t part, struct portion_of_step *p)
{
    p->part = &s->parts[part];
    p->images = s->images;
    p->channel = p->part->channel;
    p->channels = p->part->channels;
    p->rows = s->out.rows;
    if (p->channels > 0)
        run_portion(s, p);
}

static int64_t units_of(const struct step *s)
{
    if (s->partitioning == PARTITION_CHANNELS)
        return s->part_count;
    return s->images * (s->partitioning == PARTITION_ROWS ? groups_of(s) : s->out.channels);
}

void step_run_pieces(const struct step *s, const struct shares *shares, int64_t worker,
                     void *scratch)
{
    struct taker t = {.shares = shares, .worker = worker, .units = units_of(s)};
    while (shares_take(&t)) {
        struct portion_of_step p = {.scratch = scratch, .part = s->parts};
        if (s->partitioning == PARTITION_ROWS)
            run_rows(s, t.first, t.end, &p);
        else if (s->partitioning == PARTITION_PLANES)
            run_planes(s, t.first, t.end, &p);
        else
            run_channels(s, t.first, &p);
    }
}

void step_run_share(const struct step *s, int64_t worker, void *scratch)
{
    const struct shares own = {.workers = s->workers, .pieces = 1};
    step_run_pieces(s, &own, worker, scratch);
}

/* Pixels and multiply-adds below which a piece of a convolution takes longer per output: its tiles
 * would not be full, and weights would be read again for few outputs; elements of other steps. */
enum { PIECE_PIXELS = 512, PIECE_MULTIPLY_ADDS = 4 << 20, PIECE_ELEMENTS = 1 << 16 };

int64_t step_pieces(const struct step *s)
{
    const struct layer *l = s->layer;
    const double share = (double)s->images / (double)s->workers;
    if (s->partitioning == PARTITION_CHANNELS)
        return 1;
    if (!l->kind->multiply_adds)
        return shares_pieces((double)s->out.channels * share, 1.0,
                             (double)tensor_elements(s->in) * share, PIECE_ELEMENTS);
    return shares_pieces((double)(s->out.rows * s->out.cols) * share, PIECE_PIXELS,
                         l->kind->multiply_adds(l) * share, PIECE_MULTIPLY_ADDS);
}

bool step_is_never_exact(const struct step *s)
{
    return s->choice && s->choice->head.rounds;
}

const char *step_bound(const struct step *s)
{
    if (step_is_never_exact(s))
        return "tiles of 4";
    return s->choice && s->choice->bound ? "tiles of 2" : "sum";
}
