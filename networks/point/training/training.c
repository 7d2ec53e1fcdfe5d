/* The options of a training, and its report. */
#include "networks/point/training/training.h"

#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "harness/point/sampling/rounds.h"
#include "harness/point/show/show_text.h"
#include "networks/layers/conv_choices.h"
#include "networks/parameters.h"
#include "networks/safetensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options -----------------------------------------------------------------------------------
 */

static enum status check_options(const struct options *o, const struct program *program,
                                 struct failure *f)
{
    static const char *const excluded[] = {"input", "output", "features", "top", "layers", NULL};
    for (int i = 0; excluded[i]; i++)
        if (options_given(o, excluded[i]))
            return fail(f, STATUS_USAGE, "--%s does not go with --task train", excluded[i]);
    if (o->epochs > 0 && o->steps > 0)
        return fail(f, STATUS_USAGE, "--epochs and --steps both say how long: give one of them");
    if (o->select && o->resume)
        return fail(f, STATUS_USAGE,
                    "--select best-validation: the losses before a --resume are not known");
    if (options_given(o, "init") && (o->resume || o->weights))
        return fail(f, STATUS_USAGE, "--init: the parameters are those of --%s",
                    o->resume ? "resume" : "weights");
    if (o->resume && o->weights)
        return fail(f, STATUS_USAGE, "--resume has parameters of its own: it excludes --weights");
    if (strchr(o->method, ',') || strcmp(o->method, "all") == 0)
        return fail(f, STATUS_USAGE, "--task train: one method of convolution at a time");
    if (program->space->kind == SPACE_CUDA && strcmp(o->method, "own") != 0)
        return fail(f, STATUS_USAGE,
                    "--engine %s: --task train takes the kernels of our own, which have gradients",
                    o->method);
    return STATUS_OK;
}

static enum status open_data(struct training *t, const struct network *n, struct failure *f)
{
    const struct options *o = t->options;
    const struct data_request request = {.name = o->data ? o->data : "random",
                                         .labels = o->labels,
                                         .input = n->input,
                                         .outputs = tensor_elements(network_output(n)),
                                         .batch = t->trainer.settings.batch,
                                         .seed = (uint64_t)o->seed,
                                         .validation_share = o->validation_share,
                                         .test_share = o->test_share,
                                         .split = o->split,
                                         .blank = t->trainer.where.dry_run != NULL};
    return data_open(&t->data, &request, f);
}

/* Reads --normalize. */
static enum status read_normalization(struct training *t, struct failure *f)
{
    const char *text = t->options->normalize;
    char *end = NULL;
    t->normalization = (struct normalization){0.0f, 1.0f};
    if (!text)
        return STATUS_OK;
    t->normalization.mean = strtof(text, &end);
    const bool two = end != text && *end == ',';
    const char *second = two ? end + 1 : text;
    if (two)
        t->normalization.deviation = strtof(second, &end);
    if (two && end != second && *end == '\0' && isfinite(t->normalization.mean) &&
        isnormal(t->normalization.deviation) && t->normalization.deviation > 0.0f)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "--normalize '%s': what is subtracted, and what is divided by, above 0, such as "
                "0.5,0.5",
                text);
}

static void normalize(const struct normalization *n, float *values, int64_t count)
{
    if (n->mean == 0.0f && n->deviation == 1.0f)
        return;
    for (int64_t i = 0; i < count; i++)
        values[i] = (values[i] - n->mean) / n->deviation;
}

/* Normalizes the images that are not augmented; those of the training are normalized after it. */
static enum status prepare_data(struct training *t, struct failure *f)
{
    enum status status = read_normalization(t, f);
    for (int i = DATA_TRAIN + 1; status == STATUS_OK && i <= DATA_SERIES; i++)
        normalize(&t->normalization, t->data.parts[i].images,
                  t->data.parts[i].count * tensor_elements(t->data.shape));
    if (status == STATUS_OK && t->options->select &&
        (!t->data.classes || t->data.parts[DATA_VALIDATION].count == 0))
        status = fail(f, STATUS_USAGE,
                      "--select best-validation: --data %s has no images with classes for "
                      "validation",
                      t->data.name);
    return status;
}

