#include "experiments/report/charts/plots.h"

#include "experiments/common/folder_files.h"
#include "experiments/common/output.h"
#include "experiments/common/process.h"
#include "experiments/report/charts/chart_texts.h"
#include "experiments/report/charts/form.h"
#include "experiments/report/charts/tikz.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/word_list.h"
#include "theses/published/suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const plot_formats[PLOT_FORMATS] = {"svg", "png", "pdf", "tikz"};
const char plot_custom_chart[] = "custom_chart";
enum { ALL_FORMATS = 3 }; /* the first three are "all" */

struct plot_path plot_path(const char *folder, const char *experiment, const char *chart,
                           const char *format)
{
    struct plot_path path;
    bool same = strcmp(experiment, chart) == 0 || strcmp(chart, plot_custom_chart) == 0;
    int length = snprintf(path.text, sizeof path.text, "%s/charts/%s%s%s.%s", folder, experiment,
                          same ? "" : "-", same ? "" : chart, format);
    if (length < 0 || (size_t)length >= sizeof path.text)
        path.text[0] = '\0';
    return path;
}

struct plot_path plot_narrow_path(const char *folder, const char *experiment, const char *chart)
{
    struct plot_path path;
    char name[600];
    snprintf(name, sizeof name, "analysis/%s.%s.narrow.svg", experiment, chart);
    snprintf(path.text, sizeof path.text, "%s", results_file(folder, name).text);
    return path;
}

struct plot_path plot_path_of(const char *folder, const char *experiment, const char *chart,
                              const char *format, const struct chart_look *look)
{
    struct plot_path path = plot_path(folder, experiment, chart, format);
    if (!look || (!look->variant && !look->file))
        return path;
    const char *name = file_name(path.text);
    const size_t suffix = 1 + strlen(format), whole = strlen(name);
    const int stem = whole > suffix ? (int)(whole - suffix) : 0;
    struct plot_path figure;
    const int length = look->file
                           ? snprintf(figure.text, sizeof figure.text, "%s", look->file)
                           : snprintf(figure.text, sizeof figure.text, "%s/figures/%.*s%s.%s",
                                      folder, stem, name, look->variant, format);
    if (length < 0 || (size_t)length >= sizeof figure.text)
        figure.text[0] = '\0';
    return figure;
}

static void add_path(struct settings *s, const char *name, const char *path)
{
    settings_add(s, name, results_for_program(path).text);
}

/* Adds the settings that differ from the default. */
static void add_look(struct settings *s, const struct chart_look *look)
{
    if (!(look->width_cm > 0.0))
        return;
    if (look->title)
        settings_add(s, "own_title", "1");
    settings_add_number(s, "width_cm", look->width_cm);
    settings_add_number(s, "height_cm", look->height_cm);
    settings_add_number(s, "font_pt", look->font_pt);
}

/* Makes the settings: texts, paths of data and of the chart, its format, and the file of its texts.
 * Returns false if a path contains a line break, which gnuplot's quotes do not allow. */
static bool make_settings(struct settings *s, const char *folder, const char *experiment,
                          const struct chart_words *words, const char *out, const char *format,
                          const char *texts, const struct language *l)
{
    char plots[PATH_MAX];
    *s = (struct settings){.whole = true};
    const struct chart_look usual = {0}, *look = words->look ? words->look : &usual;
    if (words->form) {
        add_path(s, "rows", words->rows);
        form_add(s, words->form, words->selection, l);
    } else {
        char name[300];
        snprintf(name, sizeof name, "analysis/%s.points.csv", experiment);
        add_path(s, "points", results_file(folder, name).text);
    }
    add_look(s, look);
    settings_add(s, "plots", suite_share(plots, "plots"));
    add_path(s, "out", out);
    settings_add(s, "format", format);
    if (texts[0])
        add_path(s, "texts", texts);
    else
        settings_add(s, "texts", "");
    settings_add(s, "finding", words->finding);
    settings_add(s, "quantity", words->quantity);
    settings_add_number(s, "least_places", words->least_places);
    return s->whole;
}

