/* The subject of a network's point: the network and its images, its columns and its summary. */
#include "harness/base/utf8.h"
#include "harness/machine/memory.h"
#include "harness/point/show/show_text.h"
#include "networks/bands.h"
#include "networks/graph.h"
#include "networks/models/models.h"
#include "networks/parameters.h"
#include "networks/point/classes.h"
#include "networks/point/images.h"
#include "networks/point/layers/layer_roof.h"
#include "networks/point/layers/layer_table.h"
#include "networks/point/network_run.h"
#include "networks/point/point_verifier.h"
#include "networks/point/training/training.h"
#include "networks/safetensors.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the network ------------------------------------------------------------------------------
 */

/* The root reads the parameters of a file and sends them to every process. */
static enum status read_parameters(const struct point *p, struct network_run *run,
                                   struct failure *f)
{
    enum status status = STATUS_OK;
    if (point_is_root(p))
        status = parameters_read(&run->network, p->options.weights, run->raw.values,
                                 &run->raw.rounded, f);
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        processes_broadcast(p->program->space->processes, run->raw.values,
                            (size_t)run->network.floats * sizeof(float));
    return status;
}

static bool names_one_method(const char *methods)
{
    return !methods || (!strchr(methods, ',') && strcmp(methods, "all") != 0);
}

static enum status make_parameters(const struct point *p, struct network_run *run,
                                   struct failure *f)
{
    const struct options *o = &p->options;
    enum status status =
        point_common_status(p, parameters_allocate(&run->network, &run->raw.values, f), f);
    run->raw.source = o->weights ? o->weights : "seeded";
    run->raw.packed_alone = o->verify == VERIFY_NONE && names_one_method(o->method);
    if (status != STATUS_OK)
        return status;
    if (o->weights)
        status = read_parameters(p, run, f);
    else if (!point_dry_run(p))
        parameters_initialize(&run->network, (enum initialization)o->init, (uint64_t)o->seed,
                              run->raw.values);
    const bool saves = o->save && o->task == 0 && point_is_root(p);
    if (status == STATUS_OK && saves)
        status = safetensors_can_write(o->save, f);
    if (status == STATUS_OK && saves)
        status = parameters_write(&run->network, o->save, run->raw.values, f);
    return point_common_status(p, status, f);
}

/* Finds the images of the batch that this process computes. */
static void take_part(const struct point *p, struct network_run *run)
{
    int rank, ranks;
    processes_place(p->program->space->processes, &rank, &ranks);
    run->images.here = network_span(run->images.batch, rank, ranks);
}

/* Checks the memory for the images and all layers' outputs in this process, and for processes of
 * one computer together, before anything is allocated, by the plan of one worker. Bands of several
 * workers may place outputs differently: forward_open() checks again, with the plan that runs. */
static enum status check_memory(const struct point *p, const struct network_run *run,
                                struct failure *f)
{
    struct plan plan = {.network = &run->network,
                        .batch = run->images.here.count,
                        .whole_batch = run->images.batch,
                        .workers = 1};
    enum status status = point_common_status(p, plan_make(&plan, f), f);
    const size_t images = (size_t)(run->images.here.count * tensor_elements(run->network.input));
    const size_t floats = memory_add(memory_add(plan.arena_floats, images),
                                     2 * (size_t)run->network.floats); /* read, and packed */
    const size_t bytes = memory_multiply(floats, sizeof(float));
    plan_release(&plan);
    if (status != STATUS_OK)
        return status;
    const uint64_t together = processes_sum_here(p->program->space->processes, bytes);
    return memory_check_shared(bytes, together, "images, parameters and the outputs of all layers",
                               f);
}

/* Makes the run; release() frees it. */
static enum status begin(struct point *p, struct failure *f)
{
    static const char *const of_training[] = {"record-training", "save-data", "init", "overlap"};
    const struct options *o = &p->options;
    if (!o->network)
        return fail(f, STATUS_USAGE, "which network? give --network (--list-networks lists them)");
    for (size_t i = 0; o->task == 0 && i < sizeof of_training / sizeof *of_training; i++)
        if (options_given(o, of_training[i]))
            return fail(f, STATUS_USAGE, "--%s goes with --task train", of_training[i]);
    struct network_run *run = calloc(1, sizeof *run);
    if (!run)
        return fail(f, STATUS_RESOURCE, "no memory for a network");
    run->row = network_row;
    p->operation.kind = &run->row;
    p->subject = run;
    run->settings.features = o->features;
    run->settings.clocked = o->layers || o->record_layers;
    run->settings.traced = o->trace != NULL;
    return STATUS_OK;
}

/* Reads the names of classes on the root, if requested. */
static enum status read_classes(const struct point *p, struct network_run *run, struct failure *f)
{
    const struct options *o = &p->options;
    const int64_t classes = tensor_elements(network_output(&run->network));
    enum status status = classes_check(o->top, o->class_names, classes, f);
    if (status == STATUS_OK && o->class_names && point_is_root(p))
        status = classes_read(&run->report.classes, o->class_names, classes, f);
    return status;
}

