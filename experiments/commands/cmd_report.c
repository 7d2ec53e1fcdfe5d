#include "experiments/analysis/derived.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "experiments/report/ladder.h"
#include "experiments/report/plots.h"
#include "experiments/report/report.h"

#include <stdlib.h>
#include <string.h>

static const struct report_format *const formats[] = {&report_html, &report_markdown,
                                                      &report_latex};
enum { FORMATS = sizeof formats / sizeof *formats };

struct reporting {
    const struct inventory *inventory;
    enum language language;
    struct output files[FORMATS];
    bool drawing; /* until gnuplot turns out to be missing */
};

/* Draws the charts; without gnuplot the report does without, and says so once. */
static enum status draw(struct reporting *r, const struct experiment *e, struct failure *f)
{
    for (size_t i = 0; r->drawing && i < experiment_chart_count(e); i++)
        for (size_t j = 0; r->drawing && j < PLOT_FORMATS; j++) {
            struct failure why = {0};
            enum status status = plot_draw(r->inventory->folder, e->name, experiment_chart(e, i),
                                           plot_formats[j], r->language, &why);
            if (status == STATUS_UNAVAILABLE) {
                fprintf(stderr, "study: %s\n", why.message);
                r->drawing = strncmp(why.message, "gnuplot", 7) != 0;
                break; /* the next chart may have its script */
            }
            if (status != STATUS_OK)
                return fail(f, status, "%s", why.message);
        }
    return STATUS_OK;
}

static enum status write_one(struct reporting *r, size_t index, struct failure *f)
{
    struct experiment e;
    const char *folder = r->inventory->folder;
    enum status status = experiment_open(&e, r->inventory, index, f);
    if (status != STATUS_OK)
        return status;
    status = experiment_write_derived(&e, folder, f);
    if (status == STATUS_OK)
        status = draw(r, &e, f);
    for (size_t i = 0; i < FORMATS && status == STATUS_OK; i++) {
        struct document d = {r->files[i].stream, folder, e.name, r->language};
        report_experiment(formats[i], &d, &e);
        status = report_skipped(formats[i], &d, f);
    }
    experiment_close(&e);
    return status;
}

static enum status open_files(struct reporting *r, struct failure *f)
{
    const char *title =
        say(r->language, "Max pooling: what was measured", "Max pooling: lo que se midió");
    for (size_t i = 0; i < FORMATS; i++) {
        struct results_path path = results_file(r->inventory->folder, formats[i]->file);
        enum status status = output_open(&r->files[i], path.text, f);
        if (status != STATUS_OK)
            return status;
        struct document d = {r->files[i].stream, r->inventory->folder, "", r->language};
        formats[i]->begin(&d, title);
    }
    return STATUS_OK;
}

static enum status close_files(struct reporting *r, enum status status, struct failure *f)
{
    for (size_t i = 0; i < FORMATS; i++) {
        struct document d = {r->files[i].stream, r->inventory->folder, "", r->language};
        if (status != STATUS_OK) {
            output_abandon(&r->files[i]);
            continue;
        }
        formats[i]->end(&d);
        status = output_close(&r->files[i], f);
    }
    return status;
}

static enum status write_report(struct reporting *r, struct failure *f)
{
    const char *folder = r->inventory->folder;
    enum status status = results_make(results_file(folder, "analysis").text, f);
    if (status == STATUS_OK)
        status = results_make(results_charts(folder).text, f);
    if (status == STATUS_OK)
        status = open_files(r, f);
    for (size_t i = 0; status == STATUS_OK && i < r->inventory->names.count; i++)
        status = write_one(r, i, f);
    return close_files(r, status, f);
}

/* ---- one part, on standard output ------------------------------------------------------------ */

static enum status find_format(const struct report_format **out, const char *name,
                               struct failure *f)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0) {
            *out = formats[i];
            return STATUS_OK;
        }
    return fail(f, STATUS_USAGE, "report: --format must be html, markdown or latex, not '%s'",
                name);
}

/* The tables of the experiment `ladder`, for a page that is not ours: a README, a thesis. */
static enum status print_part(const char *folder, const char *part, const char *format_name,
                              enum language language, struct failure *f)
{
    static char ladder[] = "ladder";
    char *names[] = {ladder};
    const struct report_format *format = NULL;
    struct inventory in;
    struct experiment e;
    if (strcmp(part, ladder) != 0)
        return fail(f, STATUS_USAGE, "report: --part must be ladder, not '%s'", part);
    enum status status = find_format(&format, format_name, f);
    if (status == STATUS_OK)
        status = inventory_open(&in, folder, names, 1, f);
    if (status != STATUS_OK)
        return status;
    status = experiment_open(&e, &in, 0, f);
    if (status == STATUS_OK) {
        const struct document d = {stdout, folder, e.name, language};
        ladder_write(format, &d, &e.analysis);
        experiment_close(&e);
    }
    inventory_close(&in);
    return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

enum status command_report(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default, *code = "en", *part = "", *format = "markdown";
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &folder},
        {"lang", OPTION_TEXT, "en|es", "language of the report (default en)", &code},
        {"part", OPTION_TEXT, "ladder", "print the tables of the ladder alone, write no file",
         &part},
        {"format", OPTION_TEXT, "html|markdown|latex", "of the part (default markdown)", &format},
    };
    const struct usage usage = {
        "[NAME]... [OPTION]...",
        "Writes DIR/report.html (one page, nothing else needed), report.md and report.tex:\n"
        "per experiment the question, chart, findings, table, methods, and what is not VALID.",
        options,
        sizeof options / sizeof *options,
        0,
        -1};
    int operands;
    bool help = false;
    struct reporting r = {.drawing = true};
    struct inventory in;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = language_parse(&r.language, code, f);
    if (status == STATUS_OK && *part)
        return print_part(folder, part, format, r.language, f);
    if (status == STATUS_OK)
        status = inventory_open(&in, folder, argv + 1, (size_t)operands, f);
    if (status != STATUS_OK)
        return status;
    r.inventory = &in;
    status = write_report(&r, f);
    if (status == STATUS_OK)
        puts(results_file(folder, report_html.file).text);
    inventory_close(&in);
    return status;
}
