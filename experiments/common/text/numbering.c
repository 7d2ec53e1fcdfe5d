#include "experiments/common/text/numbering.h"

#include "harness/base/digest.h"

#include <stdlib.h>
#include <string.h>

/* Returns the slot that holds `text`, or the free slot where it belongs. slot_count is a power of
 * 2. */
static size_t find_slot(const struct numbering *n, const char *text)
{
    size_t at = digest_text(DIGEST_TEXT, text) & (n->slot_count - 1);
    while (n->slots[at] && strcmp(n->texts[n->slots[at] - 1], text) != 0)
        at = (at + 1) & (n->slot_count - 1);
    return at;
}

/* Doubles the capacity. At most half of the slots are in use, so that searches stay short. */
static int grow(struct numbering *n)
{
    size_t capacity = n->capacity ? 2 * n->capacity : 32;
    char **texts = realloc(n->texts, capacity * sizeof *texts);
    if (!texts)
        return -1;
    n->texts = texts;
    size_t *slots = calloc(2 * capacity, sizeof *slots);
    if (!slots)
        return -1;
    free(n->slots);
    n->capacity = capacity;
    n->slots = slots;
    n->slot_count = 2 * capacity;
    for (size_t i = 0; i < n->count; i++)
        n->slots[find_slot(n, n->texts[i])] = i + 1;
    return 0;
}

ptrdiff_t numbering_find(const struct numbering *n, const char *text)
{
    if (n->count == 0)
        return -1;
    size_t at = find_slot(n, text);
    return (ptrdiff_t)n->slots[at] - 1;
}

ptrdiff_t numbering_put(struct numbering *n, const char *text)
{
    if (n->count == n->capacity && grow(n) != 0)
        return NUMBERING_FULL;
    size_t at = find_slot(n, text);
    if (n->slots[at] == 0) {
        char *copy = strdup(text);
        if (!copy)
            return NUMBERING_FULL;
        n->texts[n->count] = copy;
        n->slots[at] = ++n->count;
    }
    return (ptrdiff_t)n->slots[at] - 1;
}

void numbering_release(struct numbering *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->texts[i]);
    free(n->texts);
    free(n->slots);
    *n = (struct numbering){0};
}
