#include "classroom/class/same_source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAMES = 1024 };

/* What begins a comment that lasts to the end of the line; `blocks`: C's block comments, too. */
struct comments {
    const char *line;
    bool blocks;
};

static struct comments comments_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    if (dot && strncasecmp(dot, ".f", 2) == 0) /* Fortran's suffixes, .f to .f08 and .for */
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

/* The identifiers of a source in the order of their first appearance. */
struct names {
    const char *items[NAMES];
    size_t lengths[NAMES], count;
};

/* Words of C that are no names of the author. */
static bool is_keyword(const char *word, size_t length)
{
    static const char *const words[] = {
        "break",    "case",   "char",   "const",  "continue", "default",  "do",
        "double",   "else",   "enum",   "extern", "float",    "for",      "goto",
        "if",       "inline", "int",    "long",   "return",   "restrict", "short",
        "signed",   "sizeof", "static", "struct", "switch",   "union",    "typedef",
        "unsigned", "void",   "while",  "bool",   "define",   "include"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return true;
    return false;
}

static size_t word_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_'))
        length++;
    return length;
}

/* Returns the number of a name, which a source with other names has in the same places; NAMES: it
 * has none. */
static size_t number_of(struct names *n, const char *word, size_t length)
{
    if (isdigit((unsigned char)word[0]) || is_keyword(word, length))
        return NAMES;
    for (size_t i = 0; i < n->count; i++)
        if (n->lengths[i] == length && memcmp(n->items[i], word, length) == 0)
            return i;
    if (n->count == NAMES)
        return NAMES;
    n->items[n->count] = word;
    n->lengths[n->count] = length;
    return n->count++;
}

/* Appends a word, a name as its number, with a blank, since white space does not count elsewhere.
 */
static size_t put_word(struct names *n, const char *word, size_t length, char *to)
{
    const size_t number = number_of(n, word, length);
    if (number < NAMES)
        return (size_t)sprintf(to, "@%zu ", number);
    memcpy(to, word, length);
    to[length] = ' ';
    return length + 1;
}

void same_source_hash(const char *file, const char *text, size_t count, char hex[SHA256_HEX])
{
    const struct comments comments = comments_of(file);
    const char *end = text + count;
    char *kept = malloc(6 * count + 1); /* a name of one letter becomes at most "@1023 " */
    struct names *names = calloc(1, sizeof *names);
    size_t used = 0;
    hex[0] = '\0';
    if (!kept || !names) {
        free(kept);
        free(names);
        return;
    }
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
        const size_t length = word_length(at, end);
        if (length > 0)
            used += put_word(names, at, length, kept + used);
        else if (!isspace((unsigned char)*at))
            kept[used++] = *at;
        at += length > 0 ? length : 1;
    }
    sha256_hex(kept, used, hex);
    free(kept);
    free(names);
}
