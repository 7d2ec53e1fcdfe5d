/* The texts of charts in languages other than English, which plots/lib/style.gp loads. */
#ifndef MAXPOOL_CHART_TEXTS_H
#define MAXPOOL_CHART_TEXTS_H

#include "harness/base/text/language.h"

#include <limits.h>

/* Writes R/analysis/texts.CODE.gp and returns its path; for English writes nothing and returns "".
 * Status 5 if it could not be written. */
enum status chart_texts_write(const char *folder, const struct language *l, char path[PATH_MAX],
                              struct failure *f);

#endif
