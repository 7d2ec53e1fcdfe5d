/* The analysis of one experiment. Everything here is derived from its samples and the facts about
 * the machine; charts, tables and the report only show it. */
#ifndef MAXPOOL_ANALYSIS_H
#define MAXPOOL_ANALYSIS_H

#include "experiments/analysis/fits/fits.h"
#include "experiments/analysis/machine_facts.h"
#include "experiments/analysis/trust/reasons.h"
#include "experiments/analysis/trust/round_effects.h"
#include "experiments/limits/roof.h"
#include "experiments/samples/folder_samples.h"
#include "experiments/samples/samples.h"
#include "harness/base/statistics.h"
#include "harness/base/two_modes.h"
#include "kernels/operators.h"

enum metric { METRIC_COMPUTE, METRIC_TOTAL, METRICS };
extern const char *const metric_names[METRICS];

/* ---- points --------------------------------------------------------------------------------- */

/* What a time is compared with. */
enum baseline {
    BASELINE_NAMED, /* the serial method that the definition names */
    BASELINE_BEST,  /* our fastest serial method of the same problem and kind of work */
    BASELINE_ONE,   /* the same program with one worker */
    BASELINE_RUNG,  /* the method before it in the method table, of the same kind of work */
    BASELINE_ISA,   /* the same method limited to the baseline instruction set (--isa baseline) */
    BASELINES
};

struct speedup {
    ptrdiff_t point;         /* index of the baseline in points; -1: not measured */
    double seconds[METRICS]; /* of the baseline; of a chosen one, from other rounds than those
                                that chose it (best/choice.h) */
    double value[METRICS];   /* compute: NaN if workers share cores, see shares_cores */
    struct interval interval[METRICS]; /* 95 % */
    size_t pairs;   /* rounds in which the totals were compared; 0: launches resampled */
    double p_value; /* of "no difference in total", for this speedup alone; NaN: too few rounds */
};

struct point {
    const struct point_samples *samples;
    const struct operator_row *kind; /* the operator; NULL: unknown */
    char label[192];                 /* program, method and size, for readers */
    bool product;                    /* does the per-window product */
    bool peer;                       /* another library's method */
    ptrdiff_t rung;                  /* index of the method in its table; -1: in none */
    double workers;                  /* ranks x threads; NaN for a GPU */
    bool shares_cores; /* more workers than cores: only total time enters its ratios; it enters
                          no fit and is never the best */
    double size;       /* rows of a square image, NaN otherwise */
    double elements;   /* of the image */
    double windows;    /* outputs of all planes */
    struct need need;  /* the least work of the operator itself */
    double bytes;      /* its compulsory traffic: elements in any window once, map once */
    struct roof roof;
    struct estimate seconds[METRICS];
    double common[METRICS];   /* what a round's common noise adds to the interval
                                 (round_effects.h) */
    double between[METRICS];  /* what differences between sessions add to it (session_level.h) */
    double *medians[METRICS]; /* of each launch; NaN if it has no samples or was interrupted */
    struct estimate share;    /* product_s / compute_s; no value if not clocked */
    struct summary pooled[METRICS]; /* of all samples, regardless of their launch */
    double fastest_tenth;           /* 10 % quantile of all samples of the total */
    struct modes modes;             /* of the total, among launches or else samples */
    int64_t further;                /* its first round beyond the plan; INT64_MAX: none known */
    double phase[PHASES];           /* median over launches of each launch's median */
    double error_ulps;              /* largest of its launches; NaN: recorded by none */
    double transfer_share;          /* (distribute + collect) / total; NaN: unknown */
    struct speedup speedup[BASELINES];
    struct speedup over_base; /* over the base of the analysis, if that is no single worker */
    double efficiency;        /* speedup of the total time over one worker / workers */
    struct interval efficiency_interval;
    double karp_flatt; /* NaN for one worker */
    struct interval karp_flatt_interval;
    double weak_efficiency; /* T(1) / T(p), work growing with p; NaN for other points */
    struct interval weak_interval;
    double target;     /* relative half-width that its scale asks of the total's interval */
    double half_width; /* the one it has; NaN: no interval */
    enum trust trust;
    struct reason *reasons; /* reason_count of them */
    size_t reason_count;
};

