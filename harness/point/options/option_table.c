#include "harness/point/options/option_table.h"

#include "harness/machine/simulation.h"
#include "harness/point/subject.h"

#include <string.h>

#define FIELD(name) offsetof(struct options, name)

/* They precede the operators' rows. Seeds are the only numbers that may use all 63 bits; so sizes
 * are read as 63-bit integers too. */
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
     .programs = FOR_OPERATOR,
     .brief = "random image of N x N elements (default 1024)",
     .help = "random image of N x N elements (default 1024)"},
    {.name = "rows",
     .letter = 'R',
     .kind = VALUE_INT,
     .argument = "R",
     .offset = FIELD(rows),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_OPERATOR,
     .help = "rows of a random image, with --cols"},
    {.name = "cols",
     .letter = 'C',
     .kind = VALUE_INT,
     .argument = "C",
     .offset = FIELD(cols),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_OPERATOR,
     .help = "columns of a random image, with --rows"},
    {.name = "dimensions",
     .kind = VALUE_INT,
     .argument = "D",
     .offset = FIELD(cols),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_OPERATOR | FOR_POINTS,
     .brief = "with -n N: N random points of D coordinates (default N)",
     .help = "with -n N: N random points of D coordinates (default N)"},
    {.name = "planes",
     .kind = VALUE_INT,
     .argument = "P",
     .offset = FIELD(planes),
     .least = 1,
     .most = option_int_most,
     .fallback = "1",
     .programs = FOR_OPERATOR | FOR_PLANES,
     .help = "planes of the random image, channels x batch (default 1)"},
    {.name = "input",
     .letter = 'i',
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(input),
     .brief = "read the image from a .png, .jpg, .npy, .nii, .txt or .csv file",
     .help = "read the image from a .png, .jpg, .npy, .nii, .nii.gz, .txt or .csv file, or type it "
             "in (-); excludes -n; networks also take a folder of pictures"},
    {.name = "plane",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(plane),
     .most = option_int_most,
     .programs = FOR_OPERATOR,
     .help = "only slice N of the volume of --input (.nii, .npy), from 0, across --axis (default: "
             "all of them)"},
    {.name = "axis",
     .kind = VALUE_CHOICE,
     .argument = "x|y|z",
     .offset = FIELD(axis),
     .fallback = "z",
     .programs = FOR_OPERATOR,
     .help = "axis that slices of the volume of --input are across: z, its planes (default), y, "
             "its rows, or x, its columns"},
    {.name = "nan",
     .kind = VALUE_CHOICE,
     .argument = "refuse|zero",
     .offset = FIELD(nan),
     .fallback = "refuse",
     .help = "NaNs in the file of --input (.npy, .nii): refused (default), or taken as 0 and "
             "counted"},
    {.name = "gray",
     .kind = VALUE_FLAG,
     .offset = FIELD(gray),
     .brief = "convert the colour picture of --input to gray",
     .help = "convert the colour picture of --input to one gray plane: the luma 0.299 R + 0.587 G "
             "+ 0.114 B of Rec. 601"},
    {.name = "skip-bad",
     .kind = VALUE_FLAG,
     .offset = FIELD(skip_bad),
     .programs = FOR_NETWORK | FOR_STRUCTURES,
     .help = "leave out pictures of the folder of --input that cannot be read, and name them; "
             "each picture is unpacked once to find them"},
    {.name = "seed",
     .kind = VALUE_INT,
     .argument = "S",
     .offset = FIELD(seed),
     .most = option_int_most,
     .fallback = "35",
     .help = "seed of the random image and filter (default 35)"},
    {.name = "max-value",
     .kind = VALUE_INT,
     .argument = "V",
     .offset = FIELD(max_value),
     .most = 16777216,
     .fallback = "9",
     .help = "random elements are integers 0 .. V (default 9)"},
    {.name = "interactive",
     .kind = VALUE_FLAG,
     .offset = FIELD(interactive),
     .programs = FOR_OPERATOR,
     .help = "ask for the size, the elements or a seed, and the hyper-parameters, as the tesina's "
             "program does; show image and map, and a summary with the seconds of the products"},
};

