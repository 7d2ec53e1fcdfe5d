#include "experiments/analysis/numbers.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/time_unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A time that is printed as 1000 of a unit is 1 of the next. */
static struct time_unit unit_of(double seconds)
{
    return time_unit_of(seconds / 0.9995);
}

struct number number_text(const char *format, ...)
{
    struct number n;
    va_list arguments;
    va_start(arguments, format);
    text_fit_arguments(n.text, sizeof n.text, format, arguments);
    va_end(arguments);
    return n;
}

struct number number_of(int64_t count)
{
    return number_text("%" PRId64, count);
}

struct number number_in(const struct language *l, const char *format, ...)
{
    struct number n;
    va_list arguments;
    va_start(arguments, format);
    text_fit_arguments(n.text, sizeof n.text, format, arguments);
    va_end(arguments);
    number_localize(l, n.text);
    return n;
}

struct number number_count(const struct language *l, double count)
{
    static const char no_break_space[] = "\xc2\xa0";
    /* Where the comma is the decimal mark, it parts no thousands. */
    const char *mark = strcmp(number_in(l, "0.5").text, "0.5") == 0 ? "," : no_break_space;
    struct number grouped = {"-"};
    if (!isfinite(count))
        return grouped;
    const struct number digits = number_text("%.0f", count);
    const size_t length = strlen(digits.text);
    char *to = grouped.text;
    for (size_t i = 0; i < length && to < grouped.text + sizeof grouped.text - 4; i++) {
        const bool behind_digit = i > 0 && digits.text[i - 1] != '-';
        if (fabs(count) >= 10000.0 && behind_digit && (length - i) % 3 == 0)
            to += sprintf(to, "%s", mark);
        *to++ = digits.text[i];
    }
    *to = '\0';
    return grouped;
}

/* The decimals that half an interval justifies: the last one is where it has its first digit. */
static int justified_decimals(struct interval interval, int most)
{
    const double half = 0.5 * (interval.upper - interval.lower);
    return (int)fmin(most, fmax(0.0, ceil(-log10(half))));
}

/* The decimals of three digits. */
static int own_decimals(double value)
{
    const double amount = fabs(value);
    if (amount >= 99.95)
        return 0;
    if (amount >= 9.995)
        return 1;
    return amount >= 0.9995 || amount == 0.0 ? 2 : (int)fmin(9.0, 2.0 - floor(log10(amount)));
}

/* Three digits of the value, and fewer if its interval does not justify them: the last one is where
 * half of it has its first digit, or one place behind a first digit of 1 or 2. */
static int decimals_within(double value, struct interval interval)
{
    const struct interval third = {interval.lower / 3.0, interval.upper / 3.0};
    return isfinite(interval.lower) && isfinite(interval.upper)
               ? justified_decimals(third, own_decimals(value))
               : own_decimals(value);
}

/* True if both ends are known and read differently with so many decimals. */
static bool ends_differ(struct interval i, int decimals)
{
    return !isnan(i.lower) && !isnan(i.upper) &&
           strcmp(number_text("%.*f", decimals, i.lower).text,
                  number_text("%.*f", decimals, i.upper).text) != 0;
}

/* "19.2 [18.7, 19.8]" */
static struct number bracketed(const struct language *l, double value, struct interval i,
                               int decimals)
{
    return number_in(l, "%.*f [%.*f, %.*f]", decimals, value, decimals, i.lower, decimals, i.upper);
}

static struct number unknown(void)
{
    return (struct number){"-"};
}

/* Three digits, without powers of ten; whole numbers in full: counts. */
struct number number_plain(const struct language *l, double value)
{
    const double amount = fabs(value);
    if (!isfinite(value))
        return unknown();
    if (amount < 0.9995)
        return number_in(l, "%.3g", value);
    return number_in(l, "%.*f", value == floor(value) ? 0 : own_decimals(value), value);
}

/* Half an interval relative to its value, above which titles and answers give only the ends. */
static const double wide_in_titles = 0.05, wide_in_answers = 0.15;
static const double wide_in_tables = 0.5; /* no value is shown: its first digit is unknown */

/* The decimals of an end: `most`, but enough for its first digit, which rounding to 0 would hide.
 */
static int end_decimals(double end, double most)
{
    const double amount = fabs(end), first = amount > 0.0 ? -floor(log10(amount)) : 0.0;
    return (int)fmin(fmax(most, first), own_decimals(end));
}

