#include "harness/base/text/word_list.h"

#include "harness/base/text/fit.h"

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

size_t word_list_empty_item(const char *list)
{
    for (size_t item = 1;; item++, list++) {
        const size_t span = strcspn(list, ",");
        if (strspn(list, " \t") >= span)
            return item;
        list += span;
        if (!*list)
            return 0;
    }
}

void word_list_add(char *list, size_t size, const char *separator, const char *word)
{
    text_fit_append(list, size, "%s%s", *list ? separator : "", word);
}
