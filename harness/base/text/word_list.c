#include "harness/base/text/word_list.h"

#include <string.h>

size_t word_list_count(const char *list, const char *between, const char *word)
{
    const size_t length = strlen(word);
    size_t count = 0;
    for (;; list++) {
        const size_t span = strcspn(list, between);
        count += span == length && strncmp(list, word, length) == 0;
        list += span;
        if (!*list)
            return count;
    }
}

bool word_list_has(const char *list, const char *between, const char *word)
{
    return word_list_count(list, between, word) > 0;
}
