#include "experiments/analysis/numbers.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "experiments/report/charts/plots.h"
#include "experiments/report/claims/selected_charts.h"
#include "experiments/report/page/ladder.h"
#include "experiments/report/page/machines.h"
#include "experiments/report/page/page_charts.h"
#include "experiments/report/page/portability.h"
#include "experiments/report/report.h"
#include "experiments/report/reproduction/reproduction_page.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/screen.h"
#include "theses/published/suite.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const struct report_format *const formats[] = {&report_html, &report_markdown,
                                                      &report_latex};
enum { FORMATS = sizeof formats / sizeof *formats };

struct reporting {
    const char *definitions; /* folder of the definitions */
    struct report_data data;
    struct drawing drawing;
    struct reproduction reproduction; /* no rows: the published numbers could not be read */
    bool page;                        /* report.html was written */
};

static const struct reproduction *reproduction_of(const struct reporting *r)
{
    return r->reproduction.rows ? &r->reproduction : NULL;
}

/* Compares the published numbers with those of this folder. If they cannot be read, the page omits
 * them. */
static void make_reproduction(struct reporting *r)
{
    struct failure why = {0};
    const struct report_data *source = &r->data;
    const struct published_suite *suite = published_suite(&why);
    if (!suite ||
        reproduction_make(&r->reproduction, &suite->published, &suite->counterparts,
                          published_folder(), &source, 1, r->drawing.language, &why) != STATUS_OK)
        gaps_note(&r->data.inventory.gaps, "", GAP_NOT_READ, why.status, "%s", why.message);
}

/* Writes the page of the published numbers, with links to `pages`, or their table for LaTeX. */
static void write_reproduction(struct reporting *r, const struct report_format *format,
                               const bool *pages, const char *file)
{
    struct output o;
    struct failure why = {0};
    struct inventory *in = &r->data.inventory;
    if (!reproduction_of(r))
        return;
    enum status status = output_open(&o, results_file(in->folder, file).text, &why);
    if (status == STATUS_OK) {
        const struct document d = {.stream = o.stream,
                                   .folder = in->folder,
                                   .place = "",
                                   .language = r->drawing.language,
                                   .pages = pages};
        reproduction_page(format, &d, &r->reproduction);
        status = output_close(&o, &why);
    }
    if (status != STATUS_OK)
        gaps_note(&in->gaps, "", GAP_NOT_WRITTEN, why.status, "%s", why.message);
}

/* Writes the whole report into one file or, unless `pages` is NULL, one page of it. */
static void write_file(struct reporting *r, const struct report_format *format, const bool *pages,
                       enum report_page page)
{
    struct output o;
    struct failure why = {0};
    struct inventory *in = &r->data.inventory;
    const char *file = pages ? report_page_file(page) : format->file;
    enum status status = output_open(&o, results_file(in->folder, file).text, &why);
    if (status == STATUS_OK) {
        bool marks_defined = false;
        const struct document d = {.stream = o.stream,
                                   .folder = in->folder,
                                   .place = "",
                                   .language = r->drawing.language,
                                   .marks_defined = &marks_defined,
                                   .pages = pages};
        if (pages)
            report_write_page(format, &d, &r->data, page);
        else
            report_write(format, &d, &r->data, reproduction_of(r));
        status = output_close(&o, &why);
    }
    if (status != STATUS_OK)
        gaps_note(&in->gaps, "", GAP_NOT_WRITTEN, why.status, "%s", why.message);
    r->page = r->page || (status == STATUS_OK && pages && page == PAGE_FIRST);
}

/* Writes the pages that have content, and removes those that an earlier report had. */
static void write_pages(struct reporting *r)
{
    bool found[PAGES];
    report_pages_find(&r->data, reproduction_of(r), r->drawing.language, found);
    write_reproduction(r, &report_html, found, report_page_file(PAGE_REPRODUCTION));
    for (enum report_page page = 0; page < PAGES; page++)
        if (found[page] && page != PAGE_REPRODUCTION)
            write_file(r, &report_html, found, page);
        else if (!found[page])
            remove(results_file(r->data.folder, report_page_file(page)).text);
}

/* Writes everything that can be written; the gaps name the rest. */
static enum status write_report(struct reporting *r, struct failure *f)
{
    struct inventory *in = &r->data.inventory;
    if (results_make(results_file(in->folder, "analysis").text, f) != STATUS_OK ||
        results_make(results_charts(in->folder).text, f) != STATUS_OK)
        return f->status;
    r->data.drawing = &r->drawing;
    page_charts_draw(&r->drawing, &r->data);
    make_reproduction(r);
    write_reproduction(r, &report_latex, NULL, "reproduction.tex");
    write_pages(r);
    write_file(r, &report_markdown, NULL, PAGES);
    write_file(r, &report_latex, NULL, PAGES);
    reproduction_release(&r->reproduction);
    return gaps_end(&in->gaps, f);
}

