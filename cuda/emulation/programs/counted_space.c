#include "cuda/emulation/programs/counted_space.h"

#include "cuda/cuda_space.h"
#include "cuda/emulation/emulation.h"
#include "cuda/emulation/programs/count_report.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_METHODS = 16 };

/* What --count=WORD prints; "explain" is what --explain asks for. */
static const struct format {
    const char *word;
    void (*print)(FILE *out, const struct counted_report *report);
} formats[] = {{"", count_print_table},           {"table", count_print_table},
               {"lines", count_print_lines},      {"csv", count_print_csv},
               {"json", count_print_json},        {"svg", count_print_svg},
               {"explain", count_print_explained}};

static struct {
    const struct instance *instances[MOST_METHODS];
    bool counted[MOST_METHODS];
    struct counted_method methods[MOST_METHODS];
    int64_t count;
    const struct card *card;
    struct counted_work work;
    struct device_options options;
} all;

static const struct format *format_of(const char *word)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].word, word) == 0)
            return &formats[i];
    return NULL;
}

static enum status refuse_card(const char *name, struct failure *f)
{
    char names[256] = "";
    for (size_t i = 0; card_at(i); i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                 card_at(i)->name);
    return fail(f, STATUS_USAGE, "--card %s: no card of that name is known; there are: %s", name,
                names);
}

/* The device has as many multiprocessors as the card, because a grid of `loop` has as many blocks
 * as the device holds. */
static enum status choose(const struct job *job, struct failure *f)
{
#ifdef CUDA_EMULATION_UNWATCHED
    return fail(f, STATUS_UNAVAILABLE,
                "--count: this build has a sanitizer, so its kernels report no accesses");
#endif
    const char *name = job->device.card ? job->device.card : "T4";
    all.options = job->device;
    all.card = card_find(name);
    if (!all.card)
        return refuse_card(name, f);
    if (!format_of(job->device.count))
        return fail(f, STATUS_USAGE,
                    "--count takes nothing or =table, =lines, =csv, =json, =svg, not '%s'",
                    job->device.count);
    emulation_residence(all.card->processors, all.card->threads, all.card->blocks);
    return STATUS_OK;
}

static void note_work(const struct operation *op)
{
    const struct need need = op->kind->need(op, true);
    const double least = need.least.multiply_adds, apart = need.per_output.multiply_adds;
    all.work = (struct counted_work){.bytes_read = need.bytes_read,
                                     .bytes_written = need.bytes_written,
                                     .multiply_adds = apart > least ? apart : least,
                                     .image_rows = op->image.rows,
                                     .image_cols = op->image.cols};
}

static enum status add(const struct instance *instance, const struct job *job, struct failure *f)
{
    if (all.count == MOST_METHODS)
        return fail(f, STATUS_USAGE, "--count: at most %d methods at once", MOST_METHODS);
    all.instances[all.count] = instance;
    snprintf(all.methods[all.count].name, sizeof all.methods[0].name, "%s",
             operation_method(job->operation));
    all.count++;
    return STATUS_OK;
}

/* Where kernels report no accesses, --explain explains the outputs alone. */
static bool counts_for(const struct job *job)
{
#ifdef CUDA_EMULATION_UNWATCHED
    return job->device.count && strcmp(job->device.count, "explain") != 0;
#else
    return job->device.count != NULL;
#endif
}

static enum status open_counted(const struct job *job, struct instance **out,
                                struct resources *resources, struct failure *f)
{
    enum status status = counts_for(job) ? choose(job, f) : STATUS_OK;
    if (status == STATUS_OK)
        status = cuda_space.open(job, out, resources, f);
    if (status != STATUS_OK || !counts_for(job))
        return status;
    note_work(job->operation);
    return add(*out, job, f);
}

static enum status join_counted(struct instance *first, const struct job *job,
                                struct instance **out, struct resources *resources,
                                struct failure *f)
{
    const enum status status = cuda_space.join(first, job, out, resources, f);
    return status == STATUS_OK && counts_for(job) ? add(*out, job, f) : status;
}

/* Copies the counts of a method; without memory for them, its lines and pictures are left out. */
static void take(struct counted_method *m)
{
    emulation_count_end(&m->counts);
    if (all.options.card)
        emulation_count_kernel(&m->kernel);
    m->line_count = emulation_count_lines(NULL, 0);
    m->picture_count = emulation_count_pictures(NULL, 0);
    m->lines = calloc((size_t)m->line_count + 1, sizeof *m->lines);
    m->pictures = calloc((size_t)m->picture_count + 1, sizeof *m->pictures);
    m->line_count = m->lines ? emulation_count_lines(m->lines, m->line_count) : 0;
    m->picture_count = m->pictures ? emulation_count_pictures(m->pictures, m->picture_count) : 0;
}

/* The first execution of each method is counted. */
static enum status execute_counted(struct instance *instance, struct phases *phases,
                                   struct failure *f)
{
    int64_t i = 0;
    while (i < all.count && all.instances[i] != instance)
        i++;
    if (i == all.count || all.counted[i])
        return cuda_space.execute(instance, phases, f);
    emulation_count_begin();
    const enum status status = cuda_space.execute(instance, phases, f);
    take(&all.methods[i]);
    all.counted[i] = true;
    return status;
}

