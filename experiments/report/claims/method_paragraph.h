/* How an experiment was measured, as a paragraph for a thesis. */
#ifndef MAXPOOL_METHOD_PARAGRAPH_H
#define MAXPOOL_METHOD_PARAGRAPH_H

#include "experiments/analysis/analysis.h"
#include "harness/base/text/language.h"

enum { METHOD_PARAGRAPH = 4000 };

/* Samples, machine, build, rule of stopping, and how the intervals were computed. Of a program of
 * another: what its times are, and that its build is not known. It says nothing of what the records
 * do not have. */
void method_paragraph(const struct analysis *a, const struct analysis_request *request,
                      const struct language *l, char text[METHOD_PARAGRAPH]);

#endif
