#include "harness/base/text/integer.h"

#include <stddef.h>

bool integer_take(const char **text, int64_t least, int64_t most, int64_t *value)
{
    const bool negative = **text == '-';
    const char *const digits = *text + negative, *at = digits;
    int64_t sum = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(sum, (int64_t)10, &sum) ||
            __builtin_add_overflow(sum, (int64_t)(*at - '0'), &sum))
            return false;
    sum = negative ? -sum : sum;
    if (at == digits || sum < least || sum > most)
        return false;
    *text = at;
    *value = sum;
    return true;
}

bool integer_read(const char *text, int64_t least, int64_t most, int64_t *value)
{
    int64_t read;
    if (!integer_take(&text, least, most, &read) || *text)
        return false;
    *value = read;
    return true;
}

bool integer_read_natural(const char *text, uint64_t *value)
{
    const char *at = text;
    uint64_t sum = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*at - '0'), &sum))
            return false;
    if (at == text || *at)
        return false;
    *value = sum;
    return true;
}
