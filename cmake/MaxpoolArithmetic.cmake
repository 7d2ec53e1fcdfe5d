# Refuses options of the compiler with which results could not be compared bit for bit. Those of the targets come later
# on the command line and undo most of them (MaxpoolCompiler.cmake), but a program that is linked with -ffast-math takes
# subnormal numbers for 0.
set(loose "-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math|-freciprocal-math|-ffinite-math-only")
string(APPEND loose "|-fno-signed-zeros|-fno-honor-nans|-fno-honor-infinities|-ffp-model=(fast|aggressive)|-mdaz-ftz")
string(APPEND loose "|-fsingle-precision-constant|--?use_fast_math|--?ftz=true")
get_directory_property(of_folder COMPILE_OPTIONS)
get_directory_property(of_links LINK_OPTIONS)
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
set(of_cxx "$ENV{CXXFLAGS}") # C++ and CUDA come later
set(of_cuda "$ENV{CUDAFLAGS} $ENV{NVCC_APPEND_FLAGS} $ENV{NVCC_PREPEND_FLAGS}")
set(places of_folder of_links of_cxx of_cuda)
foreach(name C_FLAGS CXX_FLAGS CUDA_FLAGS EXE_LINKER_FLAGS SHARED_LINKER_FLAGS MODULE_LINKER_FLAGS)
    list(APPEND places CMAKE_${name} CMAKE_${name}_${type})
endforeach()
foreach(place IN LISTS places)
    string(REGEX MATCH "(^|[ ;,])(${loose})([ ;,]|$)" found "${${place}}")
    if(found)
        set(option "${CMAKE_MATCH_2}")
        string(REGEX REPLACE "of_(folder|links)" "The project that includes this one" place "${place}")
        string(REGEX REPLACE "of_(cxx|cuda)" "The environment of C++ or CUDA" place "${place}")
        message(FATAL_ERROR "${place} has ${option}: results are compared bit for bit, so leave it out, in a new build "
            "folder if it comes from CFLAGS, CXXFLAGS, CUDAFLAGS or LDFLAGS")
    endif()
endforeach()

# A machine other than this one, and SMPI, do not run it.
set(known "${CMAKE_C_COMPILER}${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_C_FLAGS}")
if(NOT CMAKE_CROSSCOMPILING AND NOT MAXPOOL_SIMULATED AND NOT "${known}" STREQUAL "${MAXPOOL_EXACT_WITH}")
    try_run(result compiled ${PROJECT_BINARY_DIR}/probes/arithmetic ${PROJECT_SOURCE_DIR}/cmake/probes/arithmetic.c
        COMPILE_DEFINITIONS -ffp-contract=off -fno-fast-math RUN_OUTPUT_VARIABLE printed)
    unset(result CACHE)
    unset(compiled CACHE)
    if(printed)
        string(STRIP "${printed}" printed)
        message(FATAL_ERROR "'${CMAKE_C_COMPILER}${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS}' ${printed}: "
            "results are compared bit for bit, so use other options, or another compiler")
    endif()
    set(MAXPOOL_EXACT_WITH "${known}" CACHE INTERNAL "")
endif()

# A misspelt build type would have no options, not even those that optimise.
if(NOT type MATCHES "^(DEBUG|RELEASE|RELWITHDEBINFO|MINSIZEREL|NONE|)$" AND NOT CMAKE_C_FLAGS_${type})
    message(FATAL_ERROR "There is no CMAKE_BUILD_TYPE '${CMAKE_BUILD_TYPE}'; there are Release, Debug, RelWithDebInfo, "
        "MinSizeRel, and None, whose options are those of CFLAGS alone")
endif()
