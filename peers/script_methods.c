#include "peers/script_methods.h"

#include <string.h>

const struct script_method script_methods[] = {
    {.computes = "conv",
     .method =
         {.name = "onnxruntime", .kind = SPACE_HOST, .product = true, .idea = "ONNX Runtime"}},
    {.computes = "conv",
     .method = {.name = "openvino", .kind = SPACE_HOST, .product = true, .idea = "OpenVINO"}},
    {.computes = "conv",
     .method = {.name = "tensorflow", .kind = SPACE_HOST, .product = true, .idea = "TensorFlow"}},
    {.computes = "conv",
     .method = {.name = "pytorch", .kind = SPACE_HOST, .product = true, .idea = "PyTorch"}},
    {.computes = "conv",
     .method = {.name = "pytorch-nhwc",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "PyTorch, channels last"}},
    {.computes = "network",
     .method =
         {.name = "onnxruntime", .kind = SPACE_HOST, .product = true, .idea = "ONNX Runtime"}},
    {.computes = "network",
     .method = {.name = "openvino", .kind = SPACE_HOST, .product = true, .idea = "OpenVINO"}},
    {.computes = "network",
     .method = {.name = "tensorflow", .kind = SPACE_HOST, .product = true, .idea = "TensorFlow"}},
    {.computes = "network",
     .method = {.name = "pytorch", .kind = SPACE_HOST, .product = true, .idea = "PyTorch"}},
    {.computes = "network",
     .method = {.name = "pytorch-nhwc",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "PyTorch, channels last"}},
    {.computes = "maxpool",
     .method =
         {.name = "onnxruntime", .kind = SPACE_HOST, .product = false, .idea = "ONNX Runtime"}},
    {.computes = "maxpool",
     .method = {.name = "openvino", .kind = SPACE_HOST, .product = false, .idea = "OpenVINO"}},
    {.computes = "maxpool",
     .method = {.name = "tensorflow", .kind = SPACE_HOST, .product = false, .idea = "TensorFlow"}},
    {.computes = "maxpool",
     .method = {.name = "python",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "the tesina's loops in plain Python, one element at a time"},
     .start_s = 0.3,
     .operations_per_s = 2.5e6},
    {.computes = "maxpool",
     .method = {.name = "numba",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "the tesina's loops, all of them compiled by Numba"},
     .start_s = 2.0,
     .operations_per_s = 1e9},
    {.computes = "maxpool",
     .method = {.name = "numba-window",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "the loop over windows in Python, each window compiled by Numba"},
     .start_s = 2.0,
     .operations_per_s = 2.5e6},
    {.computes = "maxpool",
     .method = {.name = "numba-cuda",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "the tesina's product of each window on a GPU, by Numba"}},
    {.computes = "distances",
     .method = {.name = "faiss",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "faiss, by the product of the points"}},
    {.computes = "distances",
     .method = {.name = "pytorch", .kind = SPACE_HOST, .product = true, .idea = "PyTorch's cdist"}},
    {.computes = "distances",
     .method = {.name = "pytorch-gram",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "PyTorch's cdist, by the product of the points"}},
    {.computes = "distances",
     .method = {.name = "scipy",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "SciPy's cdist, in double precision"}},
    {.computes = "matmul",
     .method = {.name = "mkl", .kind = SPACE_HOST, .product = true, .idea = "oneMKL's sgemm"}},
};
const size_t script_method_count = sizeof script_methods / sizeof *script_methods;

const struct script_method *script_method_row(const char *computes, const char *name)
{
    for (size_t i = 0; i < script_method_count; i++)
        if (strcmp(script_methods[i].computes, computes) == 0 &&
            strcmp(script_methods[i].method.name, name) == 0)
            return &script_methods[i];
    return NULL;
}

const struct method *script_method_find(const char *computes, const char *name)
{
    const struct script_method *row = script_method_row(computes, name);
    return row ? &row->method : NULL;
}
