/* What gnuplot's tikz terminal writes is read by TeX, to which some characters of a chart's texts
 * are commands. */
#ifndef MAXPOOL_TIKZ_H
#define MAXPOOL_TIKZ_H

#include "harness/base/failure.h"

#include <stdbool.h>

/* Rewrites a drawing so that its texts are texts, in characters that every LaTeX reads, and leaves
 * out comments. Status 4 or 5. */
enum status tikz_finish(const char *path, struct failure *f);

/* True where the gnuplot in PATH has the terminal: 5.4 of Debian's gnuplot-nox does, one that was
 * built without Lua does not. False too where there is no gnuplot. */
bool tikz_is_there(void);

#endif
