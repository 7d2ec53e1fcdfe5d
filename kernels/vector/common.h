/* Macros for functions on vectors, the same for every instruction set. */
#ifndef MAXPOOL_VECTOR_COMMON_H
#define MAXPOOL_VECTOR_COMMON_H

#include <stdint.h>
#include <string.h>

#define VECTOR_INLINE    static inline __attribute__((always_inline, unused))
#define VECTOR_OPERATION static inline

/* Stands before a loop with a constant number of iterations, at most 32. The loop is unrolled
 * completely, so that the arrays it indexes can be registers. */
#if defined(__clang__)
#define VECTOR_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define VECTOR_UNROLLED _Pragma("GCC unroll 32")
#endif

/* Stands before a loop of at most two iterations in the builds that matter, and of any number in
 * others. */
#if defined(__clang__)
#define VECTOR_UNROLLED_IF_SHORT
#else
#define VECTOR_UNROLLED_IF_SHORT _Pragma("GCC unroll 2")
#endif

#endif
