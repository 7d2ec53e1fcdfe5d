/* Instruction sets. One binary holds the vector methods once for each set that its compiler can
 * make, and picks at run time the widest that the processor has and the user allows.
 *
 * A vector method is a file whose function is named ISA_FUNCTION(maxpool_simd): the build sees that
 * when it is configured, and compiles the file once per set with ISA_BUILD defined to the set's
 * name. It writes its vectors with kernels/vector.h. Its function is maxpool_simd_avx2 in one
 * build, ISA_DECLARE declares all of them, and ISA_VARIANTS fills the `run` field of
 * its table row. */
#ifndef MAXPOOL_ISA_H
#define MAXPOOL_ISA_H

#include <stdbool.h>

/* Ascending: each set includes those before it. The baseline is what the compiler was allowed to
 * use everywhere (SSE2 on x86-64, NEON on 64-bit Arm). */
enum isa { ISA_BASELINE, ISA_AVX2, ISA_AVX512, ISA_COUNT };

/* What --isa takes: baseline, avx2, avx512. */
const char *isa_option(enum isa isa);

/* What a record holds: for the baseline the set that it stands for, e.g. x86-64. */
const char *isa_name(enum isa isa);

/* NULL, or why this build on this processor cannot run that set. */
const char *isa_missing(enum isa isa);

/* The widest that can run here. */
enum isa isa_best(void);

#define ISA_PASTE(name, set)          name##_##set
#define ISA_PASTE_EXPANDED(name, set) ISA_PASTE(name, set)
#ifdef ISA_BUILD
#define ISA_FUNCTION(name) ISA_PASTE_EXPANDED(name, ISA_BUILD)
#endif

/* MAXPOOL_HAVE_ISA_X86: the compiler made the wider sets. */
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
