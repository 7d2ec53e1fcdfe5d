#include "experiments/analysis/analysis.h"
#include "experiments/analysis/derived/tidy.h"
#include "experiments/commands/chart_size.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/results.h"
#include "experiments/common/text/distinct.h"
#include "experiments/report/charts/custom_chart.h"
#include "experiments/report/charts/plots.h"
#include "harness/base/regular_file.h"
#include "harness/base/text/decimal_point.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the user requests besides the experiments. */
struct plotting {
    const char *folder, *definitions, *code;
    const char *formats, *charts; /* figures of the user's, or the charts of the page */
    const char *file;             /* of the only figure; "": in the folder of figures */
    char variant[400];
    const char *title, *size, *methods, *operator, * x, *y, *data;
    double font_pt;
    struct drawing drawing;
};

/* ---- checking -------------------------------------------------------------------------------- */

/* A font size needs a chart size; without --size it is that of the pages, 16 x 10.7 cm. */
static enum status check_size(struct plotting *p, struct failure *f)
{
    struct chart_look *look = &p->drawing.look;
    if (*p->size && !chart_size_parse(p->size, &look->width_cm, &look->height_cm))
        return fail(f, STATUS_USAGE,
                    "plot: --size must be WIDTHxHEIGHT of 2 to 100 cm, such as 8x6cm, 80x60mm or "
                    "3x2in, not '%s'%s",
                    p->size, point_hint_of(p->size).text);
    if (p->font_pt != 0.0 && !*p->size) {
        look->width_cm = 16.0;
        look->height_cm = 10.7;
    }
    look->font_pt = p->font_pt;
    return STATUS_OK;
}

static enum status check_title(struct plotting *p, struct failure *f)
{
    struct chart_words words;
    if (!p->title)
        return STATUS_OK;
    if (!*p->title || strlen(p->title) >= sizeof words.finding || strchr(p->title, '\n'))
        return fail(f, STATUS_USAGE, "plot: --title must be one line of 1 to %zu bytes, not '%s'",
                    sizeof words.finding - 1, p->title);
    p->drawing.look.title = p->title;
    return STATUS_OK;
}

/* Checks that --x and --y come together, --data only with them, and that they draw one chart. */
static enum status check_columns(const struct plotting *p, int names, struct failure *f)
{
    if (!*p->x != !*p->y)
        return fail(f, STATUS_USAGE,
                    "plot: --x and --y name the columns of one chart: --%s is missing",
                    *p->x ? "y" : "x");
    if (*p->operator&& !* p->x)
        return fail(f, STATUS_USAGE, "plot: --operator %s needs --x and --y, the columns to draw",
                    p->operator);
    if (*p->data && !*p->x)
        return fail(f, STATUS_USAGE, "plot: --data %s needs --x and --y, the columns to draw",
                    p->data);
    if (*p->x && names != 1 && !(*p->data && names == 0))
        return fail(f, STATUS_USAGE, "plot: --x and --y draw one chart: name one experiment");
    if (names == 0 && (p->title || *p->methods) && !*p->data)
        return fail(f, STATUS_USAGE, "plot: --%s is of one experiment: name it",
                    p->title ? "title" : "methods");
    return STATUS_OK;
}

/* Where the drawings go: --charts draws those of the page, everything else is a figure. */
static enum status check_place(struct plotting *p, int names, struct failure *f)
{
    const bool own = p->title || *p->size || p->font_pt != 0.0 || *p->methods || *p->x || *p->file;
    const char *suffix = strrchr(p->file, '.');
    p->drawing.formats = *p->charts ? p->charts : *p->formats ? p->formats : "all";
    if (*p->charts && (own || *p->formats))
        return fail(f, STATUS_USAGE,
                    "plot: --charts draws the charts of the page as study report does, without "
                    "settings: use --format");
    if (!*p->file)
        return STATUS_OK;
    if (!suffix || strchr(suffix, '/') || !suffix[1])
        return fail(f, STATUS_USAGE, "plot: -o %s needs an ending: svg, png, pdf or tikz", p->file);
    if (*p->formats && strcmp(p->formats, suffix + 1) != 0)
        return fail(f, STATUS_USAGE, "plot: -o %s is no %s: leave out --format", p->file,
                    p->formats);
    if (names != 1 && !(*p->data && names == 0))
        return fail(f, STATUS_USAGE, "plot: -o %s is one figure: name one experiment", p->file);
    p->drawing.formats = suffix + 1;
    p->drawing.look.file = p->file;
    return STATUS_OK;
}

static void add_part(char *text, size_t size, const char *part)
{
    char whole[81];
    const size_t used = strlen(text);
    text_distinct(whole, sizeof whole, part);
    snprintf(text + used, size - used, "-%s", whole);
    for (char *at = text + used; *at; at++)
        *at = *at == ',' ? '+' : *at == '/' || *at == ' ' ? '_' : *at;
}

/* The settings that differ from the default, for the names of the figures: a figure is replaced
 * only by one with the same settings. */
