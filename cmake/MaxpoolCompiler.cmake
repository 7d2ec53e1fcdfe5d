# Compiler flags, in one place.
set(MAXPOOL_WERROR OFF CACHE STRING "Treat warnings as errors: ON, OFF, or GATE: with gcc 12 only, the gate's own compiler")
if(MAXPOOL_WERROR STREQUAL "GATE")
    set(MAXPOOL_WERROR OFF) # other compilers report theirs, and the build goes on
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION MATCHES "^12\\.")
        set(MAXPOOL_WERROR ON)
    endif()
endif()
set(MAXPOOL_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")

# Targets link maxpool_flags to get them; maxpool_plain_flags: what programs without a sanitizer's runtime load.
foreach(flags maxpool_flags maxpool_plain_flags)
    add_library(${flags} INTERFACE)
    target_include_directories(${flags} INTERFACE ${PROJECT_SOURCE_DIR})
    target_compile_definitions(${flags} INTERFACE _GNU_SOURCE)
    target_compile_options(${flags} INTERFACE
        $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wstrict-prototypes;-Wmissing-prototypes;-Wconversion;-Wno-sign-conversion;-Wvla>
        # Results are compared bit for bit: no contraction that depends on the target, no fast-math.
        $<$<COMPILE_LANGUAGE:C>:-ffp-contract=off;-fno-fast-math>)
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
        # Clang 19 warns of members that a designated initializer leaves 0, and of an enum's constant times a double.
        target_compile_options(${flags} INTERFACE
            $<$<COMPILE_LANGUAGE:C>:-Wno-missing-field-initializers;-Wno-enum-float-conversion>)
    endif()
    if(MAXPOOL_WERROR)
        target_compile_options(${flags} INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
    endif()
endforeach()
if(MAXPOOL_SANITIZE)
    target_compile_options(maxpool_flags INTERFACE
        $<$<COMPILE_LANGUAGE:C>:-fsanitize=${MAXPOOL_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
    # The address sanitizer finds these two as well; checking them twice takes a fifth of the time to compile the kernels.
    if(MAXPOOL_SANITIZE MATCHES "address")
        target_compile_options(maxpool_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fno-sanitize=null,object-size>)
    endif()
    target_link_options(maxpool_flags INTERFACE -fsanitize=${MAXPOOL_SANITIZE})
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG" CACHE STRING "")

# maxpool_position_independent(TARGET...): for the parts of the shared library. Functions of one file still call and
# inline each other directly, as in a program.
function(maxpool_position_independent)
    foreach(target IN LISTS ARGN)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-fno-semantic-interposition>)
    endforeach()
endfunction()

# maxpool_optimised_in_debug(FILE...): optimises these files of the calling folder in debug builds too. Tests spend most
# of their time in them, and debuggers seldom step into them.
function(maxpool_optimised_in_debug)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Debug>:-O2>)
endfunction()
