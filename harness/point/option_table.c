#include "harness/point/option_table.h"

#include "harness/machine/simulation.h"
#include "harness/point/subject.h"

#include <string.h>

#define FIELD(name) offsetof(struct options, name)

/* Before those of the operators. Seeds are the one number that may use all 63 bits, so sizes too
 * are read as 63-bit integers. */
static const struct option_row image_rows[] = {
    {.name = "size",
     .letter = 'n',
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(size),
     .least = 1,
     .most = option_int_most,
     .fallback = "1024",
     .group = "The image",
     .only = FOR_OPERATOR,
     .help = "random image of N x N cells (default 1024)"},
    {.name = "rows",
     .letter = 'R',
     .kind = VALUE_INT,
     .argument = "R",
     .offset = FIELD(rows),
     .least = 1,
     .most = option_int_most,
     .only = FOR_OPERATOR,
     .help = "random image of R rows"},
    {.name = "cols",
     .letter = 'C',
     .kind = VALUE_INT,
     .argument = "C",
     .offset = FIELD(cols),
     .least = 1,
     .most = option_int_most,
     .only = FOR_OPERATOR,
     .help = "... and C columns"},
    {.name = "dimensions",
     .kind = VALUE_INT,
     .argument = "D",
     .offset = FIELD(cols),
     .least = 1,
     .most = option_int_most,
     .only = FOR_OPERATOR | FOR_POINTS,
     .help = "with -n N: N random points of D coordinates (default N)"},
    {.name = "planes",
     .kind = VALUE_INT,
     .argument = "P",
     .offset = FIELD(planes),
     .least = 1,
     .most = option_int_most,
     .fallback = "1",
     .only = FOR_OPERATOR | FOR_PLANES,
     .help = "planes of the random image: channels x batch (default 1)"},
    {.name = "input",
     .letter = 'i',
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(input),
     .help = "image from a .png, .jpg, .npy, .nii, .nii.gz or .txt file, or - to type a matrix in; "
             "not together with -n; of networks a folder of pictures too"},
    {.name = "seed",
     .kind = VALUE_INT,
     .argument = "S",
     .offset = FIELD(seed),
     .most = option_int_most,
     .fallback = "35",
     .help = "of the random image and the random filter (default 35)"},
    {.name = "max-value",
     .kind = VALUE_INT,
     .argument = "V",
     .offset = FIELD(max_value),
     .most = 16777216,
     .fallback = "9",
     .help = "random cells are integers 0 .. V (default 9)"},
    {.name = "interactive",
     .kind = VALUE_FLAG,
     .offset = FIELD(interactive),
     .only = FOR_OPERATOR,
     .help = "asks for the size, the cells or their seed, and the hyper-parameters"},
};

