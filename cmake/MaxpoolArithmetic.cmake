# Refuses options of the compiler with which results could not be compared bit for bit. The options of the targets come
# later on the command line and undo most of them (MaxpoolCompiler.cmake), but a program that is linked with -ffast-math
# takes subnormal numbers for 0.

# maxpool_refuse_loose(): ends the configuration if such an option is where a language that is enabled takes it from.
function(maxpool_refuse_loose)
    set(loose "-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math|-freciprocal-math|-ffinite-math-only")
    string(APPEND loose "|-fno-signed-zeros|-fno-honor-nans|-fno-honor-infinities|-mdaz-ftz")
    string(APPEND loose "|-f?fp-model[= ](fast|aggressive)(=[12])?|-fsingle-precision-constant")
    string(APPEND loose "|--?use_fast_math|--?ftz=true")
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    get_directory_property(of_folder COMPILE_OPTIONS)
    get_directory_property(of_links LINK_OPTIONS)
    set(places of_folder of_links)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    list(TRANSFORM languages APPEND _FLAGS)
    foreach(name IN LISTS languages ITEMS EXE_LINKER_FLAGS SHARED_LINKER_FLAGS MODULE_LINKER_FLAGS)
        list(APPEND places CMAKE_${name} CMAKE_${name}_${type})
    endforeach()
    if(CMAKE_CUDA_COMPILER_LOADED) # nvcc reads the variables itself
        set(of_nvcc "$ENV{NVCC_APPEND_FLAGS} $ENV{NVCC_PREPEND_FLAGS}")
        list(APPEND places of_nvcc)
    endif()
    foreach(place IN LISTS places)
        string(REGEX MATCH "(^|[ ;,:=])(${loose})([ ;,>]|$)" found "${${place}}")
        if(found)
            set(option "${CMAKE_MATCH_2}")
            string(REGEX REPLACE "of_(folder|links)" "The project that includes this one" place "${place}")
            string(REPLACE "of_nvcc" "NVCC_APPEND_FLAGS or NVCC_PREPEND_FLAGS" place "${place}")
            message(FATAL_ERROR "${place} has ${option}: results are compared bit for bit, so leave it out, in a new "
                "build folder if it comes from CFLAGS, CXXFLAGS, CUDAFLAGS or LDFLAGS")
        endif()
    endforeach()
endfunction()
maxpool_refuse_loose() # again as soon as C++ and CUDA are enabled

# maxpool_check_arithmetic(): runs a probe that ends with 1, and prints why, if the arithmetic of this compiler and its
# options is another one. Only a probe that ended with 0 is not run again.
function(maxpool_check_arithmetic)
    set(probe ${PROJECT_SOURCE_DIR}/cmake/probes/arithmetic.c)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    set(call "${CMAKE_C_COMPILER}${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
    set(links "${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_EXE_LINKER_FLAGS_${type}}")
    file(MD5 ${probe} known)
    string(APPEND known " ${call} ${links} ${CMAKE_C_COMPILER_VERSION}")
    if(MAXPOOL_SIMULATED OR "${known}" STREQUAL "${MAXPOOL_EXACT_WITH}") # SMPI does not run the probe
        return()
    endif()
    unset(printed)
    set(result "")
    set(CMAKE_TRY_COMPILE_CONFIGURATION "${CMAKE_BUILD_TYPE}")
    if(NOT CMAKE_CROSSCOMPILING)
        try_run(result compiled SOURCES ${probe} NO_CACHE COMPILE_DEFINITIONS -ffp-contract=off -fno-fast-math
            RUN_OUTPUT_STDOUT_VARIABLE printed)
    endif()
    if(result STREQUAL "0")
        set(MAXPOOL_EXACT_WITH "${known}" CACHE INTERNAL "")
    elseif(result STREQUAL "1" AND printed)
        string(STRIP "${printed}" printed)
        message(FATAL_ERROR "'${call}' ${printed}: "
            "results are compared bit for bit, so use other options, or another compiler")
    else()
        message(STATUS "The arithmetic of '${call}' is not checked: its programs do not run here")
    endif()
endfunction()
maxpool_check_arithmetic()

# A misspelt build type would have no options, not even those that optimise.
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
if(NOT type MATCHES "^(DEBUG|RELEASE|RELWITHDEBINFO|MINSIZEREL|NONE|)$" AND NOT CMAKE_C_FLAGS_${type})
    message(FATAL_ERROR "There is no CMAKE_BUILD_TYPE '${CMAKE_BUILD_TYPE}'; there are Release, Debug, RelWithDebInfo, "
        "MinSizeRel, and None, whose options are those of CFLAGS alone")
endif()
