# The CUDA programs for GPUs of AMD: the sources of cuda/ once more, compiled by hipcc, into bin/hip. Off unless asked for:
# no GPU of AMD has run them yet. hipcc is called for each file, because CMake's language HIP does not find the runtime where
# Debian has it.
option(MAXPOOL_WITH_HIP "Build the CUDA programs a second time, for GPUs of AMD (ROCm's hipcc)" OFF)
set(MAXPOOL_HIP_ARCHITECTURES "gfx906;gfx90a;gfx1030" CACHE STRING
    "GPUs of AMD to build for, as rocminfo names them")
set(MAXPOOL_HAVE_HIP OFF)
set(hip_why "not asked for (MAXPOOL_WITH_HIP)")

# Sets hip_why to why this hipcc is of no use, "" if it compiles a kernel for each architecture.
function(maxpool_hip_probe)
    set(source ${PROJECT_BINARY_DIR}/probes/probe.hip)
    file(WRITE ${source} "#include <hip/hip_runtime.h>\n__global__ void nothing(void)\n{\n}\n")
    maxpool_answer(why ${MAXPOOL_HIPCC} ${hip_for} -x hip -c ${source} -o ${source}.o)
    set(hip_why "${why}" PARENT_SCOPE)
endfunction()

if(MAXPOOL_WITH_HIP AND NOT MAXPOOL_SIMULATED)
    find_program(MAXPOOL_HIPCC hipcc HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES bin)
    find_library(MAXPOOL_HIP_LIBRARY amdhip64 HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES lib)
    find_path(MAXPOOL_HIP_INCLUDE hip/hip_runtime_api.h HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES include)
    mark_as_advanced(MAXPOOL_HIPCC MAXPOOL_HIP_LIBRARY MAXPOOL_HIP_INCLUDE)
    list(TRANSFORM MAXPOOL_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE hip_for)
    set(hip_why "not found (Debian: hipcc, libamdhip64-dev)")
    if(MAXPOOL_HIPCC AND MAXPOOL_HIP_LIBRARY AND MAXPOOL_HIP_INCLUDE)
        maxpool_hip_probe()
    endif()
    if(NOT hip_why)
        set(MAXPOOL_HAVE_HIP ON)
    endif()
endif()
list(JOIN MAXPOOL_HIP_ARCHITECTURES " " hip_names)
if(MAXPOOL_HAVE_HIP)
    maxpool_feature_line(HIP on "bin/hip/NAME_cuda for ${hip_names}, which no GPU has run yet")
elseif(NOT MAXPOOL_SIMULATED)
    maxpool_feature_line(HIP off "the CUDA programs for GPUs of AMD: ${hip_why}")
endif()
