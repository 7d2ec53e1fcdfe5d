/* The loop of a training: warm-up, whose effects are undone, steps, epochs, checkpoints. */
#include "harness/base/clock.h"
#include "harness/base/signals.h"
#include "harness/base/text/screen.h"
#include "harness/machine/memory.h"
#include "harness/point/sampling/conditions.h"
#include "harness/point/sampling/sample.h"
#include "harness/point/show/show_text.h"
#include "networks/point/training/training_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- restoring ---------------------------------------------------------------------------------
 */

/* A copy of parameters and optimizer state. */
struct trace {
    float *values;
    int64_t updates;
};

static size_t lists(const struct trainer *t)
{
    return (size_t)t->settings.optimizer->moments + 1;
}

static enum status trace_keep(struct trace *k, struct trainer *t, struct failure *f)
{
    const size_t floats = (size_t)t->forward.plan.network->floats;
    enum status status = trainer_fetch_state(t, f);
    k->updates = t->state.updates;
    k->values = NULL;
    if (t->where.dry_run) /* nothing is changed */
        return status;
    if (status == STATUS_OK)
        status =
            memory_allocate((void **)&k->values, memory_multiply(floats * lists(t), sizeof(float)),
                            "parameters that are put back", f);
    if (status != STATUS_OK)
        return status;
    memcpy(k->values, t->state.parameters, floats * sizeof(float));
    for (size_t i = 1; i < lists(t); i++)
        memcpy(k->values + i * floats, t->state.moments[i - 1], floats * sizeof(float));
    return STATUS_OK;
}

/* Keeps a copy in every process or in none: the others would wait for one that left. */
static enum status trace_keep_all(struct trace *k, struct training *t, const struct point *p,
                                  struct failure *f)
{
    const enum status status = point_common_status(p, trace_keep(k, &t->trainer, f), f);
    if (status != STATUS_OK) {
        free(k->values);
        k->values = NULL;
    }
    return status;
}

static void trace_put_back(struct trace *k, struct trainer *t)
{
    const size_t floats = (size_t)t->forward.plan.network->floats;
    t->state.updates = k->updates;
    if (t->where.dry_run)
        return;
    memcpy(t->state.parameters, k->values, floats * sizeof(float));
    for (size_t i = 1; i < lists(t); i++)
        memcpy(t->state.moments[i - 1], k->values + i * floats, floats * sizeof(float));
    trainer_refresh(t);
    free(k->values);
    k->values = NULL;
}

/* ---- a step ------------------------------------------------------------------------------------
 */

/* With several processes, each phase is that of the slowest. */
static void merge_phases(const struct training *t, struct phases *p)
{
    const struct gradient_exchange *e = t->trainer.where.exchange;
    double *const phases[] = {&p->distribute_s, &p->compute_s,  &p->total_s,    &p->forward_s,
                              &p->loss_s,       &p->backward_s, &p->exchange_s, &p->update_s};
    double *const of_device[] = {&p->device_distribute_s, &p->device_compute_s,
                                 &p->device_collect_s};
    for (size_t i = 0; e && i < sizeof phases / sizeof *phases; i++)
        e->largest(e, phases[i], 1);
    for (size_t i = 0; e && t->trainer.where.device && i < sizeof of_device / sizeof *of_device;
         i++)
        e->largest(e, of_device[i], 1);
    if (e && t->trainer.where.device && t->trainer.where.device->merge_readings)
        t->trainer.where.device->merge_readings(p);
}

/* Times layers only in steps of whole batches: the last step of an epoch has the remaining images,
 * and takes less time. */
static enum status clock_step(struct training *t, struct step_result *result, struct failure *f)
{
    const bool clocked = t->trainer.forward.clocked;
    t->trainer.forward.clocked = clocked && t->trainer.share.now == t->trainer.settings.batch;
    const enum status status = trainer_step(&t->trainer, NULL, result, f);
    t->trainer.forward.clocked = clocked;
    return status;
}

