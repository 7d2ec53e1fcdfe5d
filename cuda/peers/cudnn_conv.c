/* Convolution by cuDNN, through its legacy interface, which every release has had. Tensors stay in
 * our memory order, or are converted to arrays in cuDNN's layout: packed as images x channels x
 * rows x cols (cudnn-nchw), or with channels innermost (cudnn-nhwc), for which it has more kernels.
 * It computes in float32 throughout (CUDNN_FMA_MATH: tensor cores would round the operands to 10
 * bits first), by the fastest of its algorithms that keeps our bounds: sums of products in some
 * order, or Winograd's smallest tiles. Fourier transforms and larger tiles are excluded, because
 * their errors differ. cuDNN measures the algorithms itself, once, in setup. Bias, residual and
 * clamp are passes of their own or part of the same call: the program measures both, and keeps the
 * faster. Source: NVIDIA cuDNN backend documentation, cudnnConvolutionForward,
 * cudnnConvolutionBiasActivationForward and cudnnFindConvolutionForwardAlgorithm. */
#include "cuda/peers/peer.h"
#include "peers/peers.h"

#include <cudnn.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PROPOSALS = CUDNN_CONVOLUTION_FWD_ALGO_COUNT,
    WORKSPACE_BYTES = 1 << 30 /* the most that an algorithm may take */
};

/* Layout of an image: as the operation has it, packed as images x channels x rows x cols, or with
 * channels innermost. */
enum layout { IN_PLACE, NCHW, NHWC };
static const enum layout nchw = NCHW, nhwc = NHWC;

/* An array in cuDNN's layout, and the tensors between which cuDNN converts: ours and its own. */
struct own {
    float *elements; /* NULL: in place */
    cudnnTensorDescriptor_t outside, inside;
};

struct peer_state {
    cudnnHandle_t handle;
    struct device_tools tools;
    enum layout layout;
    struct own own_image, own_map, own_weights;
    cudnnTensorDescriptor_t image, map, bias;
    cudnnFilterDescriptor_t weights;
    cudnnConvolutionDescriptor_t convolution;
    cudnnActivationDescriptor_t identity, clamp; /* of a fused call: nothing, or max(x, 0) */
    cudnnConvolutionFwdAlgo_t algorithm;
    void *workspace; /* NULL: none is needed */
    size_t workspace_bytes;
    char name[64];
};

static enum status check(cudnnStatus_t status, enum status otherwise, const char *what,
                         struct failure *f)
{
    if (status == CUDNN_STATUS_SUCCESS)
        return STATUS_OK;
    return fail(f, otherwise, "cuDNN: %s: %s", what, cudnnGetErrorString(status));
}

static const char *refuses(const struct operation *op)
{
    const double image = (double)shape_elements(op->image), map = (double)shape_elements(op->map);
    const double weights = (double)shape_elements(op->operands[OPERAND_WEIGHTS].shape);
    return image > INT_MAX || map > INT_MAX || weights > INT_MAX || op->geometry.stride > INT_MAX ||
                   op->geometry.padding > INT_MAX
               ? "cuDNN takes images, maps and weights of less than 2^31 elements"
               : NULL;
}

static void release_own(const struct peer_state *s, struct own *own)
{
    if (own->elements)
        s->tools.release(own->elements);
    if (own->outside)
        cudnnDestroyTensorDescriptor(own->outside);
    if (own->inside)
        cudnnDestroyTensorDescriptor(own->inside);
}

static void release(struct peer_state *s)
{
    release_own(s, &s->own_image);
    release_own(s, &s->own_map);
    release_own(s, &s->own_weights);
    s->tools.release(s->workspace);
    if (s->identity)
        cudnnDestroyActivationDescriptor(s->identity);
    if (s->clamp)
        cudnnDestroyActivationDescriptor(s->clamp);
    if (s->convolution)
        cudnnDestroyConvolutionDescriptor(s->convolution);
    if (s->weights)
        cudnnDestroyFilterDescriptor(s->weights);
    if (s->bias)
        cudnnDestroyTensorDescriptor(s->bias);
    if (s->map)
        cudnnDestroyTensorDescriptor(s->map);
    if (s->image)
        cudnnDestroyTensorDescriptor(s->image);
    if (s->handle)
        cudnnDestroy(s->handle);
}

