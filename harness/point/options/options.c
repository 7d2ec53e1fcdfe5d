#include "harness/base/text/screen.h"
#include "harness/point/options/option_table.h"
#include "harness/point/subject.h"
#include "kernels/precision/declared_math.h"

#include <stdlib.h>
#include <string.h>

/* ---- the command line ------------------------------------------------------------------------ */

/* True if the program has another option of this name and not this one: operators and networks may
 * have options of the same name. */
static bool is_anothers(const void *program, size_t row)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    bool another = false;
    for (size_t i = 0; i < (size_t)count; i++)
        another = another || (i != row && strcmp(rows[i].name, rows[row].name) == 0 &&
                              option_applies(&rows[i], program));
    return another && !option_applies(&rows[row], program);
}

/* Sets every option to its default. */
static enum status set_defaults(struct options *o, struct failure *f)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    enum status status = STATUS_OK;
    *o = (struct options){0};
    for (int i = 0; i < count && status == STATUS_OK; i++)
        if (rows[i].fallback)
            status = option_set(&rows[i], o, rows[i].fallback, f);
    return status;
}

static enum status refuse(const void *program, size_t row, struct failure *f)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    return option_applies(&rows[row], program) ? STATUS_OK : option_refuse(&rows[row], program, f);
}

/* "all" may follow --help as a word of its own. */
static enum status read_help(struct options *o, int argc, char **argv, int *operands,
                             struct failure *f)
{
    static const char all[] = "all";
    if (o->help && !o->help[0] && *operands < argc && strcmp(argv[*operands], all) == 0) {
        o->help = all;
        (*operands)++;
    }
    if (o->help && o->help[0] && strcmp(o->help, all) != 0)
        return fail(f, STATUS_USAGE, "--help takes nothing or all, not '%s'", o->help);
    return STATUS_OK;
}

enum status options_parse(struct options *o, const struct program *program, int argc, char **argv,
                          struct failure *f)
{
    int count, operands;
    const struct option_row *rows = option_rows(&count);
    const struct option_reader reader = {.rows = rows,
                                         .count = (size_t)count,
                                         .base = o,
                                         .help = "try --help",
                                         .given = o->given,
                                         .context = program,
                                         .hidden = is_anothers,
                                         .refuse = refuse};
    enum status status = set_defaults(o, f);
    if (status == STATUS_OK)
        status = option_rows_read(&reader, argc, argv, &operands, f);
    if (status == STATUS_OK)
        status = read_help(o, argc, argv, &operands, f);
    if (status == STATUS_OK && o->lang)
        status = screen_choose(o->lang, f);
    if (status == STATUS_OK && operands < argc)
        return fail(f, STATUS_USAGE, "'%s' is not an option (an image is given with -i FILE)",
                    argv[operands]);
    return status;
}

bool options_given(const struct options *o, const char *name)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    bool given = false;
    for (int i = 0; i < count; i++)
        given = given || (o->given[i] && strcmp(rows[i].name, name) == 0);
    return given;
}

const char *option_fallback(const char *name)
{
    int count;
    const int row = option_find(name);
    return row < 0 ? NULL : option_rows(&count)[row].fallback;
}

/* ---- what must be consistent ----------------------------------------------------------------- */

/* Returns the first of the named options (the list ends with NULL) that was given, or NULL. */
static const char *first_given(const struct options *o, const char *const *names)
{
    for (; *names; names++)
        if (options_given(o, *names))
            return *names;
    return NULL;
}

/* Returns the first given parameter that describes a random image, or NULL. */
static const char *random_given(const struct options *o)
{
    for (size_t i = 0; parameter_at(i); i++)
        if (parameter_at(i)->random && options_given(o, parameter_at(i)->option))
            return parameter_at(i)->option;
    return NULL;
}

static enum status check_image(const struct options *o, struct failure *f)
{
    static const char *const random_only[] = {"size",       "rows",      "cols", "planes",
                                              "dimensions", "max-value", NULL};
    static const char *const sizes[] = {"rows", "cols", NULL};
    static const char *const of_file[] = {"plane", "axis", NULL};
    static const char *const asked[] = {"input", "size", "rows", "cols", NULL};
    const char *other;
    if (o->input && (other = first_given(o, random_only)))
        return fail(f, STATUS_USAGE,
                    "--%s describes a random image and --input names one: give "
                    "one of them",
                    other);
    if (o->gray && !o->input)
        return fail(f, STATUS_USAGE, "--gray converts a picture: it needs --input");
    if (!o->input && (other = first_given(o, of_file)))
        return fail(f, STATUS_USAGE, "--%s is of the volume of --input: give one", other);
    if (options_given(o, "size") && (other = first_given(o, sizes)))
        return fail(f, STATUS_USAGE, "--size already sets --%s: give one of them", other);
    if (options_given(o, "dimensions") && (other = first_given(o, sizes)))
        return fail(f, STATUS_USAGE, "--dimensions goes with --size, not with --%s", other);
    if (options_given(o, "rows") != options_given(o, "cols"))
        return fail(f, STATUS_USAGE, "--rows and --cols go together");
    if (o->interactive && ((other = first_given(o, asked)) || (other = random_given(o))))
        return fail(f, STATUS_USAGE, "--interactive asks for the image: it excludes --%s", other);
    return STATUS_OK;
}

