/* What the order of a point's launches shows about its time (launch_order.h). */
#ifndef MAXPOOL_TRUST_LAUNCH_ORDER_CHECKS_H
#define MAXPOOL_TRUST_LAUNCH_ORDER_CHECKS_H

#include "experiments/analysis/analysis.h"

enum { LAUNCH_ORDER_REASONS = 3 };

/* The reasons that were seen, at most LAUNCH_ORDER_REASONS: sessions that differ; a trend, or else
 * launches that resemble their neighbours, where sessions do not differ; and a drift within
 * launches. Only what is beyond 1 + apart counts, except for notes on sessions. Returns their
 * number, or -1 where memory lacks. */
int launch_order_reasons(const struct analysis *a, const struct analysis_request *request,
                         const struct point *p, double apart,
                         struct reason reasons[LAUNCH_ORDER_REASONS]);

#endif
