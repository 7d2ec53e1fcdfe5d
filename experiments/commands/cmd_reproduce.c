/* study reproduce: compares every published table and figure with ours. */
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "experiments/report/reproduction/reproduction_page.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/screen.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCES_MAX = 16 };

struct reproducing {
    struct text_list folders;
    const char *definitions, *published, *format, *file, *code, *document;
    const struct language *language;
    struct report_data data[SOURCES_MAX];
    size_t count;
};

static const char about[] =
    "Shows the claims of the four documents in data/published with a verdict each, then every\n"
    "figure and number beside what was measured here: the published value digit for digit and its\n"
    "machine, our value with its 95 % interval and trust word, their ratio where both are of the\n"
    "same kind and protocol, and a sentence. --document shows one document, figure by figure.\n"
    "Values that programs compute without a clock are shown as known answers. With several\n"
    "folders, each row comes from the first folder that has it. 'study run --thesis' measures the\n"
    "points.\n"
    "\n"
    "Examples\n"
    "  study reproduce                                    what results/local has\n"
    "  study reproduce --results thesis --results gpu --format html -o reproduction.html\n"
    "  study reproduce --document tesina --lang es --format html -o tesina.html\n"
    "  study reproduce --format csv --lang es";

/* ---- writing --------------------------------------------------------------------------------- */

typedef void writer(const struct report_format *format, const struct document *d,
                    const struct reproduction *r);

static void write_text(const struct report_format *format, const struct document *d,
                       const struct reproduction *r)
{
    (void)format;
    reproduction_text(d->stream, r, d->language);
}

static void write_csv(const struct report_format *format, const struct document *d,
                      const struct reproduction *r)
{
    (void)format;
    reproduction_csv(d->stream, r, d->language);
}

static const struct {
    const char *name;
    const struct report_format *format; /* NULL: the writer needs none */
    writer *write;
} formats[] = {{"text", NULL, write_text},
               {"csv", NULL, write_csv},
               {"html", &report_html, reproduction_page},
               {"markdown", &report_markdown, reproduction_page},
               {"latex", &report_latex, reproduction_page}};
enum { FORMATS = sizeof formats / sizeof *formats };

static enum status find_format(const char *name, size_t *format, struct failure *f)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0) {
            *format = i;
            return STATUS_OK;
        }
    return fail(f, STATUS_USAGE,
                "reproduce: --format must be text, csv, html, markdown or latex, not '%s'", name);
}

