#include "experiments/report/charts/plots.h"
#include "experiments/report/report.h"

#include <string.h>

/* Writes a text with backslashes before Markdown's special characters. */
static void put(const struct document *d, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|#", *text))
            putc('\\', d->stream);
        putc(*text, d->stream);
    }
}

static void element(const struct document *d, const char *open, const char *text, const char *close)
{
    fputs(open, d->stream);
    put(d, text);
    fputs(close, d->stream);
}

static void begin(const struct document *d, const char *title)
{
    element(d, "# ", title, "\n\n");
}

static void section_begin(const struct document *d, const char *title)
{
    element(d, "\n## ", title, "\n\n");
}

static void heading(const struct document *d, const char *text)
{
    element(d, "\n### ", text, "\n\n");
}

static void paragraph(const struct document *d, const char *text)
{
    element(d, "", text, "\n\n");
}

/* Links a file in the same folder. */
static void link_beside(const struct document *d, const char *path, const char *text)
{
    element(d, "[", text, "]");
    fprintf(d->stream, "(%s)\n\n", path);
}

static void question(const struct document *d, const char *text)
{
    element(d, "*", text, "*\n\n");
}

static void answer(const struct document *d, const char *text)
{
    element(d, "**", text, "**\n\n");
}

static void list_begin(const struct document *d, const char *title)
{
    if (title[0])
        element(d, "**", title, "**\n\n");
}

static void item(const struct document *d, const char *text)
{
    element(d, "- ", text, "\n");
}

static void put_cell(const struct document *d, const struct cell *cell)
{
    put(d, cell->text);
    if (cell->soft && cell->soft[0])
        element(d, " ", cell->soft, "");
}

static void row(const struct document *d, const struct cell *cells, size_t count, bool best)
{
    fputs("|", d->stream);
    for (size_t i = 0; i < count; i++) {
        fputs(best ? " **" : " ", d->stream);
        put_cell(d, &cells[i]);
        fputs(best ? "** |" : " |", d->stream);
    }
    fputs("\n", d->stream);
}

static void table_begin(const struct document *d, const char *caption, const char *const *headers,
                        size_t count)
{
    if (caption[0])
        element(d, "", caption, "\n\n");
    fputs("|", d->stream);
    for (size_t i = 0; i < count; i++)
        element(d, " ", headers[i], " |");
    fputs("\n|", d->stream);
    for (size_t i = 0; i < count; i++)
        fputs("---|", d->stream);
    fputs("\n", d->stream);
}

static void table_end(const struct document *d, size_t count)
{
    (void)count;
    fputs("\n", d->stream);
}

static void cards(const struct document *d, const struct card *cards, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        element(d, "- **", cards[i].value, "** ");
        element(d, "", cards[i].name, ": ");
        element(d, "", cards[i].note, "\n");
    }
    fputs("\n", d->stream);
}

static void trust(const struct document *d, const size_t trusted[TRUSTS])
{
    fprintf(d->stream, "%s\n\n", report_trust_words(trusted, d->language).text);
}

static void chart(const struct document *d, const char *name, const char *caption)
{
    struct plot_path path = plot_path(".", d->place, name, "svg");
    element(d, "![", caption, "");
    fprintf(d->stream, "](%s)\n\n", path.text + 2);
}

/* A forge makes the table of contents; pictures are not in this folder, and a summary does without
 * them. */
const struct report_format report_markdown = {
    .name = "markdown",
    .file = "report.md",
    .drawing = "svg",
    .everything = false,
    .begin = begin,
    .section_begin = section_begin,
    .heading = heading,
    .paragraph = paragraph,
    .link = link_beside,
    .question = question,
    .answer = answer,
    .plain = paragraph,
    .fold_begin = heading,
    .list_begin = list_begin,
    .item = item,
    .list_end = "\n",
    .cards = cards,
    .trust = trust,
    .chart = chart,
    .table_begin = table_begin,
    .row = row,
    .table_end = table_end,
};
