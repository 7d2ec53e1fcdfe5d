/* A network with its parameters, plan and arena, behind one handle. */
#include "include/maxpool/network.h"

#include "library/failure.h"
#include "library/threads.h"
#include "networks/forward.h"
#include "networks/layers/conv_choices.h"
#include "networks/models/models.h"
#include "networks/parameters.h"

#include "kernels/conv/methods.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct maxpool_network {
    struct network network;
    float *parameters;
    struct forward forward;
    bool opened; /* the forward pass must be closed */
    bool begun;  /* it has input and output */
};

/* ---- models -----------------------------------------------------------------------------------
 */

bool maxpool_get_model(size_t i, struct maxpool_model_facts *facts)
{
    if (!facts || i >= (size_t)model_count)
        return false;
    *facts = (struct maxpool_model_facts){models[i]->name, models[i]->idea, models[i]->sized};
    return true;
}

static enum status check_options(const struct maxpool_network_options *o, struct failure *f)
{
    if (!o->model)
        return fail(f, STATUS_USAGE, "the model is missing");
    if (o->batch < 0 || o->threads < 0 || o->channels < 0 || o->rows < 0 || o->cols < 0 ||
        o->classes < 0)
        return fail(f, STATUS_USAGE, "sizes and threads must be at least 0");
    if (o->threads > INT32_MAX)
        return fail(f, STATUS_USAGE, "threads must be at most %d", INT32_MAX);
    if (o->method && !conv_choice_named(o->method))
        return fail(f, STATUS_USAGE, "convolution has no method '%s'", o->method);
    return STATUS_OK;
}

/* ---- making -----------------------------------------------------------------------------------
 */

static enum status make_layers(struct maxpool_network *n, const struct maxpool_network_options *o,
                               struct failure *f)
{
    const struct model_request request = {
        .name = o->model, .input = {o->channels, o->rows, o->cols}, .classes = o->classes};
    return model_make(&n->network, &request, f);
}

static enum status make_parameters(struct maxpool_network *n,
                                   const struct maxpool_network_options *o, struct failure *f)
{
    const enum status status = parameters_allocate(&n->network, &n->parameters, f);
    if (status != STATUS_OK)
        return status;
    if (o->weights)
        return parameters_read(&n->network, o->weights, n->parameters, NULL, f);
    parameters_seed(&n->network, o->seed, n->parameters);
    return STATUS_OK;
}

/* Outputs go to the caller's array; until there is one, to memory that the network owns. */
static enum status make_forward(struct maxpool_network *n, const struct maxpool_network_options *o,
                                struct failure *f)
{
    const int64_t batch = o->batch == 0 ? 1 : o->batch;
    n->forward.team = (struct team){.workers = o->threads == 0 ? 1 : o->threads, .run = team_alone};
    n->forward.plan = (struct plan){.network = &n->network,
                                    .parameters = n->parameters,
                                    .batch = batch,
                                    .whole_batch = batch,
                                    .isa = isa_best(),
                                    .forced = conv_choice_named(o->method)};
    n->opened = true;
    return forward_open(&n->forward, f);
}

static enum status make(struct maxpool_network *n, const struct maxpool_network_options *o,
                        struct failure *f)
{
    enum status status = check_options(o, f);
    if (status == STATUS_OK)
        status = make_layers(n, o, f);
    if (status == STATUS_OK)
        status = make_parameters(n, o, f);
    return status == STATUS_OK ? make_forward(n, o, f) : status;
}

enum maxpool_status maxpool_make_network(struct maxpool_network **out,
                                         const struct maxpool_network_options *options,
                                         struct maxpool_failure *failure)
{
    struct failure f = {0};
    if (failure_if_null(out, "the address of the network", &f) != STATUS_OK)
        return failure_give(&f, failure);
    *out = NULL;
    if (failure_if_null(options, "the description of the network", &f) != STATUS_OK)
        return failure_give(&f, failure);
    *out = calloc(1, sizeof **out);
    if (!*out)
        fail(&f, STATUS_RESOURCE, "no memory for a network");
    else if (make(*out, options, &f) != STATUS_OK) {
        maxpool_network_release(*out);
        *out = NULL;
    }
    return failure_give(&f, failure);
}

void maxpool_network_release(struct maxpool_network *n)
{
    if (!n)
        return;
    if (n->opened)
        forward_close(&n->forward);
    network_release(&n->network);
    free(n->parameters);
    free(n);
}

/* ---- facts ------------------------------------------------------------------------------------
 */

static struct maxpool_batch batch_of(const struct maxpool_network *n, struct tensor_shape s)
{
    return (struct maxpool_batch){n->forward.plan.batch, s.channels, s.rows, s.cols};
}

struct maxpool_batch maxpool_network_input(const struct maxpool_network *n)
{
    return n ? batch_of(n, n->network.input) : (struct maxpool_batch){0};
}

