#include "experiments/analysis/derived/dictionary.h"

#include "experiments/analysis/derived/derived_table.h"

#include <string.h>

/* A quantity and the ends of its interval, in this order. */
#define INTERVAL(file, name, suffix, unit, meaning)                                                \
    {file, name suffix, unit, ROLE_QUANTITY, meaning},                                             \
        {file, name "_lower" suffix, unit, ROLE_BOUND,                                             \
         "lower end of the 95 % interval of " name suffix},                                        \
    {                                                                                              \
        file, name "_upper" suffix, unit, ROLE_BOUND,                                              \
            "upper end of the 95 % interval of " name suffix                                       \
    }

/* The times of a baseline, and the speedups over it. */
#define SPEEDUPS(name, of)                                                                         \
    {"points", name "_compute_s", "s", ROLE_QUANTITY, "compute_s of " of},                         \
        {"points", name "_total_s", "s", ROLE_QUANTITY, "total_s of " of},                         \
        INTERVAL("points", name "_compute", "", "1", "speedup of compute_s over " of),             \
        INTERVAL("points", name "_total", "", "1", "speedup of total_s over " of)

/* The columns of the files besides those of the record. */
static const struct dictionary_row own_rows[] = {
    {"points", "experiment", "text", ROLE_IDENTITY, "name of the experiment"},
    {"points", "label", "text", ROLE_IDENTITY, "the point in words: program, method, sizes"},
    {"points", "workers_series", "text", ROLE_DRAWING,
     "curve over the workers, the problem fixed, that the point is on"},
    {"points", "weak_series", "text", ROLE_DRAWING,
     "curve over the workers, the problem growing with them, that the point is on"},
    {"points", "growth_series", "text", ROLE_DRAWING,
     "curve over the size of the image, that the point is on"},
    {"points", "kernel_series", "text", ROLE_DRAWING,
     "curve over the kernel size, that the point is on"},
    {"points", "shape_series", "text", ROLE_DRAWING,
     "curve over the kernel size, at every stride and padding, that the point is on"},
    {"points", "stride_series", "text", ROLE_DRAWING,
     "curve over the stride, that the point is on"},
    {"points", "padding_series", "text", ROLE_DRAWING,
     "curve over the padding, that the point is on"},
    {"points", "isa", "text", ROLE_IDENTITY, "instruction set that was used"},
    {"points", "kind", "text", ROLE_IDENTITY,
     "product (does the per-window product) or maximum (takes the maximum alone)"},
    {"points", "status", "text", ROLE_IDENTITY,
     "how far the time can be trusted: PRECISE, ROUGH, SIMULATED, SUSPECT or INVALID"},
    {"points", "reasons", "text", ROLE_IDENTITY, "why it is not PRECISE"},
    {"points", "place", "1", ROLE_DRAWING, "place of the method in charts"},
    {"points", "colour", "1", ROLE_DRAWING, "colour of the method in charts, 0xRRGGBB"},
    {"points", "half_width", "1", ROLE_QUANTITY,
     "half of the 95 % interval of total_s over total_s"},
    {"points", "target", "1", ROLE_QUANTITY, "half_width that the experiment asks for"},
    {"points", "error_ulps", "1", ROLE_QUANTITY,
     "root mean square error of the results in ulps; of a network that of its outputs"},
    {"points", "parameter_bytes", "byte", ROLE_IDENTITY, "parameters of the network"},
    {"points", "workers", "1", ROLE_IDENTITY, "ranks x threads"},
    {"points", "size", "1", ROLE_IDENTITY, "rows where the image is square"},
    {"points", "elements", "1", ROLE_IDENTITY, "elements of the image"},
    {"points", "windows", "1", ROLE_IDENTITY, "outputs of all planes"},
    {"points", "bytes", "byte", ROLE_IDENTITY,
     "least traffic: input read once, output written once"},
    {"points", "samples", "1", ROLE_IDENTITY, "executions that were timed"},
    {"points", "launches", "1", ROLE_IDENTITY, "times that the program was started"},
    INTERVAL("points", "compute", "_s", "s", "median time to compute"),
    {"points", "compute_min_s", "s", ROLE_QUANTITY, "least time to compute, of all samples"},
    {"points", "compute_q1_s", "s", ROLE_QUANTITY,
     "first quartile of the time to compute, of all samples"},
    {"points", "compute_q3_s", "s", ROLE_QUANTITY,
     "third quartile of the time to compute, of all samples"},
    {"points", "compute_max_s", "s", ROLE_QUANTITY, "greatest time to compute, of all samples"},
    {"points", "compute_mean_s", "s", ROLE_QUANTITY, "mean time to compute, of all samples"},
    INTERVAL("points", "total", "_s", "s", "median time in all, transfers included"),
    {"points", "total_min_s", "s", ROLE_QUANTITY,
     "least time in all, transfers included, of all samples"},
    {"points", "total_q1_s", "s", ROLE_QUANTITY,
     "first quartile of the time in all, transfers included, of all samples"},
    {"points", "total_q3_s", "s", ROLE_QUANTITY,
     "third quartile of the time in all, transfers included, of all samples"},
    {"points", "total_max_s", "s", ROLE_QUANTITY,
     "greatest time in all, transfers included, of all samples"},
    {"points", "total_mean_s", "s", ROLE_QUANTITY,
     "mean time in all, transfers included, of all samples"},
    INTERVAL("points", "image", "_s", "s", "total time per image"),
    {"points", "transfer_share", "1", ROLE_QUANTITY, "(distribute_s + collect_s) / total_s"},
    INTERVAL("points", "product_share", "", "1", "product_s / compute_s, the f of Amdahl's law"),
    {"points", "amdahl_bound", "1", ROLE_QUANTITY,
     "greatest speedup that Amdahl's law allows for product_share"},
    {"points", "windows_per_s", "1/s", ROLE_QUANTITY, "outputs per second of computing"},
    {"points", "gigabytes_per_s", "GB/s", ROLE_QUANTITY, "bytes per second of computing"},
    INTERVAL("points", "window", "_ns", "ns", "time to compute an output"),
    {"points", "operations", "1", ROLE_QUANTITY, "least arithmetic of the operator"},
    {"points", "intensity", "1/byte", ROLE_QUANTITY, "operations / bytes"},
    {"points", "gigaoperations_per_s", "1e9/s", ROLE_QUANTITY,
     "operations per second of computing"},
    {"points", "roof_level", "text", ROLE_IDENTITY, "memory whose bandwidth the roofline takes"},
    {"points", "roof_bound", "text", ROLE_IDENTITY, "what bounds the point: arithmetic or traffic"},
    {"points", "traffic_s", "s", ROLE_QUANTITY,
     "least time for the traffic under the measured bandwidth"},
    {"points", "arithmetic_s", "s", ROLE_QUANTITY,
     "least time for the arithmetic under the measured peak"},
    {"points", "roof_s", "s", ROLE_QUANTITY, "least time under the roofline"},
    INTERVAL("points", "roof_share", "", "1",
             "roof_s over the time of the work: the share of the machine's limit"),
    {"points", "apart_roof_s", "s", ROLE_QUANTITY,
     "least time under the roofline of the method's own work"},
    {"points", "apart_roof_share", "1", ROLE_QUANTITY, "apart_roof_s over the time of the work"},
    {"points", "rung", "1", ROLE_DRAWING, "step of the ladder of optimizations"},
    {"points", "named_baseline", "text", ROLE_IDENTITY,
     "point of the serial method that the experiment names"},
    SPEEDUPS("named", "the serial method that the experiment names"),
    {"points", "best_baseline", "text", ROLE_IDENTITY, "point of the fastest serial method"},
    SPEEDUPS("best", "the fastest serial method"),
    SPEEDUPS("one", "the same method with one worker"),
    {"points", "before_baseline", "text", ROLE_IDENTITY, "point of the step of the ladder before"},
    SPEEDUPS("before", "the step of the ladder before"),
    SPEEDUPS("narrow", "the same method with the narrowest instruction set"),
    INTERVAL("points", "efficiency", "", "1", "one_total / workers"),
    INTERVAL("points", "karp_flatt", "", "1",
             "Karp-Flatt: the serial share that one_total implies"),
    {"points", "weak_efficiency", "1", ROLE_QUANTITY,
     "total_s of one worker over total_s, the problem growing with the workers"},
    {"points", "weak_lower", "1", ROLE_BOUND, "lower end of the 95 % interval of weak_efficiency"},
    {"points", "weak_upper", "1", ROLE_BOUND, "upper end of the 95 % interval of weak_efficiency"},
    {"points", "shares_cores", "1", ROLE_IDENTITY,
     "1: more workers than cores, so that ratios are no speedups"},
    {"points", "point", "text", ROLE_IDENTITY,
     "the same in every experiment of the folder that shows this point"},

    {"points", "roof_lower_s", "s", ROLE_BOUND, "lower end of the 95 % interval of roof_s"},
    {"points", "roof_upper_s", "s", ROLE_BOUND, "upper end of the 95 % interval of roof_s"},
    {"fits", "experiment", "text", ROLE_IDENTITY, "name of the experiment"},
    {"fits", "curve", "text", ROLE_IDENTITY, "what x is: workers, size, kernel, ..."},
    {"fits", "series", "text", ROLE_IDENTITY, "curve that is fitted"},
    {"fits", "metric", "text", ROLE_IDENTITY, "time that is fitted: compute or total"},
    {"fits", "model", "text", ROLE_IDENTITY, "law that is fitted"},
    {"fits", "formula", "text", ROLE_IDENTITY, "its formula"},
    {"fits", "reason", "text", ROLE_IDENTITY, "why there is no fit; empty: there is one"},
    {"fits", "points", "1", ROLE_IDENTITY, "points that the fit uses"},
    {"fits", "distinct", "1", ROLE_IDENTITY, "distinct x of them"},
    {"fits", "left_out_invalid", "1", ROLE_IDENTITY, "points left out since they are INVALID"},
    {"fits", "left_out_workers", "1", ROLE_IDENTITY, "points left out since workers share cores"},
    {"fits", "relative_error", "1", ROLE_QUANTITY,
     "root mean square of the relative errors of the fit"},
    {"fits", "parameter_1", "text", ROLE_IDENTITY, "name of parameter 1"},
    {"fits", "value_1", "as formula", ROLE_QUANTITY, "parameter 1"},
    {"fits", "lower_1", "as formula", ROLE_BOUND, "lower end of the 95 % interval of value_1"},
    {"fits", "upper_1", "as formula", ROLE_BOUND, "upper end of the 95 % interval of value_1"},
    {"fits", "parameter_2", "text", ROLE_IDENTITY, "name of parameter 2"},
    {"fits", "value_2", "as formula", ROLE_QUANTITY, "parameter 2"},
    {"fits", "lower_2", "as formula", ROLE_BOUND, "lower end of the 95 % interval of value_2"},
    {"fits", "upper_2", "as formula", ROLE_BOUND, "upper end of the 95 % interval of value_2"},
    {"fits", "parameter_3", "text", ROLE_IDENTITY, "name of parameter 3"},
    {"fits", "value_3", "as formula", ROLE_QUANTITY, "parameter 3"},
    {"fits", "lower_3", "as formula", ROLE_BOUND, "lower end of the 95 % interval of value_3"},
    {"fits", "upper_3", "as formula", ROLE_BOUND, "upper end of the 95 % interval of value_3"},
    {"fits", "misfit", "1", ROLE_QUANTITY,
     "probability of residuals as large, if the law were true; below 0.05 it is seen not to hold"},

    {"model", "curve", "text", ROLE_IDENTITY, "what x is: workers, size, kernel, ..."},
    {"model", "series", "text", ROLE_IDENTITY, "curve that the line belongs to"},
    {"model", "metric", "text", ROLE_IDENTITY, "time: compute or total"},
    {"model", "model", "text", ROLE_IDENTITY, "law of the line: a fit, ideal, amdahl_measured"},
    {"model", "x", "1", ROLE_IDENTITY, "place along the curve"},
    {"model", "seconds", "s", ROLE_QUANTITY, "time by the law"},
    {"model", "speedup", "1", ROLE_QUANTITY, "speedup by the law"},

    {"ratios", "experiment", "text", ROLE_IDENTITY, "name of the experiment"},
    {"ratios", "shape", "text", ROLE_IDENTITY, "shape of the problem in words"},
    {"ratios", "peer", "text", ROLE_IDENTITY, "the other library"},
    {"ratios", "peer_space", "text", ROLE_IDENTITY, "who computes in it"},
    {"ratios", "method", "text", ROLE_IDENTITY, "our fastest method"},
    {"ratios", "space", "text", ROLE_IDENTITY, "who computes in it"},
    {"ratios", "step", "text", ROLE_IDENTITY, "stride; k: equal to the kernel size"},
    {"ratios", "status", "text", ROLE_IDENTITY, "how far both times can be trusted"},
    {"ratios", "named", "1", ROLE_IDENTITY, "1: the definition names the shape"},
    {"ratios", "fastest", "1", ROLE_IDENTITY, "1: no other library is faster here"},
    {"ratios", "workers", "1", ROLE_IDENTITY, "ranks x threads"},
    {"ratios", "place", "1", ROLE_DRAWING, "place of the library in charts"},
    {"ratios", "colour", "1", ROLE_DRAWING, "colour of the library in charts, 0xRRGGBB"},
    {"ratios", "peer_s", "s", ROLE_QUANTITY, "median total time of the library"},
    {"ratios", "ours_s", "s", ROLE_QUANTITY, "median total time of our method"},
    {"ratios", "ratio", "1", ROLE_QUANTITY,
     "peer_s over ours_s, of pairs where both were measured in one round"},
    {"ratios", "lower", "1", ROLE_BOUND, "lower end of the 95 % interval of ratio"},
    {"ratios", "upper", "1", ROLE_BOUND, "upper end of the 95 % interval of ratio"},
    {"ratios", "pairs", "1", ROLE_IDENTITY,
     "rounds that the ratio is of; 0: launches of both, resampled"},
    {"ratios", "methods", "1", ROLE_IDENTITY, "methods of ours that were measured there"},
    {"ratios", "p_value", "1", ROLE_QUANTITY, "probability of such a ratio where both are equal"},

    {"ceilings", "kind", "text", ROLE_IDENTITY, "bandwidth or peak"},
    {"ceilings", "label", "text", ROLE_IDENTITY, "level of memory, or instruction set"},
    {"ceilings", "isa", "text", ROLE_IDENTITY, "instruction set"},
    {"ceilings", "workers", "1", ROLE_IDENTITY, "threads that measured it"},
    {"ceilings", "rate", "byte/s or 1/s", ROLE_QUANTITY, "bandwidth, or operations per second"},
    {"ceilings", "bytes", "byte", ROLE_IDENTITY, "capacity of a cache"},
    {"ceilings", "rate_lower", "byte/s or 1/s", ROLE_BOUND,
     "lower end of the 95 % interval of rate"},
    {"ceilings", "rate_upper", "byte/s or 1/s", ROLE_BOUND,
     "upper end of the 95 % interval of rate"},

    {"speedup", "scaling", "text", ROLE_IDENTITY,
     "strong: the problem stays; weak: it grows with the workers"},
    {"speedup", "row", "text", ROLE_IDENTITY,
     "mark: a worker count of a method; law: a point of a law's line"},
    {"speedup", "source", "text", ROLE_IDENTITY, "of a mark: measured, simulated or predicted"},
    {"speedup", "law", "text", ROLE_IDENTITY,
     "ideal, product (f is its share of serial compute), fitted or tesina"},
    {"speedup", "method", "text", ROLE_IDENTITY, "of a mark"},
    {"speedup", "workers_kind", "text", ROLE_IDENTITY, "threads, ranks or ranks_threads"},
    {"speedup", "distribution", "text", ROLE_IDENTITY, "generate or scatter"},
    {"speedup", "parallel", "text", ROLE_IDENTITY,
     "product: the workers share the product alone; empty or all: everything"},
    {"speedup", "platform", "text", ROLE_IDENTITY, "computer that was simulated; empty: this one"},
    {"speedup", "status", "text", ROLE_IDENTITY,
     "of a measured mark: PRECISE, ROUGH, SUSPECT or INVALID"},
    {"speedup", "law_method", "text", ROLE_IDENTITY, "method that the share of a law is of"},
    {"speedup", "law_kind", "text", ROLE_IDENTITY, "the workers that it was fitted to"},
    {"speedup", "law_distribution", "text", ROLE_IDENTITY, "their distribution"},
    {"speedup", "colour", "1", ROLE_DRAWING, "of the method"},
    {"speedup", "cores", "1", ROLE_IDENTITY, "workers that this machine runs at once"},
    {"speedup", "reach", "1", ROLE_IDENTITY, "workers at which the laws end"},
    {"speedup", "counts", "1", ROLE_IDENTITY,
     "the most worker counts of one method, no more than cores"},
    {"speedup", "beyond", "1", ROLE_IDENTITY,
     "1: more workers than cores, a ratio of total times and no speedup"},
    {"speedup", "workers", "1", ROLE_IDENTITY, "ranks x threads"},
    {"speedup", "seconds", "s", ROLE_QUANTITY, "total"},
    {"speedup", "speedup", "1", ROLE_QUANTITY,
     "total seconds of one worker of the same program / seconds"},
    {"speedup", "lower", "1", ROLE_BOUND,
     "end of its 95 % interval; of a law from that of its share"},
    {"speedup", "upper", "1", ROLE_BOUND,
     "end of its 95 % interval; of a law from that of its share"},
    {"speedup", "efficiency", "1", ROLE_QUANTITY, "speedup / workers"},
    {"speedup", "efficiency_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "efficiency_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "karp_flatt", "1", ROLE_QUANTITY,
     "serial share that the speedup implies: (1/S - 1/p) / (1 - 1/p)"},
    {"speedup", "karp_flatt_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "karp_flatt_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "exceeds_product", "1", ROLE_IDENTITY,
     "1: its interval lies above the law of the product's share"},
    {"speedup", "share", "1", ROLE_QUANTITY, "parallel share f of a law"},
    {"speedup", "share_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "share_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "bound", "1", ROLE_QUANTITY,
     "speedup that the law allows any number of workers: 1 / (1 - f)"},
    {"speedup", "bound_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "bound_upper", "1", ROLE_BOUND, "its 95 % interval; empty: f may be 1"},
    {"speedup", "loss", "text", ROLE_IDENTITY,
     "of the efficiency: unknown, doubtful, not seen, negative, unexplained, partly or explained"},
    {"speedup", "cause", "text", ROLE_IDENTITY,
     "factor that explains it, or the larger part of it"},
    {"speedup", "place", "text", ROLE_IDENTITY,
     "of a place: what is taken by so many workers, node, socket, fast, slow, cores, "
     "threads or one_each"},
    {"speedup", "balance", "1", ROLE_QUANTITY,
     "factor of the efficiency: mean / maximum of the workers' compute times"},
    {"speedup", "balance_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "balance_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "messages", "1", ROLE_QUANTITY,
     "factor: compute / total time of ranks, relative to the base"},
    {"speedup", "messages_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "messages_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "idle", "1", ROLE_QUANTITY,
     "factor: share of the workers' time in which processors were busy, relative to the base"},
    {"speedup", "idle_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "idle_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "frequency", "1", ROLE_QUANTITY,
     "factor: frequency of the processors, relative to the base"},
    {"speedup", "frequency_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "frequency_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "memory", "1", ROLE_QUANTITY,
     "factor: most of the base's rate per worker that the memory allows all workers"},
    {"speedup", "memory_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "memory_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "rest", "1", ROLE_QUANTITY, "what these factors leave of the efficiency"},
    {"speedup", "rest_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "rest_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "limit_share", "1", ROLE_QUANTITY,
     "share of this machine's limit for so many workers"},
    {"speedup", "limit_share_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "limit_share_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "rate", "B/s", ROLE_QUANTITY,
     "bytes of image and map per second, or those that a program of another moves"},
    {"speedup", "limit_rate", "B/s", ROLE_QUANTITY, "the same at this machine's limit"},
    {"speedup", "serial", "1", ROLE_QUANTITY,
     "total time of the base / of the best serial method: speedups below it gain nothing"},
    {"speedup", "serial_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "serial_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "instructions", "1", ROLE_QUANTITY,
     "of the rest: instructions of the base / of all workers"},
    {"speedup", "instructions_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "instructions_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "per_cycle", "1", ROLE_QUANTITY,
     "of the rest: instructions per cycle, relative to the base, without memory's factor"},
    {"speedup", "per_cycle_lower", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "per_cycle_upper", "1", ROLE_BOUND, "its 95 % interval"},
    {"speedup", "rate_of", "text", ROLE_IDENTITY,
     "bytes that the rate counts: of the image and its map, or to and from memory"},

    {"scale", "experiment", "text", ROLE_IDENTITY, "name of the experiment"},
    {"scale", "source", "text", ROLE_IDENTITY, "measured, simulated, or predicted by the model"},
    {"scale", "platform", "text", ROLE_IDENTITY, "simulated machine; empty: this one"},
    {"scale", "method", "text", ROLE_IDENTITY, "way to compute it"},
    {"scale", "distribution", "text", ROLE_IDENTITY, "generate or scatter"},
    {"scale", "series", "text", ROLE_IDENTITY, "name of the line in charts"},
    {"scale", "rows", "1", ROLE_IDENTITY, "rows of the image"},
    {"scale", "cols", "1", ROLE_IDENTITY, "columns of the image"},
    {"scale", "ranks", "1", ROLE_IDENTITY, "MPI processes"},
    {"scale", "seconds", "s", ROLE_QUANTITY, "total time, measured or simulated"},
    {"scale", "lower_s", "s", ROLE_BOUND, "lower end of the 95 % interval of seconds"},
    {"scale", "upper_s", "s", ROLE_BOUND, "upper end of the 95 % interval of seconds"},
    INTERVAL("scale", "predicted", "_s", "s", "total time by the model"),
    {"scale", "predicted_compute_s", "s", ROLE_QUANTITY, "time by the model, of it to compute"},
    {"scale", "predicted_distribute_s", "s", ROLE_QUANTITY,
     "time by the model, of it to hand out the image"},
    {"scale", "predicted_collect_s", "s", ROLE_QUANTITY,
     "time by the model, of it to gather the map"},
    {"scale", "error", "1", ROLE_QUANTITY, "predicted_s / seconds - 1"},
    {"scale", "seen", "1", ROLE_IDENTITY, "points that the model was made from"},

    {"layers", "step", "1", ROLE_IDENTITY, "place in the order in which steps run, from 0"},
    {"layers", "layer", "text", ROLE_IDENTITY, "layer that computes"},
    {"layers", "method", "text", ROLE_IDENTITY, "way to compute it"},
    {"layers", "launches", "1", ROLE_IDENTITY, "launches that the medians are of"},
    INTERVAL("layers", "seconds", "", "s", "median over launches of the mean time"),
    INTERVAL("layers", "share", "", "1", "share of the time of all steps"),
    INTERVAL("layers", "roof_share", "", "1", "least time under the roofline over the time"),
    {"layers", "roof_lower_s", "s", ROLE_BOUND,
     "lower end of the 95 % interval of the least time under the roofline"},
    {"layers", "roof_upper_s", "s", ROLE_BOUND,
     "upper end of the 95 % interval of the least time under the roofline"},

    {"tidy", "quantity", "text", ROLE_IDENTITY, "column of the points that the row gives"},
    {"tidy", "unit", "text", ROLE_IDENTITY, "unit of value, lower and upper"},
    {"tidy", "value", "see unit", ROLE_QUANTITY, "the number"},
    {"tidy", "lower", "see unit", ROLE_BOUND, "lower end of the 95 % interval; empty: none"},
    {"tidy", "upper", "see unit", ROLE_BOUND, "upper end of the 95 % interval; empty: none"},
};

enum {
    OWN_ROWS = sizeof own_rows / sizeof *own_rows,
    MEANING = 200 /* bytes of a phase's meaning */
};

static struct dictionary_row rows[OWN_ROWS + 2 * RECORD_COLUMNS]; /* filled on first use */
static size_t row_count;

static const struct dictionary_row *find(const struct dictionary_row *among, size_t count,
                                         const char *file, const char *column)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(among[i].file, file) == 0 && strcmp(among[i].column, column) == 0)
            return &among[i];
    return NULL;
}

