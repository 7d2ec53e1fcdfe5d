/* The table of peers. To add one: write peers/NAME.c with a struct peer (harness/space/peer.h),
 * make it a module of its library in peers/CMakeLists.txt, and add a row below with the names of
 * module and symbol. */
#include "peers/methods.h"

#include "kernels/conv/methods.h"
#include "kernels/matmul/matmul.h"
#include "kernels/maxpool/maxpool.h"
#include "peers/peers.h"
#include "peers/script_methods.h"

#ifdef MAXPOOL_HAVE_ONEDNN
#define ONEDNN_LACKS NULL
#else
#define ONEDNN_LACKS "built without oneDNN (Debian: libdnnl-dev)"
#endif
#ifdef MAXPOOL_HAVE_LIBXSMM
#define LIBXSMM_LACKS NULL
#else
#define LIBXSMM_LACKS "built without LIBXSMM (Debian: libxsmm-dev)"
#endif
#ifdef MAXPOOL_HAVE_OPENBLAS
#define OPENBLAS_LACKS NULL
#else
#define OPENBLAS_LACKS "built without OpenBLAS (Debian: libopenblas-openmp-dev)"
#endif

#if defined(MAXPOOL_HAVE_CUDNN)
#define CUDNN_LACKS NULL
#else
#define CUDNN_LACKS "built without cuDNN (set MAXPOOL_CUDNN_ROOT to its folder)"
#endif
#if defined(MAXPOOL_HAVE_CUBLAS)
#define CUBLAS_LACKS NULL
#else
#define CUBLAS_LACKS "built without cuBLAS (set MAXPOOL_CUBLAS_ROOT to its folder)"
#endif

/* Bytes of one copied window at the border, and one product. */
static size_t two_windows(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    size_t bytes;
    (void)cols;
    return __builtin_mul_overflow((size_t)g->kernel, (size_t)g->kernel, &bytes) ||
                   __builtin_mul_overflow(bytes, 2 * sizeof(float), &bytes)
               ? SIZE_MAX
               : bytes;
}

/* What the peers of a library have in common: why the build lacks it, and its module. */
#define ONEDNN    ONEDNN_LACKS, "peer_onednn.so"
#define LIBXSMM   LIBXSMM_LACKS, "peer_libxsmm.so"
#define OPENBLAS  OPENBLAS_LACKS, "peer_openblas.so"
#define CUDNN     CUDNN_LACKS, "peer_cudnn.so"
#define CUBLAS    CUBLAS_LACKS, "peer_cublas.so"

/* The maximum alone, without a filter. */
#define MAXIMUM   .product = false, .refuses = maxpool_refuses_filters

/* A row: operator, name, library, symbol, cost, idea, whether it computes the product, and what
 * else differs. They are macros because a library stands for two of their arguments. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names and initializers */
