#include "harness/point/options/option_table.h"

#include "harness/machine/simulation.h"
#include "harness/point/subject.h"

#include <string.h>

#define FIELD(name) offsetof(struct options, name)

/* They precede the operators' rows. Seeds are the only numbers that may use all 63 bits; so sizes
 * are read as 63-bit integers too. */
static const struct option_row image_rows[] = {
    {"size", VALUE_INT, "N", "random image of N x N elements (default 1024)", .letter = 'n',
     .offset = FIELD(size), .least = 1, .most = option_int_most, .fallback = "1024",
     .group = "The image", .programs = FOR_OPERATOR, .brief = ""},
    {"rows", VALUE_INT, "R", "rows of a random image, with --cols", .letter = 'R',
     .offset = FIELD(rows), .least = 1, .most = option_int_most, .programs = FOR_OPERATOR},
    {"cols", VALUE_INT, "C", "columns of a random image, with --rows", .letter = 'C',
     .offset = FIELD(cols), .least = 1, .most = option_int_most, .programs = FOR_OPERATOR},
    {"dimensions", VALUE_INT, "D", "with -n N: N random points of D coordinates (default N)",
     .offset = FIELD(cols), .least = 1, .most = option_int_most,
     .programs = FOR_OPERATOR | FOR_POINTS, .brief = ""},
    {"planes", VALUE_INT, "P", "planes of the random image, channels x batch (default 1)",
     .offset = FIELD(planes), .least = 1, .most = option_int_most, .fallback = "1",
     .programs = FOR_OPERATOR | FOR_PLANES},
    {"input", VALUE_TEXT, "FILE",
     "read the image from a .png, .jpg, .npy, .nii, .nii.gz, .txt, .csv or .tsv file, or type it "
     "in (-); excludes -n; networks also take a folder of pictures",
     .letter = 'i', .offset = FIELD(input),
     .brief = "read the image from a .png, .jpg, .npy, .nii, .txt, .csv or .tsv file"},
    {"plane", VALUE_INT, "N",
     "only slice N of the volume of --input (.nii, .npy), from 0, across --axis (default: all of "
     "them)",
     .offset = FIELD(plane), .most = option_int_most, .programs = FOR_OPERATOR},
    {"axis", VALUE_CHOICE, "x|y|z",
     "axis that slices of the volume of --input are across: z, its planes (default), y, its rows, "
     "or x, its columns",
     .offset = FIELD(axis), .fallback = "z", .programs = FOR_OPERATOR},
    {"nan", VALUE_CHOICE, "refuse|zero",
     "NaNs in the file of --input (.npy, .nii): refused (default), or taken as 0 and counted",
     .offset = FIELD(nan), .fallback = "refuse"},
    {"gray", VALUE_FLAG, NULL,
     "convert the colour picture of --input to one gray plane: the luma 0.299 R + 0.587 G + 0.114 "
     "B of Rec. 601",
     .offset = FIELD(gray), .brief = "convert the colour picture of --input to gray"},
    {"skip-bad", VALUE_FLAG, NULL,
     "leave out pictures of the folder of --input that cannot be read, and name them; each picture "
     "is unpacked once to find them",
     .offset = FIELD(skip_bad), .programs = FOR_NETWORK | FOR_STRUCTURES},
    {"seed", VALUE_INT, "S", "seed of the random image and filter (default 35)",
     .offset = FIELD(seed), .most = option_int_most, .fallback = "35"},
    {"max-value", VALUE_INT, "V", "random elements are integers 0 .. V (default 9)",
     .offset = FIELD(max_value), .most = 16777216, .fallback = "9"},
    {"interactive", VALUE_FLAG, NULL,
     "ask for the size, the elements or a seed, and the hyper-parameters, as the tesina's program "
     "does; show image and map, and a summary with the seconds of the products",
     .offset = FIELD(interactive), .programs = FOR_OPERATOR},
};

