/* Gaps: parts that could not be read or drawn while later steps still ran. Each is reported in one
 * line on standard error and in the report. Together they determine the exit status after
 * everything else is written. */
#ifndef MAXPOOL_COMMON_MISSING_PARTS_H
#define MAXPOOL_COMMON_MISSING_PARTS_H

#include "harness/base/text/language.h"

#include <stddef.h>

/* A part left out on purpose, such as a chart of two points, is named only in the report. */
enum gap_kind { GAP_NOT_READ, GAP_NOT_DRAWN, GAP_NOT_WRITTEN, GAP_LEFT_OUT, GAP_KINDS };

struct gap {
    enum gap_kind kind;
    enum status status;   /* 0: never measured, or not available here; that is no failure */
    char experiment[128]; /* the experiment that the part belongs to; "": the whole folder */
    char why[sizeof((struct failure *)0)->message];
};

struct gaps {
    struct gap *items;
    size_t count;
    size_t failures;    /* number of gaps with a status */
    enum status status; /* the gravest one, which has the highest number */
};

/* Adds a gap, and reports it on standard error unless it was left out on purpose. Ignores a gap
 * that is already noted. */
void gaps_note(struct gaps *p, const char *experiment, enum gap_kind kind, enum status status,
               const char *why, ...) __attribute__((format(printf, 5, 6)));

/* Writes "not drawn: why" in language `l`, as far as its catalogue has translations. */
void gap_text(const struct gap *p, const struct language *l, char *text, size_t size);

/* Returns the status of a command that continued after gaps: 0, or the gravest status with a
 * message that counts the gaps. */
enum status gaps_end(const struct gaps *p, struct failure *f);

void gaps_release(struct gaps *p);

#endif
