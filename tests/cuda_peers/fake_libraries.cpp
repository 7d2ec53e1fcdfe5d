#include "fake_libraries.h"

#include "cublas_v2.h"
#include "cudnn.h"
#include <cuda_runtime.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>

bool fake_fails, fake_idles, fake_finds_default;
int64_t fake_fused, fake_live, fake_products, fake_reorders, fake_convolutions_left = INT64_MAX;
int fake_proposals = 5;

struct cublasContext {
    cudaStream_t stream;
    cublasMath_t math;
};
struct cudnnContext {
    cudaStream_t stream;
};
struct cudnnTensorStruct {
    int n, c, h, w;
    int64_t n_stride, c_stride, h_stride, w_stride;

    int64_t at(int64_t image, int64_t channel, int64_t row, int64_t col) const
    {
        return image * n_stride + channel * c_stride + row * h_stride + col * w_stride;
    }
};
struct cudnnFilterStruct {
    int k, c, h, w;
    cudnnTensorFormat_t format;

    int64_t at(int64_t filter, int64_t channel, int64_t i, int64_t j) const
    {
        return format == CUDNN_TENSOR_NHWC ? ((filter * h + i) * w + j) * c + channel
                                           : ((filter * c + channel) * h + i) * w + j;
    }
};
struct cudnnConvolutionStruct {
    int row_padding, col_padding, row_stride, col_stride, groups;
    cudnnMathType_t math;
};
struct cudnnActivationStruct {
    cudnnActivationMode_t mode;
};
struct cudnnPoolingStruct {
    int rows, cols, row_padding, col_padding, row_stride, col_stride;
};

/* Queues work that one thread does when the stream reaches it. Returns false if it could not be
 * launched. */
static bool queue(cudaStream_t stream, const std::function<void()> &work)
{
    if (fake_idles)
        return true;
    emulation_launch(dim3(1), dim3(1), 0, stream, emulation_call(nullptr, work), nullptr);
    return cudaGetLastError() == cudaSuccess;
}

template <class T> static T *make()
{
    fake_live++;
    return new T();
}

template <class T> static void destroy(T *object)
{
    fake_live--;
    delete object;
}

/* The environment variable overrides every setting of a library. */
static bool rounds_to_ten_bits()
{
    const char *override = getenv("NVIDIA_TF32_OVERRIDE");
    return !override || strcmp(override, "0") != 0;
}

/* ---- cuBLAS --------------------------------------------------------------------------------- */

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    if (fake_fails)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = make<cublasContext>();
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    handle->math = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    destroy(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    *value = type == MAJOR_VERSION ? 13 : 1;
    return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_NOT_INITIALIZED ? "CUBLAS_STATUS_NOT_INITIALIZED"
                                                   : "CUBLAS_STATUS_INVALID_VALUE";
}

/* C (m x n) = A (m x k) B (k x n) + beta C, column-major. */
static void multiply(int m, int n, int k, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            float sum = beta == 0.0f ? 0.0f : beta * c[i + j * ldc];
            for (int64_t q = 0; q < k; q++)
                sum += a[i + q * lda] * b[q + j * ldb];
            c[i + j * ldc] = sum;
        }
}

/* True if no two products of a batch share an element: they follow each other, or their columns are
 * interleaved. */
static bool products_are_apart(int m, int n, int ldc, long long stride_c, int count)
{
    return count <= 1 || stride_c >= (long long)ldc * n ||
           (stride_c >= m && stride_c * (count - 1) + m <= ldc);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t,
                                         cublasOperation_t, int m, int n, int k, const float *alpha,
                                         const float *a, int lda, long long stride_a,
                                         const float *b, int ldb, long long stride_b,
                                         const float *beta, float *c, int ldc, long long stride_c,
                                         int count)
{
    const char *emulates = getenv("CUBLAS_EMULATE_SINGLE_PRECISION");
    if (handle->math != CUBLAS_DEFAULT_MATH || rounds_to_ten_bits() || !emulates ||
        strcmp(emulates, "0") != 0) /* at its best, in float32 */
        return CUBLAS_STATUS_INVALID_VALUE;
    const float scale = *beta;
    if (m < 0 || n < 0 || k < 0 || count < 0 || count > 65535 || lda < m || ldb < k || ldc < m ||
        *alpha != 1.0f || !products_are_apart(m, n, ldc, stride_c, count))
        return CUBLAS_STATUS_INVALID_VALUE;
    fake_products++;
    const bool launched = queue(handle->stream, [=] {
        for (long long i = 0; i < count; i++)
            multiply(m, n, k, a + i * stride_a, lda, b + i * stride_b, ldb, scale, c + i * stride_c,
                     ldc);
    });
    return launched ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *a, int lda, const float *b, int ldb, const float *beta,
                           float *c, int ldc)
{
    return cublasSgemmStridedBatched(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0,
                                     beta, c, ldc, 0, 1);
}

