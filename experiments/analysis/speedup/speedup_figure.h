/* The speedup figure of an experiment: total time of one worker over that of p workers of the same
 * program, with the laws that bound it. Strong scaling is compared with Amdahl's law, weak scaling
 * (work growing with p, p T(1) / T(p)) with Gustafson's. It contains numbers only: the report puts
 * them in words, selections/workers/workers.h draws them. */
#ifndef MAXPOOL_SPEEDUP_FIGURE_H
#define MAXPOOL_SPEEDUP_FIGURE_H

#include "experiments/analysis/speedup/forecast.h"
#include "experiments/analysis/speedup/topology_marks.h"

enum speedup_source { SPEEDUP_MEASURED, SPEEDUP_SIMULATED, SPEEDUP_PREDICTED, SPEEDUP_SOURCES };
extern const char *const speedup_sources[SPEEDUP_SOURCES];

struct law_line {
    bool drawn;
    double share;                   /* f */
    struct interval interval;       /* 95 %; NaN: none */
    double bound;                   /* 1 / (1 - f); INFINITY: none; NaN: weak scaling has none */
    struct interval bound_interval; /* the upper end is INFINITY if f may be 1 */
};

/* One worker count of one method. Workers beyond the number of cores share them: their ratio of
 * total times includes waiting and is no speedup. */
struct speedup_mark {
    enum speedup_source source;
    const struct record *record; /* of the point, or of the predicted line */
    const struct point *point;   /* NULL: predicted */
    double workers, seconds;     /* total */
    double speedup;              /* 1 for one worker, and the base for the base */
    struct interval interval;    /* 95 %; NaN: none */
    double base;                 /* of the figure */
    struct law_line law;         /* of its own series: speedup_figure_own_laws() */
    bool beyond;                 /* more workers than cores of this machine */
};

/* What the workers of a mark are. */
enum worker_kind { WORKERS_THREADS, WORKERS_RANKS, WORKERS_BOTH };
extern const char *const worker_kinds[];
enum worker_kind worker_kind_of(const struct record *r);

enum speedup_law {
    LAW_IDEAL,   /* p */
    LAW_PRODUCT, /* f: the share of the product in the serial compute time (the tesina's way) */
    LAW_FITTED,  /* f: fitted to the total times of one curve */
    LAW_TESINA,  /* the f that the tesina published; not for programs of others */
    LAW_GIVEN,   /* the f that the user of a program of another gives */
    SPEEDUP_LAWS
};
extern const char *const speedup_law_names[SPEEDUP_LAWS];

/* The tesina's parallel share: product / compute, which it rounds to two digits. NaN if
 * data/published cannot be read. */
double tesina_fraction(void);

struct speedup_figure {
    bool weak;
    double base;  /* workers that speedups are counted from: usually 1; if one worker cannot run the
                   * problem, these count as so many times as fast as one */
    double cores; /* workers that this machine runs at once; NaN: unknown */
    double reach; /* workers at which axis and laws end: a power of two, at least 4 */
    struct speedup_mark *marks; /* owned; by source, method, workers */
    size_t count;
    struct law_line laws[SPEEDUP_LAWS];
    const struct point *product; /* whose share LAW_PRODUCT uses; NULL: none clocks it */
    const struct curve *fitted;  /* curve that LAW_FITTED was fitted to; NULL: none */
    size_t counts; /* the most worker counts of any method, up to the cores; a fit needs three */
};

/* Makes the figure of an experiment, of strong or of weak scaling. `forecasts` may be NULL. The
 * figure has no marks if nothing of the kind was measured. Status 4 if memory runs out. */
enum status speedup_figure_make(struct speedup_figure *out, const struct analysis *a,
                                const struct forecasts *forecasts, const struct machine_facts *m,
                                bool weak, struct failure *f);
void speedup_figure_release(struct speedup_figure *figure);

/* Sets the law of each mark: that of the product's share for the method whose share it is, of one
 * worker of the same program where the workers share the product alone; for another method the law
 * fitted to the worker counts of the mark's own series; not drawn if there is neither. Status 4 if
 * memory runs out. */
enum status speedup_figure_own_laws(struct speedup_figure *figure, const struct analysis *a,
                                    struct failure *f);

/* The speedup of p workers by the figure's law if the share is f. */
double speedup_by_law(const struct speedup_figure *figure, double share, double workers);

/* The serial fraction that a mark's speedup implies (Karp and Flatt), of the time with the base,
 * with the ends of its interval: below 0 for a speedup beyond the ideal, above 1 for one below the
 * base. */
struct bounded speedup_karp_flatt(const struct speedup_mark *mark);

/* True for a measured speedup: verified, and on at most as many workers as cores. */
bool speedup_mark_counts(const struct speedup_mark *mark);

/* True for the same method, space and distribution of two marks: a line of the figure. */
bool speedup_same_series(const struct record *a, const struct record *b);

/* The mark that sentences describe. Of those that count, it is of the method that clocks its
 * product, if there is one, and then has the most workers, threads before ranks. NULL: none has
 * several workers. */
const struct speedup_mark *speedup_figure_leading(const struct speedup_figure *figure);

/* True if the whole interval of a mark is above the line of the product's share: workers divide
 * more than the product. */
bool speedup_exceeds_product(const struct speedup_figure *figure, const struct speedup_mark *mark);

/* The most curves of another's program. */
enum { SPEEDUP_OWN_CURVES = 12 };

/* The law's speedup at step 0 to SPEEDUP_STEPS of its line, evenly spaced on a logarithmic axis
 * from the base to the reach; *ends from the interval of its share. */
enum { SPEEDUP_STEPS = 48 };
double speedup_at_step(const struct speedup_figure *figure, enum speedup_law law, size_t step,
                       double *workers, struct interval *ends);

/* Where the topology of the machine changes, as workers are bound, or for both ways if that is not
 * known; returns their number. */
size_t speedup_places(struct topology_mark places[TOPOLOGY_MARKS], const struct analysis *a,
                      const struct topology_marks *topology);

/* Writes both scalings as R/analysis/NAME.speedup.csv: one row per mark, the rows of each law, and
 * one row per mark of the topology (topology_marks.h). Status 5. */
enum status speedup_figure_write(const struct analysis *a, const struct forecasts *forecasts,
                                 const struct machine_facts *m,
                                 const struct topology_marks *topology, const char *path,
                                 struct failure *f);

#endif