/* ---- descriptions --------------------------------------------------------------------------- */

/* Describes a tensor images x channels x rows x cols. Elements of a row are `apart` floats
 * apart. */
static enum status describe_tensor(cudnnTensorDescriptor_t *tensor, const int sizes[4],
                                   const struct row_steps *steps, int apart, struct failure *f)
{
    enum status status = check(cudnnCreateTensorDescriptor(tensor), STATUS_RESOURCE, "a tensor", f);
    if (status == STATUS_OK)
        status = check(cudnnSetTensor4dDescriptorEx(*tensor, CUDNN_DATA_FLOAT, sizes[0], sizes[1],
                                                    sizes[2], sizes[3], (int)steps->image,
                                                    (int)steps->channel, (int)steps->row, apart),
                       STATUS_RESOURCE, "a tensor of the image's or map's size", f);
    return status;
}

/* Describes a dense tensor of the same sizes in one of cuDNN's layouts. */
static enum status describe_packed(cudnnTensorDescriptor_t *tensor, const int sizes[4],
                                   enum layout layout, struct failure *f)
{
    const int64_t channels = sizes[1], rows = sizes[2], cols = sizes[3];
    const struct row_steps packed = {channels * rows * cols, rows * cols, cols};
    const struct row_steps innermost = {channels * rows * cols, 1, channels * cols};
    return layout == NHWC ? describe_tensor(tensor, sizes, &innermost, (int)channels, f)
                          : describe_tensor(tensor, sizes, &packed, 1, f);
}

/* Describes the tensor that the convolution uses. Unless that is in place, also describes both
 * sides of the conversion and allocates the array. */
static enum status describe_side(struct peer_state *s, cudnnTensorDescriptor_t *tensor,
                                 struct own *own, const int sizes[4], const struct row_steps *steps,
                                 struct failure *f)
{
    const size_t elements =
        (size_t)sizes[0] * (size_t)sizes[1] * (size_t)sizes[2] * (size_t)sizes[3];
    if (s->layout == IN_PLACE)
        return describe_tensor(tensor, sizes, steps, 1, f);
    enum status status = describe_packed(tensor, sizes, s->layout, f);
    if (status == STATUS_OK)
        status = describe_tensor(&own->outside, sizes, steps, 1, f);
    if (status == STATUS_OK)
        status = describe_packed(&own->inside, sizes, s->layout, f);
    return status == STATUS_OK
               ? s->tools.check(
                     s->tools.allocate((void **)&own->elements, elements * sizeof(float)),
                     "an array in cuDNN's layout", "cuda/peers/cudnn_conv.c", __LINE__, f)
               : status;
}

static enum status describe_tensors(struct peer_state *s, const struct conv_task *t,
                                    struct failure *f)
{
    const int filters = (int)(t->groups * t->filters);
    const int image[] = {(int)t->images, (int)(t->groups * t->depth), (int)t->in_rows,
                         (int)t->in_cols};
    const int map[] = {(int)t->images, filters, (int)t->out_rows, (int)t->out_cols};
    const int bias[] = {1, filters, 1, 1};
    enum status status = describe_side(s, &s->image, &s->own_image, image, &t->in, f);
    if (status == STATUS_OK)
        status = describe_side(s, &s->map, &s->own_map, map, &t->out, f);
    if (status == STATUS_OK)
        status = describe_tensor(&s->bias, bias, &(struct row_steps){filters, 1, 1}, 1, f);
    return status;
}

