/* How far a time can be trusted, and why: the status words of points and their causes. */
#ifndef MAXPOOL_REASONS_H
#define MAXPOOL_REASONS_H

#include "harness/base/text/language.h"

#include <stdbool.h>
#include <stddef.h>

/* In order of severity; a point has the gravest trust of its reasons.
 *
 * PRECISE: the interval is as narrow as the scale asks for. ROUGH: a number with a wide interval
 * and no warning. SIMULATED: nothing was clocked. SUSPECT: something was found that makes times
 * wrong. INVALID: a wrong result, or a time that the machine cannot reach. */
enum trust { TRUST_PRECISE, TRUST_ROUGH, TRUST_SIMULATED, TRUST_SUSPECT, TRUST_INVALID, TRUSTS };

/* For programs: data, style sheets. */
extern const char *const trust_names[TRUSTS];
/* For readers. */
const char *trust_word(enum trust trust, const struct language *l);

enum cause {
    CAUSE_WRONG,
    CAUSE_TOO_FAST,
    CAUSE_CLOCK_STOOD,
    CAUSE_UNVERIFIED,
    CAUSE_ROOF_UNCERTAIN,
    CAUSE_LIMIT_PASSED,
    CAUSE_TWO_MODES,
    CAUSE_FAR_ABOVE,
    CAUSE_SHIFT,
    CAUSE_SESSIONS,
    CAUSE_TWO_SESSIONS,
    CAUSE_SESSION_LEVEL,
    CAUSE_TREND,
    CAUSE_DRIFT,
    CAUSE_CORRELATED,
    CAUSE_LOAD,
    CAUSE_LAUNCH_LOAD,
    CAUSE_LEFT_OUT,
    CAUSE_LOAD_DURING,
    CAUSE_STOLEN,
    CAUSE_INTERRUPTED,
    CAUSE_STOPPED,
    CAUSE_CLOCK_COARSE,
    CAUSE_WORKERS,
    CAUSE_RANKS,
    CAUSE_THREADS,
    CAUSE_QUOTA,
    CAUSE_SHARED_CORES,
    CAUSE_UNBOUND,
    CAUSE_PAGES,
    CAUSE_GPU_CLOCK,
    CAUSE_GPU_POWER,
    CAUSE_COMMIT,
    CAUSE_MACHINE,
    CAUSE_ISA,
    CAUSE_BINDING,
    CAUSE_DEVICE,
    CAUSE_SIMULATED,
    CAUSE_FEW_SAMPLES,
    CAUSE_ONE_LAUNCH,
    CAUSE_DIRTY,
    CAUSE_RARE_MODE,
    CAUSE_ROUNDS,
    CAUSE_SWITCHES,
    CAUSE_FREQUENCY,
    CAUSES
};

/* Why a point is not PRECISE. A reason whose trust is PRECISE is a note: useful to know, and no
 * objection to the time. */
struct reason {
    enum cause kind;
    const char *code; /* for programs */
    enum trust trust;
    double amount;  /* the first of its numbers: larger is worse */
    double other;   /* the second of its numbers */
    double more[2]; /* the third and the fourth; of a GPU the third is its rank, NaN: no ranks */
};

/* Makes the reason of a cause with its numbers; the last may be unused. */
struct reason reason_make(enum cause cause, double a, double b);
struct reason reason_make_of_four(enum cause cause, const double numbers[4]);

/* The cause in a few words, without numbers. */
const char *reason_name(const struct reason *r, const struct language *l);

/* The cause with its numbers. */
enum { REASON_TEXT = 256 };
struct reason_text {
    char text[REASON_TEXT];
};
struct reason_text reason_cause(const struct reason *r, const struct language *l);

/* How samples were made: what their user can do about them differs. */
enum sample_source {
    SOURCE_SUITE,      /* our point programs, started by `study` or by hand */
    SOURCE_COMMAND,    /* `study speedup -- COMMAND`, which alone knows the command */
    SOURCE_DEFINITION, /* a definition that launches a program of another */
    SOURCE_TIMES,      /* a file of times, which were measured elsewhere */
    SOURCE_SIMULATION, /* our programs on a simulated cluster */
    SAMPLE_SOURCES
};

/* What to do about it, for samples of that source (remedies.c). */
struct reason_text reason_remedy(const struct reason *r, const struct language *l,
                                 enum sample_source source);

/* Whether new launches on this machine, with this build, can clear it. */
bool reason_can_clear(const struct reason *r);

/* The prefix of a reason in a list: the word of its trust, or "note". */
const char *reason_word(const struct reason *r, const struct language *l);

/* "cause (remedy)", as one line. */
enum { REASON_LINE = 2 * REASON_TEXT + 8 };
void reason_line(const struct reason *r, const struct language *l, enum sample_source source,
                 char line[REASON_LINE]);

#endif
