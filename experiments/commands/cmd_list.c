#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/text/wrap.h"
#include "experiments/plan/selection.h"
#include "experiments/report/report.h"
#include "experiments/run/ledger.h"
#include "harness/base/text/screen.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 40 }; /* columns; a longer name is printed on its own line */

/* Fills a form of "%{n} points". */
static void count_text(char *text, size_t size, size_t n, const char *form)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", n);
    message_fill(text, size, form, WITH({"n", number}));
}

/* Describes how many points of an experiment can be measured, and whether they have been. */
static void state_text(const struct ledger *ledger, size_t definition, char *text, size_t size)
{
    const struct plan *plan = ledger->plan;
    const struct launch_tally t = ledger_tally(ledger, definition);
    size_t points = 0, skipped = 0;
    for (size_t i = 0; i < plan->count; i++) {
        points += plan->points[i].definition == definition;
        skipped += plan->points[i].definition == definition && plan->points[i].skip;
    }
    const size_t run = points - skipped;
    if (points == 0)
        snprintf(text, size, "%s", screen_text(N_("not part of it")));
    else if (run == 0)
        count_text(text, size, points,
                   message_plural(screen_language(), "%{n} point, which cannot run here",
                                  "%{n} points, none of them can run here", points));
    else if (t.done == 0)
        count_text(text, size, run,
                   message_plural(screen_language(), "%{n} point, not measured yet",
                                  "%{n} points, not measured yet", run));
    else if (t.done == t.planned)
        count_text(text, size, run,
                   message_plural(screen_language(), "%{n} point, measured",
                                  "%{n} points, measured", run));
    else
        count_text(text, size, run,
                   message_plural(screen_language(), "%{n} point, measured in part",
                                  "%{n} points, measured in part", run));
}

/* A title or a question, in the language of the screen. */
static const char *defined(const char *text)
{
    return message_in(screen_language(), "definition", text);
}

/* Columns of the longest name, at most NAME_MOST. */
static int name_columns(const struct plan *plan)
{
    size_t most = 0;
    for (size_t i = 0; i < plan->definition_count; i++) {
        const size_t length = strlen(plan->definitions[i].name);
        most = length > most ? length : most;
    }
    return most < NAME_MOST ? (int)most : NAME_MOST;
}

/* Prints the name on the left and all other text in one column to its right. */
static void print_experiment(const struct ledger *ledger, size_t definition)
{
    const struct definition *d = &ledger->plan->definitions[definition];
    const int columns = name_columns(ledger->plan);
    char state[128], line[256], first[NAME_MOST + 8], indent[NAME_MOST + 8];
    state_text(ledger, definition, state, sizeof state);
    snprintf(indent, sizeof indent, "  %-*s  ", columns, "");
    if (strlen(d->name) > NAME_MOST)
        puts(d->name);
    snprintf(first, sizeof first, "%-*s  ", columns, strlen(d->name) > NAME_MOST ? "" : d->name);
    wrap_print(first, indent, defined(d->title), "");
    wrap_print(indent, indent, defined(d->question), "");
    message_format(line, sizeof line, screen_language(), "at the %{scale} scale: %{state}",
                   WITH({"scale", scale_names[d->scale]}, {"state", state}));
    printf("%s%s\n", indent, line);
    const bool numbers = *d->figures >= '0' && *d->figures <= '9';
    if (!*d->figures)
        return;
    message_format(line, sizeof line, screen_language(),
                   !numbers                    ? N_("in the tesina: %{figures}")
                   : strpbrk(d->figures, "-,") ? N_("in the tesina: figures %{figures}")
                                               : N_("in the tesina: figure %{figures}"),
                   WITH({"figures", d->figures}));
    printf("%s%s\n", indent, line);
}

/* Prints a section of the report: its title and its experiments; nothing if it has none. */
static void print_section(const struct ledger *ledger, size_t section)
{
    bool titled = false;
    for (size_t i = 0; i < ledger->plan->definition_count; i++) {
        if (strcmp(ledger->plan->definitions[i].section, report_section_key(section)) != 0)
            continue;
        if (!titled)
            puts(report_section_title(section, screen_language()));
        titled = true;
        print_experiment(ledger, i);
    }
    if (titled)
        putchar('\n');
}

static void print_by_section(const struct ledger *ledger)
{
    for (size_t i = 0; report_section_key(i); i++)
        print_section(ledger, i);
}

enum status command_list(int argc, char **argv, struct failure *f)
{
    struct selection selection;
    struct option_row options[SELECTION_ROWS];
    selection_begin(&selection);
    size_t count = selection_options(&selection, SELECT_EVERY, options);
    const struct usage usage = {"[NAME...]",
                                "Lists the experiments by section, their questions, and how many "
                                "points there are to measure.",
                                options,
                                count,
                                0,
                                -1};
    int operands;
    struct plan plan;
    struct ledger ledger;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (selection_plan(&selection, argv + 1, operands, true, &plan, f) != STATUS_OK)
        return f->status;
    enum status status = ledger_read(&ledger, &plan, selection.results, false, NULL, f);
    if (status == STATUS_OK && operands == 0)
        print_by_section(&ledger);
    for (size_t i = 0; i < plan.definition_count && status == STATUS_OK && operands > 0; i++)
        print_experiment(&ledger, i);
    if (status == STATUS_OK)
        ledger_release(&ledger);
    plan_release(&plan);
    return status;
}
