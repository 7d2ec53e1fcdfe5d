#include "harness/records/record.h"

#include <math.h>
#include <stdlib.h>

#define TEXT(field, name, meaning)                                                                 \
    {                                                                                              \
        name, COLUMN_TEXT, offsetof(struct record, field), RECORD_TEXT, meaning                    \
    }
#define INT(field, meaning)                                                                        \
    {                                                                                              \
#field, COLUMN_INT, offsetof(struct record, field), sizeof(int64_t), meaning               \
    }
#define REAL(field, meaning)                                                                       \
    {                                                                                              \
#field, COLUMN_REAL, offsetof(struct record, field), sizeof(double), meaning               \
    }

/* The columns, in the order of the file. New ones are added at the end: files written before then
 * are still read, but no longer appended to. */
const struct column record_columns[] = {
    TEXT(experiment, "experiment", "experiment the sample belongs to"),
    TEXT(program, "program", "program that ran"),
    TEXT(operator_name, "operator", "maxpool, matmul, copy, conv ..."),
    TEXT(space, "space", "who computes: serial, omp, mpi, cuda"),
    TEXT(method, "method", "way to compute it"),
    TEXT(offload, "offload", "what goes to the device at a time: image, window, window-lean"),
    TEXT(filter_memory, "filter_memory", "filter on the device: transferred or constant"),
    TEXT(distribution, "distribution", "how ranks get the image: generate or scatter"),
    INT(planes, "planes of the image"),
    INT(rows, "rows of the image"),
    INT(cols, "columns of the image"),
    INT(kernel, "side of the window, cells"),
    INT(stride, "step between windows, cells"),
    INT(padding, "cells around the image"),
    TEXT(pad_mode, "pad_mode", "cells outside: zero or ignore"),
    TEXT(filter, "filter", "identity, random, or the file's name"),
    INT(seed, "seed of the random image and filter"),
    INT(max_value, "largest value of the random image"),
    TEXT(input, "input", "random, or the file's name"),
    INT(ranks, "MPI processes"),
    INT(threads, "threads (per rank)"),
    INT(nodes, "computers taking part"),
    TEXT(device, "device", "GPU that computed"),
    INT(block, "side of a CUDA block, threads"),
    TEXT(isa, "isa", "instruction set of the build of the kernel that ran"),
    TEXT(bind, "bind", "binding to cores that was asked of the program: core or none"),
    TEXT(binding, "binding", "what came of it: core, none, inherited from the launcher, or shared"),
    TEXT(launch, "launch", "plain, mpirun, srun or simgrid"),
    TEXT(run_id, "run_id", "one launch of one program; its samples are correlated"),
    INT(round, "round of the study that launched it"),
    INT(sample, "counts from 0 within warm-up and within the timed samples"),
    INT(warmup, "1 for a warm-up execution"),
    TEXT(stop_reason, "stop_reason", "why the launch stopped sampling, on its last row"),
    REAL(setup_s, "seconds of allocation and context, once per process, outside the total"),
    REAL(first_launch_s, "seconds of the first launch on a device"),
    REAL(distribute_s, "seconds to hand out the image"),
    REAL(compute_s, "seconds to compute"),
    REAL(product_s, "seconds of the products within compute"),
    REAL(collect_s, "seconds to gather the map"),
    REAL(total_s, "seconds of the whole sample, clocked by itself"),
    REAL(imbalance_s, "seconds by which the slowest worker exceeds the mean"),
    REAL(start_error_s, "start skew: ranks begin at different times; how late the last one began"),
    TEXT(verified, "verified", "exact, bound, sampled_exact, sampled_bound, none or wrong"),
    TEXT(host, "host", "computer that ran it"),
    TEXT(commit, "commit", "commit of the program"),
    TEXT(time_utc, "time_utc", "when the sample ended, ISO 8601"),
    TEXT(isa_limit, "isa_limit", "widest instruction set that --isa allowed; empty: any"),
    TEXT(host_memory, "host_memory", "host side of a GPU's transfers: pageable or pinned"),
    INT(streams, "CUDA streams that overlap copies and kernels"),
    INT(chunks, "parts in which image and map went through the GPU"),
    TEXT(cache, "cache", "the GPU's L2 cache before the sample: flushed or warm"),
    REAL(allocate_s, "seconds of allocating and freeing on the GPU within the sample"),
    REAL(device_distribute_s, "seconds of the copies to the GPU, by its own events"),
    REAL(device_compute_s, "seconds of the kernels, by the GPU's own events"),
    REAL(device_collect_s, "seconds of the copies back, by the GPU's own events"),
    INT(clock_mhz, "the GPU's clock after the sample"),
    TEXT(throttle, "throttle", "what held the GPU's clock back: none, or reasons parted by +"),
    TEXT(platform, "platform", "machine that was simulated; empty where the times were measured"),
    REAL(row_s, "seconds given for computing a row in a simulated launch"),
    TEXT(pages_asked, "pages_asked",
         "memory pages that --pages asked for; empty: huge if there are"),
    TEXT(pages, "pages", "what the image lies on: huge, ordinary, or advised where nothing tells"),
    INT(repeats, "executions that the sample's seconds are the mean of"),
    INT(turn, "place of the method within its turn, from 0; empty where it is alone"),
    TEXT(company, "company", "methods that took turns in the process, joined by +; empty: alone"),
    TEXT(network, "network", "network that was run; empty: the point is an operator's"),
    TEXT(weights_file, "weights_file", "parameters of the network: seeded, or the file's name"),
    INT(images, "images that went through the network together"),
    INT(batch, "images of a batch"),
    INT(channels, "channels of an image"),
    INT(filters, "filters of a convolution"),
    INT(groups, "groups of its channels"),
    TEXT(bias, "bias", "a value for each filter: none, random, or the file's name"),
    TEXT(activation, "activation", "clamp of a convolution's outputs: none, relu or relu6"),
    TEXT(epilogue, "epilogue", "where outputs are finished: in the store, or a pass of its own"),
    TEXT(residual, "residual", "added to each output: none, random, or the file's name"),
    TEXT(factor, "factor", "a factor for each filter: none, random, or the file's name"),
    TEXT(task, "task", "what a network did: infer or train"),
    TEXT(data, "data", "what it was trained with"),
    TEXT(optimizer, "optimizer", "adam or sgd"),
    TEXT(strategy, "strategy", "how ranks share the parameters: mirrored or central"),
    REAL(learning_rate, "learning rate"),
    INT(shards, "parts of a batch that have gradients of their own"),
    INT(epoch, "epoch of the step, from 1"),
    INT(step, "training step, from 1"),
    REAL(forward_s, "seconds of the forward run of a training step"),
    REAL(loss_s, "seconds of its loss"),
    REAL(backward_s, "seconds of its backward run"),
    REAL(exchange_s, "seconds of its exchange that nothing hid"),
    REAL(update_s, "seconds of its update"),
    REAL(loss, "loss of the batch before the update"),
    REAL(accuracy, "share of the batch's images whose class was right before the update"),
    TEXT(parameters_hash, "parameters_hash", "hash of the parameters, at the end of an epoch"),
    TEXT(gradient, "gradient",
         "what a convolution computes: none (forward), or the gradient of image or weights"),
    TEXT(slopes, "slopes", "gradient of its outputs: none, random, or the file's name"),
    INT(again, "outputs of an execution that the method had to compute once more"),
};