static size_t count_undrawn(const struct gaps *gaps)
{
    size_t count = 0;
    for (size_t i = 0; i < gaps->count; i++)
        count += gaps->items[i].kind == GAP_NOT_DRAWN;
    return count;
}

/* Prints how many charts are missing; the page gives the reason for each. */
static void print_undrawn(const struct gaps *gaps, const struct language *l)
{
    const size_t count = count_undrawn(gaps);
    char text[200];
    message_fill(text, sizeof text,
                 message_plural(l, "Not drawn: one chart; the page gives the reason",
                                "Not drawn: %{charts} charts; the page gives each reason", count),
                 WITH({"charts", number_of(count).text}));
    if (count > 0)
        puts(text);
}

/* Prints the end of a run: findings in words, how far they can be trusted, and the page to read. */
static void print_end(const struct reporting *r)
{
    enum { FINDINGS = 5 };
    const struct language *l = r->drawing.language;
    size_t trusted[TRUSTS];
    char common[900];
    report_data_trust(&r->data, trusted);
    report_findings(&r->data, l, FINDINGS, stdout);
    printf("%s: %s\n", message(l, "Points"), report_trust_words(trusted, l).text);
    if (report_common_cause(&r->data, l, common, sizeof common))
        puts(common);
    print_undrawn(&r->data.inventory.gaps, l);
    puts(results_file(r->data.folder, report_html.file).text);
}

/* ---- several machines ----------------------------------------------------------------------- */

/* Folders of results with their labels ("": the name of the processor), and the folder of the
 * definitions. */
struct places {
    const char *definitions;
    struct texts folders, labels;
};

static void places_release(struct places *p)
{
    texts_release(&p->folders);
    texts_release(&p->labels);
}

static enum status places_add(struct places *p, const char *folder, const char *label,
                              struct failure *f)
{
    return texts_add(&p->folders, folder) && texts_add(&p->labels, label)
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "not enough memory");
}

static enum status take_folders(struct places *p, const struct text_list *folders,
                                const struct text_list *labels, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < folders->count && status == STATUS_OK; i++)
        status = places_add(p, folders->items[i], i < labels->count ? labels->items[i] : "", f);
    return status;
}

/* Adds the folders of results within a folder that holds no samples itself; each gets its label or
 * else its own name. */
static enum status take_subfolders(struct places *p, const char *folder,
                                   const struct text_list *labels, struct failure *f)
{
    struct dirent **items = NULL;
    enum status status = STATUS_OK;
    const int count = scandir(folder, &items, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = items[i]->d_name;
        const struct results_path path = results_file(folder, name);
        const size_t known = p->folders.count;
        if (status == STATUS_OK && name[0] != '.' && inventory_is_results(path.text))
            status =
                places_add(p, path.text, known < labels->count ? labels->items[known] : name, f);
        free(items[i]);
    }
    free(items);
    return status;
}

static enum status open_machines(struct machines *m, const struct places *p, char **names,
                                 size_t count, struct failure *f)
{
    if (p->folders.count > MACHINES_MAX)
        return fail(f, STATUS_USAGE, "report: %zu folders, more than the %d of one page",
                    p->folders.count, MACHINES_MAX);
    for (size_t i = 0; i < p->folders.count; i++) {
        const enum status status = report_data_open(&m->all[i], p->folders.items[i], p->definitions,
                                                    p->labels.items[i], names, count, f);
        if (status != STATUS_OK)
            return status;
        m->count++;
    }
    machines_distinguish(m);
    return STATUS_OK;
}

/* Size of a chart of machines: a panel has a line per machine, and two panels are side by side. */
static struct chart_look look_of_machines(const struct machines *m, size_t panels)
{
    static const double pixel_cm = 2.54 / 96.0, width = 720.0, line = 17.0, frame = 84.0,
                        head = 70.0;
    const double rows = panels > 2 ? 2.0 : 1.0;
    return (struct chart_look){.width_cm = width * pixel_cm,
                               .height_cm =
                                   pixel_cm * (head + rows * (frame + line * (double)m->count))};
}

/* Writes the rows of a chart of the page of machines and draws it; that it cannot be drawn is a
 * gap. */
