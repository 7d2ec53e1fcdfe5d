#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/plan/selection.h"
#include "experiments/run/ledger.h"

#include <stdio.h>
#include <string.h>

/* How far the results folder is with one experiment. */
static void state_text(const struct ledger *ledger, size_t definition, char *text, size_t size)
{
    const struct plan *plan = ledger->plan;
    size_t points = 0, skipped = 0, planned = 0, done = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->points[i].definition != definition)
            continue;
        points++;
        skipped += plan->points[i].skip != NULL;
        for (int64_t round = 0; round < plan_launches(plan, &plan->points[i]); round++) {
            planned += plan->points[i].skip == NULL;
            done += plan->points[i].skip == NULL && ledger_state(ledger, i, round) == LAUNCH_DONE;
        }
    }
    if (points == skipped)
        snprintf(text, size, "%zu points, none can run here", points);
    else
        snprintf(text, size, "%zu points, %zu of %zu launches done", points - skipped, done,
                 planned);
}

enum status command_list(int argc, char **argv, struct failure *f)
{
    struct selection selection;
    struct option_row options[SELECTION_ROWS];
    selection_begin(&selection);
    size_t count = selection_options(&selection, options);
    const struct usage usage = {
        "[NAME...]", "Lists experiments, their questions and how far they are.", options, count, 0,
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
    for (size_t i = 0; i < plan.definition_count && status == STATUS_OK; i++) {
        const struct definition *d = &plan.definitions[i];
        char state[128];
        state_text(&ledger, i, state, sizeof state);
        printf("%-16s %s (%s: %s)\n%-16s   %s\n", d->name, d->title, scale_names[d->scale], state,
               "", d->question);
        if (*d->figures)
            printf("%-16s   the tesina's figures %s\n", "", d->figures);
    }
    if (status == STATUS_OK)
        ledger_release(&ledger);
    plan_release(&plan);
    return status;
}
