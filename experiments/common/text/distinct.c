#include "experiments/common/text/distinct.h"

#include "harness/base/digest.h"
#include "harness/base/text/fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void text_distinct(char *to, size_t size, const char *from)
{
    if (strlen(from) < size) {
        text_fit(to, size, from);
        return;
    }
    text_fit(to, size - 6, from); /* "...", whose place the hash takes */
    snprintf(to + strlen(to) - 3, 10, "-%08" PRIx32, (uint32_t)digest_text(DIGEST_TEXT, from));
}
