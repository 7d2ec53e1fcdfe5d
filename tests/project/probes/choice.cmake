# Prints what MaxpoolCudaProbe.cmake makes of an nvcc: the architectures, the host compiler, or why not.
#   cmake -DNVCC=PATH -DFOLDER=PATH [-DMAXPOOL_CUDA_ARCHITECTURES=...] [-DMAXPOOL_NVIDIA_SMI=PATH] -P choice.cmake
cmake_minimum_required(VERSION 3.25)
get_filename_component(PROJECT_SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(PROJECT_BINARY_DIR ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/probes)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
include(MaxpoolProbe)
include(MaxpoolCudaProbe)
set(MAXPOOL_WITH_CUDA ON)
set(CMAKE_CUDA_COMPILER ${NVCC})
function(maxpool_cuda_rehearse) # the fakes do not compile for CMake
endfunction()
maxpool_cuda_probe()
message("chosen=${chosen} host=${host} why=${cuda_why}")
