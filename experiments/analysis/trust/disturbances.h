/* Whether disturbances of the machine (involuntary context switches, a lower frequency) coincide
 * with the slow times of a point. Each function reports this only if chance would cause it in at
 * most about one of two hundred points. */
#ifndef MAXPOOL_TRUST_DISTURBANCES_H
#define MAXPOOL_TRUST_DISTURBANCES_H

#include <stdbool.h>
#include <stddef.h>

/* Launches that take longer have more of it: Spearman's correlation r of the ranks of times and
 * amounts is above 0 by Student's t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom.
 * Fewer than six launches say nothing. Source: Kendall & Gibbons, Rank Correlation Methods (1990),
 * 4.14. */
bool disturbance_follows_launches(const double *times, const double *amounts, size_t n);

/* The samples of one launch, counted. */
struct disturbed_samples {
    double all, slow, disturbed, both;
};

/* Within launches, slow samples are the disturbed ones: by how many a launch has more that are both
 * than its shares of either give is above 0, by Student's t of the launches. Samples of a launch
 * may resemble their neighbours; launches are independent. Those of five samples or more with both
 * kinds of either report: of fewer samples the slow ones are too often the disturbed ones by chance
 * in all launches. Fewer than six launches say nothing. Source: Mantel & Haenszel (1959), Journal
 * of the National Cancer Institute 22, 719-748; Zhang & Boos (1997), Biometrics 53, 1185-1198. */
bool disturbance_follows_samples(const struct disturbed_samples *launches, size_t n);

#endif
