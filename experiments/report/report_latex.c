#include "experiments/report/plots.h"
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
               {"\xc3\x97", "$\\times$"}};

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

static void begin(const struct document *d, const char *title)
{
    element(d, "% ", title, "\n");
    fputs("% To be \\input into a document with \\usepackage[utf8]{inputenc}, {graphicx}, "
          "{booktabs}\n"
          "% and {longtable}; \\graphicspath must find the folder of this file.\n",
          d->stream);
}

static void end(const struct document *d)
{
    (void)d;
}

static void heading(const struct document *d, const char *text)
{
    element(d, "\n\\section{", text, "}");
    fprintf(d->stream, "\\label{sec:%s}\n\n", d->experiment);
}

static void paragraph(const struct document *d, const char *text)
{
    element(d, "", text, "\n\n");
}

static void question(const struct document *d, const char *text)
{
    element(d, "\\emph{", text, "}\n\n");
}

static void list_begin(const struct document *d, const char *title, bool warning)
{
    (void)warning;
    element(d, "\\paragraph{", title, "}\n\\begin{itemize}\n");
}

static void item(const struct document *d, const char *text)
{
    element(d, "  \\item ", text, "\n");
}

static void list_end(const struct document *d, bool warning)
{
    (void)d;
    (void)warning;
    fputs("\\end{itemize}\n\n", d->stream);
}

static void chart(const struct document *d, const char *name, const char *caption)
{
    struct plot_path path = plot_path(".", d->experiment, name, "pdf");
    fprintf(d->stream,
            "\\begin{figure}[htbp]\\centering\n\\includegraphics[width=\\linewidth]{%s}\n",
            path.text + 2);
    element(d, "\\caption{", caption, "}");
    fprintf(d->stream, "\\label{fig:%s-%s}\n\\end{figure}\n\n", d->experiment, name);
}

static void row(const struct document *d, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        element(d, i ? " & " : "", cells[i], "");
    fputs(" \\\\\n", d->stream);
}

static void table_begin(const struct document *d, const char *caption, const char *const *headers,
                        size_t count)
{
    fputs("{\\scriptsize\n\\begin{longtable}{p{0.22\\linewidth}", d->stream);
    for (size_t i = 1; i < count; i++)
        fputs("p{0.105\\linewidth}", d->stream);
    element(d, "}\n\\caption{", caption, "}");
    fprintf(d->stream, "\\label{tab:%s}\\\\\n\\toprule\n", d->experiment);
    row(d, headers, count);
    fputs("\\midrule\n\\endhead\n", d->stream);
}

static void table_end(const struct document *d)
{
    fputs("\\bottomrule\n\\end{longtable}}\n\n", d->stream);
}

const struct report_format report_latex = {"latex",   "report.tex", begin,      end,       heading,
                                           paragraph, question,     list_begin, item,      list_end,
                                           chart,     table_begin,  row,        table_end, "pdf"};