/* The end of a complete drawing, because gnuplot does not report a full disk. */
static const struct {
    const char *format, *ending;
} endings[] = {
    {"svg", "</svg>"}, {"png", "IEND"}, {"pdf", "%%EOF"}, {"tikz", "\\end{tikzpicture}"}};

static bool is_whole(const char *path, const char *format)
{
    char tail[64];
    FILE *file = fopen(path, "rb");
    bool whole = false;
    if (!file)
        return false;
    if (fseek(file, -(long)sizeof tail, SEEK_END) == 0 &&
        fread(tail, 1, sizeof tail, file) == sizeof tail)
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
            whole =
                whole || (strcmp(endings[i].format, format) == 0 &&
                          memmem(tail, sizeof tail, endings[i].ending, strlen(endings[i].ending)));
    fclose(file);
    return whole;
}

/* Exit status of plots/lib/nothing.gp and too_few_values.gp, which print the reason first. */
enum { NOTHING_STATUS = 3 };
static const struct {
    const char *prefix;
    enum plot_end end;
} refusals[] = {{"nothing: ", PLOT_NOTHING}, {"few: ", PLOT_FEW}};

static enum plot_end classify_refusal(const char *output, const char *chart, struct failure *why)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const char *reason = strstr(output, refusals[i].prefix);
        if (!reason)
            continue;
        reason += strlen(refusals[i].prefix);
        fail(why, STATUS_UNAVAILABLE, "%s: %.*s", chart, (int)strcspn(reason, "\n"), reason);
        return refusals[i].end;
    }
    fail(why, STATUS_UNAVAILABLE, "%s: ", chart);
    return PLOT_NOTHING;
}

/* Seconds after which gnuplot is ended. */
static const double drawing_limit_s = 60.0;

/* Why gnuplot drew nothing; what it printed, if anything. */
static void describe_failure(const struct process_result *result, const char *path,
                             struct failure *why)
{
    const char *said = result->output + strspn(result->output, " \n");
    if (result->end == PROCESS_STOPPED)
        fail(why, STATUS_OUTPUT, "%s: gnuplot was stopped by a signal", path);
    else if (result->end == PROCESS_KILLED)
        fail(why, STATUS_OUTPUT, "%s: gnuplot was ended by signal %d (%s)", path, result->signal,
             strsignal(result->signal));
    else if (result->end == PROCESS_TIMED_OUT)
        fail(why, STATUS_OUTPUT, "%s: gnuplot took longer than %.0f s", path, drawing_limit_s);
    else if (said[0])
        fail(why, STATUS_OUTPUT, "%s: gnuplot failed: %s", path, said);
    else
        fail(why, STATUS_OUTPUT, "%s: gnuplot ended with status %d and no message", path,
             result->exit_status);
}

static enum plot_end classify_end(const struct process_result *result, const char *chart,
                                  const struct output *o, const char *format, struct failure *why)
{
    if (result->end == PROCESS_EXITED && result->exit_status == NOTHING_STATUS)
        return classify_refusal(result->output, chart, why);
    if (!process_succeeded(result)) {
        describe_failure(result, o->path, why);
        return PLOT_FAILED;
    }
    if (is_whole(o->temporary, format))
        return strcmp(format, "tikz") != 0 || tikz_finish(o->temporary, why) == STATUS_OK
                   ? PLOT_DRAWN
                   : PLOT_FAILED;
    fail(why, STATUS_OUTPUT, "%s: gnuplot could not write it whole: %s", o->path, result->output);
    return PLOT_FAILED;
}

/* Replaces, in place, paths below the folder by relative ones: 'FOLDER/a' becomes './a'. */
static void make_paths_relative(const char *folder, char *text)
{
    const size_t length = strlen(folder);
    char *to = text;
    for (const char *from = text; *from; *to++ = *from++)
        if (length > 1 && strncmp(from, folder, length) == 0 && from[length] == '/') {
            *to++ = '.';
            from += length;
        }
    *to = '\0';
}

/* Reports gnuplot as missing, with the command that draws the chart on another machine. The command
 * is omitted if the message would truncate it or a shell would interpret it. */
