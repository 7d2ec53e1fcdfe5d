#include "experiments/analysis/inventory.h"
#include "experiments/analysis/rules.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"

#include <stdio.h>

/* Returns how many rules fail. */
static size_t check_one(const struct experiment *e)
{
    struct rule_result results[RULES];
    size_t failed = 0;
    rules_check(&e->analysis, &e->request, results);
    printf("%s\n", e->name);
    for (size_t i = 0; i < RULES; i++) {
        printf("  %2zu  %-14s  %s\n      %16s(%s)\n", i + 1, rule_verdict_names[results[i].verdict],
               rule_texts[i], "", results[i].detail);
        failed += results[i].verdict == RULE_FAIL;
    }
    return failed;
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
    size_t failed = 0, count = status == STATUS_OK ? in.names.count : 0;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct experiment e;
        status = experiment_open(&e, &in, i, f);
        if (status != STATUS_OK)
            break;
        failed += check_one(&e);
        experiment_close(&e);
    }
    if (count)
        inventory_close(&in);
    if (status == STATUS_OK && failed)
        return fail(f, STATUS_WRONG, "%zu rules fail in %zu experiments", failed, count);
    return status;
}
