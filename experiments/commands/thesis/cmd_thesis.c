/* study thesis: a folder that a thesis includes with \input. */
#include "experiments/commands/chart_size.h"
#include "experiments/commands/commands.h"
#include "experiments/commands/speedup_show.h"
#include "experiments/commands/speedup_table.h"
#include "experiments/commands/thesis/citation.h"
#include "experiments/common/arguments.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "experiments/report/claims/method_paragraph.h"
#include "experiments/report/page/first_figure.h"
#include "harness/base/text/decimal_point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/screen.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct thesis {
    const char *results, *folder, *size, *code, *definitions;
    double font_pt;
    char own_folder[PATH_MAX]; /* of the folder unless the user names one */
    char settings[300];        /* first line of thesis.tex: what it was made with */
    struct drawing drawing;
    struct plot_path picture;
    struct report_data data;
    struct first_figure first;
    struct speedup_figure figure;
};

static const char about[] =
    "Writes a folder for a thesis in LaTeX, from what was measured: the speedup figure as PDF, "
    "the\n"
    "table of times, speedups and efficiencies with caption and label, a paragraph on the method\n"
    "(machine, compiler, samples, intervals), a paragraph on the findings, and a BibTeX entry.\n"
    "thesis.tex has all of it:\n"
    "\n"
    "  \\input{FOLDER/thesis}\n"
    "\n"
    "example.tex is a document that does so, with the packages that it needs. Without NAME the\n"
    "figure is that of the report. Measure first: `study speedup`.\n"
    "\n"
    "Examples\n"
    "  study thesis                          results/local/thesis/thesis.tex\n"
    "  study thesis --lang es -o figuras     in Spanish, with decimal commas\n"
    "  study thesis speedup_maxpool_4096 --results results/speedup --size 10x8cm --font 10";

/* ---- parts of thesis.tex --------------------------------------------------------------------- */

/* Names the folders in which LaTeX looks for the picture: that of thesis.tex, which LaTeX of 2020
 * and later knows; and for older ones the folder as it was given, for a document beside which the
 * command ran; its own name, for one that lies beside it; and the current one. A path that LaTeX
 * cannot read is left out. */
static void write_places(const struct thesis *t, FILE *to)
{
    fputs("\\providecommand{\\CurrentFilePath}{.}\n{\\graphicspath{{\\CurrentFilePath/}{./}", to);
    if (!strpbrk(t->folder, "%#{}\\^~$& "))
        fprintf(to, "{%s/}{%s/}", t->folder, file_name(t->folder));
    fputs("}", to);
}

static void write_figure(const struct thesis *t, const struct document *d,
                         const struct claim *claim)
{
    char caption[CHART_CAPTION];
    chart_caption(t->first.experiment, t->first.chart, claim, d->language, caption);
    if (access(t->picture.text, R_OK) != 0) {
        fprintf(d->stream, "%% %s\n\n",
                message(d->language, "There is no figure: gnuplot is not installed, or nothing was "
                                     "to be drawn."));
        return;
    }
    fputs("\\begin{figure}[htbp]\\centering\n", d->stream);
    write_places(t, d->stream);
    fputs("\\includegraphics{speedup.pdf}}\n\\caption{", d->stream);
    report_latex.text(d, caption);
    fprintf(d->stream, "}\\label{fig:%s}\n\\end{figure}\n\n", d->place);
}

/* A paragraph with its title. */
static void write_paragraph(const struct document *d, const char *title, const char *text)
{
    fputs("\\paragraph{", d->stream);
    report_latex.text(d, title);
    fputs("} ", d->stream);
    report_latex.paragraph(d, text);
}

static void write_method(const struct thesis *t, const struct document *d)
{
    const struct experiment *e = t->first.experiment;
    char text[METHOD_PARAGRAPH];
    method_paragraph(&e->analysis, &e->request, d->language, text);
    write_paragraph(d, message(d->language, "Method."), text);
    report_latex.text(d, message(d->language, "Measured with maxpool"));
    fprintf(d->stream, "~\\cite{%s}.\n\n", citation_key);
}

/* The finding, and how far it can be trusted. */
static void write_findings(const struct thesis *t, const struct document *d,
                           const struct claim *claim)
{
    char trust[2000];
    write_paragraph(d, message(d->language, "Findings."),
                    claim->has_answer ? claim->answer : claim->why);
    if (claim->plain[0])
        report_latex.paragraph(d, claim->plain);
    speedup_table_trust(&t->figure, d->language, trust, sizeof trust);
    report_latex.paragraph(d, trust);
}