/* ---- cuDNN ---------------------------------------------------------------------------------- */

static cudnnStatus_t launch(cudnnHandle_t handle, const std::function<void()> &work)
{
    return queue(handle->stream, work) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle)
{
    if (fake_fails)
        return CUDNN_STATUS_NOT_INITIALIZED;
    *handle = make<cudnnContext>();
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle)
{
    destroy(handle);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUDNN_STATUS_SUCCESS;
}

size_t cudnnGetVersion(void)
{
    return 91900;
}

const char *cudnnGetErrorString(cudnnStatus_t status)
{
    return status == CUDNN_STATUS_NOT_INITIALIZED ? "CUDNN_STATUS_NOT_INITIALIZED"
                                                  : "CUDNN_STATUS_BAD_PARAM";
}

#define DESCRIPTOR(NAME)                                                                           \
    cudnnStatus_t cudnnCreate##NAME##Descriptor(cudnn##NAME##Descriptor_t *descriptor)             \
    {                                                                                              \
        *descriptor = make<cudnn##NAME##Struct>();                                                 \
        return CUDNN_STATUS_SUCCESS;                                                               \
    }                                                                                              \
    cudnnStatus_t cudnnDestroy##NAME##Descriptor(cudnn##NAME##Descriptor_t descriptor)             \
    {                                                                                              \
        destroy(descriptor);                                                                       \
        return CUDNN_STATUS_SUCCESS;                                                               \
    }
DESCRIPTOR(Tensor)
DESCRIPTOR(Pooling)
DESCRIPTOR(Filter)
DESCRIPTOR(Convolution)
DESCRIPTOR(Activation)

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t,
                                         cudnnDataType_t, int n, int c, int h, int w)
{
    if (n < 1 || c < 1 || h < 1 || w < 1)
        return CUDNN_STATUS_BAD_PARAM;
    *tensor = {n, c, h, w, (int64_t)c * h * w, (int64_t)h * w, w, 1};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t pooling, cudnnPoolingMode_t,
                                          cudnnNanPropagation_t, int rows, int cols,
                                          int row_padding, int col_padding, int row_stride,
                                          int col_stride)
{
    if (row_padding >= rows || col_padding >= cols)
        return CUDNN_STATUS_BAD_PARAM;
    *pooling = {rows, cols, row_padding, col_padding, row_stride, col_stride};
    return CUDNN_STATUS_SUCCESS;
}

/* Calls `at` with the indices of each element. */
template <class AT> static void for_each_element(const cudnnTensorStruct &t, const AT &at)
{
    for (int n = 0; n < t.n; n++)
        for (int c = 0; c < t.c; c++)
            for (int row = 0; row < t.h; row++)
                for (int col = 0; col < t.w; col++)
                    at(n, c, row, col);
}

static int outputs(int elements, int window, int padding, int stride)
{
    return 1 + (elements + 2 * padding - window) / stride;
}

