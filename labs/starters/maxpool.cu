/* Max pooling by a product on a GPU: for every window W of the image, the k x k matrix W * F, and
 * of its k * k elements the largest. F is the filter, a k x k matrix.
 *
 *     study lab FILE          checks this function, then measures it
 *
 * The function is called on the host; its arrays are on the device. Row by row, one float after the
 * other:
 *
 *     image   planes * rows * cols elements; element (p, r, c) is image[(p * rows + r) * cols + c]
 *     filter  k * k elements; element (i, j) is filter[i * k + j]
 *     map     planes * out_rows * out_cols elements, all of which you write, where
 *             out_rows = (rows + 2 * padding - k) / stride + 1, and out_cols likewise
 *
 * The window of output (r, c) begins at row r * stride - padding and column c * stride - padding of
 * the image. Elements outside the image count as 0. The caller waits for your kernels after the
 * function has returned; copies to the device and back are not part of the time. `threads` is the
 * number of host threads. */
#include <cuda_runtime.h>

struct task {
    const float *image, *filter;
    float *map;
    int planes, rows, cols, k, stride, padding, out_rows, out_cols;
};

#ifndef CUDA_LAUNCH
#define CUDA_LAUNCH(kernel, grid, block, shared_bytes, stream, task)                               \
    kernel<<<grid, block, shared_bytes, stream>>>(task)
#endif

/* Element (row, col) of a plane, or 0 outside it. */
static __device__ float element(const struct task t, int plane, int row, int col)
{
    if (row < 0 || row >= t.rows || col < 0 || col >= t.cols)
        return 0.0f;
    return t.image[((size_t)plane * t.rows + row) * t.cols + col];
}

/* One thread for each output. */
static __global__ void one_output(const struct task t)
{
    const long long output = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int c = (int)(output % t.out_cols), r = (int)(output / t.out_cols % t.out_rows);
    const int plane = (int)(output / t.out_cols / t.out_rows);
    float most = 0.0f;
    if (plane >= t.planes)
        return;
    for (int i = 0; i < t.k; i++)
        for (int j = 0; j < t.k; j++) {
            float sum = 0.0f;
            for (int q = 0; q < t.k; q++)
                sum +=
                    element(t, plane, r * t.stride - t.padding + i, c * t.stride - t.padding + q) *
                    t.filter[q * t.k + j];
            if ((i == 0 && j == 0) || sum > most)
                most = sum;
        }
    t.map[output] = most;
}

extern "C" void maxpool(const float *image, const float *filter, float *map, int planes, int rows,
                        int cols, int k, int stride, int padding, int threads)
{
    enum { BLOCK = 256 };
    const int out_rows = (rows + 2 * padding - k) / stride + 1;
    const int out_cols = (cols + 2 * padding - k) / stride + 1;
    const long long outputs = (long long)planes * out_rows * out_cols;
    const struct task task = {image, filter, map,     planes,   rows,    cols,
                              k,     stride, padding, out_rows, out_cols};
    (void)threads;
    CUDA_LAUNCH(one_output, dim3((unsigned)((outputs + BLOCK - 1) / BLOCK)), dim3(BLOCK), 0, 0,
                task);
}