/* ---- files ----------------------------------------------------------------------------------- */

static enum status write_thesis(const struct thesis *t, struct failure *f)
{
    struct output o;
    struct claim claim;
    char place[200], caption[SPEEDUP_CAPTION];
    const struct experiment *e = t->first.experiment;
    const struct language *l = t->drawing.language;
    if (output_open(&o, results_file(t->folder, "thesis.tex").text, f) != STATUS_OK)
        return f->status;
    text_fit_format(place, sizeof place, "%s-speedup", e->name);
    const struct document d = {.stream = o.stream, .folder = ".", .place = place, .language = l};
    claim_make(e, t->first.chart, l, &claim);
    report_latex.begin(&d, t->settings);
    fprintf(o.stream, "%% %s\n%% %s\n\n",
            message(l, "The figure is found beside this file; a LaTeX older than 2020 needs its "
                       "folder in \\graphicspath."),
            message(l, "The same command replaces this file: write your own words elsewhere."));
    write_figure(t, &d, &claim);
    speedup_caption(e, &t->figure, false, l, caption, sizeof caption);
    speedup_table_put(&t->figure, &d, caption);
    write_method(t, &d);
    write_findings(t, &d, &claim);
    return output_close(&o, f);
}

static enum status write_citation(const struct thesis *t, struct failure *f)
{
    struct output o;
    if (output_open(&o, results_file(t->folder, "maxpool.bib").text, f) != STATUS_OK)
        return f->status;
    citation_bibtex(o.stream);
    return output_close(&o, f);
}

/* A document that includes the folder; one that is there may have been changed, and stays. */
static enum status write_example(const struct thesis *t, struct failure *f)
{
    static const char example[] =
        "%% pdflatex example, bibtex example, pdflatex example, pdflatex example\n"
        "\\documentclass{article}\n"
        "\\usepackage[utf8]{inputenc}\n"
        "\\usepackage[T1]{fontenc}\n"
        "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{} %% outlines instead of bitmaps\n"
        "\\usepackage[%s]{babel}\n"
        "\\usepackage{graphicx,booktabs,longtable,array,xcolor}\n"
        "\\begin{document}\n"
        "\\input{thesis}\n"
        "\\bibliographystyle{plain}\n"
        "\\bibliography{maxpool}\n"
        "\\end{document}\n";
    struct output o;
    const struct results_path path = results_file(t->folder, "example.tex");
    const char *babel = strcmp(t->code, "es") == 0 ? "spanish,es-tabla,es-noshorthands" : "english";
    if (access(path.text, F_OK) == 0)
        return STATUS_OK;
    if (output_open(&o, path.text, f) != STATUS_OK)
        return f->status;
    fprintf(o.stream, example, babel);
    return output_close(&o, f);
}

/* ---- the folder ------------------------------------------------------------------------------ */

static void choose_folder(struct thesis *t)
{
    char name[40];
    const bool english = strcmp(t->code, "en") == 0;
    text_fit_format(name, sizeof name, "thesis%s%s", english ? "" : "-", english ? "" : t->code);
    snprintf(t->own_folder, sizeof t->own_folder, "%s", results_file(t->results, name).text);
    if (!t->folder)
        t->folder = t->own_folder;
    t->picture = (struct plot_path){""};
    snprintf(t->picture.text, sizeof t->picture.text, "%s",
             results_file(t->folder, "speedup.pdf").text);
}

/* A folder that was made with other settings, or by somebody else, is not replaced. */
static enum status check_folder(const struct thesis *t, struct failure *f)
{
    char line[2 * sizeof t->settings] = "";
    const struct results_path path = results_file(t->folder, "thesis.tex");
    FILE *there = fopen(path.text, "r");
    if (!there)
        return STATUS_OK;
    if (!fgets(line, sizeof line, there))
        line[0] = '\0';
    fclose(there);
    line[strcspn(line, "\n")] = '\0';
    char wanted[2 * sizeof t->settings];
    snprintf(wanted, sizeof wanted, "%% %s", t->settings);
    for (char *at = line, *to = line; (*to = *at) != '\0'; at++)
        to += *at != '\\'; /* names are escaped in it */
    return strcmp(line, wanted) == 0
               ? STATUS_OK
               : fail(f, STATUS_USAGE,
                      "%s was made with other settings (%s): choose another folder with -o, or "
                      "remove it",
                      path.text, text_brief(line + strspn(line, "% "), 200).text);
}

