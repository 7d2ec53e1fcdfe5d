#include "experiments/common/text/wrap.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Columns of the first `length` bytes; continuation bytes of UTF-8 take no column. */
static int columns_of(const char *text, size_t length)
{
    int n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

void wrap_write(FILE *stream, const char *first, const char *next, const char *text,
                const char *joint)
{
    const int room = WRAP_COLUMNS - columns_of(joint, strlen(joint));
    int used = columns_of(first, strlen(first));
    fputs(first, stream);
    for (bool begun = false; *text; begun = true) {
        size_t length = strcspn(text, " ");
        int width = columns_of(text, length);
        if (begun && used + 1 + width > room) {
            fprintf(stream, "%s\n%s", joint, next);
            used = columns_of(next, strlen(next));
        } else if (begun) {
            putc(' ', stream);
            used++;
        }
        fprintf(stream, "%.*s", (int)length, text);
        used += width;
        text += length;
        text += strspn(text, " ");
    }
    putc('\n', stream);
}

void wrap_print(const char *first, const char *next, const char *text, const char *joint)
{
    wrap_write(stdout, first, next, text, joint);
}