/* Runs and times the current step. */
static enum status take_step(struct training *t, struct phases *phases, struct step_result *result,
                             struct failure *f)
{
    const double start = clock_now();
    training_fill(t, t->trainer.state.updates);
    const double filled = clock_now();
    const enum status status = clock_step(t, result, f);
    const double end = clock_now();
    *phases = phases_none();
    phases->distribute_s = filled - start + result->seconds.send_s;
    phases->compute_s = end - filled - result->seconds.send_s - result->seconds.collect_s;
    phases->collect_s = result->seconds.collect_s;
    phases->total_s = end - start;
    phases->forward_s = result->seconds.forward_s;
    phases->loss_s = result->seconds.loss_s;
    phases->backward_s = result->seconds.backward_s;
    phases->exchange_s = result->seconds.exchange_s;
    phases->update_s = result->seconds.update_s;
    if (t->trainer.where.device)
        t->trainer.where.device->read_phases(&t->trainer, phases);
    merge_phases(t, phases);
    return status;
}

/* The same, and stores the conditions that the step ran under in the row of the method. */
static enum status observe_step(struct training *t, struct point *p, bool warmup,
                                struct phases *phases, struct step_result *result,
                                struct failure *f)
{
    conditions_begin(p, &p->contenders[0]);
    enum status status = take_step(t, phases, result, f);
    conditions_end(p, &p->contenders[0]);
    status = point_common_status(p, status, f);
    const double begin = clock_now();
    if (status == STATUS_OK)
        conditions_fill(p, &p->contenders[0], 1, warmup);
    t->aside_s += clock_now() - begin;
    return status;
}

/* Clears the errors of all parts of a step. */
static enum status begin_errors(struct training *t, struct failure *f)
{
    const int steps = t->trainer.forward.plan.count;
    free(t->errors);
    t->error_count = 3 * steps;
    t->errors = calloc((size_t)t->error_count, sizeof *t->errors);
    if (!t->errors)
        return fail(f, STATUS_RESOURCE, "no memory for the errors of layers");
    t->how.errors = t->errors;
    t->how.parameters = t->errors + steps;
    t->how.inputs = t->errors + (ptrdiff_t)2 * steps;
    return STATUS_OK;
}

/* Runs the current step and compares every part with its oracle; then restores the state before it,
 * so that it can be timed. *hash becomes the hash of the resulting parameters. */
static enum status verify_step(struct training *t, const struct point *p, uint64_t *hash,
                               struct failure *f)
{
    struct trace before;
    struct step_result result;
    enum status status = point_common_status(p, begin_errors(t, f), f);
    if (status == STATUS_OK)
        status = trace_keep_all(&before, t, p, f);
    if (status != STATUS_OK)
        return status;
    const bool clocked = t->trainer.forward.clocked;
    t->trainer.forward.clocked = false;
    training_fill(t, t->trainer.state.updates);
    status = trainer_step(&t->trainer, &t->how, &result, f);
    t->trainer.forward.clocked = clocked;
    *hash = trainer_hash(&t->trainer);
    trace_put_back(&before, &t->trainer);
    return status;
}

/* True for the first step and the last, if steps are verified. */
static bool is_verified(const struct training *t, int64_t first, const char *enough)
{
    return t->verified &&
           (t->trainer.state.updates == first || t->trainer.state.updates == t->all - 1 || enough);
}

/* ---- reports of steps and epochs ---------------------------------------------------------------
 */

/* True after a step that ends an epoch or the training, which reports the parameters. */
static bool ends_epoch(const struct training *t)
{
    return t->trainer.state.updates % t->of_epoch == 0 || t->trainer.state.updates == t->all;
}

