#include "networks/point/record_subject.h"

#include "harness/point/options/options.h"
#include "harness/space/parameters.h"
#include "networks/faces/faces.h"
#include "networks/layers/kinds.h"
#include "networks/models/models.h"
#include "networks/point/images.h"
#include "networks/point/peers.h"
#include "networks/training/trainer.h"
#include "peers/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A requested network, kept until the process ends because operations read it. */
struct kept {
    struct network_run run;
    struct faces_run faces; /* of the same network */
    char name[RECORD_TEXT]; /* in the record */
    struct tensor_shape asked;
    struct failure failure; /* why there is no network */
    enum status status;
    struct kept *next;
};

static int64_t or_else(int64_t value, int64_t fallback)
{
    return value == RECORD_NO_INT ? fallback : value;
}

/* ---- subjects other than operators -------------------------------------------------------------
 */

/* A column that programs set by an option of another name; NULL: by no option. */
struct own_option {
    const char *column, *option;
};

/* How records of a row's programs differ from those of operators. */
struct recorded_subject {
    const struct operator_row *row;
    const char *input;                /* the image if none is requested */
    const struct own_option *options; /* the last one has no column */
    bool compares_pictures;
    int64_t (*images)(const struct record *r); /* images through the network, requested or not */
    /* Sets the operation's row and images to those of a kept network. */
    struct refusal (*take)(struct operation *op, struct kept *k);
    /* Fills in the other values that the record leaves open. */
    void (*settle)(struct record *r, const struct operation *op);
};

static int64_t batch_of(const struct record *r)
{
    return or_else(r->batch, 1);
}

static struct refusal take_network(struct operation *op, struct kept *k)
{
    op->kind = &k->run.row;
    op->image = network_images_shape(&k->run);
    return refusal_make(REFUSAL_NONE, "%s", "");
}

static void settle_network(struct record *r, const struct operation *op)
{
    r->batch = network_run_around(op)->images.batch;
}

static int64_t pictures_of(const struct record *r)
{
    return or_else(r->images, FACES_SLICES);
}

static struct refusal take_faces(struct operation *op, struct kept *k)
{
    if (k->run.images.vectors)
        return refusal_make(REFUSAL_USAGE, "network %s takes vectors, not pictures", k->name);
    op->kind = &k->faces.row;
    op->image = faces_images_shape(&k->faces);
    return refusal_make(REFUSAL_NONE, "%s", "");
}

static void settle_faces(struct record *r, const struct operation *op)
{
    const struct faces_run *run = faces_run_around(op);
    r->images = run->images;
    r->batch = or_else(r->batch, faces_together(run));
    if (strcmp(r->weights, "seeded") == 0)
        r->seed = or_else(r->seed, strtoll(option_fallback("seed"), NULL, 10));
}

static const struct own_option network_options[] = {
    {"rows", "image-size"}, {"cols", NULL}, {NULL, NULL}};
static const struct own_option faces_options[] = {
    {"rows", "image-size"}, {"cols", NULL}, {"method", "structure"}, {NULL, NULL}};

