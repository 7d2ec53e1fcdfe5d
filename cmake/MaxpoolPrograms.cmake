# A program runs one operator in one space: its name is OPERATOR_SPACE.

# The operators of kernels/operators.inc that have programs, and those of them that a GPU can compute.
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/operators.inc)
file(STRINGS ${PROJECT_SOURCE_DIR}/kernels/operators.inc lines REGEX "^OPERATOR\\(.*, (HOST|GPU)\\)")
set(MAXPOOL_OPERATORS)
set(MAXPOOL_DEVICE_OPERATORS)
foreach(line IN LISTS lines)
    string(REGEX MATCH "\\((.*), (HOST|GPU)\\)" line "${line}")
    list(APPEND MAXPOOL_OPERATORS ${CMAKE_MATCH_1})
    if(CMAKE_MATCH_2 STREQUAL "GPU")
        list(APPEND MAXPOOL_DEVICE_OPERATORS ${CMAKE_MATCH_1})
    endif()
endforeach()

# maxpool_programs(SPACE OPERATORS LIBRARY...): builds main.c of the calling folder once for each operator.
function(maxpool_programs space operators)
    foreach(operator IN LISTS operators)
        add_executable(${operator}_${space} main.c)
        target_compile_definitions(${operator}_${space} PRIVATE MAXPOOL_OPERATOR="${operator}")
        target_link_libraries(${operator}_${space} PRIVATE ${ARGN})
    endforeach()
endfunction()

# maxpool_targets_of(OUT FOLDER): what is built in a folder and below.
function(maxpool_targets_of out folder)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    set(built)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(left_out ${target} EXCLUDE_FROM_ALL)
        if(type MATCHES "EXECUTABLE|STATIC|SHARED|MODULE|UTILITY" AND NOT left_out)
            list(APPEND built ${target})
        endif()
    endforeach()
    foreach(folder IN LISTS below)
        maxpool_targets_of(of_folder ${folder})
        list(APPEND built ${of_folder})
    endforeach()
    set(${out} "${built}" PARENT_SCOPE)
endfunction()

# maxpool_all_but_tests(LATER...): defines the target `programs`, all that is built in the folders added so far, and
# `first`: the same without those of the folders LATER, which no study needs.
function(maxpool_all_but_tests)
    maxpool_targets_of(targets ${PROJECT_SOURCE_DIR})
    add_custom_target(programs DEPENDS ${targets})
    foreach(folder IN LISTS ARGN)
        maxpool_targets_of(later ${PROJECT_SOURCE_DIR}/${folder})
        list(REMOVE_ITEM targets ${later})
    endforeach()
    add_custom_target(first DEPENDS ${targets})
endfunction()

include(MaxpoolPythonPeers)
