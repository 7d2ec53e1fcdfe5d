#include "experiments/report/charts/chart_texts.h"

#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "harness/base/text/catalogue.h"
#include "harness/base/text/messages.h"

#include <stdio.h>

/* Writes a text within gnuplot's single quotes: a quote in it is doubled. */
static void put_quoted(FILE *stream, const char *text)
{
    putc('\'', stream);
    for (; *text; text++)
        fputs(*text == '\'' ? "''" : (const char[]){*text, '\0'}, stream);
    putc('\'', stream);
}

struct writing {
    FILE *stream;
    size_t count;
};

static void count_text(const char *id, const char *text, void *data)
{
    struct writing *w = data;
    (void)id;
    (void)text;
    w->count++;
}

static void write_text(const char *id, const char *text, void *data)
{
    struct writing *w = data;
    w->count++;
    fprintf(w->stream, "text_ids[%zu] = ", w->count);
    put_quoted(w->stream, id);
    fprintf(w->stream, "\ntranslations[%zu] = ", w->count);
    put_quoted(w->stream, text);
    putc('\n', w->stream);
}

static void write_texts(FILE *stream, const struct language *l)
{
    struct writing w = {stream, 0};
    catalogue_walk(l->catalogue, "chart", count_text, &w);
    fprintf(stream, "# Texts of charts, written by study from its catalogue.\ndecimal_mark = ");
    put_quoted(stream, message_in(l, "number", "."));
    fprintf(stream, "\narray text_ids[%zu]\narray translations[%zu]\n", w.count + 1, w.count + 1);
    w.count = 0;
    catalogue_walk(l->catalogue, "chart", write_text, &w);
    fprintf(stream, "text_ids[%zu] = ''\n", w.count + 1); /* gnuplot has no empty array */
}

enum status chart_texts_write(const char *folder, const struct language *l, char path[PATH_MAX],
                              struct failure *f)
{
    struct output o;
    char name[64];
    path[0] = '\0';
    if (!l->catalogue)
        return STATUS_OK;
    snprintf(name, sizeof name, "analysis/texts.%s.gp", l->code);
    snprintf(path, PATH_MAX, "%s", results_file(folder, name).text);
    if (output_open_derived(&o, path, f) != STATUS_OK)
        return f->status;
    write_texts(o.stream, l);
    return output_close(&o, f);
}
