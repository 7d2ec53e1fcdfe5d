/* Known answers about the networks: shapes and parameters of their layers. */
#include "networks/data/augment.h"
#include "networks/models/models.h"
#include "theses/reproduce/answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Makes the network named by the first word; must be released if the status is STATUS_OK. */
static enum status make(const struct answering *a, struct network *n)
{
    const struct model_request request = {.name = a->words[0]};
    const enum status status = model_make(n, &request, a->failure);
    if (status != STATUS_OK)
        network_release(n);
    return status;
}

/* The layer named by the second word; NULL: none. */
static const struct layer *find(const struct answering *a, const struct network *n)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->layers[i].name, a->words[1]) == 0)
            return &n->layers[i];
    return NULL;
}

/* parameters NETWORK */
enum status answer_parameters(struct answering *a)
{
    struct network n;
    const enum status status = make(a, &n);
    if (status != STATUS_OK)
        return status;
    a->out->number = (double)n.parameters;
    network_release(&n);
    return STATUS_OK;
}

/* "48x48x32", rows by columns by channels, as the documents print it; for a vector, its length. */
static void take_shape(struct answer *out, struct tensor_shape s)
{
    if (s.rows == 1 && s.cols == 1)
        out->number = (double)s.channels;
    else
        snprintf(out->text, sizeof out->text, "%" PRId64 "x%" PRId64 "x%" PRId64, s.rows, s.cols,
                 s.channels);
}

static bool take_field(struct answer *out, const struct layer *l, const char *field)
{
    const struct {
        const char *name;
        double value;
    } fields[] = {{"channels", (double)l->in.channels},
                  {"filters", (double)l->filters},
                  {"kernel", (double)l->kernel},
                  {"stride", (double)l->stride},
                  {"padding", (double)l->padding},
                  {"rate", l->rate},
                  {"inputs", (double)tensor_elements(l->in)},
                  {"outputs", (double)tensor_elements(l->out)}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(field, fields[i].name) == 0) {
            out->number = fields[i].value;
            return true;
        }
    return false;
}

/* Takes a value of a layer; returns false if the layer has no such value. */
typedef bool layer_taker(struct answering *a, const struct layer *l);

static enum status of_layer(struct answering *a, layer_taker *take)
{
    struct network n;
    enum status status = make(a, &n);
    if (status != STATUS_OK)
        return status;
    const struct layer *l = find(a, &n);
    if (!l)
        status = answer_refuse(a, 1, "a layer of it");
    else if (!take(a, l))
        status = answer_refuse(a, 2, "what a layer has");
    network_release(&n);
    return status;
}

static bool take_parameters(struct answering *a, const struct layer *l)
{
    a->out->number = (double)layer_trained_floats(l);
    return true;
}

static bool take_shape_of(struct answering *a, const struct layer *l)
{
    take_shape(a->out, l->out);
    return true;
}

static bool take_named(struct answering *a, const struct layer *l)
{
    return take_field(a->out, l, a->words[2]);
}

/* layer_parameters NETWORK LAYER */
enum status answer_layer_parameters(struct answering *a)
{
    return of_layer(a, take_parameters);
}

/* shape NETWORK LAYER: the shape of its output. */
enum status answer_shape(struct answering *a)
{
    return of_layer(a, take_shape_of);
}

/* layer NETWORK LAYER FIELD: channels, filters, kernel, stride, padding, rate, inputs, outputs. */
enum status answer_layer(struct answering *a)
{
    return of_layer(a, take_named);
}

/* input NETWORK rows|columns|channels */
enum status answer_input(struct answering *a)
{
    struct network n;
    const enum status status = make(a, &n);
    if (status != STATUS_OK)
        return status;
    const struct {
        const char *name;
        int64_t value;
    } sides[] = {{"rows", n.input.rows}, {"columns", n.input.cols}, {"channels", n.input.channels}};
    network_release(&n);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (strcmp(a->words[1], sides[i].name) == 0) {
            a->out->number = (double)sides[i].value;
            return STATUS_OK;
        }
    return answer_refuse(a, 1, "rows, columns or channels");
}

/* augment KIND: the default value of --augment KIND */
enum status answer_augment(struct answering *a)
{
    struct augmentation said;
    const struct tensor_shape image = {3, 32, 32};
    const enum status status = augmentation_parse(a->words[0], image, &said, a->failure);
    a->out->number = said.rotate + said.flip + (double)said.crop; /* two of them are 0 */
    return status;
}
