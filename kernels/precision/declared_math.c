#include "kernels/precision/declared_math.h"

#include <stddef.h>

const char *const math_words[] = {"fp32", "tf32", "bf16"};

const struct parameter math_parameter = {
    .option = "math",
    .argument = "fp32|tf32|bf16",
    .choice = true,
    .column = "math",
    .of = "product whose operands may be rounded",
    .offset = offsetof(struct parameters, math),
    .fallback = MATH_FP32,
    .help =
        "precision of the operands of products: float32 (default), or rounded to tf32 (11 bits) "
        "or bf16 (8 bits) for the tensor cores of a GPU, with sums in float32; such results "
        "have an error bound of their own, are never exact and never compared with float32"};

double math_roundoff(const struct operation *op)
{
    static const double roundoff[] = {
        [MATH_FP32] = 0.0, [MATH_TF32] = 0x1p-11, [MATH_BF16] = 0x1p-8};
    return roundoff[op->parameters.math];
}

bool math_rounds(const struct operation *op)
{
    return op->parameters.math != MATH_FP32;
}

double math_growth(const struct operation *op)
{
    const double one = 1.0 + math_roundoff(op);
    return one * one;
}
