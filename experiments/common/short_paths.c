#include "experiments/common/short_paths.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The first two bytes of the quotation marks that compilers print in UTF-8. */
static const char quote[] = "\xE2\x80";

static bool is_quote(const char *at)
{
    return strncmp(at, quote, strlen(quote)) == 0;
}

/* Whether the byte may be a part of a name; letters outside ASCII are. */
static bool is_of_name(unsigned char byte)
{
    return isalnum(byte) || byte >= 0x80 || (byte && strchr("_.-+~@", byte));
}

/* Whether an absolute path begins here, not a later part of one, and no operator. */
static bool begins_path(const char *text, const char *at)
{
    const ptrdiff_t before = at - text;
    if (*at != '/' || !is_of_name((unsigned char)at[1]) || is_quote(at + 1))
        return false;
    return before == 0 || (before >= 3 && is_quote(at - 3)) ||
           !(at[-1] == '/' || is_of_name((unsigned char)at[-1]));
}

/* Returns the last part of the path at `at`. */
static char *last_part(char *at)
{
    char *last = at;
    for (; *at == '/' || (is_of_name((unsigned char)*at) && !is_quote(at)); at++)
        if (*at == '/' && is_of_name((unsigned char)at[1]) && !is_quote(at + 1))
            last = at + 1;
    return last;
}

static void cut(char *from, const char *to)
{
    memmove(from, to, strlen(to) + 1);
}

void short_paths(char *text, const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    const size_t folder = slash ? (size_t)(slash + 1 - file) : 0;
    for (char *at = text; *at; at++)
        if (folder > 1 && strncmp(at, file, folder) == 0)
            cut(at, at + folder);
    for (char *at = text; *at; at++)
        if (begins_path(text, at))
            cut(at, last_part(at));
}
