/* Numbers as readers see them: three digits, a unit that fits, an interval, and the decimal mark of
 * the language. Every function returns its text by value, to be used within the expression. */
#ifndef MAXPOOL_NUMBERS_H
#define MAXPOOL_NUMBERS_H

#include "experiments/common/text/language.h"
#include "experiments/samples/estimate.h"

struct number {
    char text[96];
};

/* As printf has it, with the decimal point of every language: counts, mostly. */
struct number number_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, with the decimal mark of the language. */
struct number number_in(const struct language *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "19.2", "1024", "0.0775"; "-" where it is not known. */
struct number number_plain(const struct language *l, double value);

/* Printed digits, "87.88", with the decimal mark of the language. */
struct number number_printed(const struct language *l, const char *digits);

/* "13.6 ms" */
struct number number_seconds(const struct language *l, double seconds);

/* "13.6 [13.4, 13.8] ms"; without brackets where there is no interval. */
struct number number_estimate(const struct language *l, const struct estimate *e);

/* "19.2 [18.7, 19.8]"; without brackets where there is no interval, or none to speak of. */
struct number number_ratio(const struct language *l, double value, struct interval interval);

/* Of a finding in a title: "19.2" where half the interval is within 5 % of it, otherwise the ends
 * alone, "17.9 to 20.8". */
struct number number_brief(const struct language *l, double value, struct interval interval);

/* "2.23 [2.20, 2.26]": decimals as half the interval justifies, three at most; one number where
 * both ends then read the same. */
struct number number_justified(const struct language *l, double value, struct interval interval);

/* Of the speedup that a law allows: the same; "at least 50" where it may allow any, "none" where
 * nothing more is known. Infinite ends stand for no bound. */
struct number number_bound(const struct language *l, double bound, struct interval interval);

/* Of an answer: "19.2 [18.7, 19.8]" where half the interval is within 15 %, otherwise the ends
 * alone, since a middle that is hardly known is no figure to quote: "12.1 to 20.8". */
struct number number_answer(const struct language *l, double value, struct interval interval);
struct number number_answer_seconds(const struct language *l, const struct estimate *e);
struct number number_answer_share(const struct language *l, double share, struct interval interval);

/* In plain words: "19", "1.9", "0.19", "2" instead of "2.0"; "3.4 s". */
struct number number_about(const struct language *l, double value);
struct number number_about_seconds(const struct language *l, double seconds);

/* "92 %", "4.6 %", "0.39 %" of a share */
struct number number_percent(const struct language *l, double share);

/* "±2.1 %": half the interval against the value, as the status words have it; "" where there is
 * none.
 */
struct number number_spread(const struct language *l, double value, struct interval interval);

/* An interval that holds a value which stands beside it; the same where it does already, or where
 * there is none. */
struct interval interval_holding(struct interval interval, double value);

/* Half the width of an interval as a share of the value; NaN where there is none. */
double interval_spread(double value, struct interval interval);

#endif
