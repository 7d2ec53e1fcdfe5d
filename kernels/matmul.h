/* The host methods of the matrix product, one per file; matmul_methods.c gives each its row. */
#ifndef MAXPOOL_MATMUL_H
#define MAXPOOL_MATMUL_H

#include "kernels/methods.h"

matmul_function matmul_naive, matmul_interchanged, matmul_blocked;

#endif
