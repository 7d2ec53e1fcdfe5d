#include "harness/base/text/decimal_point.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct point_hint point_hint_of(const char *word)
{
    struct point_hint hint = {""};
    char fixed[40];
    bool comma = false;
    const size_t length = strlen(word);
    if (length >= sizeof fixed)
        return hint;
    for (size_t i = 0; i <= length; i++) {
        const bool between = word[i] == ',' && i > 0 && isdigit((unsigned char)word[i - 1]) &&
                             isdigit((unsigned char)word[i + 1]);
        fixed[i] = between ? '.' : word[i];
        comma = comma || between;
    }
    if (comma)
        snprintf(hint.text, sizeof hint.text, "; write a point: %s", fixed);
    return hint;
}
