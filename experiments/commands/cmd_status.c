#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/common/text/wrap.h"
#include "experiments/plan/selection.h"
#include "experiments/run/ledger.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts the points that the plan leaves out or their program refuses. */
static size_t left_out_of(const struct ledger *ledger, size_t definition)
{
    const struct plan *plan = ledger->plan;
    size_t n = 0;
    for (size_t i = 0; i < plan->count; i++)
        n += plan->points[i].definition == definition &&
             (plan->points[i].skip || ledger->points[i].refused);
    return n;
}

/* Context of print_failure(): the experiment, and the ledger that knows which launches succeeded
 * later. */
struct failures {
    const struct ledger *ledger;
    size_t definition;
};

/* Whether the row is a failure that no later launch made good, or a refusal. */
static bool stands(const struct ledger *ledger, size_t point, const struct journal_row *row)
{
    return ledger_state(ledger, point, row->point.round) == LAUNCH_FAILED ||
           (ledger->points[point].refused && strcmp(row->status, "skipped") == 0);
}

/* Prints a failure, its command in a form for the shell, and the output of the program. */
static void print_row(const struct journal_row *row, const char *label)
{
    printf("  %s: %s, round %" PRId64 ":\n", row->status, label, row->point.round);
    wrap_print("    ", "    ", wording_on_screen(row->reason).text, "");
    bool quoted = strchr(row->command, '\'') != NULL; /* a line break would become part of a quoted
                                                       * argument */
    if (quoted)
        printf("    %s\n", row->command);
    else
        wrap_print("    ", "      ", row->command, " \\");
    if (*row->output)
        wrap_print(screen_text(N_("    it said: ")), "      ", row->output, "");
}

static bool print_failure(const struct journal_row *row, void *context)
{
    const struct failures *of = context;
    const struct plan *plan = of->ledger->plan;
    if (row->point.round == RECORD_NO_INT || strcmp(row->status, "done") == 0 ||
        strcmp(row->status, "interrupted") == 0)
        return true; /* left out by the plan, or no failure */
    for (size_t i = 0; i < plan->count; i++) {
        char label[256];
        if (plan->points[i].definition != of->definition ||
            !point_matches(&plan->points[i].point, &row->point) || !stands(of->ledger, i, row))
            continue;
        point_label(&row->point, label, sizeof label);
        print_row(row, label);
    }
    return true;
}

/* ---- failures of launches outside this plan -------------------------------------------------- */

/* Failed launches of other plans, for example with other --cores or at another scale. The last row
 * of each (point, round) counts. */
struct others {
    const struct plan *plan;
    size_t definition;
    struct journal_row *rows; /* owned */
    size_t count;
    bool out_of_memory;
};

static bool is_planned(const struct plan *plan, size_t definition, const struct record *point)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].definition == definition &&
            point_matches(&plan->points[i].point, point))
            return true;
    return false;
}

static void forget(struct others *o, const struct journal_row *row)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->count; i++)
        if (o->rows[i].point.round != row->point.round ||
            !point_matches(&o->rows[i].point, &row->point))
            o->rows[kept++] = o->rows[i];
    o->count = kept;
}

static bool take_other(const struct journal_row *row, void *context)
{
    struct others *o = context;
    const bool failed = strcmp(row->status, "failed") == 0 || strcmp(row->status, "timeout") == 0;
    if (row->point.round == RECORD_NO_INT || is_planned(o->plan, o->definition, &row->point))
        return true;
    if (failed || strcmp(row->status, "done") == 0)
        forget(o, row);
    if (!failed)
        return true;
    struct journal_row *grown = realloc(o->rows, (o->count + 1) * sizeof *grown);
    o->out_of_memory = !grown;
    if (grown) {
        o->rows = grown;
        o->rows[o->count++] = *row;
    }
    return grown != NULL;
}

static enum status find_others(struct others *o, const char *results, struct failure *f)
{
    const char *name = o->plan->definitions[o->definition].name;
    const enum status status = journal_read_of(results, name, take_other, o, f);
    return o->out_of_memory ? fail(f, STATUS_RESOURCE, "not enough memory for the journal")
                            : status;
}

