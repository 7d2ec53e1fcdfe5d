#include "experiments/commands/speedup_show.h"

#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/commands/speedup_table.h"
#include "experiments/common/results.h"
#include "experiments/common/text/wrap.h"
#include "experiments/report/claims/claims.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct showing {
    struct drawing *drawing;
    bool table, weak;
};

/* Adds what holds for all rows of the table. */
static void add_notes(const struct speedup_figure *figure, const struct language *l, char *caption,
                      size_t size)
{
    size_t used = strlen(caption);
    char counts[TIME_COUNTS_TEXT], law[LAW_TEXT];
    struct time_counts of = {0};
    for (size_t i = 0; i < figure->count; i++)
        time_counts_add(&of, figure->marks[i].point);
    time_counts_say(&of, l, counts);
    speedup_table_law(figure, l, law);
    const char *const notes[] = {
        message(l, "The 95 % hold for each interval, not for all together."), counts, law};
    if (used > 0 && caption[used - 1] == '.')
        caption[--used] = '\0';
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i][0] && used < size)
            used += (size_t)snprintf(caption + used, size - used, ". %.*s",
                                     (int)strlen(notes[i]) - 1, notes[i]);
}

void speedup_caption(const struct experiment *e, const struct speedup_figure *figure, bool weak,
                     const struct language *l, char *caption, size_t size)
{
    char base[BASE_TEXT];
    if (weak)
        message_format(caption, size, l,
                       "%{title}: total time, scaled speedup over one worker, efficiency, and the "
                       "speedup by Gustafson's law; 95 % intervals in brackets",
                       WITH({"title", experiment_title(e, l).text}));
    else
        message_format(caption, size, l,
                       "%{title}: total time, speedup over one worker, efficiency, the serial "
                       "fraction of Karp and Flatt, and the speedup by Amdahl's law; 95 % "
                       "intervals in brackets",
                       WITH({"title", experiment_title(e, l).text}));
    speedup_table_base(figure, l, base, sizeof base);
    if (base[0])
        message_format(
            caption, size, l,
            "%{title}: total time, speedup, efficiency, the serial fraction of Karp and "
            "Flatt, and the speedup by Amdahl's law; 95 % intervals in brackets. %{base}",
            WITH({"title", experiment_title(e, l).text}, {"base", base}));
    add_notes(figure, l, caption, size);
}

/* Writes the table as R/analysis/NAME.speedup.tex. */
static enum status write_table(const struct experiment *e, const struct showing *s,
                               const struct speedup_figure *figure, const char *folder,
                               struct failure *f)
{
    const struct language *l = s->drawing->language;
    char caption[SPEEDUP_CAPTION], file[300], place[200];
    speedup_caption(e, figure, s->weak, l, caption, sizeof caption);
    text_fit_format(place, sizeof place, "%s-speedup", e->name);
    snprintf(file, sizeof file, "analysis/%s.speedup.tex", e->name);
    return speedup_table_write(figure, place, caption, l, results_file(folder, file).text, f);
}

static enum status print_table(const struct experiment *e, const struct showing *s,
                               const char *folder, struct failure *f)
{
    struct speedup_figure figure;
    enum status status =
        speedup_figure_make(&figure, &e->analysis, &e->forecasts, e->request.machine, s->weak, f);
    if (status == STATUS_OK)
        status = speedup_figure_own_laws(&figure, &e->analysis, f);
    if (status != STATUS_OK)
        return status;
    putchar('\n');
    speedup_table_print(&figure, e, s->drawing->language);
    speedup_table_factors(&figure, &e->analysis, s->drawing->language);
    status = write_table(e, s, &figure, folder, f);
    speedup_figure_release(&figure);
    return status;
}

static void describe_answer(struct experiment *e, const struct language *l)
{
    struct claim claim;
    claim_make(e, experiment_chart(e, 0), l, &claim);
    putchar('\n');
    wrap_print("", "", claim.has_answer ? claim.answer : claim.why, "");
}

static void describe_files(const struct experiment *e, const char *folder)
{
    static const char *const tables[] = {"csv", "tex"};
    for (size_t i = 0; i < PLOT_FORMATS * experiment_chart_count(e); i++) {
        const struct plot_path path = plot_path(
            folder, e->name, experiment_chart(e, i / PLOT_FORMATS), plot_formats[i % PLOT_FORMATS]);
        if (access(path.text, R_OK) == 0)
            puts(path.text);
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char file[300];
        snprintf(file, sizeof file, "analysis/%s.speedup.%s", e->name, tables[i]);
        if (access(results_file(folder, file).text, R_OK) == 0)
            puts(results_file(folder, file).text);
    }
}

static enum status show_one(struct experiment *e, struct inventory *in, void *context,
                            struct failure *f)
{
    struct showing *s = context;
    const enum status status = s->table ? print_table(e, s, in->folder, f) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    describe_answer(e, s->drawing->language);
    plots_make(s->drawing, e, in);
    putchar('\n');
    describe_files(e, in->folder);
    return STATUS_OK;
}

static enum status show(const char *results, char *name, struct showing *s, struct failure *f)
{
    struct inventory in;
    if (inventory_open(&in, results, &name, 1, f) != STATUS_OK)
        return f->status;
    enum status status = results_make(results_file(in.folder, "analysis").text, f);
    if (status == STATUS_OK)
        status = results_make(results_charts(in.folder).text, f);
    if (status == STATUS_OK) {
        inventory_visit(&in, show_one, s);
        status = gaps_end(&in.gaps, f);
    }
    inventory_close(&in);
    return status;
}

enum status speedup_show(const char *results, char *name, struct drawing *drawing, bool weak,
                         struct failure *f)
{
    struct showing s = {drawing, true, weak};
    return show(results, name, &s, f);
}

enum status chart_show(const char *results, char *name, struct drawing *drawing, struct failure *f)
{
    struct showing s = {drawing, false, false};
    return show(results, name, &s, f);
}
