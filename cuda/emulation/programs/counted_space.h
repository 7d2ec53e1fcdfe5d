/* Returns the space of an emulated device, which counts what the kernels do if --count asks for it.
 */
#ifndef CUDA_EMULATION_COUNTED_SPACE_H
#define CUDA_EMULATION_COUNTED_SPACE_H

#include "harness/space/space.h"

struct space counted_space(void);

#endif
