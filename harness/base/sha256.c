#include "harness/base/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, WORDS = 8, ROUNDS = 64, LENGTH = 8 };

/* The first 32 bits of the fractions of the cube roots of the first 64 primes (section 4.2.2). */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t read_word(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The message schedule W of one block (section 6.2.2, step 1). */
static void schedule(const unsigned char *block, uint32_t w[ROUNDS])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = read_word(block + 4 * t);
    for (size_t t = 16; t < ROUNDS; t++) {
        const uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) + w[t - 7] +
               (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
    }
}

static void take_block(uint32_t hash[WORDS], const unsigned char *block)
{
    uint32_t w[ROUNDS], v[WORDS]; /* v: a to h of the standard */
    schedule(block, w);
    memcpy(v, hash, sizeof v);
    for (size_t t = 0; t < ROUNDS; t++) {
        const uint32_t sum1 =
            rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t one = v[7] + sum1 + choice + constants[t] + w[t];
        const uint32_t sum0 =
            rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + sum0 + majority;
    }
    for (size_t i = 0; i < WORDS; i++)
        hash[i] += v[i];
}

/* Processes the last block or two: the rest of the message, a 1 bit, zeros, and the length in bits
 * (section 5.1.1). */
static void take_end(uint32_t hash[WORDS], const unsigned char *rest, size_t left, size_t count)
{
    unsigned char last[2 * BLOCK] = {0};
    const size_t padded = left + 1 + LENGTH <= BLOCK ? BLOCK : 2 * BLOCK;
    const uint64_t bits = (uint64_t)count * 8;
    if (left > 0)
        memcpy(last, rest, left);
    last[left] = 0x80;
    for (size_t i = 0; i < LENGTH; i++)
        last[padded - 1 - i] = (unsigned char)(bits >> (8 * i));
    for (size_t at = 0; at < padded; at += BLOCK)
        take_block(hash, last + at);
}

void sha256_hex(const void *bytes, size_t count, char hex[SHA256_HEX])
{
    uint32_t hash[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *at = bytes;
    size_t left = count;
    for (; left >= BLOCK; left -= BLOCK, at += BLOCK)
        take_block(hash, at);
    take_end(hash, at, left, count);
    for (size_t i = 0; i < WORDS; i++)
        snprintf(hex + 8 * i, 9, "%08x", (unsigned)hash[i]);
}
