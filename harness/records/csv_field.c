#include "harness/records/csv_field.h"

#include <stddef.h>
#include <string.h>

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

char *csv_field_end(char *field)
{
    char *end = *field == '"' ? unquote(field) : field + strcspn(field, ",\"");
    return end && (*end == ',' || *end == '\0') ? end : NULL;
}
