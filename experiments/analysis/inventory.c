#include "experiments/analysis/inventory.h"

#include "harness/base/text/messages.h"
#include "harness/base/text/wording.h"

#include "experiments/analysis/derived/derived.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/analysis/trust/launch_load.h"
#include "experiments/common/results.h"
#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"
#include "harness/records/bytes.h"
#include "harness/records/timeline.h"
#include "harness/records/training_record.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* True for files that hold samples, of one experiment or of all. */
static int select_samples(const struct dirent *item)
{
    char name[RESULTS_NAME + 1];
    return results_own_name(item->d_name, name) || strcmp(item->d_name, "samples.csv") == 0 ||
           strcmp(item->d_name, "samples.csv.gz") == 0;
}

bool inventory_is_results(const char *folder)
{
    struct dirent **items = NULL;
    const int count = scandir(folder, &items, select_samples, NULL);
    for (int i = 0; i < count; i++)
        free(items[i]);
    free(items);
    return count > 0;
}

/* Notes a file that is no experiment, or has no samples yet. */
static void check_found(struct inventory *in, const char *file)
{
    char name[RESULTS_NAME + 1];
    const struct results_path path = results_file(in->folder, file);
    if (results_own_name(file, name) && !results_name_is_safe(name))
        gaps_note(&in->gaps, "", GAP_NOT_READ, STATUS_USAGE,
                  "%s: this cannot be the name of an experiment", path.text);
    else if (!table_is_begun(path.text))
        gaps_note(&in->gaps, "", GAP_NOT_READ, STATUS_OK, "%s: holds no samples yet", path.text);
}

static enum status find_samples(struct inventory *in, struct failure *f)
{
    struct dirent **items = NULL;
    int count = scandir(in->folder, &items, select_samples, alphasort);
    if (count < 0)
        return fail(f, failure_status_of(errno, STATUS_USAGE), "%s: cannot be read: %s", in->folder,
                    strerror(errno));
    for (int i = 0; i < count; i++) {
        check_found(in, items[i]->d_name);
        free(items[i]);
    }
    free(items);
    for (size_t i = 0; i < in->samples.count; i++)
        if (!texts_add(&in->names, in->samples.names.items[i]))
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", in->folder);
    if (count == 0)
        return fail(f, STATUS_USAGE, "%s: holds no samples; 'study run' makes them", in->folder);
    return STATUS_OK;
}

static enum status take_names(struct inventory *in, char **names, size_t count, struct failure *f)
{
    for (size_t i = 0; i < count; i++) {
        if (folder_samples_find(&in->samples, names[i]) == in->samples.count)
            return fail(f, STATUS_USAGE, "%s: there are no samples of '%s'", in->folder, names[i]);
        if (!texts_add(&in->names, names[i]))
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", in->folder);
    }
    return STATUS_OK;
}

static void read_machine(struct inventory *in)
{
    struct failure why = {0};
    const struct results_path path = results_environment(in->folder);
    if (machine_facts_read(&in->machine, path.text, &why) != STATUS_OK)
        gaps_note(&in->gaps, "", GAP_NOT_READ, why.status, "%s", why.message);
}

static void read_ceilings(struct inventory *in)
{
    struct failure why = {0};
    const struct results_path path = results_file(in->folder, "ceilings.csv");
    if (ceilings_read(&in->ceilings, path.text, &why) == STATUS_OK)
        return;
    ceilings_release(&in->ceilings);
    gaps_note(&in->gaps, "", GAP_NOT_READ, why.status, "%s", why.message);
}

/* A point that several experiments show has one interval, so their samples are examined together.
 * The set of an experiment that shares no point is examined when it is analysed. */
static enum status find_round_effects(struct inventory *in, struct failure *f)
{
    bool good = true;
    for (size_t i = 0; i < in->samples.count && in->samples.count > 1 && good; i++) {
        launch_load_leave_out(&in->samples.sets[i], &in->machine);
        good = round_effects_add(&in->effects, &in->samples.sets[i]);
    }
    return good ? STATUS_OK : fail(f, STATUS_RESOURCE, "%s: not enough memory", in->folder);
}