static enum status write_rows(const struct reproducing *r, size_t format,
                              const struct reproduction *rows, struct failure *f)
{
    struct output o;
    bool marks_defined = false;
    struct document d = {.stream = stdout,
                         .folder = "",
                         .place = "top",
                         .language = r->language,
                         .marks_defined = &marks_defined};
    if (!*r->file) {
        formats[format].write(formats[format].format, &d, rows);
        return STATUS_OK;
    }
    if (output_open(&o, r->file, f) != STATUS_OK)
        return f->status;
    d.stream = o.stream;
    formats[format].write(formats[format].format, &d, rows);
    return output_close(&o, f);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Opens the folders of results. Without --results they are optional: known answers and reasons are
 * written even without results. Folders that were named must exist. */
static enum status open_folders(struct reproducing *r, struct failure *f)
{
    enum status status = STATUS_OK;
    if (r->folders.count == 0 && !inventory_is_results(results_default))
        return STATUS_OK;
    if (r->folders.count == 0)
        r->folders.items[r->folders.count++] = results_default;
    if (r->folders.count > SOURCES_MAX)
        return fail(f, STATUS_USAGE, "reproduce: %zu folders, more than %d", r->folders.count,
                    (int)SOURCES_MAX);
    for (size_t i = 0; i < r->folders.count && status == STATUS_OK; i++) {
        status = report_data_open(&r->data[r->count], r->folders.items[i], r->definitions, "", NULL,
                                  0, f);
        r->count += status == STATUS_OK;
    }
    return status;
}

/* Status 2 if there is no such document; "" means all. */
static enum status check_document(const char *document, struct failure *f)
{
    for (int i = 0; i < SOURCES && *document; i++)
        if (strcmp(document, published_source_words[i]) == 0)
            return STATUS_OK;
    return *document ? fail(f, STATUS_USAGE,
                            "reproduce: --document must be tesina, solar, devices or faces, not "
                            "'%s'",
                            document)
                     : STATUS_OK;
}

static void show_documents(struct reproduction *rows, const char *document)
{
    for (int i = 0; i < SOURCES; i++)
        rows->shown[i] = !*document || strcmp(document, published_source_words[i]) == 0;
}

static enum status make_rows(const struct reproducing *r, const struct published *published,
                             size_t format, struct failure *f)
{
    const struct report_data *sources[SOURCES_MAX];
    struct counterparts counterparts;
    struct reproduction rows;
    for (size_t i = 0; i < r->count; i++)
        sources[i] = &r->data[i];
    if (counterparts_read(&counterparts, published, r->published, f) != STATUS_OK)
        return f->status;
    enum status status = reproduction_make(&rows, published, &counterparts, r->published, sources,
                                           r->count, r->language, f);
    if (status == STATUS_OK) {
        show_documents(&rows, r->document);
        status = write_rows(r, format, &rows, f);
        reproduction_release(&rows);
    }
    counterparts_release(&counterparts);
    return status;
}

static enum status reproduce(struct reproducing *r, size_t format, struct failure *f)
{
    struct published published;
    if (published_read(&published, r->published, f) != STATUS_OK)
        return f->status;
    enum status status = open_folders(r, f);
    if (status == STATUS_OK)
        status = make_rows(r, &published, format, f);
    for (size_t i = 0; i < r->count; i++) {
        if (status == STATUS_OK)
            status = gaps_end(&r->data[i].inventory.gaps, f);
        report_data_close(&r->data[i]);
    }
    published_release(&published);
    return status;
}

enum status command_reproduce(int argc, char **argv, struct failure *f)
{
    struct reproducing *r = calloc(1, sizeof *r);
    size_t format = 0;
    int operands;
    bool help = false;
    if (!r)
        return fail(f, STATUS_RESOURCE, "not enough memory");
    r->definitions = definitions_folder();
    r->published = published_folder();
    r->format = "text";
    r->file = r->document = "";
    r->code = screen_language()->code;
    const struct option_row options[] = {
        {"results", VALUE_TEXTS, "DIR",
         "folder of the results (default results/local); of several, each row comes from the first "
         "that has it",
         .target = &r->folders},
        {"document", VALUE_TEXT, "NAME",
         "one of the documents, figure by figure: tesina, solar, devices or faces (default all)",
         .target = &r->document},
        {"lang", VALUE_TEXT, "en|es", "language (default: the environment's)", .target = &r->code},
        {"format", VALUE_TEXT, "FORMAT", "text, csv, html, markdown or latex (default text)",
         .target = &r->format},
        {"output", VALUE_TEXT, "FILE", "write there (default: standard output)", .target = &r->file,
         .letter = 'o'},
        {"published", VALUE_TEXT, "DIR",
         "folder of the published numbers (default: the suite's own)", .target = &r->published},
        {"definitions", VALUE_TEXT, "DIR", "folder of the definitions (default: the suite's own)",
         .target = &r->definitions},
    };
    const struct usage usage = {"", about, options, sizeof options / sizeof *options, 0, 0};
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status == STATUS_OK && !help)
        status = language_find(&r->language, r->code, f);
    if (status == STATUS_OK && !help)
        status = find_format(r->format, &format, f);
    if (status == STATUS_OK && !help)
        status = check_document(r->document, f);
    if (status == STATUS_OK && !help)
        status = definitions_check(r->definitions, f);
    if (status == STATUS_OK && !help)
        status = reproduce(r, format, f);
    free(r);
    return status;
}
