#include "experiments/report/charts/settings.h"

#include <stdio.h>
#include <string.h>

/* Doubles the single quotes of a text, for gnuplot's single quotes. */
static void quote(char *to, size_t size, const char *text)
{
    size_t length = 0;
    for (; *text && length + 3 < size; text++) {
        if (*text == '\'')
            to[length++] = '\'';
        to[length++] = *text;
    }
    to[length] = '\0';
}

void settings_add(struct settings *s, const char *name, const char *value)
{
    char quoted[2 * PATH_MAX];
    const size_t used = strlen(s->text), room = sizeof s->text - used;
    quote(quoted, sizeof quoted, value);
    const int length = snprintf(s->text + used, room, "%s%s='%s'", used ? "; " : "", name, quoted);
    s->whole = s->whole && length > 0 && (size_t)length < room && !strchr(value, '\n');
}

void settings_add_number(struct settings *s, const char *name, double value)
{
    char number[32];
    snprintf(number, sizeof number, "%.6g", value);
    settings_add(s, name, number);
}
