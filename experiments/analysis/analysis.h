/* The analysis of one experiment. Everything here is derived from R/NAME.csv and the facts about
 * the machine; charts, tables and the report only show it. */
#ifndef MAXPOOL_ANALYSIS_H
#define MAXPOOL_ANALYSIS_H

#include "experiments/analysis/fits/fits.h"
#include "experiments/analysis/machine_facts.h"
#include "experiments/analysis/trust/reasons.h"
#include "experiments/analysis/trust/round_effects.h"
#include "experiments/ceilings/roof.h"
#include "experiments/samples/samples.h"
#include "experiments/samples/shared_points.h"
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
extern const char *const baseline_names[BASELINES];

struct speedup {
    ptrdiff_t point;         /* of the baseline in points; -1: not measured */
    double seconds[METRICS]; /* of the baseline; of one that was chosen, by other rounds than those
                                that chose it (best/choice.h) */
    double value[METRICS];   /* compute: NaN where workers share cores, see shares_cores */
    struct interval interval[METRICS]; /* 95 % */
    size_t pairs;   /* rounds within which total was compared; 0: launches of both resampled */
    double p_value; /* of no difference in total, of this one alone; NaN: too few rounds */
};

struct point {
    const struct point_samples *samples;
    const struct operator_row *kind; /* the operator; NULL: none that is known */
    char label[192];                 /* program, method and size, as a reader would call it */
    bool product;                    /* does the per-window product */
    bool peer;                       /* another library's method */
    ptrdiff_t rung;                  /* place of the method in its table; -1: in none */
    double workers;                  /* ranks x threads; NaN for a GPU */
    bool shares_cores; /* more workers than cores: its ratios are of the total time alone, it
                          enters no fit and is never the best */
    double size;       /* rows where the image is square, NaN otherwise */
    double elements;   /* of the image */
    double windows;    /* outputs of all planes */
    struct need need;  /* what the operator itself must do */
    double bytes;      /* its compulsory traffic: elements that windows touch once, map once */
    struct roof roof;
    struct estimate seconds[METRICS];
    double common[METRICS];  /* what rounds have in common adds to the interval (round_effects.h) */
    double between[METRICS]; /* what sessions that differ add to it (session_level.h) */
    double *medians[METRICS]; /* of each launch; NaN where it has no samples or was interrupted */
    struct estimate share;    /* product_s / compute_s; no value where not clocked */
    struct summary pooled[METRICS]; /* of all samples, launches forgotten */
    double fastest_tenth;           /* of the samples of the total, launches forgotten: the most */
    struct modes modes;             /* of the total, of launches or of samples */
    int64_t further;                /* its first round beyond the plan; INT64_MAX: none is known */
    double phase[PHASES];           /* median over launches of the launch's median */
    double error_ulps;              /* largest of its launches; NaN: none has it */
    double transfer_share;          /* (distribute + collect) / total; NaN unknown */
    struct speedup speedup[BASELINES];
    double efficiency; /* speedup of the total time over one worker / workers */
    struct interval efficiency_interval;
    double karp_flatt; /* NaN for one worker */
    struct interval karp_flatt_interval;
    double weak_efficiency; /* T(1) / T(p) with work growing with p; NaN elsewhere */
    struct interval weak_interval;
    double target;     /* relative half-width of the total's interval that its scale wants */
    double half_width; /* that it has; NaN: no interval */
    enum trust trust;
    struct reason *reasons; /* as many as were seen */
    size_t reason_count;
};

/* The seed of what is drawn for a point follows from its key alone (point_key): the same launches
 * give the same interval, digit for digit, in whichever experiment the point stands. */
unsigned long point_seed(const char *key);

/* The time that rates and shares of the roof are of: compute; total where workers share cores,
 * since a worker's compute time leaves out that it waited for its core. */
enum metric point_work_metric(const struct point *p);

/* True where p is to be preferred to q as the fastest: one that is not doubtful
 * stands before any that is SUSPECT; of two alike the one of less total time. */
bool point_stands_before(const struct point *p, const struct point *q);

/* Whether times may be compared: the errors of both are similar, the larger at most four times the
 * other, and one below an ulp, which float32 may be off by wherever it rounds, counting as one.
 * True where one of them is not recorded, as in files of earlier versions. */
bool point_errors_similar(const struct point *p, const struct point *q);

/* The status of a point in words: "PRECISE", "ROUGH ±4.2 %". */
enum { TRUST_TEXT = 48 };
void trust_describe(const struct point *p, const struct language *l, char text[TRUST_TEXT]);

/* ---- curves --------------------------------------------------------------------------------- */

/* Points that differ in one thing, the curve's x. */
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
    char label[128]; /* what sets it apart from the other curves of its kind */
    size_t *points;  /* in ascending x */
    size_t count;
    size_t distinct;                           /* x values */
    size_t left_out_invalid, left_out_workers; /* points that fits do not use */
    size_t fit_count;
    struct fit fits[METRICS][CURVE_FITS];
    bool changed_commit, changed_host, changed_isa, changed_binding, changed_device;
};

