/* The texts of charts in another language than English, as plots/lib/style.gp loads them. */
#ifndef MAXPOOL_CHART_TEXTS_H
#define MAXPOOL_CHART_TEXTS_H

#include "experiments/common/text/language.h"

#include <limits.h>

/* Writes R/analysis/texts.CODE.gp, and its path; "" and nothing where the language is English.
 * Status 5 where it could not be written. */
enum status chart_texts_write(const char *folder, const struct language *l, char path[PATH_MAX],
                              struct failure *f);

#endif
