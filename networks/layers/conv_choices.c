#include "networks/layers/conv_choices.h"

#include "kernels/conv/panels.h"

#include <string.h>

const struct conv_choice conv_choices[] = {
    {.name = "literal", .run = {conv_literal}, .align = 1, .sliver = 1},
    {.name = "im2col",
     .run = ISA_VARIANTS(conv_im2col),
     .scratch = conv_im2col_scratch,
     .align = 1,
     .sliver = 1},
    {.name = "implicit",
     .run = ISA_VARIANTS(conv_implicit),
     .pack = ISA_VARIANTS(conv_implicit_pack),
     .packed = conv_implicit_packed,
     .scratch = conv_implicit_scratch,
     .align = 1,
     .sliver = FILTER_SLIVER},
    {.name = "winograd",
     .run = ISA_VARIANTS(conv_winograd),
     .pack = ISA_VARIANTS(conv_winograd_pack),
     .packed = conv_winograd_packed,
     .scratch = conv_winograd_scratch,
     .refuses = conv_winograd_refuses,
     .align = 2,
     .sliver = FILTER_SLIVER},
    {.name = "depthwise",
     .run = ISA_VARIANTS(conv_depthwise),
     .scratch = conv_depthwise_scratch,
     .refuses = conv_depthwise_refuses,
     .align = 1,
     .sliver = 1},
};
const int conv_choice_count = sizeof conv_choices / sizeof *conv_choices;

const struct conv_choice *conv_choice_find(const char *name)
{
    for (int i = 0; i < conv_choice_count; i++)
        if (strcmp(conv_choices[i].name, name) == 0)
            return &conv_choices[i];
    return NULL;
}

static bool can(const struct conv_choice *c, const struct conv_shape *s)
{
    return !c->refuses || !c->refuses(s);
}

/* Transforming tiles pays where many filters share each: with few channels most of the time goes
 * into transforms. */
enum { WINOGRAD_CHANNELS = 16, WINOGRAD_FILTERS = 16 };

const struct conv_choice *conv_choice_for(const struct conv_shape *s,
                                          const struct conv_choice *forced)
{
    const struct conv_choice *depthwise = conv_choice_find("depthwise");
    const struct conv_choice *winograd = conv_choice_find("winograd");
    if (forced && can(forced, s))
        return forced;
    if (can(depthwise, s))
        return depthwise;
    if (can(winograd, s) && s->channels / s->groups >= WINOGRAD_CHANNELS &&
        s->filters / s->groups >= WINOGRAD_FILTERS)
        return winograd;
    return conv_choice_find("implicit");
}