/* Rows for networks (harness/point/subject.h). */
static const struct option_row network_rows[] = {
    {.name = "network",
     .kind = VALUE_TEXT,
     .argument = "NAME",
     .offset = FIELD(network),
     .programs = FOR_NETWORK,
     .group = "The network",
     .brief = "which network; --list-networks shows their names",
     .help = "which network; --list-networks shows their names"},
    {.name = "list-networks",
     .kind = VALUE_FLAG,
     .offset = FIELD(list_networks),
     .programs = FOR_NETWORK,
     .brief = "list the networks, one per line",
     .help = "list the networks, one per line"},
    {.name = "batch",
     .kind = VALUE_INT,
     .argument = "B",
     .offset = FIELD(batch),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_NETWORK,
     .brief = "images per batch (default 1)",
     .help = "images per batch (default 1; with --structure batched: at most B, default 20)"},
    {.name = "pictures",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(pictures),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_NETWORK | FOR_STRUCTURES,
     .help = "use the first N pictures only (default: all of the folder or file, or 500 "
             "slices of a brain)"},
    {.name = "image-size",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(image_size),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_NETWORK,
     .help = "side of random images, and the side that pictures are resized to (default: the "
             "network's)"},
    {.name = "weights",
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(weights),
     .programs = FOR_NETWORK,
     .brief = "read the parameters from a safetensors file (default: random)",
     .help = "read the parameters from a safetensors file (default: random, from seed and name)"},
    {.name = "save",
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(save),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "write the parameters as a safetensors file; a training writes it after every "
             "epoch, with the state that --resume needs"},
    {.name = "conv",
     .kind = VALUE_TEXT,
     .argument = "METHOD[,METHOD...]",
     .offset = FIELD(method),
     .programs = FOR_NETWORK | FOR_HOST | FOR_BATCHES,
     .brief = "method of the convolutions; auto (default) chooses for each layer",
     .help = "method of the convolutions that it applies to; auto (default) chooses one for each "
             "layer; exact chooses among methods that are exact on small integers; several are "
             "interleaved"},
    {.name = "engine",
     .kind = VALUE_TEXT,
     .argument = "own|cudnn[,...]",
     .offset = FIELD(method),
     .programs = FOR_NETWORK | FOR_DEVICE | FOR_BATCHES,
     .help = "what computes convolutions and fully connected layers: our kernels (default) "
             "or cuDNN; both are interleaved"},
    {.name = "structure",
     .kind = VALUE_TEXT,
     .argument = "NAME[,NAME...]|all",
     .offset = FIELD(method),
     .programs = FOR_NETWORK | FOR_STRUCTURES,
     .brief = "structure of the program; --list-methods lists them",
     .help = "structure of the program (--list-methods lists them); several are interleaved"},
    {.name = "features",
     .kind = VALUE_FLAG,
     .offset = FIELD(features),
     .programs = FOR_NETWORK,
     .help = "output the input of the classifier instead of the classes"},
    {.name = "top",
     .kind = VALUE_INT,
     .argument = "K",
     .offset = FIELD(top),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_NETWORK | FOR_BATCHES,
     .brief = "print the K most likely classes of each image",
     .help = "print the K most likely classes of each image"},
    {.name = "class-names",
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(class_names),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "names of the classes, one per line"},
    {.name = "layers",
     .kind = VALUE_FLAG,
     .offset = FIELD(layers),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .brief = "print shape, seconds and rates of each layer",
     .help = "print shape, parameters, multiply-adds, method, seconds, bytes and rates of "
             "each layer"},
    {.name = "graph",
     .kind = VALUE_TEXT,
     .argument = "FILE.json",
     .offset = FIELD(graph),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "write the network's graph: each layer's kind, inputs, shape, attributes and "
             "names of parameters"},
    {.name = "roof",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(roof),
     .programs = FOR_NETWORK | FOR_BATCHES | FOR_HOST,
     .help = "with --layers, --record-layers or --trace: each layer's share of this "
             "machine's limit, from the file that 'study roofline' writes "
             "(results/local/ceilings.csv)"},
    {.name = "record-layers",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(record_layers),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "append one row per layer: shapes, seconds, bytes"},
    {.name = "trace",
     .kind = VALUE_TEXT,
     .argument = "FILE.json",
     .offset = FIELD(trace),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "write the events of the last execution for chrome://tracing or Perfetto"},
    {.name = "timeline",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(timeline),
     .programs = FOR_NETWORK,
     .help = "append CPU share and memory of the process, ten times a second (rank 0)"},
    {.name = "task",
     .kind = VALUE_CHOICE,
     .argument = "infer|train",
     .offset = FIELD(task),
     .fallback = "infer",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .group = "Training",
     .brief = "run the network (default), or train it",
     .help = "run the network (default), or train it; a sample is then one training step"},
    {.name = "data",
     .kind = VALUE_TEXT,
     .argument = "NAME|FILE.npy|FOLDER",
     .offset = FIELD(data),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .brief = "training data: brain_planes, solar, random (default), a file or a folder",
     .help = "training data: brain_planes, solar, random (default), a file, or a folder of "
             "pictures in which a subfolder is a class"},
    {.name = "validation-share",
     .kind = VALUE_REAL,
     .argument = "X",
     .offset = FIELD(validation_share),
     .least = 0,
     .most = 0.9,
     .fallback = "0",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "share of a folder's images for validation, of those that are not of the test; the "
             "seed chooses them (default 0)"},
    {.name = "test-share",
     .kind = VALUE_REAL,
     .argument = "X",
     .offset = FIELD(test_share),
     .least = 0,
     .most = 0.9,
     .fallback = "0",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "share of a folder's images for the test (default 0)"},
    {.name = "split",
     .kind = VALUE_TEXT,
     .argument = "T,V,E",
     .offset = FIELD(split),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "images for training, validation and test, chosen by the seed, such as 245,28,99 of "
             "the tesina; of brain_planes each from its own part"},
    {.name = "normalize",
     .kind = VALUE_TEXT,
     .argument = "M,D",
     .offset = FIELD(normalize),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "every value x of an image becomes (x - M) / D, after the augmentation; the tesina "
             "has 0.5,0.5"},
    {.name = "select",
     .kind = VALUE_CHOICE,
     .argument = "last|best-validation",
     .offset = FIELD(select),
     .fallback = "last",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "which parameters are tested and saved: those of the last epoch (default), or of the "
             "epoch with the least validation loss"},
    {.name = "record-training",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(record_training),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "append one row per epoch, learning rate tried and element of the confusion "
             "matrix"},
    {.name = "labels",
     .kind = VALUE_TEXT,
     .argument = "FILE.npy",
     .offset = FIELD(labels),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "targets of the training data in a file: classes, or values if the network has one "
             "output"},
    {.name = "save-data",
     .kind = VALUE_TEXT,
     .argument = "PREFIX",
     .offset = FIELD(save_data),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "write the training data as PREFIX.images.npy and PREFIX.targets.npy, for "
             "--data and --labels"},
    {.name = "epochs",
     .kind = VALUE_INT,
     .argument = "E",
     .offset = FIELD(epochs),
     .least = 1,
     .most = 1 << 30,
     .programs = FOR_NETWORK | FOR_BATCHES,
     .brief = "passes over the training data (default 1)",
     .help = "passes over the training data (default 1)"},
    {.name = "steps",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(steps),
     .least = 1,
     .most = 1 << 30,
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "number of training steps, instead of --epochs"},
    {.name = "optimizer",
     .kind = VALUE_CHOICE,
     .argument = "adam|sgd",
     .offset = FIELD(optimizer),
     .fallback = "adam",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "adam (default), or sgd with momentum 0.9"},
    {.name = "learning-rate",
     .kind = VALUE_REAL,
     .argument = "X",
     .offset = FIELD(learning_rate),
     .least = 0,
     .most = 1e6,
     .fallback = "0.001",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "learning rate (default 0.001)"},
    {.name = "find-learning-rate",
     .kind = VALUE_FLAG,
     .offset = FIELD(find_learning_rate),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "try 100 learning rates from 1e-7 to 10 and suggest one"},
    {.name = "init",
     .kind = VALUE_CHOICE,
     .argument = "he-uniform|he-normal|glorot-uniform|glorot-normal|tesina",
     .offset = FIELD(init),
     .fallback = "he-uniform",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "distribution of the first weights (default he-uniform); tesina: convolutions "
             "he-normal, linear layers glorot-normal with the gain of a ReLU"},
    {.name = "order",
     .kind = VALUE_CHOICE,
     .argument = "seeded|given",
     .offset = FIELD(order),
     .fallback = "seeded",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "order of the samples: shuffled in every epoch (default), or as given"},
    {.name = "dropout",
     .kind = VALUE_CHOICE,
     .argument = "on|off",
     .offset = FIELD(dropout),
     .fallback = "on",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "apply dropout in training (default on)"},
    {.name = "augment",
     .kind = VALUE_TEXT,
     .argument = "KIND[=X],...",
     .offset = FIELD(augment),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help =
         "change the training images at random, differently in every epoch: rotate=DEGREES (5), "
         "flip=PROBABILITY (0.5), crop=PIXELS (2)"},
    {.name = "shards",
     .kind = VALUE_INT,
     .argument = "S",
     .offset = FIELD(shards),
     .least = 1,
     .most = 1 << 16,
     .fallback = "8",
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help = "parts of a batch; their gradients are summed in a fixed order (default 8)"},
    {.name = "strategy",
     .kind = VALUE_CHOICE,
     .argument = "mirrored|central",
     .offset = FIELD(strategy),
     .fallback = "mirrored",
     .programs = FOR_NETWORK | FOR_BATCHES | FOR_PROCESSES,
     .help = "all ranks hold the parameters (default), or rank 0 alone holds and updates them"},
    {.name = "resume",
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(resume),
     .programs = FOR_NETWORK | FOR_BATCHES,
     .help =
         "continue a training from the file that --save wrote; results are the same bit for bit"},
};

