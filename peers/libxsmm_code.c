#include "peers/libxsmm_code.h"

#include <stdio.h>

libxsmm_smmfunction libxsmm_code(int64_t rows, int64_t inner, int64_t cols, int64_t step)
{
    const libxsmm_blasint m = (libxsmm_blasint)cols, n = (libxsmm_blasint)rows;
    const libxsmm_blasint k = (libxsmm_blasint)inner;
    const libxsmm_blasint right = (libxsmm_blasint)step;
    const float alpha = 1.0f, beta = 0.0f;
    const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
    return libxsmm_smmdispatch(m, n, k, &m, &right, &m, &alpha, &beta, NULL, &prefetch);
}

void libxsmm_name(char *text, size_t size)
{
    snprintf(text, size, "LIBXSMM %s %s", LIBXSMM_VERSION, libxsmm_get_target_arch());
}
