#include "harness/base/utf8.h"

#include <string.h>

/* A row of the table: the range of the first byte, the range of the second byte, and the bytes of
 * the character. */
struct form {
    unsigned char first, last, least, most;
    size_t length;
};

static const struct form forms[] = {
    {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* Returns the length in bytes of the character at the beginning of the text; 0 if it is not a valid
 * one. */
static size_t length_of(const unsigned char *text)
{
    const struct form *form = forms, *const end = forms + sizeof forms / sizeof *forms;
    while (form < end && (text[0] < form->first || text[0] > form->last))
        form++;
    if (form == end)
        return 0;
    for (size_t i = 1; i < form->length; i++)
        if (text[i] < (i == 1 ? form->least : 0x80) || text[i] > (i == 1 ? form->most : 0xbf))
            return 0;
    return form->length;
}

/* C0, DEL, and C1, which terminals interpret too. */
static bool is_control(const unsigned char *text, size_t length)
{
    return length == 1 ? text[0] < ' ' || text[0] == 0x7f
                       : length == 2 && text[0] == 0xc2 && text[1] < 0xa0;
}

/* Characters that reverse the direction of what follows, or end a line: U+061C, U+200E, U+200F,
 * U+2028 to U+202E, U+2066 to U+2069. Source: Unicode Standard Annex 9, table 4. */
static bool is_direction(const unsigned char *text, size_t length)
{
    if (length == 2)
        return text[0] == 0xd8 && text[1] == 0x9c;
    if (length != 3 || text[0] != 0xe2)
        return false;
    return text[1] == 0x80
               ? text[2] == 0x8e || text[2] == 0x8f || (text[2] >= 0xa8 && text[2] <= 0xae)
               : text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9;
}

static bool is_foul(const unsigned char *text, size_t length)
{
    return length == 0 || is_control(text, length) || is_direction(text, length);
}

bool utf8_is_valid(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = length_of(at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

void utf8_from_latin(const char *from, char *to)
{
    for (; *from; from++) {
        const unsigned char byte = (unsigned char)*from;
        const bool control = byte >= 0x80 && byte < 0xa0;
        if (byte >= 0xa0)
            *to++ = (char)(0xc0 | byte >> 6);
        *to++ = control ? '?' : byte >= 0xa0 ? (char)(0x80 | (byte & 0x3f)) : (char)byte;
    }
    *to = '\0';
}

void utf8_clean_foreign(char *text, bool lines)
{
    unsigned char *to = (unsigned char *)text;
    for (const unsigned char *at = to; *at;) {
        const size_t length = length_of(at);
        const bool keeps = (lines && *at == '\n') || !is_foul(at, length);
        const size_t kept = keeps ? length : 1;
        memmove(to, keeps ? (const char *)at : *at == '\n' || *at == '\t' ? " " : "?", kept);
        to += kept;
        at += length > 0 ? length : 1;
    }
    *to = '\0';
}

void utf8_clean(const char *from, char *to, size_t size, bool printable)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const unsigned char *at = (const unsigned char *)from;
    size_t used = 0;
    while (*at) {
        const size_t length = length_of(at);
        const bool control = printable && length > 0 && is_foul(at, length);
        const char *piece = control ? "?" : length > 0 ? (const char *)at : replacement;
        const size_t bytes = control ? 1 : length > 0 ? length : sizeof replacement - 1;
        if (used + bytes >= size)
            break;
        memcpy(to + used, piece, bytes);
        used += bytes;
        at += length > 0 ? length : 1;
    }
    to[used] = '\0';
}
