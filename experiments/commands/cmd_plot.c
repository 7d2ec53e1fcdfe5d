#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/report/plots.h"

#include <stdio.h>

static enum status draw_all(const struct experiment *e, const char *folder, enum language l,
                            struct failure *f)
{
    for (size_t i = 0; i < experiment_chart_count(e); i++)
        for (size_t j = 0; j < PLOT_FORMATS; j++) {
            const char *chart = experiment_chart(e, i);
            enum status status = plot_draw(folder, e->name, chart, plot_formats[j], l, f);
            if (status != STATUS_OK)
                return status;
            puts(plot_path(folder, e->name, chart, plot_formats[j]).text);
        }
    return STATUS_OK;
}

static enum status analyse_and_draw(const struct inventory *in, size_t index, enum language l,
                                    struct failure *f)
{
    struct experiment e;
    enum status status = experiment_open(&e, in, index, f);
    if (status != STATUS_OK)
        return status;
    status = experiment_write_derived(&e, in->folder, f);
    if (status == STATUS_OK)
        status = draw_all(&e, in->folder, l, f);
    experiment_close(&e);
    return status;
}

enum status command_plot(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default, *code = "en";
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &folder},
        {"lang", OPTION_TEXT, "en|es", "language of titles (default en)", &code},
    };
    const struct usage usage = {
        "[NAME]... [OPTION]...",
        "Draws the charts of experiments into DIR/charts, as SVG, PNG and PDF.",
        options,
        sizeof options / sizeof *options,
        0,
        -1};
    int operands;
    bool help = false;
    enum language l;
    struct inventory in;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = language_parse(&l, code, f);
    if (status == STATUS_OK)
        status = inventory_open(&in, folder, argv + 1, (size_t)operands, f);
    if (status != STATUS_OK)
        return status;
    status = results_make(results_file(folder, "analysis").text, f);
    if (status == STATUS_OK)
        status = results_make(results_charts(folder).text, f);
    for (size_t i = 0; status == STATUS_OK && i < in.names.count; i++)
        status = analyse_and_draw(&in, i, l, f);
    inventory_close(&in);
    return status;
}
