#include "networks/point/record_subject.h"

#include "harness/point/options/options.h"
#include "harness/space/parameters.h"
#include "networks/faces/faces.h"
#include "networks/models/models.h"
#include "networks/point/images.h"
#include "networks/point/peers.h"
#include "networks/training/trainer.h"
#include "peers/methods.h"

#include <stdlib.h>
#include <string.h>

static const struct operator_row *const rows[] = {&network_row, &faces_row};

const struct operator_row *recorded_row(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i]->name) == 0)
            return rows[i];
    return operator_find(name);
}

const struct operator_row *recorded_operator(const struct record *r)
{
    const struct operator_row *o = recorded_row(r->operator_name);
    return o ? record_selected(r, o) : NULL;
}

const struct operator_row *recorded_network_at(size_t i)
{
    return i < sizeof rows / sizeof *rows ? rows[i] : NULL;
}

/* Whether it is the row itself, or the same made with a run. */
static bool is_row(const struct operator_row *o, const struct operator_row *row)
{
    return o && o->describe == row->describe;
}

bool recorded_compares_pictures(const struct operator_row *o)
{
    return is_row(o, &faces_row);
}

bool recorded_is_network(const struct operator_row *o)
{
    bool found = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        found = found || is_row(o, rows[i]);
    return found;
}

const char *recorded_input(const struct operator_row *o)
{
    return o == &faces_row ? faces_input : "random";
}

bool recorded_option(const struct operator_row *o, const char *column, const char **option)
{
    static const struct {
        const struct operator_row *row; /* NULL: both */
        const char *column, *option;
    } others[] = {
        {NULL, "rows", "image-size"}, {NULL, "cols", NULL}, {&faces_row, "method", "structure"}};
    for (size_t i = 0; o && recorded_is_network(o) && i < sizeof others / sizeof *others; i++)
        if ((!others[i].row || others[i].row == o) && strcmp(others[i].column, column) == 0) {
            *option = others[i].option;
            return true;
        }
    return false;
}

/* ---- networks that were asked for --------------------------------------------------------------
 */

/* One of them, kept until the process ends: operations read it. */
struct kept {
    struct network_run run;
    struct faces_run faces; /* of the same network */
    char name[RECORD_TEXT]; /* as the record has it */
    struct tensor_shape asked;
    struct failure failure; /* why there is none */
    enum status status;
    struct kept *next;
};

static bool same_shape(struct tensor_shape a, struct tensor_shape b)
{
    return a.channels == b.channels && a.rows == b.rows && a.cols == b.cols;
}

static int64_t or_else(int64_t value, int64_t fallback)
{
    return value == RECORD_NO_INT ? fallback : value;
}

/* The images that the record tells; what is 0 is the network's own. */
static struct tensor_shape asked_shape(const struct record *r, int64_t images)
{
    if (model_takes_vectors(r->network))
        return (struct tensor_shape){or_else(r->cols, 0), 0, 0};
    return (struct tensor_shape){or_else(r->planes, 0) / images, or_else(r->rows, 0),
                                 or_else(r->cols, 0)};
}

/* Makes the network of that name, "+features" behind it where it ends before its classifier. */
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

/* The network for so many images; NULL where memory lacks. */
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

/* What the operation reads of it: its own run, and the images that make it. */
static struct refusal take(struct operation *op, struct kept *k)
{
    const bool faces = op->kind == &faces_row;
    if (faces && k->run.images.vectors)
        return refusal_make(REFUSAL_USAGE, "network %s takes vectors, not pictures", k->name);
    op->kind = faces ? &k->faces.row : &k->run.row;
    op->image = faces ? faces_images_shape(&k->faces) : network_images_shape(&k->run);
    if (geometry_cells(op->image.planes, op->image.rows, op->image.cols) < 0)
        return refusal_make(REFUSAL_RESOURCE, "the images cannot be counted in bytes");
    return op->kind->shape(op);
}

static struct refusal network_operation(struct operation *op, const struct operator_row *o,
                                        const struct record *r)
{
    *op = (struct operation){.kind = o};
    const int64_t images =
        o == &faces_row ? or_else(r->images, FACES_SLICES) : or_else(r->batch, 1);
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
    return take(op, k);
}

struct refusal recorded_operation(struct operation *op, const struct operator_row *o,
                                  const struct record *r)
{
    return recorded_is_network(o) ? network_operation(op, o, r) : operation_of_record(op, o, r);
}

static void settle_faces(struct record *r, const struct operation *op)
{
    const struct faces_run *run = faces_run_around(op);
    r->images = run->images;
    r->batch = or_else(r->batch, faces_together(run));
    if (strcmp(r->weights, "seeded") == 0)
        r->seed = or_else(r->seed, strtoll(option_fallback("seed"), NULL, 10));
}

void recorded_settle(struct record *r)
{
    const struct operator_row *o = recorded_row(r->operator_name);
    struct operation op;
    if (o == &network_row)
        r->batch = or_else(r->batch, 1);
    if (!o || network_operation(&op, o, r).kind != REFUSAL_NONE)
        return;
    r->planes = op.image.planes;
    r->rows = op.image.rows;
    r->cols = op.image.cols;
    if (o == &faces_row)
        settle_faces(r, &op);
}

bool recorded_trains(const struct record *r)
{
    return strcmp(r->task, "train") == 0;
}

double recorded_parameter_bytes(const struct record *r)
{
    struct operation op;
    if (network_operation(&op, &network_row, r).kind != REFUSAL_NONE)
        return 0.0;
    return (double)network_run_around(&op)->network.floats * sizeof(float);
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
