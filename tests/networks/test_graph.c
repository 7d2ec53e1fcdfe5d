/* The graph file of a network describes it completely: the same network can be built from it, layer
 * by layer. */
#include "networks/graph.h"
#include "networks/layers/kinds.h"
#include "networks/models/models.h"
#include "tests/support/files.h"
#include "tests/support/network_cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef MAXPOOL_HAVE_CJSON
#include <cjson/cJSON.h>

/* ---- reading it ------------------------------------------------------------------------------ */

static const cJSON *item(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!found)
        fail_msg("there is no %s", name);
    return found;
}

static struct tensor_shape shape_of(const cJSON *counts)
{
    assert_int_equal(cJSON_GetArraySize(counts), 3);
    return (struct tensor_shape){(int64_t)cJSON_GetArrayItem(counts, 0)->valuedouble,
                                 (int64_t)cJSON_GetArrayItem(counts, 1)->valuedouble,
                                 (int64_t)cJSON_GetArrayItem(counts, 2)->valuedouble};
}

static const struct layer_kind *kind_of(const char *name)
{
    for (int i = 0; i < layer_kind_count; i++)
        if (strcmp(layer_kinds[i]->name, name) == 0)
            return layer_kinds[i];
    fail_msg("there is no kind %s", name);
    return NULL;
}

static int layer_of(const struct network *n, const char *name)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->layers[i].name, name) == 0)
            return i;
    assert_string_equal(name, GRAPH_INPUT);
    return NETWORK_INPUT;
}

/* Returns the attribute of that name, or 0 if the layer has none. */
static int64_t attribute(const cJSON *layer, const char *name)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(item(layer, "attributes"), name);
    return value ? (int64_t)value->valuedouble : 0;
}

static struct layer read_layer(const struct network *n, const cJSON *from)
{
    const cJSON *inputs = item(from, "inputs");
    const cJSON *rate = cJSON_GetObjectItemCaseSensitive(item(from, "attributes"), "rate");
    struct layer l = {.kind = kind_of(item(from, "kind")->valuestring),
                      .input = layer_of(n, cJSON_GetArrayItem(inputs, 0)->valuestring),
                      .other = NETWORK_INPUT,
                      .filters = attribute(from, "filters") + attribute(from, "outputs"),
                      .groups = attribute(from, "groups"),
                      .kernel = attribute(from, "kernel"),
                      .stride = attribute(from, "stride"),
                      .padding = attribute(from, "padding"),
                      .rate = rate ? rate->valuedouble : 0.0};
    assert_int_equal(cJSON_GetArraySize(inputs), l.kind->two ? 2 : 1);
    if (l.kind->two)
        l.other = layer_of(n, cJSON_GetArrayItem(inputs, 1)->valuestring);
    l.bias = cJSON_GetObjectItemCaseSensitive(item(from, "parameters"), "bias") && !l.kind->two &&
             l.filters > 0;
    snprintf(l.name, sizeof l.name, "%s", item(from, "name")->valuestring);
    return l;
}

/* ---- comparing both -------------------------------------------------------------------------- */

static void expect_parameters(const struct layer *l, const cJSON *layer)
{
    const cJSON *all = item(layer, "parameters");
    assert_int_equal(cJSON_GetArraySize(all), layer_parameter_count(l));
    for (int i = 0; i < layer_parameter_count(l); i++) {
        const struct parameter_tensor t = layer_parameter(l, i);
        const cJSON *found = item(all, t.suffix), *lengths = item(found, "shape");
        char name[2 * LAYER_NAME];
        parameter_name(l, &t, name, sizeof name);
        assert_string_equal(item(found, "tensor")->valuestring, name);
        assert_int_equal(cJSON_IsTrue(item(found, "trained")), t.trained);
        assert_int_equal(cJSON_GetArraySize(lengths), t.dimensions);
        for (int d = 0; d < t.dimensions; d++)
            assert_int_equal((int64_t)cJSON_GetArrayItem(lengths, d)->valuedouble, t.lengths[d]);
    }
}

/* Compares the constants of a layer, beyond its sizes. */
static void expect_constants(const struct layer *l, const cJSON *layer)
{
    const cJSON *attributes = item(layer, "attributes");
    if (l->kind->role == ROLE_CLAMP) {
        const cJSON *most = cJSON_GetObjectItemCaseSensitive(attributes, "most");
        assert_true(item(attributes, "least")->valuedouble == l->kind->least);
        assert_true((most ? most->valuedouble : INFINITY) == l->kind->most);
    }
    if (l->kind->role == ROLE_NORM)
        assert_true(item(attributes, "epsilon")->valuedouble == 1e-5);
}

