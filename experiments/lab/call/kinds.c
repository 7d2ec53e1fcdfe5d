#include "experiments/lab/call/kinds.h"

#include <stdio.h>
#include <string.h>

/* ---- maxpool --------------------------------------------------------------------------------- */

static const struct lab_size pool_edges[] = {
    {.planes = 1, .rows = 1, .cols = 1, .kernel = 1, .stride = 1},
    {.planes = 1, .rows = 4, .cols = 4, .kernel = 2, .stride = 2},
    {.planes = 1, .rows = 1, .cols = 1, .kernel = 3, .stride = 1, .padding = 1},
    {.planes = 1, .rows = 2, .cols = 3, .kernel = 5, .stride = 1, .padding = 2},
    {.planes = 1, .rows = 1, .cols = 37, .kernel = 1, .stride = 3},
    {.planes = 1, .rows = 37, .cols = 1, .kernel = 1, .stride = 2},
    {.planes = 1, .rows = 5, .cols = 7, .kernel = 2, .stride = 2},
    {.planes = 1, .rows = 9, .cols = 14, .kernel = 3, .stride = 1},
    {.planes = 1, .rows = 17, .cols = 23, .kernel = 3, .stride = 5, .padding = 1},
    {.planes = 1, .rows = 16, .cols = 33, .kernel = 7, .stride = 3, .padding = 4},
    {.planes = 1, .rows = 3, .cols = 70, .kernel = 3, .stride = 1},
    {.planes = 19, .rows = 6, .cols = 5, .kernel = 2, .stride = 1},
    {.planes = 3, .rows = 31, .cols = 29, .kernel = 4, .stride = 2, .padding = 1},
    {.planes = 1, .rows = 64, .cols = 65, .kernel = 8, .stride = 8},
};

static int32_t pool_integers(const struct lab_size *s, int64_t threads, int32_t *out)
{
    const int64_t all[] = {s->planes, s->rows, s->cols, s->kernel, s->stride, s->padding, threads};
    for (size_t i = 0; i < 7; i++)
        out[i] = (int32_t)all[i];
    return 7;
}

static struct lab_size pool_size(const int32_t *n)
{
    return (struct lab_size){.planes = n[0],
                             .rows = n[1],
                             .cols = n[2],
                             .kernel = n[3],
                             .stride = n[4],
                             .padding = n[5]};
}

/* ---- matmul ---------------------------------------------------------------------------------- */

static const struct lab_size product_edges[] = {
    {.rows = 1, .cols = 1},   {.rows = 2, .cols = 2},   {.rows = 1, .cols = 19},
    {.rows = 19, .cols = 1},  {.rows = 5, .cols = 7},   {.rows = 16, .cols = 16},
    {.rows = 33, .cols = 17}, {.rows = 64, .cols = 65}, {.rows = 3, .cols = 130},
    {.rows = 97, .cols = 96},
};

static int32_t product_integers(const struct lab_size *s, int64_t threads, int32_t *out)
{
    out[0] = (int32_t)s->rows;
    out[1] = out[2] = (int32_t)s->cols;
    out[3] = (int32_t)threads;
    return 4;
}

static struct lab_size product_size(const int32_t *n)
{
    return (struct lab_size){.rows = n[0], .cols = n[1]};
}

/* ---- conv ------------------------------------------------------------------------------------ */

#define CONV(b, c, r, w, f, k, s, p)                                                               \
    {                                                                                              \
        .batch = (b), .planes = (c), .rows = (r), .cols = (w), .filters = (f), .kernel = (k),      \
        .stride = (s), .padding = (p)                                                              \
    }

static const struct lab_size conv_edges[] = {
    CONV(1, 1, 1, 1, 1, 1, 1, 0),   CONV(1, 1, 4, 4, 1, 3, 1, 0),  CONV(1, 1, 1, 1, 2, 3, 1, 1),
    CONV(1, 2, 2, 3, 1, 5, 1, 2),   CONV(1, 3, 1, 29, 2, 1, 2, 0), CONV(1, 3, 9, 14, 5, 3, 1, 1),
    CONV(2, 3, 11, 7, 4, 3, 2, 1),  CONV(3, 7, 6, 5, 9, 2, 3, 0),  CONV(1, 17, 8, 8, 16, 3, 1, 1),
    CONV(1, 2, 16, 19, 3, 7, 3, 4),
};

static int32_t conv_integers(const struct lab_size *s, int64_t threads, int32_t *out)
{
    const int64_t all[] = {s->batch,  s->planes, s->rows,    s->cols, s->filters,
                           s->kernel, s->stride, s->padding, threads};
    for (size_t i = 0; i < 9; i++)
        out[i] = (int32_t)all[i];
    return 9;
}

