#include "experiments/plan/selection.h"

#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/plan/cost.h"
#include "harness/base/own_path.h"
#include "harness/base/suite_files.h"
#include "harness/machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* The parts of --thesis, as named in its usage and messages. */
#define THESIS_PARTS "tesina, solar, devices, faces"

void selection_begin(struct selection *s)
{
    *s = (struct selection){
        .results = results_default, .definitions = definitions_folder(), .launcher = ""};
    if (!own_path(s->own_folder))
        s->own_folder[0] = '\0';
    char *slash = strrchr(s->own_folder, '/');
    if (slash)
        *slash = '\0';
    s->bin = s->own_folder;
    suite_module(s->own_simulated, "simgrid");
}

size_t selection_options(struct selection *s, unsigned which, struct option_row *rows)
{
    const struct {
        unsigned bit;
        struct option_row row;
    } all[] = {
        {SELECT_RESULTS,
         {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
          .target = &s->results}},
        {SELECT_SCALES,
         {"quick", VALUE_FLAG, NULL, "quick scale: three minutes for all experiments (default)",
          .target = &s->quick}},
        {SELECT_SCALES,
         {"standard", VALUE_FLAG, NULL, "standard scale: thirty minutes", .target = &s->standard}},
        {SELECT_SCALES, {"full", VALUE_FLAG, NULL, "full scale: a night", .target = &s->full}},
        {SELECT_THESIS,
         {"thesis", VALUE_FLAG, NULL,
          "measure the points of the tesina and three more documents, an hour and a half; NAME is "
          "a part, which 'study list --thesis' shows, or nothing for all",
          .target = &s->thesis}},
        {SELECT_ALL, {"all", VALUE_FLAG, NULL, "every experiment", .target = &s->all}},
        {SELECT_BIN,
         {"bin", VALUE_TEXT, "DIR", "folder of the point programs (default: that of study)",
          .target = &s->bin}},
        {SELECT_DEFINITIONS,
         {"definitions", VALUE_TEXT, "DIR", "folder of the definitions",
          .target = &s->definitions}},
        {SELECT_LAUNCHER,
         {"launcher", VALUE_TEXT, "NAME",
          "how each point is started: plain, mpirun, srun or simgrid (default: as its program "
          "needs)",
          .target = &s->launcher}},
        {SELECT_CORES,
         {"cores", VALUE_INT, "N", "plan for a machine of N cores (default: this one)",
          .target = &s->cores, .least = 1}},
    };
    _Static_assert(sizeof all / sizeof *all == SELECTION_ROWS, "room for every option");
    size_t count = 0;
    for (size_t i = 0; i < SELECTION_ROWS; i++)
        if (which & all[i].bit)
            rows[count++] = all[i].row;
    return count;
}

enum scale selection_scale(const struct selection *s)
{
    if (s->thesis)
        return SCALE_THESIS;
    if (s->full)
        return SCALE_FULL;
    return s->standard ? SCALE_STANDARD : SCALE_QUICK;
}

static enum status check(const struct selection *s, struct failure *f)
{
    static const char *const launchers[] = {"", "plain", "mpirun", "srun", "simgrid"};
    if (s->quick + s->standard + s->full + s->thesis > 1)
        return fail(f, STATUS_USAGE, "--quick, --standard, --full and --thesis exclude each other");
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (strcmp(s->launcher, launchers[i]) == 0)
            return STATUS_OK;
    return fail(f, STATUS_USAGE, "--launcher must be plain, mpirun, srun or simgrid, not '%s'",
                s->launcher);
}

static enum status add_file(const struct selection *s, const char *path, struct plan *plan,
                            struct failure *f)
{
    struct definition d;
    const enum status status =
        definition_read(&d, path, selection_scale(s), plan->settings.cores, f);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < plan->definition_count; i++)
        if (strcmp(plan->definitions[i].name, d.name) == 0) {
            definition_release(&d);
            return STATUS_OK; /* the experiment was named twice */
        }
    return plan_add(plan, &d, f);
}

static enum status add(const struct selection *s, const char *name, struct plan *plan,
                       struct failure *f)
{
    char *path = NULL;
    enum status status = definition_find(&path, s->definitions, name, f);
    if (status == STATUS_OK)
        status = add_file(s, path, plan, f);
    free(path);
    return status;
}

static enum status add_all(const struct selection *s, struct plan *plan, struct failure *f)
{
    struct texts names;
    enum status status = definition_names(&names, s->definitions, f);
    for (size_t i = 0; i < names.count && status == STATUS_OK; i++)
        status = add(s, names.items[i], plan, f);
    texts_release(&names);
    return status;
}

