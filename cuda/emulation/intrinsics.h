/* Functions that kernels call: of a warp, atomic ones, and arithmetic. Names and meaning as in the
 * CUDA C++ Programming Guide. */
#ifndef CUDA_EMULATION_INTRINSICS_H
#define CUDA_EMULATION_INTRINSICS_H

#include "warp.h"

#include <algorithm>
#include <math.h>
#include <string.h>
#include <type_traits>

enum { warpSize = 32 };

#define EMULATION_HERE __builtin_return_address(0)

/* ---- a warp -----------------------------------------------------------------------------------
 */

__attribute__((noinline, unused)) static void __syncwarp(unsigned mask = 0xffffffffu)
{
    warp_meet({WARP_SYNC, mask, 0, 0, 32, 0, 0}, EMULATION_HERE);
}

__attribute__((noinline, unused)) static unsigned __ballot_sync(unsigned mask, int vote)
{
    return static_cast<unsigned>(
        warp_meet({WARP_BALLOT, mask, vote != 0, 0, 32, 0, 0}, EMULATION_HERE).result);
}

__attribute__((noinline, unused)) static int __any_sync(unsigned mask, int vote)
{
    return warp_meet({WARP_BALLOT, mask, vote != 0, 0, 32, 0, 0}, EMULATION_HERE).result != 0;
}

__attribute__((noinline, unused)) static int __all_sync(unsigned mask, int vote)
{
    return warp_meet({WARP_BALLOT, mask, vote == 0, 0, 32, 0, 0}, EMULATION_HERE).result == 0;
}

template <class T>
T emulation_shuffle(WarpKind kind, unsigned mask, T value, int argument, int width,
                    const void *instruction)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "a shuffle moves 4 or 8 bytes");
    WarpLane lane = {kind, mask, 0, argument, width, 0, 0};
    memcpy(&lane.value, &value, sizeof value);
    lane = warp_meet(lane, instruction);
    memcpy(&value, &lane.result, sizeof value);
    return value;
}

template <class T>
__attribute__((noinline)) T __shfl_sync(unsigned mask, T value, int lane, int width = 32)
{
    return emulation_shuffle(WARP_SHUFFLE, mask, value, lane, width, EMULATION_HERE);
}

template <class T>
__attribute__((noinline)) T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return emulation_shuffle(WARP_SHUFFLE_UP, mask, value, static_cast<int>(delta), width,
                             EMULATION_HERE);
}

template <class T>
__attribute__((noinline)) T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return emulation_shuffle(WARP_SHUFFLE_DOWN, mask, value, static_cast<int>(delta), width,
                             EMULATION_HERE);
}

template <class T>
__attribute__((noinline)) T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32)
{
    return emulation_shuffle(WARP_SHUFFLE_XOR, mask, value, lanes, width, EMULATION_HERE);
}

/* ---- a block ----------------------------------------------------------------------------------
 */

/* The emulation runs one thread at a time, so memory is in order. */
static inline void __threadfence()
{
}
static inline void __threadfence_block()
{
}
static inline void __threadfence_system()
{
}

/* ---- atomic operations ------------------------------------------------------------------------
 */

/* Tells the emulation about an atomic access. */
void emulation_atomic(const void *address, size_t bytes, const void *instruction);

/* Replaces the value at an address by `change` of it; returns the value before. */
template <class T, class CHANGE>
__attribute__((no_sanitize("thread"))) T emulation_change(T *address, const void *instruction,
                                                          CHANGE change)
{
    T before, after;
    emulation_atomic(address, sizeof(T), instruction);
    memcpy(&before, address, sizeof before);
    after = change(before);
    memcpy(address, &after, sizeof after);
    return before;
}

#define EMULATION_ATOMIC(name, expression)                                                         \
    template <class T>                                                                             \
    __attribute__((noinline, no_sanitize("thread"))) T name(                                       \
        T *address, typename std::common_type<T>::type value)                                      \
    {                                                                                              \
        return emulation_change(address, EMULATION_HERE,                                           \
                                [value](T old) { return static_cast<T>(expression); });            \
    }
EMULATION_ATOMIC(atomicAdd, old + value)
EMULATION_ATOMIC(atomicSub, old - value)
EMULATION_ATOMIC(atomicExch, ((void)old, value))
EMULATION_ATOMIC(atomicMin, old < value ? old : value)
EMULATION_ATOMIC(atomicMax, old > value ? old : value)
EMULATION_ATOMIC(atomicAnd, old &value)
EMULATION_ATOMIC(atomicOr, old | value)
EMULATION_ATOMIC(atomicXor, old ^ value)
EMULATION_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
EMULATION_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)

template <class T>
__attribute__((noinline, no_sanitize("thread"))) T
atomicCAS(T *address, typename std::common_type<T>::type expected,
          typename std::common_type<T>::type value)
{
    return emulation_change(address, EMULATION_HERE,
                            [=](T old) { return old == expected ? value : old; });
}

/* ---- arithmetic -------------------------------------------------------------------------------
 */

using std::max;
using std::min;

template <class A, class B> typename std::common_type<A, B>::type min(A a, B b)
{
    return b < a ? b : a;
}

template <class A, class B> typename std::common_type<A, B>::type max(A a, B b)
{
    return a < b ? b : a;
}

template <class T> T __ldg(const T *address)
{
    return *address;
}

static inline int __float_as_int(float x)
{
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float __int_as_float(int bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline unsigned __float_as_uint(float x)
{
    return static_cast<unsigned>(__float_as_int(x));
}

static inline float __uint_as_float(unsigned bits)
{
    return __int_as_float(static_cast<int>(bits));
}

static inline float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}

static inline float __fdividef(float a, float b)
{
    return a / b;
}

static inline float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}

static inline float __fadd_rn(float a, float b)
{
    return a + b;
}

static inline float __fmul_rn(float a, float b)
{
    return a * b;
}

/* The C library has functions of these names. */
#define __expf(x)    expf(x)
#define __logf(x)    logf(x)
#define __sinf(x)    sinf(x)
#define __cosf(x)    cosf(x)
#define __powf(x, y) powf(x, y)

static inline float __saturatef(float x)
{
    return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static inline int __mul24(int a, int b)
{
    return a * b;
}

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

static inline int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}

static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

static inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}

#endif
