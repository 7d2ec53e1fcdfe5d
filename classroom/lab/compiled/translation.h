/* CUDA C++ as the compiler of an emulated device takes it: launches with <<< >>> become calls, and
 * shared memory is declared as the emulation has it (cuda/emulation/cuda_runtime.h). Lines stay
 * where they are. */
#ifndef MAXPOOL_LAB_TRANSLATION_H
#define MAXPOOL_LAB_TRANSLATION_H

#include "harness/base/failure.h"

/* Translates the file `from` into the file `to`. Status 2 if it uses what the emulation lacks
 * (tensor cores, textures, cooperative grids, ...), with its line; 5 if `to` is not written. */
enum status lab_translate(const char *from, const char *to, struct failure *f);

#endif
