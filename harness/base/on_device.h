/* Marks functions that GPU kernels also call: the CUDA compiler compiles them for the host and the
 * device. */
#ifndef MAXPOOL_ON_DEVICE_H
#define MAXPOOL_ON_DEVICE_H

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ON_DEVICE_TOO __host__ __device__
#else
#define ON_DEVICE_TOO
#endif

#endif
