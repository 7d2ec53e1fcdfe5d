/* Macros for functions on vectors, the same for every instruction set. */
#ifndef MAXPOOL_VECTOR_COMMON_H
#define MAXPOOL_VECTOR_COMMON_H

#include <stdint.h>
#include <string.h>

#define VECTOR_INLINE    static inline __attribute__((always_inline, unused))
#define VECTOR_OPERATION static inline

/* A function that is compiled again wherever it is called, as a template: what the caller knows is
 * constant there. Builds that only check results (MAXPOOL_COMPACT: with a sanitizer,
 * without optional libraries, or for simulated clusters beside a debug build) may compile it once:
 * the lines are the same, and fewer copies of them compile in less time. */
#if defined(MAXPOOL_COMPACT)
#define VECTOR_TEMPLATE static inline __attribute__((unused))
#else
#define VECTOR_TEMPLATE static inline __attribute__((always_inline, unused))
#endif

/* Stands before a loop with a constant number of iterations, at most 32. The loop is unrolled
 * completely, so that the arrays it indexes can be registers; in compact builds they stay in
 * memory, where the address sanitizer checks every index. */
#if defined(MAXPOOL_COMPACT)
#define VECTOR_UNROLLED
#elif defined(__clang__)
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
