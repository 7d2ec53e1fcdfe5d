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

static const struct peer_row host_rows[] = {
    {.kind = &maxpool_operator,
     .method = {.name = "onednn",
                .kind = SPACE_HOST,
                .product = false,
                .refuses = maxpool_refuses_filters,
                .idea = "oneDNN's maximum, planes as channels in the image's own layout (nchw)",
                .unavailable = ONEDNN_LACKS,
                .cost = maxpool_maximum_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn"},
    {.kind = &maxpool_operator,
     .method = {.name = "onednn-nhwc",
                .kind = SPACE_HOST,
                .product = false,
                .refuses = maxpool_refuses_filters,
                .idea =
                    "the same memory described as images of one channel (nhwc), for which oneDNN "
                    "has other code",
                .unavailable = ONEDNN_LACKS,
                .cost = maxpool_maximum_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_nhwc"},
    {.kind = &maxpool_operator,
     .method = {.name = "onednn-blocked",
                .kind = SPACE_HOST,
                .product = false,
                .refuses = maxpool_refuses_filters,
                .idea =
                    "oneDNN's maximum, image and map kept in its own blocks of 8 or 16 channels",
                .unavailable = ONEDNN_LACKS,
                .cost = maxpool_maximum_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_blocked"},
    {.kind = &maxpool_operator,
     .method = {.name = "onednn-reordered",
                .kind = SPACE_HOST,
                .product = false,
                .refuses = maxpool_refuses_filters,
                .idea =
                    "onednn-blocked with the reorders from and to the image's own layout counted",
                .unavailable = ONEDNN_LACKS,
                .cost = maxpool_maximum_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_reordered"},
    {.kind = &maxpool_operator,
     .method = {.name = "libxsmm",
                .kind = SPACE_HOST,
                .product = true,
                .idea =
                    "LIBXSMM's generated k x k product on each window in place, then the maximum",
                .unavailable = LIBXSMM_LACKS,
                .cost = maxpool_product_cost,
                .scratch_bytes = two_windows},
     .module = "peer_libxsmm.so",
     .symbol = "peer_libxsmm"},
    {.kind = &maxpool_operator,
     .method = {.name = "pytorch",
                .kind = SPACE_HOST,
                .product = false,
                .refuses = maxpool_refuses_filters,
                .idea = "PyTorch's max_pool2d",
                .unavailable = "the program maxpool_pytorch times it, where Python has torch",
                .cost = maxpool_maximum_cost}},
    {.kind = &matmul_operator,
     .method = {.name = "openblas",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "OpenBLAS's sgemm",
                .unavailable = OPENBLAS_LACKS,
                .cost = matmul_cost,
                .operations_per_s = PRODUCT_OPERATIONS_PER_S},
     .module = "peer_openblas.so",
     .symbol = "peer_openblas"},
    {.kind = &matmul_operator,
     .method = {.name = "mkl",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "oneMKL's sgemm",
                .cost = matmul_cost,
                .operations_per_s = PRODUCT_OPERATIONS_PER_S},
     .missing = mkl_missing,
     .peer = &peer_mkl},
    {.kind = &matmul_operator,
     .method = {.name = "libxsmm",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "LIBXSMM's generated product of small matrices, each plane by itself",
                .unavailable = LIBXSMM_LACKS,
                .cost = matmul_cost,
                .whole_planes = true,
                .whole_rows = true},
     .module = "peer_libxsmm.so",
     .symbol = "peer_libxsmm_matmul"},
    {.kind = &conv_operator,
     .method = {.name = "onednn",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "oneDNN's convolution of images in the order N x C x H x W",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_conv"},
    {.kind = &conv_operator,
     .method = {.name = "onednn-blocked",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "oneDNN's convolution, image and map kept in the layout that it chooses",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_conv_blocked"},
    {.kind = &conv_operator,
     .method = {.name = "onednn-reordered",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "onednn-blocked with the reorders from and to N x C x H x W counted",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_conv_reordered"},
    {.kind = &conv_data_gradient_operator,
     .method = {.name = "onednn",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "oneDNN's data gradient of images in the order N x C x H x W",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_data_gradient"},
    {.kind = &conv_data_gradient_operator,
     .method = {.name = "onednn-blocked",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "oneDNN's data gradient, all operands kept in the layouts that it chooses",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_data_gradient_blocked"},
    {.kind = &conv_data_gradient_operator,
     .method = {.name = "onednn-reordered",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "onednn-blocked with the reorders from and to N x C x H x W counted",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_data_gradient_reordered"},
    {.kind = &conv_weight_gradient_operator,
     .method = {.name = "onednn",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "oneDNN's weight gradient of images in the order N x C x H x W",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_weight_gradient"},
    {.kind = &conv_weight_gradient_operator,
     .method = {.name = "onednn-blocked",
                .kind = SPACE_HOST,
                .product = true,
                .idea =
                    "oneDNN's weight gradient, all operands kept in the layouts that it chooses",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_weight_gradient_blocked"},
    {.kind = &conv_weight_gradient_operator,
     .method = {.name = "onednn-reordered",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "onednn-blocked with the reorders from and to N x C x H x W counted",
                .unavailable = ONEDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_weight_gradient_reordered"},
    {.kind = &conv_operator,
     .method = {.name = "libxsmm",
                .kind = SPACE_HOST,
                .product = true,
                .idea =
                    "LIBXSMM's direct convolution, image and map kept in blocks that it chooses",
                .unavailable = LIBXSMM_LACKS,
                .cost = conv_cost},
     .module = "peer_libxsmm.so",
     .symbol = "peer_libxsmm_conv"},
    {.kind = &conv_operator,
     .method = {.name = "openblas",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "all windows stored as a matrix, then OpenBLAS's sgemm",
                .unavailable = OPENBLAS_LACKS,
                .cost = conv_cost},
     .module = "peer_openblas.so",
     .symbol = "peer_openblas_conv"},
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
    {.kind = &maxpool_operator,
     .method = {.name = "cudnn",
                .kind = SPACE_CUDA,
                .needs_gpu = true,
                .product = false,
                .refuses = maxpool_refuses_filters,
                .idea = "cuDNN's maximum (legacy pooling interface), planes as channels",
                .unavailable = CUDNN_LACKS,
                .cost = maxpool_maximum_cost},
     .module = "peer_cudnn.so",
     .symbol = "peer_cudnn"},
    {.kind = &maxpool_operator,
     .method = {.name = "cublas",
                .kind = SPACE_CUDA,
                .needs_gpu = true,
                .product = true,
                .idea = "cuBLAS's batched products of the windows in place, then the maximum by a "
                        "kernel of ours",
                .unavailable = CUBLAS_LACKS,
                .cost = maxpool_product_cost},
     .module = "peer_cublas.so",
     .symbol = "peer_cublas_pool"},
    {.kind = &matmul_operator,
     .method = {.name = "cublas",
                .kind = SPACE_CUDA,
                .needs_gpu = true,
                .product = true,
                .idea = "cuBLAS's sgemm, of planes with a B of their own its batched one",
                .unavailable = CUBLAS_LACKS,
                .cost = matmul_cost},
     .module = "peer_cublas.so",
     .symbol = "peer_cublas_product"},
    {.kind = &conv_operator,
     .method = {.name = "cudnn",
                .kind = SPACE_CUDA,
                .needs_gpu = true,
                .product = true,
                .idea = "cuDNN's convolution (legacy interface), in float32 throughout, by the "
                        "fastest algorithm that it measured within our bounds",
                .refuses = conv_refuses_epilogue,
                .unavailable = CUDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_cudnn.so",
     .symbol = "peer_cudnn_conv"},
    {.kind = &conv_operator,
     .method = {.name = "cudnn-nchw",
                .kind = SPACE_CUDA,
                .needs_gpu = true,
                .product = true,
                .idea = "cudnn with image and map packed (N x C x H x W); reorders are in "
                        "distribute and collect",
                .refuses = conv_refuses_epilogue,
                .unavailable = CUDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_cudnn.so",
     .symbol = "peer_cudnn_conv_nchw"},
    {.kind = &conv_operator,
     .method = {.name = "cudnn-nhwc",
                .kind = SPACE_CUDA,
                .needs_gpu = true,
                .product = true,
                .idea = "cudnn with channels innermost (N x H x W x C), weights too; reorders "
                        "are in distribute and collect",
                .refuses = conv_refuses_epilogue,
                .unavailable = CUDNN_LACKS,
                .cost = conv_cost},
     .module = "peer_cudnn.so",
     .symbol = "peer_cudnn_conv_nhwc"},
    {.kind = &conv_operator,
     .method = {.name = "cublas",
                .kind = SPACE_CUDA,
                .needs_gpu = true,
                .product = true,
                .idea = "all windows stored by a kernel of ours, then cuBLAS's batched products",
                .refuses = conv_refuses_epilogue,
                .unavailable = CUBLAS_LACKS,
                .cost = conv_cost},
     .module = "peer_cublas.so",
     .symbol = "peer_cublas_conv"},
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