/* An image from a file or typed in exists in one process; a random image can be generated in
 * any. */
static enum status settle_distribution(struct options *o, struct failure *f)
{
    const bool from_one_process = o->input || o->interactive;
    if (!options_given(o, "distribute"))
        o->distribute = from_one_process ? DISTRIBUTE_SCATTER : DISTRIBUTE_GENERATE;
    if (from_one_process && o->distribute == DISTRIBUTE_GENERATE)
        return fail(f, STATUS_USAGE,
                    "--distribute generate is for random images: an image from --%s is scattered",
                    o->input ? "input" : "interactive");
    return STATUS_OK;
}

/* With --parallel product one rank cuts all windows, so it has the whole image. */
static enum status settle_parallel(struct options *o, struct failure *f)
{
    if (o->parallel != PARALLEL_PRODUCT && o->product_row_s > 0.0)
        return fail(f, STATUS_USAGE, "--product-seconds goes with --parallel product");
    if (o->parallel != PARALLEL_PRODUCT)
        return STATUS_OK;
    if (o->fold)
        return fail(f, STATUS_USAGE, "--parallel product computes: it excludes --fold");
    if (o->row_s > 0.0 && !(o->product_row_s > 0.0 && o->product_row_s < o->row_s))
        return fail(f, STATUS_USAGE,
                    "--row-seconds: with --parallel product, --product-seconds says how many of "
                    "these are the products': more than 0, less than all");
    if (options_given(o, "distribute") && o->distribute == DISTRIBUTE_GENERATE)
        return fail(f, STATUS_USAGE,
                    "--distribute generate: with --parallel product rank 0 has the whole image");
    o->distribute = DISTRIBUTE_SCATTER;
    return STATUS_OK;
}

static enum status check_output(const struct options *o, struct failure *f)
{
    static const char *const text_only[] = {
        "print", "explain", "show-indices", "kernel-facts", "top", "count", NULL};
    const char *text = first_given(o, text_only);
    if (o->nearest > 0 && !o->output)
        return fail(f, STATUS_USAGE, "--nearest is what --output writes: give one");
    if (o->format != FORMAT_TEXT && text)
        return fail(f, STATUS_USAGE, "--%s needs --format text", text);
    if (o->list_methods && o->list_methods[0] && strcmp(o->list_methods, "all") != 0)
        return fail(f, STATUS_USAGE, "--list-methods takes nothing or =all, not '%s'",
                    o->list_methods);
    return STATUS_OK;
}

/* With --interactive, prints the image and its map. */
static void settle_print(struct options *o)
{
    o->print = o->print || (o->interactive && o->format == FORMAT_TEXT);
}

/* With --fold nothing is computed: nothing can be verified or shown, and the times must be
 * given. */
static enum status check_fold(const struct options *o, struct failure *f)
{
    static const char *const excluded[] = {"input", "interactive", "output",
                                           "print", "explain",     NULL};
    const char *other;
    if (!o->fold)
        return STATUS_OK;
    if ((other = first_given(o, excluded)))
        return fail(f, STATUS_USAGE, "--fold computes nothing: it excludes --%s", other);
    if (!(o->row_s > 0.0))
        return fail(f, STATUS_USAGE, "--fold computes nothing: it needs --row-seconds above 0");
    if (o->verify != VERIFY_NONE)
        return fail(f, STATUS_USAGE, "--fold computes nothing: it needs --verify none");
    return STATUS_OK;
}

/* Among networks, only trainings accept given times, and then compute nothing. */
static enum status check_given_times(const struct options *o, const struct program *program,
                                     struct failure *f)
{
    if (!program->subject || !options_given(o, "row-seconds"))
        return STATUS_OK;
    if (o->task == 0)
        return fail(f, STATUS_USAGE, "--row-seconds goes with --task train");
    if (o->row_s > 0.0 && !o->fold)
        return fail(f, STATUS_USAGE,
                    "--row-seconds: a training that takes given seconds computes "
                    "nothing: it needs --fold");
    if (o->fold && o->data && strcmp(o->data, "random") != 0)
        return fail(f, STATUS_USAGE, "--fold computes nothing: --data %s has nothing to learn from",
                    o->data);
    return STATUS_OK;
}

const char *options_method(const struct operator_row *kind, const struct program *program, size_t i)
{
    for (size_t row = 0; row < operator_method_count(kind); row++) {
        const struct method *m = kind->method(row);
        if (m->kind == program->space->kind && !method_lacks(m, program->emulated) && i-- == 0)
            return m->name;
    }
    return NULL;
}

/* The first method of the program that works in stages, or that does either; NULL: none. */
static const char *first_method(const struct operator_row *o, const struct program *program,
                                bool staged)
{
    for (size_t i = 0; i < operator_method_count(o); i++)
        if (o->method(i)->kind == program->space->kind && (!staged || o->method(i)->staged))
            return o->method(i)->name;
    return NULL;
}

