/* Results are compared bit for bit. Prints how the arithmetic of this compiler and its options
 * differs from that which the comparisons need, or nothing. */
#include <float.h>
#include <stdio.h>

int main(void)
{
    volatile float least = FLT_MIN, zero = 0.0f;
    const volatile float nan = zero / zero;
    if (least / 2.0f == 0.0f)
        puts("takes subnormal numbers for 0");
    else if (1.0f / -zero > 0.0f)
        puts("loses the sign of 0");
    else if (nan == nan)
        puts("takes NaN for a number");
    else if (FLT_EVAL_METHOD != 0)
        puts("computes with more digits than floats have");
    else if (sizeof(void *) < 8)
        puts("has pointers of 32 bits");
    return 0;
}
