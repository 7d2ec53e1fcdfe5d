#include "experiments/report/page_style.h"
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

static void element(const struct document *d, const char *open, const char *text, const char *close)
{
    fputs(open, d->stream);
    put(d, text);
    fputs(close, d->stream);
}

static void write_text(const struct document *d, const char *text)
{
    fputs(text, d->stream);
}

/* ---- the frame
 * ----------------------------------------------------------------------------------- */

static void begin(const struct document *d, const char *title)
{
    fprintf(d->stream,
            "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n<title>",
            language_codes[d->language]);
    put(d, title);
    fprintf(d->stream, "</title>\n<style>%s</style>\n</head>\n<body>\n", page_style);
}

static void end(const struct document *d)
{
    write_text(d, "</main>\n</body>\n</html>\n");
}

static void contents_begin(const struct document *d)
{
    write_text(d, "<nav>");
}

static void contents_item(const struct document *d, const char *anchor, const char *text)
{
    fprintf(d->stream, "<a href=\"#%s\">", anchor);
    element(d, "", text, "</a>\n");
}

/* The page proper begins behind the contents; its title is the document's. */
static void contents_end(const struct document *d)
{
    write_text(d, "</nav>\n<main id=\"top\">\n");
    element(d, "<h1>",
            say(d->language, "Max pooling: what was measured", "Max pooling: lo que se midió"),
            "</h1>\n");
}

static void section_begin(const struct document *d, const char *title)
{
    fprintf(d->stream, "<section id=\"%s\">\n", d->place);
    element(d, "<h2>", title, "</h2>\n");
}

static void section_end(const struct document *d)
{
    write_text(d, "</section>\n");
}

/* ---- texts
 * --------------------------------------------------------------------------------------- */

static void heading(const struct document *d, const char *text)
{
    element(d, "<h3>", text, "</h3>\n");
}

static void paragraph(const struct document *d, const char *text)
{
    element(d, "<p class=\"note\">", text, "</p>\n");
}

static void question(const struct document *d, const char *text)
{
    element(d, "<p class=\"question\">", text, "</p>\n");
}

static void answer(const struct document *d, const char *text)
{
    element(d, "<p class=\"answer\">", text, "</p>\n");
}

static void fold_begin(const struct document *d, const char *summary)
{
    element(d, "<details><summary>", summary, "</summary>\n");
}

static void fold_end(const struct document *d)
{
    write_text(d, "</details>\n");
}

static void list_begin(const struct document *d, const char *title)
{
    if (title[0])
        element(d, "<p>", title, "</p>\n");
    write_text(d, "<ul>\n");
}

static void item(const struct document *d, const char *text)
{
    element(d, "<li>", text, "\n");
}

static void list_end(const struct document *d)
{
    write_text(d, "</ul>\n");
}

static void write_cards(const struct document *d, const struct card *cards, size_t count)
{
    write_text(d, "<div class=\"cards\">\n");
    for (size_t i = 0; i < count; i++) {
        element(d, "<div class=\"card\"><b>", cards[i].value, "</b>");
        element(d, "<span>", cards[i].name, "</span>");
        element(d, "<small>", cards[i].note, "</small></div>\n");
    }
    write_text(d, "</div>\n");
}

/* A bar of as many parts as there are statuses, and what they are called. */
static void trust(const struct document *d, const size_t trusted[TRUSTS])
{
    write_text(d, "<div class=\"bar\">");
    for (enum trust t = 0; t < TRUSTS; t++)
        if (trusted[t])
            fprintf(d->stream, "<i class=\"t %s\" style=\"flex:%zu\"></i>", trust_names[t],
                    trusted[t]);
    write_text(d, "</div>\n<p class=\"key\">");
    for (enum trust t = 0; t < TRUSTS; t++)
        if (trusted[t])
            fprintf(d->stream, "<span><i class=\"t %s\"></i>%zu %s</span>\n", trust_names[t],
                    trusted[t], trust_word(t, d->language));
    write_text(d, "</p>\n");
}

/* ---- tables
 * -------------------------------------------------------------------------------------- */