/* Returns the number after the last colon of a place, 0 without one. */
static long line_number(const char *place)
{
    const char *colon = strrchr(place, ':');
    return colon ? strtol(colon + 1, NULL, 10) : 0;
}

/* Returns the line of a place, in the order of line numbers; NULL without memory. */
static struct counted_line *line_of(struct counted_method *m, const char *place, size_t length)
{
    char name[sizeof m->lines->place];
    int64_t at = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, place);
    for (; at < m->line_count; at++)
        if (strcmp(m->lines[at].place, name) == 0)
            return &m->lines[at];
    struct counted_line *more = realloc(m->lines, (size_t)(m->line_count + 1) * sizeof *m->lines);
    if (!more)
        return NULL;
    m->lines = more;
    for (at = m->line_count++; at > 0 && line_number(more[at - 1].place) > line_number(name); at--)
        more[at] = more[at - 1];
    more[at] = (struct counted_line){.branches = 0};
    memcpy(more[at].place, name, sizeof name);
    return &more[at];
}

/* Adds the numbers of one line of text: the kind of request, and what it counted. */
static void add_numbers(struct counted_line *line, const char *text)
{
    char *end = NULL;
    const long kind = strtol(text, &end, 10);
    if (kind >= 0 && kind < COUNTED_MEMORIES * COUNTED_WAYS) {
        int64_t *to = (int64_t *)&line->requests[kind / COUNTED_WAYS][kind % COUNTED_WAYS];
        for (size_t i = 0; i < sizeof line->requests[0][0] / sizeof *to; i++)
            to[i] += strtoll(end, &end, 10);
    } else if (kind == -1) {
        line->branches += strtoll(end, &end, 10);
        line->splits += strtoll(end, &end, 10);
    }
}

/* Adds the lines of that kernel: "FILE:12 KIND NUMBERS" each. */
static void add_lines_beside(struct counted_method *m)
{
    const char *text = getenv("CUDA_EMULATION_BESIDE_LINES");
    for (; text && *text; text += strcspn(text, "\n"), text += *text != '\0') {
        const size_t place = strcspn(text, " \n");
        struct counted_line *line = text[place] == ' ' ? line_of(m, text, place) : NULL;
        if (line)
            add_numbers(line, text + place);
    }
}

/* Adds the counts of a kernel from outside, which `study lab` gives: its title, and the numbers of
 * struct emulation_counts. */
static void add_beside(void)
{
    const char *text = getenv("CUDA_EMULATION_BESIDE");
    struct counted_method *m = &all.methods[all.count];
    int64_t *numbers = (int64_t *)&m->counts;
    char *end = NULL;
    if (!text || all.count == MOST_METHODS)
        return;
    const size_t title = strcspn(text, " ");
    snprintf(m->name, sizeof m->name, "%.*s", (int)title, text);
    for (size_t i = 0; i < sizeof m->counts / sizeof *numbers; i++, text = end) {
        numbers[i] = strtoll(i == 0 ? text + title : text, &end, 10);
        if (end == text)
            return;
    }
    add_lines_beside(m);
    all.count++;
}

/* Asks nvcc about each kernel, for the card that --card names; the kernel from outside is last. */
static void ask_compiler(int64_t own)
{
    const char *outside = getenv("CUDA_EMULATION_BESIDE_SOURCE");
    for (int64_t i = 0; i < own; i++)
        all.methods[i].compiled = compiled_own(&all.methods[i].kernel, all.card->capability);
    if (all.count > own && outside)
        all.methods[own].compiled = compiled_outside(outside, all.card->capability);
}

static enum status describe_counted(struct instance *instance, enum space_topic topic, FILE *out,
                                    struct failure *f)
{
    if (topic != SPACE_COUNTS)
        return cuda_space.describe(instance, topic, out, f);
    const int64_t own = all.count;
    if (all.count == 0)
        return STATUS_OK;
    add_beside();
    if (all.options.card)
        ask_compiler(own);
    const struct counted_report report = {.methods = all.methods,
                                          .count = all.count,
                                          .work = all.work,
                                          .card = all.card,
                                          .predicts = all.options.card != NULL};
    format_of(all.options.count)->print(out, &report);
    if (all.count > own && all.methods[own].line_count > 0)
        count_print_lines_of(out, &all.methods[own]);
    return STATUS_OK;
}

static void forget(const struct instance *instance)
{
    for (int64_t i = 0; i < all.count; i++)
        if (all.instances[i] == instance) {
            free(all.methods[i].lines);
            free(all.methods[i].pictures);
            all.methods[i] = (struct counted_method){.line_count = 0};
            all.instances[i] = NULL;
        }
}

static void close_counted(struct instance *instance)
{
    if (instance)
        forget(instance);
    cuda_space.close(instance);
}

struct space counted_space(void)
{
    struct space s = cuda_space;
    s.open = open_counted;
    s.join = join_counted;
    s.execute = execute_counted;
    s.describe = describe_counted;
    s.close = close_counted;
    return s;
}
