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

void show_label(FILE *out, const char *word)
{
    enum { LABEL_COLUMNS = 14 };
    screen_left(out, word[0] ? screen_text(word) : "", LABEL_COLUMNS);
}

void show_further(FILE *out, const char *text)
{
    if (!text)
        return;
    show_label(out, "");
    fprintf(out, "%s\n", screen_text(text));
}

void show_network(FILE *out, const char *name, int64_t parameters, const char *source,
                  bool features)
{
    show_label(out, N_("Network"));
    screen_say(
        out,
        features ? N_("%{network} without its classifier, %{parameters} parameters (%{source})\n")
                 : N_("%{network}, %{parameters} parameters (%{source})\n"),
        WITH({"network", name}, {"parameters", text_grouped(parameters).text}, {"source", source}));
}
