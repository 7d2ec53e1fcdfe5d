#include "experiments/analysis/inventory.h"

#include "experiments/analysis/derived.h"
#include "experiments/common/results.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NAME.csv holds samples; NAME.points.csv is a journal, and ceilings.csv no experiment. */
static bool is_samples(const char *file)
{
    const char *dot = strchr(file, '.');
    return dot && dot != file && strcmp(dot, ".csv") == 0 && strcmp(file, "ceilings.csv") != 0;
}

static int select_samples(const struct dirent *item)
{
    return is_samples(item->d_name);
}

static bool add_name(struct texts *names, const char *name, size_t length)
{
    char **grown = realloc(names->items, (names->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    names->items = grown;
    grown[names->count] = strndup(name, length);
    return grown[names->count] && ++names->count;
}

static enum status find_samples(struct inventory *in, struct failure *f)
{
    struct dirent **items = NULL;
    int count = scandir(in->folder, &items, select_samples, alphasort);
    if (count < 0)
        return fail(f, STATUS_USAGE, "%s: cannot be read: %s", in->folder, strerror(errno));
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && add_name(&in->names, items[i]->d_name, strlen(items[i]->d_name) - 4);
        free(items[i]);
    }
    free(items);
    if (!good)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", in->folder);
    if (count == 0)
        return fail(f, STATUS_USAGE, "%s: holds no samples; 'study run' makes them", in->folder);
    return STATUS_OK;
}

static enum status take_names(struct inventory *in, char **names, size_t count, struct failure *f)
{
    for (size_t i = 0; i < count; i++) {
        struct results_path path = results_samples(in->folder, names[i]);
        if (!results_name_is_safe(names[i]) || access(path.text, R_OK) != 0)
            return fail(f, STATUS_USAGE, "%s: there are no samples of '%s'", in->folder, names[i]);
        if (!add_name(&in->names, names[i], strlen(names[i])))
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", in->folder);
    }
    return STATUS_OK;
}

enum status inventory_open(struct inventory *in, const char *folder, char **names, size_t count,
                           struct failure *f)
{
    *in = (struct inventory){.folder = folder};
    struct results_path ceilings = results_file(folder, "ceilings.csv");
    enum status status = count ? take_names(in, names, count, f) : find_samples(in, f);
    if (status == STATUS_OK)
        status = machine_facts_read(&in->machine, results_environment(folder).text, f);
    if (status == STATUS_OK)
        status = ceilings_read(&in->ceilings, ceilings.text, f);
    if (status != STATUS_OK)
        inventory_close(in);
    return status;
}

void inventory_close(struct inventory *in)
{
    texts_release(&in->names);
    ceilings_release(&in->ceilings);
    *in = (struct inventory){0};
}

/* Results may come from elsewhere: an experiment that nobody defined here is still analysed. */
static void find_definition(struct experiment *e)
{
    char *path = NULL;
    struct failure unused = {0};
    if (definition_find(&path, definitions_folder(), e->name, &unused) == STATUS_OK)
        e->defined = definition_read(&e->definition, path, SCALE_FULL, 1, &unused) == STATUS_OK;
    free(path);
}

enum status experiment_open(struct experiment *e, const struct inventory *in, size_t index,
                            struct failure *f)
{
    *e = (struct experiment){.name = in->names.items[index]};
    find_definition(e);
    snprintf(e->samples_path, sizeof e->samples_path, "%s",
             results_samples(in->folder, e->name).text);
    snprintf(e->journal_path, sizeof e->journal_path, "%s",
             results_journal(in->folder, e->name).text);
    const char *baseline = e->defined ? e->definition.baseline : NULL;
    e->request = (struct analysis_request){
        .name = e->name,
        .path = e->samples_path,
        .baseline_method = baseline && baseline[0] ? baseline : "literal",
        .relative_ci = e->defined ? e->definition.sampling.relative_ci : 0.02,
        .journal = e->journal_path,
        .machine = &in->machine,
        .ceilings = in->ceilings.count ? &in->ceilings : NULL,
        .definition = e->defined ? &e->definition : NULL,
    };
    enum status status = analysis_make(&e->analysis, &e->request, f);
    if (status == STATUS_OK)
        status = forecasts_make(&e->forecasts, &e->analysis, in->folder, in->machine.cores, f);
    if (status != STATUS_OK)
        experiment_close(e);
    return status;
}

enum status experiment_write_derived(const struct experiment *e, const char *folder,
                                     struct failure *f)
{
    char name[300];
    snprintf(name, sizeof name, "analysis/%.200s.scale.csv", e->name);
    enum status status = derived_write(&e->analysis, results_file(folder, "analysis").text, f);
    if (status == STATUS_OK && e->forecasts.count > 0)
        status = forecasts_write(&e->forecasts, e->name, results_file(folder, name).text, f);
    return status;
}

void experiment_close(struct experiment *e)
{
    forecasts_release(&e->forecasts);
    analysis_release(&e->analysis);
    if (e->defined)
        definition_release(&e->definition);
    e->defined = false;
}

const char *experiment_title(const struct experiment *e, enum language l)
{
    return e->defined ? say(l, e->definition.title, e->definition.title_es) : e->name;
}

const char *experiment_question(const struct experiment *e, enum language l)
{
    return e->defined ? say(l, e->definition.question, e->definition.question_es) : "";
}

size_t experiment_chart_count(const struct experiment *e)
{
    if (e->analysis.point_count == 0) /* nothing to draw before there are samples */
        return 0;
    return e->defined ? e->definition.charts.count : 1;
}

const char *experiment_chart(const struct experiment *e, size_t index)
{
    return e->defined ? e->definition.charts.items[index] : e->name;
}