static void settle(struct training *t)
{
    const struct options *o = t->options;
    const int64_t samples = t->data.parts[DATA_TRAIN].count, batch = t->trainer.settings.batch;
    t->of_epoch = (samples + batch - 1) / batch;
    t->all = o->steps > 0                  ? o->steps
             : o->epochs > 0               ? o->epochs * t->of_epoch
             : options_given(o, "samples") ? o->samples
                                           : t->of_epoch;
    t->facts = (struct checkpoint_facts){.seed = (uint64_t)o->seed,
                                         .batch = batch,
                                         .shards = o->shards,
                                         .samples = samples,
                                         .seeded_order = o->order == 0,
                                         .drops = o->dropout == 0,
                                         .augmentation = augmentation_hash(&t->augmentation)};
    if ((o->save || o->resume) && !t->trainer.where.dry_run) /* a dry run saves nothing */
        t->facts.data =
            data_hash(&t->data) + (o->normalize ? digest_value(1, t->normalization.mean) +
                                                      digest_value(2, t->normalization.deviation)
                                                : 0);
    t->trainer.settings.loss = t->data.classes ? &cross_entropy_loss : &mean_squared_loss;
    t->trainer.settings.optimizer = optimizers[o->optimizer];
    t->trainer.settings.rate = o->learning_rate;
    t->trainer.settings.shards = o->shards;
    t->trainer.settings.drops = t->facts.drops;
    t->trainer.settings.seed = t->facts.seed;
}

static enum status make_order(struct training *t, struct failure *f)
{
    const size_t samples = (size_t)t->data.parts[DATA_TRAIN].count;
    t->ordered = -1;
    t->order = malloc(samples * sizeof *t->order);
    return t->order ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for %zu samples", samples);
}

enum status training_find(struct point *p, struct network_run *run, struct failure *f)
{
    struct training *t = calloc(1, sizeof *t);
    run->training = t;
    run->settings.trains = true;
    if (!t)
        return fail(f, STATUS_RESOURCE, "no memory for a training");
    t->options = &p->options;
    t->trainer.where.dry_run = point_dry_run(p);
    t->timed = !p->program->emulated;
    t->trainer.settings.batch = run->images.batch;
    enum status status = check_options(&p->options, p->program, f);
    if (status == STATUS_OK && p->options.save && point_is_root(p))
        status = safetensors_can_write(p->options.save, f);
    if (status == STATUS_OK)
        status = trainer_can(&run->network, f);
    if (status == STATUS_OK)
        status = open_data(t, &run->network, f);
    if (status == STATUS_OK)
        status = prepare_data(t, f);
    if (status == STATUS_OK)
        status = augmentation_parse(p->options.augment, t->data.shape, &t->augmentation, f);
    if (status == STATUS_OK && p->options.save_data && point_is_root(p))
        status = data_save(&t->data, p->options.save_data, f);
    if (status != STATUS_OK)
        return status;
    settle(t);
    t->trainer.forward.plan.network = &run->network;
    status = make_order(t, f);
    return status == STATUS_OK
               ? memory_check(trainer_process_bytes(&run->network, &t->trainer.settings),
                              "parameters, gradients, and the outputs of all layers", f)
               : status;
}

void training_close(struct training *t)
{
    if (t->opened)
        trainer_close(&t->trainer);
    t->opened = false;
}

void training_release(struct training *t)
{
    if (!t)
        return;
    training_close(t);
    data_release(&t->data);
    free(t->order);
    free(t->errors);
    free(t);
}

struct checkpoint_of training_checkpoint(struct training *t)
{
    return (struct checkpoint_of){.network = t->trainer.forward.plan.network,
                                  .optimizer = t->trainer.settings.optimizer,
                                  .state = &t->trainer.state};
}

/* ---- opening -----------------------------------------------------------------------------------
 */

