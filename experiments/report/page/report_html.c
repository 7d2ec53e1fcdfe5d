#include "experiments/analysis/palette.h"
#include "experiments/report/charts/plots.h"
#include "experiments/report/page/page_style.h"
#include "experiments/report/page/terms.h"
#include "experiments/report/report.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_character(const struct document *d, char c)
{
    switch (c) {
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
        putc(c, d->stream);
    }
}

static void put(const struct document *d, const char *text)
{
    for (; *text; text++)
        put_character(d, *text);
}

static void element(const struct document *d, const char *open, const char *text, const char *close)
{
    fputs(open, d->stream);
    put(d, text);
    fputs(close, d->stream);
}

/* Writes a text with links to the glossary, at the first occurrence of each of its words. */
static void put_terms(const struct document *d, const char *text)
{
    uint64_t linked = 0;
    for (const char *at = text; *at;) {
        size_t length;
        const struct term *found = term_at(text, at, d->language, &length);
        const bool other = found && d->no_term && strcmp(found->key, d->no_term) == 0;
        const struct term *term = other ? NULL : found;
        const uint64_t bit = term ? UINT64_C(1) << (term - terms) : 0;
        if (!term || linked & bit) {
            put_character(d, *at++);
            continue;
        }
        fprintf(d->stream, "<a class=\"term\" href=\"%s#term-%s\">%.*s</a>",
                d->words ? d->words : "", term->key, (int)length, at);
        linked |= bit;
        at += length;
    }
    if (d->linked)
        *d->linked |= linked;
}

static void linked_element(const struct document *d, const char *open, const char *text,
                           const char *close)
{
    fputs(open, d->stream);
    put_terms(d, text);
    fputs(close, d->stream);
}

static void write_text(const struct document *d, const char *text)
{
    fputs(text, d->stream);
}

/* ---- the frame ------------------------------------------------------------------------------- */

/* Writes the colours of the methods, mixed with that share of white. The baseline's black is the
 * page's ink. */
static void write_palette(const struct document *d, double white)
{
    fputs(":root{", d->stream);
    for (size_t i = 0; i < palette_colour_count; i++) {
        unsigned mixed = 0;
        for (unsigned shift = 24; shift > 0; shift -= 8) {
            const double part = palette_colours[i] >> (shift - 8) & 255;
            mixed = mixed << 8 | (unsigned)(part + white * (255.0 - part));
        }
        if (palette_colours[i])
            fprintf(d->stream, "--m%zu:#%06x;", i, mixed);
    }
    fputs("}", d->stream);
}

static void begin(const struct document *d, const char *title)
{
    fprintf(d->stream,
            "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n<title>",
            d->language->code);
    put(d, title);
    fprintf(d->stream, "</title>\n<style>%s%s", page_style, page_style_places);
    write_palette(d, 0.0);
    fputs("@media screen and (prefers-color-scheme:dark){", d->stream);
    write_palette(d, 0.4);
    fputs("}</style>\n</head>\n<body>\n", d->stream);
}

static void contents_item(const struct document *d, const char *anchor, const char *text)
{
    fprintf(d->stream, "<a href=\"#%s\">", anchor);
    element(d, "", text, "</a>\n");
}

/* The main part begins after the contents. */
static void contents_end(const struct document *d, const char *title)
{
    write_text(d, "</nav>\n<main id=\"top\">\n");
    element(d, "<h1>", title, "</h1>\n");
}

static void pages_item(const struct document *d, const char *file, const char *text, bool here)
{
    fprintf(d->stream, "<a href=\"%s\"%s>", file, here ? " aria-current=\"page\"" : "");
    element(d, "", text, "</a>\n");
}