/* "17.9 to 20.8" */
static struct number number_ends(const struct language *l, struct interval interval)
{
    const double half = 0.5 * (interval.upper - interval.lower);
    const double most = fmax(0.0, 1.0 + ceil(-log10(half))); /* a place behind half's first digit */
    return number_in(l, "%.*f %s %.*f", end_decimals(interval.lower, most), interval.lower,
                     message(l, "to"), end_decimals(interval.upper, most), interval.upper);
}

struct number number_ratio(const struct language *l, double value, struct interval interval)
{
    const int decimals = decimals_within(value, interval);
    if (!isfinite(value))
        return unknown();
    if (interval_spread(value, interval) > wide_in_tables)
        return number_ends(l, interval);
    return ends_differ(interval, decimals) ? bracketed(l, value, interval, decimals)
                                           : number_plain(l, value);
}

struct number number_brief(const struct language *l, double value, struct interval interval)
{
    return interval_spread(value, interval) > wide_in_titles ? number_ends(l, interval)
                                                             : number_plain(l, value);
}

struct number number_answer(const struct language *l, double value, struct interval interval)
{
    return interval_spread(value, interval) > wide_in_answers ? number_ends(l, interval)
                                                              : number_ratio(l, value, interval);
}

struct number number_justified(const struct language *l, double value, struct interval interval)
{
    if (!isfinite(value) || !isfinite(interval.upper - interval.lower))
        return number_plain(l, value);
    const int decimals = justified_decimals(interval, 3);
    return ends_differ(interval, decimals) ? bracketed(l, value, interval, decimals)
                                           : number_in(l, "%.*f", decimals, value);
}

struct number number_within(const struct language *l, double x, double value,
                            struct interval interval)
{
    return isfinite(x) ? number_in(l, "%.*f", decimals_within(value, interval), x) : unknown();
}

struct number number_compared(const struct language *l, double ratio, struct interval interval)
{
    return bracketed(l, ratio, interval, justified_decimals(interval, 4));
}

struct number number_bound(const struct language *l, double bound, struct interval interval)
{
    struct number n;
    if (isfinite(bound) && !isinf(interval.upper))
        return number_justified(l, bound, interval);
    if (isfinite(interval.lower))
        message_format(n.text, sizeof n.text, l, "at least %{bound}",
                       WITH({"bound", number_plain(l, interval.lower).text}));
    else
        snprintf(n.text, sizeof n.text, "%s", message(l, "none"));
    return n;
}

struct number number_printed(const struct language *l, const char *digits)
{
    return number_in(l, "%s", digits);
}

static struct number with_unit(struct number n, const char *unit)
{
    text_fit_append(n.text, sizeof n.text, " %s", unit);
    return n;
}

struct number number_seconds(const struct language *l, double seconds)
{
    const struct time_unit u = unit_of(seconds);
    return isfinite(seconds) ? with_unit(number_plain(l, seconds / u.seconds), u.name) : unknown();
}

static struct interval divided(struct interval i, double by)
{
    return (struct interval){i.lower / by, i.upper / by};
}

typedef struct number with_interval(const struct language *l, double value, struct interval);

/* A time in its unit, as `number` writes it; "-" if it is unknown. */
static struct number in_unit(const struct language *l, const struct estimate *e,
                             with_interval *number)
{
    const struct time_unit u = unit_of(e->value);
    return isfinite(e->value)
               ? with_unit(number(l, e->value / u.seconds, divided(e->interval, u.seconds)), u.name)
               : unknown();
}

struct number number_estimate(const struct language *l, const struct estimate *e)
{
    return in_unit(l, e, number_ratio);
}

struct number number_answer_seconds(const struct language *l, const struct estimate *e)
{
    return in_unit(l, e, number_answer);
}

struct number number_answer_share(const struct language *l, double share, struct interval interval)
{
    return isfinite(share)
               ? with_unit(number_answer(l, 100.0 * share, divided(interval, 0.01)), "%")
               : unknown();
}

struct number number_brief_share(const struct language *l, double share, struct interval interval)
{
    return interval_spread(share, interval) > wide_in_titles
               ? with_unit(number_ends(l, divided(interval, 0.01)), "%")
               : number_percent(l, share);
}

