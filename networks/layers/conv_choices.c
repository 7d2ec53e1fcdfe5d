#include "networks/layers/conv_choices.h"

#include <string.h>

/* Transforming tiles pays where many filters share each: with few channels most of the time goes
 * into transforms. Tiles of 4 x 4 outputs round as much as a sum one by one from so many channels
 * on (docs/conv.md has the errors, tests/kernels/test_conv.c holds them). Reading a transformed
 * weight takes as long as so many multiply-adds: 10 to 11 from the third cache, where both kinds of
 * tiles took equally long at 14 x 14 (16 tiles against 49), more from memory, where those of
 * networks lie that have more than the cache. */
enum { WINOGRAD_CHANNELS = 16, WINOGRAD_FILTERS = 16, WINOGRAD4_CHANNELS = 64, WEIGHT_TERMS = 14 };

/* Chosen where `exact` is asked for; computes nothing itself. */
static const struct conv_method exact_alone = {.head = {.name = "exact"}};

const struct conv_method *conv_choice_named(const char *name)
{
    return name && strcmp(name, "exact") == 0 ? &exact_alone : name ? conv_method_find(name) : NULL;
}

/* Multiply-adds of a channel and filter by so many tiles, or pixels, of so many products each,
 * reading the weights among them. */
static int64_t terms_of(int64_t tiles, int64_t products)
{
    return products * (tiles + WEIGHT_TERMS);
}

static int64_t tiles_of(const struct conv_shape *s, int64_t side)
{
    return ((s->out_rows + side - 1) / side) * ((s->out_cols + side - 1) / side);
}

/* Of the methods of tiles that can do the shape; at stride 2 pixel by pixel, where that is faster.
 */
static const struct conv_method *choice_by_tiles(const struct conv_shape *s, bool exact)
{
    if (s->stride == 2)
        return &conv_methods[terms_of(tiles_of(s, 2), 25) < terms_of(tiles_of(s, 1), 9)
                                 ? CONV_WINOGRAD
                                 : CONV_IMPLICIT];
    const bool large = !exact && s->channels / s->groups >= WINOGRAD4_CHANNELS &&
                       terms_of(tiles_of(s, 4), 36) < terms_of(tiles_of(s, 2), 16);
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
