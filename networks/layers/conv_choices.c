#include "networks/layers/conv_choices.h"

/* Transforming tiles pays where many filters share each: with few channels most of the time goes
 * into transforms. */
enum { WINOGRAD_CHANNELS = 16, WINOGRAD_FILTERS = 16 };

const struct conv_method *conv_choice_for(const struct conv_shape *s,
                                          const struct conv_method *forced)
{
    const struct conv_method *depthwise = conv_method_find("depthwise");
    const struct conv_method *winograd = conv_method_find("winograd");
    if (forced && conv_method_can(forced, s))
        return forced;
    if (conv_method_can(depthwise, s))
        return depthwise;
    if (conv_method_can(winograd, s) && s->channels / s->groups >= WINOGRAD_CHANNELS &&
        s->filters / s->groups >= WINOGRAD_FILTERS)
        return winograd;
    return conv_method_find("implicit");
}