/* They follow the operators' rows. */
static const struct option_row other_rows[] = {
    {.name = "method",
     .kind = VALUE_TEXT,
     .argument = "NAME[,NAME...]|all",
     .offset = FIELD(method),
     .brief = "methods to time and compare; all: every one that runs here",
     .help = "one of the methods listed below; several are interleaved sample by sample on one "
             "image and compared; all: every method that runs here"},
    {.name = "list-methods",
     .kind = VALUE_OPTIONAL,
     .argument = "all",
     .offset = FIELD(list_methods),
     .brief = "list the methods that run here",
     .help = "list the methods that run here, one per line; =all adds the others, with the "
             "reason"},
    {.name = "isa",
     .kind = VALUE_CHOICE,
     .argument = "baseline|avx2|avx512",
     .offset = FIELD(isa),
     .programs = FOR_HOST,
     .help = "widest instruction set to use (default: the widest available)"},
    {.name = "threads",
     .letter = 't',
     .kind = VALUE_INT,
     .argument = "T",
     .offset = FIELD(threads),
     .least = 1,
     .most = 65536,
     .programs = FOR_THREADS,
     .group = "The workers",
     .brief = "threads; under MPI per rank (default: all cores, or 1 per rank)",
     .help = "OpenMP threads (default: OMP_NUM_THREADS, or all hardware threads within the CPU "
             "quota; at most OMP_THREAD_LIMIT); under MPI threads per rank (default: "
             "OMP_NUM_THREADS, or 1)"},
    {.name = "bind",
     .kind = VALUE_CHOICE,
     .argument = "none|core|spread",
     .offset = FIELD(bind),
     .programs = FOR_HOST,
     .help =
         "core: bind each worker to a core of its own, one socket after the other; spread: each to "
         "the next socket (default none)"},
    {.name = "pages",
     .kind = VALUE_CHOICE,
     .argument = "huge|ordinary",
     .offset = FIELD(pages),
     .programs = FOR_HOST,
     .help = "memory pages of large images, maps and scratch (default huge, where the system "
             "has them)"},
    {.name = "parallel",
     .kind = VALUE_CHOICE,
     .argument = "all|product",
     .offset = FIELD(parallel),
     .programs = FOR_WINDOW | FOR_HOST,
     .help = "the workers share all of the work (default), or only the product, as in the tesina: "
             "one worker cuts the windows and takes the maxima (a method that works in stages)"},
    {.name = "distribute",
     .kind = VALUE_CHOICE,
     .argument = "generate|scatter",
     .offset = FIELD(distribute),
     .programs = FOR_PROCESSES,
     .help = "each rank makes its own rows (default), or rank 0 sends them and gathers the "
             "map (default for files)"},
    {.name = "offload",
     .kind = VALUE_CHOICE,
     .argument = "image|window|window-lean",
     .offset = FIELD(offload),
     .fallback = "image",
     .programs = FOR_WINDOW | FOR_DEVICE,
     .group = "The device",
     .help = "send the whole image to the GPU (default), or one window at a time as in the "
             "tesina: with arrays, stream and events made anew for each window (window), or reused "
             "(window-lean)"},
    {.name = "filter-memory",
     .kind = VALUE_CHOICE,
     .argument = "transferred|constant",
     .offset = FIELD(filter_memory),
     .fallback = "transferred",
     .programs = FOR_DEVICE | FOR_OPERATOR,
     .help = "send the filter with every launch (default), or keep it in constant memory (up "
             "to 128 x 128)"},
    {.name = "block",
     .kind = VALUE_CHOICE,
     .argument = "16|32",
     .offset = FIELD(block),
     .fallback = "16",
     .programs = FOR_DEVICE,
     .help = "threads along each side of a block (default 16)"},
    {.name = "host-memory",
     .kind = VALUE_CHOICE,
     .argument = "pageable|pinned",
     .offset = FIELD(host_memory),
     .fallback = "pageable",
     .programs = FOR_DEVICE,
     .help = "pinned memory is copied faster, and also while kernels run (default pageable)"},
    {.name = "submit",
     .kind = VALUE_CHOICE,
     .argument = "single|graph",
     .offset = FIELD(submit),
     .fallback = "single",
     .programs = FOR_DEVICE | FOR_NETWORK,
     .help = "launch kernels one by one (default), or capture the launches of a batch once and "
             "replay them as a CUDA graph"},
    {.name = "overlap",
     .kind = VALUE_CHOICE,
     .argument = "on|off",
     .offset = FIELD(overlap),
     .fallback = "on",
     .programs = FOR_DEVICE | FOR_NETWORK | FOR_BATCHES | FOR_PROCESSES,
     .help = "ranks exchange a layer's gradients while their GPUs compute those of earlier layers "
             "(default), or all of them after the backward pass"},
    {.name = "streams",
     .kind = VALUE_INT,
     .argument = "N",
     .offset = FIELD(device.streams),
     .least = 1,
     .most = 64,
     .fallback = "1",
     .programs = FOR_DEVICE | FOR_OPERATOR,
     .help = "number of chunks of rows in flight; copies of one overlap with kernels of another "
             "(default 1)"},
    {.name = "device-memory",
     .kind = VALUE_INT,
     .argument = "BYTES",
     .offset = FIELD(device.memory_bytes),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_DEVICE | FOR_OPERATOR,
     .help = "limit of GPU memory for image and map; larger images are computed in chunks of rows "
             "(default: free memory)"},
    {.name = "warm-cache",
     .kind = VALUE_FLAG,
     .offset = FIELD(device.warm_cache),
     .programs = FOR_DEVICE,
     .help = "keep the GPU's L2 cache between samples instead of flushing it"},
    {.name = "device",
     .kind = VALUE_INT,
     .argument = "D",
     .offset = FIELD(device.device),
     .most = 1023,
     .programs = FOR_DEVICE,
     .brief = "number of the GPU (default 0); cpu: an emulated one, without times",
     .help = "number of the GPU, counted from 0 (default 0); cpu: an emulated one, without times"},
    {.name = "count",
     .kind = VALUE_OPTIONAL,
     .argument = "table|lines|csv|json|svg",
     .offset = FIELD(device.count),
     .programs = FOR_DEVICE | FOR_OPERATOR,
     .help = "with --device cpu: count sectors, bank conflicts and divergence of each kernel; "
             "=table: print nothing else; =lines: of each line of the source too; =csv, =json: as "
             "a file; =svg: the lanes of a "
             "warp on the image"},
    {.name = "card",
     .kind = VALUE_TEXT,
     .argument = "NAME",
     .offset = FIELD(device.card),
     .programs = FOR_DEVICE | FOR_OPERATOR,
     .help = "with --count: the card whose limits hold (default T4); if it is given, the least "
             "time on it is predicted"},
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
     .brief = "timed executions, at most (default 100)",
     .help = "timed executions, at most (default 100)"},
    {.name = "relative-ci",
     .kind = VALUE_REAL,
     .argument = "X",
     .offset = FIELD(relative_ci),
     .most = 1,
     .fallback = "0.02",
     .help = "stop when the half-width of the median's 95 % interval is within X of the "
             "median (default 0.02)"},
    {.name = "max-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(max_seconds),
     .most = 1e9,
     .fallback = "10",
     .brief = "stop after S seconds (default 10)",
     .help = "stop after S seconds (default 10)"},
    {.name = "verify",
     .kind = VALUE_CHOICE,
     .argument = "full|sampled|none",
     .offset = FIELD(verify),
     .help = "how each result is compared with the oracle (default full)"},
    {.name = "platform",
     .kind = VALUE_TEXT,
     .argument = "NAME",
     .offset = FIELD(platform),
     .programs = FOR_SIMULATION,
     .group = "The simulation",
     .help = "name of the simulated machine in the record"},
    {.name = "row-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(row_s),
     .most = 1e9,
     .programs = FOR_SIMULATION,
     .help = "seconds to compute one row of the map, or one image of a training batch "
             "(default: as measured here); smpirun also needs --cfg=smpi/simulate- "
             "computation:no"},
    {.name = "product-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(product_row_s),
     .most = 1e9,
     .programs = FOR_SIMULATION,
     .help = "with --parallel product: of the seconds of a row, those of its products"},
    {.name = "sum-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(sum_s),
     .most = 1e9,
     .programs = FOR_SIMULATION | FOR_NETWORK | FOR_BATCHES,
     .help = "training: seconds to add one shard's gradients to the sum"},
    {.name = "update-seconds",
     .kind = VALUE_REAL,
     .argument = "S",
     .offset = FIELD(update_s),
     .most = 1e9,
     .programs = FOR_SIMULATION | FOR_NETWORK | FOR_BATCHES,
     .help = "training: seconds to update the parameters"},
    {.name = "fold",
     .kind = VALUE_FLAG,
     .offset = FIELD(fold),
     .programs = FOR_SIMULATION,
     .help = "skip allocation and compute, so that many ranks fit into memory; needs --row- "
             "seconds and --verify none"},
    {.name = "output",
     .letter = 'o',
     .kind = VALUE_TEXT,
     .argument = "FILE",
     .offset = FIELD(output),
     .group = "The output",
     .brief = "write the map as .npy, .txt or .png",
     .help =
         "write the map as .npy, .txt or .png (one plane in gray, three in colour; values scaled)"},
    {.name = "nearest",
     .kind = VALUE_INT,
     .argument = "K",
     .offset = FIELD(nearest),
     .least = 1,
     .most = option_int_most,
     .programs = FOR_POINTS,
     .help = "--output has the K nearest points of each point: two planes of points x K, "
             "indices and distances"},
    {.name = "record",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(record),
     .brief = "append one row per execution",
     .help = "append one row per execution"},
    {.name = "per-rank",
     .kind = VALUE_TEXT,
     .argument = "FILE.csv",
     .offset = FIELD(per_rank),
     .programs = FOR_PROCESSES,
     .help = "append one row per execution and rank, warm-up included: the rank's own times"},
    {.name = "format",
     .kind = VALUE_CHOICE,
     .argument = "text|csv|json",
     .offset = FIELD(format),
     .brief = "text (default), csv or json",
     .help = "format of the output; csv: the record's header and rows (default text)"},
    {.name = "print",
     .kind = VALUE_FLAG,
     .offset = FIELD(print),
     .programs = FOR_OPERATOR,
     .brief = "show the image and the map",
     .help = "show the image and the map"},
    {.name = "explain",
     .kind = VALUE_FLAG,
     .offset = FIELD(explain),
     .programs = FOR_EXPLAIN,
     .brief = "show how each output is computed (small images)",
     .help = "show how each output is computed, number by number (small images)"},
    {.name = "show-indices",
     .kind = VALUE_FLAG,
     .offset = FIELD(show_indices),
     .programs = FOR_DEVICE,
     .help = "show which elements each GPU thread computed (small products)"},
    {.name = "kernel-facts",
     .kind = VALUE_FLAG,
     .offset = FIELD(kernel_facts),
     .programs = FOR_DEVICE,
     .help = "show registers, shared memory and theoretical occupancy of the kernels"},
    {.name = "experiment",
     .kind = VALUE_TEXT,
     .argument = "NAME",
     .offset = FIELD(experiment),
     .help = "name of the experiment in the record"},
    {.name = "round",
     .kind = VALUE_INT,
     .argument = "R",
     .offset = FIELD(round),
     .most = option_int_most,
     .help = "number of this launch in the record (default 0)"},
    {.name = "lang",
     .kind = VALUE_TEXT,
     .argument = "en|es",
     .offset = FIELD(lang),
     .brief = "language of this text, the prompts and the summary",
     .help = "language of this text, the prompts, the summary and errors (default: that of "
             "LC_ALL, LC_MESSAGES or LANG); CSV and JSON are English in any case"},
    {.name = "help",
     .letter = 'h',
     .kind = VALUE_OPTIONAL,
     .argument = "all",
     .offset = FIELD(help),
     .brief = "show this text; --help all: the whole of it",
     .help = "show the options that most people need; --help all shows this text"},
    {.name = "version",
     .letter = 'V',
     .kind = VALUE_FLAG,
     .offset = FIELD(version),
     .brief = "show version and commit",
     .help = "show version and commit"},
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
