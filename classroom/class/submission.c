#include "classroom/class/submission.h"

#include "classroom/lab/guard/protection.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/short_paths.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/integer.h"
#include "harness/base/text/word_list.h"
#include "harness/base/utf8.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- facts ----------------------------------------------------------------------------------- */

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static enum status take_text(const cJSON *object, const char *name, char *to, size_t size,
                             struct failure *f)
{
    const char *text = cJSON_GetStringValue(member(object, name));
    if (!text)
        return fail(f, STATUS_USAGE, "run.json has no text '%s'", name);
    text_fit(to, size, text);
    utf8_clean_foreign(to, false);
    return STATUS_OK;
}

struct text_row {
    const char *name;
    char *to;
    size_t size;
};

static enum status take_texts(const cJSON *object, const struct text_row *rows, size_t count,
                              struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = take_text(object, rows[i].name, rows[i].to, rows[i].size, f);
    return status;
}

static enum status take_words(struct submission *s, const cJSON *root, const cJSON *run,
                              struct failure *f)
{
    const struct text_row fields[] = {
        {"file", s->file, sizeof s->file},
        {"method", s->methods[0].name, sizeof s->methods[0].name},
        {"operator", s->operator_name, sizeof s->operator_name},
        {"verdict", s->verdict, sizeof s->verdict},
        {"cause", s->cause, sizeof s->cause},
    };
    const struct text_row of_run[] = {
        {"host", s->host, sizeof s->host},
        {"commit", s->commit, sizeof s->commit},
        {"cflags", s->cflags, sizeof s->cflags},
        {"run_id", s->run_id, sizeof s->run_id},
        {"source_sha256", s->source_sha256, sizeof s->source_sha256},
        {"samples_sha256", s->samples_sha256, sizeof s->samples_sha256},
    };
    const double version = cJSON_GetNumberValue(member(run, "version"));
    if (version != LAB_RUN_VERSION)
        return fail(f, STATUS_USAGE, "run.json is of version %g; this study reads version %d",
                    version, LAB_RUN_VERSION);
    enum status status = take_texts(root, fields, sizeof fields / sizeof *fields, f);
    if (status == STATUS_OK)
        status = take_texts(run, of_run, sizeof of_run / sizeof *of_run, f);
    const char *name = file_name(s->file);
    memmove(s->file, name, strlen(name) + 1);
    short_paths(s->cause, NULL);
    return status;
}

static enum status take_numbers(struct submission *s, const cJSON *run, struct failure *f)
{
    int64_t rounds = 0;
    const struct {
        const char *name;
        int64_t *to;
    } rows[] = {{"size", &s->size},       {"kernel", &s->kernel}, {"stride", &s->stride},
                {"padding", &s->padding}, {"planes", &s->planes}, {"threads", &s->threads},
                {"rounds", &rounds}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double value = cJSON_GetNumberValue(member(run, rows[i].name));
        if (!(value >= 0.0 && value <= 1e6) || value != floor(value))
            return fail(f, STATUS_USAGE, "run.json has no whole number '%s'", rows[i].name);
        *rows[i].to = (int64_t)value;
    }
    s->rounds = (size_t)rounds;
    return STATUS_OK;
}

static enum status take_seed(struct submission *s, const cJSON *run, struct failure *f)
{
    char text[32];
    const enum status status = take_text(run, "seed", text, sizeof text, f);
    if (status != STATUS_OK)
        return status;
    return integer_read_natural(text, &s->seed)
               ? STATUS_OK
               : fail(f, STATUS_USAGE, "run.json: the seed is no number");
}

static enum status take_methods(struct submission *s, const cJSON *run, struct failure *f)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, member(run, "methods"))
    {
        const char *name = cJSON_GetStringValue(item);
        if (!name || s->method_count == LAB_CANDIDATES || strlen(name) >= LAB_NAME)
            return fail(f, STATUS_USAGE, "run.json: its methods are no list of names");
        snprintf(s->methods[s->method_count].name, LAB_NAME, "%s", name);
        utf8_clean_foreign(s->methods[s->method_count++].name, false);
    }
    return s->method_count > 0 ? STATUS_OK : fail(f, STATUS_USAGE, "run.json names no methods");
}

/* Runs of earlier versions have none. */
static void take_load(struct submission *s, const cJSON *conditions)
{
    const double threads = cJSON_GetNumberValue(member(conditions, "hardware_threads"));
    s->load = (struct other_load){
        .cores = cJSON_GetNumberValue(member(conditions, "others_cores")),
        .hardware_threads = threads >= 0.0 && threads <= OTHER_LOAD_CPUS ? (int64_t)threads : 0,
        .stolen_share = cJSON_GetNumberValue(member(conditions, "stolen_share")),
        .pressure_share = cJSON_GetNumberValue(member(conditions, "pressure_share"))};
}

static enum status take_run(struct submission *s, const cJSON *root, struct failure *f)
{
    const cJSON *run = member(root, "run");
    enum status status = take_words(s, root, run, f);
    s->lacking = lab_protection_lacking(root);
    s->correct = strcmp(s->verdict, lab_verdict_word(LAB_CORRECT)) == 0;
    if (status != STATUS_OK || !s->correct)
        return status;
    s->limit_s = cJSON_GetNumberValue(member(root, "machine_limit_s"));
    s->limit_measured_now = cJSON_IsTrue(member(run, "limit_measured_now"));
    take_load(s, member(root, "conditions"));
    status = take_numbers(s, run, f);
    if (status == STATUS_OK)
        status = take_seed(s, run, f);
    return status == STATUS_OK ? take_methods(s, run, f) : status;
}

