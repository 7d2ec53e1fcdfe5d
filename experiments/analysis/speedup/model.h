/* A model of the MPI program's time on p ranks, T(p) = distribute + compute + collect:
 *
 *   compute     rows of the largest band x seconds per row. Ranks of one host share its memory: if
 *               w ranks each move b bytes per row through B bytes per second, a row takes at least
 *               w b / B seconds.
 *   messages    alpha + beta x bytes, for the halo (the part that computing does not hide), for the
 *               scatter and for the gather; the bytes of the last two are all that leave or reach
 *               rank 0.
 *
 * On this machine alpha, beta and B are fitted to measured points; on a platform they follow from
 * its file. Source of the message cost: Hockney (1994), Parallel Computing 20(3), 389-398. */
#ifndef MAXPOOL_MODEL_H
#define MAXPOOL_MODEL_H

#include "experiments/analysis/analysis.h"
#include "experiments/plan/calibration.h"
#include "experiments/plan/platform.h"

enum message_kind { MESSAGE_HALO, MESSAGE_SCATTER, MESSAGE_GATHER, MESSAGE_KINDS };
extern const char *const message_names[MESSAGE_KINDS];

/* seconds = alpha + beta x bytes, with the covariance of the two. */
struct message_cost {
    double alpha_s, beta_s_per_byte;
    double variance[3]; /* of alpha, covariance, of beta */
    double scatter;     /* of messages about the law, relative to their cost (standard deviation) */
    double freedom; /* degrees of freedom of both; infinity: too few messages, the interval is as
                       wide as the cost itself */
    size_t points;  /* that it was fitted to; 0: no such messages */
};

struct scaling_model {
    double output_s;                 /* seconds per output on a core while no other computes */
    struct interval output_interval; /* 95 %, of one further point; NaN: unknown */
    size_t output_points;            /* points or launches it is based on */
    size_t rank_counts;              /* different rank counts among the fitted points; 0: no fit */
    double memory_bandwidth;         /* of one host, bytes per second; infinity: no limit */
    struct interval bandwidth_interval; /* 95 %, of one further point; NaN: taken as exact */
    const struct platform *platform;    /* NULL: this machine, with the costs below */
    struct message_cost costs[MESSAGE_KINDS];
};

struct prediction {
    double compute_s, distribute_s, collect_s, total_s;
    struct interval total; /* 95 %, from output time, bandwidth and costs; NaN: unknown */
};

/* True for operators whose ranks exchange only parts of the image and the map. */
bool model_knows(const struct operator_row *o);

/* Fits a model of this machine to measured MPI points of the same operator, method and window as
 * `like`, on at most `cores` ranks; the fit does not use points of `hidden` rows (0: uses all).
 * Status 2 if no points remain to fit, 4 if memory runs out. */
enum status model_fit(struct scaling_model *out, const struct analysis *a,
                      const struct record *like, double cores, int64_t hidden, struct failure *f);

/* Makes a model of a platform from the calibrated row time of a problem. `memory`: whether the
 * platform's memory bandwidth counts, which SMPI does not model. Status 2 if the model does not
 * support the platform. */
enum status model_of_platform(struct scaling_model *out, const struct platform *p,
                              const struct row_time *row, const struct record *problem, bool memory,
                              struct failure *f);

/* Predicts T on `ranks` ranks for the sizes and the distribution of `problem`. Status 2 for an
 * operator that the model does not know, 4 if memory runs out. */
enum status model_predict(const struct scaling_model *m, const struct record *problem,
                          int64_t ranks, struct prediction *out, struct failure *f);

#endif
