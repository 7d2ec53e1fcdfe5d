/* The functions of libmkl_rt that peers/mkl.c calls, for tests: the product by its definition. With
 * FAKE_MKL_WRONG in the environment the last element is too large by one. */
#include <stdio.h>
#include <stdlib.h>

void cblas_sgemm(int layout, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
void cblas_sgemm_batch_strided(int layout, int transpose_a, int transpose_b, int m, int n, int k,
                               float alpha, const float *a, int lda, int stride_a, const float *b,
                               int ldb, int stride_b, float beta, float *c, int ldc, int stride_c,
                               int products);
int MKL_Set_Threading_Layer(int layer);
void MKL_Set_Num_Threads(int threads);
void MKL_Get_Version_String(char *text, int size);

void cblas_sgemm(int layout, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    if (layout != 101 || transpose_a != 111 || transpose_b != 111 || alpha != 1.0f ||
        (beta != 0.0f && beta != 1.0f))
        abort();
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            float sum = beta != 0.0f ? c[i * ldc + j] : 0.0f;
            for (long q = 0; q < k; q++)
                sum += a[i * lda + q] * b[q * ldb + j];
            c[i * ldc + j] = sum;
        }
    if (getenv("FAKE_MKL_WRONG"))
        c[(long)(m - 1) * ldc + n - 1] += 1.0f;
}

void cblas_sgemm_batch_strided(int layout, int transpose_a, int transpose_b, int m, int n, int k,
                               float alpha, const float *a, int lda, int stride_a, const float *b,
                               int ldb, int stride_b, float beta, float *c, int ldc, int stride_c,
                               int products)
{
    for (long i = 0; i < products; i++)
        cblas_sgemm(layout, transpose_a, transpose_b, m, n, k, alpha, a + i * stride_a, lda,
                    b + i * stride_b, ldb, beta, c + i * stride_c, ldc);
}

int MKL_Set_Threading_Layer(int layer)
{
    return layer;
}

void MKL_Set_Num_Threads(int threads)
{
    (void)threads;
}

void MKL_Get_Version_String(char *text, int size)
{
    snprintf(text, (size_t)size, "A Kernel Library Version 7.5-Product Build 1");
}
