#include "harness/base/text/csv_field.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

char *csv_skip_mark(char *line)
{
    static const char mark[] = "\xef\xbb\xbf";
    return line + (strncmp(line, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
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

/* Removes the quotes of a field in place and returns what follows its closing quote; NULL if there
 * is none. */
static char *unquote(char *field)
{
    char *to = field;
    for (char *from = field + 1; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            return from;
        }
        *to++ = *from;
    }
    return NULL;
}

char *csv_field_end(char *field, char separator)
{
    const char ends[] = {separator, '"', '\0'};
    char *end = *field == '"' ? unquote(field) : field + strcspn(field, ends);
    return end && (*end == separator || *end == '\0') ? end : NULL;
}

/* ---- numbers -------------------------------------------------------------------------------- */

enum { NUMBER_BYTES = 64 }; /* longer texts are no numbers that a program wrote */

static const char digits[] = "0123456789";

/* True if the digits around the sign may be thousands: 1 to 3 digits, no leading 0, then 3. */
static bool may_be_thousands(const char *whole, const char *part)
{
    const size_t before = strspn(whole, digits), after = strspn(part, digits);
    return before >= 1 && before <= 3 && *whole != '0' && after == 3 && !part[after];
}

void csv_decimals_note(struct csv_decimals *d, const char *field)
{
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

bool csv_read_real(const char *text, char sign, double *value)
{
    char copy[NUMBER_BYTES], *end;
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