/* Rows for networks (harness/point/subject.h). */
static const struct option_row network_rows[] = {
    {"network", VALUE_TEXT, "NAME", "which network; --list-networks shows their names",
     .offset = FIELD(network), .programs = FOR_NETWORK, .group = "The network", .brief = ""},
    {"list-networks", VALUE_FLAG, NULL, "list the networks, one per line",
     .offset = FIELD(list_networks), .programs = FOR_NETWORK, .brief = ""},
    {"batch", VALUE_INT, "B",
     "images per batch (default 1; with --structure batched: at most B, default 20)",
     .offset = FIELD(batch), .least = 1, .most = option_int_most, .programs = FOR_NETWORK,
     .brief = "images per batch (default 1)"},
    {"pictures", VALUE_INT, "N",
     "use the first N pictures only (default: all of the folder or file, or 500 slices of a brain)",
     .offset = FIELD(pictures), .least = 1, .most = option_int_most,
     .programs = FOR_NETWORK | FOR_STRUCTURES},
    {"image-size", VALUE_INT, "N",
     "side of random images, and the side that pictures are resized to (default: the network's)",
     .offset = FIELD(image_size), .least = 1, .most = option_int_most, .programs = FOR_NETWORK},
    {"weights", VALUE_TEXT, "FILE",
     "read the parameters from a safetensors file (default: random, from seed and name)",
     .offset = FIELD(weights), .programs = FOR_NETWORK,
     .brief = "read the parameters from a safetensors file (default: random)"},
    {"save", VALUE_TEXT, "FILE",
     "write the parameters as a safetensors file; a training writes it after every epoch, with the "
     "state that --resume needs",
     .offset = FIELD(save), .programs = FOR_NETWORK | FOR_BATCHES},
    {"conv", VALUE_LIST, "METHOD[,METHOD...]",
     "method of the convolutions that it applies to; auto (default) chooses one for each layer; "
     "exact chooses among methods that are exact on small integers; several are interleaved",
     .offset = FIELD(method), .programs = FOR_NETWORK | FOR_HOST | FOR_BATCHES,
     .brief = "method of the convolutions; auto (default) chooses for each layer"},
    {"engine", VALUE_LIST, "own|cudnn[,...]",
     "what computes convolutions and fully connected layers: our kernels (default) or cuDNN; both "
     "are interleaved",
     .offset = FIELD(method), .programs = FOR_NETWORK | FOR_DEVICE | FOR_BATCHES},
    {"structure", VALUE_LIST, "NAME[,NAME...]|all",
     "structure of the program (--list-methods lists them); several are interleaved",
     .offset = FIELD(method), .programs = FOR_NETWORK | FOR_STRUCTURES,
     .brief = "structure of the program; --list-methods lists them"},
    {"features", VALUE_FLAG, NULL, "output the input of the classifier instead of the classes",
     .offset = FIELD(features), .programs = FOR_NETWORK},
    {"top", VALUE_INT, "K", "print the K most likely classes of each image", .offset = FIELD(top),
     .least = 1, .most = option_int_most, .programs = FOR_NETWORK | FOR_BATCHES, .brief = ""},
    {"class-names", VALUE_TEXT, "FILE", "names of the classes, one per line",
     .offset = FIELD(class_names), .programs = FOR_NETWORK | FOR_BATCHES},
    {"layers", VALUE_FLAG, NULL,
     "print shape, parameters, multiply-adds, method, seconds, bytes and rates of each layer",
     .offset = FIELD(layers), .programs = FOR_NETWORK | FOR_BATCHES,
     .brief = "print shape, seconds and rates of each layer"},
    {"graph", VALUE_TEXT, "FILE.json",
     "write the network's graph: each layer's kind, inputs, shape, attributes and names of "
     "parameters",
     .offset = FIELD(graph), .programs = FOR_NETWORK | FOR_BATCHES},
    {"roof", VALUE_TEXT, "FILE.csv",
     "with --layers, --record-layers or --trace: each layer's share of this machine's limit, from "
     "the file that 'study roofline' writes (results/local/ceilings.csv)",
     .offset = FIELD(roof), .programs = FOR_NETWORK | FOR_BATCHES | FOR_HOST},
    {"record-layers", VALUE_TEXT, "FILE.csv", "append one row per layer: shapes, seconds, bytes",
     .offset = FIELD(record_layers), .programs = FOR_NETWORK | FOR_BATCHES},
    {"trace", VALUE_TEXT, "FILE.json",
     "write the events of the last execution for chrome://tracing or Perfetto",
     .offset = FIELD(trace), .programs = FOR_NETWORK | FOR_BATCHES},
    {"timeline", VALUE_TEXT, "FILE.csv",
     "append CPU share and memory of the process, ten times a second (rank 0)",
     .offset = FIELD(timeline), .programs = FOR_NETWORK},
    {"task", VALUE_CHOICE, "infer|train",
     "run the network (default), or train it; a sample is then one training step",
     .offset = FIELD(task), .fallback = "infer", .programs = FOR_NETWORK | FOR_BATCHES,
     .group = "Training", .brief = "run the network (default), or train it"},
    {"data", VALUE_TEXT, "NAME|FILE.npy|FOLDER",
     "training data: brain_planes, solar, random (default), a file, or a folder of pictures in "
     "which a subfolder is a class",
     .offset = FIELD(data), .programs = FOR_NETWORK | FOR_BATCHES,
     .brief = "training data: brain_planes, solar, random (default), a file or a folder"},
    {"validation-share", VALUE_REAL, "X",
     "share of a folder's images for validation, of those that are not of the test; the seed "
     "chooses them (default 0)",
     .offset = FIELD(validation_share), .least = 0, .most = 0.9, .fallback = "0",
     .programs = FOR_NETWORK | FOR_BATCHES},
    {"test-share", VALUE_REAL, "X", "share of a folder's images for the test (default 0)",
     .offset = FIELD(test_share), .least = 0, .most = 0.9, .fallback = "0",
     .programs = FOR_NETWORK | FOR_BATCHES},
    {"split", VALUE_TEXT, "T,V,E",
     "images for training, validation and test, chosen by the seed, such as 245,28,99 of the "
     "tesina; of brain_planes each from its own part",
     .offset = FIELD(split), .programs = FOR_NETWORK | FOR_BATCHES},
    {"normalize", VALUE_TEXT, "M,D",
     "every value x of an image becomes (x - M) / D, after the augmentation; the tesina has "
     "0.5,0.5",
     .offset = FIELD(normalize), .programs = FOR_NETWORK | FOR_BATCHES},
    {"select", VALUE_CHOICE, "last|best-validation",
     "which parameters are tested and saved: those of the last epoch (default), or of the epoch "
     "with the least validation loss",
     .offset = FIELD(select), .fallback = "last", .programs = FOR_NETWORK | FOR_BATCHES},
    {"record-training", VALUE_TEXT, "FILE.csv",
     "append one row per epoch, learning rate tried and element of the confusion matrix",
     .offset = FIELD(record_training), .programs = FOR_NETWORK | FOR_BATCHES},
    {"labels", VALUE_TEXT, "FILE.npy",
     "targets of the training data in a file: classes, or values if the network has one output",
     .offset = FIELD(labels), .programs = FOR_NETWORK | FOR_BATCHES},
    {"save-data", VALUE_TEXT, "PREFIX",
     "write the training data as PREFIX.images.npy and PREFIX.targets.npy, for --data and --labels",
     .offset = FIELD(save_data), .programs = FOR_NETWORK | FOR_BATCHES},
    {"epochs", VALUE_INT, "E", "passes over the training data (default 1)", .offset = FIELD(epochs),
     .least = 1, .most = 1 << 30, .programs = FOR_NETWORK | FOR_BATCHES, .brief = ""},
    {"steps", VALUE_INT, "N", "number of training steps, instead of --epochs",
     .offset = FIELD(steps), .least = 1, .most = 1 << 30, .programs = FOR_NETWORK | FOR_BATCHES},
    {"optimizer", VALUE_CHOICE, "adam|sgd", "adam (default), or sgd with momentum 0.9",
     .offset = FIELD(optimizer), .fallback = "adam", .programs = FOR_NETWORK | FOR_BATCHES},
    {"learning-rate", VALUE_REAL, "X", "learning rate (default 0.001)",
     .offset = FIELD(learning_rate), .least = 0, .most = 1e6, .fallback = "0.001",
     .programs = FOR_NETWORK | FOR_BATCHES},
    {"find-learning-rate", VALUE_FLAG, NULL,
     "try 100 learning rates from 1e-7 to 10 and suggest one", .offset = FIELD(find_learning_rate),
     .programs = FOR_NETWORK | FOR_BATCHES},
    {"init", VALUE_CHOICE, "he-uniform|he-normal|glorot-uniform|glorot-normal|tesina",
     "distribution of the first weights (default he-uniform); tesina: convolutions he-normal, "
     "linear layers glorot-normal with the gain of a ReLU",
     .offset = FIELD(init), .fallback = "he-uniform", .programs = FOR_NETWORK | FOR_BATCHES},
    {"order", VALUE_CHOICE, "seeded|given",
     "order of the samples: shuffled in every epoch (default), or as given", .offset = FIELD(order),
     .fallback = "seeded", .programs = FOR_NETWORK | FOR_BATCHES},
    {"dropout", VALUE_CHOICE, "on|off", "apply dropout in training (default on)",
     .offset = FIELD(dropout), .fallback = "on", .programs = FOR_NETWORK | FOR_BATCHES},
    {"augment", VALUE_LIST, "KIND[=X],...",
     "change the training images at random, differently in every epoch: rotate=DEGREES (5), "
     "flip=PROBABILITY (0.5), crop=PIXELS (2)",
     .offset = FIELD(augment), .programs = FOR_NETWORK | FOR_BATCHES},
    {"shards", VALUE_INT, "S",
     "parts of a batch; their gradients are summed in a fixed order (default 8)",
     .offset = FIELD(shards), .least = 1, .most = 1 << 16, .fallback = "8",
     .programs = FOR_NETWORK | FOR_BATCHES},
    {"strategy", VALUE_CHOICE, "mirrored|central",
     "all ranks hold the parameters (default), or rank 0 alone holds and updates them",
     .offset = FIELD(strategy), .fallback = "mirrored",
     .programs = FOR_NETWORK | FOR_BATCHES | FOR_PROCESSES},
    {"resume", VALUE_TEXT, "FILE",
     "continue a training from the file that --save wrote; results are the same bit for bit",
     .offset = FIELD(resume), .programs = FOR_NETWORK | FOR_BATCHES},
};