/* Returns the seed for a point's random draws. It depends on the point's key (point_key) alone, so
 * the same launches give the same interval, digit for digit, in every experiment that has the
 * point. */
unsigned long point_seed(const char *key);

/* The time that rates and shares of the roof use: compute, or total if workers share cores, because
 * a worker's compute time omits its wait for a core. */
enum metric point_work_metric(const struct point *p);

/* True if p is preferred to q as the fastest: a point that is not doubtful comes before any that is
 * SUSPECT; otherwise the one with less total time. */
bool point_stands_before(const struct point *p, const struct point *q);

/* Whether times may be compared: the larger of the two errors is at most four times the other.
 * Errors below one ulp, which any float32 rounding may cause, count as one. True if an error is not
 * recorded, as in files of earlier versions. */
bool point_errors_similar(const struct point *p, const struct point *q);

/* The status of a point in words: "PRECISE", "ROUGH ±4.2 %". */
enum { TRUST_TEXT = 48 };
void trust_describe(const struct point *p, const struct language *l, char text[TRUST_TEXT]);

/* ---- curves --------------------------------------------------------------------------------- */

/* Points that differ in one quantity, the curve's x. */
enum curve_kind {
    CURVE_WORKERS, /* x: workers, the problem fixed */
    CURVE_WEAK,    /* x: workers, elements per worker fixed */
    CURVE_GROWTH,  /* x: size n of a square image */
    CURVE_KERNEL,  /* x: kernel size k, the stride fixed or equal to k */
    CURVE_SHAPE,   /* x: kernel size, at every stride and padding: windows change too */
    CURVE_STRIDE,  /* x: stride, the kernel fixed */
    CURVE_PADDING, /* x: padding, kernel and stride fixed */
    CURVE_KINDS
};
extern const char *const curve_names[CURVE_KINDS];

enum { CURVE_FITS = 2 };

struct curve {
    enum curve_kind kind;
    char label[128]; /* what distinguishes it from other curves of its kind */
    size_t *points;  /* in ascending x */
    size_t count;
    size_t distinct;                           /* number of different x values */
    size_t left_out_invalid, left_out_workers; /* points that fits do not use */
    size_t fit_count;
    struct fit fits[METRICS][CURVE_FITS];
    bool changed_commit, changed_host, changed_isa, changed_binding, changed_device;
};

/* ---- peers ---------------------------------------------------------------------------------- */

/* A point of a peer compared with the fastest of our methods that solved the same problem in the
 * same place: in one memory with the same number of workers, or on a GPU. A peer that does the
 * per-window product is compared with methods that do it. */
struct ratio {
    size_t peer, ours;            /* indices in points */
    const struct point *timed[2]; /* of ours, each by the rounds of one half (best/choice.h) */
    size_t methods;               /* of ours measured there; `ours` is the fastest */
    double ours_s;                /* total seconds of ours, from rounds that did not choose it */
    double value;                 /* total seconds of the peer / of ours: above 1, ours is faster */
    struct interval interval;     /* 95 % */
    size_t pairs;                 /* rounds in which they were compared; 0: launches resampled */
    double p_value;   /* of "no difference", for this ratio alone; NaN: too few rounds */
    enum trust trust; /* PRECISE: the interval of the ratio is within ±5 % */
    bool fastest;     /* no other peer with the same problem, place and kind is faster */
    char shape[192];  /* the problem: its name in the definition, or its sizes */
    bool named;       /* `shape` is a name */
    size_t place;     /* of that name in the definition, from 1; 0: not named */
};