static void fill_step(struct record *r, const struct training *t, const struct step_result *result)
{
    const int64_t step = t->trainer.state.updates, images = t->trainer.share.now;
    r->epoch = training_epoch(t);
    r->step = step;
    const bool computed = !t->trainer.where.dry_run;
    r->loss = computed ? result->loss : NAN;
    r->accuracy = t->data.classes && computed ? (double)result->hits / (double)images : NAN;
    r->parameters_hash[0] = 0;
    if (ends_epoch(t) && computed)
        snprintf(r->parameters_hash, RECORD_TEXT, "%016llx",
                 (unsigned long long)trainer_hash(&t->trainer));
}

static void add_to_epoch(struct training *t, const struct step_result *result, double seconds)
{
    t->spent_s += seconds;
    t->epoch_seconds += seconds;
    if (t->trainer.share.now == t->trainer.settings.batch)
        t->whole_steps++;
    else
        t->rest_s += seconds;
    t->epoch_loss += result->loss * (double)t->trainer.share.now;
    t->epoch_hits += result->hits;
    t->epoch_images += t->trainer.share.now;
    t->images_done += t->trainer.share.now;
}

static bool prints_epochs(const struct training *t, const struct point *p)
{
    return p->options.format == FORMAT_TEXT && point_is_root(p) && !t->trainer.where.dry_run;
}

/* Prints one line, in the language of the screen. `whole`: the validation is of this epoch. */
static void describe_epoch(struct training *t, const struct point *p, bool whole)
{
    const double images = (double)t->epoch_images;
    char time[32];
    if (!prints_epochs(t, p))
        return;
    printf("%s %lld: %s %.6g", screen_text("epoch"), (long long)training_epoch(t),
           screen_text("loss"), t->epoch_loss / images);
    if (t->data.classes)
        printf(", %s %.4f", screen_text("accuracy"), (double)t->epoch_hits / images);
    if (whole && t->validation.count > 0)
        printf(", %s %.6g", screen_text("validation loss"), t->validation.loss);
    if (whole && t->validation.count > 0 && t->data.classes)
        printf(", %s %.4f", screen_text("validation accuracy"), t->validation.accuracy);
    if (t->timed)
        printf(", %s", text_seconds(t->epoch_seconds, time, sizeof time));
    printf(", %s %016llx\n", screen_text("parameters"),
           (unsigned long long)trainer_hash(&t->trainer));
    fflush(stdout);
}

/* With --select best-validation: tests the parameters if no epoch had a lower validation loss. */
static enum status select_epoch(struct training *t, struct failure *f)
{
    if (!t->options->select ||
        (t->selected > 0 && !(t->validation.loss < t->selected_validation.loss)))
        return STATUS_OK;
    t->selected = training_epoch(t);
    t->selected_validation = t->validation;
    return t->data.parts[DATA_TEST].count > 0
               ? evaluate(&t->trainer, &t->data, DATA_TEST, &t->selected_score, f)
               : STATUS_OK;
}

/* Scores a whole epoch, and records it if requested; on the root, while the other processes wait.
 */
static enum status score_epoch(struct training *t, const struct point *p, struct failure *f)
{
    struct score test;
    const bool tested = t->rows && t->data.parts[DATA_TEST].count > 0;
    enum status status = STATUS_OK;
    if (!point_is_root(p) || t->trainer.where.dry_run)
        return STATUS_OK;
    if (t->data.parts[DATA_VALIDATION].count > 0 &&
        (t->rows || t->options->select || prints_epochs(t, p)))
        status = evaluate(&t->trainer, &t->data, DATA_VALIDATION, &t->validation, f);
    if (status == STATUS_OK)
        status = select_epoch(t, f);
    if (status == STATUS_OK && tested)
        status = evaluate(&t->trainer, &t->data, DATA_TEST, &test, f);
    return status == STATUS_OK ? training_rows_epoch(t, tested ? &test : NULL, f) : status;
}

