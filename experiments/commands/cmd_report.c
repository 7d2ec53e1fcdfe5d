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
    struct inventory *inventory;
    struct drawing drawing;
    struct output files[FORMATS]; /* one that cannot be written has no stream */
    bool page;                    /* report.html is written */
};

static struct document document_of(const struct reporting *r, size_t format, const char *experiment)
{
    return (struct document){r->files[format].stream, r->inventory->folder, experiment,
                             r->drawing.language};
}

static void note_unwritten(const struct reporting *r, const struct failure *why)
{
    gaps_note(&r->inventory->gaps, "", GAP_NOT_WRITTEN, why->status, "%s", why->message);
}

static enum status write_one(struct experiment *e, struct inventory *in, void *context,
                             struct failure *f)
{
    struct reporting *r = context;
    (void)f;
    plots_make(&r->drawing, e, in);
    for (size_t i = 0; i < FORMATS; i++) {
        struct document d = document_of(r, i, e->name);
        if (!d.stream)
            continue;
        struct failure why = {0};
        report_experiment(formats[i], &d, e);
        if (report_skipped(formats[i], &d, &why) != STATUS_OK)
            gaps_note(&in->gaps, e->name, GAP_NOT_READ, why.status, "%s", why.message);
        report_gaps(formats[i], &d, &in->gaps);
    }
    return STATUS_OK;
}

static void open_files(struct reporting *r)
{
    const char *title =
        say(r->drawing.language, "Max pooling: what was measured", "Max pooling: lo que se midió");
    for (size_t i = 0; i < FORMATS; i++) {
        struct failure why = {0};
        const struct results_path path = results_file(r->inventory->folder, formats[i]->file);
        const enum status status = output_open(&r->files[i], path.text, &why);
        const struct document d = document_of(r, i, "");
        if (status == STATUS_OK)
            formats[i]->begin(&d, title);
        else
            note_unwritten(r, &why);
    }
}

static void close_files(struct reporting *r)
{
    for (size_t i = 0; i < FORMATS; i++) {
        struct failure why = {0};
        const struct document d = document_of(r, i, "");
        if (!d.stream)
            continue;
        report_gaps(formats[i], &d, &r->inventory->gaps);
        formats[i]->end(&d);
        if (output_close(&r->files[i], &why) != STATUS_OK)
            note_unwritten(r, &why);
        else
            r->page = r->page || formats[i] == &report_html;
    }
}

/* Everything that can be written is; what cannot, the gaps tell. */
static enum status write_report(struct reporting *r, struct failure *f)
{
    const char *folder = r->inventory->folder;
    enum status status = results_make(results_file(folder, "analysis").text, f);
    if (status == STATUS_OK)
        status = results_make(results_charts(folder).text, f);
    if (status != STATUS_OK)
        return status;
    open_files(r);
    inventory_visit(r->inventory, write_one, r);
    close_files(r);
    return gaps_end(&r->inventory->gaps, f);
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
        status = gaps_end(&in.gaps, f);
    }
    inventory_close(&in);
    return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

enum status command_report(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default, *code = "en", *part = "", *format = "markdown";
    struct reporting r = {.drawing.formats = "all"};
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &folder},
        {"lang", OPTION_TEXT, "en|es", "language of the report (default en)", &code},
        {"part", OPTION_TEXT, "ladder", "print the tables of the ladder alone, write no file",
         &part},
        {"format", OPTION_TEXT, "html|markdown|latex", "of the part (default markdown)", &format},
        {"charts", OPTION_TEXT, "FORMAT", "svg, png, pdf, none or all (default all)",
         &r.drawing.formats},
    };
    const struct usage usage = {
        "[NAME]... [OPTION]...",
        "Writes DIR/report.html (one page, nothing else needed), report.md and report.tex:\n"
        "per experiment the question, chart, findings, table, methods, and what is not VALID.\n"
        "What cannot be read or drawn is a line there; the rest is written all the same.",
        options,
        sizeof options / sizeof *options,
        0,
        -1};
    int operands;
    bool help = false;
    struct inventory in;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = language_parse(&r.drawing.language, code, f);
    if (status == STATUS_OK && *part)
        return print_part(folder, part, format, r.drawing.language, f);
    if (status == STATUS_OK)
        status = drawing_check(&r.drawing, f);
    if (status == STATUS_OK)
        status = inventory_open(&in, folder, argv + 1, (size_t)operands, f);
    if (status != STATUS_OK)
        return status;
    r.inventory = &in;
    status = write_report(&r, f);
    if (r.page)
        puts(results_file(folder, report_html.file).text);
    inventory_close(&in);
    return status;
}