/* They follow the operators' rows. */
static const struct option_row other_rows[] = {
    {"method", VALUE_LIST, "NAME[,NAME...]|all",
     "one of the methods listed below; several are interleaved sample by sample on one image and "
     "compared; all: every method that runs here",
     .offset = FIELD(method),
     .brief = "methods to time and compare; all: every one that runs here"},
    {"list-methods", VALUE_OPTIONAL, "all",
     "list the methods that run here, one per line; =all adds the others, with the reason",
     .offset = FIELD(list_methods), .brief = "list the methods that run here"},
    {"isa", VALUE_CHOICE, "baseline|avx2|avx512",
     "widest instruction set to use (default: the widest available)", .offset = FIELD(isa),
     .programs = FOR_HOST},
    {"threads", VALUE_INT, "T",
     "OpenMP threads (default: OMP_NUM_THREADS, or all hardware threads within the CPU quota; at "
     "most OMP_THREAD_LIMIT); under MPI threads per rank (default: OMP_NUM_THREADS, or 1)",
     .letter = 't', .offset = FIELD(threads), .least = 1, .most = 65536, .programs = FOR_THREADS,
     .group = "The workers",
     .brief = "threads; under MPI per rank (default: all cores, or 1 per rank)"},
    {"bind", VALUE_CHOICE, "none|core|spread",
     "core: bind each worker to a core of its own, one socket after the other; spread: each to the "
     "next socket (default none)",
     .offset = FIELD(bind), .programs = FOR_HOST},
    {"pages", VALUE_CHOICE, "huge|ordinary",
     "memory pages of large images, maps and scratch (default huge, where the system has them)",
     .offset = FIELD(pages), .programs = FOR_HOST},
    {"parallel", VALUE_CHOICE, "all|product",
     "the workers share all of the work (default), or only the product, as in the tesina: one "
     "worker cuts the windows and takes the maxima (a method that works in stages)",
     .offset = FIELD(parallel), .programs = FOR_WINDOW | FOR_HOST},
    {"distribute", VALUE_CHOICE, "generate|scatter",
     "each rank makes its own rows (default), or rank 0 sends them and gathers the map (default "
     "for files)",
     .offset = FIELD(distribute), .programs = FOR_PROCESSES},
    {"offload", VALUE_CHOICE, "image|window|window-lean",
     "send the whole image to the GPU (default), or one window at a time as in the tesina: with "
     "arrays, stream and events made anew for each window (window), or reused (window-lean)",
     .offset = FIELD(offload), .fallback = "image", .programs = FOR_WINDOW | FOR_DEVICE,
     .group = "The device"},
    {"filter-memory", VALUE_CHOICE, "transferred|constant",
     "send the filter with every launch (default), or keep it in constant memory (up to 128 x 128)",
     .offset = FIELD(filter_memory), .fallback = "transferred",
     .programs = FOR_DEVICE | FOR_OPERATOR},
    {"block", VALUE_CHOICE, "16|32", "threads along each side of a block (default 16)",
     .offset = FIELD(block), .fallback = "16", .programs = FOR_DEVICE},
    {"host-memory", VALUE_CHOICE, "pageable|pinned",
     "pinned memory is copied faster, and also while kernels run (default pageable)",
     .offset = FIELD(host_memory), .fallback = "pageable", .programs = FOR_DEVICE},
    {"submit", VALUE_CHOICE, "single|graph",
     "launch kernels one by one (default), or capture the launches of a batch once and replay them "
     "as a CUDA graph",
     .offset = FIELD(submit), .fallback = "single", .programs = FOR_DEVICE | FOR_NETWORK},
    {"overlap", VALUE_CHOICE, "on|off",
     "ranks exchange a layer's gradients while their GPUs compute those of earlier layers "
     "(default), or all of them after the backward pass",
     .offset = FIELD(overlap), .fallback = "on",
     .programs = FOR_DEVICE | FOR_NETWORK | FOR_BATCHES | FOR_PROCESSES},
    {"streams", VALUE_INT, "N",
     "number of chunks of rows in flight; copies of one overlap with kernels of another (default "
     "1)",
     .offset = FIELD(device.streams), .least = 1, .most = 64, .fallback = "1",
     .programs = FOR_DEVICE | FOR_OPERATOR},
    {"device-memory", VALUE_INT, "BYTES",
     "limit of GPU memory for image and map; larger images are computed in chunks of rows "
     "(default: free memory)",
     .offset = FIELD(device.memory_bytes), .least = 1, .most = option_int_most,
     .programs = FOR_DEVICE | FOR_OPERATOR},
    {"warm-cache", VALUE_FLAG, NULL,
     "keep the GPU's L2 cache between samples instead of flushing it",
     .offset = FIELD(device.warm_cache), .programs = FOR_DEVICE},
    {"device", VALUE_INT, "D",
     "number of the GPU, counted from 0 (default 0); cpu: an emulated one, without times",
     .offset = FIELD(device.device), .most = 1023, .programs = FOR_DEVICE,
     .brief = "number of the GPU (default 0); cpu: an emulated one, without times"},
    {"count", VALUE_OPTIONAL, "table|lines|csv|json|svg",
     "with --device cpu: count sectors, bank conflicts and divergence of each kernel; =table: "
     "print nothing else; =lines: of each line of the source too; =csv, =json: as a file; =svg: "
     "the lanes of a warp on the image",
     .offset = FIELD(device.count), .programs = FOR_DEVICE | FOR_OPERATOR},
    {"card", VALUE_TEXT, "NAME",
     "with --count: the card whose limits hold (default T4); if it is given, the least time on it "
     "is predicted",
     .offset = FIELD(device.card), .programs = FOR_DEVICE | FOR_OPERATOR},
    {"warmup", VALUE_INT, "W", "executions before the timed ones (default 1)",
     .offset = FIELD(warmup), .most = 1000000, .fallback = "1", .group = "The measurement"},
    {"samples", VALUE_INT, "N", "timed executions, at most (default 100)", .offset = FIELD(samples),
     .least = 1, .most = 10000000, .fallback = "100", .brief = ""},
    {"relative-ci", VALUE_REAL, "X",
     "stop when the half-width of the median's 95 % interval is within X of the median (default "
     "0.02)",
     .offset = FIELD(relative_ci), .most = 1, .fallback = "0.02"},
    {"max-seconds", VALUE_REAL, "S", "stop after S seconds (default 10)",
     .offset = FIELD(max_seconds), .most = 1e9, .fallback = "10", .brief = ""},
    {"verify", VALUE_CHOICE, "full|sampled|none",
     "how each result is compared with the oracle (default full)", .offset = FIELD(verify)},
    {"platform", VALUE_TEXT, "NAME", "name of the simulated machine in the record",
     .offset = FIELD(platform), .programs = FOR_SIMULATION, .group = "The simulation"},
    {"row-seconds", VALUE_REAL, "S",
     "seconds to compute one row of the map, or one image of a training batch (default: as "
     "measured here); smpirun also needs --cfg=smpi/simulate- computation:no",
     .offset = FIELD(row_s), .most = 1e9, .programs = FOR_SIMULATION},
    {"product-seconds", VALUE_REAL, "S",
     "with --parallel product: of the seconds of a row, those of its products",
     .offset = FIELD(product_row_s), .most = 1e9, .programs = FOR_SIMULATION},
    {"sum-seconds", VALUE_REAL, "S", "training: seconds to add one shard's gradients to the sum",
     .offset = FIELD(sum_s), .most = 1e9, .programs = FOR_SIMULATION | FOR_NETWORK | FOR_BATCHES},
    {"update-seconds", VALUE_REAL, "S", "training: seconds to update the parameters",
     .offset = FIELD(update_s), .most = 1e9,
     .programs = FOR_SIMULATION | FOR_NETWORK | FOR_BATCHES},
    {"fold", VALUE_FLAG, NULL,
     "skip allocation and compute, so that many ranks fit into memory; needs --row- seconds and "
     "--verify none",
     .offset = FIELD(fold), .programs = FOR_SIMULATION},
    {"output", VALUE_TEXT, "FILE",
     "write the map as .npy, .txt or .png (one plane in gray, three in colour; values scaled)",
     .letter = 'o', .offset = FIELD(output), .group = "The output",
     .brief = "write the map as .npy, .txt or .png"},
    {"nearest", VALUE_INT, "K",
     "--output has the K nearest points of each point: two planes of points x K, indices and "
     "distances",
     .offset = FIELD(nearest), .least = 1, .most = option_int_most, .programs = FOR_POINTS},
    {"record", VALUE_TEXT, "FILE.csv", "append one row per execution", .offset = FIELD(record),
     .brief = ""},
    {"per-rank", VALUE_TEXT, "FILE.csv",
     "append one row per execution and rank, warm-up included: the rank's own times",
     .offset = FIELD(per_rank), .programs = FOR_PROCESSES},
    {"format", VALUE_CHOICE, "text|csv|json",
     "format of the output; csv: the record's header and rows (default text)",
     .offset = FIELD(format), .brief = "text (default), csv or json"},
    {"print", VALUE_FLAG, NULL, "show the image and the map", .offset = FIELD(print),
     .programs = FOR_OPERATOR, .brief = ""},
    {"explain", VALUE_FLAG, NULL,
     "show how each output is computed, number by number (small images)", .offset = FIELD(explain),
     .programs = FOR_EXPLAIN, .brief = "show how each output is computed (small images)"},
    {"show-indices", VALUE_FLAG, NULL,
     "show which elements each GPU thread computed (small products)", .offset = FIELD(show_indices),
     .programs = FOR_DEVICE},
    {"kernel-facts", VALUE_FLAG, NULL,
     "show registers, shared memory and theoretical occupancy of the kernels",
     .offset = FIELD(kernel_facts), .programs = FOR_DEVICE},
    {"experiment", VALUE_TEXT, "NAME", "name of the experiment in the record",
     .offset = FIELD(experiment)},
    {"round", VALUE_INT, "R", "number of this launch in the record (default 0)",
     .offset = FIELD(round), .most = option_int_most},
    {"lang", VALUE_TEXT, "en|es",
     "language of this text, the prompts, the summary and errors (default: that of LC_ALL, "
     "LC_MESSAGES or LANG); CSV and JSON are English in any case",
     .offset = FIELD(lang), .brief = "language of this text, the prompts and the summary"},
    {"help", VALUE_OPTIONAL, "all",
     "show the options that most people need; --help all shows this text", .letter = 'h',
     .offset = FIELD(help), .brief = "show this text; --help all: the whole of it"},
    {"version", VALUE_FLAG, NULL, "show version and commit", .letter = 'V',
     .offset = FIELD(version), .brief = ""},
};

