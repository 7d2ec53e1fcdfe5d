# A program is an operator in a space: its name is OPERATOR_SPACE.

# The operators of kernels/operators.inc that have programs, and those of them that a GPU computes.
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

# maxpool_programs(SPACE OPERATORS LIBRARY...): main.c of the folder that calls, once for each operator.
function(maxpool_programs space operators)
    foreach(operator IN LISTS operators)
        add_executable(${operator}_${space} main.c)
        target_compile_definitions(${operator}_${space} PRIVATE MAXPOOL_OPERATOR="${operator}")
        target_link_libraries(${operator}_${space} PRIVATE ${ARGN})
    endforeach()
endfunction()

# The libraries of Python that are held against ours: OPERATOR_LIBRARY, each a link to scripts/time_peers.py.
set(MAXPOOL_PYTHON_PEERS
    maxpool_pytorch maxpool_onnxruntime maxpool_openvino maxpool_tensorflow
    maxpool_python maxpool_numba maxpool_numba-cuda
    conv_pytorch conv_onnxruntime conv_openvino conv_tensorflow
    network_pytorch network_onnxruntime network_openvino network_tensorflow
    distances_pytorch distances_faiss distances_scipy
    matmul_mkl)