/* Reads the ceilings of --roof on the root, which prints shares of them. */
static enum status read_ceilings(const struct point *p, struct network_run *run, struct failure *f)
{
    const struct options *o = &p->options;
    if (o->roof && !o->layers && !o->record_layers && !o->trace)
        return fail(f, STATUS_USAGE,
                    "--roof is for --layers, --record-layers and --trace: give one of them too");
    return o->roof && point_is_root(p) ? layer_roof_read(&run->report.ceilings, o->roof, f)
                                       : STATUS_OK;
}

static enum status find(struct point *p, struct failure *f)
{
    enum status status = point_common_status(p, begin(p, f), f);
    struct network_run *run = network_run_of(p);
    if (status == STATUS_OK)
        status = point_common_status(p, network_images(p, run, f), f);
    if (status != STATUS_OK)
        return status;
    take_part(p, run);
    status = point_common_status(
        p, p->options.task == 0 ? check_memory(p, run, f) : training_find(p, run, f), f);
    if (status == STATUS_OK)
        status = point_common_status(p, read_classes(p, run, f), f);
    if (status == STATUS_OK)
        status = point_common_status(p, read_ceilings(p, run, f), f);
    if (status == STATUS_OK && point_is_root(p))
        status = outputs_open(&run->report.outputs, &p->options, f);
    if (status == STATUS_OK && p->options.graph && point_is_root(p))
        status = graph_write(&run->network, p->options.graph, f);
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        status = make_parameters(p, run, f);
    if (status == STATUS_OK)
        p->operation.image = network_images_shape(run);
    return status;
}

static void release(struct point *p)
{
    struct network_run *run = network_run_of(p);
    if (!run)
        return;
    training_release(run->training);
    network_release(&run->network);
    free(run->raw.values);
    classes_release(&run->report.classes);
    ceilings_release(&run->report.ceilings);
    outputs_close(&run->report.outputs);
    free(run);
}

/* ---- reports ----------------------------------------------------------------------------------
 */

static void fill_row(struct record *r, const struct point *p)
{
    const struct network_run *run = network_run_of(p);
    snprintf(r->network, RECORD_TEXT, "%s%s", run->network.name,
             run->settings.features ? "+features" : "");
    snprintf(r->weights, RECORD_TEXT, "%s", run->raw.source);
    r->batch = run->images.batch;
    if (!p->options.weights)
        r->seed = p->options.seed;
    snprintf(r->task, RECORD_TEXT, "infer");
    if (run->training)
        training_fill_row(r, run->training);
}

static void print_memory(FILE *out, const struct network_run *run, const struct forward *w)
{
    show_label(out, N_("Memory"));
    screen_say(out,
               "%{shared} for the outputs of layers (%{apart} if none shared memory); scratch "
               "%{scratch}\n",
               WITH({"shared", memory_text((double)w->plan.arena_floats * sizeof(float)).text},
                    {"apart", memory_text((double)w->plan.apart_floats * sizeof(float)).text},
                    {"scratch", memory_text((double)forward_scratch_bytes(w)).text}));
    show_label(out, "");
    if (w->plan.external)
        screen_say(
            out,
            "%{parameters} of parameters, and the copies of the library or device that "
            "runs them\n",
            WITH({"parameters", memory_text((double)run->network.floats * sizeof(float)).text}));
    else
        screen_say(
            out,
            run->raw.packed_alone && !run->training
                ? N_("%{parameters} of parameters, %{packed} of weights in the order of "
                     "reading; packed weights are kept in this order only\n")
                : N_("%{parameters} of parameters, %{packed} of weights in the order of "
                     "reading; packed weights are also kept unpacked\n"),
            WITH({"parameters", memory_text((double)run->network.floats * sizeof(float)).text},
                 {"packed", memory_text((double)plan_weights_bytes(&w->plan)).text}));
}

/* Prints how many steps use each method. */
static void print_methods(FILE *out, const struct plan *plan)
{
    const char *between = "";
    show_label(out, N_("Methods"));
    for (int i = 0; i < plan->count; i++) {
        int before = 0, all = 0;
        for (int k = 0; k < plan->count; k++) {
            const bool same = strcmp(plan->steps[k].method, plan->steps[i].method) == 0;
            before += same && k < i;
            all += same;
        }
        if (before > 0 || !plan->steps[i].method[0])
            continue;
        fprintf(out, "%s%s %d%s", between, plan->steps[i].method, all,
                step_is_never_exact(&plan->steps[i]) ? screen_text(N_(" (never exact)")) : "");
        between = ", ";
    }
    fprintf(out, "\n");
}

