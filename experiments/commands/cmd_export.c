#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/derived/tidy.h"
#include "experiments/analysis/inventory.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "experiments/samples/sample_rows.h"

#include <string.h>

struct export
{
    const char *folder, *definitions, *file; /* file == "": standard output */
    bool tidy, samples, dictionary;
};

/* The path of FILE.csv's dictionary, FILE.dictionary.csv in the same folder. */
static struct results_path dictionary_beside(const char *file)
{
    struct results_path path;
    const size_t length = strlen(file);
    const bool ends = length > 4 && strcmp(file + length - 4, ".csv") == 0;
    const int written = snprintf(path.text, sizeof path.text, "%.*s.dictionary.csv",
                                 (int)(ends ? length - 4 : length), file);
    if (written < 0 || (size_t)written >= sizeof path.text)
        path.text[0] = '\0'; /* opening it then fails with a message */
    return path;
}

static void write_table(FILE *stream, const struct export *x, const struct frame *points)
{
    if (x->dictionary)
        dictionary_write(stream);
    else if (x->tidy)
        tidy_write(stream, points);
    else
        tidy_write_wide(stream, points);
}

static enum status write_file(const char *path, const struct export *x, const struct frame *points,
                              struct failure *f)
{
    struct output o;
    if (output_open(&o, path, f) != STATUS_OK)
        return f->status;
    write_table(o.stream, x, points);
    return output_close(&o, f);
}

/* Writes to standard output, or to the file with its dictionary in the same folder. */
static enum status write_all(const struct export *x, const struct frame *points, struct failure *f)
{
    struct export meanings = *x;
    if (!*x->file) {
        write_table(stdout, x, points);
        return STATUS_OK;
    }
    meanings.dictionary = true;
    const enum status status = write_file(x->file, x, points, f);
    return status != STATUS_OK || x->dictionary
               ? status
               : write_file(dictionary_beside(x->file).text, &meanings, points, f);
}

/* The header goes before the first row, so that a name without samples writes nothing. */
struct printing {
    FILE *stream;
    bool begun;
};

static void print_header(struct printing *p)
{
    if (!p->begun)
        record_print_header(p->stream);
    p->begun = true;
}

static bool print_row(const struct record *row, int64_t line, void *context)
{
    struct printing *p = context;
    (void)line;
    print_header(p);
    record_print(p->stream, row);
    return true;
}

/* Writes the rows of one experiment, wherever the folder has them. */
static enum status export_samples(const struct export *x, const char *name, struct failure *f)
{
    struct output o = {.stream = stdout};
    enum status status = *x->file ? output_open(&o, x->file, f) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct printing p = {.stream = o.stream};
    status = sample_rows_visit(x->folder, name, print_row, &p, f);
    if (status == STATUS_OK)
        print_header(&p);
    if (*x->file && status != STATUS_OK)
        output_abandon(&o);
    return *x->file && status == STATUS_OK ? output_close(&o, f) : status;
}

static enum status export_points(const struct export *x, char **name, struct failure *f)
{
    struct inventory in;
    struct experiment e;
    struct frame points;
    if (inventory_open(&in, x->folder, name, 1, f) != STATUS_OK)
        return f->status;
    in.definitions = x->definitions;
    enum status status = experiment_open(&e, &in, 0, f);
    if (status == STATUS_OK) {
        status = tidy_points(&points, &e.analysis, f);
        if (status == STATUS_OK) {
            status = write_all(x, &points, f);
            frame_release(&points);
        }
        experiment_close(&e);
    }
    if (status == STATUS_OK)
        status = gaps_end(&in.gaps, f);
    inventory_close(&in);
    return status;
}

static const char about[] =
    "Writes the points of an experiment as CSV, one row per point with all derived values. With\n"
    "--tidy there is one row per point and quantity, with unit, value and 95 % interval. With\n"
    "--samples there is one row per sample, as it was recorded: a folder keeps the samples of all\n"
    "its experiments in one file, each once.\n"
    "-o FILE.csv also writes FILE.dictionary.csv, which explains every column; --dictionary\n"
    "prints that explanation alone.\n"
    "\n"
    "Examples\n"
    "  study export threads --tidy -o threads.csv\n"
    "  study export threads --results class/ana > ana.csv\n"
    "  study export threads --samples > threads.csv\n"
    "  study export --dictionary\n"
    "\n"
    "Python:\n"
    "  import pandas as pd\n"
    "  t = pd.read_csv('threads.csv').query(\"quantity == 'one_total'\")\n"
    "  t.pivot_table(index='threads', columns='method', values='value').plot(logx=True)\n"
    "\n"
    "R:\n"
    "  library(ggplot2); t <- subset(read.csv(\"threads.csv\"), quantity == \"one_total\")\n"
    "  ggplot(t, aes(threads, value, ymin = lower, ymax = upper, colour = method)) +\n"
    "    geom_pointrange() + geom_line()";

enum status command_export(int argc, char **argv, struct failure *f)
{
    struct export x = {.folder = results_default, .definitions = definitions_folder(), .file = ""};
    const struct option_row options[] = {
        {"tidy", VALUE_FLAG, NULL, "one row per point and quantity", .target = &x.tidy},
        {"samples", VALUE_FLAG, NULL, "one row per sample, as recorded", .target = &x.samples},
        {"output", VALUE_TEXT, "FILE", "write there (default: standard output)", .target = &x.file,
         .letter = 'o'},
        {"dictionary", VALUE_FLAG, NULL, "print what the columns of all derived files mean",
         .target = &x.dictionary},
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &x.folder},
        {"definitions", VALUE_TEXT, "DIR", "folder of the definitions (default: the suite's own)",
         .target = &x.definitions},
    };
    const struct usage usage = {"NAME", about, options, sizeof options / sizeof *options, 0, 1};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (x.dictionary)
        return operands == 0 && !x.tidy && !x.samples
                   ? write_all(&x, NULL, f)
                   : fail(f, STATUS_USAGE,
                          "export: --dictionary explains all columns; it takes no experiment, no "
                          "--tidy and no --samples");
    if (x.tidy && x.samples)
        return fail(f, STATUS_USAGE, "export: --tidy is of points; give it or --samples");
    if (operands == 0)
        return fail(f, STATUS_USAGE, "export: which experiment? 'study list' lists them");
    if (x.samples)
        return export_samples(&x, argv[1], f);
    enum status status = definitions_check(x.definitions, f);
    return status == STATUS_OK ? export_points(&x, argv + 1, f) : status;
}
