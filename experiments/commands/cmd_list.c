#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/text/wrap.h"
#include "experiments/plan/selection.h"
#include "experiments/report/report.h"
#include "experiments/run/ledger.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 40 }; /* columns; a longer name is printed on its own line */

/* Describes how many points of an experiment can be measured, and whether they have been. */
static void state_text(const struct ledger *ledger, size_t definition, char *text, size_t size)
{
    const struct plan *plan = ledger->plan;
    const struct tally t = ledger_tally(ledger, definition);
    size_t points = 0, skipped = 0;
    for (size_t i = 0; i < plan->count; i++) {
        points += plan->points[i].definition == definition;
        skipped += plan->points[i].definition == definition && plan->points[i].skip;
    }
    const size_t run = points - skipped;
    if (points == 0)
        snprintf(text, size, "not part of it");
    else if (run == 0)
        snprintf(text, size, "%zu %s, none of them can run here", points,
                 points == 1 ? "point" : "points");
    else
        snprintf(text, size, "%zu %s, %s", run, run == 1 ? "point" : "points",
                 t.done == 0           ? "not measured yet"
                 : t.done == t.planned ? "measured"
                                       : "measured in part");
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
    char state[128], first[NAME_MOST + 8], indent[NAME_MOST + 8];
    state_text(ledger, definition, state, sizeof state);
    snprintf(indent, sizeof indent, "  %-*s  ", columns, "");
    if (strlen(d->name) > NAME_MOST)
        puts(d->name);
    snprintf(first, sizeof first, "%-*s  ", columns, strlen(d->name) > NAME_MOST ? "" : d->name);
    wrap_print(first, indent, d->title, "");
    wrap_print(indent, indent, d->question, "");
    printf("%sat the %s scale: %s\n", indent, scale_names[d->scale], state);
    const bool numbers = *d->figures >= '0' && *d->figures <= '9';
    if (*d->figures)
        printf("%sin the tesina: %s%s\n", indent,
               !numbers                    ? ""
               : strpbrk(d->figures, "-,") ? "figures "
                                           : "figure ",
               d->figures);
}

/* Prints a section of the report: its title and its experiments; nothing if it has none. */
static void print_section(const struct ledger *ledger, size_t section)
{
    bool titled = false;
    for (size_t i = 0; i < ledger->plan->definition_count; i++) {
        if (strcmp(ledger->plan->definitions[i].section, report_section_key(section)) != 0)
            continue;
        if (!titled)
            puts(report_section_title(section, &language_english));
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
    bool help;
    struct plan plan;
    struct ledger ledger;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = selection_plan(&selection, argv + 1, operands, true, &plan, f);
    if (status != STATUS_OK)
        return status;
    status = ledger_read(&ledger, &plan, selection.results, false, f);
    if (status == STATUS_OK && operands == 0)
        print_by_section(&ledger);
    for (size_t i = 0; i < plan.definition_count && status == STATUS_OK && operands > 0; i++)
        print_experiment(&ledger, i);
    if (status == STATUS_OK)
        ledger_release(&ledger);
    plan_release(&plan);
    return status;
}
