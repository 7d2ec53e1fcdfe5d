/* Instruction sets. One binary holds the vector methods once for each set that its compiler
 * supports, and picks at run time the widest set that the processor has and the user allows.
 *
 * A vector method is a file whose function is named ISA_FUNCTION(maxpool_simd). The build sees that
 * when it is configured, and compiles the file once per set with ISA_BUILD defined to the set's
 * name. The method writes its vectors with kernels/vector.h. In one build its function is
 * maxpool_simd_avx2; ISA_DECLARE declares the functions of all builds, and ISA_VARIANTS fills the
 * `run` field of the method's table row. */
#ifndef MAXPOOL_ISA_H
#define MAXPOOL_ISA_H

#include <stdbool.h>

/* Ascending: each set includes those before it. The baseline is what the compiler was allowed to
 * use everywhere (SSE2 on x86-64, NEON on 64-bit Arm). */
enum isa { ISA_BASELINE, ISA_AVX2, ISA_AVX512, ISA_COUNT };

/* The set's name in --isa: baseline, avx2, avx512. */
const char *isa_option(enum isa isa);

/* The set's name in records: for the baseline the set that it stands for, e.g. x86-64. */
const char *isa_name(enum isa isa);

/* Why this build cannot run the set on this processor, or NULL if it can. */
const char *isa_missing(enum isa isa);

/* The widest set that this build can run on this processor. */
enum isa isa_best(void);

#define ISA_PASTE(name, set)          name##_##set
#define ISA_PASTE_EXPANDED(name, set) ISA_PASTE(name, set)
#ifdef ISA_BUILD
#define ISA_FUNCTION(name) ISA_PASTE_EXPANDED(name, ISA_BUILD)
#endif

/* MAXPOOL_HAVE_ISA_X86: the compiler supports the wider sets. */
#ifdef MAXPOOL_HAVE_ISA_X86
#define ISA_DECLARE(type, name) type name##_baseline, name##_avx2, name##_avx512
#define ISA_VARIANTS(name)                                                                         \
    {                                                                                              \
        name##_baseline, name##_avx2, name##_avx512                                                \
    }
#else
#define ISA_DECLARE(type, name) type name##_baseline
#define ISA_VARIANTS(name)                                                                         \
    {                                                                                              \
        name##_baseline                                                                            \
    }
#endif

#endif