struct number number_about(const struct language *l, double value)
{
    const double amount = fabs(value);
    const bool tenths = amount >= 0.995 && amount < 9.95;
    if (!isfinite(value))
        return unknown();
    struct number n = number_text(tenths ? "%.1f" : amount < 0.995 ? "%.2g" : "%.0f", value);
    if (tenths && n.text[strlen(n.text) - 1] == '0')
        n.text[strlen(n.text) - 2] = '\0';
    return number_printed(l, n.text);
}

struct number number_about_seconds(const struct language *l, double seconds)
{
    const struct time_unit u = unit_of(seconds);
    return isfinite(seconds) ? with_unit(number_about(l, seconds / u.seconds), u.name) : unknown();
}

static struct number number_between(const struct language *l, const char *lower, const char *upper)
{
    struct number n;
    message_format(n.text, sizeof n.text, l, "between %{lower} and %{upper}",
                   WITH({"lower", lower}, {"upper", upper}));
    return n;
}

/* The value without the digits that half the interval makes unknown. */
static double rounded(double value, struct interval interval)
{
    const double half = 0.5 * (interval.upper - interval.lower);
    if (!(half > 0.0) || !isfinite(half))
        return value;
    const double place = pow(10.0, floor(log10(half)));
    return place * round(value / place);
}

/* The text of `id`, "about 19", or "between 17 and 21" of a wide interval, as `about` writes them.
 */
static struct number roughly(const struct language *l, const char *id, double value,
                             struct interval interval,
                             struct number (*about)(const struct language *l, double value))
{
    struct number n = unknown();
    if (!isfinite(value))
        return n;
    if (interval_spread(value, interval) > wide_in_answers)
        return number_between(l, about(l, interval.lower).text, about(l, interval.upper).text);
    const struct number rough = about(l, rounded(value, interval));
    message_format(n.text, sizeof n.text, l, id, WITH({"value", rough.text}, {"time", rough.text}));
    return n;
}

struct number number_roughly(const struct language *l, double value, struct interval interval)
{
    return roughly(l, N_("about %{value}"), value, interval, number_about);
}

struct number number_roughly_seconds(const struct language *l, double seconds,
                                     struct interval interval)
{
    return roughly(l, N_("about %{time}"), seconds, interval, number_about_seconds);
}

struct number number_known_seconds(const struct language *l, const struct estimate *e)
{
    const struct time_unit u = unit_of(e->value);
    const double spread = interval_spread(e->value, e->interval);
    if (!isfinite(e->value) || !(spread > wide_in_titles))
        return number_seconds(l, e->value);
    if (spread > wide_in_tables)
        return number_between(l, number_seconds(l, e->interval.lower).text,
                              number_seconds(l, e->interval.upper).text);
    return with_unit(
        number_in(l, "%.*f", u.seconds * 9.95 > e->value ? 1 : 0, e->value / u.seconds), u.name);
}

struct number number_brief_seconds(const struct language *l, const struct estimate *e)
{
    const struct time_unit u = unit_of(e->value);
    return interval_spread(e->value, e->interval) > wide_in_tables
               ? with_unit(number_ends(l, divided(e->interval, u.seconds)), u.name)
               : number_known_seconds(l, e);
}

/* A share needs no third digit. */
struct number number_percent(const struct language *l, double share)
{
    const double percent = 100.0 * share, amount = fabs(percent);
    return isfinite(share) ? number_in(l, "%.*f %%",
                                       amount < 0.095  ? 2
                                       : amount < 9.95 ? 1
                                                       : 0,
                                       percent)
                           : unknown();
}

struct number number_share(const struct language *l, double share, struct interval interval)
{
    return isfinite(share) && isfinite(interval.lower) && isfinite(interval.upper)
               ? with_unit(number_ratio(l, 100.0 * share, divided(interval, 0.01)), "%")
               : number_percent(l, share);
}

struct interval interval_holding(struct interval interval, double value)
{
    if (isnan(interval.lower) || isnan(interval.upper))
        return interval;
    return (struct interval){fmin(interval.lower, value), fmax(interval.upper, value)};
}

double interval_spread(double value, struct interval interval)
{
    return 0.5 * (interval.upper - interval.lower) / fabs(value);
}

struct number number_spread(const struct language *l, double value, struct interval interval)
{
    struct number n = {""};
    const double spread = interval_spread(value, interval);
    if (isfinite(spread) && spread <= wide_in_tables)
        text_fit_format(n.text, sizeof n.text, "±%s", number_percent(l, spread).text);
    return n;
}
