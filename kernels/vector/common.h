/* How functions on vectors are written: the same for every instruction set. */
#ifndef MAXPOOL_VECTOR_COMMON_H
#define MAXPOOL_VECTOR_COMMON_H

#include <stdint.h>
#include <string.h>

#define VECTOR_INLINE    static inline __attribute__((always_inline, unused))
#define VECTOR_OPERATION static inline

/* Before a loop with a constant number of turns, at most 32: no loop remains, so that the arrays it
 * walks can be registers. */
#if defined(__clang__)
#define VECTOR_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define VECTOR_UNROLLED _Pragma("GCC unroll 32")
#endif

/* Before a loop of at most two turns in the builds that matter, and of any number in others. */
#if defined(__clang__)
#define VECTOR_UNROLLED_IF_SHORT
#else
#define VECTOR_UNROLLED_IF_SHORT _Pragma("GCC unroll 2")
#endif

#endif