/* Of networks (harness/point/subject.h). */
static const struct option_row network_rows[] = {
    {.name = "network",
     .kind = VALUE_TEXT,
     .argument = "NAME",
     .offset = FIELD(network),
     .only = FOR_NETWORK,
     .group = "The network",
     .help = "which network (--list-networks tells their names)"},
    {.name = "list-networks",
     .kind = VALUE_FLAG,
     .offset = FIELD(list_networks),
     .only = FOR_NETWORK,
     .help = "lists the networks, one a line"},
    {.name = "batch",
     .kind = VALUE_INT,
     .argument = "B",
     .offset = FIELD(batch),
     .least = 1,
     .most = option_int_most,
     .only = FOR_NETWORK,
     .help = "images that go through together (default 1; of structures, those of batched at the "
             "most: 20)"},
    {.name = "pictures",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(pictures),
     .least = 1,
     .most = option_int_most,
     .only = FOR_NETWORK | FOR_STRUCTURES,
     .help =
         "the first N pictures alone (default: all of the folder or file; 500 slices of a brain "
         "where none is given)"},
    {.name = "image-size",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(image_size),
     .least = 1,
     .most = option_int_most,
     .only = FOR_NETWORK,
     .help = "random images of N x N, or the size that pictures get (default: the network's own)"},
    {.name = "weights",
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(weights),
     .only = FOR_NETWORK,
     .help = "parameters from a safetensors file (default: seeded)"},
    {.name = "save",
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(save),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "writes the parameters as a safetensors file; in training after every epoch, with all "
             "that "
             "--resume needs"},
    {.name = "conv",
     .kind = VALUE_TEXT,
     .argument = "METHOD[,METHOD...]",
     .offset = FIELD(method),
     .only = FOR_NETWORK | FOR_HOST | FOR_BATCHES,
     .help = "the method of every convolution that it can do; auto, the default, picks one for "
             "each layer; several take turns"},
    {.name = "engine",
     .kind = VALUE_TEXT,
     .argument = "own|cudnn[,...]",
     .offset = FIELD(method),
     .only = FOR_NETWORK | FOR_DEVICE | FOR_BATCHES,
     .help = "who computes convolutions and fully connected layers: kernels of our own (default), "
             "or cuDNN; both take turns"},
    {.name = "structure",
     .kind = VALUE_TEXT,
     .argument = "NAME[,NAME...]|all",
     .offset = FIELD(method),
     .only = FOR_NETWORK | FOR_STRUCTURES,
     .help = "the structure of the program (--list-methods tells them); several take turns"},
    {.name = "features",
     .kind = VALUE_FLAG,
     .offset = FIELD(features),
     .only = FOR_NETWORK,
     .help = "the output is what the classifier would read"},
    {.name = "top",
     .kind = VALUE_INT,
     .argument = "K",
     .offset = FIELD(top),
     .least = 1,
     .most = option_int_most,
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "tells the K most likely classes of each image"},
    {.name = "class-names",
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(class_names),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "their names, one a line"},
    {.name = "layers",
     .kind = VALUE_FLAG,
     .offset = FIELD(layers),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "tells shape, parameters, multiply-adds, method, seconds, bytes and rates of each "
             "layer"},
    {.name = "roof",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(roof),
     .only = FOR_NETWORK | FOR_BATCHES | FOR_HOST,
     .help = "with --layers, --record-layers or --trace: each layer's share of its roof, by the "
             "ceilings of this machine that study roofline measured (results/local/ceilings.csv)"},
    {.name = "record-layers",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(record_layers),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "appends a row for each layer: what it is, its seconds and bytes"},
    {.name = "trace",
     .kind = VALUE_TEXT,
     .argument = "FILE.json",
     .offset = FIELD(trace),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "writes the events of the last execution, as chrome://tracing and Perfetto show them"},
    {.name = "timeline",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(timeline),
     .only = FOR_NETWORK,
     .help = "appends, ten times a second, the processors at work and the memory held (rank 0)"},
    {.name = "task",
     .kind = VALUE_CHOICE,
     .argument = "infer|train",
     .offset = FIELD(task),
     .fallback = "infer",
     .only = FOR_NETWORK | FOR_BATCHES,
     .group = "Training",
     .help = "run the network, or train it: then a sample is one step (default infer)"},
    {.name = "data",
     .kind = VALUE_TEXT,
     .argument = "NAME|FILE.npy",
     .offset = FIELD(data),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "what to train with: brain_planes, solar, random (default) or a file"},
    {.name = "record-training",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(record_training),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help =
         "appends a row for each epoch, learning rate that was tried, and cell of the matrix of "
         "classes"},
    {.name = "labels",
     .kind = VALUE_TEXT,
     .argument = "FILE.npy",
     .offset = FIELD(labels),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "the targets of that file: classes, or the values of networks with one output"},
    {.name = "save-data",
     .kind = VALUE_TEXT,
     .argument = "PREFIX",
     .offset = FIELD(save_data),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "writes what is trained with: PREFIX.images.npy and PREFIX.targets.npy, which --data "
             "and --labels take"},
    {.name = "epochs",
     .kind = VALUE_INT,
     .argument = "E",
     .offset = FIELD(epochs),
     .least = 1,
     .most = 1 << 30,
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "how often every sample is used (default 1)"},
    {.name = "steps",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(steps),
     .least = 1,
     .most = 1 << 30,
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "or how many steps"},
    {.name = "optimizer",
     .kind = VALUE_CHOICE,
     .argument = "adam|sgd",
     .offset = FIELD(optimizer),
     .fallback = "adam",
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "adam (default), or sgd with momentum 0.9"},
    {.name = "learning-rate",
     .kind = VALUE_REAL,
     .argument = "X",
     .offset = FIELD(learning_rate),
     .least = 0,
     .most = 1e6,
     .fallback = "0.001",
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "the learning rate (default 0.001)"},
    {.name = "find-learning-rate",
     .kind = VALUE_FLAG,
     .offset = FIELD(find_learning_rate),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "tries rates from 1e-7 to 10 in 100 steps, and suggests one"},
    {.name = "order",
     .kind = VALUE_CHOICE,
     .argument = "seeded|given",
     .offset = FIELD(order),
     .fallback = "seeded",
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "samples in an order drawn for each epoch (default), or as they lie"},
    {.name = "dropout",
     .kind = VALUE_CHOICE,
     .argument = "on|off",
     .offset = FIELD(dropout),
     .fallback = "on",
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "whether dropouts drop (default on)"},
    {.name = "shards",
     .kind = VALUE_INT,
     .argument = "S",
     .offset = FIELD(shards),
     .least = 1,
     .most = 1 << 16,
     .fallback = "8",
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "parts of a batch whose gradients are summed in order (default 8)"},
    {.name = "strategy",
     .kind = VALUE_CHOICE,
     .argument = "mirrored|central",
     .offset = FIELD(strategy),
     .fallback = "mirrored",
     .only = FOR_NETWORK | FOR_BATCHES | FOR_PROCESSES,
     .help = "every rank holds the parameters, or rank 0 updates them (default mirrored)"},
    {.name = "resume",
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(resume),
     .only = FOR_NETWORK | FOR_BATCHES,
     .help = "goes on where --save FILE of a training left off, to the same bits"},
};

