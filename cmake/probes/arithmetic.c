/* Results are compared bit for bit. If the arithmetic of this compiler and its options differs from
 * that which the comparisons need, prints how, and ends with 1. */
#include <float.h>
#include <stdio.h>

int main(void)
{
    volatile float least = FLT_MIN, zero = 0.0f;
    const volatile float nan = zero / zero;
    const char *fault = NULL;
    if (least / 2.0f == 0.0f)
        fault = "takes subnormal numbers for 0";
    else if (1.0f / -zero > 0.0f)
        fault = "loses the sign of 0";
    else if (nan == nan)
        fault = "takes NaN for a number";
    else if (FLT_EVAL_METHOD != 0)
        fault = "computes with more digits than floats have";
    else if (sizeof(void *) < 8)
        fault = "has pointers of 32 bits";
    if (fault)
        puts(fault);
    return fault ? 1 : 0;
}
