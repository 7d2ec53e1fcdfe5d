# CUDA needs nvcc with a C++ compiler that it accepts; otherwise nothing is built. -DCMAKE_CUDA_COMPILER=... names
# another nvcc, -DCMAKE_CUDA_HOST_COMPILER=... another C++ compiler.
include(CheckLanguage)
option(MAXPOOL_WITH_CUDA "Build the kernels of the CUDA programs" ON)
set(MAXPOOL_CUDA_ARCHITECTURES "" CACHE STRING
    "Compute capabilities to build for, e.g. 75;90 or native (default: 7.5 to 9.0, and PTX for later ones)")
set(MAXPOOL_HAVE_CUDA OFF)
set(cuda_why "switched off by MAXPOOL_WITH_CUDA")

if(MAXPOOL_WITH_CUDA)
    if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
        find_program(MAXPOOL_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda
            PATH_SUFFIXES bin)
        mark_as_advanced(MAXPOOL_NVCC)
        if(MAXPOOL_NVCC)
            set(CMAKE_CUDA_COMPILER ${MAXPOOL_NVCC})
        endif()
    endif()
    # Machine code for compute capabilities 7.5 (Turing) to 9.0 (Hopper); from the last one's PTX drivers compile for
    # any later GPU.
    if(MAXPOOL_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES ${MAXPOOL_CUDA_ARCHITECTURES})
    else()
        set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90)
    endif()
    check_language(CUDA)
    set(cuda_why "no nvcc that works here")
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        find_package(CUDAToolkit QUIET)
        set(cuda_why "nvcc without its runtime library (cudart_static)")
        if(TARGET CUDA::cudart_static)
            set(MAXPOOL_HAVE_CUDA ON)
        endif()
    endif()
endif()

if(MAXPOOL_HAVE_CUDA)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    target_compile_options(maxpool_flags INTERFACE
        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
    if(MAXPOOL_WERROR)
        target_compile_options(maxpool_flags INTERFACE
            "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings>")
    endif()
    list(JOIN CMAKE_CUDA_ARCHITECTURES " " cuda_for)
    maxpool_feature_line(CUDA on
        "maxpool_cuda, matmul_cuda, conv_cuda, distances_cuda (nvcc ${CMAKE_CUDA_COMPILER_VERSION}, for ${cuda_for})")
else()
    maxpool_feature_line(CUDA off "kernels of maxpool_cuda, matmul_cuda, conv_cuda, distances_cuda: ${cuda_why}")
endif()