static void name_variant(struct plotting *p)
{
    char part[40];
    p->variant[0] = '\0';
    if (*p->size)
        add_part(p->variant, sizeof p->variant, p->size);
    snprintf(part, sizeof part, "%gpt", p->font_pt);
    if (p->font_pt != 0.0)
        add_part(p->variant, sizeof p->variant, part);
    if (strcmp(p->code, "en") != 0)
        add_part(p->variant, sizeof p->variant, p->code);
    if (*p->methods)
        add_part(p->variant, sizeof p->variant, p->methods);
    if (*p->operator)
        add_part(p->variant, sizeof p->variant, p->operator);
    /* the title itself is too long for the name of a file */
    snprintf(part, sizeof part, "title%08lx", p->title ? point_seed(p->title) : 0);
    if (p->title)
        add_part(p->variant, sizeof p->variant, part);
    p->drawing.look.variant = p->variant;
}

static enum status check(struct plotting *p, int names, struct failure *f)
{
    if (language_find(&p->drawing.language, p->code, f) != STATUS_OK ||
        check_place(p, names, f) != STATUS_OK ||
        drawing_check(&p->drawing, *p->charts ? "charts" : "format", f) != STATUS_OK ||
        check_size(p, f) != STATUS_OK || check_title(p, f) != STATUS_OK ||
        check_columns(p, names, f) != STATUS_OK)
        return f->status;
    if (!*p->charts)
        name_variant(p);
    return definitions_check(p->definitions, f);
}

/* ---- the charts of experiments --------------------------------------------------------------- */

/* Refuses methods that the experiment does not have. */
static enum status check_methods(const struct experiment *e, const char *methods, struct failure *f)
{
    struct frame points;
    if (tidy_points(&points, &e->analysis, f) != STATUS_OK)
        return f->status;
    enum status status = own_chart_choose(&points, methods, f);
    frame_release(&points);
    return status;
}

static enum status draw(struct experiment *e, struct inventory *in, void *context,
                        struct failure *f)
{
    struct plotting *p = context;
    if (*p->methods) {
        const enum status status = check_methods(e, p->methods, f);
        if (status != STATUS_OK)
            return status;
        p->drawing.look.methods = p->methods;
    }
    if (*p->file && experiment_chart_count(e) != 1)
        return fail(f, STATUS_USAGE,
                    "plot: -o %s is one figure, but %s has %zu: draw them without -o", p->file,
                    e->name, experiment_chart_count(e));
    plots_make(&p->drawing, e, in);
    for (size_t i = 0; i < experiment_chart_count(e); i++)
        for (size_t j = 0; j < PLOT_FORMATS; j++) {
            const struct plot_path path = plot_path_of(in->folder, e->name, experiment_chart(e, i),
                                                       plot_formats[j], &p->drawing.look);
            if (drawing_wants(&p->drawing, j) && access(path.text, R_OK) == 0)
                puts(path.text);
        }
    return STATUS_OK;
}

/* ---- a chart of two columns ------------------------------------------------------------------ */

static enum status draw_columns(struct plotting *p, struct frame *points, const char *name,
                                struct failure *f)
{
    enum status status = own_chart_choose(points, p->methods, f);
    if (status == STATUS_OK)
        status = own_chart_choose_operator(points, p->operator, f);
    return status == STATUS_OK ? own_chart_draw(&p->drawing, p->folder, name, points, p->x, p->y, f)
                               : status;
}

static enum status draw_experiment(struct plotting *p, struct inventory *in, struct failure *f)
{
    struct experiment e;
    struct frame points;
    if (experiment_open(&e, in, 0, f) != STATUS_OK)
        return f->status;
    enum status status = tidy_points(&points, &e.analysis, f);
    if (status == STATUS_OK) {
        status = draw_columns(p, &points, e.name, f);
        frame_release(&points);
    }
    experiment_close(&e);
    return status;
}

/* Writes the file's name up to its first '.', without folder; characters that the suite's file
 * names may not contain become '_'. */
static void name_of_file(const char *path, char name[101])
{
    char whole[NAME_MAX + 1];
    snprintf(whole, sizeof whole, "%s", file_name(path));
    whole[strcspn(whole, ".")] = '\0';
    text_distinct(name, 101, whole);
    for (char *at = name; *at; at++)
        *at = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *at) ? *at
                                                                                              : '_';
}