/* Prints how many steps are computed together in bands. */
static void print_bands(FILE *out, const struct plan *plan)
{
    int chains = 0;
    for (int i = 0; i < plan->count; i++)
        chains += plan->steps[i].bands > 0;
    if (chains == 0)
        return;
    show_label(out, N_("Bands"));
    screen_say(out,
               "%{steps} steps in groups of %{group}: the two maps within a group are never "
               "whole\n",
               WITH({"steps", text_grouped((int64_t)chains * BAND_STEPS).text},
                    {"group", text_grouped(BAND_STEPS).text}));
}

static void describe_network(FILE *out, const struct point *p)
{
    const struct network_run *run = network_run_of(p);
    char source[RECORD_TEXT + 64], seed[32];
    snprintf(seed, sizeof seed, "%lld", (long long)p->options.seed);
    if (p->options.weights)
        snprintf(source, sizeof source, "%s", run->raw.source);
    else
        message_fill(source, sizeof source, screen_text("%{source} with %{seed}"),
                     WITH({"source", screen_text(run->raw.source)}, {"seed", seed}));
    show_network(out, run->network.name, run->network.parameters, source, run->settings.features);
    if (run->raw.rounded == 0)
        return;
    show_label(out, "");
    fprintf(out, "%s\n",
            text_counted(run->raw.rounded, N_("parameter was rounded to float32"),
                         N_("parameters were rounded to float32"))
                .text);
}

static void describe_images(FILE *out, const struct point *p)
{
    const struct network_run *run = network_run_of(p);
    const struct tensor_shape in = run->network.input;
    show_label(out, N_("Images"));
    screen_say(out, "%{n} of %{channels} x %{rows} x %{columns} (%{source})",
               WITH({"n", text_grouped(run->images.batch).text},
                    {"channels", text_grouped(in.channels).text},
                    {"rows", text_grouped(in.rows).text}, {"columns", text_grouped(in.cols).text},
                    {"source", run->training ? run->training->data.name : source_name(p->source)}));
    if (run->images.here.count < run->images.batch)
        screen_say(out, "; %{n} of them in rank 0, whose methods, memory and layers follow",
                   WITH({"n", text_grouped(run->images.here.count).text}));
    fprintf(out, "\n");
    show_further(out, p->source ? source_note(p->source) : NULL);
}

static void describe(FILE *out, const struct point *p)
{
    const struct network_run *run = network_run_of(p);
    const struct forward *w = network_forward(p->contenders[0].instance);
    describe_network(out, p);
    describe_images(out, p);
    show_label(out, N_("Work"));
    screen_say(out, "%{n} multiply-adds per image; %{layers} layers in %{steps} steps\n",
               WITH({"n", text_grouped((int64_t)network_multiply_adds(&run->network)).text},
                    {"layers", text_grouped(run->network.count).text},
                    {"steps", text_grouped(w->plan.count).text}));
    show_label(out, N_("Outputs"));
    screen_say(out, "%{batch} x %{values} values\n",
               WITH({"batch", text_grouped(run->images.batch).text},
                    {"values", text_grouped(p->operation.map.cols).text}));
    if (run->training)
        training_describe(out, run->training);
    print_methods(out, &w->plan);
    print_bands(out, &w->plan);
    print_memory(out, run, w);
}

static void add_to_summary(FILE *out, const struct point *p)
{
    if (network_run_of(p)->training)
        training_add_to_summary(out, network_run_of(p)->training);
    if (!p->options.layers)
        return;
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct layer_roofs roofs = layer_roofs_of(p, i);
        if (p->contender_count > 1)
            screen_say(out, "\nMethod %{method}\n",
                       WITH({"method", operation_method(&p->contenders[i].operation)}));
        layer_table_print(out, p->contenders[i].instance, &roofs);
    }
}

/* --top */
static void show(FILE *out, const struct point *p, const float *outputs)
{
    const struct network_run *run = network_run_of(p);
    for (int64_t i = 0; i < run->images.batch; i++) {
        const char *name = network_image_name(p, i);
        char shown[PATH_MAX] = "";
        if (name)
            utf8_clean(name, shown, sizeof shown, true);
        fputc('\n', out);
        show_label(out, N_("Image"));
        fprintf(out, "%lld%s%s\n", (long long)i, name ? "  " : "", shown);
        classes_print_top(out, outputs + i * p->operation.map.cols, p->operation.map.cols,
                          p->options.top, &run->report.classes);
    }
}

static bool shows(const struct point *p)
{
    return p->options.top > 0;
}

static enum status deliver(struct point *p, struct failure *f)
{
    return outputs_deliver(&network_run_of(p)->report.outputs, p, f);
}

static bool samples(const struct point *p)
{
    return network_run_of(p)->training != NULL;
}

const struct subject network_subject = {.find = find,
                                        .samples = samples,
                                        .sample = training_sample,
                                        .make_verifier = network_verifier_make,
                                        .fill_row = fill_row,
                                        .describe = describe,
                                        .add_to_summary = add_to_summary,
                                        .shows = shows,
                                        .show = show,
                                        .deliver = deliver,
                                        .list = models_list,
                                        .release = release};