static enum status read_samples(struct inventory *in, struct failure *f)
{
    const enum status status = folder_samples_read(&in->samples, in->folder, f);
    const struct failure *why = &in->samples.unread;
    if (status == STATUS_OK && why->status != STATUS_OK)
        gaps_note(&in->gaps, "", GAP_NOT_READ, why->status, "%s", why->message);
    return status;
}

enum status inventory_open(struct inventory *in, const char *folder, char **names, size_t count,
                           struct failure *f)
{
    *in = (struct inventory){.folder = folder, .definitions = definitions_folder()};
    enum status status = read_samples(in, f);
    if (status == STATUS_OK)
        status = count ? take_names(in, names, count, f) : find_samples(in, f);
    read_machine(in);
    if (status == STATUS_OK)
        status = find_round_effects(in, f);
    if (status != STATUS_OK) {
        inventory_close(in);
        return status;
    }
    read_ceilings(in);
    in->topology.count = topology_marks_of_file(in->topology.marks, results_topology(folder).text);
    return STATUS_OK;
}

void inventory_close(struct inventory *in)
{
    texts_release(&in->names);
    folder_samples_release(&in->samples);
    round_effects_release(&in->effects);
    ceilings_release(&in->ceilings);
    machine_facts_release(&in->machine);
    gaps_release(&in->gaps);
    *in = (struct inventory){0};
}

/* Results may come from another machine: an experiment without a definition here is still analysed.
 * The definition of `study speedup` is in the folder of its samples. */
static void find_definition(struct experiment *e, const struct inventory *in, struct gaps *gaps)
{
    char *path = NULL;
    struct failure unused = {0}, why = {0};
    if (definition_find(&path, in->definitions, e->name, &unused) == STATUS_OK ||
        definition_find(&path, in->folder, e->name, &unused) == STATUS_OK) {
        e->defined = definition_read(&e->definition, path, SCALE_FULL, 1, &why) == STATUS_OK;
        if (!e->defined)
            gaps_note(gaps, e->name, GAP_NOT_READ, why.status, "%s", why.message);
    }
    free(path);
}

/* The samples can be analysed without forecasts, so a failure is only noted as a gap. */
static void make_forecasts(struct experiment *e, struct inventory *in)
{
    struct failure why = {0};
    if (forecasts_make(&e->forecasts, &e->analysis, in->folder, in->machine.cores, &why) ==
        STATUS_OK)
        return;
    e->forecasts = (struct forecasts){0};
    gaps_note(&in->gaps, e->name, GAP_NOT_READ, why.status, "%s", why.message);
}

static void read_layers(struct experiment *e, struct inventory *in)
{
    struct failure why = {0};
    if (layer_times_make(&e->layers, results_layers(in->folder, e->name).text, &e->analysis.samples,
                         e->request.ceilings, &why) != STATUS_OK)
        gaps_note(&in->gaps, e->name, GAP_NOT_READ, why.status, "%s", why.message);
}

static bool pass_over(const void *row, int64_t line, void *context)
{
    (void)row;
    (void)line;
    (void)context;
    return true;
}

/* Notes those files besides the samples that cannot be read: charts and sentences only say that
 * nothing was recorded. */
static void check_files(const struct experiment *e, struct inventory *in)
{
    const struct results_path layers = results_layers(in->folder, e->name);
    const struct {
        const char *path;
        const struct schema *schema;
    } files[] = {{layers.text, &layer_record_schema},
                 {e->training_path, &training_record_schema},
                 {e->timeline_path, &timeline_schema}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct failure why = {0};
        if (bytes_are_there(files[i].path) &&
            table_read(files[i].path, files[i].schema, pass_over, NULL, NULL, &why) != STATUS_OK)
            gaps_note(&in->gaps, e->name, GAP_NOT_READ, why.status, "%s", why.message);
    }
}

static void name_files(struct experiment *e, const struct inventory *in, size_t of_samples)
{
    const char *folder = in->folder;
    const struct results_path training = results_training(folder, e->name);
    snprintf(e->samples_path, sizeof e->samples_path, "%s",
             folder_samples_path(&in->samples, of_samples).text);
    snprintf(e->training_path, sizeof e->training_path, "%s", training.text);
    snprintf(e->timeline_path, sizeof e->timeline_path, "%s",
             results_timeline(folder, e->name).text);
}

