/* The row that represents networks in the harness: one batch is one operation; its map is the
 * outputs, one row per image. */
#include "networks/operator_rows.h"
#include "networks/point/network_run.h"

#include <stdio.h>

static struct refusal shape(struct operation *op)
{
    const struct network_run *run = network_run_around(op);
    op->map =
        (struct image_shape){1, run->images.batch, tensor_elements(network_output(&run->network))};
    return geometry_elements(1, op->map.rows, op->map.cols) < 0
               ? refusal_make(REFUSAL_RESOURCE, "the outputs of %lld images cannot be counted",
                              (long long)run->images.batch)
               : refusal_make(REFUSAL_NONE, "%s", "");
}

/* Reads and writes images, parameters and outputs, each value once. `apart` counts every
 * multiply-add of every layer, `least` those that no method can avoid. */
static struct need need(const struct operation *op, bool product)
{
    const struct network_run *run = network_run_around(op);
    const double of_image = run->settings.trains ? network_training_multiply_adds(&run->network)
                                                 : network_multiply_adds(&run->network);
    const double multiply_adds = of_image * (double)run->images.batch;
    const double forward = rows_least_multiply_adds(&run->network) * (double)run->images.batch;
    const double backward = run->settings.trains
                                ? network_multiply_adds(&run->network) * (double)run->images.batch
                                : 0.0;
    const double in = (double)shape_elements(op->image) + (double)run->network.floats;
    (void)product;
    return (struct need){.bytes_read = in * sizeof(float),
                         .bytes_written = (double)shape_elements(op->map) * sizeof(float),
                         .least = {.multiply_adds = forward + backward},
                         .per_output = {.multiply_adds = multiply_adds}};
}

static int64_t terms(const struct operation *op)
{
    const struct network_run *run = network_run_around(op);
    const double outputs = (double)op->map.cols;
    return (int64_t)(network_multiply_adds(&run->network) / outputs);
}

static void describe(const struct operation *op, char *text, size_t size)
{
    snprintf(text, size, "network %s", network_run_around(op)->network.name);
}

/* ---- methods ----------------------------------------------------------------------------------
 */

#ifdef MAXPOOL_HAVE_CUDNN
#define CUDNN_UNAVAILABLE NULL
#else
#define CUDNN_UNAVAILABLE "built without cuDNN (set MAXPOOL_CUDNN_ROOT to its folder)"
#endif

static const struct method methods[] = {
    {.name = "auto",
     ROWS_HOST_METHOD,
     .idea = "for each convolution the fastest method for its shape, among those with errors "
             "similar to a plain sum's"},
    {.name = "exact",
     ROWS_HOST_METHOD,
     .idea = "the same, among the methods that are exact on small integers (all but winograd4)"},
    {.name = "literal",
     ROWS_HOST_METHOD,
     .idea = "every convolution in seven loops, the definition",
     .operations_per_s = SCALAR_OPERATIONS_PER_S},
    {.name = "im2col",
     ROWS_HOST_METHOD,
     .idea = "every convolution as a matrix product of stored windows"},
    {.name = "implicit",
     ROWS_HOST_METHOD,
     .idea = "the same product, windows packed straight from the image"},
    {.name = "winograd",
     ROWS_HOST_METHOD,
     .idea = "3 x 3 windows at stride 1 or 2 by transformed tiles, all others as with auto"},
    {.name = "winograd4",
     ROWS_HOST_METHOD,
     .idea = "3 x 3 windows at stride 1 by tiles of 4 x 4 outputs (never exact), all others as "
             "with auto"},
    {.name = "own",
     .kind = SPACE_CUDA,
     .product = true,
     .idea = "all layers by this suite's kernels, convolutions as tiled matrix products",
     .unavailable = CUDA_UNAVAILABLE,
     .cost = rows_cost},
    {.name = "cudnn",
     .kind = SPACE_CUDA,
     .product = true,
     .idea = "convolutions and fully connected layers by cuDNN, all others by this suite's kernels",
     .unavailable = CUDNN_UNAVAILABLE,
     .needs_gpu = true,
     .cost = rows_cost},
};

static const struct method *method_at(size_t i)
{
    return i < sizeof methods / sizeof *methods ? &methods[i] : NULL;
}

static const char *const examples[] = {
    "--network resnet18 --layers",
    "--network mobilenet_v2 --image-size 512 --batch 4",
    "--network resnet18 --conv auto,implicit",
    "--network resnet18 --engine own,cudnn",
    "--network resnet18 --weights resnet18.safetensors -i images.npy -o classes.npy",
    "--list-networks",
    NULL};

const struct operator_row network_row = {
    .name = "network",
    .words = {.subject = "a network",
              .measures = "how long a network takes for one batch of images. Every layer is "
                          "compared with its definition.",
              .map = "Outputs",
              .units = "outputs",
              .parts = "terms",
              .one_unit = "output",
              .one_part = "term",
              .example = "auto",
              .examples = examples,
              .unit = N_("output"),
              .in_flops = true},
    .parameters = rows_no_parameters,
    .operands = rows_no_operands,
    .many_planes = true,
    .shape = shape,
    .method = method_at,
    .is_built = rows_is_built,
    .device = DEVICE_NONE,
    .need = need,
    .terms = terms,
    .describe = describe};
