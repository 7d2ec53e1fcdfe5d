/* expect: threads, threads at once
 * run: -n 256 -k 3 --stride 1 -t 1 --samples 6 --against fused
 * Written when `study lab` was attacked as an enemy of a grader would. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
/* From the starter, step 2: neighbouring windows in the lanes of a vector. The innermost loop goes
 * over LANES windows, all with one element of the filter. `omp simd` vectorizes it: without it, the
 * compiler unrolls a loop of 16 before it considers vectors. The ladder's `simd`. docs/lab.md
 * explains the steps. */
#include <stddef.h>

enum { LANES = 16 };

/* LANES windows inside the image; their left ends are `stride` apart. */
static inline void inside(const float *window, size_t apart, const float *filter, float *map, int k,
                          int stride)
{
    float most[LANES];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            float sum[LANES] = {0.0f};
            for (int q = 0; q < k; q++)
#pragma omp simd
                for (int l = 0; l < LANES; l++)
                    sum[l] += window[i * apart + (size_t)(l * stride + q)] * filter[q * k + j];
#pragma omp simd
            for (int l = 0; l < LANES; l++)
                most[l] = (i == 0 && j == 0) || sum[l] > most[l] ? sum[l] : most[l];
        }
    for (int l = 0; l < LANES; l++)
        map[l] = most[l];
}

/* One window at the border: elements outside the image are 0. */
static float border(const float *plane, const float *filter, int rows, int cols, int k, int top,
                    int left)
{
    float most = 0.0f;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            const int row = top + i;
            float sum = 0.0f;
            for (int q = 0; q < k; q++)
                if (row >= 0 && row < rows && left + q >= 0 && left + q < cols)
                    sum += plane[(size_t)row * cols + left + q] * filter[q * k + j];
            if ((i == 0 && j == 0) || sum > most)
                most = sum;
        }
    return most;
}

/* Computes one row of the map: LANES windows at a time if all of them are inside, otherwise one. */
static void map_row(const float *plane, const float *filter, float *map, int rows, int cols, int k,
                    int stride, int padding, int top, int out_cols)
{
    for (int c = 0; c < out_cols;) {
        const int left = c * stride - padding;
        const int end = left + (LANES - 1) * stride + k;
        if (c + LANES <= out_cols && top >= 0 && top + k <= rows && left >= 0 && end <= cols) {
            const float *window = plane + (size_t)top * cols + left;
            if (stride == 1) /* a constant: the lanes are contiguous */
                inside(window, (size_t)cols, filter, map + c, k, 1);
            else
                inside(window, (size_t)cols, filter, map + c, k, stride);
            c += LANES;
        } else {
            map[c] = border(plane, filter, rows, cols, k, top, left);
            c++;
        }
    }
}

static struct {
    const float *image, *filter;
    float *map;
    int planes, rows, cols, k, stride, padding, orows, ocols;
} j;
static void part(int from, int to)
{
    for (int r = from; r < to; r++)
        map_row(j.image, j.filter, j.map + (size_t)r * j.ocols, j.rows, j.cols, j.k, j.stride,
                j.padding, r * j.stride - j.padding, j.ocols);
}
static void *second(void *x)
{
    part(j.orows / 2, j.orows);
    return x;
}
void maxpool(const float *image, const float *filter, float *map, int planes, int rows, int cols,
             int k, int stride, int padding, int threads)
{
    static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    const int orows = (rows + 2 * padding - k) / stride + 1,
              ocols = (cols + 2 * padding - k) / stride + 1;
    (void)threads;
    if (!create)
        *(void **)&create = dlsym(dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), "pthread_create");
    for (int p = 0; p < planes; p++) {
        pthread_t t;
        j = (typeof(j)){image + (size_t)p * rows * cols,
                        filter,
                        map + (size_t)p * orows * ocols,
                        planes,
                        rows,
                        cols,
                        k,
                        stride,
                        padding,
                        orows,
                        ocols};
        if (orows > 64 && create(&t, 0, second, 0) == 0) {
            part(0, orows / 2);
            pthread_join(t, 0);
        } else
            part(0, orows);
    }
}