enum status training_open(const struct job *job, const struct network_run *run, struct team team,
                          struct resources *resources, struct failure *f)
{
    struct training *t = run->training;
    struct trainer *trainer = &t->trainer;
    if (job->peer)
        return fail(f, STATUS_USAGE, "--conv %s: the library does not train",
                    operation_method(job->operation));
    trainer->state.parameters = run->raw.values;
    trainer->forward.plan.isa = job->operation->isa;
    trainer->forward.plan.forced = conv_choice_named(operation_method(job->operation));
    trainer->forward.team = team;
    trainer->forward.traced = run->settings.traced && !trainer->where.device;
    t->opened = true;
    enum status status = trainer_open(trainer, f);
    if (status == STATUS_OK && t->options->resume) {
        const struct checkpoint_of what = training_checkpoint(t);
        status = checkpoint_read(t->options->resume, &what, &t->facts, f);
        if (status == STATUS_OK)
            trainer_refresh(trainer);
    }
    if (status == STATUS_OK && trainer->state.updates >= t->all)
        status = fail(f, STATUS_USAGE,
                      "--resume %s: %lld steps are done already, which is all that is asked for",
                      t->options->resume, (long long)trainer->state.updates);
    resources->isa = isa_name(job->operation->isa);
    resources->partition = (struct partition){.workers = team.workers};
    resources->scratch_bytes = (int64_t)(trainer->work.scratch_step * (size_t)team.workers);
    resources->pages =
        status == STATUS_OK
            ? memory_pages(run->raw.values, (size_t)run->network.floats * sizeof(float))
            : NULL;
    return status;
}

/* ---- batches -----------------------------------------------------------------------------------
 */

/* Orders the samples of an epoch: as given, or shuffled for each epoch, a pure function of seed and
 * epoch. */
static void order_samples(struct training *t, int64_t epoch)
{
    const size_t count = (size_t)t->data.parts[DATA_TRAIN].count;
    if (t->ordered == epoch)
        return;
    for (size_t i = 0; i < count; i++)
        t->order[i] = i;
    if (t->facts.seeded_order)
        rounds_shuffle(t->facts.seed, (uint64_t)epoch, t->order, count);
    t->ordered = epoch;
}

/* Writes sample `sample` to `to`, augmented for epoch `epoch`. */
static void fill_image(const struct training *t, int64_t epoch, int64_t sample, float *to)
{
    const int64_t elements = tensor_elements(t->data.shape);
    const float *from = t->data.parts[DATA_TRAIN].images + sample * elements;
    if (augments(&t->augmentation))
        augment_image(&t->augmentation, t->data.shape,
                      (struct augmented){t->facts.seed, epoch, sample}, from, to);
    else
        memcpy(to, from, (size_t)elements * sizeof(float));
    normalize(&t->normalization, to, elements);
}

void training_fill(struct training *t, int64_t step)
{
    const struct data_part *p = &t->data.parts[DATA_TRAIN];
    struct trainer *r = &t->trainer;
    const int64_t elements = tensor_elements(t->data.shape), outputs = t->data.outputs;
    const int64_t first = step % t->of_epoch * r->settings.batch, left = p->count - first;
    order_samples(t, step / t->of_epoch);
    trainer_place(r, left < r->settings.batch ? left : r->settings.batch);
    if (r->where.dry_run)
        return;
    for (int64_t n = 0; r->share.own.count > 0 && n < r->share.own.ends[r->share.own.count - 1];
         n++) {
        const size_t from = t->order[first + r->share.first_image + n];
        fill_image(t, step / t->of_epoch, (int64_t)from, r->share.images + n * elements);
        if (r->share.values)
            memcpy(r->share.values + n * outputs, p->values + from * (size_t)outputs,
                   (size_t)outputs * sizeof(float));
        else
            r->share.labels[n] = p->labels[from];
    }
}

/* ---- reports -----------------------------------------------------------------------------------
 */

/* The images of each part, where options chose them. */
static void fill_split(struct record *r, const struct training *t)
{
    const struct options *o = t->options;
    const struct data_part *parts = t->data.parts;
    r->split[0] = 0;
    if (o->split || o->validation_share > 0.0 || o->test_share > 0.0)
        snprintf(r->split, RECORD_TEXT, "%lld,%lld,%lld", (long long)parts[DATA_TRAIN].count,
                 (long long)parts[DATA_VALIDATION].count, (long long)parts[DATA_TEST].count);
}

