/* The twelve rules of Hoefler & Belli (2015), "Scientific Benchmarking of Parallel Computing
 * Systems", SC15, doi:10.1145/2807591.2807644, checked for a result set; in our own words. */
#ifndef MAXPOOL_TRUST_MEASUREMENT_RULES_H
#define MAXPOOL_TRUST_MEASUREMENT_RULES_H

#include "experiments/analysis/analysis.h"

enum { RULES = 12 };

enum rule_verdict { RULE_PASS, RULE_FAIL, RULE_NOT_APPLICABLE };
extern const char *const rule_verdict_names[]; /* as in a table: ok, FAIL, - */

struct rule_result {
    enum rule_verdict verdict;
    char detail[300]; /* what the verdict rests on, or the missing field */
};

/* What each rule requires, one line each. */
extern const char *const rule_texts[RULES];

/* The state of an experiment's charts. */
struct chart_contents {
    size_t wanted, there, faults;
    char chart[128];   /* the first chart with a fault */
    const char *fault; /* "is cut off" */
};

void rules_check(const struct analysis *a, const struct analysis_request *request,
                 const struct chart_contents *drawn, struct rule_result results[RULES]);

#endif