enum status experiment_open(struct experiment *e, struct inventory *in, size_t index,
                            struct failure *f)
{
    *e = (struct experiment){.name = in->names.items[index], .topology = &in->topology};
    const size_t of_samples = folder_samples_find(&in->samples, e->name);
    find_definition(e, in, &in->gaps);
    name_files(e, in, of_samples);
    const char *baseline = e->defined ? e->definition.baseline : NULL;
    e->request = (struct analysis_request){
        .name = e->name,
        .samples = &in->samples,
        .index = of_samples,
        .effects = in->samples.count > 1 ? &in->effects : NULL,
        .baseline_method = baseline && baseline[0] ? baseline : "literal",
        .machine = &in->machine,
        .ceilings = in->ceilings.count ? &in->ceilings : NULL,
        .definition = e->defined ? &e->definition : NULL,
    };
    const enum status status = analysis_make(&e->analysis, &e->request, f);
    if (status != STATUS_OK) {
        experiment_close(e);
        return status;
    }
    make_forecasts(e, in);
    check_files(e, in);
    read_layers(e, in);
    return STATUS_OK;
}

enum status experiment_write_derived(const struct experiment *e, const char *folder,
                                     struct failure *f)
{
    char name[300];
    snprintf(name, sizeof name, "analysis/%s.scale.csv", e->name);
    enum status status = derived_write(&e->analysis, results_file(folder, "analysis").text, f);
    if (status == STATUS_OK)
        status = forecasts_write(&e->forecasts, e->name, results_file(folder, name).text, f);
    snprintf(name, sizeof name, "analysis/%s.speedup.csv", e->name);
    if (status == STATUS_OK)
        status = speedup_figure_write(&e->analysis, &e->forecasts, e->request.machine, e->topology,
                                      results_file(folder, name).text, f);
    snprintf(name, sizeof name, "analysis/%s.layers.csv", e->name);
    if (status == STATUS_OK && e->layers)
        status = layer_times_write(e->layers, results_file(folder, name).text, f);
    return status;
}

void experiment_close(struct experiment *e)
{
    forecasts_release(&e->forecasts);
    free(e->layers);
    e->layers = NULL;
    analysis_release(&e->analysis);
    if (e->defined)
        definition_release(&e->definition);
    e->defined = false;
}

void inventory_visit(struct inventory *in, experiment_visitor *visit, void *context)
{
    for (size_t i = 0; i < in->names.count; i++) {
        struct experiment e;
        struct failure why = {0};
        if (experiment_open(&e, in, i, &why) != STATUS_OK) {
            gaps_note(&in->gaps, "", GAP_NOT_READ, why.status, "%s", why.message);
            continue;
        }
        if (visit(&e, in, context, &why) != STATUS_OK)
            gaps_note(&in->gaps, e.name, GAP_NOT_WRITTEN, why.status, "%s", why.message);
        experiment_close(&e);
    }
}

struct experiment_words experiment_title(const struct experiment *e, const struct language *l)
{
    struct experiment_words w;
    wording_translate(l, "definition", e->defined ? e->definition.title : e->name, w.text,
                      sizeof w.text);
    return w;
}

struct experiment_words experiment_question(const struct experiment *e, const struct language *l)
{
    struct experiment_words w;
    wording_translate(l, "definition", e->defined ? e->definition.question : "", w.text,
                      sizeof w.text);
    return w;
}

size_t experiment_chart_count(const struct experiment *e)
{
    if (e->analysis.point_count == 0) /* nothing to draw without samples */
        return 0;
    return e->defined ? e->definition.charts.count : 1;
}

const char *experiment_chart(const struct experiment *e, size_t index)
{
    return e->defined ? e->definition.charts.items[index] : e->name;
}

enum sample_source experiment_source(const struct experiment *e, const struct record *r)
{
    bool launches = false;
    for (size_t i = 0; e->defined && i < e->definition.sweep_count; i++)
        launches = launches || e->definition.sweeps[i].own.words;
    if (!point_is_own_program(r))
        return is_simulated(r) ? SOURCE_SIMULATION : SOURCE_SUITE;
    return launches ? SOURCE_DEFINITION : r->launch[0] ? SOURCE_COMMAND : SOURCE_TIMES;
}