static void table_begin(const struct document *d, const char *caption, const char *const *headers,
                        size_t count)
{
    if (caption[0])
        element(d, "<p class=\"caption\">", caption, "</p>\n");
    fprintf(d->stream, "<div class=\"scroll\"><table class=\"%s\">\n<thead><tr>",
            caption[0] ? "all" : "few");
    for (size_t i = 0; i < count; i++)
        element(d, "<th>", headers[i], "</th>");
    write_text(d, "</tr></thead>\n<tbody>\n");
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

static void row(const struct document *d, const struct cell *cells, size_t count, bool best)
{
    write_text(d, best ? "<tr class=\"best\">" : "<tr>");
    for (size_t i = 0; i < count; i++) {
        const char *status = status_class(cells[i].text);
        fprintf(d->stream, "<td%s%s%s>", status ? " class=\"" : "", status ? status : "",
                status ? "\"" : "");
        element(d, "", cells[i].text, "");
        if (cells[i].soft && cells[i].soft[0])
            element(d, " <small>", cells[i].soft, "</small>");
        write_text(d, "</td>");
    }
    write_text(d, "</tr>\n");
}

static void table_end(const struct document *d)
{
    write_text(d, "</tbody></table></div>\n");
}

/* ---- drawings
 * ------------------------------------------------------------------------------------ */

/* What gnuplot writes, and what stands in the page for it: black is the page's ink, the gray of
 * grids its lines, and white (halos, the gaps of dashes) its paper. The font is the page's. Names
 * get the chart's in front, so that two drawings on one page do not share them. */
static const struct {
    const char *drawn, *shown;
    bool name; /* the chart's name follows */
} exchanges[] = {
    {"id=\"", "id=\"", true},
    {"id='", "id='", true},
    {"href='#", "href='#", true},
    {"href=\"#", "href=\"#", true},
    {"url(#", "url(#", true},
    {"fill=\"black\"", "fill=\"currentColor\"", false},
    {"'black'", "'currentColor'", false},
    {"rgb(  0,   0,   0)", "currentColor", false},
    {"rgb(200, 200, 200)", "var(--line)", false},
    {"rgb( 68,  68,  68)", "var(--soft)", false},
    {"rgb(119, 119, 119)", "var(--soft)", false},
    {"rgb(255, 255, 255)", "var(--paper)", false},
    {" font-family=\"Helvetica\"", "", false},
    {" xml:space=\"preserve\"", "", false},
    {"\t", "", false},
    {"\n\n", "\n", false},
};

static void copy_svg(const struct document *d, const char *chart, const char *svg)
{
    while (*svg) {
        size_t i = 0, length = 0;
        for (; i < sizeof exchanges / sizeof *exchanges; i++) {
            length = strlen(exchanges[i].drawn);
            if (strncmp(svg, exchanges[i].drawn, length) == 0)
                break;
        }
        if (i == sizeof exchanges / sizeof *exchanges) {
            putc(*svg++, d->stream);
            continue;
        }
        write_text(d, exchanges[i].shown);
        if (exchanges[i].name)
            fprintf(d->stream, "%s-%s-", d->place, chart);
        svg += length;
    }
}

/* The whole of a file, a 0 behind it; NULL where it cannot be had. The caller frees it. */
static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size = -1;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0)
        bytes = malloc((size_t)size + 1);
    rewind(file);
    *length = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    if (bytes)
        bytes[*length] = '\0';
    fclose(file);
    return bytes;
}

/* Where the drawing begins; its background is the page's. */
static const char *skip_background(char *text)
{
    char *svg = text ? strstr(text, "<svg") : NULL;
    char *background = svg ? strstr(svg, "<rect x=\"0\" y=\"0\"") : NULL;
    char *after = background ? strstr(background, "/>") : NULL;
    if (after)
        memset(background, ' ', (size_t)(after + 2 - background));
    return svg;
}

static void chart(const struct document *d, const char *name, const char *caption)
{
    size_t length;
    char *text = read_file(plot_path(d->folder, d->place, name, "svg").text, &length);
    const char *svg = skip_background(text);
    if (svg) {
        element(d, "<figure role=\"img\" aria-label=\"", caption, "\">\n");
        copy_svg(d, name, svg);
        write_text(d, "</figure>\n");
    }
    free(text);
}

/* Base64, RFC 4648. */
static void put_base64(const struct document *d, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const unsigned b = left > 1 ? bytes[i + 1] : 0, c = left > 2 ? bytes[i + 2] : 0;
        const unsigned bits = (unsigned)bytes[i] << 16 | b << 8 | c;
        putc(digits[bits >> 18], d->stream);
        putc(digits[bits >> 12 & 63], d->stream);
        putc(left > 1 ? digits[bits >> 6 & 63] : '=', d->stream);
        putc(left > 2 ? digits[bits & 63] : '=', d->stream);
    }
}

static void picture(const struct document *d, const char *path, const char *caption)
{
    size_t length;
    char *bytes = read_file(path, &length);
    if (bytes) {
        element(d, "<figure class=\"picture\"><img alt=\"", caption,
                "\" src=\"data:image/png;base64,");
        put_base64(d, (const unsigned char *)bytes, length);
        element(d, "\"><figcaption>", caption, "</figcaption></figure>\n");
    }
    free(bytes);
}

const struct report_format report_html = {
    .name = "html",
    .file = "report.html",
    .drawing = "svg",
    .everything = true,
    .begin = begin,
    .end = end,
    .contents_begin = contents_begin,
    .contents_item = contents_item,
    .contents_end = contents_end,
    .section_begin = section_begin,
    .section_end = section_end,
    .heading = heading,
    .paragraph = paragraph,
    .question = question,
    .answer = answer,
    .fold_begin = fold_begin,
    .fold_end = fold_end,
    .list_begin = list_begin,
    .item = item,
    .list_end = list_end,
    .cards = write_cards,
    .trust = trust,
    .picture = picture,
    .chart = chart,
    .table_begin = table_begin,
    .row = row,
    .table_end = table_end,
};
