/* LIBXSMM's direct convolution (its deep learning interface, version 1): image, filters and map in
 * blocks of channels that it chooses, with padding as elements of its image. Our operands are
 * converted before any time is measured, and the result after. The caller's threads compute; the
 * layer is made for their number. */
#include "harness/machine/memory.h"
#include "kernels/conv/methods.h"
#include "kernels/interleave.h"
#include "peers/peers.h"

#include <libxsmm.h>
#include <libxsmm_dnn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* One operand in the library's layout. */
struct tensor {
    libxsmm_dnn_tensor *tensor;
    void *memory;
    size_t bytes;
};

struct peer_state {
    const struct operation *operation;
    libxsmm_dnn_layer *layer;
    struct tensor image, filters, map;
    void *scratch;
    float *planes; /* the map plane by plane */
    float *to;     /* the map in our layout */
    int threads;
    char name[64]; /* "LIBXSMM 1.17 clx" */
};

static const char *refuses(const struct operation *op)
{
    const struct parameters *p = &op->parameters;
    if (p->groups > 1)
        return "LIBXSMM has no groups";
    if (op->operands[OPERAND_BIAS].values)
        return "LIBXSMM adds no bias";
    if (p->batch > INT_MAX || p->channels > INT_MAX || p->filters > INT_MAX ||
        op->geometry.rows + 2 * p->padding > INT_MAX ||
        op->geometry.cols + 2 * p->padding > INT_MAX)
        return "LIBXSMM counts in 32 bits";
    return conv_refuses_epilogue(op);
}

/* ---- the layer --------------------------------------------------------------------------------
 */

static libxsmm_dnn_conv_desc description(const struct operation *op, int threads)
{
    const struct parameters *p = &op->parameters;
    libxsmm_dnn_conv_desc d;
    memset(&d, 0, sizeof d);
    d.N = (int)p->batch;
    d.C = (int)p->channels;
    d.H = (int)op->geometry.rows;
    d.W = (int)op->geometry.cols;
    d.K = (int)p->filters;
    d.R = d.S = (int)p->kernel;
    d.u = d.v = (int)p->stride;
    d.pad_h = d.pad_w = d.pad_h_in = d.pad_w_in = (int)p->padding;
    d.threads = threads;
    d.datatype_in = d.datatype_out = LIBXSMM_DNN_DATATYPE_F32;
    d.buffer_format = d.filter_format = LIBXSMM_DNN_TENSOR_FORMAT_LIBXSMM;
    d.algo = LIBXSMM_DNN_CONV_ALGO_DIRECT;
    d.options = LIBXSMM_DNN_CONV_OPTION_OVERWRITE;
    d.fuse_ops = LIBXSMM_DNN_CONV_FUSE_NONE;
    return d;
}

/* Allocates an operand in the layout that the layer wants, and binds it to the layer. */
static enum status bind(struct peer_state *s, libxsmm_dnn_tensor_type type, struct tensor *t,
                        struct failure *f)
{
    libxsmm_dnn_err_t error;
    libxsmm_dnn_tensor_datalayout *layout =
        libxsmm_dnn_create_tensor_datalayout(s->layer, type, &error);
    if (!layout)
        return fail(f, STATUS_RESOURCE, "LIBXSMM: %s", libxsmm_dnn_get_error(error));
    t->bytes = libxsmm_dnn_get_tensor_size(layout, &error);
    enum status status = memory_allocate(&t->memory, t->bytes, "LIBXSMM's operands", f);
    if (status == STATUS_OK) {
        t->tensor = libxsmm_dnn_link_tensor(layout, t->memory, &error);
        if (t->tensor)
            error = libxsmm_dnn_bind_tensor(s->layer, t->tensor, type);
        if (error != LIBXSMM_DNN_SUCCESS)
            status = fail(f, STATUS_RESOURCE, "LIBXSMM: %s", libxsmm_dnn_get_error(error));
    }
    libxsmm_dnn_destroy_tensor_datalayout(layout);
    return status;
}

static enum status make_layer(struct peer_state *s, struct failure *f)
{
    libxsmm_dnn_err_t error;
    s->layer = libxsmm_dnn_create_conv_layer(description(s->operation, s->threads), &error);
    if (!s->layer)
        return fail(f, STATUS_RESOURCE, "LIBXSMM: %s", libxsmm_dnn_get_error(error));
    enum status status = bind(s, LIBXSMM_DNN_REGULAR_INPUT, &s->image, f);
    if (status == STATUS_OK)
        status = bind(s, LIBXSMM_DNN_REGULAR_FILTER, &s->filters, f);
    if (status == STATUS_OK)
        status = bind(s, LIBXSMM_DNN_REGULAR_OUTPUT, &s->map, f);
    if (status != STATUS_OK)
        return status;
    const size_t bytes =
        libxsmm_dnn_get_scratch_size(s->layer, LIBXSMM_DNN_COMPUTE_KIND_FWD, &error);
    status = memory_allocate(&s->scratch, bytes + 1, "LIBXSMM's scratch", f);
    if (status == STATUS_OK)
        libxsmm_dnn_bind_scratch(s->layer, LIBXSMM_DNN_COMPUTE_KIND_FWD, s->scratch);
    return status;
}

