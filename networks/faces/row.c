/* The row that represents faces in the harness: one operation is all distances of all pictures; its
 * methods are the structures. */
#include "networks/faces/faces.h"
#include "networks/operator_rows.h"

#include <stdio.h>

static struct refusal shape(struct operation *op)
{
    const int64_t n = faces_run_around(op)->images;
    op->map = (struct image_shape){1, n, n};
    return geometry_elements(1, n, n) < 0
               ? refusal_make(REFUSAL_RESOURCE, "%lld x %lld distances cannot be counted in bytes",
                              (long long)n, (long long)n)
               : refusal_make(REFUSAL_NONE, "%s", "");
}

/* Multiply-adds of all pictures, through a network of `network` multiply-adds, and of each pair
 * once. */
static double with_pairs(const struct faces_run *run, double network)
{
    const double n = (double)run->images;
    return n * network + 0.5 * n * (n - 1.0) * (double)faces_dimensions(run);
}

static double multiply_adds(const struct operation *op)
{
    const struct faces_run *run = faces_run_around(op);
    return with_pairs(run, network_multiply_adds(&run->network));
}

static struct need need(const struct operation *op, bool product)
{
    const struct faces_run *run = faces_run_around(op);
    const double in = (double)shape_elements(op->image) + (double)run->network.floats;
    (void)product;
    return (struct need){
        .bytes_read = in * sizeof(float),
        .bytes_written = (double)shape_elements(op->map) * sizeof(float),
        .least = {.multiply_adds = with_pairs(run, rows_least_multiply_adds(&run->network))},
        .per_output = {.multiply_adds = multiply_adds(op)}};
}

static int64_t terms(const struct operation *op)
{
    return (int64_t)(multiply_adds(op) / (double)shape_elements(op->map));
}

/* The network is read and packed once per picture: about 1000 operations per value. */
static double cost_of_reloading(const struct operation *op)
{
    const double each = 1000.0;
    const struct faces_run *run = faces_run_around(op);
    return rows_cost(op) + each * (double)run->network.floats / (double)run->images;
}

static void describe(const struct operation *op, char *text, size_t size)
{
    snprintf(text, size, "faces by %s", faces_run_around(op)->network.name);
}

static const struct method structures[] = {
    {.name = "reload",
     .kind = SPACE_HOST,
     .product = true,
     .idea = "the network is read again for every picture; the same loop computes the distances",
     .cost = cost_of_reloading},
    {.name = "once", ROWS_HOST_METHOD, .idea = "the same loop, but the network is read once"},
    {.name = "split",
     ROWS_HOST_METHOD,
     .idea = "one loop for the embeddings, then one for the distances"},
    {.name = "batched",
     ROWS_HOST_METHOD,
     .idea = "pictures in batches, and the distances as a matrix product"},
};

static const struct method *structure_at(size_t i)
{
    return i < sizeof structures / sizeof *structures ? &structures[i] : NULL;
}

static const char *const examples[] = {
    "--network resnet18 --features --structure all --max-seconds 60",
    "--network mobilenet_v2 --features --image-size 96 -i photographs/ --structure batched",
    "--network resnet18 --features --structure reload,batched --timeline timeline.csv", NULL};

const struct operator_row faces_row = {
    .name = "faces",
    .words = {.subject = "faces",
              .measures = "programs of four structures, which embed a folder of pictures by a "
                          "network and compute all distances between the embeddings.",
              .map = "Distances",
              .units = "pairs of pictures",
              .parts = "terms",
              .one_unit = "pair of pictures",
              .one_part = "term",
              .example = "batched",
              .examples = examples,
              .unit = N_("pair"),
              .in_flops = true},
    .parameters = rows_no_parameters,
    .operands = rows_no_operands,
    .many_planes = true,
    .shape = shape,
    .method = structure_at,
    .is_built = rows_is_built,
    .device = DEVICE_NONE,
    .need = need,
    .terms = terms,
    .describe = describe};
