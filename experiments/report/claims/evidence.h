/* Finding, among the points of an experiment, those that a sentence or a table is about. */
#ifndef MAXPOOL_EVIDENCE_H
#define MAXPOOL_EVIDENCE_H

#include "experiments/analysis/best/choice.h"
#include "experiments/analysis/best/with_best.h"
#include "experiments/analysis/inventory.h"

enum kind_of_work { WORK_ANY, WORK_PRODUCT, WORK_MAXIMUM };

/* What is asked of a point. Zero asks nothing. */
struct wanted {
    const struct point *problem;  /* the same image, window and filter; NULL: any */
    const struct point *as_large; /* as many elements of the image; NULL: any */
    const char *offload;          /* NULL: any */
    const char *method;           /* NULL: any */
    enum kind_of_work work;
    bool serial, on_device; /* where it was computed */
    bool one_worker, several_workers;
    bool peers; /* other libraries too */
    bool (*also)(const struct point *p);
};

/* Measured, and not wrong: a claim may rest on it. */
bool evidence_usable(const struct point *p);

/* Usable, and as wanted. A method limited to an instruction set or to other pages than usual is
 * never meant. */
bool evidence_fits(const struct point *p, const struct wanted *w);

/* The fastest in total time that fits, or NULL: never one whose workers share cores. A SUSPECT one
 * only where all are. */
const struct point *evidence_fastest(const struct analysis *a, const struct wanted *w);

/* The same as a choice, timed by other rounds than those that chose it: every number that a
 * sentence gives of a fastest one is this. point: as evidence_fastest has it wherever the halves of
 * the rounds agree; NULL: none fits. */
struct fastest {
    struct choice choice;
    const struct point *point;        /* of the choice */
    struct estimate total;            /* seconds */
    const struct point *base;         /* that the definition names; NULL: not measured, or itself */
    struct comparison_of_points gain; /* of the total time over that of the base */
};
struct fastest evidence_choice(const struct analysis *a, const struct wanted *w);

/* The fastest SUSPECT point that fits and takes less time than `best`, which is not SUSPECT: left
 * out of what is compared, and to be named. NULL: there is none. */
const struct point *evidence_left_out(const struct analysis *a, const struct wanted *w,
                                      const struct point *best);

/* The fastest point that fits beside `best`, of another method or other workers, where no
 * difference from it is seen among all that fit (best/with_best.h). NULL: `best` is faster than
 * all. *interval, where asked for: of its time over that of `best`, simultaneous. */
const struct point *evidence_tie(const struct analysis *a, const struct wanted *w,
                                 const struct point *best, struct interval *interval);

/* True for a library that computed the point by its plain loops, as its implementation's name in
 * the samples has: oneDNN's "ref:any", "simple_nchw:any". */
bool evidence_plain_loops(const struct analysis *a, const struct point *p);

/* True where an interval of a ratio lies on one side of 1. */
bool evidence_differs(const struct comparison_of_points *c);

/* A point of the problem that most points fit, and of those the largest; NULL where none fits. */
const struct point *evidence_problem(const struct analysis *a, const struct wanted *w);

/* Those that fit, fastest first and then those whose workers share cores: at most `room`, of which
 * the baseline that the fastest names, or the slowest, keeps the last. Returns how many. */
size_t evidence_sorted(const struct analysis *a, const struct wanted *w, const struct point **out,
                       size_t room);

/* True where p comes before q among the largest values: what is SUSPECT comes last, since a
 * doubtful time is never the most or the least of anything while others are there. */
bool evidence_is_larger(const struct point *p, double value, const struct point *q, double other);

/* The last row that is not SUSPECT; where all are, the last. */
const struct point *evidence_last(const struct point *const *rows, size_t count);

/* Adds a point to rows of a table, once. */
void evidence_add(const struct point **rows, size_t *count, size_t room, const struct point *p);

/* ---- what points are called ------------------------------------------------------------------ */

struct words {
    char text[320];
};

/* "n = 4096, k = 2", "n = 512", "64 × 56 × 56, k = 3, s = 2", "brain_axial.png, k = 2"; of one run
 * backward "64 × 56 × 56, k = 3, data gradient". */
struct words words_problem(const struct point *p, const struct language *l);

/* "1 worker", "2 threads", "4 ranks", "2 ranks × 2 threads", "a GPU" */
struct words words_workers(const struct point *p, const struct language *l);

/* Why a point is doubtful, in a few words: "times in two modes"; "" where it is not. */
struct words words_cause(const struct point *p, const struct language *l);

/* "simd with 1 worker (1.02 ms) is left out: SUSPECT, times in two modes" */
struct words words_left_out(const struct point *p, const struct language *l);

/* "fused", "fused scatter" */
struct words words_method(const struct point *p);

/* " (SUSPECT)" after the time of a doubtful point; "" otherwise. */
struct words words_doubt(const struct point *p, const struct language *l);

static inline const char *method_of(const struct point *p)
{
    return p->samples->identity.method;
}

static inline double total_of(const struct point *p)
{
    return p->seconds[METRIC_TOTAL].value;
}

#endif
