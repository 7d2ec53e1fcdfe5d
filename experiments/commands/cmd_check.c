#include "experiments/analysis/inventory.h"
#include "experiments/analysis/rules.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"

#include <stdio.h>

struct check {
    size_t experiments, failed; /* rules */
};

static enum status check_one(struct experiment *e, struct inventory *in, void *context,
                             struct failure *f)
{
    struct check *check = context;
    struct rule_result results[RULES];
    (void)in;
    (void)f;
    rules_check(&e->analysis, &e->request, results);
    printf("%s\n", e->name);
    for (size_t i = 0; i < RULES; i++) {
        printf("  %2zu  %-14s  %s\n      %16s(%s)\n", i + 1, rule_verdict_names[results[i].verdict],
               rule_texts[i], "", results[i].detail);
        check->failed += results[i].verdict == RULE_FAIL;
    }
    check->experiments++;
    return STATUS_OK;
}

enum status command_check(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default;
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &folder},
    };
    const struct usage usage = {
        "[NAME]... [OPTION]...",
        "Holds results against the twelve rules of Hoefler & Belli (SC15): pass,\n"
        "fail or not applicable, naming what is missing. Status 1 where one fails.",
        options,
        sizeof options / sizeof *options,
        0,
        -1};
    int operands;
    bool help = false;
    struct inventory in;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = inventory_open(&in, folder, argv + 1, (size_t)operands, f);
    if (status != STATUS_OK)
        return status;
    struct check check = {0};
    inventory_visit(&in, check_one, &check);
    if (check.failed)
        status = fail(f, STATUS_WRONG, "%zu rules fail in %zu experiments", check.failed,
                      check.experiments);
    else
        status = gaps_end(&in.gaps, f);
    inventory_close(&in);
    return status;
}
