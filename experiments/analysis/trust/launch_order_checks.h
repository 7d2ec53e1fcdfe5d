/* What the order of a point's launches shows about its time (launch_order.h). */
#ifndef MAXPOOL_TRUST_LAUNCH_ORDER_CHECKS_H
#define MAXPOOL_TRUST_LAUNCH_ORDER_CHECKS_H

#include "experiments/analysis/analysis.h"

enum { LAUNCH_ORDER_REASONS = 3 };

/* Fills the reasons that were found, at most LAUNCH_ORDER_REASONS: sessions that differ; if they do
 * not, a trend or otherwise launches that resemble their neighbours; and a drift within launches.
 * Only effects beyond 1 + apart count, except for notes on sessions. Returns their number, or -1 if
 * memory runs out. */
int launch_order_reasons(const struct analysis *a, const struct analysis_request *request,
                         const struct point *p, double apart,
                         struct reason reasons[LAUNCH_ORDER_REASONS]);

#endif
