/* study audit: checks archives for consistency and measures a random part of them again. */
#include "classroom/class/audit.h"
#include "classroom/class/repeat.h"
#include "experiments/analysis/numbers.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/screen.h"

#include <stdio.h>
#include <stdlib.h>

static const char about[] =
    "Examines archives of `study pack`. Are the files and samples those that were measured? Did\n"
    "the methods run in the order that the seed gives? Do the times match the clock readings\n"
    "beside them? Is a time shorter than the machine allows, or far shorter than all other\n"
    "samples? Then a random part of all points (a point is one method of one archive) is\n"
    "measured again on this machine, in the sandbox of `study lab`, and the shares of the two\n"
    "machines' limits are compared.\n"
    "\n"
    "Exit status: 0 all archives are consistent, 1 at least one is not, 2 an archive could not be\n"
    "read.";

struct audit_command {
    struct repeat_plan plan;
    int64_t seed;
    const char *language;
};

/* The archives that could be read, and the number of unreadable and inconsistent ones. */
struct audited {
    struct submission *all;
    size_t count, unreadable, inconsistent;
    struct repeats repeats;
};

static enum status read_all(struct audited *a, char **paths, size_t count, struct failure *f)
{
    a->all = calloc(count, sizeof *a->all);
    if (!a->all)
        return fail(f, STATUS_RESOURCE, "not enough memory for %zu archives", count);
    for (size_t i = 0; i < count; i++) {
        struct failure why = {0};
        if (submission_read(&a->all[a->count], paths[i], &why) == STATUS_OK) {
            a->count++;
            continue;
        }
        a->unreadable++;
        fprintf(stderr, "study: %s\n", why.message);
        if (why.status != STATUS_USAGE)
            return fail(f, why.status, "%s", why.message);
    }
    return STATUS_OK;
}

static void print_repeats(const struct audited *a, size_t which, const struct language *l)
{
    static const char *const words[] = {[REPEAT_CONSISTENT] = N_("repeated: consistent"),
                                        [REPEAT_DIFFERENT] = N_("repeated: NOT consistent"),
                                        [REPEAT_IMPOSSIBLE] = N_("not repeated")};
    for (size_t i = 0; i < a->repeats.count; i++) {
        const struct repeated *r = &a->repeats.items[i];
        if (r->submission == which)
            printf("  %s: %s\n", message(l, words[r->end]), r->text);
    }
}

static bool has_different(const struct audited *a, size_t which)
{
    bool has = false;
    for (size_t i = 0; i < a->repeats.count; i++)
        has = has || (a->repeats.items[i].submission == which &&
                      a->repeats.items[i].end == REPEAT_DIFFERENT);
    return has;
}

static enum status audit_one(struct audited *a, size_t which, const struct repeat_plan *plan,
                             struct failure *f)
{
    struct texts faults = {NULL, 0};
    const struct submission *s = &a->all[which];
    const struct language *l = plan->language;
    enum status status = audit_check(s, l, &faults, f);
    if (status == STATUS_OK)
        status = repeat_measure(&a->repeats, a->all, which, plan, f);
    if (status == STATUS_OK) {
        const bool differs = faults.count > 0 || has_different(a, which);
        printf("%s: %s\n", s->path, message(l, differs ? N_("NOT CONSISTENT") : N_("consistent")));
        for (size_t i = 0; i < faults.count; i++)
            printf("  %s\n", faults.items[i]);
        print_repeats(a, which, l);
        a->inconsistent += differs;
    }
    texts_release(&faults);
    return status;
}

static void print_summary(const struct audited *a, const struct language *l)
{
    char archives[200], points[200];
    const size_t all = a->count + a->unreadable, drawn = a->repeats.count;
    message_fill(archives, sizeof archives,
                 message_plural(l, "%{consistent} of %{n} archive is consistent",
                                "%{consistent} of %{n} archives are consistent",
                                (unsigned long)all),
                 WITH({"consistent", number_of(a->count - a->inconsistent).text},
                      {"n", number_of(all).text}));
    message_fill(points, sizeof points,
                 message_plural(l, "; %{n} point was drawn to be repeated",
                                "; %{n} points were drawn to be repeated", (unsigned long)drawn),
                 WITH({"n", number_of(drawn).text}));
    printf("%s%s\n", archives, points);
}

static enum status audit_all(struct audited *a, const struct repeat_plan *plan, struct failure *f)
{
    enum status status = repeat_draw(&a->repeats, a->all, a->count, plan, f);
    for (size_t i = 0; i < a->count && status == STATUS_OK; i++)
        status = audit_one(a, i, plan, f);
    if (status != STATUS_OK)
        return status;
    print_summary(a, plan->language);
    if (a->unreadable > 0)
        return fail(f, STATUS_USAGE, "%zu archives could not be read", a->unreadable);
    return a->inconsistent > 0
               ? fail(f, STATUS_WRONG, "%zu archives are not consistent", a->inconsistent)
               : STATUS_OK;
}

static enum status check_plan(const struct repeat_plan *plan, struct failure *f)
{
    if (!(plan->share >= 0.0 && plan->share <= 1.0))
        return fail(f, STATUS_USAGE, "--share must be from 0 to 1, not %g", plan->share);
    if (!(plan->tolerance >= 1.0))
        return fail(f, STATUS_USAGE, "--tolerance must be at least 1, not %g", plan->tolerance);
    return STATUS_OK;
}

enum status command_audit(int argc, char **argv, struct failure *f)
{
    struct audit_command c = {.plan = {.share = 0.05, .tolerance = 1.5, .results = results_default},
                              .seed = 35,
                              .language = screen_language()->code};
    const struct option_row options[] = {
        {"share", VALUE_REAL, "X",
         "share of the points that is measured again (default 0.05; 0: none)",
         .target = &c.plan.share},
        {"seed", VALUE_INT, "N", "seed of the random choice (default 35)", .target = &c.seed},
        {"tolerance", VALUE_REAL, "X",
         "factor by which shares of the limit may differ between machines (default 1.5)",
         .target = &c.plan.tolerance},
        {"max-seconds", VALUE_DURATION, "S", "time for the rounds of one archive (default 8)",
         .target = &c.plan.seconds},
        {"despite-load", VALUE_FLAG, NULL, "compare although other programs are running here",
         .target = &c.plan.despite_load},
        {"results", VALUE_TEXT, "DIR",
         "folder with this machine's ceilings.csv (default results/local)",
         .target = &c.plan.results},
        {"lang", VALUE_TEXT, "en|es", "language of what is found (default: the environment's)",
         .target = &c.language},
    };
    const struct usage usage = {
        "ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands;
    struct audited a = {.count = 0};
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    c.plan.seed = (uint64_t)c.seed;
    enum status status = check_plan(&c.plan, f);
    if (status == STATUS_OK)
        status = language_find(&c.plan.language, c.language, f);
    if (status == STATUS_OK)
        status = read_all(&a, argv + 1, (size_t)operands, f);
    if (status == STATUS_OK)
        status = audit_all(&a, &c.plan, f);
    repeat_release(&a.repeats);
    for (size_t i = 0; i < a.count; i++)
        submission_release(&a.all[i]);
    free(a.all);
    return status;
}
