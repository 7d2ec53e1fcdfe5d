/* expect: input, wrote into its input; place
 * Changes its image, so that a verdict on the changed image would be easy. */
#include "honest.h"

void maxpool(ARGUMENTS)
{
    float *own = (float *)image;
    (void)threads;
    for (size_t i = 0; i < (size_t)planes * rows * cols; i++)
        own[i] = 0.0f;
    HONEST();
}