const size_t record_column_count = sizeof record_columns / sizeof *record_columns;

const struct schema record_schema = {record_columns, sizeof record_columns / sizeof *record_columns,
                                     sizeof(struct record)};

_Static_assert(TABLE_LINE_FITS(struct record, record_columns), "a row must fit a line");

struct record record_empty(void)
{
    struct record r;
    table_blank(&record_schema, &r);
    return r;
}

double record_number(int64_t value)
{
    return value == RECORD_NO_INT ? (double)NAN : (double)value;
}

double record_count(int64_t value)
{
    return value == RECORD_NO_INT ? 1.0 : (double)value;
}

int record_column_find(const char *name)
{
    return table_find(&record_schema, name);
}

void record_print_header(FILE *stream)
{
    table_print_header(&record_schema, stream);
}

void record_print(FILE *stream, const struct record *r)
{
    table_print(&record_schema, stream, r);
}

struct record_writer {
    struct table_writer *table;
};

enum status record_writer_open(struct record_writer **out, const char *path, bool *torn,
                               struct failure *f)
{
    *out = NULL;
    struct record_writer *w = malloc(sizeof *w);
    if (!w)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    enum status status = table_writer_open(&w->table, &record_schema, path, torn, f);
    if (status == STATUS_OK)
        *out = w;
    else
        free(w);
    return status;
}

enum status record_append(struct record_writer *w, const struct record *r, struct failure *f)
{
    return table_append(w->table, r, f);
}

enum status record_writer_close(struct record_writer *w, struct failure *f)
{
    enum status status = w ? table_writer_close(w->table, f) : STATUS_OK;
    free(w);
    return status;
}

struct visit {
    record_visitor *visit;
    void *context;
};

static bool visit_record(const void *row, int64_t line, void *context)
{
    const struct visit *to = context;
    return to->visit(row, line, to->context);
}

enum status record_read(const char *path, record_visitor *visit, void *context,
                        struct record_report *report, struct failure *f)
{
    struct visit to = {visit, context};
    return table_read(path, &record_schema, visit_record, &to, report, f);
}