static enum status end_epoch(struct training *t, const struct point *p, struct failure *f)
{
    const bool whole = t->epoch_images == t->data.parts[DATA_TRAIN].count;
    enum status status = whole ? score_epoch(t, p, f) : STATUS_OK;
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        describe_epoch(t, p, whole);
    t->epoch_loss = t->epoch_seconds = t->rest_s = 0.0;
    t->epoch_hits = t->epoch_images = t->whole_steps = 0;
    return status;
}

/* Prints progress on a terminal. */
static void show_progress(const struct training *t, const struct point *p, double started,
                          int64_t first, const struct step_result *result)
{
    const int64_t done = t->trainer.state.updates - first, left = t->all - t->trainer.state.updates;
    const double seconds = (clock_now() - started) / (double)done * (double)left;
    if (!point_is_root(p) || !isatty(STDERR_FILENO))
        return;
    char number[32];
    snprintf(number, sizeof number, "%.4g", result->loss);
    fprintf(stderr, "\r%s: ", p->program->name);
    screen_say(stderr, "step %{step} of %{steps}, loss %{loss}",
               WITH({"step", text_grouped(t->trainer.state.updates).text},
                    {"steps", text_grouped(t->all).text}, {"loss", number}));
    if (t->data.classes) {
        snprintf(number, sizeof number, "%.3f",
                 (double)result->hits / (double)t->trainer.share.now);
        screen_say(stderr, ", accuracy %{accuracy}", WITH({"accuracy", number}));
    }
    snprintf(number, sizeof number, "%.0f", seconds);
    screen_say(stderr, ", %{seconds} s left ", WITH({"seconds", number}));
    fprintf(stderr, "\033[K%s", left == 0 ? "\r\033[K" : "");
}

/* ---- the loop ----------------------------------------------------------------------------------
 */

/* With --select best-validation the file keeps the epoch that was selected. */
static enum status save(struct training *t, struct failure *f)
{
    const struct checkpoint_of what = training_checkpoint(t);
    const bool kept = t->selected > 0 && t->trainer.state.updates != t->selected * t->of_epoch;
    return t->options->save && !kept ? checkpoint_write(t->options->save, &what, &t->facts, f)
                                     : STATUS_OK;
}

/* Makes the steps of a device ready for both sizes of batch: that of an epoch's first step, and of
 * its last one, if the training comes so far. */
static enum status prepare_steps(struct training *t, const struct point *p, struct failure *f)
{
    const int64_t begun = t->trainer.state.updates % t->of_epoch;
    const int64_t first = t->trainer.state.updates - begun, last = first + t->of_epoch - 1;
    if (!t->trainer.where.device)
        return STATUS_OK;
    training_fill(t, first);
    enum status status = trainer_prepare(&t->trainer, f);
    if (status == STATUS_OK && last > first && last < t->all) {
        training_fill(t, last);
        status = trainer_prepare(&t->trainer, f);
    }
    return point_common_status(p, status, f);
}

static enum status warm_up(struct training *t, struct point *p, struct failure *f)
{
    struct trace before;
    struct phases phases;
    struct step_result result;
    if (p->options.warmup == 0)
        return STATUS_OK;
    enum status status = trace_keep_all(&before, t, p, f);
    if (status != STATUS_OK)
        return status;
    for (int64_t i = 0; status == STATUS_OK && i < p->options.warmup; i++) {
        const struct occasion o = {.sample = i, .warmup = true};
        status = observe_step(t, p, true, &phases, &result, f);
        if (status == STATUS_OK && ends_epoch(t))
            status = point_common_status(p, trainer_fetch_state(&t->trainer, f), f);
        fill_step(&p->contenders[0].measurement.row, t, &result);
        if (status == STATUS_OK)
            status = sample_put(p, &p->contenders[0], &o, &phases, "none", NULL, f);
        t->trainer.state.updates = before.updates;
    }
    trace_put_back(&before, &t->trainer);
    return status;
}

/* Why the next step is to be the last; NULL: it is not. A training takes the requested steps. If a
 * time or a precision is requested too, or only samples limit it, the step after the limit was
 * reached is the last. The root decides for all. */