static void describe_command(const char *folder, struct settings *settings, const char *script,
                             struct failure *why)
{
    enum { WORDS = 100 }; /* at most, besides the command */
    make_paths_relative(folder, settings->text);
    const size_t length = strlen(settings->text) + strlen(script) + strlen(folder);
    if (length + WORDS >= sizeof why->message || strpbrk(settings->text, "$`\"\\!") ||
        strpbrk(folder, "$`\"\\!' "))
        fail(why, STATUS_UNAVAILABLE, "gnuplot is missing (Debian: gnuplot-nox)");
    else
        fail(why, STATUS_UNAVAILABLE,
             "gnuplot is missing (Debian: gnuplot-nox); where there is one: cd %s && gnuplot -e "
             "\"%s\" %s",
             folder, settings->text, script);
}

/* A chart to be drawn in several formats. */
struct scene {
    const char *folder, *experiment, *chart;
    const struct chart_words *words;
    const struct language *language;
    const char *const *formats;
    size_t count;          /* of the formats; 0: it is not drawn */
    struct plotted *drawn; /* output: one per format */
    char script[PATH_MAX];
    const char *texts; /* file of the texts in its language; "": in English */
};

/* A chart in one format, on its way into its file. */
struct sheet {
    const char *format;
    struct plot_path path;
    struct output output; /* gnuplot writes into its temporary file */
    struct settings settings;
    char *words[5]; /* gnuplot's command line */
};

static bool set_up(struct sheet *sheet, const struct scene *s, const char *out)
{
    return make_settings(&sheet->settings, s->folder, s->experiment, s->words, out, sheet->format,
                         s->texts, s->language);
}

/* Returns false if its file cannot be written, or gnuplot cannot be given its settings. */
static bool open_sheet(struct sheet *sheet, struct scene *s, struct failure *why)
{
    static char gnuplot[] = "gnuplot", e[] = "-e";
    sheet->path = plot_path_of(s->folder, s->experiment, s->chart, sheet->format, s->words->look);
    if (output_open_derived(&sheet->output, sheet->path.text, why) != STATUS_OK)
        return false;
    sheet->output.file.derived = !s->words->look || !s->words->look->variant;
    if (!set_up(sheet, s, sheet->output.temporary)) {
        fail(why, STATUS_USAGE, "%s: gnuplot cannot be given this path", s->folder);
        output_abandon(&sheet->output);
        return false;
    }
    char *const words[] = {gnuplot, e, sheet->settings.text, s->script, NULL};
    memcpy(sheet->words, words, sizeof words);
    return true;
}

static enum plot_end close_sheet(struct sheet *sheet, const struct scene *s,
                                 const struct process_result *result, struct failure *why)
{
    enum plot_end end = PLOT_NO_GNUPLOT;
    if (result->end != PROCESS_NOT_STARTED)
        end = classify_end(result, s->chart, &sheet->output, sheet->format, why);
    if (end == PLOT_DRAWN)
        return output_close(&sheet->output, why) == STATUS_OK ? PLOT_DRAWN : PLOT_FAILED;
    output_abandon(&sheet->output);
    if (end == PLOT_NO_GNUPLOT && set_up(sheet, s, sheet->path.text))
        describe_command(results_for_program(s->folder).text, &sheet->settings, s->script, why);
    return end;
}

/* Every format of every scene; those that gnuplot is drawing have a sheet. */
struct sheets {
    struct scene *scenes;
    struct sheet **open; /* [scenes][PLOT_FORMATS] */
};

static char *const *begin_sheet(void *context, size_t i)
{
    struct sheets *all = context;
    struct scene *s = &all->scenes[i / PLOT_FORMATS];
    const size_t format = i % PLOT_FORMATS;
    if (format >= s->count)
        return NULL;
    struct plotted *drawn = &s->drawn[format];
    struct sheet *sheet = calloc(1, sizeof *sheet);
    drawn->end = PLOT_FAILED;
    if (!sheet) {
        fail(&drawn->why, STATUS_RESOURCE, "not enough memory to draw %s", s->chart);
        return NULL;
    }
    sheet->format = s->formats[format];
    if (!open_sheet(sheet, s, &drawn->why)) {
        free(sheet);
        return NULL;
    }
    all->open[i] = sheet;
    return sheet->words;
}

