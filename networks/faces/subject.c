/* The subject of a point of faces: its network, its pictures, its columns and its summary. */
#include "harness/base/suite_files.h"
#include "harness/image/pictures.h"
#include "harness/machine/memory.h"
#include "harness/point/show/show_text.h"
#include "networks/faces/faces.h"
#include "networks/models/models.h"

#include <stdlib.h>

/* ---- the pictures -----------------------------------------------------------------------------
 */

/* Opens a file whose planes are gray pictures of values 0 .. 255. */
static enum status open_planes(struct point *p, const char *path, int64_t most,
                               const struct picture_form *form, struct failure *f)
{
    const enum status status = source_open_file(&p->source, path, f);
    if (status != STATUS_OK)
        return status;
    if (p->options.gray)
        return source_gray(&p->source, f); /* refuses: pictures are opened otherwise */
    if (p->options.nan)
        source_take_nans(p->source);
    const int64_t planes = source_shape(p->source).planes;
    return pictures_of_planes(&p->source, most > 0 && most < planes ? most : planes, 255.0, form,
                              f);
}

/* The default pictures: slices of a brain, one picture each. */
static enum status open_slices(struct point *p, const struct picture_form *form, struct failure *f)
{
    char path[PATH_MAX];
    const enum status status = suite_data(path, "brain_planes/train_images.npy", f);
    return status == STATUS_OK ? open_planes(p, path, FACES_SLICES, form, f) : status;
}

static enum status open_pictures(struct point *p, struct faces_run *run, struct failure *f)
{
    const char *input = p->options.input;
    const struct tensor_shape in = run->network.input;
    const struct picture_form form = {in.channels, in.rows, in.cols, false, p->options.gray};
    enum status status;
    if (!input)
        status = open_slices(p, &form, f);
    else if (pictures_are_named(input))
        status = pictures_open(&p->source, input, &form, p->options.skip_bad, f);
    else
        status = open_planes(p, input, 0, &form, f);
    if (status != STATUS_OK)
        return status;
    run->images = source_batch(p->source);
    if (p->options.pictures > run->images)
        return fail(f, STATUS_USAGE, "--pictures: %s has %lld, not %lld", source_name(p->source),
                    (long long)run->images, (long long)p->options.pictures);
    if (p->options.pictures > 0)
        run->images = p->options.pictures;
    return STATUS_OK;
}

static enum status make_network(const struct options *o, struct faces_run *run, struct failure *f)
{
    const struct model_request request = {.name = o->network,
                                          .input = {0, o->image_size, o->image_size}};
    if (model_takes_vectors(o->network))
        return fail(f, STATUS_USAGE, "network %s takes vectors, not pictures", o->network);
    const enum status status = model_make(&run->network, &request, f);
    return status == STATUS_OK && o->features ? network_keep_features(&run->network, f) : status;
}

/* Checks the memory of one structure before anything is allocated, by the plan of one worker;
 * forward_open() checks again with the plan that runs. */
static enum status check_memory(const struct faces_run *run, struct failure *f)
{
    struct plan plan = {.network = &run->network,
                        .batch = faces_together(run),
                        .whole_batch = faces_together(run),
                        .workers = 1};
    const enum status status = plan_make(&plan, f);
    const size_t n = (size_t)run->images;
    const size_t images = (size_t)(faces_together(run) * tensor_elements(run->network.input));
    size_t floats = memory_add(plan.arena_floats, 2 * (size_t)run->network.floats);
    plan_release(&plan);
    floats = memory_add(floats, memory_add(images, memory_multiply(n, n)));
    floats = memory_add(floats, memory_multiply(n, (size_t)faces_dimensions(run)));
    return status == STATUS_OK
               ? memory_check(memory_multiply(floats, sizeof(float)),
                              "pictures, parameters, outputs of layers and distances", f)
               : status;
}