static void expect_layer(const struct layer *l, const struct layer *again)
{
    assert_ptr_equal(l->kind, again->kind);
    assert_string_equal(l->name, again->name);
    assert_int_equal(l->input, again->input);
    assert_int_equal(l->kind->two ? l->other : 0, again->kind->two ? again->other : 0);
    assert_memory_equal(&l->in, &again->in, sizeof l->in);
    assert_memory_equal(&l->out, &again->out, sizeof l->out);
    assert_memory_equal(l->offset, again->offset, sizeof l->offset);
    assert_int_equal(l->filters, again->filters);
    assert_int_equal(l->groups, again->groups);
    assert_int_equal(l->kernel, again->kernel);
    assert_int_equal(l->stride, again->stride);
    assert_int_equal(l->padding, again->padding);
    assert_int_equal(l->bias, again->bias);
    assert_true(l->rate == again->rate);
}

static cJSON *written(const struct network *n)
{
    size_t size;
    struct failure f = {0};
    assert_int_equal(graph_write(n, files_path("graph.json"), &f), STATUS_OK);
    char *text = (char *)files_read(files_path("graph.json"), &size);
    cJSON *file = cJSON_ParseWithOpts(text, NULL, true);
    assert_non_null(file);
    free(text);
    return file;
}

static void expect_same(const struct network *n)
{
    struct network again;
    cJSON *file = written(n);
    const cJSON *layers = item(file, "layers");
    assert_string_equal(item(file, "network")->valuestring, n->name);
    assert_int_equal((int)item(file, "version")->valuedouble, GRAPH_VERSION);
    assert_string_equal(item(file, "output")->valuestring, n->layers[n->count - 1].name);
    assert_int_equal(cJSON_GetArraySize(layers), n->count);
    network_begin(&again, n->name, shape_of(item(file, "input")));
    for (int i = 0; i < n->count; i++) {
        const cJSON *layer = cJSON_GetArrayItem(layers, i);
        const struct layer l = read_layer(&again, layer);
        const struct tensor_shape recorded_shape = shape_of(item(layer, "shape"));
        assert_string_not_equal(n->layers[i].name, GRAPH_INPUT);
        assert_int_equal(network_add(&again, &l), i);
        expect_layer(&n->layers[i], &again.layers[i]);
        assert_memory_equal(&recorded_shape, &n->layers[i].out, sizeof recorded_shape);
        expect_parameters(&n->layers[i], layer);
        expect_constants(&n->layers[i], layer);
    }
    assert_int_equal(again.floats, n->floats);
    assert_int_equal(again.parameters, n->parameters);
    network_release(&again);
    cJSON_Delete(file);
}

TEST(every_network_is_all_in_its_file)
{
    for (int i = 0; i < model_count; i++) {
        struct network n;
        struct failure f = {0};
        char name[64];
        snprintf(name, sizeof name, "%s%s", models[i]->name, models[i]->sized ? ":9-4" : "");
        const struct model_request request = {.name = name};
        assert_int_equal(model_make(&n, &request, &f), STATUS_OK);
        expect_same(&n);
        if (n.classifier > 0) {
            assert_int_equal(network_keep_features(&n, &f), STATUS_OK);
            expect_same(&n);
        }
        network_release(&n);
    }
}

/* A kind that writes too little into the file would be read back as another layer. */
TEST(every_kind_is_all_in_its_file)
{
    struct network n;
    bool seen[32] = {false};
    make_every_kind(&n, 33);
    assert_int_equal(n.failure.status, STATUS_OK);
    expect_same(&n);
    assert_true(layer_kind_count <= 32);
    for (int i = 0; i < n.count; i++)
        for (int k = 0; k < layer_kind_count; k++)
            seen[k] |= n.layers[i].kind == layer_kinds[k];
    for (int k = 0; k < layer_kind_count; k++)
        if (!seen[k])
            fail_msg("no layer is of kind %s", layer_kinds[k]->name);
    network_release(&n);
}
#endif

TEST(a_file_that_cannot_be_written_is_reported)
{
    static const char *const paths[] = {"/nowhere/graph.json", "/dev/full"};
    struct network n;
    make_every_kind(&n, 33);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct failure f = {0};
        assert_int_equal(graph_write(&n, paths[i], &f), STATUS_OUTPUT);
        assert_non_null(strstr(f.message, paths[i]));
    }
    network_release(&n);
}

const struct tests_group tests_group = {command_setup, command_teardown};
