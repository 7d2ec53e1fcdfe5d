#include "cuda/emulation/matrix.h"
#include "cuda/emulation/warp.h"

#include <string.h>

namespace
{

enum { LANES = 32, ROWS = 16, COLS = 8, MOST_TERMS = 16, MEMBERS = 4 };

float number_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Whole matrices. */
struct Matrices {
    float a[ROWS][MOST_TERMS], b[MOST_TERMS][COLS];
};

/* Of a register with one term the tensor core ignores the last 13 bits. */
float single(uint32_t bits)
{
    return number_of(bits & ~UINT32_C(0x1fff));
}

float half(uint32_t bits, int which)
{
    return number_of(which ? bits & UINT32_C(0xffff0000) : bits << 16);
}

void place(Matrices &all, const MatrixFragments &f, int group, int member)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < (f.pairs ? 2 : 1); k++) {
            const int term = f.pairs ? 2 * member + k + i / 2 * 8 : member + i / 2 * 4;
            all.a[group + i % 2 * 8][term] = f.pairs ? half(f.a[i], k) : single(f.a[i]);
        }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < (f.pairs ? 2 : 1); k++) {
            const int term = f.pairs ? 2 * member + k + i * 8 : member + i * 4;
            all.b[term][group] = f.pairs ? half(f.b[i], k) : single(f.b[i]);
        }
}

} // namespace

/* The products are exact in float32; their order within an instruction is not documented. */
void matrix_multiply(MatrixFragments *const lanes[LANES])
{
    Matrices all;
    const int terms = lanes[0]->pairs ? 16 : 8;
    for (int lane = 0; lane < LANES; lane++)
        place(all, *lanes[lane], lane / MEMBERS, lane % MEMBERS);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 4; i++) {
            const int row = lane / MEMBERS + i / 2 * 8, col = lane % MEMBERS * 2 + i % 2;
            float sum = lanes[lane]->d[i];
            for (int q = 0; q < terms; q++)
                sum += all.a[row][q] * all.b[q][col];
            lanes[lane]->d[i] = sum;
        }
}

void emulation_mma(const char *instruction, float *d, const uint32_t *a, const uint32_t *b)
{
    MatrixFragments own = {strstr(instruction, "bf16") != nullptr, a, b, d};
    uint64_t address = reinterpret_cast<uint64_t>(&own);
    warp_meet({WARP_MATRIX, UINT32_MAX, address, own.pairs, 32, 0, 0}, __builtin_return_address(0));
}

uint32_t emulation_tf32(float x)
{
    return (bits_of(x) + UINT32_C(0x1000)) & ~UINT32_C(0x1fff);
}

uint32_t emulation_bf16(float x)
{
    const uint32_t bits = bits_of(x);
    return (bits + UINT32_C(0x7fff) + (bits >> 16 & 1)) >> 16;
}