static enum status find(struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    if (!o->network)
        return fail(f, STATUS_USAGE, "which network? give --network (--list-networks lists them)");
    struct faces_run *run = calloc(1, sizeof *run);
    if (!run)
        return fail(f, STATUS_RESOURCE, "no memory for a network");
    run->row = faces_row;
    p->operation.kind = &run->row;
    p->subject = run;
    run->weights = o->weights;
    run->seed = (uint64_t)o->seed;
    run->batch = o->batch > 0 ? o->batch : FACES_BATCH;
    enum status status = make_network(o, run, f);
    if (status == STATUS_OK)
        status = open_pictures(p, run, f);
    if (status == STATUS_OK)
        status = check_memory(run, f);
    if (status == STATUS_OK && o->timeline)
        status = timeline_start(&run->timeline, o->timeline, f);
    if (status == STATUS_OK)
        p->operation.image = faces_images_shape(run);
    return status;
}

static void release(struct point *p)
{
    struct faces_run *run = faces_run_of(p);
    if (!run)
        return;
    timeline_stop(run->timeline, NULL);
    network_release(&run->network);
    free(run);
}

/* ---- reports ----------------------------------------------------------------------------------
 */

static void fill_row(struct record *r, const struct point *p)
{
    const struct faces_run *run = faces_run_of(p);
    snprintf(r->network, RECORD_TEXT, "%s%s", run->network.name,
             p->options.features ? "+features" : "");
    snprintf(r->weights, RECORD_TEXT, "%s", run->weights ? run->weights : "seeded");
    if (!p->options.input)
        snprintf(r->input, RECORD_TEXT, "%s", FACES_INPUT);
    snprintf(r->task, RECORD_TEXT, "infer");
    r->images = run->images;
    r->batch = faces_together(run);
    if (!run->weights)
        r->seed = p->options.seed;
}

static void describe(FILE *out, const struct point *p)
{
    const struct faces_run *run = faces_run_of(p);
    const struct tensor_shape in = run->network.input;
    show_network(out, run->network.name, run->network.parameters,
                 run->weights ? run->weights : screen_text(N_("seeded")), p->options.features);
    show_label(out, N_("Pictures"));
    screen_say(out,
               "%{n} of %{channels} x %{rows} x %{columns} (%{source}); in batches of %{batch} by "
               "batched\n",
               WITH({"n", text_grouped(run->images).text},
                    {"channels", text_grouped(in.channels).text},
                    {"rows", text_grouped(in.rows).text}, {"columns", text_grouped(in.cols).text},
                    {"source", source_name(p->source)},
                    {"batch", text_grouped(faces_together(run)).text}));
    show_further(out, source_note(p->source));
    show_label(out, N_("Embeddings"));
    screen_say(out, "%{values} values of each picture, %{distances} distances\n",
               WITH({"values", text_grouped(faces_dimensions(run)).text},
                    {"distances", text_grouped(run->images * run->images).text}));
}

/* Prints where the time of each structure went. */
static void add_to_summary(FILE *out, const struct point *p)
{
    fputc('\n', out);
    show_label(out, N_("Structure"));
    for (int part = 0; part < FACES_PARTS; part++)
        screen_left(out, screen_text(faces_part_words[part]), 12);
    screen_say(out, "(of its fastest execution)\n", NULL);
    for (size_t i = 0; i < p->contender_count; i++) {
        const struct contender *c = &p->contenders[i];
        screen_left(out, operation_method(&c->operation), 14);
        for (int part = 0; part < FACES_PARTS; part++) {
            char seconds[32];
            screen_left(
                out, text_seconds(c->instance->fastest_parts_s[part], seconds, sizeof seconds), 12);
        }
        fprintf(out, "\n");
    }
}

static bool shows(const struct point *p)
{
    (void)p;
    return false;
}

static enum status deliver(struct point *p, struct failure *f)
{
    struct faces_run *run = faces_run_of(p);
    const enum status status = timeline_stop(run->timeline, f);
    run->timeline = NULL;
    return status;
}

const struct subject faces_subject = {.structures = true,
                                      .find = find,
                                      .make_verifier = faces_verifier_make,
                                      .fill_row = fill_row,
                                      .describe = describe,
                                      .add_to_summary = add_to_summary,
                                      .shows = shows,
                                      .deliver = deliver,
                                      .list = models_list,
                                      .release = release};
