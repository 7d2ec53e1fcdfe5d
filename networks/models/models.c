#include "networks/models/models.h"

#include "harness/base/nearest_word.h"

#include <string.h>

const struct model *const models[] = {
#define MODEL(name) &name##_model,
#include "networks/models/models.inc"
};
const int model_count = sizeof models / sizeof *models;

/* Finds the model by the name before the colon, and sets *sizes to the text after it, or NULL. */
static const struct model *find(const char *name, const char **sizes)
{
    const size_t length = strcspn(name, ":");
    *sizes = name[length] ? name + length + 1 : NULL;
    for (int i = 0; i < model_count; i++)
        if (strlen(models[i]->name) == length && strncmp(models[i]->name, name, length) == 0 &&
            models[i]->sized == (*sizes != NULL))
            return models[i];
    return NULL;
}

static struct suggestion suggest(const char *name)
{
    struct nearest_word n = nearest_word_of(name);
    for (int i = 0; i < model_count; i++)
        nearest_word_offer(&n, models[i]->name);
    return nearest_word_suggest(&n, "");
}

static bool takes_vectors(const struct model *m)
{
    return m->input.rows == 1 && m->input.cols == 1;
}

bool model_exists(const char *name)
{
    const char *sizes;
    return find(name, &sizes) != NULL;
}

bool model_takes_vectors(const char *name)
{
    const char *sizes;
    const struct model *m = find(name, &sizes);
    return m && takes_vectors(m);
}

/* Sets *input to the requested sizes, or the model's own where none are requested. The length of
 * vectors is fixed. */
static enum status settle_input(const struct model *m, const struct model_request *r,
                                struct tensor_shape *input, struct failure *f)
{
    const struct tensor_shape asked = r->input;
    *input = m->input;
    if (takes_vectors(m) && (asked.rows > 1 || asked.cols > 1))
        return fail(f, STATUS_USAGE, "network %s takes vectors, not images of %lld x %lld", r->name,
                    (long long)asked.rows, (long long)asked.cols);
    if (takes_vectors(m) && asked.channels > 0 && asked.channels != input->channels)
        return fail(f, STATUS_USAGE, "network %s takes vectors of %lld, not of %lld", r->name,
                    (long long)input->channels, (long long)asked.channels);
    input->channels = asked.channels > 0 ? asked.channels : input->channels;
    input->rows = asked.rows > 0 ? asked.rows : input->rows;
    input->cols = asked.cols > 0 ? asked.cols : input->cols;
    return STATUS_OK;
}

enum status model_make(struct network *n, const struct model_request *request, struct failure *f)
{
    const char *sizes;
    const struct model *m = find(request->name, &sizes);
    struct tensor_shape input;
    *n = (struct network){0};
    if (!m)
        return fail(f, STATUS_USAGE, "--network: there is no '%s'%s (try --list-networks)",
                    request->name, suggest(request->name).text);
    const enum status status = settle_input(m, request, &input, f);
    if (status != STATUS_OK)
        return status;
    network_begin(n, request->name, input);
    m->build(n, request->classes > 0 ? request->classes : m->classes, sizes);
    return network_finish(n, f);
}

struct model_name model_shown(const struct model *m)
{
    struct model_name name;
    snprintf(name.text, sizeof name.text, "%s%s", m->name, m->sized ? ":H1-H2-..." : "");
    return name;
}

void models_list(FILE *out)
{
    for (int i = 0; i < model_count; i++)
        fprintf(out, "%-16s  %s\n", model_shown(models[i]).text, models[i]->idea);
}
