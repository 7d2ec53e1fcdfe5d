#include "experiments/report/page/first_figure.h"

#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"

#include <string.h>

/* The chart of an experiment that is the speedup figure; NULL: it draws none. */
static const char *chart_of(const struct experiment *e)
{
    for (size_t i = 0; i < experiment_chart_count(e); i++) {
        const struct chart_kind *kind = chart_kind_find(experiment_chart(e, i));
        if (kind && kind->selected == &speedup_chart)
            return experiment_chart(e, i);
    }
    return NULL;
}

/* Ranks the figure of an experiment by how much it shows; 0: nothing. */
static size_t weight_of(const struct experiment *e)
{
    enum { LAW = 100000, SEVERAL = 10000, COUNT = 10 };
    struct speedup_figure figure;
    struct failure why = {0};
    if (speedup_figure_make(&figure, &e->analysis, &e->forecasts, e->request.machine, false,
                            &why) != STATUS_OK ||
        figure.count == 0)
        return 0;
    const struct speedup_mark *mark = speedup_figure_leading(&figure);
    const bool threads = mark && worker_kind_of(mark->record) == WORKERS_THREADS;
    const size_t weight = 1 + (figure.laws[LAW_PRODUCT].drawn ? LAW : 0) + (mark ? SEVERAL : 0) +
                          COUNT * figure.counts + threads;
    speedup_figure_release(&figure);
    return weight;
}

struct first_figure first_figure_find(const struct report_data *s)
{
    struct first_figure first = {NULL, NULL};
    size_t most = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct experiment *e = &s->experiments[i];
        const char *chart = chart_of(e);
        const size_t weight = chart ? weight_of(e) : 0;
        if (weight > most) {
            first = (struct first_figure){e, chart};
            most = weight;
        }
    }
    return first;
}

bool first_figure_is(const struct part *p, const struct experiment *e, const char *chart)
{
    if (!chart_of(e) || strcmp(chart_of(e), chart) != 0)
        return false; /* finding the figure takes a while */
    return first_figure_find(p->data).experiment == e;
}

void first_figure_link(const struct part *p)
{
    if (p->format->pages_begin)
        p->format->link(&p->document, report_page_file(PAGE_FIRST),
                        message(p->document.language, "The speedup figure is on the first page"));
}

void first_figure_write(const struct part *p)
{
    const struct first_figure first = first_figure_find(p->data);
    struct claim claim;
    if (!first.experiment)
        return;
    report_data_claim(p->data, first.experiment, first.chart, p->document.language, &claim);
    report_finding(p, first.experiment, first.chart, &claim, true);
}
