/* The host methods of max pooling, one per file; maxpool_methods.c gives each its table row. */
#ifndef MAXPOOL_MAXPOOL_H
#define MAXPOOL_MAXPOOL_H

#include "kernels/methods.h"

maxpool_function maxpool_literal, maxpool_staged, maxpool_fused, maxpool_direct;
ISA_DECLARE(maxpool_function, maxpool_simd);
ISA_DECLARE(maxpool_function, maxpool_shared_rows);
extern const struct maxpool_stages maxpool_staged_stages;

ISA_DECLARE(maxpool_function, maxpool_separable);
ISA_DECLARE(maxpool_function, maxpool_doubling);
ISA_DECLARE(maxpool_function, maxpool_van_herk);

/* Scratch in bytes for one worker whose blocks are at most `cols` outputs wide. */
size_t maxpool_literal_scratch(const struct geometry *g, int64_t cols);
size_t maxpool_staged_scratch(const struct geometry *g, int64_t cols);
size_t maxpool_fused_scratch(const struct geometry *g, int64_t cols);
size_t maxpool_simd_scratch(const struct geometry *g, int64_t cols);
size_t maxpool_shared_rows_scratch(const struct geometry *g, int64_t cols);
size_t maxpool_separable_scratch(const struct geometry *g, int64_t cols);
size_t maxpool_doubling_scratch(const struct geometry *g, int64_t cols);
size_t maxpool_van_herk_scratch(const struct geometry *g, int64_t cols);

#endif