static float maximum(const cudnnPoolingStruct &p, const cudnnTensorStruct &in, const float *plane,
                     int row, int col)
{
    float best = -INFINITY;
    for (int i = 0; i < p.rows; i++)
        for (int j = 0; j < p.cols; j++) {
            const int r = row * p.row_stride - p.row_padding + i;
            const int c = col * p.col_stride - p.col_padding + j;
            if (r >= 0 && r < in.h && c >= 0 && c < in.w)
                best = std::fmax(best, plane[(int64_t)r * in.w + c]);
        }
    return best;
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, cudnnPoolingDescriptor_t pooling,
                                  const void *alpha, cudnnTensorDescriptor_t x_tensor,
                                  const void *x, const void *beta, cudnnTensorDescriptor_t y_tensor,
                                  void *y)
{
    const cudnnPoolingStruct p = *pooling;
    const cudnnTensorStruct in = *x_tensor, out = *y_tensor;
    if (in.n != out.n || in.c != out.c || *(const float *)alpha != 1.0f ||
        *(const float *)beta != 0.0f ||
        out.h != outputs(in.h, p.rows, p.row_padding, p.row_stride) ||
        out.w != outputs(in.w, p.cols, p.col_padding, p.col_stride))
        return CUDNN_STATUS_BAD_PARAM;
    return launch(handle, [=] {
        for_each_element(out, [=](int n, int c, int row, int col) {
            const float *plane = (const float *)x + ((int64_t)n * in.c + c) * in.h * in.w;
            ((float *)y)[(((int64_t)n * out.c + c) * out.h + row) * out.w + col] =
                maximum(p, in, plane, row, col);
        });
    });
}

/* ---- cuDNN: convolution --------------------------------------------------------------------- */

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensor, cudnnDataType_t, int n,
                                           int c, int h, int w, int n_stride, int c_stride,
                                           int h_stride, int w_stride)
{
    if (n < 1 || c < 1 || h < 1 || w < 1 || n_stride < 1 || c_stride < 1 || h_stride < 1 ||
        w_stride < 1)
        return CUDNN_STATUS_BAD_PARAM;
    *tensor = {n, c, h, w, n_stride, c_stride, h_stride, w_stride};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w)
{
    if (k < 1 || c < 1 || h < 1 || w < 1)
        return CUDNN_STATUS_BAD_PARAM;
    *filter = {k, c, h, w, format};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convolution,
                                              int row_padding, int col_padding, int row_stride,
                                              int col_stride, int row_dilation, int col_dilation,
                                              cudnnConvolutionMode_t mode, cudnnDataType_t)
{
    if (row_padding < 0 || col_padding < 0 || row_stride < 1 || col_stride < 1 ||
        row_dilation != 1 || col_dilation != 1 || mode != CUDNN_CROSS_CORRELATION)
        return CUDNN_STATUS_BAD_PARAM;
    *convolution = {row_padding, col_padding, row_stride, col_stride, 1, CUDNN_DEFAULT_MATH};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convolution, int groups)
{
    convolution->groups = groups;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution,
                                          cudnnMathType_t type)
{
    convolution->math = type;
    return CUDNN_STATUS_SUCCESS;
}

enum { FAKE_WORKSPACE = 64 };

/* Windows of one pixel have another algorithm. */
static cudnnConvolutionFwdAlgo_t accurate_for(const cudnnFilterStruct &w)
{
    return w.h == 1 ? CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM
                    : CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
}

/* Proposes five algorithms: one that fails, one that rounds to 10 bits, one that takes too much
 * memory, one that is fast but not accurate, and one that serves. */
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t, cudnnTensorDescriptor_t x_tensor,
                                                   cudnnFilterDescriptor_t filter,
                                                   cudnnConvolutionDescriptor_t convolution,
                                                   cudnnTensorDescriptor_t, int wanted, int *count,
                                                   cudnnConvolutionFwdAlgoPerf_t *proposals)
{
    const cudnnConvolutionFwdAlgoPerf_t all[] = {
        {CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
         CUDNN_STATUS_EXECUTION_FAILED,
         -1,
         0,
         1,
         CUDNN_FMA_MATH,
         {}},
        {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
         CUDNN_STATUS_SUCCESS,
         1,
         0,
         1,
         CUDNN_DEFAULT_MATH,
         {}},
        {CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
         CUDNN_STATUS_SUCCESS,
         1,
         (size_t)1 << 40,
         1,
         CUDNN_FMA_MATH,
         {}},
        {CUDNN_CONVOLUTION_FWD_ALGO_FFT, CUDNN_STATUS_SUCCESS, 2, 0, 1, CUDNN_FMA_MATH, {}},
        {accurate_for(*filter), CUDNN_STATUS_SUCCESS, 3, FAKE_WORKSPACE, 1, CUDNN_FMA_MATH, {}},
    };
    if (wanted < 5 || x_tensor->c != filter->c * convolution->groups ||
        convolution->math != CUDNN_FMA_MATH)
        return CUDNN_STATUS_BAD_PARAM;
    *count = fake_proposals;
    for (int i = 0; i < fake_proposals; i++) {
        proposals[i] = all[i];
        if (fake_finds_default) {
            proposals[i].mathType = CUDNN_DEFAULT_MATH;
            proposals[i].memory = 0; /* in float32 it takes some */
        }
    }
    return CUDNN_STATUS_SUCCESS;
}

