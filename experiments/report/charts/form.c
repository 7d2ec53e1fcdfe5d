#include "experiments/report/charts/form.h"

#include "experiments/report/claims/template.h"
#include "harness/base/text/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds NAME_I, the setting of a panel. */
static void add_text(struct settings *settings, const char *name, size_t panel, const char *id,
                     const struct selection *s, const struct language *l)
{
    char numbered[32];
    text_fit_format(numbered, sizeof numbered, "%s_%zu", name, panel);
    settings_add(settings, numbered, id ? template_text(id, s, l).text : "");
}

static void add_number(struct settings *settings, const char *name, size_t panel, double value)
{
    char numbered[32];
    text_fit_format(numbered, sizeof numbered, "%s_%zu", name, panel);
    settings_add_number(settings, numbered, value);
}

static double level_of(const struct panel *p)
{
    return isnan(p->level) ? 0.0 : p->level > 0.0 ? p->level : (double)NAN;
}

/* A title that is a text stands in place of the panel's; NULL: none does. */
static void add_panel(struct settings *settings, const struct panel *p, size_t panel,
                      const char *title, const struct selection *s, const struct language *l)
{
    char format[24];
    snprintf(format, sizeof format, "y_format_%zu", panel);
    add_text(settings, "title", panel, title ? title : p->title, s, l);
    add_text(settings, "x_title", panel, p->x_title, s, l);
    add_text(settings, "y_title", panel, p->y_title, s, l);
    settings_add(settings, format, p->y_format);
    add_number(settings, "x_log", panel,
               p->x_axis == AXIS_DECADES ? 2.0 : p->x_axis != AXIS_LINEAR);
    add_number(settings, "y_log", panel, p->y_axis != AXIS_LINEAR);
    add_number(settings, "guide", panel, p->guide);
    const struct selection_row *rule = p->rule ? selection_find(s, p->rule) : NULL;
    add_number(settings, "rule", panel, rule ? rule->y : level_of(p));
    add_text(settings, "rule_text", panel, rule ? p->rule_text : NULL, s, l);
}

void form_add(struct settings *settings, const struct form *form, const struct selection *s,
              const struct language *l)
{
    size_t panels = 0;
    for (size_t i = 0; i < s->count; i++)
        if (selection_row_is(&s->rows[i], "panel"))
            add_panel(settings, &form->panels[0], ++panels, s->rows[i].label, s, l);
    const bool repeated = panels > 0;
    for (; !repeated && panels < FORM_PANELS && form->panels[panels].y_format; panels++)
        add_panel(settings, &form->panels[panels], panels + 1, NULL, s, l);
    settings_add_number(settings, "panels", (double)panels);
    settings_add_number(settings, "own_y", form->own_y);
    settings_add_number(settings, "least_top", form->y_top);
    settings_add_number(settings, "band", form->band);
    settings_add_number(settings, "joins", form->joins_two ? 2.0 : 3.0);
    settings_add_number(settings, "x_in_bytes", form->panels[0].x_axis == AXIS_BYTES);
}
