#include "harness/point/show/show_text.h"

#include "harness/base/text/time_unit.h"

#include <math.h>

struct grouped_text text_grouped(int64_t n)
{
    struct grouped_text grouped;
    char digits[24], *p = grouped.text;
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
            *p++ = ',';
        *p++ = digits[i];
    }
    *p = 0;
    return grouped;
}

struct counted_text text_counted(int64_t n, const char *one, const char *many)
{
    struct counted_text counted;
    snprintf(counted.text, sizeof counted.text, "%s %s", text_grouped(n).text,
             screen_text(n == 1 ? one : many));
    return counted;
}

const char *text_seconds(double s, char *buffer, size_t size)
{
    const struct time_unit u = time_unit_of(s);
    if (s == 0.0)
        snprintf(buffer, size, "0 s");
    else
        snprintf(buffer, size, "%.4g %s", s / u.seconds, u.name);
    return buffer;
}

const char *text_hms(double s, char *buffer, size_t size)
{
    const double hours = floor(s / 3600.0), minutes = floor((s - 3600.0 * hours) / 60.0);
    buffer[0] = 0;
    if (s >= 1.0)
        snprintf(buffer, size, "%.0f:%02.0f:%09.6f", hours, minutes,
                 s - 3600.0 * hours - 60.0 * minutes);
    return buffer;
}

/* Counts the characters of UTF-8 text: all bytes except continuation bytes. */
static int columns_of(const char *text)
{
    int columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

void print_column(FILE *out, const char *text, int width)
{
    const int used = columns_of(text);
    fprintf(out, "%s%*s", text, used < width ? width - used : width > 0, "");
}

void show_label(FILE *out, const char *word)
{
    enum { LABEL_COLUMNS = 14 };
    print_column(out, word[0] ? screen_text(word) : "", LABEL_COLUMNS);
}

void show_text(FILE *out, const char *id, const struct argument *values)
{
    char text[1024];
    message_fill(text, sizeof text, screen_text(id), values);
    fputs(text, out);
}
