#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/plan/selection.h"
#include "experiments/run/ledger.h"

#include <stdio.h>
#include <string.h>

/* What there is to measure of one experiment. */
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
    if (run == 0)
        snprintf(text, size, "%zu %s, none can run here", points, points == 1 ? "point" : "points");
    else
        snprintf(text, size, "%zu %s, %s", run, run == 1 ? "point" : "points",
                 t.done == 0           ? "not measured yet"
                 : t.done == t.planned ? "measured"
                                       : "measured in part");
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
