/* The results of the lanes that have met. */
#ifndef CUDA_EMULATION_WARP_EXCHANGE_H
#define CUDA_EMULATION_WARP_EXCHANGE_H

#include "cuda/emulation/warp.h"

#include <string>

/* Sets the results of those lanes that are not null. Returns what is wrong, or "". */
std::string warp_exchange(WarpLane *const lanes[32]);

#endif