static void end_sheet(void *context, size_t i, const struct process_result *result,
                      const struct failure *why)
{
    struct sheets *all = context;
    struct scene *s = &all->scenes[i / PLOT_FORMATS];
    struct plotted *drawn = &s->drawn[i % PLOT_FORMATS];
    if (result) {
        drawn->end = close_sheet(all->open[i], s, result, &drawn->why);
    } else {
        drawn->why = *why;
        output_abandon(&all->open[i]->output);
    }
    free(all->open[i]);
    all->open[i] = NULL;
}

/* Finds the script that draws the chart. */
static enum status find_script(struct scene *s, struct failure *why)
{
    char name[256], plots[PATH_MAX];
    const struct form *form = s->words->form;
    snprintf(name, sizeof name, "%s%s.gp", form ? "form_" : "", form ? form->name : s->chart);
    char *script = folder_file(suite_share(plots, "plots"), name);
    if (!script)
        return fail(why, STATUS_UNAVAILABLE, "%s: there is no %s/%s", s->chart, plots, name);
    snprintf(s->script, sizeof s->script, "%s", script);
    free(script);
    return STATUS_OK;
}

/* All formats of a scene end as `end` says, unless they are drawn later. */
static void end_all(struct scene *s, enum plot_end end, const struct failure *why)
{
    for (size_t i = 0; i < s->count; i++)
        s->drawn[i] = (struct plotted){end, *why};
}

/* Prepares a scene; one that cannot be drawn has no formats then. */
static void prepare(struct scene *s, const char *texts)
{
    struct failure why = {0};
    s->texts = texts;
    const bool found = find_script(s, &why) == STATUS_OK;
    end_all(s, found ? PLOT_FAILED : PLOT_NOTHING, &why);
    s->count = found ? s->count : 0;
}

static void refuse_all(struct scene *scenes, size_t count, const struct failure *why)
{
    for (size_t i = 0; i < count; i++)
        end_all(&scenes[i], PLOT_FAILED, why);
}

/* Draws scenes of one folder in one language, several sheets at the same time. */
static void draw_scenes(struct scene *scenes, size_t count)
{
    const struct process_limits limits = {.seconds = drawing_limit_s, .grace_seconds = 1.0};
    struct sheets all = {scenes, calloc(count * PLOT_FORMATS + 1, sizeof *all.open)};
    const struct process_queue queue = {count * PLOT_FORMATS, begin_sheet, end_sheet, &all};
    struct failure why = {0};
    char texts[PATH_MAX];
    if (!all.open)
        fail(&why, STATUS_RESOURCE, "not enough memory to draw charts");
    else if (count > 0)
        chart_texts_write(scenes->folder, scenes->language, texts, &why);
    for (size_t i = 0; i < count; i++)
        prepare(&scenes[i], texts);
    if (why.status == STATUS_OK)
        process_run_queue(&queue, &limits, &why);
    if (why.status != STATUS_OK)
        refuse_all(scenes, count, &why);
    free(all.open);
}

enum plot_end plot_draw(const char *folder, const char *experiment, const char *chart,
                        const struct chart_words *words, const char *format,
                        const struct language *language, struct failure *why)
{
    struct plotted drawn;
    struct scene s = {folder, experiment, chart, words, language, &format, 1, &drawn, "", ""};
    draw_scenes(&s, 1);
    *why = drawn.why;
    return drawn.end;
}

/* ---- all charts of an experiment ------------------------------------------------------------- */

/* True if the list has as many known formats as words, so only known ones. */
static bool knows(const char *list)
{
    size_t words = 1, known = 0;
    for (const char *at = list; *at; at++)
        words += *at == ',';
    for (size_t i = 0; i < PLOT_FORMATS; i++)
        known += word_list_has(list, ",", plot_formats[i]);
    return known == words;
}

