#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/report/plots.h"

#include <stdio.h>
#include <unistd.h>

static enum status draw(struct experiment *e, struct inventory *in, void *context,
                        struct failure *f)
{
    (void)f;
    plots_make(context, e, in);
    for (size_t i = 0; i < experiment_chart_count(e); i++)
        for (size_t j = 0; j < PLOT_FORMATS; j++) {
            const struct plot_path path =
                plot_path(in->folder, e->name, experiment_chart(e, i), plot_formats[j]);
            if (access(path.text, R_OK) == 0)
                puts(path.text);
        }
    return STATUS_OK;
}

static enum status draw_all(struct inventory *in, struct drawing *d, struct failure *f)
{
    enum status status = results_make(results_file(in->folder, "analysis").text, f);
    if (status == STATUS_OK)
        status = results_make(results_charts(in->folder).text, f);
    if (status != STATUS_OK)
        return status;
    inventory_visit(in, draw, d);
    status = gaps_end(&in->gaps, f);
    return status == STATUS_OK && d->no_gnuplot
               ? fail(f, STATUS_UNAVAILABLE, "no chart was drawn: gnuplot is missing")
               : status;
}

enum status command_plot(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default, *definitions = definitions_folder(), *code = "en";
    struct drawing drawing = {.formats = "all"};
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &folder},
        {"definitions", OPTION_TEXT, "DIR", "folder of the definitions (default: the suite's own)",
         &definitions},
        {"lang", OPTION_TEXT, "en|es", "language of titles (default en)", &code},
        {"charts", OPTION_TEXT, "FORMAT", "svg, png, pdf or all (default all)", &drawing.formats},
    };
    const struct usage usage = {
        "[NAME]...", "Draws the charts of experiments into DIR/charts, as SVG, PNG and PDF.",
        options,     sizeof options / sizeof *options,
        0,           -1};
    int operands;
    bool help = false;
    struct inventory in;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = language_parse(&drawing.language, code, f);
    if (status == STATUS_OK)
        status = drawing_check(&drawing, f);
    if (status == STATUS_OK)
        status = definitions_check(definitions, f);
    if (status == STATUS_OK)
        status = inventory_open(&in, folder, argv + 1, (size_t)operands, f);
    if (status != STATUS_OK)
        return status;
    in.definitions = definitions;
    status = draw_all(&in, &drawing, f);
    inventory_close(&in);
    return status;
}