enum {
    IMAGE_ROWS = sizeof image_rows / sizeof *image_rows,
    NETWORK_ROWS = sizeof network_rows / sizeof *network_rows,
    OTHER_ROWS = sizeof other_rows / sizeof *other_rows,
    OPERATOR_ROWS = OPTIONS_MOST - NETWORK_ROWS - IMAGE_ROWS - OTHER_ROWS /* at most */
};

/* ---- the operators' own ---------------------------------------------------------------------- */

static struct option_row parameter_row(const struct parameter *p)
{
    return (struct option_row){.name = p->option,
                               .letter = p->letter,
                               .kind = p->choice ? VALUE_CHOICE : VALUE_INT,
                               .argument = p->argument,
                               .offset = FIELD(parameters) + p->offset,
                               .least = (double)p->least,
                               .most = option_int_most,
                               .feature = p->of,
                               .help = p->help};
}

static struct option_row operand_option(const struct operand_row *operand)
{
    return (struct option_row){.name = operand->option,
                               .kind = VALUE_TEXT,
                               .argument = operand->argument,
                               .offset =
                                   FIELD(operands) + (size_t)operand->role * sizeof(const char *),
                               .feature = operand->noun,
                               .formerly = operand->formerly,
                               .help = operand->help};
}

static int find(const struct option_row *rows, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}