/* Adds the definitions of a part: their names begin with its word, "solar_". *known: the part
 * exists. */
static enum status add_part(const struct selection *s, const char *word, struct plan *plan,
                            bool *known, struct failure *f)
{
    struct texts names;
    *known = false;
    enum status status = definition_names(&names, s->definitions, f);
    for (size_t i = 0; i < names.count && status == STATUS_OK; i++) {
        const size_t length = strcspn(names.items[i], "_");
        if (strlen(word) != length || strncmp(names.items[i], word, length) != 0)
            continue;
        *known = true;
        status = add(s, names.items[i], plan, f);
    }
    texts_release(&names);
    return status;
}

static enum status add_named(const struct selection *s, const char *name, struct plan *plan,
                             struct failure *f)
{
    struct failure missing = {0};
    char *path = NULL;
    bool known = false;
    enum status status = s->thesis ? add_part(s, name, plan, &known, f) : add(s, name, plan, f);
    if (!s->thesis || known || status != STATUS_OK)
        return status;
    status =
        definition_find(&path, s->definitions, name, &missing) == STATUS_OK
            ? add_file(s, path, plan, f)
            : fail(f, STATUS_USAGE, "'%s' is no part of --thesis, which are " THESIS_PARTS "; %s",
                   name, missing.message);
    free(path);
    return status;
}

/* Fails at once if the launcher simgrid is requested without SimGrid: it could run nothing. */
static enum status check_simgrid(const struct plan *plan, struct failure *f)
{
    bool asked = strcmp(plan->settings.launcher, "simgrid") == 0;
    for (size_t i = 0; i < plan->definition_count && !asked; i++)
        asked = strcmp(plan->definitions[i].launcher, "simgrid") == 0;
    if (!asked || process_in_path("smpirun"))
        return STATUS_OK;
    return fail(f, STATUS_UNAVAILABLE,
                "the launcher simgrid needs smpirun, which is not installed (Debian: "
                "libsimgrid-dev)");
}

enum status selection_plan(const struct selection *asked, char **names, int count, bool none_is_all,
                           struct plan *plan, struct failure *f)
{
    struct selection own = *asked;
    const struct selection *s = &own;
    struct machine machine;
    *plan = (struct plan){0};
    if (own.thesis && strcmp(own.definitions, definitions_folder()) == 0)
        own.definitions = definitions_thesis_folder();
    enum status status = check(s, f);
    if (status != STATUS_OK)
        return status;
    machine_describe(&machine);
    const int64_t here = machine_capacity(&machine);
    plan->settings =
        (struct plan_settings){s->bin, s->launcher, s->cores > 0 ? s->cores : here, here,
                               asked->bin == asked->own_folder ? asked->own_simulated : NULL};
    if (s->all || (count == 0 && (none_is_all || s->thesis)))
        status = add_all(s, plan, f);
    else if (count == 0)
        status = fail(f, STATUS_USAGE,
                      "which experiment? name some, or give --all; 'study list' "
                      "lists them");
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = add_named(s, names[i], plan, f);
    if (status == STATUS_OK)
        status = check_simgrid(plan, f);
    if (status == STATUS_OK)
        status = plan_group(plan, !s->apart, f);
    if (status == STATUS_OK)
        status = cost_estimate(plan, s->results, f);
    if (status == STATUS_OK)
        status = simulated_look_up(plan, s->results, f);
    if (status != STATUS_OK)
        plan_release(plan);
    return status;
}

static bool has_points(const struct plan *plan, size_t definition)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].definition == definition)
            return true;
    return false;
}

/* Returns the first scale that a sweep of the definition belongs to. */
static enum scale first_scale(const struct definition *d)
{
    unsigned scales = 0;
    for (size_t i = 0; i < d->sweep_count; i++)
        scales |= d->sweeps[i].scales;
    for (int scale = 0; scale < SCALES; scale++)
        if (scales >> scale & 1u)
            return (enum scale)scale;
    return SCALE_FULL;
}

enum status selection_check_points(const struct selection *s, const struct plan *plan,
                                   struct failure *f)
{
    for (size_t i = 0; i < plan->definition_count && !s->all; i++) {
        const struct definition *d = &plan->definitions[i];
        char text[600];
        if (has_points(plan, i))
            continue;
        snprintf(text, sizeof text, "%s: no points at --%s; try --%s", d->name,
                 scale_names[d->scale], scale_names[first_scale(d)]);
        if (plan->count == 0)
            return fail(f, STATUS_USAGE, "%s", text);
        fprintf(stderr, "study: %s\n", text);
    }
    return STATUS_OK;
}
