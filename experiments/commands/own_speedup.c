#include "experiments/commands/own_speedup.h"

#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/commands/run/run_words.h"
#include "experiments/commands/speedup_show.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/common/text/distinct.h"
#include "experiments/program/own_study.h"
#include "experiments/program/times_file.h"
#include "harness/base/clock.h"
#include "harness/base/text/screen.h"
#include "harness/machine/machine.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The numbers of workers without --threads and --ranks. */
static const char usual[] = "1..cores x2 cores";

static int64_t cores_of(const struct selection *s)
{
    struct machine machine;
    machine_describe(&machine);
    return s->cores > 0 ? s->cores : machine_capacity(&machine);
}

static enum status outcome(const struct run_summary *s, struct failure *f)
{
    if (s->wrong)
        return fail(f, STATUS_WRONG,
                    "an output was wrong: the first is shown above; its worker "
                    "count has no speedup");
    if (s->failed > 0)
        return fail(f, STATUS_RESOURCE,
                    "a launch failed: the first is shown above; its worker count was left there, "
                    "and the same command goes on with it");
    return STATUS_OK;
}

static enum status write_definition(const struct own_question *q, const char *results,
                                    const char *name, struct failure *f)
{
    char file[OWN_NAME + 4];
    snprintf(file, sizeof file, "%s.ini", name);
    return own_definition_write(q, results_file(results, file).text, f);
}

enum status own_speedup(struct own_question *q, const struct selection *s, struct drawing *drawing,
                        struct failure *f)
{
    const int64_t cores = cores_of(s);
    struct run_summary summary;
    char name[OWN_NAME];
    enum status status = own_question_check(q, usual, cores, f);
    if (status != STATUS_OK)
        return status;
    own_question_name(q, name);
    if (results_make(s->results, f) != STATUS_OK ||
        write_definition(q, s->results, name, f) != STATUS_OK)
        return f->status;
    process_catch_stop_signals();
    const double began = clock_now();
    status = own_study_run(q, s->results, name, cores, &summary, f);
    if (status != STATUS_OK)
        return status;
    run_print_summary(&summary, s->results, clock_now() - began);
    if (summary.before + summary.done > 0)
        status = speedup_show(s->results, name, drawing, q->weak, f);
    return status == STATUS_OK ? outcome(&summary, f) : status;
}

/* The name of a file without its folder and its ending; a longer one ends in a hash of the whole.
 */
static void stem_of(const char *path, char stem[OWN_TITLE])
{
    const char *begin = file_name(path);
    const char *dot = strrchr(begin, '.');
    const int length = dot && dot > begin ? (int)(dot - begin) : (int)strlen(begin);
    char whole[NAME_MAX + 1];
    snprintf(whole, sizeof whole, "%.*s", length, begin);
    text_distinct(stem, OWN_TITLE, whole);
}

/* Number of different curves. */
static size_t count_curves(const struct times *t)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        size_t before = 0;
        while (before < i && strcmp(t->rows[before].curve, t->rows[i].curve) != 0)
            before++;
        count += before == i;
    }
    return count;
}

static void report_curves(const struct times *t, const char *csv)
{
    char all[24], shown[24];
    const size_t count = t->curves[0] ? count_curves(t) : 1;
    snprintf(all, sizeof all, "%zu", count);
    snprintf(shown, sizeof shown, "%d", SPEEDUP_OWN_CURVES);
    if (t->curves[0])
        screen_say(stderr, N_("study: %{file}: each value of %{name} is a curve of its own\n"),
                   WITH({"file", csv}, {"name", t->curves}));
    if (count > SPEEDUP_OWN_CURVES)
        screen_say(stderr,
                   N_("study: %{file}: of %{all} curves the figure shows the first %{shown}\n"),
                   WITH({"file", csv}, {"all", all}, {"shown", shown}));
}

enum status own_times(const char *csv, const struct own_question *q, const struct selection *s,
                      struct drawing *drawing, struct failure *f)
{
    const char *results = s->results == results_default ? "results/times" : s->results;
    struct times times;
    char stem[OWN_TITLE], title[OWN_TITLE], name[OWN_NAME];
    stem_of(csv, stem);
    struct own_question named = *q;
    named.title = q->title ? q->title : stem;
    own_question_title(&named, title);
    snprintf(name, sizeof name, "times_%s", stem);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            *at = '-';
    if (times_read(&times, csv, f) != STATUS_OK)
        return f->status;
    report_curves(&times, csv);
    enum status status = times_import(&times, q, title, results, name, f);
    times_release(&times);
    return status == STATUS_OK ? speedup_show(results, name, drawing, q->weak, f) : status;
}
