# The vector methods are compiled once per instruction set (kernels/isa.h explains how one is selected).
include(CheckCCompilerFlag)

set(MAXPOOL_ISA_FLAGS_baseline "")
set(MAXPOOL_ISA_FLAGS_avx2 -mavx2 -mfma -mbmi2)
set(MAXPOOL_ISA_FLAGS_avx512
    -mavx2 -mfma -mbmi2 -mavx512f -mavx512vl -mavx512bw -mavx512dq -mprefer-vector-width=512)

option(MAXPOOL_WITH_ISA "Build the vector methods for wider instruction sets too" ON)
set(MAXPOOL_ISA_SETS baseline)
if(MAXPOOL_WITH_ISA AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    check_c_compiler_flag("-mavx512f -mavx512vl -mavx512bw -mavx512dq -mfma" MAXPOOL_C_HAS_AVX512)
    if(MAXPOOL_C_HAS_AVX512)
        list(APPEND MAXPOOL_ISA_SETS avx2 avx512)
        target_compile_definitions(maxpool_flags INTERFACE MAXPOOL_HAVE_ISA_X86=1)
    endif()
endif()

# Always-inlined functions and unrolled loops make debug builds 40 MB per program without some optimisation, and make
# compilation with sanitizers slow without little optimisation. Undefined behaviour is searched for in the baseline's
# build of the same lines. Options of linked targets follow a target's own options, in link order: these override some
# of maxpool_flags. In debug builds the widest set has the copies that programs have (kernels/vector/common.h).
list(GET MAXPOOL_ISA_SETS -1 widest)
foreach(set baseline avx2 avx512)
    add_library(maxpool_isa_checked_${set} INTERFACE)
    if(MAXPOOL_SANITIZE)
        target_compile_options(maxpool_isa_checked_${set} INTERFACE -O1)
        target_compile_definitions(maxpool_isa_checked_${set} INTERFACE MAXPOOL_COMPACT=1) # kernels/vector/common.h
    else()
        target_compile_options(maxpool_isa_checked_${set} INTERFACE $<$<CONFIG:Debug>:-O1;-g1>)
        if(NOT set STREQUAL widest)
            target_compile_definitions(maxpool_isa_checked_${set} INTERFACE $<$<CONFIG:Debug>:MAXPOOL_COMPACT=1>)
        endif()
    endif()
endforeach()
if(MAXPOOL_SANITIZE)
    target_compile_options(maxpool_isa_checked_avx2 INTERFACE -fno-sanitize=undefined)
    target_compile_options(maxpool_isa_checked_avx512 INTERFACE -fno-sanitize=undefined)
endif()

# maxpool_isa_sources(TARGET FILE...): adds the files to the target, compiled once per instruction set.
function(maxpool_isa_sources target)
    foreach(set IN LISTS MAXPOOL_ISA_SETS)
        add_library(${target}_${set} OBJECT ${ARGN})
        target_link_libraries(${target}_${set} PRIVATE maxpool_flags maxpool_isa_checked_${set})
        target_compile_definitions(${target}_${set} PRIVATE ISA_BUILD=${set})
        target_compile_options(${target}_${set} PRIVATE ${MAXPOOL_ISA_FLAGS_${set}})
        maxpool_position_independent(${target}_${set})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${set}>)
    endforeach()
endfunction()

# maxpool_sources(TARGET PATTERN...): adds the matching sources of all folders below, so that a new file needs no line
# here. A source whose functions are named by ISA_FUNCTION (kernels/isa.h) is compiled once per instruction set.
function(maxpool_sources target)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARGN})
    set(vectors)
    foreach(source IN LISTS sources)
        file(STRINGS ${source} named REGEX "ISA_FUNCTION\\(" LIMIT_COUNT 1)
        if(named)
            list(APPEND vectors ${source})
        endif()
    endforeach()
    list(REMOVE_ITEM sources ${vectors})
    target_sources(${target} PRIVATE ${sources})
    maxpool_isa_sources(${target} ${vectors})
endfunction()