/* Weights arrive packed as filters x channels x rows x cols. Images with channels innermost need
 * weights with channels innermost. */
static enum status describe_weights(struct peer_state *s, const struct conv_task *t,
                                    struct failure *f)
{
    const int filters = (int)(t->groups * t->filters), depth = (int)t->depth, k = (int)t->kernel;
    const int sizes[] = {filters, depth, k, k};
    const struct row_steps packed = {t->depth * t->kernel * t->kernel, t->kernel * t->kernel,
                                     t->kernel};
    cudnnTensorDescriptor_t *const inside = &s->own_weights.inside;
    const size_t bytes = (size_t)(filters * packed.image) * sizeof(float);
    enum status status =
        check(cudnnCreateFilterDescriptor(&s->weights), STATUS_RESOURCE, "the weights", f);
    if (status == STATUS_OK)
        status = check(
            cudnnSetFilter4dDescriptor(s->weights, CUDNN_DATA_FLOAT,
                                       s->layout == NHWC ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                                       filters, depth, k, k),
            STATUS_RESOURCE, "weights of this size", f);
    if (status != STATUS_OK || s->layout != NHWC)
        return status;
    status = describe_tensor(&s->own_weights.outside, sizes, &packed, 1, f);
    if (status == STATUS_OK)
        status = describe_packed(inside, sizes, NHWC, f);
    return status == STATUS_OK
               ? s->tools.check(s->tools.allocate((void **)&s->own_weights.elements, bytes),
                                "weights in cuDNN's layout", "cuda/peers/cudnn_conv.c", __LINE__, f)
               : status;
}

static enum status describe_convolution(struct peer_state *s, const struct conv_task *t,
                                        struct failure *f)
{
    const int padding = (int)-t->left, stride = (int)t->stride;
    enum status status = check(cudnnCreateConvolutionDescriptor(&s->convolution), STATUS_RESOURCE,
                               "a convolution", f);
    if (status == STATUS_OK)
        status =
            check(cudnnSetConvolution2dDescriptor(s->convolution, padding, padding, stride, stride,
                                                  1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
                  STATUS_RESOURCE, "a convolution with this window", f);
    if (status == STATUS_OK)
        status = check(cudnnSetConvolutionGroupCount(s->convolution, (int)t->groups),
                       STATUS_RESOURCE, "its groups", f);
    if (status == STATUS_OK)
        status = check(cudnnSetConvolutionMathType(s->convolution, CUDNN_FMA_MATH), STATUS_RESOURCE,
                       "float32 throughout", f);
    return status;
}

static enum status describe_activation(cudnnActivationDescriptor_t *activation,
                                       cudnnActivationMode_t mode, struct failure *f)
{
    enum status status =
        check(cudnnCreateActivationDescriptor(activation), STATUS_RESOURCE, "an activation", f);
    return status == STATUS_OK
               ? check(cudnnSetActivationDescriptor(*activation, mode, CUDNN_PROPAGATE_NAN, 0.0),
                       STATUS_RESOURCE, "this activation", f)
               : status;
}

static enum status describe_activations(struct peer_state *s, struct failure *f)
{
    const enum status status = describe_activation(&s->identity, CUDNN_ACTIVATION_IDENTITY, f);
    return status == STATUS_OK ? describe_activation(&s->clamp, CUDNN_ACTIVATION_RELU, f) : status;
}

/* ---- the algorithm -------------------------------------------------------------------------- */

static bool keeps_bounds(cudnnConvolutionFwdAlgo_t algorithm)
{
    return algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
           algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM ||
           algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM ||
           algorithm == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD;
}

static bool serves(const cudnnConvolutionFwdAlgoPerf_t *measured)
{
    return measured->status == CUDNN_STATUS_SUCCESS && keeps_bounds(measured->algo) &&
           measured->memory <= WORKSPACE_BYTES;
}

/* An array of zeros, for a trial. */
static enum status zeros(struct peer_state *s, float **out, int64_t floats, struct failure *f)
{
    const int sizes[] = {1, 1, 1, (int)floats};
    const struct row_steps steps = {floats, floats, floats};
    const float zero = 0.0f;
    cudnnTensorDescriptor_t tensor = NULL;
    enum status status =
        s->tools.check(s->tools.allocate((void **)out, (size_t)floats * sizeof(float)),
                       "an array for a trial of cuDNN", "cuda/peers/cudnn_conv.c", __LINE__, f);
    if (status == STATUS_OK)
        status = describe_tensor(&tensor, sizes, &steps, 1, f);
    if (status == STATUS_OK)
        status = check(cudnnSetTensor(s->handle, tensor, *out, &zero), STATUS_RESOURCE,
                       "an array of zeros", f);
    if (tensor)
        cudnnDestroyTensorDescriptor(tensor);
    return status;
}

static int64_t most_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Convolves zeros once by the algorithm that was taken. */
static enum status try_once(struct peer_state *s, const struct conv_task *t, struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    const int64_t channels = t->groups * t->depth, filters = t->groups * t->filters;
    const int64_t floats[] = {t->images * most_of(t->in.image, channels * t->in_rows * t->in_cols),
                              t->images *
                                  most_of(t->out.image, filters * t->out_rows * t->out_cols),
                              filters * t->depth * t->kernel * t->kernel};
    float *arrays[3] = {NULL, NULL, NULL};
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 3; i++)
        status = zeros(s, &arrays[i], floats[i], f);
    if (status == STATUS_OK)
        status =
            check(cudnnConvolutionForward(s->handle, &one, s->image, arrays[0], s->weights,
                                          arrays[2], s->convolution, s->algorithm, s->workspace,
                                          s->workspace_bytes, &zero, s->map, arrays[1]),
                  STATUS_UNAVAILABLE, "an algorithm in float32", f);
    for (int i = 0; i < 3; i++)
        s->tools.release(arrays[i]);
    return status;
}