static void section_begin(const struct document *d, const char *title)
{
    fprintf(d->stream, "<section id=\"%s\">\n", d->place);
    element(d, "<h2>", title, "</h2>\n");
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void heading(const struct document *d, const char *text)
{
    element(d, "<h3>", text, "</h3>\n");
}

static void paragraph(const struct document *d, const char *text)
{
    linked_element(d, "<p class=\"note\">", text, "</p>\n");
}

/* Links a page in the same folder. */
static void link_beside(const struct document *d, const char *path, const char *text)
{
    element(d, "<p><a href=\"", path, "\">");
    element(d, "", text, "</a></p>\n");
}

static void question(const struct document *d, const char *text)
{
    element(d, "<p class=\"question\">", text, "</p>\n");
}

/* The first sentence is the finding, in bold; the others qualify it. */
static void answer(const struct document *d, const char *text)
{
    char finding[CLAIM_ANSWER];
    const char *rest = strstr(text, ". ");
    snprintf(finding, sizeof finding, "%.*s", rest ? (int)(rest - text) + 1 : (int)strlen(text),
             text);
    linked_element(d, "<p class=\"answer\"><strong>", finding, "</strong>");
    linked_element(d, "", rest ? rest + 1 : "", "</p>\n");
}

static void plain(const struct document *d, const char *text)
{
    linked_element(d, "<p class=\"plain\">", text, "</p>\n");
}

static void fold_begin(const struct document *d, const char *summary)
{
    element(d, "<details><summary>", summary, "</summary>\n");
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

static void item_of(const struct document *d, const char *link, const char *title, const char *text)
{
    fprintf(d->stream, "<li><a href=\"%s\">", link);
    element(d, "", title, "</a>: ");
    linked_element(d, "", text, "\n");
}

static void write_term(const struct document *d, const char *key, const char *term,
                       const char *meaning)
{
    fprintf(d->stream, "<dt id=\"term-%s\">", key);
    element(d, "", term, "</dt>");
    element(d, "<dd>", meaning, "</dd>\n");
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

/* Writes a bar with one part per status, and the names of the statuses. */
static void trust(const struct document *d, const size_t trusted[TRUSTS])
{
    write_text(d, "<div class=\"bar\">");
    for (enum trust t = 0; t < TRUSTS; t++)
        if (trusted[t])
            fprintf(d->stream, "<i class=\"t %s\" style=\"flex:%zu\"></i>", trust_names[t],
                    trusted[t]);
    write_text(d, "</div>\n<p class=\"key\">");
    for (enum trust t = 0; t < TRUSTS; t++)
        if (trusted[t]) {
            fprintf(d->stream, "<span><i class=\"t %s\"></i>%zu ", trust_names[t], trusted[t]);
            linked_element(d, "", trust_word(t, d->language), "</span>\n");
        }
    write_text(d, "</p>\n");
}

/* ---- tables ---------------------------------------------------------------------------------- */

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

/* The status that a cell begins with, as a class of the style sheet; NULL: none. */
static const char *status_class(const char *cell, const struct language *l)
{
    for (enum trust t = 0; t < TRUSTS; t++) {
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
        const char *status = status_class(cells[i].text, d->language);
        fprintf(d->stream, "<td%s%s%s>", status ? " class=\"" : "", status ? status : "",
                status ? "\"" : "");
        element(d, "", cells[i].text, "");
        if (cells[i].soft && cells[i].soft[0])
            element(d, " <small>", cells[i].soft, "</small>");
        write_text(d, "</td>");
    }
    write_text(d, "</tr>\n");
}

static void table_end(const struct document *d, size_t count)
{
    (void)count;
    write_text(d, "</tbody></table></div>\n");
}

/* ---- drawings -------------------------------------------------------------------------------- */

/* Replacements in gnuplot's output: black becomes the page's ink, the gray of grids its lines, and
 * white (halos, the gaps of dashes) its paper. Methods' colours are the page's own, so that they
 * can be lighter in dark mode. Fonts and line ends come from the style sheet. */
struct exchange {
    const char *drawn, *shown;
};
static const struct exchange exchanges[] = {
    {" fill=\"black\"", " fill=\"currentColor\""},
    {"'black'", "'currentColor'"},
    {" color=\"black\"", ""},
    {" color=\"gray\"", ""},
    {"rgb(  0,   0,   0)", "currentColor"},
    {"rgb(0,0,0)", "currentColor"},
    {"rgb(200, 200, 200)", "var(--line)"},
    {"rgb( 68,  68,  68)", "var(--soft)"},
    {"rgb(68,68,68)", "var(--soft)"},
    {"rgb(119, 119, 119)", "var(--soft)"},
    {"rgb(119,119,119)", "var(--soft)"},
    {"rgb(136, 136, 136)", "var(--soft)"},
    {"rgb(255, 255, 255)", "var(--paper)"},
    {"#FFFFFF", "var(--paper)"},
    {" font-family=\"Helvetica\"", ""},
    {" xml:space=\"preserve\"", ""},
    {" stroke-linecap=\"butt\" stroke-linejoin=\"miter\"", ""},
    {" stroke-width=\"1.00\"", ""},
    {" class=\"gridline\"", ""},
    {"xlink:href", "href"},
    {"\t", ""},
    {"\n\n", "\n"},
};

/* Replaces a method's colour, "rgb( 86, 180, 233)" or "rgb(86,180,233)", by its name in the style
 * sheet. Returns the length of the replaced text, 0 if it is no method's colour. */
static size_t write_method_colour(const char *svg, FILE *stream)
{
    unsigned r, g, b;
    int length = 0;
    if (sscanf(svg, "rgb(%u,%u,%u)%n", &r, &g, &b, &length) != 3 || length == 0)
        return 0;
    for (size_t i = 0; i < palette_colour_count; i++)
        if (palette_colours[i] == (r << 16 | g << 8 | b)) {
            fprintf(stream, "var(--m%zu)", i);
            return (size_t)length;
        }
    return 0;
}

/* Writes the replacement for the beginning of `svg`; returns the length of what it replaces. */
static size_t write_exchange(const char *svg, FILE *stream)
{
    for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++) {
        const size_t length = strlen(exchanges[i].drawn);
        if (strncmp(svg, exchanges[i].drawn, length) == 0) {
            fputs(exchanges[i].shown, stream);
            return length;
        }
    }
    const size_t length = strncmp(svg, "rgb(", 4) == 0 ? write_method_colour(svg, stream) : 0;
    if (length == 0)
        putc(*svg, stream);
    return length ? length : 1;
}

/* Returns the end of an element without effect: a group without content, a plot's title, a name
 * without references; `at` itself for any other. */
static const char *skip_idle(const char *at)
{
    static const struct {
        const char *begin, *end;
    } idle[] = {{"<title>", "</title>"}, {"<desc>", "</desc>"}, {" id=\"gnuplot", "\""}};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        const size_t length = strlen(idle[i].begin);
        const char *end =
            strncmp(at, idle[i].begin, length) == 0 ? strstr(at + length, idle[i].end) : NULL;
        if (end)
            return end + strlen(idle[i].end);
    }
    if (strncmp(at, "<g>", 3) != 0 && strncmp(at, "<g ", 3) != 0)
        return at;
    const char *content = strchr(at, '>');
    content = content ? content + 1 + strspn(content + 1, "\n\t ") : at;
    return strncmp(content, "</g>", 4) == 0 ? content + 4 : at;
}

/* Skips the marks if they are defined: every drawing defines the same ones, so the first on a page
 * is enough. */
static const char *skip_marks(const char *at, bool *defined)
{
    if (strncmp(at, "<defs>", 6) != 0 || !strstr(at, "gpDot"))
        return at;
    const char *end = strstr(at, "</defs>");
    if (!*defined || !end || strstr(at, "gpDot") > end) {
        *defined = *defined || (end && strstr(at, "gpDot") < end);
        return at;
    }
    return end + 7;
}

/* Returns the drawing adapted to the page; NULL if memory runs out. The caller frees it. */
static char *translate(const struct document *d, const char *svg)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    while (stream && *svg) {
        const char *next = skip_idle(svg);
        if (next == svg)
            next = skip_marks(svg, d->marks_defined);
        svg = next == svg ? svg + write_exchange(svg, stream) : next;
    }
    if (stream && fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* Removes empty groups, repeatedly because others may become empty, and the second decimal of
 * coordinates: a hundredth of a pixel is invisible. */
static void shrink(char *text)
{
    bool again = true;
    while (again) {
        char *to = text;
        bool inside = false; /* a tag: texts keep their digits */
        again = false;
        for (const char *at = text; *at;) {
            const char *next = skip_idle(at);
            inside = *at == '<' || (inside && *at != '>');
            const bool second = inside && to - text > 4 && isdigit((unsigned char)to[-4]) &&
                                isdigit((unsigned char)to[-3]) && to[-2] == '.' &&
                                isdigit((unsigned char)to[-1]) && isdigit((unsigned char)*at);
            again = again || next != at;
            if (next != at)
                at = next;
            else if (second)
                at++;
            else
                *to++ = *at++;
        }
        *to = '\0';
    }
}

/* Reads a whole file and appends a 0; NULL if it cannot be read. The caller frees it. */
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

/* Returns the beginning of the drawing, its background blanked: the page has its own. */
static const char *skip_background(char *text)
{
    char *svg = text ? strstr(text, "<svg") : NULL;
    char *background = svg ? strstr(svg, "<rect x=\"0\" y=\"0\"") : NULL;
    char *after = background ? strstr(background, "/>") : NULL;
    if (after)
        memset(background, ' ', (size_t)(after + 2 - background));
    return svg;
}

/* Writes a drawing as a figure of that class; nothing if it cannot be read. */
static void figure(const struct document *d, const char *path, const char *class,
                   const char *caption)
{
    size_t length;
    char *text = read_file(path, &length);
    const char *svg = skip_background(text);
    if (svg) {
        char *drawing = translate(d, svg);
        if (drawing)
            shrink(drawing);
        fprintf(d->stream, "<figure%s role=\"img\"", class);
        element(d, " aria-label=\"", caption, "\">\n");
        write_text(d, drawing ? drawing : "");
        write_text(d, "</figure>\n");
        free(drawing);
    }
    free(text);
}

/* A chart that was drawn for telephones as well is shown in the one size or in the other. */
static void chart(const struct document *d, const char *name, const char *caption)
{
    const struct plot_path narrow = plot_narrow_path(d->folder, d->place, name);
    const bool has_narrow = access(narrow.text, R_OK) == 0;
    figure(d, plot_path(d->folder, d->place, name, "svg").text, has_narrow ? " class=\"wide\"" : "",
           caption);
    if (has_narrow)
        figure(d, narrow.text, " class=\"narrow\"", caption);
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
    .end = "</main>\n</body>\n</html>\n",
    .contents_begin = "<nav>",
    .contents_item = contents_item,
    .contents_end = contents_end,
    .pages_begin = "<nav>",
    .pages_item = pages_item,
    .pages_end = contents_end,
    .places_begin = "<p class=\"places\">",
    .places_end = "</p>\n",
    .section_begin = section_begin,
    .section_end = "</section>\n",
    .heading = heading,
    .text = put,
    .paragraph = paragraph,
    .link = link_beside,
    .question = question,
    .answer = answer,
    .plain = plain,
    .claim_begin = "<div class=\"claim\">\n",
    .claim_end = "</div>\n",
    .fold_begin = fold_begin,
    .fold_end = "</details>\n",
    .list_begin = list_begin,
    .item = item,
    .item_of = item_of,
    .list_end = "</ul>\n",
    .terms_begin = "<dl>\n",
    .term = write_term,
    .terms_end = "</dl>\n",
    .cards = write_cards,
    .trust = trust,
    .picture = picture,
    .chart = chart,
    .table_begin = table_begin,
    .row = row,
    .table_end = table_end,
};
