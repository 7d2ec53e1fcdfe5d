/* What the programs for an emulated device share. */
#ifndef CUDA_EMULATION_BEGIN_H
#define CUDA_EMULATION_BEGIN_H

/* Prepares the device: its memory, and the checks of every kernel. */
void emulation_begin(void);

#endif
