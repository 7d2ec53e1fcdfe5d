#include "experiments/report/charts/chart_contents.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_TEXTS = 6 }; /* a title, an axis label, and two numbers at each of two axes */

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

const char *chart_fault(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0;
    const ssize_t length = file ? getdelim(&text, &capacity, '\0', file) : -1;
    const char *fault = NULL;
    if (file)
        fclose(file);
    if (length < 0)
        fault = "is empty or cannot be read";
    else if (!strstr(text, "</svg>"))
        fault = "is cut off";
    else if (count_of(text, "<text") < LEAST_TEXTS)
        fault = "lacks a title, a label or numbers at its axes";
    else if (!strstr(text, "gnuplot_plot_"))
        fault = "shows no data";
    free(text);
    return fault;
}

struct chart_contents chart_contents_read(const struct experiment *e, const char *folder)
{
    struct chart_contents d = {0};
    for (size_t i = 0; i < experiment_chart_count(e); i++) {
        const char *chart = experiment_chart(e, i);
        const struct plot_path path = plot_path(folder, e->name, chart, "svg");
        d.wanted++;
        if (access(path.text, F_OK) != 0)
            continue;
        const char *fault = chart_fault(path.text);
        d.there++;
        if (fault && d.faults++ == 0) {
            snprintf(d.chart, sizeof d.chart, "%s", chart);
            d.fault = fault;
        }
    }
    return d;
}
