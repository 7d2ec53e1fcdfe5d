#include "experiments/class/same_source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What begins a comment that lasts to the end of the line; `blocks`: C's block comments, too. */
struct comments {
    const char *line;
    bool blocks;
};

static struct comments comments_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    if (dot && (strcmp(dot, ".f90") == 0 || strcmp(dot, ".f") == 0))
        return (struct comments){"!", false};
    if (dot && strcmp(dot, ".py") == 0)
        return (struct comments){"#", false};
    return (struct comments){"//", true};
}

/* Returns the end of the comment at `at`; `at` itself if no comment begins there. */
static const char *skip_comment(const char *at, const char *end, const struct comments *c)
{
    const size_t length = strlen(c->line);
    if ((size_t)(end - at) >= length && memcmp(at, c->line, length) == 0) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        return newline ? newline : end;
    }
    if (!c->blocks || end - at < 2 || at[0] != '/' || at[1] != '*')
        return at;
    for (at += 2; end - at >= 2; at++)
        if (at[0] == '*' && at[1] == '/')
            return at + 2;
    return end;
}

/* Returns the end of the quoted text at `at`, at most the end of the line; `at` itself if none
 * begins there. */
static const char *skip_quoted(const char *at, const char *end)
{
    const char quote = *at;
    if (quote != '"' && quote != '\'')
        return at;
    for (at++; at < end && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

void same_source_hash(const char *file, const char *text, size_t count, char hex[SHA256_HEX])
{
    const struct comments comments = comments_of(file);
    const char *end = text + count;
    char *kept = malloc(count + 1);
    size_t used = 0;
    hex[0] = '\0';
    if (!kept)
        return;
    for (const char *at = text; at < end;) {
        const char *after = skip_comment(at, end, &comments);
        if (after != at) {
            at = after;
            continue;
        }
        after = skip_quoted(at, end);
        if (after != at) {
            memcpy(kept + used, at, (size_t)(after - at));
            used += (size_t)(after - at);
            at = after;
            continue;
        }
        if (!isspace((unsigned char)*at))
            kept[used++] = *at;
        at++;
    }
    sha256_hex(kept, used, hex);
    free(kept);
}
