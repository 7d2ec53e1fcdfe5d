#include "fake_libraries.h"

#include "cuda_runtime.h"
#include "cublas_v2.h"
#include "cudnn.h"

#include <cmath>

bool fake_fails, fake_idles;
int64_t fake_live, fake_products;

struct cublasContext {
    cudaStream_t stream;
};
struct cudnnContext {
    cudaStream_t stream;
};
struct cudnnTensorStruct {
    int n, c, h, w;
};
struct cudnnPoolingStruct {
    int rows, cols, row_padding, col_padding, row_stride, col_stride;
};

/* One thread does all of it when the stream comes to it. False where it could not be launched. */
static bool queue(cudaStream_t stream, const std::function<void()> &work)
{
    if (fake_idles)
        return true;
    shim_launch(dim3(1), dim3(1), 0, stream, work);
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

/* ---- cuBLAS --------------------------------------------------------------------------------- */

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    if (fake_fails)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = make<cublasContext>();
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

/* C (m x n) = A (m x k) B (k x n), by columns. */
static void multiply(int m, int n, int k, const float *a, int lda, const float *b, int ldb, float *c,
                     int ldc)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            float sum = 0.0f;
            for (int64_t q = 0; q < k; q++)
                sum += a[i + q * lda] * b[q + j * ldb];
            c[i + j * ldc] = sum;
        }
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t,
                                         cublasOperation_t, int m, int n, int k, const float *alpha,
                                         const float *a, int lda, long long stride_a, const float *b,
                                         int ldb, long long stride_b, const float *beta, float *c,
                                         int ldc, long long stride_c, int count)
{
    if (m < 0 || n < 0 || k < 0 || count < 0 || count > 65535 || lda < m || ldb < k || ldc < m || *alpha != 1.0f ||
        *beta != 0.0f || (count > 1 && stride_c < (long long)ldc * n))
        return CUBLAS_STATUS_INVALID_VALUE;
    fake_products++;
    const bool launched = queue(handle->stream, [=] {
        for (long long i = 0; i < count; i++)
            multiply(m, n, k, a + i * stride_a, lda, b + i * stride_b, ldb, c + i * stride_c, ldc);
    });
    return launched ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                           int m, int n, int k, const float *alpha, const float *a, int lda,
                           const float *b, int ldb, const float *beta, float *c, int ldc)
{
    return cublasSgemmStridedBatched(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0,
                                     beta, c, ldc, 0, 1);
}

/* ---- cuDNN ---------------------------------------------------------------------------------- */

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

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensor)
{
    *tensor = make<cudnnTensorStruct>();
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t,
                                         cudnnDataType_t, int n, int c, int h, int w)
{
    if (n < 1 || c < 1 || h < 1 || w < 1)
        return CUDNN_STATUS_BAD_PARAM;
    *tensor = {n, c, h, w};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor)
{
    destroy(tensor);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *pooling)
{
    *pooling = make<cudnnPoolingStruct>();
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t pooling, cudnnPoolingMode_t,
                                          cudnnNanPropagation_t, int rows, int cols, int row_padding,
                                          int col_padding, int row_stride, int col_stride)
{
    if (row_padding >= rows || col_padding >= cols)
        return CUDNN_STATUS_BAD_PARAM;
    *pooling = {rows, cols, row_padding, col_padding, row_stride, col_stride};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t pooling)
{
    destroy(pooling);
    return CUDNN_STATUS_SUCCESS;
}

static int outputs(int cells, int window, int padding, int stride)
{
    return 1 + (cells + 2 * padding - window) / stride;
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
                                  const void *alpha, cudnnTensorDescriptor_t x_tensor, const void *x,
                                  const void *beta, cudnnTensorDescriptor_t y_tensor, void *y)
{
    const cudnnPoolingStruct p = *pooling;
    const cudnnTensorStruct in = *x_tensor, out = *y_tensor;
    if (in.n != out.n || in.c != out.c || *(const float *)alpha != 1.0f ||
        *(const float *)beta != 0.0f || out.h != outputs(in.h, p.rows, p.row_padding, p.row_stride) ||
        out.w != outputs(in.w, p.cols, p.col_padding, p.col_stride))
        return CUDNN_STATUS_BAD_PARAM;
    const bool launched = queue(handle->stream, [=] {
        for (int64_t plane = 0; plane < (int64_t)in.n * in.c; plane++)
            for (int row = 0; row < out.h; row++)
                for (int col = 0; col < out.w; col++)
                    ((float *)y)[(plane * out.h + row) * out.w + col] =
                        maximum(p, in, (const float *)x + plane * in.h * in.w, row, col);
    });
    return launched ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}