/* ---- peers ---------------------------------------------------------------------------------- */

/* A point of a peer against the fastest of our methods that solved the same problem in the same
 * place: one memory and as many workers, or a GPU. A peer that does the per-window product is held
 * against methods that do it. */
struct ratio {
    size_t peer, ours;        /* in points */
    size_t methods;           /* of ours that were measured there, of which this is the fastest */
    double ours_s;            /* total seconds of ours, by other rounds than those that chose it */
    double value;             /* total seconds of the peer over ours: above 1 ours is faster */
    struct interval interval; /* 95 % */
    size_t pairs;             /* rounds within which they were compared; 0: launches resampled */
    double p_value;           /* of no difference, of this ratio alone; NaN: too few rounds */
    enum trust trust;         /* PRECISE: the interval of the ratio is within ±5 % */
    bool fastest;             /* no other peer of the same problem, place and kind is faster */
    char shape[192];          /* the problem: the definition's name of it, or its sizes */
    bool named;               /* the former */
    size_t place;             /* of that name in the definition, from 1; 0: it has none */
};

struct analysis {
    const char *name; /* of the experiment */
    struct samples samples;
    struct point *points;
    size_t point_count;
    struct curve *curves;
    size_t curve_count;
    struct ratio *ratios;
    size_t ratio_count;
    size_t dissimilar;        /* usable points of peers that none of ours was compared with, errors
                                 differing */
    ptrdiff_t fraction;       /* point whose share is the measured parallel fraction; -1: none */
    size_t trusted[TRUSTS];   /* points by trust */
    size_t tables;            /* of the page that compare points with the best; 0: of no page */
    struct ceilings ceilings; /* those of the first point's host */
};

struct analysis_request {
    const char *name;
    const char *path;             /* of the samples */
    struct shared_points *shared; /* what was read of the folder: launches that other experiments
                                     have of the same points count, too; NULL: none are known */
    const struct texts *journals; /* of those experiments, likewise */
    const char *baseline_method;  /* "" : none named */
    double relative_ci;           /* asked of each launch */
    const char *journal;          /* of the run: has the scale of each point; NULL: none is known */
    const struct machine_facts *machine;
    const struct round_effects *effects; /* of the folder; NULL: those of this file alone */
    const struct ceilings *ceilings;     /* NULL: not measured */
    const struct definition *definition; /* NULL: none was found */
};

/* Status 2 for a file that holds no samples, 3 where this build has no GSL, 4 where memory lacks.
 */
enum status analysis_make(struct analysis *out, const struct analysis_request *request,
                          struct failure *f);
void analysis_release(struct analysis *a);

/* The same image, window and filter: what must be equal for two times to be compared. */
bool analysis_same_problem(const struct point *p, const struct point *q);

/* The same operator, window, filter and values, whatever the size of the image. */
bool analysis_same_parameters(const struct point *p, const struct point *q);

/* x of a point on a curve of this kind. */
double curve_x(const struct point *p, enum curve_kind kind);

/* True where x may be 0: such a curve is drawn on a linear axis and has no fits. */
bool curve_has_zero(enum curve_kind kind);

/* ---- steps, in this order ------------------------------------------------------------------- */

/* Points from samples: sizes, estimates, medians. */
enum status analysis_points(struct analysis *a, struct failure *f);
/* Widens the intervals of times by what rounds have in common. */
enum status analysis_round_effects(struct analysis *a, const struct analysis_request *request,
                                   struct failure *f);
/* ... and where three sessions or more differ, by what they vary. */
enum status analysis_session_level(struct analysis *a, const struct analysis_request *request,
                                   struct failure *f);
/* Which points had more workers than cores. */
void analysis_sharing(struct analysis *a, const struct analysis_request *request);
/* Points on curves. */
enum status analysis_curves(struct analysis *a, const struct analysis_request *request,
                            struct failure *f);
/* What the scale of each point wants its interval to be, from the journal. */
void analysis_targets(struct analysis *a, const struct analysis_request *request);
/* Status words, with reasons. */
enum status analysis_trust(struct analysis *a, const struct analysis_request *request,
                           struct failure *f);
/* Gives a point of `a` the status and the reasons of a graver one, which is the same point in
 * another experiment. False where memory lacks for the reasons; the status is taken all the same.
 */
bool trust_take_graver(struct analysis *a, struct point *p, const struct point *graver);

/* Speedups, efficiencies, Karp-Flatt. */
enum status analysis_speedups(struct analysis *a, const struct analysis_request *request,
                              struct failure *f);
/* Peers against ours. */
enum status analysis_ratios(struct analysis *a, const struct analysis_request *request,
                            struct failure *f);
/* Fits of every curve. */
enum status analysis_fits(struct analysis *a, struct failure *f);

#endif