/* Adds the option of an operand, unless it is there; networks may have one of that name. */
static int add_operand(struct option_row *rows, int count, const struct operand_row *operand)
{
    if (count == OPTIONS_MOST ||
        find(rows + NETWORK_ROWS, count - NETWORK_ROWS, operand->option) >= 0)
        return count;
    rows[count] = operand_option(operand);
    return count + 1;
}

/* Adds the operands of all operators. */
static int add_operands(struct option_row *rows, int count)
{
    for (size_t o = 0; o < operator_count; o++)
        for (const struct operand_row *const *row = operators[o]->operands; *row; row++)
            count = add_operand(rows, count, *row);
    return count;
}

/* Networks come first. If two options have the same name, the one that applies to the program is
 * used. */
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

/* ---- which program takes which option -------------------------------------------------------- */

/* Does the operator have the property that the option is about? */
static bool operator_has(const struct operator_row *o, const struct option_row *row)
{
    if (row->programs & FOR_EXPLAIN)
        return o->explain != NULL;
    if (row->programs & FOR_WINDOW)
        return o->windows_go_alone;
    if (row->programs & FOR_PLANES)
        return !o->random_shape;
    if (row->programs & FOR_POINTS)
        return o->points;
    if (!row->feature)
        return true;
    return operator_any_parameter(o, row->name) || operator_any_operand(o, row->name);
}

