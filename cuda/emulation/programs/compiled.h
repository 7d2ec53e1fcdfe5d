/* What a GPU's compiler says of a kernel: its registers and its shared memory. nvcc is asked when
 * they are needed, if it is found and the sources are there. */
#ifndef CUDA_EMULATION_COMPILED_H
#define CUDA_EMULATION_COMPILED_H

#include "cuda/emulation/counts.h"

#include <stdbool.h>
#include <stdint.h>

struct compiled_kernel {
    bool known;
    int64_t registers;    /* of a thread */
    int64_t shared_bytes; /* static, of a block */
};

/* Asks about a kernel of the suite, whose file is relative to the project. capability: "7.5". */
struct compiled_kernel compiled_own(const struct counted_kernel *kernel, const char *capability);

/* Asks about a file from outside; known only if it has one kernel. */
struct compiled_kernel compiled_outside(const char *file, const char *capability);

#endif
