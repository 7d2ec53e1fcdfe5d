#include "experiments/report/charts/plots.h"
#include "experiments/report/report.h"

#include <string.h>

static const struct {
    const char *text, *latex;
} escapes[] = {{"\\", "\\textbackslash{}"},
               {"~", "\\textasciitilde{}"},
               {"^", "\\textasciicircum{}"},
               {"&", "\\&"},
               {"%", "\\%"},
               {"$", "\\$"},
               {"#", "\\#"},
               {"_", "\\_"},
               {"{", "\\{"},
               {"}", "\\}"},
               {"<", "\\textless{}"},
               {">", "\\textgreater{}"},
               {"\xc2\xb5", "$\\mu$"},
               {"\xc3\x97", "$\\times$"},
               {"±", "$\\pm$"},
               {"²", "$^2$"},
               {"³", "$^3$"}};

static void put(const struct document *d, const char *text)
{
    while (*text) {
        size_t length = 0;
        for (size_t i = 0; i < sizeof escapes / sizeof *escapes && !length; i++)
            if (strncmp(text, escapes[i].text, strlen(escapes[i].text)) == 0) {
                length = strlen(escapes[i].text);
                fputs(escapes[i].latex, d->stream);
            }
        if (!length)
            putc(*text, d->stream);
        text += length ? length : 1;
    }
}

static void element(const struct document *d, const char *open, const char *text, const char *close)
{
    fputs(open, d->stream);
    put(d, text);
    fputs(close, d->stream);
}

/* In the host document babel names figures and tables ("Figura 3"). Without these options Spanish
 * calls a table Cuadro and gives characters such as " and < a special meaning. */
static const struct {
    const char *language, *options;
} babel[] = {{"es", "spanish,es-tabla,es-noshorthands"}};

static void name_babel(const struct document *d)
{
    for (size_t i = 0; i < sizeof babel / sizeof *babel; i++)
        if (strcmp(d->language->code, babel[i].language) == 0)
            fprintf(d->stream, "%% %s \\usepackage[%s]{babel}.\n",
                    message(d->language, "The language of captions:"), babel[i].options);
}

/* Of the document being written: the title above what follows, which is the caption of a table
 * without one, and the places that have tables, since labels are unique. */
static struct {
    char title[300];
    char places[512][80];
    int tables[512];
    size_t count;
} written;

static void remember(const char *title)
{
    snprintf(written.title, sizeof written.title, "%s", title);
}

/* Writes the caption and the label of a table: tab:PLACE, tab:PLACE-2 ... */
static void caption_table(const struct document *d, const char *caption)
{
    enum { MOST = sizeof written.places / sizeof *written.places };
    size_t i = 0;
    while (i < written.count && strncmp(written.places[i], d->place, 79) != 0)
        i++;
    if (i == MOST)
        i = MOST - 1; /* more places than a report has */
    else if (i == written.count)
        snprintf(written.places[written.count++], sizeof *written.places, "%s", d->place);
    element(d, "\\caption{", caption[0] ? caption : written.title, "}");
    fprintf(d->stream, "\\label{tab:%s", d->place);
    if (++written.tables[i] > 1)
        fprintf(d->stream, "-%d", written.tables[i]);
    fputs("}", d->stream);
}

static void begin(const struct document *d, const char *title)
{
    memset(&written, 0, sizeof written);
    remember(title);
    element(d, "% ", title, "\n");
    fprintf(d->stream, "%% %s\n",
            message(d->language, "For \\input into a document with \\usepackage[utf8]{inputenc}, "
                                 "[T1]{fontenc}, {graphicx}, {booktabs}, {longtable}, {array} and "
                                 "{xcolor}."));
    if (!d->place)
        fprintf(d->stream, "%% %s\n",
                message(d->language, "\\graphicspath must find the folder of this file."));
    name_babel(d);
}

static void section_begin(const struct document *d, const char *title)
{
    remember(title);
    element(d, "\n\\section{", title, "}");
    fprintf(d->stream, "\\label{sec:%s}\n\n", d->place);
}

static void heading(const struct document *d, const char *text)
{
    remember(text);
    element(d, "\n\\subsection{", text, "}\n\n");
}

static void paragraph(const struct document *d, const char *text)
{
    element(d, "", text, "\n\n");
}

static void question(const struct document *d, const char *text)
{
    element(d, "\\emph{", text, "}\n\n");
}

static void answer(const struct document *d, const char *text)
{
    element(d, "\\textbf{", text, "}\n\n");
}

