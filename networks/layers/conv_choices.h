/* The methods of convolution as layers use them (kernels/conv/conv.h): --conv names one. */
#ifndef MAXPOOL_LAYERS_CONV_CHOICES_H
#define MAXPOOL_LAYERS_CONV_CHOICES_H

#include "kernels/conv/conv.h"

struct conv_choice {
    const char *name;
    conv_function *run[ISA_COUNT];                /* NULL: the one before it serves */
    conv_pack_function *pack[ISA_COUNT];          /* none: it reads the weights as they are */
    size_t (*packed)(const struct conv_shape *s); /* floats */
    size_t (*scratch)(const struct conv_shape *s, int64_t rows);
    const char *(*refuses)(const struct conv_shape *s);
    int64_t align;  /* rows that go together: the bits hang on where they begin */
    int64_t sliver; /* filters that parts are multiples of */
};

extern const struct conv_choice conv_choices[];
extern const int conv_choice_count;

/* The one of that name, or NULL. */
const struct conv_choice *conv_choice_find(const char *name);

/* The one that a convolution runs by: `forced` where it can (NULL: none is), otherwise the fastest
 * that can. */
const struct conv_choice *conv_choice_for(const struct conv_shape *s,
                                          const struct conv_choice *forced);

#endif
