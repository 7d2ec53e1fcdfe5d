#include "experiments/report/plots.h"

#include "experiments/common/process.h"

#include <string.h>
#include <unistd.h>

const char *const plot_formats[PLOT_FORMATS] = {"svg", "png", "pdf"};

struct plot_path plot_path(const char *folder, const char *experiment, const char *chart,
                           const char *format)
{
    struct plot_path path;
    bool same = strcmp(experiment, chart) == 0;
    int length = snprintf(path.text, sizeof path.text, "%s/charts/%s%s%s.%s", folder, experiment,
                          same ? "" : "-", same ? "" : chart, format);
    if (length < 0 || (size_t)length >= sizeof path.text)
        path.text[0] = '\0';
    return path;
}

/* What the scripts are told: where data are, where the chart goes, its language and format. Returns
 * false where a path holds what gnuplot's quotes would not. */
static bool make_settings(char *text, size_t size, const char *folder, const char *experiment,
                          const char *out, const char *format, enum language language)
{
    if (strpbrk(folder, "'\n") || strpbrk(MAXPOOL_PLOTS, "'\n"))
        return false;
    int length =
        snprintf(text, size,
                 "points='%s/analysis/%s.points.csv'; model='%s/analysis/%s.model.csv'; "
                 "ratios='%s/analysis/%s.ratios.csv'; "
                 "ceilings='%s/analysis/%s.ceilings.csv'; "
                 "scale='%s/analysis/%s.scale.csv'; "
                 "plots='%s'; out='%s'; format='%s'; lang='%s'",
                 folder, experiment, folder, experiment, folder, experiment, folder, experiment,
                 folder, experiment, MAXPOOL_PLOTS, out, format, language_codes[language]);
    return length > 0 && (size_t)length < size;
}

enum status plot_draw(const char *folder, const char *experiment, const char *chart,
                      const char *format, enum language language, struct failure *f)
{
    char settings[4 * PATH_MAX], script[PATH_MAX];
    struct plot_path out = plot_path(folder, experiment, chart, format);
    snprintf(script, sizeof script, "%s/%s.gp", MAXPOOL_PLOTS, chart);
    if (access(script, R_OK) != 0)
        return fail(f, STATUS_UNAVAILABLE, "no chart '%s': there is no %s", chart, script);
    if (!make_settings(settings, sizeof settings, folder, experiment, out.text, format, language))
        return fail(f, STATUS_USAGE, "%s: gnuplot cannot be given this path", folder);
    char gnuplot[] = "gnuplot", e[] = "-e";
    char *const argv[] = {gnuplot, e, settings, script, NULL};
    const struct process_limits limits = {.seconds = 60.0, .grace_seconds = 1.0};
    struct process_result result;
    enum status status = process_run(argv, &limits, &result, f);
    if (status != STATUS_OK)
        return status;
    if (result.end == PROCESS_NOT_STARTED)
        return fail(
            f, STATUS_UNAVAILABLE,
            "gnuplot is missing (Debian: gnuplot-nox); where there is one: gnuplot -e \"%.600s\" "
            "%.200s",
            settings, script);
    if (result.end != PROCESS_EXITED || result.exit_status != 0)
        return fail(f, STATUS_OUTPUT, "%s: gnuplot failed: %.600s", out.text, result.output);
    return STATUS_OK;
}
