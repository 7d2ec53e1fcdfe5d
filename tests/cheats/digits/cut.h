/* Numbers with fewer significant bits than a float's 24, for cheats that round their operands. */
#ifndef CUT_H
#define CUT_H

#include <stdint.h>
#include <string.h>

/* Adds `half` of the last bit that stays, and clears the bits behind it. */
static inline float cut_after(float v, int bits, uint32_t half)
{
    uint32_t b;
    memcpy(&b, &v, 4);
    b = (b + half) & ~((1u << (24 - bits)) - 1);
    memcpy(&v, &b, 4);
    return v;
}

static inline float cut_up(float v, int bits)
{
    return cut_after(v, bits, 1u << (23 - bits));
}

static inline float cut_to_even(float v, int bits)
{
    uint32_t b;
    memcpy(&b, &v, 4);
    return cut_after(v, bits, (1u << (23 - bits)) - 1 + (b >> (24 - bits) & 1));
}

#endif
