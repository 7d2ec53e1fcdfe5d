/* Which method of convolution a layer runs by; the methods are those of kernels/conv/methods.h. */
#ifndef MAXPOOL_LAYERS_CONV_CHOICES_H
#define MAXPOOL_LAYERS_CONV_CHOICES_H

#include "kernels/conv/methods.h"

/* `forced` where it can do the shape (NULL: none is), otherwise the fastest that can. */
const struct conv_method *conv_choice_for(const struct conv_shape *s,
                                          const struct conv_method *forced);

#endif