/* The first method of the program that rounds its operands; NULL: none. */
static const char *first_of_tensors(const struct operator_row *o, const struct program *program)
{
    for (size_t i = 0; i < operator_method_count(o); i++)
        if (o->method(i)->kind == program->space->kind && o->method(i)->tensor)
            return o->method(i)->name;
    return NULL;
}

/* The first method that the program has. The first that rounds its operands if --math asks for
 * that. The first that works in stages if only the product is
 * parallel, and after questions, whose answer tells the seconds of the products as the tesina does.
 */
static const char *default_method(const struct operator_row *kind, const struct program *program,
                                  const struct options *o)
{
    const bool staged = o->interactive || o->parallel == PARALLEL_PRODUCT;
    const char *name = o->parameters.math != MATH_FP32 ? first_of_tensors(kind, program)
                                                       : first_method(kind, program, staged);
    if (!name)
        name = first_method(kind, program, false);
    return name ? name : kind->method(0)->name;
}

/* The block's side is converted from a choice; the others are enumerators already. */
static enum status settle_device(struct options *o, const struct program *program,
                                 struct failure *f)
{
    o->device.offload = (enum offload)o->offload;
    o->device.filter_memory = (enum filter_memory)o->filter_memory;
    o->device.host_memory = (enum host_memory)o->host_memory;
    o->device.submit = (enum submit)o->submit;
    o->device.overlaps = o->overlap == 0;
    o->device.block = o->block == 0 ? 16 : 32;
    if (program->space->processes && !options_given(o, "device"))
        o->device.device = DEVICE_OF_RANK;
    if (o->device.offload == OFFLOAD_IMAGE)
        return STATUS_OK;
    if (o->device.streams > 1)
        return fail(f, STATUS_USAGE,
                    "--streams overlaps chunks of the image: it needs --offload image");
    if (o->device.memory_bytes > 0)
        return fail(f, STATUS_USAGE,
                    "--device-memory is for chunks of the image: it needs --offload image");
    return STATUS_OK;
}

/* An emulated device has no seconds, so one execution is enough. */
static enum status settle_emulation(struct options *o, const struct program *program,
                                    struct failure *f)
{
    static const char *const seconds[] = {"layers",   "roof",     "record-layers",
                                          "trace",    "timeline", "record-training",
                                          "per-rank", NULL};
    const char *other = program->emulated ? first_given(o, seconds) : NULL;
    if (!program->emulated && o->device.count)
        return fail(f, STATUS_USAGE, "--count counts on an emulated device: it needs --device cpu");
    if (o->device.card && !o->device.count)
        return fail(f, STATUS_USAGE, "--card goes with --count");
    if (!program->emulated)
        return STATUS_OK;
    if (other)
        return fail(f, STATUS_USAGE,
                    "--%s shows seconds, and --device cpu has none: its seconds are not those of "
                    "a GPU",
                    other);
    if (o->kernel_facts)
        return fail(f, STATUS_USAGE,
                    "--kernel-facts: the compiler of an emulated device knows no registers of a "
                    "GPU");
    if (o->explain && !o->device.count)
        o->device.count = "explain"; /* the counts of each line of the kernels too */
    if (!options_given(o, "warmup"))
        o->warmup = 0;
    if (!options_given(o, "samples"))
        o->samples = 1;
    o->device.warm_cache = true; /* it has no cache that could be flushed */
    return STATUS_OK;
}

static bool is_given(const struct parameter *p, const void *context)
{
    return options_given(context, p->option);
}

enum status options_settle(struct options *o, const struct program *program, struct failure *f)
{
    enum status status = check_image(o, f);
    if (status == STATUS_OK)
        status = check_output(o, f);
    settle_print(o);
    if (status == STATUS_OK)
        status = check_fold(o, f);
    if (status == STATUS_OK)
        status = check_given_times(o, program, f);
    if (status == STATUS_OK)
        status = settle_distribution(o, f);
    if (status == STATUS_OK)
        status = settle_parallel(o, f);
    if (status == STATUS_OK)
        status = settle_device(o, program, f);
    if (status == STATUS_OK)
        status = settle_emulation(o, program, f);
    if (!options_given(o, "rows"))
        o->rows = o->size;
    if (!options_given(o, "cols") && !options_given(o, "dimensions"))
        o->cols = o->size;
    operator_fill_defaults(program->kind, &o->parameters, is_given, o);
    const struct operator_row *kind = operator_selected(program->kind, &o->parameters);
    if (status == STATUS_OK)
        status = options_check_selected(o, program, f);
    for (const struct operand_row *const *row = kind->operands; *row; row++)
        if (!o->operands[(*row)->role])
            o->operands[(*row)->role] = (*row)->fallback;
    if (!o->method)
        o->method = default_method(kind, program, o);
    return status;
}

void options_broadcast(struct options *o, const struct processes *p)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    for (int i = 0; i < count; i++)
        if (rows[i].kind == VALUE_INT)
            processes_broadcast(p, (char *)o + rows[i].offset, sizeof(int64_t));
}
