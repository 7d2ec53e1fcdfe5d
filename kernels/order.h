/* The smaller and the larger of two sizes. */
#ifndef MAXPOOL_ORDER_H
#define MAXPOOL_ORDER_H

#include <stdint.h>

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
