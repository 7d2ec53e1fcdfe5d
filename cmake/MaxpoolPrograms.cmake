# A program is an operator in a space: its name is OPERATOR_SPACE.

# The rows of kernels/operators.c, and those of them that a GPU computes.
set(MAXPOOL_OPERATORS maxpool matmul copy conv distances)
set(MAXPOOL_DEVICE_OPERATORS maxpool matmul conv distances)

# maxpool_programs(SPACE OPERATORS LIBRARY...): main.c of the folder that calls, once for each operator.
function(maxpool_programs space operators)
    foreach(operator IN LISTS operators)
        add_executable(${operator}_${space} main.c)
        target_compile_definitions(${operator}_${space} PRIVATE MAXPOOL_OPERATOR="${operator}")
        target_link_libraries(${operator}_${space} PRIVATE ${ARGN})
    endforeach()
endfunction()