static enum status draw_rows(struct drawing *d, struct machines *m, const char *name,
                             const char *chart, struct chart_words *words, struct failure *f)
{
    const struct results_path rows = selected_chart_file(m->folder, name, chart);
    struct failure why = {0};
    words->rows = rows.text;
    if (words->selection->lacks_memory)
        return fail(f, STATUS_RESOURCE, "not enough memory to draw %s", name);
    if (selection_write(words->selection, rows.text, f) != STATUS_OK)
        return f->status;
    const enum plot_end end = plot_draw(m->folder, name, chart, words, "svg", d->language, &why);
    if (end != PLOT_DRAWN)
        gaps_note(&m->all[0].inventory.gaps, "", GAP_NOT_DRAWN,
                  end == PLOT_FAILED ? why.status : STATUS_OK, "%s", why.message);
    return STATUS_OK;
}

static enum status draw_machines(struct drawing *d, struct machines *m, struct failure *f)
{
    struct compared compared[COMPARED_MAX];
    const size_t count = machines_compare(m, d->language, compared);
    for (size_t i = 0; i < count; i++) {
        char name[80];
        const struct chart_look look = look_of_machines(m, compared[i].panels);
        struct chart_words words = {
            .look = &look, .form = &machines_form, .selection = &compared[i].rows};
        snprintf(name, sizeof name, "machines-%s", compared[i].section);
        snprintf(words.finding, sizeof words.finding, "%s", compared[i].title);
        snprintf(words.quantity, sizeof words.quantity, "%s",
                 message(d->language, "total time by machine"));
        if (f->status == STATUS_OK)
            draw_rows(d, m, name, "machines", &words, f);
        selection_release(&compared[i].rows);
    }
    return f->status;
}

/* Draws the cascade of efficiencies if the machines have methods in common. */
static enum status draw_portability(struct drawing *d, struct machines *m, struct failure *f)
{
    struct selection s = {.count = 0};
    struct chart_words words = {.form = &portability_form, .selection = &s};
    snprintf(words.quantity, sizeof words.quantity, "%s",
             message(d->language, "efficiency against the fastest method, by number of machines"));
    if (!portability_finding(m, d->language, words.finding, sizeof words.finding))
        return STATUS_OK;
    portability_select(m, &s);
    const enum status status = draw_rows(d, m, portability_place, "cascade", &words, f);
    selection_release(&s);
    return status;
}

static enum status write_machines(struct machines *m, struct drawing *drawing, struct failure *f)
{
    struct output o;
    bool marks_defined = false;
    if (results_make(results_file(m->folder, "analysis").text, f) != STATUS_OK ||
        results_make(results_charts(m->folder).text, f) != STATUS_OK ||
        draw_machines(drawing, m, f) != STATUS_OK || draw_portability(drawing, m, f) != STATUS_OK)
        return f->status;
    const struct results_path path = results_file(m->folder, "machines.html");
    if (output_open(&o, path.text, f) != STATUS_OK)
        return f->status;
    const struct document d = {.stream = o.stream,
                               .folder = m->folder,
                               .place = "top",
                               .language = drawing->language,
                               .marks_defined = &marks_defined};
    machines_write(&report_html, &d, m);
    enum status status = output_close(&o, f);
    if (status == STATUS_OK)
        puts(path.text);
    return status == STATUS_OK ? gaps_end(&m->all[0].inventory.gaps, f) : status;
}