/* ---- in and out -------------------------------------------------------------------------------
 */

/* Copies the image, plane by plane with its padding, into the library's blocks. */
static enum status fill_image(struct peer_state *s, const float *lines, struct failure *f)
{
    const struct operation *op = s->operation;
    const struct image_shape planes = image_planes(op);
    const int64_t padding = op->parameters.padding;
    const int64_t rows = planes.rows + 2 * padding, cols = planes.cols + 2 * padding;
    const size_t bytes = memory_multiply((size_t)planes.planes, (size_t)(rows * cols) * 4);
    float *own = NULL, *padded = NULL;
    enum status status = memory_allocate(
        (void **)&own, (size_t)shape_elements(planes) * sizeof *own, "the image plane by plane", f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&padded, bytes, "the padded image", f);
    if (status == STATUS_OK) {
        deinterleave(lines, planes, op->parameters.channels, own);
        memset(padded, 0, bytes);
        for (int64_t r = 0; r < planes.planes * planes.rows; r++)
            memcpy(padded + ((r / planes.rows * rows + r % planes.rows + padding) * cols + padding),
                   own + r * planes.cols, (size_t)planes.cols * sizeof *own);
        libxsmm_dnn_copyin_tensor(s->image.tensor, padded, LIBXSMM_DNN_TENSOR_FORMAT_NCHW);
    }
    free(own);
    free(padded);
    return status;
}

static enum status deliver(struct peer_state *s, struct failure *f)
{
    const struct operation *op = s->operation;
    (void)f;
    libxsmm_dnn_copyout_tensor(s->map.tensor, s->planes, LIBXSMM_DNN_TENSOR_FORMAT_NCHW);
    interleave(s->planes, map_planes(op), op->parameters.filters, s->to);
    memset(s->map.memory, 0xff, s->map.bytes);
    return STATUS_OK;
}

static void release_tensor(struct tensor *t)
{
    if (t->tensor)
        libxsmm_dnn_destroy_tensor(t->tensor);
    free(t->memory);
}

static void release(struct peer_state *s)
{
    if (s->layer)
        libxsmm_dnn_destroy_conv_layer(s->layer);
    release_tensor(&s->image);
    release_tensor(&s->filters);
    release_tensor(&s->map);
    free(s->scratch);
    free(s->planes);
}

/* ---- the peer ---------------------------------------------------------------------------------
 */

static enum status fill(struct peer_state *s, const struct peer_job *job, struct failure *f)
{
    enum status status = memory_allocate((void **)&s->planes,
                                         (size_t)shape_elements(s->operation->map) * sizeof(float),
                                         "the map plane by plane", f);
    if (status == STATUS_OK)
        status = make_layer(s, f);
    if (status == STATUS_OK)
        status = fill_image(s, job->image, f);
    if (status != STATUS_OK)
        return status;
    libxsmm_dnn_copyin_tensor(s->filters.tensor, s->operation->operands[OPERAND_WEIGHTS].values,
                              LIBXSMM_DNN_TENSOR_FORMAT_KCRS);
    memset(s->map.memory, 0xff, s->map.bytes);
    return STATUS_OK;
}

/* True if all threads can run at once: the layer's threads wait for each other. */
static bool has_threads(int64_t threads)
{
#ifdef _OPENMP
    return threads <= omp_get_thread_limit() && threads <= INT_MAX;
#else
    return threads == 1;
#endif
}

static enum status prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f)
{
    if (!has_threads(job->threads))
        return fail(f, STATUS_RESOURCE, "LIBXSMM: there are no %lld threads",
                    (long long)job->threads);
    s->operation = job->operation;
    s->to = job->map;
    s->threads = (int)job->threads;
    libxsmm_init();
    snprintf(s->name, sizeof s->name, "LIBXSMM %d.%d %s", LIBXSMM_VERSION_MAJOR,
             LIBXSMM_VERSION_MINOR, libxsmm_get_target_arch());
    *isa = s->name;
    return fill(s, job, f);
}

static enum status execute(struct peer_state *s, struct failure *f)
{
    (void)f;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
    for (int thread = 0; thread < s->threads; thread++)
        libxsmm_dnn_execute_st(s->layer, LIBXSMM_DNN_COMPUTE_KIND_FWD, 0, thread);
    return STATUS_OK;
}

const struct peer peer_libxsmm_conv = {.refuses = refuses,
                                       .state_bytes = sizeof(struct peer_state),
                                       .prepare = prepare,
                                       .execute = execute,
                                       .deliver = deliver,
                                       .release = release};
