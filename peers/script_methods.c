#include "peers/script_methods.h"

#include <string.h>

const struct script_method script_methods[] = {
    {"conv", {.name = "onnxruntime", .kind = SPACE_HOST, .product = true, .idea = "ONNX Runtime"}},
    {"conv", {.name = "openvino", .kind = SPACE_HOST, .product = true, .idea = "OpenVINO"}},
    {"conv", {.name = "tensorflow", .kind = SPACE_HOST, .product = true, .idea = "TensorFlow"}},
    {"conv", {.name = "pytorch", .kind = SPACE_HOST, .product = true, .idea = "PyTorch"}},
    {"conv",
     {.name = "pytorch-nhwc",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "PyTorch, channels last"}},
    {"network",
     {.name = "onnxruntime", .kind = SPACE_HOST, .product = true, .idea = "ONNX Runtime"}},
    {"network", {.name = "openvino", .kind = SPACE_HOST, .product = true, .idea = "OpenVINO"}},
    {"network", {.name = "tensorflow", .kind = SPACE_HOST, .product = true, .idea = "TensorFlow"}},
    {"network", {.name = "pytorch", .kind = SPACE_HOST, .product = true, .idea = "PyTorch"}},
    {"network",
     {.name = "pytorch-nhwc",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "PyTorch, channels last"}},
    {"maxpool",
     {.name = "onnxruntime", .kind = SPACE_HOST, .product = false, .idea = "ONNX Runtime"}},
    {"maxpool", {.name = "openvino", .kind = SPACE_HOST, .product = false, .idea = "OpenVINO"}},
    {"maxpool", {.name = "tensorflow", .kind = SPACE_HOST, .product = false, .idea = "TensorFlow"}},
    {"maxpool",
     {.name = "python",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "the tesina's loops in plain Python, one element at a time"}},
    {"maxpool",
     {.name = "numba",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "the tesina's loops, all of them compiled by Numba"}},
    {"maxpool",
     {.name = "numba-window",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "the loop over windows in Python, each window compiled by Numba"}},
    {"maxpool",
     {.name = "numba-cuda",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "the tesina's product of each window on a GPU, by Numba"}},
    {"distances",
     {.name = "faiss",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "faiss, by the product of the points"}},
    {"distances",
     {.name = "pytorch", .kind = SPACE_HOST, .product = true, .idea = "PyTorch's cdist"}},
    {"distances",
     {.name = "pytorch-gram",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "PyTorch's cdist, by the product of the points"}},
    {"distances",
     {.name = "scipy",
      .kind = SPACE_HOST,
      .product = true,
      .idea = "SciPy's cdist, in double precision"}},
    {"matmul", {.name = "mkl", .kind = SPACE_HOST, .product = true, .idea = "oneMKL's sgemm"}},
};
const size_t script_method_count = sizeof script_methods / sizeof *script_methods;

const struct method *script_method_find(const char *computes, const char *name)
{
    for (size_t i = 0; i < script_method_count; i++)
        if (strcmp(script_methods[i].computes, computes) == 0 &&
            strcmp(script_methods[i].method.name, name) == 0)
            return &script_methods[i].method;
    return NULL;
}
