/* oneMKL, found at run time (peers/mkl.c): the functions that its peers call. */
#ifndef MAXPOOL_PEERS_MKL_H
#define MAXPOOL_PEERS_MKL_H

#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

enum { MKL_ROW_MAJOR = 101, MKL_AS_IT_IS = 111 };

/* The library's functions that are called, all set; constants as in mkl_cblas.h. */
struct mkl {
    void (*sgemm)(int layout, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                  const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
    void (*sgemm_batch)(int layout, int transpose_a, int transpose_b, int m, int n, int k,
                        float alpha, const float *a, int lda, int stride_a, const float *b, int ldb,
                        int stride_b, float beta, float *c, int ldc, int stride_c, int products);
    int (*set_threading_layer)(int layer);
    void (*set_threads)(int threads);
    void (*version)(char *text, int size);
};

/* Returns the library, opened once until the process ends, or NULL if there is none. */
const struct mkl *mkl_find(void);

/* Prepares it for `threads` threads and writes "oneMKL 2026.0". Status 3 if there is none. */
enum status mkl_open(int64_t threads, char *name, size_t size, struct failure *f);

#endif
