#include "networks/layers/conv_choices.h"

#include "kernels/conv/winograd/winograd_tiles.h"

#include <string.h>

/* When to use Winograd. Transforming tiles pays if many filters share each tile: with few channels
 * most of the time goes into transforms. From WINOGRAD4_CHANNELS channels on, tiles of 4 x 4
 * outputs round as much as a sum one by one (docs/conv.md has the errors, tests/kernels/test_conv.c
 * checks them). */
enum { WINOGRAD_CHANNELS = 16, WINOGRAD_FILTERS = 16, WINOGRAD4_CHANNELS = 64 };

/* Represents `exact`; computes nothing itself. */
static const struct conv_method exact_alone = {.head = {.name = "exact"}};

const struct conv_method *conv_choice_named(const char *name)
{
    return name && strcmp(name, "exact") == 0 ? &exact_alone : name ? conv_method_find(name) : NULL;
}

/* Cost per channel and filter of one image by tiles, in multiply-adds: the tiles' own, and reading
 * the transformed weights once per `images` images. */
static double terms_of(const struct conv_shape *s, const struct tile_form *form, int64_t images)
{
    return (double)form->elements *
           ((double)tiles_of_image(s, form) + CONV_WEIGHT_TERMS / (double)images);
}

/* The same for as many images as the batch lets the method compute together. */
static double terms_together(const struct conv_shape *s, const struct tile_form *form)
{
    return terms_of(s, form, images_together(s, form, s->batch));
}

/* The same for the implicit method, pixel by pixel and image by image. */
static double terms_of_pixels(const struct conv_shape *s)
{
    return 9.0 * ((double)(s->out_rows * s->out_cols) + CONV_WEIGHT_TERMS);
}

/* Chooses among the Winograd methods; at stride 2 the implicit one where it is faster. */
static const struct conv_method *choice_by_tiles(const struct conv_shape *s, bool exact)
{
    if (s->stride == 2)
        return &conv_methods[terms_of(s, &winograd_strided_form, 1) < terms_of_pixels(s)
                                 ? CONV_WINOGRAD
                                 : CONV_IMPLICIT];
    const bool large = !exact && s->channels / s->groups >= WINOGRAD4_CHANNELS &&
                       terms_together(s, &winograd4_form) < terms_together(s, &winograd_form);
    return &conv_methods[large ? CONV_WINOGRAD4 : CONV_WINOGRAD];
}

const struct conv_method *conv_choice_for(const struct conv_shape *s,
                                          const struct conv_method *forced)
{
    const struct conv_method *depthwise = &conv_methods[CONV_DEPTHWISE];
    if (forced && conv_method_can(forced, s))
        return forced;
    if (conv_method_can(depthwise, s))
        return depthwise;
    if (conv_method_can(&conv_methods[CONV_WINOGRAD], s) &&
        s->channels / s->groups >= WINOGRAD_CHANNELS && s->filters / s->groups >= WINOGRAD_FILTERS)
        return choice_by_tiles(s, forced != NULL);
    return &conv_methods[CONV_IMPLICIT];
}