/* Takes an algorithm in float32 throughout. If cuDNN measured it with another math type, its
 * workspace may have another size, and whether it computes in float32 shows only when it runs:
 * once, on zeros. */
static enum status take(struct peer_state *s, const cudnnConvolutionFwdAlgoPerf_t *measured,
                        const struct conv_task *t, struct failure *f)
{
    const bool as_measured = measured->mathType == CUDNN_FMA_MATH;
    enum status status = STATUS_OK;
    s->algorithm = measured->algo;
    s->workspace_bytes = measured->memory;
    if (!as_measured)
        status = check(cudnnGetConvolutionForwardWorkspaceSize(s->handle, s->image, s->weights,
                                                               s->convolution, s->map, s->algorithm,
                                                               &s->workspace_bytes),
                       STATUS_UNAVAILABLE, "an algorithm in float32", f);
    if (status == STATUS_OK && s->workspace_bytes > WORKSPACE_BYTES)
        return fail(f, STATUS_RESOURCE, "cuDNN: an algorithm takes %zu bytes", s->workspace_bytes);
    if (status == STATUS_OK && s->workspace_bytes > 0)
        status = s->tools.check(s->tools.allocate(&s->workspace, s->workspace_bytes),
                                "cuDNN's workspace", "cuda/peers/cudnn_conv.c", __LINE__, f);
    if (status == STATUS_OK && !as_measured)
        status = try_once(s, t, f);
    if (status == STATUS_OK)
        return STATUS_OK;
    s->tools.release(s->workspace);
    s->workspace = NULL;
    return status;
}

/* cuDNN returns its measurements with the fastest first. Takes the first one that serves, for whose
 * workspace there is memory, and that computes in float32: the descriptor demands that
 * (CUDNN_FMA_MATH), whatever math type cuDNN names. */
