#include "experiments/report/claims/time_counts.h"

#include "experiments/analysis/numbers.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdio.h>

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

void time_counts_add(struct time_counts *c, const struct point *p)
{
    const struct estimate *total = p ? &p->seconds[METRIC_TOTAL] : NULL;
    if (!total || !isfinite(total->value) || total->launches == 0)
        return;
    const bool first = c->most == 0;
    c->least = first ? total->launches : lesser(c->least, total->launches);
    c->most = greater(c->most, total->launches);
    c->least_samples = first ? total->samples : lesser(c->least_samples, total->samples);
    c->most_samples = greater(c->most_samples, total->samples);
}

/* "9", "6 to 9" */
static struct number range(const struct language *l, size_t least, size_t most)
{
    return least == most ? number_count(l, (double)most)
                         : number_text("%s %s %s", number_count(l, (double)least).text,
                                       message(l, "to"), number_count(l, (double)most).text);
}

void time_counts_say(const struct time_counts *c, const struct language *l,
                     char text[TIME_COUNTS_TEXT])
{
    text[0] = '\0';
    if (c->most > 1)
        message_format(text, TIME_COUNTS_TEXT, l, "Each time is the median of %{count} launches.",
                       WITH({"count", range(l, c->least, c->most).text}));
    else if (c->most == 1 && c->most_samples > 1)
        message_format(text, TIME_COUNTS_TEXT, l,
                       "Each time is the median of %{count} samples of one launch.",
                       WITH({"count", range(l, c->least_samples, c->most_samples).text}));
    else if (c->most == 1)
        message_format(text, TIME_COUNTS_TEXT, l, "Each time is that of one sample.", NULL);
}