/* Returns the flags of the options that the program's kind (operator, network, structures)
 * excludes. */
static unsigned not_for(const struct program *program)
{
    if (!program->subject)
        return FOR_NETWORK;
    return FOR_OPERATOR | (program->subject->structures ? FOR_BATCHES : FOR_STRUCTURES);
}

bool option_applies(const struct option_row *row, const struct program *program)
{
    const bool device = program->space->kind == SPACE_CUDA;
    if (row->programs & not_for(program))
        return false;
    if (!operator_has(program->kind, row))
        return false;
    if ((row->programs & FOR_PROCESSES) && !program->space->processes)
        return false;
    if ((row->programs & FOR_DEVICE && !device) || (row->programs & FOR_HOST && device))
        return false;
    if ((row->programs & FOR_SIMULATION) && !simulation_is_here())
        return false;
    return !(row->programs & FOR_THREADS) || program->space->has_threads;
}

enum status option_refuse(const struct option_row *row, const struct program *program,
                          struct failure *f)
{
    if (row->programs & (not_for(program) & (FOR_OPERATOR | FOR_NETWORK)))
        return fail(f, STATUS_USAGE, "--%s does not apply here: this program measures %s (%s)",
                    row->name, program->subject ? "a network" : "an operator, no network",
                    program->name);
    if (row->programs & not_for(program))
        return fail(f, STATUS_USAGE, "--%s does not apply here: %s (%s)", row->name,
                    program->subject->structures ? "this program goes by --structure"
                                                 : "this program has one structure",
                    program->name);
    if (row->programs & FOR_SIMULATION)
        return fail(f, STATUS_UNAVAILABLE,
                    "--%s needs a program built for a simulated cluster, with smpicc (Debian: "
                    "libsimgrid-dev)",
                    row->name);
    if (!operator_has(program->kind, row) && (row->programs & FOR_PLANES))
        return fail(f, STATUS_USAGE,
                    "--%s does not apply here: %s has options of its own for this (try --help)",
                    row->name, program->kind->words.subject);
    if (!operator_has(program->kind, row) && (row->programs & FOR_POINTS))
        return fail(f, STATUS_USAGE, "--%s does not apply here: the image of %s is not points (%s)",
                    row->name, program->kind->words.subject, program->name);
    if (!operator_has(program->kind, row) && (row->feature || !(row->programs & FOR_DEVICE)))
        return fail(f, STATUS_USAGE, "--%s does not apply here: %s has no %s (%s)", row->name,
                    program->kind->words.subject,
                    row->feature               ? row->feature
                    : row->programs & FOR_HOST ? "method that works in stages"
                                               : "windows",
                    program->name);
    const bool device = program->space->kind == SPACE_CUDA;
    const char *why = row->programs & FOR_DEVICE && !device ? "this program uses no GPU"
                      : row->programs & FOR_HOST            ? "this program computes on a GPU"
                      : row->programs & FOR_WINDOW          ? "windows go one by one in max pooling"
                      : row->programs & FOR_PROCESSES       ? "this program is one process"
                                                      : "this program computes with one thread";
    return fail(f, STATUS_USAGE, "--%s does not apply here: %s (%s)", row->name, why,
                program->name);
}