/* Behind them. */
static const struct option_row other_rows[] = {
    {.name = "method",
     .kind = VALUE_TEXT,
     .argument = "NAME[,NAME...]|all",
     .offset = FIELD(method),
     .help =
         "one of the methods below; several take turns, sample by sample, on one image, and are "
         "compared; all: every one that runs here"},
    {.name = "list-methods",
     .kind = VALUE_OPTIONAL,
     .argument = "all",
     .offset = FIELD(list_methods),
     .help = "lists the runnable methods, one a line; =all adds those not available here, and why"},
    {.name = "isa",
     .kind = VALUE_CHOICE,
     .argument = "baseline|avx2|avx512",
     .offset = FIELD(isa),
     .only = FOR_HOST,
     .help = "widest instruction set to use (default: the widest there is)"},
    {.name = "threads",
     .letter = 't',
     .kind = VALUE_INT,
     .argument = "T",
     .offset = FIELD(threads),
     .least = 1,
     .most = 65536,
     .only = FOR_THREADS,
     .group = "The workers",
     .help = "OpenMP threads, under MPI per rank (default: OMP_NUM_THREADS, or all cores; under "
             "MPI 1)"},
    {.name = "bind",
     .kind = VALUE_CHOICE,
     .argument = "none|core",
     .offset = FIELD(bind),
     .only = FOR_HOST,
     .help = "core: each worker stays on a core of its own"},
    {.name = "pages",
     .kind = VALUE_CHOICE,
     .argument = "huge|ordinary",
     .offset = FIELD(pages),
     .only = FOR_HOST,
     .help = "memory pages of large images, maps and scratch: huge where the system has them "
             "(default)"},
    {.name = "distribute",
     .kind = VALUE_CHOICE,
     .argument = "generate|scatter",
     .offset = FIELD(distribute),
     .only = FOR_PROCESSES,
     .help = "each rank makes its own rows (default), or rank 0 sends them and gathers the map "
             "(default "
             "for files)"},
    {.name = "offload",
     .kind = VALUE_CHOICE,
     .argument = "image|window|window-lean",
     .offset = FIELD(offload),
     .fallback = "image",
     .only = FOR_WINDOW | FOR_DEVICE,
     .group = "The device",
     .help =
         "the image goes to the GPU at once (default); or each window by itself, as in the tesina, "
         "with "
         "arrays, stream and events of its own (window) or kept (window-lean)"},
    {.name = "filter-memory",
     .kind = VALUE_CHOICE,
     .argument = "transferred|constant",
     .offset = FIELD(filter_memory),
     .fallback = "transferred",
     .only = FOR_DEVICE | FOR_OPERATOR,
     .help = "the filter is sent each time (default), or set once in constant memory (up to 128 x "
             "128)"},
    {.name = "block",
     .kind = VALUE_CHOICE,
     .argument = "16|32",
     .offset = FIELD(block),
     .fallback = "16",
     .only = FOR_DEVICE,
     .help = "threads a side of a block (default 16)"},
    {.name = "host-memory",
     .kind = VALUE_CHOICE,
     .argument = "pageable|pinned",
     .offset = FIELD(host_memory),
     .fallback = "pageable",
     .only = FOR_DEVICE,
     .help = "pinned memory is copied faster, and beside kernels (default pageable)"},
    {.name = "streams",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(device.streams),
     .least = 1,
     .most = 64,
     .fallback = "1",
     .only = FOR_DEVICE | FOR_OPERATOR,
     .help =
         "copies of some chunks of rows run beside the kernels of others, N at a time (default 1)"},
    {.name = "device-memory",
     .kind = VALUE_INT,
     .argument = "BYTES",
     .offset = FIELD(device.memory_bytes),
     .least = 1,
     .most = option_int_most,
     .only = FOR_DEVICE | FOR_OPERATOR,
     .help =
         "image and map take at most that much of the GPU's, in chunks of rows (default: what is "
         "free)"},
    {.name = "warm-cache",
     .kind = VALUE_FLAG,
     .offset = FIELD(device.warm_cache),
     .only = FOR_DEVICE,
     .help = "leaves the GPU's L2 cache as the last sample left it; otherwise it is flushed"},
    {.name = "device",
     .kind = VALUE_INT,
     .argument = "D",
     .offset = FIELD(device.device),
     .most = 1023,
     .only = FOR_DEVICE,
     .help = "which GPU, counted from 0 (default 0)"},
    {.name = "warmup",
     .kind = VALUE_INT,
     .argument = "W",
     .offset = FIELD(warmup),
     .most = 1000000,
     .fallback = "1",
     .group = "The measurement",
     .help = "executions before the timed ones (default 1)"},
    {.name = "samples",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(samples),
     .least = 1,
     .most = 10000000,
     .fallback = "100",
     .help = "timed executions at most (default 100)"},
    {.name = "relative-ci",
     .kind = VALUE_REAL,
     .argument = "X",
     .offset = FIELD(relative_ci),
     .most = 1,
     .fallback = "0.02",
     .help = "stop when half the median's 95 % interval is within X of it (default 0.02)"},
    {.name = "max-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(max_seconds),
     .most = 1e9,
     .fallback = "10",
     .help = "stop after S seconds (default 10)"},
    {.name = "verify",
     .kind = VALUE_CHOICE,
     .argument = "full|sampled|none",
     .offset = FIELD(verify),
     .help = "how each result is held against the oracle (default full)"},
    {.name = "platform",
     .kind = VALUE_TEXT,
     .argument = "NAME",
     .offset = FIELD(platform),
     .only = FOR_SIMULATION,
     .group = "The simulation",
     .help = "name that the record gives to the simulated machine"},
    {.name = "row-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(row_s),
     .most = 1e9,
     .only = FOR_SIMULATION,
     .help =
         "computing a row of the map takes S seconds (default: what it takes here), of a training "
         "an image of the batch; smpirun also needs --cfg=smpi/simulate-computation:no"},
    {.name = "sum-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(sum_s),
     .most = 1e9,
     .only = FOR_SIMULATION | FOR_NETWORK | FOR_BATCHES,
     .help = "of a training: adding one shard's gradients to the sum takes S seconds"},
    {.name = "update-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(update_s),
     .most = 1e9,
     .only = FOR_SIMULATION | FOR_NETWORK | FOR_BATCHES,
     .help = "of a training: the update of the parameters takes S seconds"},
    {.name = "fold",
     .kind = VALUE_FLAG,
     .offset = FIELD(fold),
     .only = FOR_SIMULATION,
     .help = "nothing is made and nothing computed, so that many ranks fit into this memory; needs "
             "--row-seconds and --verify none"},
    {.name = "output",
     .letter = 'o',
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(output),
     .group = "What comes out",
     .help = "writes the map: .npy, .txt, or .png (one plane, values scaled)"},
    {.name = "nearest",
     .kind = VALUE_INT,
     .argument = "K",
     .offset = FIELD(nearest),
     .least = 1,
     .most = option_int_most,
     .only = FOR_POINTS,
     .help =
         "--output has each point's K nearest: two planes of points x K, numbers and distances"},
    {.name = "record",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(record),
     .help = "appends one row per execution"},
    {.name = "per-rank",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(per_rank),
     .only = FOR_PROCESSES,
     .help = "appends one row per sample, warm-up ones too, and rank: its own times"},
    {.name = "format",
     .kind = VALUE_CHOICE,
     .argument = "text|csv|json",
     .offset = FIELD(format),
     .help = "what is printed; csv is the record's header and rows (default text)"},
    {.name = "print",
     .kind = VALUE_FLAG,
     .offset = FIELD(print),
     .only = FOR_OPERATOR,
     .help = "shows the image and the map"},
    {.name = "explain",
     .kind = VALUE_FLAG,
     .offset = FIELD(explain),
     .only = FOR_EXPLAIN,
     .help = "shows how each output comes about, number by number (small images)"},
    {.name = "show-indices",
     .kind = VALUE_FLAG,
     .offset = FIELD(show_indices),
     .only = FOR_DEVICE,
     .help = "shows which elements each GPU thread made (small products)"},
    {.name = "kernel-facts",
     .kind = VALUE_FLAG,
     .offset = FIELD(kernel_facts),
     .only = FOR_DEVICE,
     .help = "shows registers, shared memory and theoretical occupancy of the kernels"},
    {.name = "experiment",
     .kind = VALUE_TEXT,
     .argument = "NAME",
     .offset = FIELD(experiment),
     .help = "name that the record gives to these samples"},
    {.name = "round",
     .kind = VALUE_INT,
     .argument = "R",
     .offset = FIELD(round),
     .most = option_int_most,
     .help = "number that the record gives to this launch (default 0)"},
    {.name = "help", .letter = 'h', .kind = VALUE_FLAG, .offset = FIELD(help), .help = "this text"},
    {.name = "version",
     .letter = 'V',
     .kind = VALUE_FLAG,
     .offset = FIELD(version),
     .help = "version and commit"},
};