void training_fill_row(struct record *r, const struct training *t)
{
    snprintf(r->task, RECORD_TEXT, "train");
    snprintf(r->input, RECORD_TEXT, "%s", t->data.name);
    snprintf(r->data, RECORD_TEXT, "%s", t->data.name);
    snprintf(r->optimizer, RECORD_TEXT, "%s", t->trainer.settings.optimizer->name);
    r->learning_rate = t->trainer.settings.rate;
    if (t->trainer.where.exchange)
        snprintf(r->strategy, RECORD_TEXT, "%s",
                 t->options->strategy == 0 ? "mirrored" : "central");
    r->shards = t->trainer.settings.shards;
    snprintf(r->augment, RECORD_TEXT, "%s", augments(&t->augmentation) ? t->options->augment : "");
    snprintf(r->normalize, RECORD_TEXT, "%s", t->options->normalize ? t->options->normalize : "");
    if (options_given(t->options, "select"))
        snprintf(r->select, RECORD_TEXT, "%s", t->options->select ? "best-validation" : "last");
    if (options_given(t->options, "init"))
        snprintf(r->init, RECORD_TEXT, "%s", initialization_words[t->options->init]);
    fill_split(r, t);
}

static void describe_data(FILE *out, const struct training *t)
{
    const struct trainer *r = &t->trainer;
    show_label(out, N_("Data"));
    screen_say(out,
               "%{data} (%{kind}): %{samples} samples, batches of %{batch} in %{shards} shards, "
               "order %{order}, dropout %{dropout}\n",
               WITH({"data", t->data.name},
                    {"kind", screen_text(t->data.classes ? N_("classes") : N_("values"))},
                    {"samples", text_grouped(t->data.parts[DATA_TRAIN].count).text},
                    {"batch", text_grouped(r->settings.batch).text},
                    {"shards", text_grouped(r->settings.shards).text},
                    {"order", screen_text(t->facts.seeded_order ? N_("seeded") : N_("as given"))},
                    {"dropout", screen_text(r->settings.drops ? N_("on") : N_("off"))}));
    if (t->data.parts[DATA_VALIDATION].count + t->data.parts[DATA_TEST].count == 0)
        return;
    show_label(out, "");
    screen_say(out, "%{validation} samples for validation, %{test} for the test\n",
               WITH({"validation", text_grouped(t->data.parts[DATA_VALIDATION].count).text},
                    {"test", text_grouped(t->data.parts[DATA_TEST].count).text}));
}

void training_describe(FILE *out, const struct training *t)
{
    const struct trainer *r = &t->trainer;
    char rate[32];
    describe_data(out, t);
    if (augments(&t->augmentation)) {
        show_label(out, N_("Augmentation"));
        fprintf(out, "%s\n", t->options->augment);
    }
    if (t->options->normalize) {
        char mean[32], deviation[32];
        snprintf(mean, sizeof mean, "%g", (double)t->normalization.mean);
        snprintf(deviation, sizeof deviation, "%g", (double)t->normalization.deviation);
        show_label(out, N_("Normalization"));
        screen_say(out, "(x - %{mean}) / %{deviation} for each value x\n",
                   WITH({"mean", mean}, {"deviation", deviation}));
    }
    if (t->options->init) {
        show_label(out, N_("First weights"));
        fprintf(out, "%s\n", initialization_words[t->options->init]);
    }
    snprintf(rate, sizeof rate, "%g", r->settings.rate);
    show_label(out, N_("Optimizer"));
    screen_say(out, "%{name} (%{idea}), learning rate %{rate}, %{loss}\n",
               WITH({"name", r->settings.optimizer->name},
                    {"idea", screen_text(r->settings.optimizer->idea)}, {"rate", rate},
                    {"loss", r->settings.loss->name}));
}

/* The name of a class, or its number. */
static const char *name_of(const struct data *d, int64_t class, char *number, size_t size)
{
    if (class < d->named)
        return d->class_names[class];
    snprintf(number, size, "%lld", (long long)class);
    return number;
}

/* True if an image of the class was tested, or one was predicted to be of it. */
static bool occurs(const struct score *s, int64_t class, int64_t classes)
{
    int64_t images = 0;
    for (int64_t other = 0; other < classes; other++)
        images += s->matrix[class][other] + s->matrix[other][class];
    return images > 0;
}