static const char *enough_of(const struct training *t, const struct point *p)
{
    enum { GO_ON, SECONDS, PRECISE } why = GO_ON;
    static const char *const words[] = {NULL, "seconds", "relative_ci"};
    const struct options *o = t->options;
    const bool by_samples = o->epochs == 0 && o->steps == 0 && options_given(o, "samples");
    if ((by_samples || options_given(o, "max-seconds")) && t->spent_s >= o->max_seconds)
        why = SECONDS;
    else if ((by_samples || options_given(o, "relative-ci")) &&
             sample_precise(o, &p->contenders[0].measurement))
        why = PRECISE;
    processes_broadcast(p->program->space->processes, &why, sizeof why);
    return words[why];
}

static const char *reason_of(const struct training *t, const char *enough)
{
    return signals_caught()                     ? "interrupted"
           : t->trainer.state.updates == t->all ? "samples"
                                                : enough;
}

/* Fetches what a checkpoint would hold, and checks that it is finite; if it is not, the checkpoint
 * before is kept. */
static enum status fetch_finite(struct training *t, const struct point *p, struct failure *f)
{
    enum status status = trainer_fetch_state(&t->trainer, f);
    if (status == STATUS_OK && !t->trainer.where.dry_run)
        status =
            trainer_check_finite(t->trainer.forward.plan.network, t->trainer.settings.optimizer,
                                 &t->trainer.state, t->trainer.state.updates, f);
    if (status == STATUS_OK)
        t->trainer.state.finite = t->trainer.state.updates;
    return point_common_status(p, status, f);
}

/* Begins the timed part of a step: the verification since `begin` does not count in the epoch's
 * time. */
static void begin_step(struct training *t, double begin)
{
    if (t->epoch_images == 0) {
        t->epoch_began = begin;
        t->aside_s = 0.0;
    }
    t->aside_s += clock_now() - begin;
}

/* A step and its results. */
struct taken_step {
    struct occasion occasion;
    bool verified;
    struct phases phases;
    struct step_result result;
    const char *reason; /* why it is the last step; NULL: it is not */
};

/* Computes the current step. If due, verifies it before it is timed: both runs must lead to the
 * same parameters. `enough` is why it is to be the last one. */
static enum status compute_step(struct training *t, struct point *p, struct taken_step *s,
                                const char *enough, struct failure *f)
{
    uint64_t hash = 0;
    const double begin = clock_now();
    enum status status =
        s->verified ? point_common_status(p, verify_step(t, p, &hash, f), f) : STATUS_OK;
    begin_step(t, begin);
    if (status == STATUS_OK)
        status = observe_step(t, p, false, &s->phases, &s->result, f);
    point_join_signals(p);
    s->reason = reason_of(t, enough);
    if (status == STATUS_OK && (s->verified || s->reason || ends_epoch(t)))
        status = fetch_finite(t, p, f);
    if (status == STATUS_OK && s->verified && trainer_hash(&t->trainer) != hash)
        status =
            fail(f, STATUS_WRONG, "step %lld came to other parameters than the same step once more",
                 (long long)t->trainer.state.updates);
    return s->verified ? point_common_status(p, status, f) : status;
}

static enum status record_step(struct training *t, struct point *p, const struct taken_step *s,
                               struct failure *f)
{
    struct contender *c = &p->contenders[0];
    struct record *row = &c->measurement.row;
    enum status status = STATUS_OK;
    add_to_epoch(t, &s->result, s->phases.total_s);
    fill_step(row, t, &s->result);
    row_forget_errors(row);
    if (s->verified)
        status = row_fill_errors(p, c, row, f);
    if (status == STATUS_OK)
        status = sample_put(p, c, &s->occasion, &s->phases,
                            s->verified ? verifier_verdict(p->verifier) : "none", s->reason, f);
    return status;
}

