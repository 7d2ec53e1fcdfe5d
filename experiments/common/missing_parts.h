/* Parts that could not be read or drawn while later steps still ran: each is reported in one line
 * on standard error and in the report. Together they decide the exit status, once everything else
 * is written. */
#ifndef MAXPOOL_COMMON_MISSING_PARTS_H
#define MAXPOOL_COMMON_MISSING_PARTS_H

#include "experiments/common/text/language.h"

#include <stddef.h>

/* What is left out on purpose, such as a chart of two points, is named in the report alone. */
enum gap_kind { GAP_NOT_READ, GAP_NOT_DRAWN, GAP_NOT_WRITTEN, GAP_LEFT_OUT, GAP_KINDS };

struct gap {
    enum gap_kind kind;
    enum status status;   /* 0: never measured, or not to be had here, which is no failure */
    char experiment[128]; /* that it is a part of; "": of the whole folder */
    char why[sizeof((struct failure *)0)->message];
};

struct gaps {
    struct gap *items;
    size_t count;
    size_t failures;    /* those with a status */
    enum status status; /* the gravest, the highest number */
};

/* Adds one, and reports it on standard error unless it was left out. The same one again is neither.
 */
void gaps_note(struct gaps *p, const char *experiment, enum gap_kind kind, enum status status,
               const char *why, ...) __attribute__((format(printf, 5, 6)));

/* "not drawn: why" in the language, as far as the catalogue knows it. */
void gap_text(const struct gap *p, const struct language *l, char *text, size_t size);

/* The status of a command that met them and went on: 0, or the gravest, with how many there are. */
enum status gaps_end(const struct gaps *p, struct failure *f);

void gaps_release(struct gaps *p);

#endif
