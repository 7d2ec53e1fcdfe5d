#include "experiments/report/plots.h"
#include "experiments/report/report.h"

#include <string.h>

/* Backslashes before what Markdown would read as its own. */
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
    element(d, "# ", title, "\n");
}

static void end(const struct document *d)
{
    (void)d;
}

static void heading(const struct document *d, const char *text)
{
    element(d, "\n## ", text, "\n\n");
}

static void paragraph(const struct document *d, const char *text)
{
    element(d, "", text, "\n\n");
}

static void question(const struct document *d, const char *text)
{
    element(d, "*", text, "*\n\n");
}

static void list_begin(const struct document *d, const char *title, bool warning)
{
    element(d, warning ? "> **" : "**", title, warning ? "**\n>\n" : "**\n\n");
}

static void item(const struct document *d, const char *text)
{
    element(d, "- ", text, "\n");
}

static void list_end(const struct document *d, bool warning)
{
    (void)warning;
    fputs("\n", d->stream);
}

static void chart(const struct document *d, const char *name, const char *caption)
{
    struct plot_path path = plot_path(".", d->experiment, name, "svg");
    element(d, "![", caption, "");
    fprintf(d->stream, "](%s)\n\n", path.text + 2);
}

static void row(const struct document *d, const char *const *cells, size_t count)
{
    fputs("|", d->stream);
    for (size_t i = 0; i < count; i++)
        element(d, " ", cells[i], " |");
    fputs("\n", d->stream);
}

static void table_begin(const struct document *d, const char *caption, const char *const *headers,
                        size_t count)
{
    element(d, "", caption, "\n\n");
    row(d, headers, count);
    fputs("|", d->stream);
    for (size_t i = 0; i < count; i++)
        fputs("---|", d->stream);
    fputs("\n", d->stream);
}

static void table_end(const struct document *d)
{
    fputs("\n", d->stream);
}

const struct report_format report_markdown = {
    "markdown", "report.md", begin, end,         heading, paragraph, question, list_begin,
    item,       list_end,    chart, table_begin, row,     table_end, "svg"};