/* True if the option changes nothing: a parameter or an operand of the program has its default, or
 * the operand is "none". */
static bool is_default(const struct options *o, const struct option_row *row,
                       const struct operator_row *program_kind)
{
    const struct parameter *p = operator_any_parameter(program_kind, row->name);
    const struct operand_row *operand = operator_any_operand(program_kind, row->name);
    if (p)
        return parameter_get(p, &o->parameters) == p->fallback;
    const char *word = operand ? o->operands[operand->role] : "none";
    return strcmp(word, "none") == 0 ||
           (operator_operand(program_kind, row->name) && strcmp(word, operand->fallback) == 0);
}

enum status options_check_selected(const struct options *o, const struct program *program,
                                   struct failure *f)
{
    int count;
    const struct option_row *rows = option_rows(&count);
    const struct operator_row *kind = operator_selected(program->kind, &o->parameters);
    for (int i = 0; i < count; i++)
        if (o->given[i] && rows[i].feature && !operator_parameter(kind, rows[i].name) &&
            !operator_operand(kind, rows[i].name) && !is_default(o, &rows[i], program->kind))
            return fail(f, STATUS_USAGE, "--%s does not apply here: %s has no %s (%s)",
                        rows[i].name, kind->words.subject, rows[i].feature, program->name);
    return STATUS_OK;
}