/* Columns of the longest name of a class that occurs, at least those of a count. */
static int matrix_width(const struct data *d, const struct score *s)
{
    char number[24];
    size_t most = 6;
    for (int64_t i = 0; i < d->outputs; i++)
        if (occurs(s, i, d->outputs) && strlen(name_of(d, i, number, sizeof number)) > most)
            most = strlen(name_of(d, i, number, sizeof number));
    return (int)(most < 24 ? most : 24);
}

/* Prints the classes that occur: true classes are rows, predicted ones columns. */
static void print_matrix(FILE *out, const struct data *d, const struct score *s)
{
    char number[24];
    if (d->outputs > CONFUSED_MOST)
        return;
    const int width = matrix_width(d, s);
    show_label(out, N_("Confusion"));
    screen_say(out, "true class, and how often each class was predicted\n", NULL);
    fprintf(out, "%-14s%*s ", "", width, "");
    for (int64_t i = 0; i < d->outputs; i++)
        if (occurs(s, i, d->outputs))
            fprintf(out, "  %*.*s", width, width, name_of(d, i, number, sizeof number));
    fprintf(out, "\n");
    for (int64_t right = 0; right < d->outputs; right++) {
        if (!occurs(s, right, d->outputs))
            continue;
        fprintf(out, "%-14s%*.*s:", "", width, width, name_of(d, right, number, sizeof number));
        for (int64_t predicted = 0; predicted < d->outputs; predicted++)
            if (occurs(s, predicted, d->outputs))
                fprintf(out, "  %*lld", width, (long long)s->matrix[right][predicted]);
        fprintf(out, "\n");
    }
}

/* Prints the score of one part of the data, in a line; `which` follows "samples that". */
static void print_score(FILE *out, const char *name, const struct score *s, const char *which)
{
    char value[32], ratio[32], persistence[32];
    snprintf(value, sizeof value, isnan(s->accuracy) ? "%.5g" : "%.4f",
             isnan(s->accuracy) ? s->error : s->accuracy);
    show_label(out, name);
    screen_say(out,
               isnan(s->accuracy)
                   ? N_("error %{value} (root of the mean square) on %{samples} samples that "
                        "%{which}")
                   : N_("accuracy %{value} on %{samples} samples that %{which}"),
               WITH({"value", value}, {"samples", text_grouped(s->count).text},
                    {"which", screen_text(which)}));
    if (!isnan(s->persistence)) {
        snprintf(ratio, sizeof ratio, "%.3f", s->error / s->persistence);
        snprintf(persistence, sizeof persistence, "%.5g", s->persistence);
        screen_say(out, "; %{ratio} of persistence's %{error}",
                   WITH({"ratio", ratio}, {"error", persistence}));
    }
    fprintf(out, "\n");
}

/* Prints the parameters' hash, the time of an image, and the epoch that was selected. */
static void print_progress(FILE *out, const struct training *t)
{
    char text[32], epoch[32];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)trainer_hash(&t->trainer));
    screen_say(out, "%{hash} after %{steps} steps\n",
               WITH({"hash", text}, {"steps", text_grouped(t->trainer.state.updates).text}));
    if (t->images_done > 0 && t->timed) {
        show_label(out, N_("Time"));
        screen_say(
            out, "%{time} of the steps per image\n",
            WITH({"time", text_seconds(t->spent_s / (double)t->images_done, text, sizeof text)}));
    }
    if (t->selected > 0) {
        snprintf(epoch, sizeof epoch, "%lld", (long long)t->selected);
        snprintf(text, sizeof text, "%.6g", t->validation.loss);
        show_label(out, N_("Selected"));
        screen_say(out, "epoch %{epoch}, which has the least validation loss, %{loss}\n",
                   WITH({"epoch", epoch}, {"loss", text}));
    }
}

void training_add_to_summary(FILE *out, const struct training *t)
{
    show_label(out, N_("Parameters"));
    if (t->trainer.where.dry_run) {
        screen_say(out, "none: nothing was computed\n", NULL);
        return;
    }
    print_progress(out, t);
    if (t->validation.count > 0)
        print_score(out, N_("Validation"), &t->validation, N_("choices may be made by"));
    if (t->score.count == 0)
        return;
    print_score(out, N_("Test"), &t->score, N_("were not trained with"));
    if (t->data.classes)
        print_matrix(out, &t->data, &t->score);
}
