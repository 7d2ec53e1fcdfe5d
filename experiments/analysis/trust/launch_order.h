/* Whether the launches of a point are exchangeable, as its interval assumes: each is as likely to
 * be slow as any other, whenever it was measured. Times are positive and in the order in which they
 * were measured. Each function reports an effect only if it is beyond chance (in at most about one
 * of two hundred points) and larger than a factor of 1 + apart, the size that matters; with fewer
 * than six launches nothing is reported. */
#ifndef MAXPOOL_TRUST_LAUNCH_ORDER_H
#define MAXPOOL_TRUST_LAUNCH_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether times rise or fall from launch to launch: the signs of all pairs add up to 2.7 standard
 * deviations or more. *factor: median of the last third / median of the first. Source: Mann (1945),
 * Econometrica 13, 245-259; Kendall, Rank Correlation Methods (1975). */
bool launch_order_has_trend(const double *times, size_t n, double apart, double *factor);

/* Whether neighbouring launches resemble each other: the squared differences of neighbouring ranks
 * are at least 2.4 standard deviations below those of exchangeable times. *correlation: of
 * neighbouring ranks. Source: Bartels (1982), Journal of the American Statistical Association 77,
 * 40-46. */
bool launch_order_is_correlated(const double *times, size_t n, double apart, double *correlation);

/* Whether samples rise or fall within launches: the second half of the samples takes longer than
 * the first in all launches, or less in all. `ratios`: second half's median / first half's, one per
 * launch; the order is lost. *factor: their median. Source: the sign test, Gibbons & Chakraborti
 * (2011), 5.4. */
bool launch_order_drifts_within(double *ratios, size_t n, double apart, double *factor);

/* Compares the sessions with at least SESSION_LEAST launches, by the ranks of their launches. */
enum { SESSION_LEAST = 3 };
struct session_ranks {
    size_t sessions;
    double p_value; /* of "sessions do not differ"; 1 for fewer than two sessions */
    double factor;  /* median of the slowest session / of the fastest; 1 for fewer than two */
};

/* Sessions are numbered from 1 (0: unknown, left out). The probability is exact for two sessions
 * with 30 launches at most (rank_sum.h), otherwise from chi-square. Returns false if memory runs
 * out. Source: Kruskal & Wallis (1952), Journal of the American Statistical Association 47,
 * 583-621. */
bool launch_order_sessions(struct session_ranks *out, const double *times, const size_t *sessions,
                           size_t n);

/* Whether they differ at a level of 1 in 200 and beyond 1 + apart: launches of one session then say
 * little about another. */
bool session_ranks_differ(const struct session_ranks *s, double apart);

#endif