static struct lab_size conv_size(const int32_t *n)
{
    return (struct lab_size)CONV(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
}

/* ---- distances ------------------------------------------------------------------------------- */

static const struct lab_size points_edges[] = {
    {.rows = 1, .filters = 1, .cols = 1},    {.rows = 2, .filters = 3, .cols = 1},
    {.rows = 1, .filters = 17, .cols = 5},   {.rows = 17, .filters = 1, .cols = 5},
    {.rows = 13, .filters = 11, .cols = 3},  {.rows = 16, .filters = 32, .cols = 16},
    {.rows = 33, .filters = 9, .cols = 129}, {.rows = 65, .filters = 67, .cols = 31},
};

static int32_t points_integers(const struct lab_size *s, int64_t threads, int32_t *out)
{
    out[0] = (int32_t)s->rows;
    out[1] = (int32_t)s->filters;
    out[2] = (int32_t)s->cols;
    out[3] = (int32_t)threads;
    return 4;
}

static struct lab_size points_size(const int32_t *n)
{
    return (struct lab_size){.rows = n[0], .filters = n[1], .cols = n[2]};
}

/* ---- the table ------------------------------------------------------------------------------- */

#define EDGES(rows) .edges = (rows), .edge_count = sizeof(rows) / sizeof *(rows)

const struct lab_kind lab_kinds[] = {
    {.name = "maxpool",
     .signature = "void maxpool(const float *image, const float *filter, float *map, int planes, "
                  "int rows, int cols, int k, int stride, int padding, int threads);",
     .page = "docs/ladder.md#the-product-of-every-window",
     .most = 2048,
     .usual = {.planes = 1, .kernel = 2},
     EDGES(pool_edges),
     .counted_sizes = 6,
     .goal = "fused",
     .against = "literal, simd, shared_rows",
     .sizes = "size = 1024\nkernel = 3\nstride = 1\nthreads = 1",
     .integers = pool_integers,
     .size = pool_size},
    {.name = "matmul",
     .signature = "void matmul(const float *a, const float *b, float *c, int rows, int inner, int "
                  "cols, int threads);",
     .page = "docs/details/ladder_matmul.md",
     .most = 512,
     EDGES(product_edges),
     .counted_sizes = 2,
     .goal = "blocked",
     .against = "naive, interchanged, packed",
     .sizes = "size = 512\nthreads = 1",
     .integers = product_integers,
     .size = product_size},
    {.name = "conv",
     .signature = "void conv(const float *image, const float *weights, float *map, int batch, int "
                  "channels, int rows, int cols, int filters, int k, int stride, int padding, int "
                  "threads);",
     .page = "docs/conv.md",
     .most = 128,
     .usual = {.batch = 1, .planes = 16, .filters = 16, .kernel = 3, .stride = 1},
     EDGES(conv_edges),
     .goal = "im2col",
     .against = "literal, implicit",
     .sizes = "size = 64\nplanes = 32\nkernel = 3\nthreads = 1",
     .integers = conv_integers,
     .size = conv_size},
    {.name = "distances",
     .signature = "void distances(const float *x, const float *y, float *map, int points_x, int "
                  "points_y, int dimensions, int threads);",
     .page = "docs/ladder.md#the-methods",
     .most = 1024,
     .usual = {.cols = 64},
     EDGES(points_edges),
     .goal = "blocked",
     .against = "literal, symmetric, gram",
     .sizes = "size = 512\nthreads = 1",
     .integers = points_integers,
     .size = points_size},
};
const size_t lab_kind_count = sizeof lab_kinds / sizeof *lab_kinds;

const struct lab_kind *lab_kind_find(const char *name)
{
    for (size_t i = 0; i < lab_kind_count; i++)
        if (strcmp(lab_kinds[i].name, name) == 0)
            return &lab_kinds[i];
    return NULL;
}

struct lab_kind_names lab_kind_names(void)
{
    struct lab_kind_names names = {""};
    for (size_t i = 0, used = 0; i < lab_kind_count && used < sizeof names.text; i++) {
        const char *joint = i + 1 == lab_kind_count ? " and " : ", ";
        used += (size_t)snprintf(names.text + used, sizeof names.text - used, "%s%s",
                                 i > 0 ? joint : "", lab_kinds[i].name);
    }
    return names;
}

/* No option is given, so options that no size determines keep the operator's defaults. */
static bool none_given(const struct parameter *p, const void *context)
{
    (void)p;
    (void)context;
    return false;
}

static void set_parameters(struct operation *op, const struct lab_size *s)
{
    struct parameters *p = &op->parameters;
    operator_fill_defaults(op->kind, p, none_given, NULL);
    if (op->kind->parameters[0] == NULL)
        return;
    p->kernel = s->kernel;
    p->stride = s->stride > 0 ? s->stride : s->kernel;
    p->padding = s->padding;
    if (op->kind->image_channels) {
        p->batch = s->batch;
        p->channels = s->planes;
        p->filters = s->filters;
    }
}

enum status lab_operation(struct operation *op, const struct lab_kind *kind,
                          const struct lab_size *size, struct failure *f)
{
    *op = (struct operation){.kind = operator_find(kind->name)};
    set_parameters(op, size);
    op->image = (struct image_shape){size->planes > 0 ? size->planes : 1, size->rows, size->cols};
    if (op->kind->image_channels)
        op->image = (struct image_shape){size->batch, size->rows, size->planes * size->cols};
    if (op->kind->points)
        op->operands[op->kind->right].shape.rows = size->filters;
    const struct refusal refusal = op->kind->shape(op);
    return refusal_fail(&refusal, f);
}

void lab_size_text(const struct operation *op, char *text, size_t size)
{
    char parameters[128];
    const struct image_shape image = image_planes(op);
    op->kind->describe(op, parameters, sizeof parameters);
    const int used =
        image.planes > 1
            ? snprintf(text, size, "%lld planes of %lld x %lld", (long long)image.planes,
                       (long long)image.rows, (long long)image.cols)
            : snprintf(text, size, "%lld x %lld", (long long)image.rows, (long long)image.cols);
    if (parameters[0] && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %s", parameters);
}