enum {
    IMAGE_ROWS = sizeof image_rows / sizeof *image_rows,
    NETWORK_ROWS = sizeof network_rows / sizeof *network_rows,
    OTHER_ROWS = sizeof other_rows / sizeof *other_rows,
    OPERATOR_ROWS = OPTIONS_MOST - NETWORK_ROWS - IMAGE_ROWS - OTHER_ROWS /* at most */
};

/* ---- the operators' own -----------------------------------------------------------------------
 */

static struct option_row parameter_row(const struct parameter *p)
{
    return (struct option_row){.name = p->option,
                               .letter = p->letter,
                               .kind = p->choice ? VALUE_CHOICE : VALUE_INT,
                               .argument = p->argument,
                               .offset = FIELD(parameters) + p->offset,
                               .least = (double)p->least,
                               .most = option_int_most,
                               .of = p->of,
                               .help = p->help};
}

static struct option_row operand_option(const struct operand_row *operand, size_t offset)
{
    return (struct option_row){.name = operand->option,
                               .kind = VALUE_TEXT,
                               .argument = operand->argument,
                               .offset = offset,
                               .of = operand->noun,
                               .help = operand->help};
}

static int find(const struct option_row *rows, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}

/* Adds the option of an operand that there is, once; networks may have one of that name. */
static int add_operand(struct option_row *rows, int count, const struct operand_row *operand,
                       size_t offset)
{
    if (!operand->option || count == OPTIONS_MOST ||
        find(rows + NETWORK_ROWS, count - NETWORK_ROWS, operand->option) >= 0)
        return count;
    rows[count] = operand_option(operand, offset);
    return count + 1;
}

