#include "experiments/report/charts/custom_words.h"

#include "experiments/analysis/derived/derived_table.h"
#include "harness/base/text/fit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The words of the columns that are drawn most. */
static const struct {
    const char *column, *words;
} known[] = {
    {"threads", N_("threads")},
    {"ranks", N_("ranks")},
    {"workers", N_("workers (ranks × threads)")},
    {"size", N_("n, rows and columns")},
    {"kernel", N_("k, side of the window (elements)")},
    {"stride", N_("s, elements between windows")},
    {"padding", N_("p, elements added on every side")},
    {"batch", N_("images of a batch")},
    {"one_total", N_("speedup over one worker")},
    {"best_total", N_("speedup over the fastest serial method")},
    {"named_total", N_("speedup over the serial baseline")},
    {"total_s", N_("total time (s)")},
    {"compute_s", N_("compute time (s)")},
    {"window_ns", N_("ns per window")},
    {"efficiency", N_("efficiency")},
};

void custom_words(const struct language *language, const char *column, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].column, column) == 0) {
            text_fit(text, size, message(language, known[i].words));
            return;
        }
    const struct derived_column *row = dictionary_find("points", column);
    const bool unit = row && strcmp(row->unit, "1") != 0 && strcmp(row->unit, "text") != 0;
    text_fit_format(text, size, "%s%s%s%s", column, unit ? " (" : "", unit ? row->unit : "",
                    unit ? ")" : "");
}
