#include "experiments/report/page/page_charts.h"

#include "experiments/analysis/numbers.h"
#include "experiments/report/page/first_figure.h"
#include "harness/base/text/messages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A chart that the page could show. */
struct candidate {
    const struct experiment *experiment;
    const char *chart;
    bool tried;
    struct plotted_chart plotted; /* drawn, perhaps before it is tried */
};

struct page {
    struct drawing *drawing;
    struct report_data *data;
    struct candidate *all; /* owned, in page order */
    size_t count, drawn, most;
};

static const char *section_of(const struct candidate *c)
{
    return c->experiment->defined ? c->experiment->definition.section : "";
}

/* Draws the chart unless it was tried before or the page is full. True if it was drawn. */
static bool try_one(struct page *p, struct candidate *c)
{
    if (c->tried || p->drawn == p->most)
        return false;
    c->tried = true;
    if (!c->plotted.done)
        plots_draw(p->drawing, &p->data->inventory, (struct plotted_chart *const[]){&c->plotted},
                   1);
    const bool drawn = plots_note(p->drawing, &p->data->inventory, &c->plotted);
    p->drawn += drawn;
    return drawn;
}

static bool begins_section(const struct page *p, size_t i)
{
    return i == 0 || strcmp(section_of(&p->all[i]), section_of(&p->all[i - 1])) != 0;
}

/* Draws at the same time what is tried next in any case, because the page has room for it: the
 * candidates that are left or, if `leads`, the first one of each section. */
static void draw_ahead(struct page *p, bool leads)
{
    struct plotted_chart **next = calloc(p->count + 1, sizeof *next);
    size_t count = 0;
    bool has_one = false;
    for (size_t i = 0; next && i < p->count && count < p->most - p->drawn; i++) {
        struct candidate *c = &p->all[i];
        has_one = has_one && !begins_section(p, i);
        if (c->plotted.done || (leads && has_one))
            continue;
        next[count++] = &c->plotted;
        has_one = true;
    }
    if (next)
        plots_draw(p->drawing, &p->data->inventory, next, count);
    free(next);
}

static struct plot_path narrow_path(const struct page *p, const struct candidate *c)
{
    return plot_narrow_path(p->data->folder, c->experiment->name, c->chart);
}

/* Removes the charts for telephones that earlier pages had. */
static void remove_narrow(struct page *p)
{
    for (size_t i = 0; i < p->count; i++)
        unlink(narrow_path(p, &p->all[i]).text);
}

/* Draws a chart so that all of it can be read on 390 pixels. */
static void draw_narrow(struct page *p, const struct candidate *c)
{
    static const double width_cm = 9.6, height_cm = 9.6; /* 363 pixels */
    static const double font_pt = 10.0;
    const struct plot_path path = narrow_path(p, c);
    struct drawing small = *p->drawing;
    small.formats = "svg";
    small.look = (struct chart_look){
        .width_cm = width_cm, .height_cm = height_cm, .font_pt = font_pt, .file = path.text};
    plots_chart(&small, c->experiment, &p->data->inventory, c->chart);
}

/* Draws the figure at the top of the page, which is the purpose of the suite. */
static void draw_first(struct page *p)
{
    const struct first_figure first = first_figure_find(p->data);
    for (size_t i = 0; i < p->count; i++)
        if (p->all[i].experiment == first.experiment && strcmp(p->all[i].chart, first.chart) == 0 &&
            try_one(p, &p->all[i]) && drawing_wants(p->drawing, 0))
            draw_narrow(p, &p->all[i]);
}

/* Draws the first chart of each section that can be drawn: candidates of a section are adjacent. */
static void draw_leads(struct page *p)
{
    bool has_lead = false;
    for (size_t i = 0; i < p->count; i++) {
        struct candidate *c = &p->all[i];
        has_lead = has_lead && !begins_section(p, i);
        has_lead = has_lead || try_one(p, c);
    }
}

static void draw_others(struct page *p)
{
    for (size_t i = 0; i < p->count; i++)
        try_one(p, &p->all[i]);
}

/* Removes the charts that exceed the limit, and notes them as gaps. */
static void leave_out(struct page *p)
{
    const struct language *l = p->drawing->language;
    struct inventory *in = &p->data->inventory;
    for (size_t i = 0; i < p->count; i++) {
        const struct candidate *c = &p->all[i];
        char why[300];
        if (c->tried)
            continue;
        plots_remove(p->drawing, c->experiment, in, c->chart);
        message_format(why, sizeof why, l,
                       "%{chart}: a quick study shows %{charts} charts; 'study plot %{experiment}' "
                       "draws this one",
                       WITH({"chart", c->chart}, {"charts", number_text("%d", QUICK_CHARTS).text},
                            {"experiment", c->experiment->name}));
        gaps_note(&in->gaps, c->experiment->name, GAP_LEFT_OUT, STATUS_OK, "%s", why);
    }
}

static struct candidate candidate_of(const struct experiment *e, const char *chart)
{
    return (struct candidate){e, chart, false, {.experiment = e, .chart = chart}};
}

/* Collects every chart of the experiments whose data could be written. */
static bool collect(struct page *p, const struct experiment *const *order)
{
    size_t capacity = 0;
    for (size_t i = 0; order[i]; i++)
        capacity += experiment_chart_count(order[i]);
    p->all = calloc(capacity + 1, sizeof *p->all);
    for (size_t i = 0; p->all && order[i]; i++) {
        const struct experiment *e = order[i];
        const bool derived = plots_derive(p->drawing, e, &p->data->inventory);
        for (size_t j = 0; j < experiment_chart_count(e); j++)
            if (derived)
                p->all[p->count++] = candidate_of(e, experiment_chart(e, j));
            else
                plots_remove(p->drawing, e, &p->data->inventory, experiment_chart(e, j));
    }
    return p->all != NULL;
}

void page_charts_draw(struct drawing *d, struct report_data *s)
{
    const bool quick = strcmp(s->scale, "quick") == 0;
    d->least_places = PAGE_PLACES;
    struct page p = {.drawing = d, .data = s, .most = quick ? QUICK_CHARTS : SIZE_MAX};
    const struct experiment **order = report_order(s);
    if (order && collect(&p, order)) {
        remove_narrow(&p);
        draw_first(&p);
        draw_ahead(&p, quick);
        draw_leads(&p);
        draw_ahead(&p, false);
        draw_others(&p);
        leave_out(&p);
    } else {
        gaps_note(&s->inventory.gaps, "", GAP_NOT_DRAWN, STATUS_RESOURCE,
                  "not enough memory to draw the charts");
    }
    free(p.all);
    free(order);
}
