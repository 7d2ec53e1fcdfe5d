# CUDA needs an nvcc that compiles for some architecture with a C++ compiler that it accepts; otherwise nothing of CUDA
# is built, and the table of features says why. Nothing that an nvcc does ends the configuration.
# -DCMAKE_CUDA_COMPILER=... names another nvcc, -DCMAKE_CUDA_HOST_COMPILER=... the C++ compiler.
option(MAXPOOL_WITH_CUDA "Build the kernels of the CUDA programs" ON)
set(MAXPOOL_CUDA_ARCHITECTURES "" CACHE STRING
    "Compute capabilities to build for, e.g. 75;90, or native, all, one (default: those of the GPUs here; without one, from 3.5 on what nvcc has)")
set(MAXPOOL_HAVE_CUDA OFF)
include(MaxpoolCudaProbe)

# The probes take seconds, so their result is kept until something changes that they depend on.
set(known "${MAXPOOL_WITH_CUDA} ${MAXPOOL_CUDA_ARCHITECTURES} ${CMAKE_CUDA_COMPILER} $ENV{CUDACXX} ${CMAKE_CUDA_HOST_COMPILER} $ENV{CUDAHOSTCXX} ${CMAKE_C_COMPILER_VERSION}")
maxpool_cuda_nvcc()
if(nvcc)
    file(TIMESTAMP "${nvcc}" time)
    string(APPEND known " ${nvcc} ${time}")
endif()
if(NOT "${MAXPOOL_CUDA_KNOWN}" STREQUAL "${known}")
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/probes)
    maxpool_cuda_probe()
    set(MAXPOOL_CUDA_KNOWN "${known}" CACHE INTERNAL "")
    foreach(name cuda_why nvcc host chosen)
        set(MAXPOOL_CUDA_PROBED_${name} "${${name}}" CACHE INTERNAL "")
    endforeach()
endif()

if(NOT MAXPOOL_CUDA_PROBED_cuda_why)
    set(CMAKE_CUDA_COMPILER ${MAXPOOL_CUDA_PROBED_nvcc})
    set(CMAKE_CUDA_ARCHITECTURES ${MAXPOOL_CUDA_PROBED_chosen})
    if(MAXPOOL_CUDA_PROBED_host)
        set(CMAKE_CUDA_HOST_COMPILER ${MAXPOOL_CUDA_PROBED_host})
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit QUIET)
    set(MAXPOOL_HAVE_CUDA ON)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    target_compile_options(maxpool_flags INTERFACE
        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
    if(MAXPOOL_WERROR)
        target_compile_options(maxpool_flags INTERFACE
            "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings>")
    endif()
    list(JOIN CMAKE_CUDA_ARCHITECTURES " " cuda_for)
    if(MAXPOOL_CUDA_PROBED_host)
        string(APPEND cuda_for ", with ${MAXPOOL_CUDA_PROBED_host}")
    endif()
    maxpool_feature_line(CUDA on
        "maxpool_cuda, matmul_cuda, conv_cuda, distances_cuda (nvcc ${CMAKE_CUDA_COMPILER_VERSION}, for ${cuda_for})")
else()
    maxpool_feature_line(CUDA off
        "kernels of maxpool_cuda, matmul_cuda, conv_cuda, distances_cuda: ${MAXPOOL_CUDA_PROBED_cuda_why}")
endif()
