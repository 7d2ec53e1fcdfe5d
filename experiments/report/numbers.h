/* Numbers as readers see them: three digits, a unit that fits, an interval, and the decimal mark of
 * the language. Every function returns its text by value, to be used within the expression. */
#ifndef MAXPOOL_NUMBERS_H
#define MAXPOOL_NUMBERS_H

#include "experiments/common/language.h"
#include "experiments/samples/estimate.h"

struct number {
    char text[96];
};

/* "19.2", "1024", "0.0775"; "-" where it is not known. */
struct number number_plain(enum language l, double value);

/* "13.6 ms" */
struct number number_seconds(enum language l, double seconds);

/* "13.6 [13.4, 13.8] ms"; without brackets where there is no interval. */
struct number number_estimate(enum language l, const struct estimate *e);

/* "19.2 [18.7, 19.8]"; without brackets where there is no interval, or none to speak of. */
struct number number_ratio(enum language l, double value, struct interval interval);

/* "92 %", "4.6 %", "0.39 %" of a share */
struct number number_percent(enum language l, double share);

/* "±2.1 %": the wider half of the interval against the value; "" where there is none. */
struct number number_spread(enum language l, double value, struct interval interval);

/* The wider half of an interval as a share of the value; NaN where there is none. */
double interval_spread(double value, struct interval interval);

/* Puts the decimal mark of the language into a text that holds numbers and nothing else. */
void number_localize(enum language l, char *text);

#endif