/* Collective: processes wait for each other, whatever the status of the step in one of them. */
static enum status end_epoch_and_save(struct training *t, struct point *p, enum status status,
                                      struct failure *f)
{
    if (status == STATUS_OK)
        status = end_epoch(t, p, f);
    if (status == STATUS_OK && point_is_root(p))
        status = save(t, f);
    return point_common_status(p, status, f);
}

/* `first` is the number of updates before this run. */
static enum status one_step(struct training *t, struct point *p, int64_t first,
                            struct taken_step *s, struct failure *f)
{
    const char *enough = enough_of(t, p);
    *s = (struct taken_step){.occasion = {.sample = t->trainer.state.updates - first},
                             .verified = is_verified(t, first, enough)};
    enum status status = compute_step(t, p, s, enough, f);
    if (status != STATUS_OK)
        return status;
    status = record_step(t, p, s, f);
    t->epoch_wall_s = clock_now() - t->epoch_began - t->aside_s;
    if (s->reason || t->trainer.state.updates % t->of_epoch == 0)
        status = end_epoch_and_save(t, p, status, f);
    return status;
}

static enum status run_steps(struct training *t, struct point *p, struct failure *f)
{
    const double started = clock_now();
    const int64_t first = t->trainer.state.finite = t->trainer.state.updates;
    struct taken_step step = {.reason = NULL};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && !step.reason) {
        status = one_step(t, p, first, &step, f);
        if (status == STATUS_OK)
            show_progress(t, p, started, first, &step.result);
    }
    return status;
}

/* Where tried rates are printed: if rows are printed, standard output is for them alone. */
static FILE *rates_file(const struct point *p)
{
    if (!point_is_root(p))
        return NULL;
    return p->options.format == FORMAT_TEXT ? stdout : stderr;
}

static enum status score_part(struct training *t, enum data_parts part, struct score *out,
                              struct failure *f)
{
    return t->data.parts[part].count > 0 ? evaluate(&t->trainer, &t->data, part, out, f)
                                         : STATUS_OK;
}

/* Scores the parameters that are tested: the last ones, or those that were selected. */
static enum status score_training(struct training *t, struct failure *f)
{
    if (t->selected > 0) {
        t->validation = t->selected_validation;
        t->score = t->selected_score;
        return STATUS_OK;
    }
    const enum status status = score_part(t, DATA_VALIDATION, &t->validation, f);
    return status == STATUS_OK ? score_part(t, DATA_TEST, &t->score, f) : status;
}

enum status training_sample(struct point *p, struct failure *f)
{
    struct training *t = network_run_of(p)->training;
    const char *verdict = verifier_verdict(p->verifier);
    enum status status = STATUS_OK;
    training_rows_begin(t, p);
    t->verified = strcmp(verdict, "none") != 0;
    t->how = (struct verify_extent){
        .full = strcmp(verdict, "bound") == 0, .drawn = 4096, .seed = (uint64_t)p->options.seed};
    status = prepare_steps(t, p, f);
    if (status == STATUS_OK && p->options.find_learning_rate) {
        struct trace before;
        status = trace_keep_all(&before, t, p, f);
        if (status == STATUS_OK) {
            status = training_find_rate(t, rates_file(p), f);
            trace_put_back(&before, &t->trainer);
        }
    }
    if (status == STATUS_OK)
        status = warm_up(t, p, f);
    t->trainer.forward.clocked = network_run_of(p)->settings.clocked;
    if (status == STATUS_OK)
        status = run_steps(t, p, f);
    t->trainer.forward.clocked = false;
    if (status == STATUS_OK)
        status = point_common_status(p, score_training(t, f), f);
    if (status == STATUS_OK)
        status = training_rows_confusion(t, f);
    if (status == STATUS_OK)
        status = training_rows_days(t, f);
    if (status == STATUS_OK)
        status = training_rows_forecast(t, f);
    trainer_place(&t->trainer,
                  t->trainer.settings.batch); /* layers are reported for whole batches */
    return status;
}
