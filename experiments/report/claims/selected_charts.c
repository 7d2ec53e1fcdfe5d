#include "experiments/report/claims/selected_charts.h"

#include "experiments/report/claims/claims.h"

#include <string.h>

const struct selected_chart *selected_chart_find(const char *name)
{
    const struct chart_kind *kind = chart_kind_find(name);
    return kind ? kind->selected : NULL;
}

struct results_path selected_chart_file(const char *folder, const char *experiment,
                                        const char *chart)
{
    /* NAME.layers.csv, NAME.scale.csv and NAME.speedup.csv are derived tables */
    const bool taken = strcmp(chart, "layers") == 0 || strcmp(chart, "scale") == 0 ||
                       strcmp(chart, "speedup") == 0;
    char name[600];
    snprintf(name, sizeof name, "analysis/%s.%s%s.csv", experiment, chart, taken ? ".chart" : "");
    return results_file(folder, name);
}

static enum status write_one(const struct experiment *e, const char *folder, const char *chart,
                             const struct language *l, struct failure *f)
{
    const struct selected_chart *selected = selected_chart_find(chart);
    struct selection s = {.count = 0};
    if (!selected)
        return STATUS_OK;
    selected->select(e, selected->parameters, l, &s);
    const enum status status =
        selection_write(&s, selected_chart_file(folder, e->name, chart).text, f);
    selection_release(&s);
    return status;
}

enum status selected_charts_write(const struct experiment *e, const char *folder,
                                  const struct language *l, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < experiment_chart_count(e); i++)
        status = write_one(e, folder, experiment_chart(e, i), l, f);
    return status;
}