/* The operands of all operators. */
static int add_operands(struct option_row *rows, int count)
{
    for (size_t o = 0; o < operator_count; o++)
        for (int i = 0; i < OPERANDS; i++)
            count = add_operand(rows, count, operator_operand_at(operators[o], i),
                                FIELD(operands) + (size_t)i * sizeof(const char *));
    return count;
}

/* Those of networks first: of two options of one name, the program's own applies. */
static int make_rows(struct option_row *rows)
{
    const struct parameter *p;
    int count = NETWORK_ROWS + IMAGE_ROWS;
    memcpy(rows, network_rows, sizeof network_rows);
    memcpy(rows + NETWORK_ROWS, image_rows, sizeof image_rows);
    for (size_t i = 0; (p = parameter_at(i)) && i < OPERATOR_ROWS; i++)
        rows[count++] = parameter_row(p);
    count = add_operands(rows, count);
    for (int i = 0; i < OTHER_ROWS && count < OPTIONS_MOST; i++)
        rows[count++] = other_rows[i];
    rows[NETWORK_ROWS + IMAGE_ROWS].group = "The operator";
    return count;
}

const struct option_row *option_rows(int *count)
{
    static struct option_row rows[OPTIONS_MOST];
    static int made;
    if (made == 0)
        made = make_rows(rows);
    *count = made;
    return rows;
}