static enum status find_figure(struct thesis *t, const char *name, struct failure *f)
{
    t->first = first_figure_find(&t->data);
    if (!t->first.experiment)
        return fail(f, STATUS_USAGE,
                    name ? "%s has no speedup figure: study speedup measures one"
                         : "%s: no speedup figure was measured: study speedup measures one",
                    name ? name : t->results);
    text_fit_format(t->settings, sizeof t->settings,
                    "study thesis %s --lang %s --size %s --font %g", t->first.experiment->name,
                    t->code, t->size, t->font_pt);
    return check_folder(t, f);
}

static void draw(struct thesis *t)
{
    const struct experiment *e = t->first.experiment;
    t->drawing.formats = "pdf";
    t->drawing.look.file = t->picture.text;
    t->drawing.look.variant = "";
    if (plots_derive(&t->drawing, e, &t->data.inventory))
        plots_chart(&t->drawing, e, &t->data.inventory, t->first.chart);
}

static enum status write_all(struct thesis *t, struct failure *f)
{
    const struct experiment *e = t->first.experiment;
    enum status status =
        speedup_figure_make(&t->figure, &e->analysis, &e->forecasts, e->request.machine, false, f);
    if (status == STATUS_OK)
        status = speedup_figure_own_laws(&t->figure, &e->analysis, f);
    if (status != STATUS_OK)
        return status;
    draw(t);
    status = write_thesis(t, f);
    if (status == STATUS_OK)
        status = write_citation(t, f);
    if (status == STATUS_OK)
        status = write_example(t, f);
    speedup_figure_release(&t->figure);
    if (status != STATUS_OK)
        return status;
    static const char *const files[] = {"speedup.pdf", "maxpool.bib", "example.tex", "thesis.tex"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (access(results_file(t->folder, files[i]).text, R_OK) == 0)
            puts(results_file(t->folder, files[i]).text);
    printf("\\input{%s}\n", results_file(t->folder, "thesis").text);
    return gaps_end(&t->data.inventory.gaps, f);
}

static enum status make(struct thesis *t, char **names, size_t count, struct failure *f)
{
    if (report_data_open(&t->data, t->results, t->definitions, "", names, count, f) != STATUS_OK)
        return f->status;
    enum status status = find_figure(t, count > 0 ? names[0] : NULL, f);
    if (status == STATUS_OK)
        status = results_make(results_file(t->results, "analysis").text, f);
    if (status == STATUS_OK)
        status = results_make(t->folder, f);
    if (status == STATUS_OK)
        status = write_all(t, f);
    report_data_close(&t->data);
    return status;
}

static enum status check(struct thesis *t, struct failure *f)
{
    static const double least_pt = 4.0, most_pt = 72.0;
    struct chart_look *look = &t->drawing.look;
    look->font_pt = t->font_pt;
    if (!chart_size_parse(t->size, &look->width_cm, &look->height_cm))
        return fail(f, STATUS_USAGE,
                    "--size must be WIDTHxHEIGHT of 2 to 100 cm, such as 11x8cm, not '%s'%s",
                    t->size, point_hint_of(t->size).text);
    if (!(t->font_pt >= least_pt && t->font_pt <= most_pt))
        return fail(f, STATUS_USAGE, "--font must be 4 to 72 points, not %g", t->font_pt);
    return language_find(&t->drawing.language, t->code, f);
}

enum status command_thesis(int argc, char **argv, struct failure *f)
{
    static struct thesis t; /* large */
    t = (struct thesis){.results = results_default,
                        .code = screen_language()->code,
                        .size = "10.9x8.5cm",
                        .definitions = definitions_folder(),
                        .font_pt = 9.0};
    const struct option_row options[] = {
        {"output", VALUE_TEXT, "FOLDER",
         "folder that is written (default: thesis in the results folder, thesis-es in Spanish)",
         .target = &t.folder, .letter = 'o'},
        {"lang", VALUE_TEXT, "en|es",
         "language of all texts, and decimal commas (default: the environment's)",
         .target = &t.code},
        {"size", VALUE_TEXT, "WxHcm",
         "size of the figure (default 10.9x8.5cm; from 11 cm on it has a title of its own)",
         .target = &t.size},
        {"font", VALUE_REAL, "PT", "size of its numbers, in points (default 9)",
         .target = &t.font_pt},
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &t.results},
    };
    const struct usage usage = {"[NAME]", about, options, sizeof options / sizeof *options, 0, 1};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (check(&t, f) != STATUS_OK)
        return f->status;
    choose_folder(&t);
    return make(&t, argv + 1, (size_t)operands, f);
}