static const struct recorded_subject subjects[] = {
    {.row = &network_row,
     .input = "random",
     .options = network_options,
     .images = batch_of,
     .take = take_network,
     .settle = settle_network},
    {.row = &faces_row,
     .input = FACES_INPUT,
     .options = faces_options,
     .compares_pictures = true,
     .images = pictures_of,
     .take = take_faces,
     .settle = settle_faces},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* The subject of this row, or of a copy of it in a run; NULL: an operator's row. */
static const struct recorded_subject *subject_of(const struct operator_row *o)
{
    for (size_t i = 0; o && i < SUBJECTS; i++)
        if (o->describe == subjects[i].row->describe)
            return &subjects[i];
    return NULL;
}

const struct operator_row *recorded_row(const char *name)
{
    for (size_t i = 0; i < SUBJECTS; i++)
        if (strcmp(name, subjects[i].row->name) == 0)
            return subjects[i].row;
    return operator_find(name);
}

const struct operator_row *recorded_operator(const struct record *r)
{
    const struct operator_row *o = recorded_row(r->operator_name);
    return o ? record_selected(r, o) : NULL;
}

const struct operator_row *recorded_network_at(size_t i)
{
    return i < SUBJECTS ? subjects[i].row : NULL;
}

bool recorded_compares_pictures(const struct operator_row *o)
{
    const struct recorded_subject *s = subject_of(o);
    return s && s->compares_pictures;
}

bool recorded_is_network(const struct operator_row *o)
{
    return subject_of(o) != NULL;
}

const char *recorded_input(const struct operator_row *o)
{
    const struct recorded_subject *s = subject_of(o);
    return s ? s->input : "random";
}

bool recorded_option(const struct operator_row *o, const char *column, const char **option)
{
    const struct recorded_subject *s = subject_of(o);
    for (const struct own_option *own = s ? s->options : NULL; own && own->column; own++)
        if (strcmp(own->column, column) == 0) {
            *option = own->option;
            return true;
        }
    return false;
}

/* ---- requested networks ------------------------------------------------------------------------
 */

static bool same_shape(struct tensor_shape a, struct tensor_shape b)
{
    return a.channels == b.channels && a.rows == b.rows && a.cols == b.cols;
}

/* The shape of one image in the record; 0 stands for the network's own. */
static struct tensor_shape asked_shape(const struct record *r, int64_t images)
{
    if (model_takes_vectors(r->network))
        return (struct tensor_shape){or_else(r->cols, 0), 0, 0};
    return (struct tensor_shape){or_else(r->planes, 0) / images, or_else(r->rows, 0),
                                 or_else(r->cols, 0)};
}

/* Makes the network of that name; "+features" after the name ends it before its classifier. */
static void make(struct kept *k)
{
    static const char features[] = "+features";
    const char *plus = strchr(k->name, '+');
    char name[RECORD_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(k->name, "+"), k->name);
    const struct model_request request = {.name = name, .input = k->asked};
    k->run.row = network_row;
    k->run.images.vectors = model_takes_vectors(name);
    k->run.settings.features = plus && strcmp(plus, features) == 0;
    k->status = model_make(&k->run.network, &request, &k->failure);
    if (k->status == STATUS_OK && k->run.settings.features)
        k->status = network_keep_features(&k->run.network, &k->failure);
    k->faces = (struct faces_run){.row = faces_row,
                                  .network = k->run.network,
                                  .images = k->run.images.batch,
                                  .batch = FACES_BATCH};
}

/* Returns the kept network for `images` images, or makes it; NULL if memory is lacking. */
static struct kept *keep(const char *name, struct tensor_shape asked, int64_t images, bool trains)
{
    static struct kept *all;
    for (struct kept *k = all; k; k = k->next)
        if (strcmp(k->name, name) == 0 && same_shape(k->asked, asked) &&
            k->run.images.batch == images && k->run.settings.trains == trains)
            return k;
    struct kept *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    snprintf(k->name, sizeof k->name, "%s", name);
    k->asked = asked;
    k->run.images.batch = images;
    k->run.settings.trains = trains;
    make(k);
    k->next = all;
    all = k;
    return k;
}

/* ---- operations -------------------------------------------------------------------------------
 */

/* Completes an operation with a kept network: its row, its images, its shapes. */
static struct refusal take(struct operation *op, const struct recorded_subject *s, struct kept *k)
{
    const struct refusal refusal = s->take(op, k);
    if (refusal.kind != REFUSAL_NONE)
        return refusal;
    if (geometry_elements(op->image.planes, op->image.rows, op->image.cols) < 0)
        return refusal_make(REFUSAL_RESOURCE, "the images cannot be counted in bytes");
    return op->kind->shape(op);
}

static struct refusal network_operation(struct operation *op, const struct recorded_subject *s,
                                        const struct record *r)
{
    *op = (struct operation){.kind = s->row};
    const int64_t images = s->images(r);
    if (!r->network[0] || images < 1)
        return refusal_make(REFUSAL_USAGE, "the %s missing",
                            r->network[0] ? "images are" : "network is");
    struct kept *k = keep(r->network, asked_shape(r, images), images, recorded_trains(r));
    if (!k)
        return refusal_make(REFUSAL_RESOURCE, "not enough memory for a network");
    if (k->status == STATUS_OK && k->run.settings.trains)
        k->status = trainer_can(&k->run.network, &k->failure);
    if (k->status != STATUS_OK)
        return refusal_make(k->status == STATUS_RESOURCE ? REFUSAL_RESOURCE : REFUSAL_USAGE, "%s",
                            k->failure.message);
    return take(op, s, k);
}

struct refusal recorded_operation(struct operation *op, const struct operator_row *o,
                                  const struct record *r)
{
    const struct recorded_subject *s = subject_of(o);
    return s ? network_operation(op, s, r) : operation_of_record(op, o, r);
}

void recorded_settle(struct record *r)
{
    const struct recorded_subject *s = subject_of(recorded_row(r->operator_name));
    struct operation op;
    if (!s || network_operation(&op, s, r).kind != REFUSAL_NONE)
        return;
    r->planes = op.image.planes;
    r->rows = op.image.rows;
    r->cols = op.image.cols;
    s->settle(r, &op);
}

bool recorded_trains(const struct record *r)
{
    return strcmp(r->task, "train") == 0;
}

double recorded_parameter_bytes(const struct record *r)
{
    struct operation op;
    if (network_operation(&op, subject_of(&network_row), r).kind != REFUSAL_NONE)
        return 0.0;
    return (double)network_run_around(&op)->network.floats * sizeof(float);
}

int recorded_hidden_layers(const struct record *r)
{
    struct operation op;
    int trained = 0;
    if (network_operation(&op, subject_of(&network_row), r).kind != REFUSAL_NONE)
        return 0;
    const struct network *n = &network_run_around(&op)->network;
    for (int i = 0; i < n->count; i++) {
        const bool weights = layer_trained_floats(&n->layers[i]) > 0;
        if (weights && n->layers[i].kind != &linear_layer)
            return 0;
        trained += weights;
    }
    return trained > 0 ? trained - 1 : 0;
}

size_t recorded_training_bytes(const struct operation *op, const struct record *r)
{
    const struct network_run *run = network_run_around(op);
    struct trainer_settings settings = {.batch = run->images.batch, .optimizer = optimizers[0]};
    for (int i = 0; i < optimizer_count; i++)
        if (strcmp(optimizers[i]->name, r->optimizer) == 0)
            settings.optimizer = optimizers[i];
    return trainer_process_bytes(&run->network, &settings);
}

const struct method *recorded_peer(const struct operator_row *o, const char *name)
{
    const struct peer_row *row = peers_find(&network_peers, o, name);
    return row ? &row->method : peer_method_find(o, name);
}

bool recorded_takes_sizes(const struct record *r)
{
    return !model_takes_vectors(r->network);
}

bool recorded_has_network(const char *name)
{
    return model_exists(name);
}

void recorded_list_networks(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < model_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "",
                                 model_shown(models[i]).text);
}
