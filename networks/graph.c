#include "networks/graph.h"

#include "harness/base/whole_file.h"

#include <errno.h>

/* ---- a layer ----------------------------------------------------------------------------------
 */

static void print_counts(FILE *out, const int64_t *counts, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%lld", i > 0 ? ", " : "[", (long long)counts[i]);
    fputc(']', out);
}

static void print_shape(FILE *out, struct tensor_shape s)
{
    print_counts(out, (const int64_t[]){s.channels, s.rows, s.cols}, 3);
}

static const char *input_name(const struct network *n, int layer)
{
    return layer == NETWORK_INPUT ? GRAPH_INPUT : n->layers[layer].name;
}

static void print_inputs(FILE *out, const struct network *n, const struct layer *l)
{
    fprintf(out, "[\"%s\"", input_name(n, l->input));
    if (l->kind->two)
        fprintf(out, ", \"%s\"", input_name(n, l->other));
    fputc(']', out);
}

static void print_attributes(FILE *out, const struct layer *l)
{
    struct layer_attribute a;
    fputc('{', out);
    for (int i = 0; l->kind->attribute && l->kind->attribute(l, i, &a); i++)
        fprintf(out, "%s\"%s\": %.17g", i > 0 ? ", " : "", a.name, a.value);
    fputc('}', out);
}

static void print_parameters(FILE *out, const struct layer *l)
{
    fputc('{', out);
    for (int i = 0; i < layer_parameter_count(l); i++) {
        const struct parameter_tensor t = layer_parameter(l, i);
        char name[2 * LAYER_NAME];
        parameter_name(l, &t, name, sizeof name);
        fprintf(out, "%s\"%s\": {\"tensor\": \"%s\", \"shape\": ", i > 0 ? ", " : "", t.suffix,
                name);
        print_counts(out, t.lengths, t.dimensions);
        fprintf(out, ", \"trained\": %s}", t.trained ? "true" : "false");
    }
    fputc('}', out);
}

static void print_layer(FILE *out, const struct network *n, const struct layer *l)
{
    fprintf(out, "    {\"name\": \"%s\", \"kind\": \"%s\", \"inputs\": ", l->name, l->kind->name);
    print_inputs(out, n, l);
    fprintf(out, ", \"shape\": ");
    print_shape(out, l->out);
    fprintf(out, ",\n     \"attributes\": ");
    print_attributes(out, l);
    fprintf(out, ",\n     \"parameters\": ");
    print_parameters(out, l);
    fputc('}', out);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static void print_network(FILE *out, const struct network *n)
{
    fprintf(out, "{\"format\": \"maxpool network\", \"version\": %d, \"network\": \"%s\",\n",
            GRAPH_VERSION, n->name);
    fprintf(out, "  \"input\": ");
    print_shape(out, n->input);
    fprintf(out, ", \"output\": \"%s\", \"layers\": [\n", n->layers[n->count - 1].name);
    for (int i = 0; i < n->count; i++) {
        print_layer(out, n, &n->layers[i]);
        fprintf(out, "%s\n", i + 1 < n->count ? "," : "");
    }
    fprintf(out, "  ]}\n");
}

enum status graph_write(const struct network *n, const char *path, struct failure *f)
{
    struct whole_file file;
    const enum status status = whole_file_open(&file, path, f);
    if (status != STATUS_OK)
        return status;
    print_network(file.stream, n);
    if (!ferror(file.stream))
        return whole_file_close(&file, f);
    const int why = errno;
    whole_file_abandon(&file);
    return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", path, failure_of_write(why));
}
