#include "experiments/analysis/numbers.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/run/import.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <inttypes.h>
#include <stdio.h>

static void print_counts(const struct import_counts *c, const char *results)
{
    screen_say(stdout,
               "%{rows} samples from %{files} files; %{known} were there already, %{corrupt} "
               "corrupt rows left out; %{results}\n",
               WITH({"rows", number_text("%" PRId64, c->rows).text},
                    {"files", number_text("%" PRId64, c->files).text},
                    {"known", number_text("%" PRId64, c->duplicates).text},
                    {"corrupt", number_text("%" PRId64, c->corrupt).text}, {"results", results}));
}

enum status command_import(int argc, char **argv, struct failure *f)
{
    const char *results = results_default, *experiment = NULL;
    const struct option_row options[] = {
        {"results", VALUE_TEXT, "DIR", "folder of the results (default results/local)",
         .target = &results},
        {"experiment", VALUE_TEXT, "NAME", "experiment of the rows that name none",
         .target = &experiment},
    };
    const struct usage usage = {
        "FILE...",
        "Imports samples that were measured on another machine: CSV files of the point programs,\n"
        "folders of such files, or tar files. Samples that the results already have are left out,\n"
        "and rows of another kind are refused. An environment.json is imported where the results\n"
        "have none.",
        options,
        2,
        1,
        -1};
    int operands;
    struct import_counts counts;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    enum status status = import_files(results, experiment, argv + 1, operands, &counts, f);
    if (status == STATUS_OK && counts.files == 0)
        status = fail(f, STATUS_USAGE, "import: there is no file of samples in %s", argv[1]);
    if (counts.special > 0)
        wording_warn("study", "%s, not a regular file: left out%s", counts.first_special,
                     counts.special > 1 ? ", as others like it" : "");
    if (counts.corrupt > 0)
        wording_warn("study", "left out: %" PRId64 " corrupt rows, the first %s", counts.corrupt,
                     counts.first_corrupt);
    if (counts.torn > 0)
        wording_warn("study",
                     "left out: the last line of %s%s: it has no line end, so it may be incomplete",
                     counts.first_torn, counts.torn > 1 ? ", and of others" : "");
    if (status == STATUS_OK)
        print_counts(&counts, results);
    return status;
}
