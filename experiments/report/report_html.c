#include "experiments/report/plots.h"
#include "experiments/report/report.h"

#include <stdlib.h>
#include <string.h>

static void put(const struct document *d, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", d->stream);
            break;
        case '<':
            fputs("&lt;", d->stream);
            break;
        case '>':
            fputs("&gt;", d->stream);
            break;
        case '"':
            fputs("&quot;", d->stream);
            break;
        default:
            putc(*text, d->stream);
        }
}

static const char style[] =
    ":root{color-scheme:light;--line:#d5d9de;--ink:#1c2430;--soft:#5a6675}"
    "*{box-sizing:border-box}"
    "body{margin:0 auto;max-width:62rem;padding:1rem;font:16px/1.55 system-ui,sans-serif;"
    "color:var(--ink);background:#fff}"
    "h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.3rem;margin-top:2.6rem;"
    "border-top:1px solid var(--line);padding-top:1.2rem}"
    ".question{font-size:1.08rem;font-style:italic;color:var(--soft)}"
    "figure{margin:1.2rem 0}figure svg{width:100%;height:auto;display:block}"
    "figcaption,.caption{color:var(--soft);font-size:.9rem;text-align:left;padding-bottom:.4rem}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.84rem;width:100%}"
    "th,td{padding:.3rem .55rem;border-bottom:1px solid var(--line);text-align:left;"
    "font-variant-numeric:tabular-nums}th{white-space:nowrap}td:first-child{min-width:13rem}"
    ".box{border-left:4px solid #2b6cb0;background:#f3f7fb;padding:.6rem 1rem;margin:1rem 0}"
    ".warning{border-left-color:#c05621;background:#fdf4ec}"
    ".box ul{margin:.3rem 0;padding-left:1.1rem}.box p{margin:0;font-weight:600}"
    ".warning ul{max-height:18rem;overflow:auto}"
    "@media screen and (max-width:600px){figure{overflow-x:auto}figure svg{min-width:34rem}}"
    ".methods{font-size:.9rem;color:var(--soft)}"
    ".INVALID{color:#b00020;font-weight:600}.SUSPECT{color:#8a5a00;font-weight:600}"
    "@media print{body{max-width:none;font-size:10.5pt}h2{break-after:avoid}"
    "figure,.box,tr{break-inside:avoid}.scroll{overflow:visible}.warning ul{max-height:none}"
    "table{font-size:7.5pt}}";

static void begin(const struct document *d, const char *title)
{
    fprintf(d->stream,
            "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n<title>",
            language_codes[d->language]);
    put(d, title);
    fprintf(d->stream, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1>", style);
    put(d, title);
    fputs("</h1>\n", d->stream);
}

static void end(const struct document *d)
{
    fputs("</body>\n</html>\n", d->stream);
}

static void heading(const struct document *d, const char *text)
{
    fprintf(d->stream, "<h2 id=\"%s\">", d->experiment);
    put(d, text);
    fputs("</h2>\n", d->stream);
}

static void element(const struct document *d, const char *open, const char *text, const char *close)
{
    fputs(open, d->stream);
    put(d, text);
    fputs(close, d->stream);
}

static void paragraph(const struct document *d, const char *text)
{
    element(d, "<p class=\"methods\">", text, "</p>\n");
}

static void question(const struct document *d, const char *text)
{
    element(d, "<p class=\"question\">", text, "</p>\n");
}

static void list_begin(const struct document *d, const char *title, bool warning)
{
    fprintf(d->stream, "<div class=\"box%s\">", warning ? " warning" : "");
    element(d, "<p>", title, "</p>\n<ul>\n");
}

static void item(const struct document *d, const char *text)
{
    element(d, "<li>", text, "</li>\n");
}

static void list_end(const struct document *d, bool warning)
{
    (void)warning;
    fputs("</ul></div>\n", d->stream);
}

/* Copies a drawing into the page. Its names get the experiment's in front, so that two drawings on
 * one page do not share them. */
static void copy_svg(const struct document *d, const char *svg)
{
    static const char *const before_name[] = {"id=\"", "id='", "href='#", "href=\"#", "url(#"};
    for (const char *at = svg; *at;) {
        size_t length = 0;
        for (size_t i = 0; i < sizeof before_name / sizeof *before_name && !length; i++)
            if (strncmp(at, before_name[i], strlen(before_name[i])) == 0)
                length = strlen(before_name[i]);
        if (length)
            fprintf(d->stream, "%.*s%s-", (int)length, at, d->experiment);
        else
            putc(*at, d->stream);
        at += length ? length : 1;
    }
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static void chart(const struct document *d, const char *name, const char *caption)
{
    char *text = read_file(plot_path(d->folder, d->experiment, name, "svg").text);
    const char *svg = text ? strstr(text, "<svg") : NULL;
    if (svg) {
        fputs("<figure role=\"img\" aria-label=\"", d->stream);
        put(d, caption);
        fputs("\">\n", d->stream);
        copy_svg(d, svg);
        element(d, "<figcaption>", caption, "</figcaption></figure>\n");
    }
    free(text);
}

static void table_begin(const struct document *d, const char *caption, const char *const *headers,
                        size_t count)
{
    element(d, "<p class=\"caption\">", caption,
            "</p>\n<div class=\"scroll\"><table>\n<thead><tr>");
    for (size_t i = 0; i < count; i++)
        element(d, "<th>", headers[i], "</th>");
    fputs("</tr></thead>\n<tbody>\n", d->stream);
}

/* The status that a cell begins with, in either language, or NULL: a class of its own in the style
 * sheet. */
static const char *status_class(const char *cell)
{
    for (enum trust t = 0; t < TRUSTS; t++)
        for (enum language l = 0; l < LANGUAGES; l++) {
            const char *word = trust_word(t, l);
            const size_t length = strlen(word);
            if (strncmp(cell, word, length) == 0 && (!cell[length] || cell[length] == ' '))
                return trust_names[t];
        }
    return NULL;
}

static void row(const struct document *d, const char *const *cells, size_t count)
{
    fputs("<tr>", d->stream);
    for (size_t i = 0; i < count; i++) {
        const char *status = status_class(cells[i]);
        fprintf(d->stream, "<td%s%s%s>", status ? " class=\"" : "", status ? status : "",
                status ? "\"" : "");
        element(d, "", cells[i], "</td>");
    }
    fputs("</tr>\n", d->stream);
}

static void table_end(const struct document *d)
{
    fputs("</tbody></table></div>\n", d->stream);
}

const struct report_format report_html = {"html",    "report.html", begin,      end,       heading,
                                          paragraph, question,      list_begin, item,      list_end,
                                          chart,     table_begin,   row,        table_end, "svg"};
