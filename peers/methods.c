/* The table of peers. To add one: write peers/NAME.c with a struct peer (harness/space/peer.h),
 * declare it in peers/peers.h, make it a module of its library in peers/CMakeLists.txt, name module
 * and symbol in the table of peers/load.c, and add a row below. */
#include "peers/methods.h"

#include <string.h>

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
#define CUDNN_LACKS "built without cuDNN (MAXPOOL_CUDNN_ROOT tells where it is)"
#endif
#if defined(MAXPOOL_HAVE_CUBLAS)
#define CUBLAS_LACKS NULL
#else
#define CUBLAS_LACKS "built without cuBLAS (MAXPOOL_CUBLAS_ROOT tells where it is)"
#endif

/* k^2 comparisons per output. */
static double maximum_cost(const struct geometry *g)
{
    return (double)g->kernel * (double)g->kernel;
}

/* k^3 multiply-adds and k^2 comparisons per output. */
static double product_cost(const struct geometry *g)
{
    const double k = (double)g->kernel;
    return 2.0 * k * k * k + k * k;
}

/* One window cut out at the border, and one product. */
static size_t two_windows(const struct geometry *g, int64_t cols)
{
    size_t bytes;
    (void)cols;
    return __builtin_mul_overflow((size_t)g->kernel, (size_t)g->kernel, &bytes) ||
                   __builtin_mul_overflow(bytes, 2 * sizeof(float), &bytes)
               ? SIZE_MAX
               : bytes;
}

const struct maxpool_method peer_maxpool_methods[] = {
    {.name = "onednn",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "oneDNN's maximum, planes as channels in the image's own layout (nchw)",
     .unavailable = ONEDNN_LACKS,
     .cost = maximum_cost},
    {.name = "onednn-nhwc",
     .kind = SPACE_HOST,
     .product = false,
     .idea =
         "the same memory told as images of one channel (nhwc), for which oneDNN has other code",
     .unavailable = ONEDNN_LACKS,
     .cost = maximum_cost},
    {.name = "onednn-blocked",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "oneDNN's maximum, image and map kept in its own blocks of 8 or 16 channels",
     .unavailable = ONEDNN_LACKS,
     .cost = maximum_cost},
    {.name = "onednn-reordered",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "onednn-blocked with the reorders from and to the image's own layout counted",
     .unavailable = ONEDNN_LACKS,
     .cost = maximum_cost},
    {.name = "libxsmm",
     .kind = SPACE_HOST,
     .product = true,
     .idea = "LIBXSMM's generated k x k product on each window in place, then the maximum",
     .unavailable = LIBXSMM_LACKS,
     .cost = product_cost,
     .scratch_bytes = two_windows},
    {.name = "pytorch",
     .kind = SPACE_HOST,
     .product = false,
     .idea = "PyTorch's max_pool2d",
     .unavailable = "the program maxpool_pytorch times it, where Python has torch",
     .cost = maximum_cost},
    {.name = NULL},
};

const struct matmul_method peer_matmul_methods[] = {
    {.name = "openblas",
     .kind = SPACE_HOST,
     .idea = "OpenBLAS's sgemm",
     .unavailable = OPENBLAS_LACKS},
    {.name = NULL},
};

const struct maxpool_method device_peer_maxpool_methods[] = {
    {.name = "cudnn",
     .kind = SPACE_CUDA,
     .product = false,
     .idea = "cuDNN's maximum (legacy pooling interface), planes as channels",
     .unavailable = CUDNN_LACKS,
     .cost = maximum_cost},
    {.name = "cublas",
     .kind = SPACE_CUDA,
     .product = true,
     .idea =
         "cuBLAS's batched products of the windows in place, then the maximum by a kernel of ours",
     .unavailable = CUBLAS_LACKS,
     .cost = product_cost},
    {.name = NULL},
};

const struct matmul_method device_peer_matmul_methods[] = {
    {.name = "cublas", .kind = SPACE_CUDA, .idea = "cuBLAS's sgemm", .unavailable = CUBLAS_LACKS},
    {.name = NULL},
};

const struct maxpool_method *peer_maxpool_find(const char *name)
{
    const struct maxpool_method *const tables[] = {peer_maxpool_methods,
                                                   device_peer_maxpool_methods};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct maxpool_method *m = tables[i]; m->name; m++)
            if (strcmp(m->name, name) == 0)
                return m;
    return NULL;
}

const struct matmul_method *peer_matmul_find(const char *name)
{
    for (const struct matmul_method *m = peer_matmul_methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}
