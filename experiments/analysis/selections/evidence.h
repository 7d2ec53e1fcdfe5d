/* Selects, among the points of an experiment, those for a sentence or a table. */
#ifndef MAXPOOL_EVIDENCE_H
#define MAXPOOL_EVIDENCE_H

#include "experiments/analysis/best/choice.h"
#include "experiments/analysis/best/with_best.h"
#include "experiments/analysis/inventory.h"
#include "harness/base/text/messages.h"

enum kind_of_work { WORK_ANY, WORK_PRODUCT, WORK_MAXIMUM };

/* Requirements on a point; zero requires nothing. */
struct wanted {
    const struct point *problem;  /* the same image, window and filter; NULL: any */
    bool any_math;                /* of it: whatever its operands were rounded to */
    const struct point *as_large; /* the same number of image elements; NULL: any */
    const char *offload;          /* NULL: any */
    const char *method;           /* NULL: any */
    enum kind_of_work work;
    bool serial, on_device; /* the space that computed it */
    bool one_worker, several_workers;
    bool peers; /* other libraries too */
    bool (*also)(const struct point *p);
};

/* True if it was measured and is not wrong: a claim may use it. */
bool evidence_usable(const struct point *p);

/* True if it is usable and meets the requirements. Points limited to an instruction set, or with
 * requested pages, never fit. */
bool evidence_fits(const struct point *p, const struct wanted *w);

/* The fastest fitting point in total time, or NULL. It never shares cores, and is SUSPECT only if
 * all are. */
const struct point *evidence_fastest(const struct analysis *a, const struct wanted *w);

/* The fastest as a choice, timed by other rounds than those that chose it; every number about a
 * fastest point in a sentence comes from this. `point` is evidence_fastest's if both halves of the
 * rounds agree; NULL: none fits. */
struct fastest {
    struct choice choice;
    const struct point *point;        /* of the choice */
    struct estimate total;            /* seconds */
    const struct point *base;         /* the baseline of the definition; NULL: not measured, or
                                         the point itself */
    struct comparison_of_points gain; /* total time of the base / of the choice */
};
struct fastest evidence_choice(const struct analysis *a, const struct wanted *w);

/* The fastest SUSPECT point that fits and takes less time than `best`, which is not SUSPECT: it is
 * left out of comparisons and must be named. NULL: none. */
const struct point *evidence_left_out(const struct analysis *a, const struct wanted *w,
                                      const struct point *best);

/* True for another method or other workers, unless it is left out as doubtful. */
bool evidence_is_rival(const struct point *p, const struct point *best);

/* The fastest fitting point of another method or other workers that does not differ significantly
 * from `best`, tested among all that fit (best/with_best.h). NULL: `best` is faster than all.
 * *interval, unless NULL: its time / the time of `best`, simultaneous. */
const struct point *evidence_tie(const struct analysis *a, const struct wanted *w,
                                 const struct point *best, struct interval *interval);

/* True if a library computed the point with its plain loops, according to the implementation's name
 * in the samples: oneDNN's "ref:any", "simple_nchw:any". */
bool evidence_plain_loops(const struct analysis *a, const struct point *p);

/* True if the interval of a ratio excludes 1. Without an interval every ratio but 1 differs:
 * nothing was measured that could call the two alike. */
bool evidence_differs(const struct comparison_of_points *c);

/* A point of the problem with the most fitting points, of equal ones the largest; NULL if none
 * fits. */
const struct point *evidence_problem(const struct analysis *a, const struct wanted *w);

/* Why nothing of what is wanted can be compared: that the workers had no cores of their own, or
 * `none`, that nothing was measured. */
const char *evidence_lack(const struct analysis *a, const struct wanted *w, const char *none);

/* The fitting points, the fastest first, those whose workers share cores last; at most `capacity`.
 * If there are more, the last place is kept for the baseline of the fastest, or for the slowest.
 * Returns their number. */
size_t evidence_sorted(const struct analysis *a, const struct wanted *w, const struct point **out,
                       size_t capacity);

/* True if p comes before q in descending order of the values. SUSPECT points come last: a doubtful
 * time is never the largest or the smallest if others exist. */
bool evidence_is_larger(const struct point *p, double value, const struct point *q, double other);

/* The last row that is not SUSPECT; if all are, the last. */
const struct point *evidence_last(const struct point *const *rows, size_t count);

/* Adds a point to the rows of a table unless it is there. */
void evidence_add(const struct point **rows, size_t *count, size_t capacity, const struct point *p);

/* ---- names of points ------------------------------------------------------------------------- */

struct words {
    char text[320];
};

/* A text by its format, as printf, and a message; one that does not fit ends in "...". */
struct words words_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct words words_message(const struct language *l, const char *id,
                           const struct argument *arguments);

/* "n = 4096, k = 2", "n = 512", "64 × 56 × 56, k = 3, s = 2", "brain_axial.png, k = 2"; backward
 * "64 × 56 × 56, k = 3, data gradient". */
struct words words_problem(const struct point *p, const struct language *l);

/* The same whatever its operands were rounded to. */
struct words words_any_math(const struct point *p, const struct language *l);

/* The method, and on a GPU the precision of its operands: "tensor tf32", "registers fp32"; without
 * it where none was recorded. */
struct words words_precise(const struct point *p);

/* "1 worker", "2 threads", "4 ranks", "2 ranks × 2 threads", "a GPU" */
struct words words_workers(const struct point *p, const struct language *l);

/* "simd with 1 worker (1.02 ms) is left out: SUSPECT, times in two modes" */
struct words words_left_out(const struct point *p, const struct language *l);

/* "fused", "fused scatter", "naive window" */
struct words words_method(const struct point *p);

/* True of a point whose ratios have no interval, for it has one launch, or too few samples for an
 * interval of its own: its numbers alone would look certain. */
bool point_lacks_interval(const struct point *p);

/* " (SUSPECT)" after the time of a doubtful point, " (ROUGH)" after one that lacks an interval; ""
 * otherwise. */
struct words words_doubt(const struct point *p, const struct language *l);

/* What a table has beside a time of the point: "(SUSPECT)"; beside its total time: the spread too,
 * "±3.1 % (SUSPECT)". */
struct words words_doubt_alone(const struct point *p, const struct language *l);
struct words words_spread(const struct point *p, const struct language *l);

/* That only times with similar errors are compared, and the number of other libraries' points left
 * out for that; "" if no error is known. */
struct words words_similar(const struct analysis *a, const struct language *l);

static inline const char *method_of(const struct point *p)
{
    return p->samples->identity.method;
}

static inline const struct record *identity_of(const struct point *p)
{
    return &p->samples->identity;
}

static inline double total_of(const struct point *p)
{
    return p->seconds[METRIC_TOTAL].value;
}

#endif