struct analysis {
    const char *name; /* of the experiment */
    double base;      /* workers that its speedup figure counts from, usually 1 */
    double laws;      /* workers to which that figure draws its laws; 0: not requested */
    double given;     /* Amdahl's f of a program of another, as its user gives it; 0: none */
    struct samples samples;
    struct point *points;
    size_t point_count;
    struct curve *curves;
    size_t curve_count;
    struct ratio *ratios;
    size_t ratio_count;
    size_t dissimilar;        /* usable points of peers compared with none of ours, since the
                                 errors differ */
    ptrdiff_t fraction;       /* index of the point with the measured parallel fraction; -1: none */
    size_t trusted[TRUSTS];   /* points per trust */
    struct interval asked;    /* least and largest --relative-ci of the launches: half the interval
                                 of a launch / its median; NaN: no journal says */
    size_t tables;            /* of the page that compare points with the best; 0: no page */
    struct ceilings ceilings; /* of the first point's host */
};

struct analysis_request {
    const char *name;
    struct folder_samples *samples; /* of the folder, with what the folder's journals say; NULL: of
                                       the file `path` and the journal beside it */
    size_t index;                   /* of the experiment in them */
    const char *path, *journal;  /* if `samples` is NULL. The journal has the scale of each point,
                                    and what was asked of its launches; NULL: none known */
    const char *baseline_method; /* "": none named */
    const struct machine_facts *machine;
    const struct round_effects *effects; /* of the folder; NULL: those of this file alone */
    const struct ceilings *ceilings;     /* NULL: not measured */
    const struct definition *definition; /* NULL: none was found */
};

/* Status 2 if the file has no samples, 3 if this build has no GSL, 4 if memory runs out. */
enum status analysis_make(struct analysis *out, const struct analysis_request *request,
                          struct failure *f);
void analysis_release(struct analysis *a);

/* Same image, window and filter: required before two times are compared. */
bool analysis_same_problem(const struct point *p, const struct point *q);

/* The same problem whatever the operands of a product were rounded to (--math), by a GPU or by an
 * emulated one: for the chart of seconds against digits alone, which names each precision. */
bool analysis_same_but_math(const struct point *p, const struct point *q);

/* Same operator, window, filter and values; the image size may differ. */
bool analysis_same_parameters(const struct point *p, const struct point *q);

/* Returns the x of a point on a curve of this kind. */
double curve_x(const struct point *p, enum curve_kind kind);

/* ---- steps, in this order ------------------------------------------------------------------- */

/* Widens the intervals of times by the variation between sessions, if three sessions or more
 * differ. */
enum status analysis_session_level(struct analysis *a, const struct analysis_request *request,
                                   struct failure *f);
/* Finds the points with more workers than cores. */
void analysis_sharing(struct analysis *a, const struct analysis_request *request);
/* Puts points on curves. */
enum status analysis_curves(struct analysis *a, const struct analysis_request *request,
                            struct failure *f);
/* Takes from the journal the half-width that each point's scale asks for, and that asked of each
 * launch. */
void analysis_targets(struct analysis *a, const struct analysis_request *request);
/* Assigns status words, with reasons. */
enum status analysis_trust(struct analysis *a, const struct analysis_request *request,
                           struct failure *f);
/* Gives a point of `a` the status and the reasons of `graver`, the same point in another
 * experiment. Returns false if memory runs out for the reasons; the status is set all the same. */
bool trust_take_graver(struct analysis *a, struct point *p, const struct point *graver);

/* Computes speedups, efficiencies and Karp-Flatt. */
enum status analysis_speedups(struct analysis *a, const struct analysis_request *request,
                              struct failure *f);
/* Compares peers with our methods. */
enum status analysis_ratios(struct analysis *a, const struct analysis_request *request,
                            struct failure *f);
/* Fits every curve. */
enum status analysis_fits(struct analysis *a, struct failure *f);

#endif
