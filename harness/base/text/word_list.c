#include "harness/base/text/word_list.h"

#include <stdio.h>
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

void word_list_add(char *list, size_t size, const char *separator, const char *word)
{
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used > 0 ? separator : "", word);
}
