/* Tensor cores: the product of small matrices whose fragments are distributed over the lanes of a
 * warp. Source: PTX ISA, "Matrix Fragments for mma.m16n8k8", "... mma.m16n8k16". */
#ifndef CUDA_EMULATION_MATRIX_H
#define CUDA_EMULATION_MATRIX_H

#include <stdint.h>

/* What a lane gives and gets. */
struct MatrixFragments {
    bool pairs;            /* registers hold two terms of 16 bits, otherwise one of 32 */
    const uint32_t *a, *b; /* 4 and 2 registers */
    float *d;              /* 4 sums */
};

/* D = A B + D, by the instruction of that name: waits for all lanes of the warp. */
void emulation_mma(const char *instruction, float *d, const uint32_t *a, const uint32_t *b);

/* Multiplies the fragments of 32 lanes. */
void matrix_multiply(MatrixFragments *const lanes[32]);

/* Round to the nearest: to 11 bits, of two the one farther from 0; to 8 bits, of two the even
 * one. */
uint32_t emulation_tf32(float x);
uint32_t emulation_bf16(float x);

#endif
