#include "harness/base/text/csv_field.h"

#include "harness/base/text/integer.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *csv_skip_mark(char *line)
{
    static const char mark[] = "\xef\xbb\xbf";
    return line + (strncmp(line, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
}

bool csv_is_utf16(const char *bytes, size_t count)
{
    static const char *const marks[] = {"\xff\xfe", "\xfe\xff"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (count >= 2 && memcmp(bytes, marks[i], 2) == 0)
            return true;
    return count >= 2 && !bytes[0] != !bytes[1];
}

enum status csv_refuse_utf16(const char *name, struct failure *f)
{
    return fail(f, STATUS_USAGE,
                "%s: is text in UTF-16: save it in UTF-8 (in a spreadsheet: as 'CSV UTF-8'), or "
                "convert it by iconv -f UTF-16 -t UTF-8",
                name);
}

char csv_stated_separator(const char *line)
{
    static const char name[] = "sep=";
    line += *line == '"';
    if (strncasecmp(line, name, strlen(name)) != 0)
        return '\0';
    line += strlen(name);
    const char separator = *line;
    if (!separator || !strchr(",;\t|", separator))
        return '\0';
    return line[strspn(line, (const char[]){separator, '"', ' ', '\0'})] ? '\0' : separator;
}

char csv_separator(const char *header)
{
    bool quoted = false;
    for (; *header; header++) {
        quoted ^= *header == '"';
        if (!quoted && strchr(",;\t", *header))
            return *header;
    }
    return ',';
}

static bool is_blank(char c, char separator)
{
    return c != separator && (c == ' ' || c == '\t');
}

/* Writes to `to` what stands behind the opening quote at `from`, without quotes, and returns what
 * follows the closing quote and blanks behind it; NULL if there is none. */
static char *unquote(char *to, char *from, char separator)
{
    for (from++; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            while (is_blank(*from, separator))
                from++;
            return from;
        }
        *to++ = *from;
    }
    return NULL;
}

char *csv_field_end(char *field, char separator)
{
    char *begin = field, *end;
    while (is_blank(*begin, separator))
        begin++;
    if (*begin == '"') {
        end = unquote(field, begin, separator);
    } else {
        for (end = begin; *end && *end != separator && *end != '"';)
            end++;
        size_t length = (size_t)(end - begin);
        while (length > 0 && is_blank(begin[length - 1], separator))
            length--;
        if (field < begin)
            memmove(field, begin, length);
        if (field + length < end)
            field[length] = '\0';
    }
    return end && (*end == separator || *end == '\0') ? end : NULL;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static const char digits[] = "0123456789";

enum { EXACT_DIGITS = 15 }; /* of a whole number that a double holds exactly, whatever they are */

static size_t length_of_any(const char *at, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(at, texts[i], strlen(texts[i])) == 0)
            return strlen(texts[i]);
    return 0;
}

/* The bytes of a space: U+00A0, U+2007, U+2009, U+202F, at which no line breaks, or a blank. 0:
 * none is there. */
static size_t space_at(const char *at)
{
    static const char *const spaces[] = {"\xc2\xa0", "\xe2\x80\x87", "\xe2\x80\x89", "\xe2\x80\xaf",
                                         " "};
    return length_of_any(at, spaces, sizeof spaces / sizeof *spaces);
}

/* The comma or the point of a number that parts thousands and nothing else: it is there twice, or
 * before the other one. 0: none. */
static char thousands_point(const char *text)
{
    const char *comma = strchr(text, ','), *point = strchr(text, '.');
    if (comma && (strchr(comma + 1, ',') || (point && point > comma)))
        return ',';
    return point && (strchr(point + 1, '.') || (comma && comma > point)) ? '.' : '\0';
}

/* The bytes of a sign that parts thousands and nothing else: a space, an apostrophe (U+2019 too),
 * or `point`. */
static size_t thousands_sign(const char *at, char point)
{
    static const char *const apostrophes[] = {"'", "\xe2\x80\x99"};
    const size_t space = space_at(at);
    if (point && *at == point)
        return 1;
    return space > 0 ? space
                     : length_of_any(at, apostrophes, sizeof apostrophes / sizeof *apostrophes);
}

/* The length of a text without the spaces at its end. */
static size_t length_without_spaces(const char *text)
{
    size_t length = 0;
    for (const char *at = text; *at;) {
        const size_t space = space_at(at);
        at += space > 0 ? space : 1;
        length = space > 0 ? length : (size_t)(at - text);
    }
    return length;
}

/* True if the text may have a sign that parts thousands, or a space. Hardly any number that a
 * program wrote has one. */
static bool may_have_signs(const char *text)
{
    int points = 0;
    for (; *text; text++) {
        points += *text == '.' || *text == ',';
        if (*text == ' ' || *text == '\'' || (unsigned char)*text >= 0x80 || points == 2)
            return true;
    }
    return false;
}

const char *csv_plain_number(const char *text, char plain[CSV_NUMBER_BYTES])
{
    if (!may_have_signs(text))
        return text;
    text += space_at(text);
    const size_t length = length_without_spaces(text);
    if (length >= CSV_NUMBER_BYTES)
        return text;
    snprintf(plain, CSV_NUMBER_BYTES, "%.*s", (int)length, text);
    const char point = thousands_point(plain);
    char *to = plain + strspn(plain, "+-"), *at = to + strspn(to, digits);
    size_t group = (size_t)(at - to);
    bool good = group >= 1 && group <= 3 && *to != '0';
    for (size_t sign; good && (sign = thousands_sign(at, point)) > 0; at += group) {
        at += sign;
        group = strspn(at, digits);
        good = group == 3;
    }
    if (!good)
        return plain; /* if it has signs between digits, it is no number */
    char *from = to + strspn(to, digits);
    for (to = from; from < at;) {
        const size_t sign = thousands_sign(from, point);
        from += sign;
        if (sign == 0)
            *to++ = *from++;
    }
    memmove(to, at, strlen(at) + 1);
    return plain;
}

/* True if the digits around the sign may be thousands: 1 to 3 digits, no leading 0, then 3. */
static bool may_be_thousands(const char *whole, const char *part)
{
    const size_t before = strspn(whole, digits), after = strspn(part, digits);
    return before >= 1 && before <= 3 && *whole != '0' && after == 3 && !part[after];
}

void csv_decimals_note(struct csv_decimals *d, const char *field)
{
    char plain[CSV_NUMBER_BYTES];
    field = csv_plain_number(field, plain);
    const char *whole = field + strspn(field, "+-");
    const char *sign = whole + strspn(whole, digits);
    double value;
    if ((*sign != ',' && *sign != '.') || !csv_read_real(field, *sign, &value))
        return;
    if (!may_be_thousands(whole, sign + 1))
        *(*sign == ',' ? &d->commas : &d->points) = true;
    else if (*sign == ',')
        d->unclear = true;
}

bool csv_decimals_are_commas(const struct csv_decimals *d)
{
    return d->commas && !d->points;
}

/* Reads digits, and counts them; returns what follows them. */
static const char *read_digits(const char *at, int64_t *whole, int *count)
{
    for (; *at >= '0' && *at <= '9' && *count < EXACT_DIGITS; at++, ++*count)
        *whole = *whole * 10 + (*at - '0');
    return at;
}

/* Reads a number of at most EXACT_DIGITS digits, times a power of ten that a double holds exactly:
 * one multiplication or division then rounds once, to what strtod returns (Clinger 1990, How to
 * read floating point numbers accurately). False for any other text, also if it is a number. */
static bool read_exact(const char *text, char sign, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int most = sizeof powers / sizeof *powers - 1;
    const bool negative = *text == '-';
    int64_t whole = 0, power = 0;
    int count = 0, power_digits = 0;
    const char *at = read_digits(text + negative, &whole, &count);
    const int before = count;
    if (*at == sign)
        at = read_digits(at + 1, &whole, &count);
    if (count > 0 && (*at == 'e' || *at == 'E')) {
        const bool below = at[1] == '-';
        at = read_digits(at + 1 + (below || at[1] == '+'), &power, &power_digits);
        power = below ? -power : power;
        if (power_digits == 0)
            return false;
    }
    power -= count - before;
    if (FLT_EVAL_METHOD != 0 || count == 0 || *at || power > most || power < -most)
        return false;
    const double scaled =
        power < 0 ? (double)whole / powers[-power] : (double)whole * powers[power];
    *value = negative ? -scaled : scaled;
    return true;
}

bool csv_read_real(const char *text, char sign, double *value)
{
    char plain[CSV_NUMBER_BYTES], copy[CSV_NUMBER_BYTES], *end;
    text = csv_plain_number(text, plain);
    if (read_exact(text, sign ? sign : '.', value))
        return true;
    const size_t length = strlen(text);
    if (length == 0 || length >= sizeof copy ||
        text[strspn(text, sign == ',' ? "0123456789+-,eE" : "0123456789+-.eE")] != '\0')
        return false;
    memcpy(copy, text, length + 1);
    if ((end = strchr(copy, ',')))
        *end = '.';
    *value = strtod(copy, &end);
    return *end == '\0' && isfinite(*value);
}

bool csv_read_integer(const char *text, int64_t *value)
{
    char plain[CSV_NUMBER_BYTES];
    return integer_read(csv_plain_number(text, plain), INT64_MIN, INT64_MAX, value);
}
