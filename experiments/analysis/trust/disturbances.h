/* Whether disturbances of the machine (involuntary context switches, a lower frequency) coincide
 * with the slow times of a point. Each function reports this only if chance would cause it in at
 * most about one of two hundred points. */
#ifndef MAXPOOL_TRUST_DISTURBANCES_H
#define MAXPOOL_TRUST_DISTURBANCES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether launches that take longer have larger amounts: Spearman's rank correlation r of times and
 * amounts is significantly above 0, by Student's t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees
 * of freedom. False for fewer than six launches. Source: Kendall & Gibbons, Rank Correlation
 * Methods (1990), 4.14. */
bool disturbance_follows_launches(const double *times, const double *amounts, size_t n);

/* Counts of the samples of one launch. */
struct disturbed_samples {
    double all, slow, disturbed, both;
};

/* Whether, within launches, slow samples tend to be the disturbed ones. Each launch has an excess:
 * its samples that are both, minus the number expected from its shares of either. The mean excess
 * must be above 0 by Student's t over the launches: samples of a launch may resemble their
 * neighbours, launches are independent. A launch counts if it has five samples or more, slow and
 * other ones, disturbed and other ones: with fewer samples, slow and disturbed ones coincide too
 * often by chance in all launches. False for fewer than six launches. Source: Mantel & Haenszel
 * (1959), Journal of the National Cancer Institute 22, 719-748; Zhang & Boos (1997), Biometrics 53,
 * 1185-1198. */
bool disturbance_follows_samples(const struct disturbed_samples *launches, size_t n);

#endif