#define HOST(...) ROW(SPACE_HOST, false, __VA_ARGS__)
#define CARD(...) ROW(SPACE_CUDA, true, __VA_ARGS__)
#define ROW(space, on_gpu, of, its_name, lack, its_module, its_symbol, its_cost, its_idea, ...)    \
    {                                                                                              \
        .kind = &of##_operator,                                                                    \
        .method = {.name = its_name,                                                               \
                   .kind = space,                                                                  \
                   .needs_gpu = on_gpu,                                                            \
                   .idea = its_idea,                                                               \
                   .unavailable = lack,                                                            \
                   .cost = its_cost,                                                               \
                   __VA_ARGS__},                                                                   \
        .module = its_module, .symbol = its_symbol                                                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct peer_row host_rows[] = {
    HOST(maxpool, "onednn", ONEDNN, "peer_onednn", maxpool_maximum_cost,
         "oneDNN's maximum, planes as channels in the image's own layout (nchw)", MAXIMUM),
    HOST(maxpool, "onednn-nhwc", ONEDNN, "peer_onednn_nhwc", maxpool_maximum_cost,
         "the same memory described as images of one channel (nhwc), for which oneDNN has other "
         "code",
         MAXIMUM),
    HOST(maxpool, "onednn-blocked", ONEDNN, "peer_onednn_blocked", maxpool_maximum_cost,
         "oneDNN's maximum, image and map kept in its own blocks of 8 or 16 channels", MAXIMUM),
    HOST(maxpool, "onednn-reordered", ONEDNN, "peer_onednn_reordered", maxpool_maximum_cost,
         "onednn-blocked with the reorders from and to the image's own layout counted", MAXIMUM),
    HOST(maxpool, "libxsmm", LIBXSMM, "peer_libxsmm", maxpool_product_cost,
         "LIBXSMM's generated k x k product on each window in place, then the maximum",
         .product = true, .scratch_bytes = two_windows),
    {.kind = &maxpool_operator,
     .method = {.name = "pytorch",
                .kind = SPACE_HOST,
                .product = false,
                .refuses = maxpool_refuses_filters,
                .idea = "PyTorch's max_pool2d",
                .unavailable = "the program maxpool_pytorch times it, where Python has torch",
                .cost = maxpool_maximum_cost}},
    HOST(matmul, "openblas", OPENBLAS, "peer_openblas", matmul_cost, "OpenBLAS's sgemm",
         .product = true, .operations_per_s = PRODUCT_OPERATIONS_PER_S),
    {.kind = &matmul_operator,
     .method = {.name = "mkl",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "oneMKL's sgemm",
                .cost = matmul_cost,
                .operations_per_s = PRODUCT_OPERATIONS_PER_S},
     .missing = mkl_missing,
     .peer = &peer_mkl},
    HOST(matmul, "libxsmm", LIBXSMM, "peer_libxsmm_matmul", matmul_cost,
         "LIBXSMM's generated product of small matrices, each plane by itself", .product = true,
         .whole_planes = true, .whole_rows = true),
    HOST(conv, "onednn", ONEDNN, "peer_onednn_conv", conv_cost,
         "oneDNN's convolution of images in the order N x C x H x W", .product = true),
    HOST(conv, "onednn-blocked", ONEDNN, "peer_onednn_conv_blocked", conv_cost,
         "oneDNN's convolution, image and map kept in the layout that it chooses", .product = true),
    HOST(conv, "onednn-reordered", ONEDNN, "peer_onednn_conv_reordered", conv_cost,
         "onednn-blocked with the reorders from and to N x C x H x W counted", .product = true),
    HOST(conv_data_gradient, "onednn", ONEDNN, "peer_onednn_data_gradient", conv_cost,
         "oneDNN's data gradient of images in the order N x C x H x W", .product = true),
    HOST(conv_data_gradient, "onednn-blocked", ONEDNN, "peer_onednn_data_gradient_blocked",
         conv_cost, "oneDNN's data gradient, all operands kept in the layouts that it chooses",
         .product = true),
    HOST(conv_data_gradient, "onednn-reordered", ONEDNN, "peer_onednn_data_gradient_reordered",
         conv_cost, "onednn-blocked with the reorders from and to N x C x H x W counted",
         .product = true),
    HOST(conv_weight_gradient, "onednn", ONEDNN, "peer_onednn_weight_gradient", conv_cost,
         "oneDNN's weight gradient of images in the order N x C x H x W", .product = true),
    HOST(conv_weight_gradient, "onednn-blocked", ONEDNN, "peer_onednn_weight_gradient_blocked",
         conv_cost, "oneDNN's weight gradient, all operands kept in the layouts that it chooses",
         .product = true),
    HOST(conv_weight_gradient, "onednn-reordered", ONEDNN, "peer_onednn_weight_gradient_reordered",
         conv_cost, "onednn-blocked with the reorders from and to N x C x H x W counted",
         .product = true),
    HOST(conv, "libxsmm", LIBXSMM, "peer_libxsmm_conv", conv_cost,
         "LIBXSMM's direct convolution, image and map kept in blocks that it chooses",
         .product = true),
    HOST(conv, "openblas", OPENBLAS, "peer_openblas_conv", conv_cost,
         "all windows stored as a matrix, then OpenBLAS's sgemm", .product = true),
    {.kind = &conv_operator,
     .method = {.name = "mkl",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "all windows stored as a matrix, then oneMKL's sgemm",
                .cost = conv_cost},
     .missing = mkl_missing,
     .module = "peer_mkl.so",
     .symbol = "peer_mkl_conv"},
};

static const struct peer_row device_rows[] = {
    CARD(maxpool, "cudnn", CUDNN, "peer_cudnn", maxpool_maximum_cost,
         "cuDNN's maximum (legacy pooling interface), planes as channels", MAXIMUM),
    CARD(maxpool, "cublas", CUBLAS, "peer_cublas_pool", maxpool_product_cost,
         "cuBLAS's batched products of the windows in place, then the maximum by a kernel of ours",
         .product = true),
    CARD(matmul, "cublas", CUBLAS, "peer_cublas_product", matmul_cost,
         "cuBLAS's sgemm, of planes with a B of their own its batched one", .product = true),
    CARD(conv, "cudnn", CUDNN, "peer_cudnn_conv", conv_cost,
         "cuDNN's convolution (legacy interface), in float32 throughout, by the fastest algorithm "
         "that it measured within our bounds",
         .product = true, .refuses = conv_refuses_epilogue),
    CARD(conv, "cudnn-nchw", CUDNN, "peer_cudnn_conv_nchw", conv_cost,
         "cudnn with image and map packed (N x C x H x W); reorders are in distribute and collect",
         .product = true, .refuses = conv_refuses_epilogue),
    CARD(conv, "cudnn-nhwc", CUDNN, "peer_cudnn_conv_nhwc", conv_cost,
         "cudnn with channels innermost (N x H x W x C), weights too; reorders are in distribute "
         "and collect",
         .product = true, .refuses = conv_refuses_epilogue),
    CARD(conv, "cublas", CUBLAS, "peer_cublas_conv", conv_cost,
         "all windows stored by a kernel of ours, then cuBLAS's batched products", .product = true,
         .refuses = conv_refuses_epilogue),
};

const struct peers host_peers = {.rows = host_rows,
                                 .count = sizeof host_rows / sizeof *host_rows,
                                 .load = peer_load,
                                 .limit = peer_limit};
const struct peers device_peers = {.rows = device_rows,
                                   .count = sizeof device_rows / sizeof *device_rows,
                                   .load = peer_load,
                                   .limit = peer_limit};

const struct method *peer_method_find(const struct operator_row *kind, const char *name)
{
    const struct peer_row *row = peers_find(&host_peers, kind, name);
    row = row ? row : peers_find(&device_peers, kind, name);
    return row ? &row->method : script_method_find(kind->name, name);
}