static void list_begin(const struct document *d, const char *title)
{
    if (title[0])
        element(d, "\\paragraph{", title, "}\n");
    fputs("\\begin{itemize}\n", d->stream);
}

static void item(const struct document *d, const char *text)
{
    element(d, "  \\item ", text, "\n");
}

static const char list_end[] = "\\end{itemize}\n\n";

static void row(const struct document *d, const struct cell *cells, size_t count, bool best)
{
    for (size_t i = 0; i < count; i++) {
        element(d, i ? " & " : "", "", best ? "\\textbf{" : "");
        element(d, "", cells[i].text, best ? "}" : "");
        if (cells[i].soft && cells[i].soft[0])
            element(d, " {\\color{gray}", cells[i].soft, "}");
    }
    fputs(" \\\\\n", d->stream);
}

/* For few columns with sentences, and many rows. */
static void long_table_begin(const struct document *d, const char *caption, size_t count)
{
    fputs("{\\small\n\\begin{longtable}{@{}", d->stream);
    for (size_t i = 0; i < count; i++)
        fprintf(d->stream, ">{\\raggedright\\arraybackslash}p{%.3f\\linewidth}",
                0.86 / (double)count);
    fputs("@{}}\n", d->stream);
    caption_table(d, caption);
    fputs("\\\\\n", d->stream);
}

/* For many columns with numbers, and few rows; at most as wide as the text. */
static void wide_table_begin(const struct document *d, const char *caption, size_t count)
{
    fputs("\\begin{table}[htbp]\\centering\n", d->stream);
    caption_table(d, caption);
    fputs("\n", d->stream);
    fputs("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
          "\\begin{tabular}{@{}",
          d->stream);
    for (size_t i = 0; i < count; i++)
        putc('l', d->stream);
    fputs("@{}}\n", d->stream);
}

enum { LONG_TABLE_COLUMNS = 5 }; /* at most */

static void table_begin(const struct document *d, const char *caption, const char *const *headers,
                        size_t count)
{
    const bool is_long = count <= LONG_TABLE_COLUMNS;
    (is_long ? long_table_begin : wide_table_begin)(d, caption, count);
    fputs("\\toprule\n", d->stream);
    for (size_t i = 0; i < count; i++)
        element(d, i ? " & " : "", headers[i], "");
    fputs(is_long ? " \\\\\n\\midrule\n\\endhead\n" : " \\\\\n\\midrule\n", d->stream);
}

static void table_end(const struct document *d, size_t count)
{
    fputs(count <= LONG_TABLE_COLUMNS ? "\\bottomrule\n\\end{longtable}}\n\n"
                                      : "\\bottomrule\n\\end{tabular}}\n\\end{table}\n\n",
          d->stream);
}

static void cards(const struct document *d, const struct card *cards, size_t count)
{
    fputs("\\begin{itemize}\n", d->stream);
    for (size_t i = 0; i < count; i++) {
        element(d, "  \\item \\textbf{", cards[i].value, "} ");
        element(d, "", cards[i].name, ": ");
        element(d, "", cards[i].note, "\n");
    }
    fputs(list_end, d->stream);
}

static void trust(const struct document *d, const size_t trusted[TRUSTS])
{
    fprintf(d->stream, "%s\n\n", report_trust_words(trusted, d->language).text);
}

/* Writes a comment only: a thesis places its figures itself. */
static void picture(const struct document *d, const char *path, const char *caption)
{
    (void)path;
    element(d, "% ", caption, "\n");
}

static void chart(const struct document *d, const char *name, const char *caption)
{
    struct plot_path path = plot_path(".", d->place, name, "pdf");
    fprintf(d->stream,
            "\\begin{figure}[htbp]\\centering\n\\includegraphics[width=0.9\\linewidth]{%s}\n",
            path.text + 2);
    element(d, "\\caption{", caption, "}");
    fprintf(d->stream, "\\label{fig:%s-%s}\n\\end{figure}\n\n", d->place, name);
}

/* A thesis has its own table of contents. */
const struct report_format report_latex = {
    .name = "latex",
    .file = "report.tex",
    .drawing = "pdf",
    .everything = false,
    .begin = begin,
    .section_begin = section_begin,
    .heading = heading,
    .text = put,
    .paragraph = paragraph,
    .question = question,
    .answer = answer,
    .fold_begin = heading,
    .list_begin = list_begin,
    .item = item,
    .list_end = list_end,
    .cards = cards,
    .trust = trust,
    .picture = picture,
    .chart = chart,
    .table_begin = table_begin,
    .row = row,
    .table_end = table_end,
};