static void print_others(const struct others *o)
{
    char label[256];
    for (size_t i = 0; i < o->count; i++) {
        point_label(&o->rows[i].point, label, sizeof label);
        print_row(&o->rows[i], label);
    }
}

/* ---- an experiment --------------------------------------------------------------------------- */

static void print_left_out(const struct plan *plan, size_t definition)
{
    char label[256];
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->points[i].definition != definition || !plan->points[i].skip)
            continue;
        point_label(&plan->points[i].point, label, sizeof label);
        printf("  %s: %s\n", screen_text(N_("left out")), label);
        wrap_print("    ", "    ", wording_on_screen(plan->points[i].skip).text, "");
    }
}

/* The launches of an experiment, in the language of the screen. */
static void print_tally(const struct definition *d, const struct launch_tally *t, size_t others,
                        size_t left)
{
    char done[24], planned[24], failed[24], missing[24], out[24], text[512];
    snprintf(done, sizeof done, "%zu", t->done);
    snprintf(planned, sizeof planned, "%zu", t->planned);
    snprintf(failed, sizeof failed, "%zu", t->failed + others);
    snprintf(missing, sizeof missing, "%zu", t->planned - t->done - t->failed);
    snprintf(out, sizeof out, "%zu", left);
    message_fill(text, sizeof text,
                 message_plural(screen_language(),
                                "%{done} of %{planned} launches done, %{failed} failed, %{missing} "
                                "missing; %{n} point left out",
                                "%{done} of %{planned} launches done, %{failed} failed, %{missing} "
                                "missing; %{n} points left out",
                                left),
                 WITH({"done", done}, {"planned", planned}, {"failed", failed},
                      {"missing", missing}, {"n", out}));
    printf("%s (%s): %s\n", d->name, scale_names[d->scale], text);
}

static enum status print_experiment(const struct ledger *ledger, size_t definition,
                                    const char *results, bool left_out, struct failure *f)
{
    const struct definition *d = &ledger->plan->definitions[definition];
    struct launch_tally t = ledger_tally(ledger, definition);
    size_t left = left_out_of(ledger, definition);
    struct failures failures = {ledger, definition};
    struct others others = {.plan = ledger->plan, .definition = definition};
    enum status status = find_others(&others, results, f);
    if (status == STATUS_OK) {
        print_tally(d, &t, others.count, left);
        if (others.count > 0)
            screen_say_plural(stdout,
                              "  of the failed %{n} is of points outside this plan (other --cores, "
                              "or another scale)\n",
                              "  of the failed %{n} are of points outside this plan (other "
                              "--cores, or another scale)\n",
                              others.count, NULL);
        if (left_out)
            print_left_out(ledger->plan, definition);
        print_others(&others);
        status = journal_read_of(results, d->name, print_failure, &failures, f);
    }
    free(others.rows);
    return status;
}

enum status command_status(int argc, char **argv, struct failure *f)
{
    struct selection selection;
    bool left_out = false;
    struct option_row options[SELECTION_ROWS + 1] = {
        {"left-out", VALUE_FLAG, NULL, "list the points that are left out, and why",
         .target = &left_out},
    };
    selection_begin(&selection);
    size_t count = 1 + selection_options(&selection, SELECT_EVERY, options + 1);
    const struct usage usage = {
        "[NAME...]", "Shows what was measured, what failed and why, and what is missing.",
        options,     count,
        0,           -1};
    int operands;
    struct plan plan;
    struct ledger ledger;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (selection_plan(&selection, argv + 1, operands, true, &plan, f) != STATUS_OK)
        return f->status;
    enum status status = ledger_read(&ledger, &plan, selection.results, false, NULL, f);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < plan.definition_count && status == STATUS_OK; i++)
            status = print_experiment(&ledger, i, selection.results, left_out, f);
        ledger_release(&ledger);
    }
    plan_release(&plan);
    return status;
}
