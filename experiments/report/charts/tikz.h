/* TeX reads the output of gnuplot's tikz terminal, and some characters in a chart's texts are TeX
 * commands. */
#ifndef MAXPOOL_TIKZ_H
#define MAXPOOL_TIKZ_H

#include "harness/base/failure.h"

#include <stdbool.h>

/* Rewrites a drawing so that its texts appear literally, in characters that every LaTeX reads;
 * removes comments. Status 4 or 5. */
enum status tikz_finish(const char *path, struct failure *f);

/* True if the gnuplot in PATH has the terminal: 5.4 of Debian's gnuplot-nox has it, one built
 * without Lua does not. Also false without gnuplot. */
bool tikz_is_there(void);

#endif