static enum status draw_file(struct plotting *p, const char *given, struct failure *f)
{
    struct frame points;
    FILE *stream;
    int64_t size;
    char name[101];
    if (given && !results_name_is_safe(given))
        return fail(f, STATUS_USAGE, "plot: '%s' cannot be the name of a chart", given);
    name_of_file(given ? given : p->data, name);
    if (regular_stream(p->data, &stream, &size, f) != STATUS_OK)
        return f->status;
    enum status status = frame_read(&points, stream, p->data, f);
    fclose(stream);
    if (status != STATUS_OK)
        return status;
    if (points.left_out > 0)
        wording_warn("study", "%s: %zu rows left out, the first in line %zu", p->data,
                     points.left_out, points.first_left_out);
    status = own_chart_check_trust(&points, p->data, f);
    if (status == STATUS_OK)
        status = draw_columns(p, &points, name, f);
    frame_release(&points);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static enum status visit(struct plotting *p, char **names, int count, struct failure *f)
{
    struct inventory in;
    enum status status = inventory_open(&in, p->folder, names, (size_t)count, f);
    if (status != STATUS_OK)
        return status;
    in.definitions = p->definitions;
    if (*p->x) {
        status = draw_experiment(p, &in, f);
    } else {
        inventory_visit(&in, draw, p);
        status = gaps_end(&in.gaps, f);
    }
    inventory_close(&in);
    return status == STATUS_OK && p->drawing.no_gnuplot
               ? fail(f, STATUS_UNAVAILABLE, "no chart was drawn: gnuplot is missing")
               : status;
}

static enum status plot(struct plotting *p, char **names, int count, struct failure *f)
{
    const struct results_path drawn =
        *p->charts ? results_charts(p->folder) : results_file(p->folder, "figures");
    if (results_make(results_file(p->folder, "analysis").text, f) != STATUS_OK ||
        results_make(drawn.text, f) != STATUS_OK)
        return f->status;
    return *p->data ? draw_file(p, count ? names[0] : NULL, f) : visit(p, names, count, f);
}

static const char about[] =
    "Draws the charts of experiments into DIR/figures as SVG, PNG and PDF, in the size, font,\n"
    "language and formats of your page. Settings are in the names of the files, so that a figure\n"
    "is replaced only by one with the same settings; study report leaves them alone. It also\n"
    "draws two columns against each other.\n"
    "\n"
    "Examples\n"
    "  study plot threads                                      its charts\n"
    "  study plot threads --size 8x6cm --font 9 --format pdf   for a column of a paper\n"
    "  study plot threads --size 8x6cm -o speedup.pdf          the same, in a file of that name\n"
    "  study plot threads --title 'Two cores' --lang es --methods staged,fused\n"
    "  study plot threads --x threads --y speedup              a chart of your own\n"
    "  study plot --data mine.csv --x n --y seconds --format tikz\n"
    "\n"
    "--x and --y take columns of the derived points ('study export --dictionary' lists them);\n"
    "speedup stands for one_total and seconds for total_s. A chart has one operator. Each method\n"
    "has a line of its own, and so has whatever else distinguishes points with the same x. --data\n"
    "takes a CSV file instead of an experiment: one that 'study export' wrote, or your own with a\n"
    "column `series` that names the lines. A TikZ drawing needs \\usepackage{gnuplot-lua-tikz},\n"
    "which the command\n"
    "gnuplot -e \"set terminal tikz createstyle\" writes.";

enum status command_plot(int argc, char **argv, struct failure *f)
{
    struct plotting p = {.folder = results_default,
                         .definitions = definitions_folder(),
                         .code = screen_language()->code,
                         .formats = "",
                         .charts = "",
                         .file = "",
                         .size = "",
                         .methods = "",
                         .operator= "",
                         .x = "",
                         .y = "",
                         .data = ""};
    const struct option_row options[] = {
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &p.folder},
        {"format", VALUE_LIST, "LIST", "formats: some of svg, png, pdf, tikz (default svg,png,pdf)",
         .target = &p.formats},
        {"output", VALUE_TEXT, "FILE",
         "write the only figure to this file: .svg, .png, .pdf, .tikz", .target = &p.file,
         .letter = 'o'},
        {"charts", VALUE_LIST, "LIST", "draw the page's charts in these formats into DIR/charts",
         .target = &p.charts},
        {"lang", VALUE_TEXT, "en|es", "language of titles (default: the environment's)",
         .target = &p.code},
        {"title", VALUE_TEXT, "TEXT", "title of the chart, instead of its finding",
         .target = &p.title},
        {"size", VALUE_TEXT, "WxH", "size of the chart, such as 8x6cm, 80x60mm or 3x2in",
         .target = &p.size},
        {"font", VALUE_REAL, "POINTS", "size of the numbers along the axes, 4 to 72",
         .target = &p.font_pt, .least = 4.0, .most = 72.0},
        {"methods", VALUE_LIST, "LIST", "draw only points of these methods: a,b",
         .target = &p.methods},
        {
            "operator",
            VALUE_TEXT,
            "NAME",
            "with --x and --y: draw points of this operator",
            .target = &p.operator},
            {"x", VALUE_TEXT, "COLUMN", "draw --y against this column", .target = &p.x},
            {"y", VALUE_TEXT, "COLUMN", "draw this column, with its interval", .target = &p.y},
            {"data", VALUE_TEXT, "FILE", "CSV file with both columns, instead of an experiment",
             .target = &p.data},
            {"definitions", VALUE_TEXT, "DIR",
             "folder of the definitions (default: the suite's own)", .target = &p.definitions},
        };
    const struct usage usage = {"[NAME]...", about, options, sizeof options / sizeof *options,
                                0,           -1};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    enum status status = check(&p, operands, f);
    return status == STATUS_OK ? plot(&p, argv + 1, operands, f) : status;
}
