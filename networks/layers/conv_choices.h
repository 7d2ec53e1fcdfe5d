/* Chooses the convolution method of a layer; kernels/conv/methods.h has the methods. */
#ifndef MAXPOOL_LAYERS_CONV_CHOICES_H
#define MAXPOOL_LAYERS_CONV_CHOICES_H

#include "kernels/conv/methods.h"

/* The method of that name, to be forced; for "exact" a placeholder that forces none, but excludes
 * methods that round small integers; NULL for any other name or none. */
const struct conv_method *conv_choice_named(const char *name);

/* `forced` if it can do the shape, otherwise the fastest method that can. If nothing is forced, its
 * errors must be no larger than those of a sum one by one; if anything is forced, it must be exact
 * on small integers. */
const struct conv_method *conv_choice_for(const struct conv_shape *s,
                                          const struct conv_method *forced);

#endif