static enum status choose(struct peer_state *s, const struct conv_task *t, struct failure *f)
{
    cudnnConvolutionFwdAlgoPerf_t measured[PROPOSALS];
    int count = 0;
    enum status status =
        check(cudnnFindConvolutionForwardAlgorithm(s->handle, s->image, s->weights, s->convolution,
                                                   s->map, PROPOSALS, &count, measured),
              STATUS_RESOURCE, "the choice of an algorithm", f);
    if (status != STATUS_OK)
        return status;
    struct failure why = {0};
    for (int i = 0; i < count; i++)
        if (serves(&measured[i])) {
            why = (struct failure){0};
            if (take(s, &measured[i], t, &why) == STATUS_OK)
                return STATUS_OK;
        }
    if (why.message[0])
        return fail(f, why.status, "%s", why.message);
    return fail(f, STATUS_UNAVAILABLE, "cuDNN: no algorithm for this convolution in float32");
}

static void name_version(struct peer_state *s)
{
    const size_t v = cudnnGetVersion(), thousand = v >= 90000 ? 10000 : 1000;
    snprintf(s->name, sizeof s->name, "cudnn %zu.%zu.%zu, algorithm %d, math %d", v / thousand,
             v % thousand / 100, v % 100, (int)s->algorithm, (int)CUDNN_FMA_MATH);
}

static enum status prepare(const struct device_peer_job *job, struct peer_state *s,
                           const char **name, struct failure *f)
{
    s->tools = job->tools;
    s->layout = job->way ? *(const enum layout *)job->way : IN_PLACE;
    enum status status = setenv("NVIDIA_TF32_OVERRIDE", "0", 1) == 0
                             ? STATUS_OK
                             : fail(f, STATUS_RESOURCE, "no memory for the environment");
    if (status == STATUS_OK)
        status = check(cudnnCreate(&s->handle), STATUS_UNAVAILABLE, "it does not start here", f);
    if (status == STATUS_OK)
        status = describe_tensors(s, &job->conv, f);
    if (status == STATUS_OK)
        status = describe_weights(s, &job->conv, f);
    if (status == STATUS_OK)
        status = describe_convolution(s, &job->conv, f);
    if (status == STATUS_OK)
        status = describe_activations(s, f);
    if (status == STATUS_OK)
        status = choose(s, &job->conv, f);
    name_version(s);
    *name = s->name;
    return status;
}

/* Every call queues its work in the stream. */
static enum status use(const struct peer_state *s, cudaStream_t stream, struct failure *f)
{
    return check(cudnnSetStream(s->handle, stream), STATUS_RESOURCE, "the stream", f);
}

/* The task on the arrays that cuDNN reads and writes: the given ones, or those in its layout. */
static struct conv_task own_task(const struct peer_state *s, const struct conv_task *t)
{
    struct conv_task own = *t;
    own.image = s->own_image.elements ? s->own_image.elements : t->image;
    own.weights = s->own_weights.elements ? s->own_weights.elements : t->weights;
    own.map = s->own_map.elements ? s->own_map.elements : t->map;
    return own;
}

static enum status conv(struct peer_state *s, const struct conv_task *t, cudaStream_t stream,
                        struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    const struct conv_task own = own_task(s, t);
    enum status status = use(s, stream, f);
    if (status == STATUS_OK)
        status =
            check(cudnnConvolutionForward(s->handle, &one, s->image, own.image, s->weights,
                                          own.weights, s->convolution, s->algorithm, s->workspace,
                                          s->workspace_bytes, &zero, s->map, own.map),
                  STATUS_RESOURCE, "the convolution", f);
    if (status == STATUS_OK && t->bias)
        status = check(cudnnAddTensor(s->handle, &one, s->bias, t->bias, &one, s->map, own.map),
                       STATUS_RESOURCE, "the bias", f);
    return status;
}

/* The fused call takes a bias, and only one algorithm of it can leave the clamp out. A residual
 * must lie as the map does. */
