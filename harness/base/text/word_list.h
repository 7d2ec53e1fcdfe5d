/* Lists of words in one text, such as "fused,literal". Each character of `between` separates two
 * words, so that "a,,b" has an empty word, and so has an empty list. */
#ifndef MAXPOOL_WORD_LIST_H
#define MAXPOOL_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Returns how often the word is in the list. */
size_t word_list_count(const char *list, const char *between, const char *word);

bool word_list_has(const char *list, const char *between, const char *word);

/* Returns the number, from 1, of the first item that is empty between commas, blanks aside; 0: none
 * is. */
size_t word_list_empty_item(const char *list);

/* Adds a word or phrase to the list, which has room for `size` bytes: after the separator, unless
 * the list is empty. One that does not fit ends in "...". */
void word_list_add(char *list, size_t size, const char *separator, const char *word);

#endif