/* ---- times ----------------------------------------------------------------------------------- */

size_t submission_find(const struct submission *s, const char *method)
{
    for (size_t i = 1; i < s->method_count; i++)
        if (strcmp(s->methods[i].name, method) == 0)
            return i;
    return 0;
}

void submission_join_methods(const struct submission *s, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 1; i < s->method_count; i++)
        word_list_add(text, size, ",", s->methods[i].name);
}

/* Seconds of one method by round; NaN for a round without a row of it. */
static void seconds_of(const struct submission *s, size_t method, double *seconds)
{
    for (size_t i = 0; i < s->rounds; i++)
        seconds[i] = NAN;
    for (size_t i = 0; i < s->samples.count; i++) {
        const struct lab_sample *row = &s->samples.items[i];
        if (row->round >= 0 && (size_t)row->round < s->rounds && row->seconds > 0.0 &&
            strcmp(row->method, s->methods[method].name) == 0)
            seconds[row->round] = row->seconds;
    }
}

/* Summarises `numerator`, or its quotients with `denominator` unless that is NULL; omits rounds
 * without a finite value. */
static struct summary summarise_rounds(const double *numerator, const double *denominator,
                                       size_t rounds, double *workspace)
{
    size_t count = 0;
    for (size_t i = 0; i < rounds; i++) {
        const double value = denominator ? numerator[i] / denominator[i] : numerator[i];
        if (isfinite(value))
            workspace[count++] = value;
    }
    return summarise(workspace, count);
}

static enum status summarise_methods(struct submission *s, struct failure *f)
{
    double *workspace = calloc(3 * s->rounds + 1, sizeof *workspace);
    if (!workspace)
        return fail(f, STATUS_RESOURCE, "not enough memory for the samples");
    double *kernel = workspace, *other = workspace + s->rounds, *sorted = other + s->rounds;
    seconds_of(s, 0, kernel);
    for (size_t i = 0; i < s->method_count; i++) {
        seconds_of(s, i, other);
        s->methods[i].time = summarise_rounds(other, NULL, s->rounds, sorted);
        s->methods[i].ratio = summarise_rounds(other, kernel, s->rounds, sorted);
    }
    free(workspace);
    return s->methods[0].time.n > 0 ? STATUS_OK
                                    : fail(f, STATUS_USAGE, "there are no samples of the kernel");
}

bool submission_was_disturbed(const struct submission *s)
{
    return s->correct && other_load_disturbs(&s->load, s->threads);
}

double submission_share(const struct submission *s)
{
    return s->correct && s->limit_s > 0.0 ? s->limit_s / s->methods[0].time.median : NAN;
}

size_t submission_step(const struct submission *s)
{
    size_t step = 0;
    for (size_t i = 1; i < s->method_count; i++)
        if (s->methods[i].ratio.upper >= 1.0 &&
            (step == 0 || s->methods[i].time.median < s->methods[step].time.median))
            step = i;
    return step;
}

/* ---- the archive ----------------------------------------------------------------------------- */

const struct archive_file *submission_source(const struct submission *s)
{
    for (size_t i = 0; i < s->package.zip.count; i++)
        if (strncmp(s->package.zip.files[i].name, package_sources, strlen(package_sources)) == 0)
            return &s->package.zip.files[i];
    return NULL;
}

static enum status take_samples(struct submission *s, struct failure *f)
{
    const struct archive_file *file = archive_find(&s->package.zip, package_samples);
    if (!file)
        return fail(f, STATUS_USAGE, "the archive has no samples.csv");
    const enum status status = lab_samples_parse(&s->samples, file->bytes, file->count, f);
    return status == STATUS_OK ? summarise_methods(s, f) : status;
}

static enum status take_all(struct submission *s, struct failure *f)
{
    const struct archive_file *file = archive_find(&s->package.zip, package_run);
    cJSON *root = file ? cJSON_Parse(file->bytes) : NULL;
    enum status status =
        root ? take_run(s, root, f) : fail(f, STATUS_USAGE, "the archive has no run.json");
    cJSON_Delete(root);
    if (status == STATUS_OK && !submission_source(s))
        status = fail(f, STATUS_USAGE, "the archive has no source");
    if (status == STATUS_OK && s->correct)
        status = take_samples(s, f);
    return status;
}

enum status submission_read(struct submission *s, const char *path, struct failure *f)
{
    struct failure why = {0};
    *s = (struct submission){.path = path, .limit_s = NAN};
    enum status status = package_read(&s->package, path, f);
    if (status != STATUS_OK)
        return status;
    status = submission_take(s, &why);
    return status == STATUS_OK ? STATUS_OK : fail(f, status, "%s: %s", path, why.message);
}

enum status submission_take(struct submission *s, struct failure *f)
{
    const enum status status = take_all(s, f);
    if (status != STATUS_OK)
        submission_release(s);
    return status;
}

void submission_release(struct submission *s)
{
    lab_samples_release(&s->samples);
    package_release(&s->package);
}
