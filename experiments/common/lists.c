#include "experiments/common/lists.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *array_grow(void *items, size_t count, size_t size)
{
    if (count % 16 != 0)
        return items;
    return realloc(items, (count + 16) * size);
}

enum status text_compose(char *to, size_t size, struct failure *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(to, size, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < size)
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "'%.100s...' is too long: at most %zu bytes are possible here", to,
                size - 1);
}

bool texts_add(struct texts *t, const char *item)
{
    char **grown = array_grow(t->items, t->count, sizeof *grown);
    char *copy = strdup(item);
    if (grown)
        t->items = grown;
    if (!grown || !copy) {
        free(copy);
        return false;
    }
    t->items[t->count++] = copy;
    return true;
}

bool texts_have(const struct texts *t, const char *item)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->items[i], item) == 0)
            return true;
    return false;
}

void texts_release(struct texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->items[i]);
    free(t->items);
    *t = (struct texts){0};
}