struct maxpool_batch maxpool_network_output(const struct maxpool_network *n)
{
    return n ? batch_of(n, network_output(&n->network)) : (struct maxpool_batch){0};
}

size_t maxpool_network_arena(const struct maxpool_network *n)
{
    return n ? n->forward.plan.arena_floats * sizeof(float) : 0;
}

bool maxpool_network_layer(const struct maxpool_network *n, size_t i, struct maxpool_layer *layer)
{
    if (!n || !layer || i >= (size_t)n->network.count)
        return false;
    const struct layer *l = &n->network.layers[i];
    *layer = (struct maxpool_layer){.name = l->name,
                                    .kind = l->kind->name,
                                    .channels = l->out.channels,
                                    .rows = l->out.rows,
                                    .cols = l->out.cols,
                                    .parameters = layer_trained_floats(l),
                                    .multiply_adds =
                                        l->kind->multiply_adds ? l->kind->multiply_adds(l) : 0.0};
    return true;
}

static void describe(const struct layer *l, int at, const float *parameters,
                     struct maxpool_tensor *tensor)
{
    const struct parameter_tensor t = layer_parameter(l, at);
    memset(tensor, 0, sizeof *tensor);
    parameter_name(l, &t, tensor->name, sizeof tensor->name);
    tensor->dimensions = t.dimensions;
    memcpy(tensor->lengths, t.lengths, (size_t)t.dimensions * sizeof *t.lengths);
    tensor->trained = t.trained;
    tensor->values = parameters + l->offset[at];
}

bool maxpool_network_tensor(const struct maxpool_network *n, size_t i,
                            struct maxpool_tensor *tensor)
{
    for (int l = 0; n && tensor && l < n->network.count; l++) {
        const struct layer *layer = &n->network.layers[l];
        const size_t count = (size_t)layer_parameter_count(layer);
        if (i < count) {
            describe(layer, (int)i, n->parameters, tensor);
            return true;
        }
        i -= count;
    }
    return false;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static enum status check_arrays(const struct maxpool_network *n, const float *input,
                                const float *output, struct failure *f)
{
    enum status status = failure_if_null(n, "the network", f);
    if (status == STATUS_OK)
        status = failure_if_null(input, "the input", f);
    return status == STATUS_OK ? failure_if_null(output, "the output", f) : status;
}

void maxpool_network_begin(struct maxpool_network *n, const float *input, float *output)
{
    if (!n || !input || !output)
        return;
    n->forward.input = input;
    n->forward.output = output;
    n->begun = true;
    forward_connect(&n->forward);
}

int maxpool_network_steps(const struct maxpool_network *n)
{
    return n ? n->forward.plan.count : 0;
}

void maxpool_network_share(struct maxpool_network *n, int step, int64_t thread)
{
    if (n && n->begun && step >= 0 && step < n->forward.plan.count && thread >= 0 &&
        thread < n->forward.team.workers)
        forward_run_share(&n->forward, step, thread);
}

struct batch_run {
    struct maxpool_network *network;
    pthread_barrier_t barrier; /* between steps */
};

static void run_shares(int64_t thread, void *context)
{
    struct batch_run *run = context;
    const int steps = maxpool_network_steps(run->network);
    for (int step = 0; step < steps; step++) {
        maxpool_network_share(run->network, step, thread);
        pthread_barrier_wait(&run->barrier);
    }
}

enum maxpool_status maxpool_network_forward(struct maxpool_network *n, const float *input,
                                            float *output, struct maxpool_failure *failure)
{
    struct failure f = {0};
    struct batch_run run = {.network = n};
    if (check_arrays(n, input, output, &f) != STATUS_OK)
        return failure_give(&f, failure);
    const int64_t threads = n->forward.team.workers;
    maxpool_network_begin(n, input, output);
    if (pthread_barrier_init(&run.barrier, NULL, (unsigned)threads) != 0) {
        fail(&f, STATUS_RESOURCE, "no barrier for %lld threads", (long long)threads);
        return failure_give(&f, failure);
    }
    threads_run(threads, run_shares, &run, &f);
    pthread_barrier_destroy(&run.barrier);
    return failure_give(&f, failure);
}

enum maxpool_status maxpool_network_verify(struct maxpool_network *n, const float *input,
                                           float *output, int64_t drawn,
                                           struct maxpool_failure *failure)
{
    const struct verify_extent how = {.full = drawn <= 0, .drawn = drawn, .seed = 35};
    struct failure f = {0};
    if (check_arrays(n, input, output, &f) != STATUS_OK)
        return failure_give(&f, failure);
    maxpool_network_begin(n, input, output);
    forward_verify(&n->forward, &how, &f);
    return failure_give(&f, failure);
}