/* The row of a phase: its value is the median of those of its samples. */
static struct dictionary_row row_of_phase(const char *file, size_t column)
{
    static char meanings[RECORD_COLUMNS][MEANING];
    const struct record_column *c = &record_columns[column];
    snprintf(meanings[column], MEANING, "median %s", c->column.meaning);
    return (struct dictionary_row){file, c->column.name, record_column_unit(c), ROLE_QUANTITY,
                                   meanings[column]};
}

/* Adds the record's columns that a file has, unless its own rows define them. */
static void gather_record(const char *file)
{
    for (size_t i = 0; i < RECORD_COLUMNS; i++) {
        const struct record_column *c = &record_columns[i];
        if (derived_has(file, c) && !find(own_rows, OWN_ROWS, file, c->column.name))
            rows[row_count++] =
                record_column_is_phase(c)
                    ? row_of_phase(file, i)
                    : (struct dictionary_row){file, c->column.name, record_column_unit(c),
                                              ROLE_IDENTITY, c->column.meaning};
    }
}

/* The record's columns follow the file's own. */
static void gather(void)
{
    for (size_t i = 0; i < OWN_ROWS; i++) {
        rows[row_count++] = own_rows[i];
        if (i + 1 == OWN_ROWS || strcmp(own_rows[i + 1].file, own_rows[i].file) != 0)
            gather_record(own_rows[i].file);
    }
}

const struct dictionary_row *dictionary_at(size_t i)
{
    if (row_count == 0)
        gather();
    return i < row_count ? &rows[i] : NULL;
}

const struct dictionary_row *dictionary_find(const char *file, const char *column)
{
    return dictionary_at(0) ? find(rows, row_count, file, column) : NULL;
}

/* The two rows after a quantity are the ends of its interval, if it has one. */
struct dictionary_interval dictionary_interval_of(const struct dictionary_row *row)
{
    const struct dictionary_row *end = rows + row_count;
    if (row->role != ROLE_QUANTITY || end - row < 3 || row[1].role != ROLE_BOUND ||
        strcmp(row[1].file, row->file) != 0)
        return (struct dictionary_interval){NULL, NULL};
    return (struct dictionary_interval){row + 1, row + 2};
}

/* Some meanings contain commas, none a quote. */
void dictionary_write(FILE *stream)
{
    const struct dictionary_row *row;
    fputs("file,column,unit,meaning\n", stream);
    for (size_t i = 0; (row = dictionary_at(i)); i++)
        fprintf(stream, "%s,%s,%s,\"%s\"\n", row->file, row->column, row->unit, row->meaning);
}
