#include "kernels/isa.h"

#include <stddef.h>

const char *isa_option(enum isa isa)
{
    static const char *const options[ISA_COUNT] = {"baseline", "avx2", "avx512"};
    return options[isa];
}

static const char *compiled_name(void)
{
#if defined(__AVX512F__)
    return "avx512";
#elif defined(__AVX2__)
    return "avx2";
#elif defined(__x86_64__)
    return "x86-64";
#elif defined(__ARM_NEON)
    return "neon";
#elif defined(__powerpc64__)
    return "ppc64";
#elif defined(__riscv)
    return "riscv";
#else
    return "generic";
#endif
}

const char *isa_name(enum isa isa)
{
    return isa == ISA_BASELINE ? compiled_name() : isa_option(isa);
}

#ifdef MAXPOOL_HAVE_ISA_X86

/* The features that cmake/MaxpoolIsa.cmake enables for each build. The compiler's check includes
 * whether the operating system saves the wide registers. */
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}

const char *isa_missing(enum isa isa)
{
    __builtin_cpu_init();
    if (isa == ISA_AVX2 && !has_avx2())
        return "this processor has no AVX2 with FMA and BMI2";
    if (isa == ISA_AVX512 && !has_avx512())
        return "this processor has no AVX-512 (F, VL, BW, DQ)";
    return NULL;
}

#else

const char *isa_missing(enum isa isa)
{
    return isa == ISA_BASELINE ? NULL : "this build has the baseline instruction set alone";
}

#endif

enum isa isa_best(void)
{
    enum isa best = ISA_BASELINE;
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        if (!isa_missing(isa))
            best = isa;
    return best;
}
