#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/run/import.h"

#include <inttypes.h>
#include <stdio.h>

enum status command_import(int argc, char **argv, struct failure *f)
{
    const char *results = results_default, *experiment = NULL;
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &results},
        {"experiment", OPTION_TEXT, "NAME", "of rows that name none", &experiment},
    };
    const struct usage usage = {
        "FILE...",
        "Brings home samples taken elsewhere: CSV files of the point programs, folders of them, "
        "or\n"
        "tar files. Samples that are there already are left out; rows of another kind are "
        "refused.\n"
        "An environment.json among them is kept where the results have none.",
        options,
        2,
        1,
        -1};
    int operands;
    bool help;
    struct import_counts counts;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = import_files(results, experiment, argv + 1, operands, &counts, f);
    if (counts.special > 0)
        fprintf(stderr, "study: %s, not a regular file: left out%s\n", counts.first_special,
                counts.special > 1 ? ", as others like it" : "");
    if (status == STATUS_OK)
        printf("%" PRId64 " samples from %" PRId64 " files; %" PRId64
               " were there already, %" PRId64 " corrupt rows left out; %s\n",
               counts.rows, counts.files, counts.duplicates, counts.corrupt, results);
    return status;
}
