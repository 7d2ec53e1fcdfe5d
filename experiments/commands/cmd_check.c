#include "experiments/analysis/inventory.h"
#include "experiments/analysis/trust/measurement_rules.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/report/charts/chart_contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, NAME = 36, TEXT = 640 }; /* columns of output and name; bytes of a line */

struct checked {
    char name[128]; /* of the experiment */
    struct rule_result results[RULES];
};

struct check {
    struct checked *experiments;
    size_t count, failed; /* number of failed rules */
};

static enum status check_one(struct experiment *e, struct inventory *in, void *context,
                             struct failure *f)
{
    struct check *check = context;
    struct checked *grown =
        realloc(check->experiments, (check->count + 1) * sizeof *check->experiments);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory to check it", e->name);
    check->experiments = grown;
    struct checked *c = &grown[check->count++];
    const struct chart_contents drawn = chart_contents_read(e, in->folder);
    snprintf(c->name, sizeof c->name, "%s", e->name);
    rules_check(&e->analysis, &e->request, &drawn, c->results);
    for (size_t i = 0; i < RULES; i++)
        check->failed += c->results[i].verdict == RULE_FAIL;
    return STATUS_OK;
}

/* ---- printing ------------------------------------------------------------------------------- */

/* Prints `begin` and then `text`, wrapped at WIDTH columns; lines after the first are indented by
 * the length of `begin`. */
static void print_wrapped(const char *begin, const char *text)
{
    const int indent = (int)strlen(begin);
    int column = indent;
    printf("%s", begin);
    for (const char *at = text; *at;) {
        const int length = (int)strcspn(at, " ");
        if (column > indent && column + 1 + length > WIDTH)
            column = printf("\n%*s", indent, "") - 1;
        else if (column > indent)
            column += printf(" ");
        column += printf("%.*s", length, at);
        at += length + (at[length] == ' ');
    }
    putchar('\n');
}

static int name_width(const struct check *c)
{
    size_t width = strlen("experiment");
    for (size_t i = 0; i < c->count; i++)
        width = strlen(c->experiments[i].name) > width ? strlen(c->experiments[i].name) : width;
    return width > NAME ? NAME : (int)width;
}

static void print_matrix(const struct check *c)
{
    const int width = name_width(c);
    printf("%-*s", width, "experiment");
    for (int i = 0; i < RULES; i++)
        printf(" %4d", i + 1);
    putchar('\n');
    for (size_t i = 0; i < c->count; i++) {
        const char *name = c->experiments[i].name;
        const bool cut = strlen(name) > NAME;
        printf("%-*.*s%s", cut ? width - 3 : width, cut ? width - 3 : width, name,
               cut ? "..." : "");
        for (int j = 0; j < RULES; j++)
            printf(" %4s", rule_verdict_names[c->experiments[i].results[j].verdict]);
        putchar('\n');
    }
    puts("ok: kept. -: the rule does not apply. FAIL: see below.\n");
}

static void print_rules(void)
{
    for (int i = 0; i < RULES; i++) {
        char begin[8];
        snprintf(begin, sizeof begin, "%4d  ", i + 1);
        print_wrapped(begin, rule_texts[i]);
    }
}

static void print_exceptions(const struct check *c)
{
    for (int i = 0; i < RULES; i++)
        for (size_t j = 0; j < c->count; j++) {
            const struct rule_result *r = &c->experiments[j].results[i];
            char text[TEXT];
            snprintf(text, sizeof text, "%s, rule %d: %s", c->experiments[j].name, i + 1,
                     r->detail);
            if (r->verdict == RULE_FAIL)
                print_wrapped("  - ", text);
        }
}

static void print_check(const struct check *c)
{
    print_matrix(c);
    print_rules();
    if (c->failed)
        puts("\nNot kept:");
    print_exceptions(c);
}

enum status command_check(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default, *definitions = definitions_folder();
    const struct option_row options[] = {
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &folder},
        {"definitions", VALUE_TEXT, "DIR", "folder of the definitions (default: the suite's own)",
         .target = &definitions},
    };
    const struct usage usage = {
        "[NAME]...",
        "Compares results and their charts with the twelve rules of Hoefler & Belli (SC15), and\n"
        "prints a table of experiments and rules. Where a rule is broken it says what is missing,\n"
        "and the exit status is 1.",
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
    status = definitions_check(definitions, f);
    if (status == STATUS_OK)
        status = inventory_open(&in, folder, argv + 1, (size_t)operands, f);
    if (status != STATUS_OK)
        return status;
    in.definitions = definitions;
    struct check check = {0};
    inventory_visit(&in, check_one, &check);
    print_check(&check);
    if (check.failed)
        status =
            fail(f, STATUS_WRONG, "%zu rules fail in %zu experiments", check.failed, check.count);
    else
        status = gaps_end(&in.gaps, f);
    free(check.experiments);
    inventory_close(&in);
    return status;
}