enum status drawing_check(const struct drawing *d, const char *option, struct failure *f)
{
    const bool whole = strcmp(d->formats, "all") == 0 || strcmp(d->formats, "none") == 0;
    if (!whole && !knows(d->formats))
        return fail(
            f, STATUS_USAGE,
            "--%s must be all, none, or some of svg, png, pdf and tikz, as svg,pdf; not '%s'",
            option, d->formats);
    if (!word_list_has(d->formats, ",", "tikz") || !process_in_path("gnuplot") || tikz_is_there())
        return STATUS_OK;
    return fail(f, STATUS_UNAVAILABLE,
                "--%s tikz: this gnuplot has no tikz terminal; it is built without Lua (Debian's "
                "gnuplot-nox has it)",
                option);
}

bool drawing_wants(const struct drawing *d, size_t format)
{
    return (strcmp(d->formats, "all") == 0 && format < ALL_FORMATS) ||
           word_list_has(d->formats, ",", plot_formats[format]);
}

/* Notes that a format of a chart was not drawn, and removes the drawing of an earlier run. That
 * gnuplot is missing is noted once. */
static void note_gap(struct drawing *d, const struct experiment *e, struct inventory *in,
                     const char *chart, const char *format, const struct plotted *drawn)
{
    const bool missing = drawn->end == PLOT_NO_GNUPLOT;
    if (!(missing && d->no_gnuplot))
        gaps_note(&in->gaps, missing ? "" : e->name,
                  drawn->end == PLOT_FEW ? GAP_LEFT_OUT : GAP_NOT_DRAWN,
                  drawn->end == PLOT_FAILED ? drawn->why.status : STATUS_OK, "%s",
                  drawn->why.message);
    d->no_gnuplot = d->no_gnuplot || missing;
    if (!d->look.file)
        unlink(plot_path_of(in->folder, e->name, chart, format, &d->look).text);
}

/* Takes the chart's texts from its claim. It is refused if it has none. */
static void find_words(struct chart_words *words, const struct drawing *d,
                       struct plotted_chart *chart)
{
    struct claim claim;
    claim_make(chart->experiment, chart->chart, d->language, &claim);
    words->least_places = d->least_places;
    words->look = &d->look;
    snprintf(words->finding, sizeof words->finding, "%s",
             d->look.title ? d->look.title : claim.title);
    text_fit(words->quantity, sizeof words->quantity,
             chart_quantity(chart->experiment, chart->chart, d->language).text);
    chart->refused = !claim.has_answer;
    snprintf(chart->refusal, sizeof chart->refusal, "%s", claim.why);
}

bool plots_derive(const struct drawing *d, const struct experiment *e, struct inventory *in)
{
    struct failure why = {0};
    const bool derived = experiment_write_derived(e, in->folder, &why) == STATUS_OK &&
                         selected_charts_write(e, in->folder, d->language, &why) == STATUS_OK;
    if (!derived)
        gaps_note(&in->gaps, e->name, GAP_NOT_WRITTEN, why.status, "%s", why.message);
    return derived;
}

void plots_remove(const struct drawing *d, const struct experiment *e, const struct inventory *in,
                  const char *chart)
{
    for (size_t i = 0; i < PLOT_FORMATS && !d->look.file; i++)
        if (drawing_wants(d, i))
            unlink(plot_path_of(in->folder, e->name, chart, plot_formats[i], &d->look).text);
}

/* A chart while it is drawn. */
struct sketch {
    struct plotted_chart *chart;
    struct chart_words words;
    struct selection selection;
    struct results_path rows;
};

/* Selects the rows of a chart, which plots_derive wrote. If methods are chosen, a file of its own
 * has the rows of those. False, and a gap, if that cannot be written. */