static bool fuses(const struct peer_state *s, const struct conv_task *t)
{
    const bool clamps = t->clamped && t->least == 0.0f && t->most >= FLT_MAX;
    const struct row_steps *z = &t->residual, *y = &t->out;
    const bool alike = z->image == y->image && z->channel == y->channel && z->row == y->row;
    return t->bias && (!t->added || (alike && !s->own_map.elements)) &&
           (clamps ||
            (!t->clamped && s->algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM));
}

static enum status conv_fused(struct peer_state *s, const struct conv_task *t, cudaStream_t stream,
                              struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    const struct conv_task own = own_task(s, t);
    const enum status status = use(s, stream, f);
    if (status != STATUS_OK)
        return status;
    return check(cudnnConvolutionBiasActivationForward(
                     s->handle, &one, s->image, own.image, s->weights, own.weights, s->convolution,
                     s->algorithm, s->workspace, s->workspace_bytes, t->added ? &one : &zero,
                     s->map, t->added ? t->added : own.map, s->bias, t->bias,
                     t->clamped ? s->clamp : s->identity, s->map, own.map),
                 STATUS_RESOURCE, "the convolution with bias, residual and clamp", f);
}

/* ---- conversion to and from cuDNN's layouts -------------------------------------------------- */

static enum status reorder(struct peer_state *s, cudnnTensorDescriptor_t from,
                           const float *elements, cudnnTensorDescriptor_t to, float *out,
                           struct failure *f)
{
    const float one = 1.0f, zero = 0.0f;
    return check(cudnnTransformTensor(s->handle, &one, from, elements, &zero, to, out),
                 STATUS_RESOURCE, "a reorder", f);
}

static enum status convert_in(struct peer_state *s, const struct conv_task *t, cudaStream_t stream,
                              struct failure *f)
{
    const struct own *image = &s->own_image, *weights = &s->own_weights;
    enum status status = use(s, stream, f);
    if (status == STATUS_OK)
        status = reorder(s, image->outside, t->image, image->inside, image->elements, f);
    return status == STATUS_OK && weights->elements
               ? reorder(s, weights->outside, t->weights, weights->inside, weights->elements, f)
               : status;
}

static enum status convert_out(struct peer_state *s, const struct conv_task *t, cudaStream_t stream,
                               struct failure *f)
{
    const struct own *map = &s->own_map;
    const enum status status = use(s, stream, f);
    return status == STATUS_OK ? reorder(s, map->inside, map->elements, map->outside, t->map, f)
                               : status;
}

static enum status poison(struct peer_state *s, cudaStream_t stream, struct failure *f)
{
    const float nan = NAN;
    const struct own *all[] = {&s->own_image, &s->own_map, &s->own_weights};
    enum status status = use(s, stream, f);
    for (int i = 0; status == STATUS_OK && i < 3; i++)
        if (all[i]->elements)
            status = check(cudnnSetTensor(s->handle, all[i]->inside, all[i]->elements, &nan),
                           STATUS_RESOURCE, "a poisoned array", f);
    return status;
}

/* A macro, because only a macro can be an initializer. */
#define ON_DEVICE(...)                                                                             \
    {                                                                                              \
        .state_bytes = sizeof(struct peer_state), .prepare = prepare, .conv = conv,                \
        .fuses = fuses, .conv_fused = conv_fused, .release = release, __VA_ARGS__                  \
    }
static const struct device_peer on_device = ON_DEVICE();
static const struct device_peer on_device_reordered =
    ON_DEVICE(.convert_in = convert_in, .convert_out = convert_out, .poison = poison);
const struct peer peer_cudnn_conv = {.refuses = refuses, .device = &on_device};
const struct peer peer_cudnn_conv_nchw = {
    .refuses = refuses, .device = &on_device_reordered, .way = &nchw};
const struct peer peer_cudnn_conv_nhwc = {
    .refuses = refuses, .device = &on_device_reordered, .way = &nhwc};
