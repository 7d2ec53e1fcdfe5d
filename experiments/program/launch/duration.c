#include "experiments/program/launch/duration.h"

#include "harness/base/text/csv_field.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { UNIT_BYTES = 16 };

static const struct {
    const char *name;
    double seconds;
} units[] = {{"s", 1.0},
             {"sec", 1.0},
             {"secs", 1.0},
             {"seg", 1.0},
             {"second", 1.0},
             {"seconds", 1.0},
             {"segundos", 1.0},
             {"ms", 1e-3},
             {"msec", 1e-3},
             {"msecs", 1e-3},
             {"millisecond", 1e-3},
             {"milliseconds", 1e-3},
             {"milisegundos", 1e-3},
             {"us", 1e-6},
             {"\u00b5s", 1e-6},
             {"\u03bcs", 1e-6},
             {"usec", 1e-6},
             {"usecs", 1e-6},
             {"microsecond", 1e-6},
             {"microseconds", 1e-6},
             {"microsegundos", 1e-6},
             {"ns", 1e-9},
             {"nsec", 1e-9},
             {"nsecs", 1e-9},
             {"nanosecond", 1e-9},
             {"nanoseconds", 1e-9},
             {"nanosegundos", 1e-9},
             {"min", 60.0},
             {"mins", 60.0},
             {"minutes", 60.0},
             {"minutos", 60.0},
             {"h", 3600.0},
             {"hours", 3600.0},
             {"horas", 3600.0}};

bool duration_unit(const char *text, double *seconds)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcasecmp(text, units[i].name) == 0) {
            *seconds = units[i].seconds;
            return true;
        }
    return false;
}

/* Skips blanks, and the spaces at which no line breaks (U+00A0, U+202F). */
static const char *skip_spaces(const char *at)
{
    static const char *const spaces[] = {" ", "\xc2\xa0", "\xe2\x80\xaf"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces;)
        if (strncmp(at, spaces[i], strlen(spaces[i])) == 0) {
            at += strlen(spaces[i]);
            i = 0;
        } else {
            i++;
        }
    return at;
}

/* Copies the letters at `at`, behind blanks, into `name`, and returns what follows them; NULL if
 * they are more than a unit has. */
static const char *letters_at(const char *at, char name[UNIT_BYTES])
{
    at = skip_spaces(at);
    const size_t length = strcspn(at, "0123456789 \t\r\n.,;:)]}\"'/|<");
    if (length >= UNIT_BYTES)
        return NULL;
    snprintf(name, UNIT_BYTES, "%.*s", (int)length, at);
    return at + length;
}

static bool begins_with_digit(const char *text)
{
    return *text >= '0' && *text <= '9';
}

bool duration_unit_at(const char *text, double *seconds)
{
    char name[UNIT_BYTES];
    text += strspn(text, " ");
    text += *text == '(' || *text == '[';
    const char *rest = letters_at(text, name);
    const bool least =
        rest && strcasecmp(name, "min") == 0 && begins_with_digit(rest + strspn(rest, " \t=:,;"));
    return rest && !least && duration_unit(name, seconds);
}

bool duration_take_unit(char *name, double *seconds)
{
    const size_t length = strlen(name);
    const bool closed = length > 0 && strchr(")]", name[length - 1]);
    char copy[UNIT_BYTES], *at = name + length - closed;
    while (at > name && !strchr(closed ? "([" : " _-./", at[-1]))
        at--;
    snprintf(copy, sizeof copy, "%.*s", (int)(name + length - closed - at), at);
    const bool least = !closed && strcasecmp(copy, "min") == 0;
    if (at == name || least || !duration_unit(copy, seconds))
        return false;
    at[-1] = '\0';
    return true;
}

/* True for " min 20 s": a unit, and a number with a smaller one. */
static bool is_unit_and_more(const char *text)
{
    char name[UNIT_BYTES];
    double unit, next;
    const char *rest = letters_at(text, name);
    if (!rest || !duration_unit(name, &unit))
        return false;
    rest = skip_spaces(rest);
    const size_t digits = strspn(rest, "0123456789.,");
    return begins_with_digit(rest) && letters_at(rest + digits, name) &&
           duration_unit(name, &next) && next < unit;
}

bool duration_goes_on(const char *number, const char *text)
{
    if (*text == 'e' || *text == 'E')
        return begins_with_digit(text + 1 + (text[1] == '-' || text[1] == '+'));
    if (*text == '.' || *text == ',')
        return begins_with_digit(text + 1) && !strchr(number, '.');
    return begins_with_digit(text + (*text == ':' || *text == 'm' || *text == 'h')) ||
           is_unit_and_more(text);
}

/* Reads a number whose decimal sign is `sign` or, where that fails, the other one: next to a unit a
 * sign parts no thousands. */
static bool read_either(const char *text, char sign, double *value)
{
    return csv_read_real(text, sign, value) || csv_read_real(text, sign == ',' ? '.' : ',', value);
}

/* Reads "1:02.5" or "1:01:02.5": parts of sixty, the last with decimals. */
static bool read_colons(const char *text, char sign, double *seconds)
{
    char part[CSV_NUMBER_BYTES];
    double value;
    *seconds = 0.0;
    for (int parts = 0; parts < 3; parts++) {
        const size_t length = strcspn(text, ":");
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (length >= sizeof part || !read_either(part, sign, &value) || value < 0.0)
            return false;
        *seconds = 60.0 * *seconds + value;
        if (!text[length])
            return parts > 0;
        text += length + 1;
    }
    return false;
}

/* Reads the same, also with Slurm's days before it: "2-01:01:02", and "2-01:01", without seconds.
 */
static bool read_clock(const char *text, char sign, double *seconds)
{
    const size_t digits = strspn(text, "0123456789");
    const bool days = digits > 0 && digits < 6 && text[digits] == '-';
    if (!read_colons(days ? text + digits + 1 : text, sign, seconds))
        return false;
    if (days && strchr(text, ':') == strrchr(text, ':'))
        *seconds *= 60.0;
    *seconds += days ? 86400.0 * atoi(text) : 0.0;
    return true;
}

/* Reads a number up to its unit, as in "350 ms"; *rest: what follows the unit. */
static bool read_with_unit(const char *text, char sign, double *seconds, const char **rest)
{
    char number[CSV_NUMBER_BYTES], name[UNIT_BYTES];
    double value, unit;
    const size_t digits = strspn(text, "0123456789.,eE+-");
    *rest = letters_at(text + digits, name);
    if (digits >= sizeof number || !*rest)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    if (strcmp(name, "m") == 0) /* of the shell's time: 1m2.5s */
        unit = 60.0;
    else if (!duration_unit(name, &unit))
        return false;
    if (!read_either(number, sign, &value) || value < 0.0)
        return false;
    *seconds = unit * value;
    return true;
}

bool duration_read(const char *text, char sign, double unit, double *seconds)
{
    const char *rest = text;
    double part, sum = 0.0;
    if (csv_read_real(text, sign, seconds)) {
        *seconds *= unit;
        return *seconds > 0.0;
    }
    if (strchr(text, ':'))
        return read_clock(text, sign, seconds) && *seconds > 0.0;
    while (*rest) {
        const char *next;
        if (!read_with_unit(rest, sign, &part, &next))
            return false;
        sum += part;
        rest = next + strspn(next, " ");
    }
    *seconds = sum;
    return sum > 0.0;
}
