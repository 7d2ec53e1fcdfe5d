#include "harness/base/nearest_word.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t word_edits(const char *a, const char *b)
{
    const size_t m = strlen(a), n = strlen(b);
    size_t rows[3][NEAREST_WORD_LONGEST + 1]; /* edits from a's first i letters to b's first j */
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(least(before[j], row[j - 1]) + 1,
                           before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

struct nearest_word nearest_word_of(const char *typed)
{
    const size_t allowed = strlen(typed) / 3;
    return (struct nearest_word){typed, NULL, (allowed > 0 ? allowed : 1) + 1};
}

void nearest_word_offer(struct nearest_word *n, const char *word)
{
    if (strlen(n->typed) > NEAREST_WORD_LONGEST || strlen(word) > NEAREST_WORD_LONGEST)
        return;
    const size_t edits = word_edits(n->typed, word);
    if (edits < n->edits) {
        n->edits = edits;
        n->word = word;
    }
}

struct suggestion nearest_word_suggest(const struct nearest_word *n, const char *dashes)
{
    struct suggestion s = {""};
    if (n->word)
        snprintf(s.text, sizeof s.text, ", did you mean '%.2s%.*s'?", dashes, NEAREST_WORD_LONGEST,
                 n->word);
    return s;
}