static float convolve(const cudnnConvolutionStruct &v, const cudnnTensorStruct &in,
                      const cudnnFilterStruct &w, const float *image, const float *weights, int k,
                      int row, int col)
{
    const int first = k / (w.k / v.groups) * w.c;
    float sum = 0.0f;
    for (int c = 0; c < w.c; c++)
        for (int i = 0; i < w.h; i++)
            for (int j = 0; j < w.w; j++) {
                const int r = row * v.row_stride - v.row_padding + i;
                const int q = col * v.col_stride - v.col_padding + j;
                if (r >= 0 && r < in.h && q >= 0 && q < in.w)
                    sum += image[in.at(0, first + c, r, q)] * weights[w.at(k, c, i, j)];
            }
    return sum;
}

/* True if channels are innermost in images and weights alike. With one channel or one column the
 * layouts cannot be distinguished. */
static bool are_of_one_layout(const cudnnTensorStruct &tensor, const cudnnFilterStruct &w)
{
    return tensor.c == 1 || tensor.w == 1 ||
           (w.format == CUDNN_TENSOR_NHWC) == (tensor.c_stride == 1 && tensor.w_stride == tensor.c);
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha,
                                      cudnnTensorDescriptor_t x_tensor, const void *x,
                                      cudnnFilterDescriptor_t filter, const void *weights,
                                      cudnnConvolutionDescriptor_t convolution,
                                      cudnnConvolutionFwdAlgo_t algorithm, void *workspace,
                                      size_t workspace_bytes, const void *beta,
                                      cudnnTensorDescriptor_t y_tensor, void *y)
{
    if (convolution->math != CUDNN_FMA_MATH || rounds_to_ten_bits())
        return CUDNN_STATUS_BAD_PARAM;
    const cudnnConvolutionStruct v = *convolution;
    const cudnnTensorStruct in = *x_tensor, out = *y_tensor;
    const cudnnFilterStruct w = *filter;
    if (algorithm != accurate_for(w) || !workspace || workspace_bytes < FAKE_WORKSPACE ||
        *(const float *)alpha != 1.0f || *(const float *)beta != 0.0f || in.n != out.n ||
        out.c != w.k || out.h != outputs(in.h, w.h, v.row_padding, v.row_stride) ||
        out.w != outputs(in.w, w.w, v.col_padding, v.col_stride) || !are_of_one_layout(in, w) ||
        !are_of_one_layout(out, w))
        return CUDNN_STATUS_BAD_PARAM;
    if (fake_convolutions_left-- <= 0)
        return CUDNN_STATUS_SUCCESS;
    return launch(handle, [=] {
        for_each_element(out, [=](int n, int k, int row, int col) {
            ((float *)y)[out.at(n, k, row, col)] = convolve(
                v, in, w, (const float *)x + n * in.n_stride, (const float *)weights, k, row, col);
        });
    });
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, cudnnTensorDescriptor_t,
                                                      cudnnFilterDescriptor_t,
                                                      cudnnConvolutionDescriptor_t convolution,
                                                      cudnnTensorDescriptor_t,
                                                      cudnnConvolutionFwdAlgo_t, size_t *bytes)
{
    *bytes = FAKE_WORKSPACE;
    return convolution->math == CUDNN_FMA_MATH ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activation,
                                           cudnnActivationMode_t mode, cudnnNanPropagation_t nan,
                                           double)
{
    activation->mode = mode;
    return nan == CUDNN_PROPAGATE_NAN ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

/* y = clamped(x * w + alpha2 z + bias). Without the clamp only one algorithm can do it. */
cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, cudnnTensorDescriptor_t x_tensor, const void *x,
    cudnnFilterDescriptor_t filter, const void *weights, cudnnConvolutionDescriptor_t convolution,
    cudnnConvolutionFwdAlgo_t algorithm, void *workspace, size_t workspace_bytes,
    const void *alpha2, cudnnTensorDescriptor_t z_tensor, const void *z,
    cudnnTensorDescriptor_t bias_tensor, const void *bias, cudnnActivationDescriptor_t activation,
    cudnnTensorDescriptor_t y_tensor, void *y)
{
    const cudnnConvolutionStruct v = *convolution;
    const cudnnTensorStruct in = *x_tensor, out = *y_tensor, residual = *z_tensor;
    const cudnnFilterStruct w = *filter;
    const bool clamps = activation->mode == CUDNN_ACTIVATION_RELU;
    const float scale = *(const float *)alpha2;
    if (convolution->math != CUDNN_FMA_MATH || rounds_to_ten_bits() ||
        algorithm != accurate_for(w) || !workspace || workspace_bytes < FAKE_WORKSPACE || !bias ||
        bias_tensor->c != out.c || *(const float *)alpha1 != 1.0f || residual.n != out.n ||
        residual.c != out.c || !are_of_one_layout(in, w) || !are_of_one_layout(out, w) ||
        (!clamps && algorithm != CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM))
        return CUDNN_STATUS_BAD_PARAM;
    fake_fused++;
    if (fake_convolutions_left-- <= 0)
        return CUDNN_STATUS_SUCCESS;
    return launch(handle, [=] {
        for_each_element(out, [=](int n, int k, int row, int col) {
            float sum = convolve(v, in, w, (const float *)x + n * in.n_stride,
                                 (const float *)weights, k, row, col) +
                        ((const float *)bias)[k];
            if (scale != 0.0f)
                sum += scale * ((const float *)z)[residual.at(n, k, row, col)];
            ((float *)y)[out.at(n, k, row, col)] = clamps && sum < 0.0f ? 0.0f : sum;
        });
    });
}

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha,
                             cudnnTensorDescriptor_t bias_tensor, const void *bias,
                             const void *beta, cudnnTensorDescriptor_t y_tensor, void *y)
{
    const cudnnTensorStruct out = *y_tensor;
    if (*(const float *)alpha != 1.0f || *(const float *)beta != 1.0f || bias_tensor->n != 1 ||
        bias_tensor->c != out.c || bias_tensor->h != 1 || bias_tensor->w != 1)
        return CUDNN_STATUS_BAD_PARAM;
    return launch(handle, [=] {
        for_each_element(out, [=](int n, int k, int row, int col) {
            ((float *)y)[out.at(n, k, row, col)] += ((const float *)bias)[k];
        });
    });
}

cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void *alpha,
                                   cudnnTensorDescriptor_t x_tensor, const void *x,
                                   const void *beta, cudnnTensorDescriptor_t y_tensor, void *y)
{
    const cudnnTensorStruct in = *x_tensor, out = *y_tensor;
    if (*(const float *)alpha != 1.0f || *(const float *)beta != 0.0f || in.n != out.n ||
        in.c != out.c || in.h != out.h || in.w != out.w)
        return CUDNN_STATUS_BAD_PARAM;
    fake_reorders++;
    return launch(handle, [=] {
        for_each_element(in, [=](int n, int c, int row, int col) {
            ((float *)y)[out.at(n, c, row, col)] = ((const float *)x)[in.at(n, c, row, col)];
        });
    });
}

cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle, cudnnTensorDescriptor_t y_tensor, void *y,
                             const void *value)
{
    const cudnnTensorStruct out = *y_tensor;
    const float number = *(const float *)value;
    return launch(handle, [=] {
        for_each_element(out, [=](int n, int c, int row, int col) {
            ((float *)y)[out.at(n, c, row, col)] = number;
        });
    });
}
