/* Numbers as readers see them: three digits, a suitable unit, an interval, and the decimal mark of
 * the language. Every function returns its text by value, so it can be used within an expression.
 */
#ifndef MAXPOOL_ANALYSIS_NUMBERS_H
#define MAXPOOL_ANALYSIS_NUMBERS_H

#include "experiments/samples/estimate.h"
#include "harness/base/text/language.h"

#include <stdint.h>

struct number {
    char text[96];
};

/* As printf, with a decimal point in every language: mostly for counts. */
struct number number_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The digits of a count. */
struct number number_of(int64_t count);

/* As printf, with the decimal mark of the language. */
struct number number_in(const struct language *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A whole number of something: "12,304", in Spanish with a no-break space, "12 304"; four digits
 * stay together: "1024". "-" if unknown. */
struct number number_count(const struct language *l, double count);

/* "19.2", "1024", "0.0775"; "-" if unknown. */
struct number number_plain(const struct language *l, double value);

/* Digits as printed in a publication, "87.88", with the decimal mark of the language. */
struct number number_printed(const struct language *l, const char *digits);

/* "13.6 ms" */
struct number number_seconds(const struct language *l, double seconds);

/* "13.6 [13.4, 13.8] ms"; without brackets if there is no interval; with the digits of
 * number_ratio.
 */
struct number number_estimate(const struct language *l, const struct estimate *e);

/* "19.2 [18.7, 19.8]", "19 [15, 22]": three digits, and fewer if half the interval does not justify
 * them: the last one is where it has its first digit, or one place behind a 1 or 2; without
 * brackets if there is no interval, or a negligible one. If half the interval is more than 50 % of
 * the value, only the ends: "2.47 to 40.9". */
struct number number_ratio(const struct language *l, double value, struct interval interval);

/* For titles: "19.2" if half the interval is within 5 % of it, otherwise only the ends, "17.9 to
 * 20.8". */
struct number number_brief(const struct language *l, double value, struct interval interval);

/* "2.23 [2.20, 2.26]": as many decimals as half the interval justifies, at most three; one number
 * if both ends then read the same. */
struct number number_justified(const struct language *l, double value, struct interval interval);

/* A value, or an end of its interval, with the digits that both have in number_ratio(): for texts
 * that put words between them. */
struct number number_within(const struct language *l, double x, double value,
                            struct interval interval);

/* For comparisons: "1.02 [1.01, 1.04]", as many decimals as half the interval justifies, at most
 * four. */
struct number number_compared(const struct language *l, double ratio, struct interval interval);

/* For the speedup that a law allows: as number_justified; "at least 50" without an upper bound,
 * "none" if the lower end is unknown too. Infinite ends mean no bound. */
struct number number_bound(const struct language *l, double bound, struct interval interval);

/* For answers: "19.2 [18.7, 19.8]" if half the interval is within 15 %, otherwise only the ends,
 * "12.1 to 20.8", because such an uncertain value should not be quoted. */
struct number number_answer(const struct language *l, double value, struct interval interval);
struct number number_answer_seconds(const struct language *l, const struct estimate *e);
struct number number_answer_share(const struct language *l, double share, struct interval interval);

/* For titles: "63 %", "34 to 119 %", as number_brief. */
struct number number_brief_share(const struct language *l, double share, struct interval interval);

/* For plain words: "19", "1.9", "0.19", "2" instead of "2.0"; "3.4 s". */
struct number number_about(const struct language *l, double value);
struct number number_about_seconds(const struct language *l, double seconds);

/* For plain words, with no more digits than half the interval allows: "about 400"; without an
 * interval as number_about; "between 201 and 405" if half the interval is more than 15 %. */
struct number number_roughly(const struct language *l, double value, struct interval interval);

/* The same of a time: "about 2.6 s", "between 1.8 s and 34 s". */
struct number number_roughly_seconds(const struct language *l, double seconds,
                                     struct interval interval);

/* For tables: a time with no more digits than its interval allows, "2.51 ms", "2.5 ms" if half of
 * it is more than 5 %; "between 32 µs and 68 ms" if it is more than 50 %. */
struct number number_known_seconds(const struct language *l, const struct estimate *e);

/* The same for a card: "56 ms", and above 50 % "17 to 143 ms". */
struct number number_brief_seconds(const struct language *l, const struct estimate *e);

/* A share as "92 %", "4.6 %", "0.39 %". */
struct number number_percent(const struct language *l, double share);

/* For tables: a share with its interval, "49 [34, 61] %", as number_ratio; as number_percent
 * without one. */
struct number number_share(const struct language *l, double share, struct interval interval);

/* "±2.1 %": half the interval relative to the value, as in the status words; "" without an
 * interval, and above 50 %, where number_known_seconds gives the ends. */
struct number number_spread(const struct language *l, double value, struct interval interval);

/* The interval, extended to contain a value shown with it; unchanged if there is no interval. */
struct interval interval_holding(struct interval interval, double value);

/* Half the width of an interval relative to the value; NaN without one. */
double interval_spread(double value, struct interval interval);

#endif
