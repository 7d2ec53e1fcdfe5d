/* Which method of convolution a layer runs by; the methods are those of kernels/conv/methods.h. */
#ifndef MAXPOOL_LAYERS_CONV_CHOICES_H
#define MAXPOOL_LAYERS_CONV_CHOICES_H

#include "kernels/conv/methods.h"

/* What is forced by a name: that method; "exact": none, but no method that rounds small integers;
 * any other name, or none: NULL. */
const struct conv_method *conv_choice_named(const char *name);

/* `forced` where it can do the shape, otherwise the fastest that can: of those whose errors are no
 * larger than that of a sum one by one where nothing is forced, of those that are exact on small
 * integers where anything is. */
const struct conv_method *conv_choice_for(const struct conv_shape *s,
                                          const struct conv_method *forced);

#endif
