/* The part of the CUDA runtime's C interface that the project uses, by HIP, for the GPUs of AMD:
 * each name of CUDA is the name of HIP for the same thing. A build for HIP finds this file in place
 * of CUDA's. Source of the names: HIP Programming Manual, "HIP Runtime API". */
#ifndef MAXPOOL_HIP_RUNTIME_API_H
#define MAXPOOL_HIP_RUNTIME_API_H

#include <hip/hip_runtime_api.h>

#define MAXPOOL_HIP                     1
#define CUDART_VERSION                  11000 /* the release of CUDA whose graphs have HIP's signatures */

/* ---- types ----------------------------------------------------------------------------------- */

#define cudaDeviceProp                  hipDeviceProp_t
#define cudaError_t                     hipError_t
#define cudaEvent_t                     hipEvent_t
#define cudaFuncAttributes              hipFuncAttributes
#define cudaGraph_t                     hipGraph_t
#define cudaGraphExec_t                 hipGraphExec_t
#define cudaGraphNode_t                 hipGraphNode_t
#define cudaGraphNodeType               hipGraphNodeType
#define cudaStream_t                    hipStream_t

#define cudaGraphNodeTypeKernel         hipGraphNodeTypeKernel
#define cudaMemcpyDeviceToHost          hipMemcpyDeviceToHost
#define cudaMemcpyHostToDevice          hipMemcpyHostToDevice
#define cudaStreamCaptureModeGlobal     hipStreamCaptureModeGlobal
#define cudaStreamNonBlocking           hipStreamNonBlocking

/* ---- errors ---------------------------------------------------------------------------------- */

#define cudaSuccess                     hipSuccess
#define cudaErrorAssert                 hipErrorAssert
#define cudaErrorECCUncorrectable       hipErrorECCNotCorrectable
#define cudaErrorIllegalAddress         hipErrorIllegalAddress
#define cudaErrorInitializationError    hipErrorNotInitialized
#define cudaErrorInsufficientDriver     hipErrorInsufficientDriver
#define cudaErrorInvalidKernelImage     hipErrorInvalidImage
#define cudaErrorLaunchFailure          hipErrorLaunchFailure
#define cudaErrorLaunchTimeout          hipErrorLaunchTimeOut
#define cudaErrorMemoryAllocation       hipErrorOutOfMemory
#define cudaErrorNoDevice               hipErrorNoDevice
#define cudaErrorNoKernelImageForDevice hipErrorNoBinaryForGpu
#define cudaErrorNotReady               hipErrorNotReady
#define cudaErrorOperatingSystem        hipErrorOperatingSystem

/* HIP has none of these: numbers that none of its calls returns. */
enum {
    cudaErrorCompatNotSupportedOnDevice = -1,
    cudaErrorDevicesUnavailable = -2,
    cudaErrorJitCompilerNotFound = -3,
    cudaErrorStubLibrary = -4,
    cudaErrorSystemDriverMismatch = -5,
    cudaErrorSystemNotReady = -6,
    cudaErrorUnsupportedPtxVersion = -7
};

/* ---- calls ----------------------------------------------------------------------------------- */

#define cudaDeviceGetPCIBusId                         hipDeviceGetPCIBusId
#define cudaDeviceSynchronize                         hipDeviceSynchronize
#define cudaEventCreate                               hipEventCreate
#define cudaEventDestroy                              hipEventDestroy
#define cudaEventElapsedTime                          hipEventElapsedTime
#define cudaEventQuery                                hipEventQuery
#define cudaEventRecord                               hipEventRecord
#define cudaFree                                      hipFree
#define cudaFreeHost                                  hipHostFree
#define cudaFuncGetAttributes                         hipFuncGetAttributes
#define cudaGetDevice                                 hipGetDevice
#define cudaGetDeviceCount                            hipGetDeviceCount
#define cudaGetDeviceProperties                       hipGetDeviceProperties
#define cudaGetErrorName                              hipGetErrorName
#define cudaGetErrorString                            hipGetErrorString
#define cudaGetLastError                              hipGetLastError
#define cudaGetSymbolAddress                          hipGetSymbolAddress
#define cudaGraphDestroy                              hipGraphDestroy
#define cudaGraphExecDestroy                          hipGraphExecDestroy
#define cudaGraphGetNodes                             hipGraphGetNodes
#define cudaGraphInstantiate                          hipGraphInstantiate
#define cudaGraphLaunch                               hipGraphLaunch
#define cudaGraphNodeGetType                          hipGraphNodeGetType
#define cudaMalloc                                    hipMalloc
#define cudaMallocHost(out, size)                     hipHostMalloc((out), (size), hipHostMallocDefault)
#define cudaMemGetInfo                                hipMemGetInfo
#define cudaMemcpy                                    hipMemcpy
#define cudaMemcpyAsync                               hipMemcpyAsync
#define cudaMemsetAsync                               hipMemsetAsync
#define cudaSetDevice                                 hipSetDevice
#define cudaStreamBeginCapture                        hipStreamBeginCapture
#define cudaStreamCreateWithFlags                     hipStreamCreateWithFlags
#define cudaStreamDestroy                             hipStreamDestroy
#define cudaStreamEndCapture                          hipStreamEndCapture
#define cudaStreamSynchronize                         hipStreamSynchronize
#define cudaStreamWaitEvent                           hipStreamWaitEvent
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor hipOccupancyMaxActiveBlocksPerMultiprocessor

/* HIP's number of 5.2.21153 is 50221153; CUDA's of 5.2 is 5020. Without a driver: 0. */
static inline hipError_t hip_version(hipError_t error, int *version)
{
    *version = *version / 10000000 * 1000 + *version / 100000 % 100 * 10;
    return error;
}

static inline hipError_t cudaDriverGetVersion(int *version)
{
    *version = 0;
    const hipError_t error = hipDriverGetVersion(version);
    return hip_version(error, version);
}

static inline hipError_t cudaRuntimeGetVersion(int *version)
{
    *version = 0;
    const hipError_t error = hipRuntimeGetVersion(version);
    return hip_version(error, version);
}

#endif