/* Writes a page of the machines in `places` into `folder`. */
static enum status report_machines(const char *folder, const struct places *places, char **names,
                                   size_t count, struct drawing *drawing, struct failure *f)
{
    struct machines *m = calloc(1, sizeof *m);
    if (!m)
        return fail(f, STATUS_RESOURCE, "not enough memory");
    m->folder = folder;
    enum status status = open_machines(m, places, names, count, f);
    if (status == STATUS_OK)
        machines_find_copies(m, drawing->language);
    for (size_t i = 0; i < m->copies.count; i++)
        fprintf(stderr, "study: %s\n", m->copies.items[i]);
    if (status == STATUS_OK)
        status = write_machines(m, drawing, f);
    for (size_t i = 0; i < m->count; i++)
        report_data_close(&m->all[i]);
    texts_release(&m->copies);
    free(m);
    return status;
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

/* Prints the tables of the experiment `ladder` for a document outside the suite: a README, a
 * thesis. */
static enum status print_part(const struct reporting *r, const char *folder, const char *part,
                              const char *format_name, struct failure *f)
{
    static char ladder[] = "ladder";
    char *names[] = {ladder};
    const struct report_format *format = NULL;
    struct inventory in;
    struct experiment e;
    if (strcmp(part, ladder) != 0)
        return fail(f, STATUS_USAGE, "report: --part must be ladder, not '%s'", part);
    if (find_format(&format, format_name, f) != STATUS_OK ||
        inventory_open(&in, folder, names, 1, f) != STATUS_OK)
        return f->status;
    in.definitions = r->definitions;
    enum status status = experiment_open(&e, &in, 0, f);
    if (status == STATUS_OK) {
        const struct document d = {
            .stream = stdout, .folder = folder, .place = e.name, .language = r->drawing.language};
        ladder_write(format, &d, &e.analysis);
        experiment_close(&e);
        status = gaps_end(&in.gaps, f);
    }
    inventory_close(&in);
    return status;
}

/* ---- one machine ----------------------------------------------------------------------------- */

static enum status report_one(struct reporting *r, const char *folder, const char *label,
                              char **names, size_t count, struct failure *f)
{
    if (report_data_open(&r->data, folder, r->definitions, label, names, count, f) != STATUS_OK)
        return f->status;
    enum status status = write_report(r, f);
    if (r->page)
        print_end(r);
    report_data_close(&r->data);
    return status;
}

/* Reports one folder of samples, several folders, or a folder whose subfolders hold samples. */
static enum status report_folders(struct reporting *r, const struct text_list *folders,
                                  const struct text_list *labels, char **names, size_t count,
                                  struct failure *f)
{
    const char *folder = folders->count ? folders->items[0] : results_default;
    struct places places = {r->definitions, {NULL, 0}, {NULL, 0}};
    enum status status = STATUS_OK;
    if (folders->count > 1)
        status = take_folders(&places, folders, labels, f);
    else if (!inventory_is_results(folder))
        status = take_subfolders(&places, folder, labels, f);
    if (status == STATUS_OK && places.folders.count > 0)
        status = report_machines(folder, &places, names, count, &r->drawing, f);
    else if (status == STATUS_OK)
        status = report_one(r, folder, labels->count ? labels->items[0] : "", names, count, f);
    places_release(&places);
    return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

enum status command_report(int argc, char **argv, struct failure *f)
{
    const char *code = screen_language()->code, *part = "", *format = NULL;
    struct text_list folders = {{NULL}, 0}, labels = {{NULL}, 0};
    struct reporting r = {.definitions = definitions_folder(), .drawing.formats = "all"};
    const struct option_row options[] = {
        {"results", VALUE_TEXTS, "DIR",
         "folder of the results (default results/local); several folders, or one that contains "
         "several: one page that compares the machines",
         .target = &folders},
        {"definitions", VALUE_TEXT, "DIR", "folder of the definitions (default: the suite's own)",
         .target = &r.definitions},
        {"label", VALUE_TEXTS, "TEXT", "name of the machine of that folder, for the page",
         .target = &labels},
        {"lang", VALUE_TEXT, "en|es", "language of the report (default: the environment's)",
         .target = &code},
        {"part", VALUE_TEXT, "ladder", "print only the tables of the ladder, and write no file",
         .target = &part},
        {"format", VALUE_TEXT, "html|markdown|latex", "format of --part (default markdown)",
         .target = &format},
        {"charts", VALUE_TEXT, "FORMAT", "svg, png, pdf, none or all (default all)",
         .target = &r.drawing.formats},
    };
    const struct usage usage = {
        "[NAME]...",
        "Writes DIR/report.html, the first of the pages, and report.md and report.tex, each with "
        "the\n"
        "text of all pages. Each section has a question, its answer, a chart and a few points;\n"
        "everything else is folded away. What cannot be read or drawn gets a line on the page, "
        "and\n"
        "the rest is still written.\n"
        "For several folders it writes machines.html into the first: the same points on every\n"
        "machine.",
        options,
        sizeof options / sizeof *options,
        0,
        -1};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    const char *folder = folders.count ? folders.items[0] : results_default;
    enum status status = language_find(&r.drawing.language, code, f);
    if (status == STATUS_OK)
        status = definitions_check(r.definitions, f);
    if (status == STATUS_OK && *part)
        return print_part(&r, folder, part, format ? format : report_markdown.name, f);
    if (status == STATUS_OK && format)
        return fail(f, STATUS_USAGE,
                    "report: --format is that of --part; the report is written in html, markdown "
                    "and latex alike");
    if (status == STATUS_OK)
        status = drawing_check(&r.drawing, "charts", f);
    return status == STATUS_OK
               ? report_folders(&r, &folders, &labels, argv + 1, (size_t)operands, f)
               : status;
}
