/* Functions that a GPU's kernels call too: the compiler of such kernels is to make both. */
#ifndef MAXPOOL_ON_DEVICE_H
#define MAXPOOL_ON_DEVICE_H

#ifdef __CUDACC__
#define ON_DEVICE_TOO __host__ __device__
#else
#define ON_DEVICE_TOO
#endif

#endif