static bool select_rows(struct sketch *k, struct drawing *d, struct inventory *in)
{
    const struct experiment *e = k->chart->experiment;
    const struct selected_chart *selected = selected_chart_find(k->chart->chart);
    struct selection *s = &k->selection;
    struct failure why = {0};
    char name[200];
    text_fit_format(name, sizeof name, "%s%s", d->look.methods ? "selected." : "", k->chart->chart);
    k->rows = selected_chart_file(in->folder, e->name, name);
    selected->select(e, selected->parameters, d->language, s);
    for (size_t i = 0; i < s->count && d->look.methods; i++)
        if (!s->rows[i].role && s->rows[i].of.point &&
            !word_list_has(d->look.methods, ",", method_of(s->rows[i].of.point)))
            s->rows[i].role = "left_out";
    if (s->few && k->words.least_places > 0)
        k->words.least_places = 1 << 20; /* more than any chart has */
    k->words.form = selected->form;
    k->words.selection = s;
    k->words.rows = k->rows.text;
    if (!d->look.methods || selection_write(s, k->rows.text, &why) == STATUS_OK)
        return true;
    gaps_note(&in->gaps, e->name, GAP_NOT_WRITTEN, why.status, "%s", why.message);
    return false;
}

/* Removes an earlier drawing and prepares a new one; true if gnuplot can draw it. */
static bool begin_sketch(struct sketch *k, struct drawing *d, struct inventory *in)
{
    struct plotted_chart *chart = k->chart;
    plots_remove(d, chart->experiment, in, chart->chart);
    chart->done = true;
    find_words(&k->words, d, chart);
    return !chart->refused && (!selected_chart_find(chart->chart) || select_rows(k, d, in)) &&
           !d->no_gnuplot;
}

void plots_draw(struct drawing *d, struct inventory *in, struct plotted_chart *const *charts,
                size_t count)
{
    const char *formats[PLOT_FORMATS];
    size_t wanted = 0, ready = 0;
    struct sketch *sketches = calloc(count + 1, sizeof *sketches);
    struct scene *scenes = calloc(count + 1, sizeof *scenes);
    for (size_t i = 0; i < PLOT_FORMATS; i++)
        if (drawing_wants(d, i))
            formats[wanted++] = plot_formats[i];
    for (size_t i = 0; i < count && sketches && scenes; i++) {
        struct sketch *k = &sketches[i];
        k->chart = charts[i];
        if (!begin_sketch(k, d, in))
            continue;
        k->chart->count = wanted;
        scenes[ready++] = (struct scene){in->folder,
                                         k->chart->experiment->name,
                                         k->chart->chart,
                                         &k->words,
                                         d->language,
                                         formats,
                                         wanted,
                                         k->chart->formats,
                                         "",
                                         ""};
    }
    if (sketches && scenes)
        draw_scenes(scenes, ready);
    for (size_t i = 0; i < count && sketches; i++)
        selection_release(&sketches[i].selection);
    free(scenes);
    free(sketches);
}

bool plots_note(struct drawing *d, struct inventory *in, const struct plotted_chart *chart)
{
    const struct experiment *e = chart->experiment;
    size_t drawn = 0, at = 0;
    if (!chart->done)
        gaps_note(&in->gaps, e->name, GAP_NOT_DRAWN, STATUS_RESOURCE,
                  "not enough memory to draw %s", chart->chart);
    if (chart->refused)
        gaps_note(&in->gaps, e->name, GAP_NOT_DRAWN, STATUS_OK, "%s: %s", chart->chart,
                  chart->refusal);
    for (size_t i = 0; i < PLOT_FORMATS && at < chart->count; i++) {
        if (!drawing_wants(d, i))
            continue;
        const struct plotted *p = &chart->formats[at++];
        drawn += p->end == PLOT_DRAWN;
        if (p->end != PLOT_DRAWN)
            note_gap(d, e, in, chart->chart, plot_formats[i], p);
    }
    return drawn > 0;
}

bool plots_chart(struct drawing *d, const struct experiment *e, struct inventory *in,
                 const char *chart)
{
    struct plotted_chart one = {.experiment = e, .chart = chart}, *const all[] = {&one};
    plots_draw(d, in, all, 1);
    return plots_note(d, in, &one);
}

void plots_make(struct drawing *d, const struct experiment *e, struct inventory *in)
{
    const bool derived = plots_derive(d, e, in);
    for (size_t i = 0; i < experiment_chart_count(e); i++)
        if (derived)
            plots_chart(d, e, in, experiment_chart(e, i));
        else
            plots_remove(d, e, in, experiment_chart(e, i));
}