int option_find(const char *name)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    return find(rows, count, name);
}

/* ---- which program takes which ----------------------------------------------------------------
 */

/* Does the operator have what the option is about? */
static bool operator_has(const struct operator_row *o, const struct option_row *row)
{
    if (row->only & FOR_EXPLAIN)
        return o->explain != NULL;
    if (row->only & FOR_WINDOW)
        return o->device == DEVICE_POOL;
    if (row->only & FOR_PLANES)
        return !o->ask;
    if (row->only & FOR_POINTS)
        return o->points;
    if (!row->of)
        return true;
    return operator_parameter(o, row->name) || operator_operand(o, row->name);
}

/* Programs of what the option is not about: an operator's, a network's, one of structures. */
static unsigned not_for(const struct program *program)
{
    if (!program->subject)
        return FOR_NETWORK;
    return FOR_OPERATOR | (program->subject->structures ? FOR_BATCHES : FOR_STRUCTURES);
}

bool option_applies(const struct option_row *row, const struct program *program)
{
    const bool device = program->space->kind == SPACE_CUDA;
    if (row->only & not_for(program))
        return false;
    if (!operator_has(program->kind, row))
        return false;
    if ((row->only & FOR_PROCESSES) && !program->space->processes)
        return false;
    if ((row->only & FOR_DEVICE && !device) || (row->only & FOR_HOST && device))
        return false;
    if ((row->only & FOR_SIMULATION) && !simulation_is_here())
        return false;
    return !(row->only & FOR_THREADS) || program->space->has_threads;
}

enum status option_refuse(const struct option_row *row, const struct program *program,
                          struct failure *f)
{
    if (row->only & (not_for(program) & (FOR_OPERATOR | FOR_NETWORK)))
        return fail(f, STATUS_USAGE, "--%s does not apply here: this program measures %s (%s)",
                    row->name, program->subject ? "a network" : "an operator, no network",
                    program->name);
    if (row->only & not_for(program))
        return fail(f, STATUS_USAGE, "--%s does not apply here: %s (%s)", row->name,
                    program->subject->structures ? "this program goes by --structure"
                                                 : "this program has one structure",
                    program->name);
    if (row->only & FOR_SIMULATION)
        return fail(f, STATUS_UNAVAILABLE,
                    "--%s needs a program built for a simulated cluster, with smpicc (Debian: "
                    "libsimgrid-dev)",
                    row->name);
    if (!operator_has(program->kind, row) && (row->only & FOR_PLANES))
        return fail(f, STATUS_USAGE,
                    "--%s does not apply here: %s tells them otherwise (try --help)", row->name,
                    program->kind->words.subject);
    if (!operator_has(program->kind, row) && (row->only & FOR_POINTS))
        return fail(f, STATUS_USAGE, "--%s does not apply here: the image of %s is not points (%s)",
                    row->name, program->kind->words.subject, program->name);
    if (!operator_has(program->kind, row) && (row->of || !(row->only & FOR_DEVICE)))
        return fail(f, STATUS_USAGE, "--%s does not apply here: %s has no %s (%s)", row->name,
                    program->kind->words.subject, row->of ? row->of : "windows", program->name);
    const bool device = program->space->kind == SPACE_CUDA;
    const char *why = row->only & FOR_DEVICE && !device ? "this program uses no GPU"
                      : row->only & FOR_HOST            ? "this program computes on a GPU"
                      : row->only & FOR_WINDOW          ? "windows go one by one in max pooling"
                      : row->only & FOR_PROCESSES       ? "this program is one process"
                                                        : "this program computes with one thread";
    return fail(f, STATUS_USAGE, "--%s does not apply here: %s (%s)", row->name, why,
                program->name);
}
