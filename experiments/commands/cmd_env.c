#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/results.h"
#include "experiments/run/environment.h"

#include <stdio.h>
#include <stdlib.h>

enum status command_env(int argc, char **argv, struct failure *f)
{
    const char *results = NULL;
    const struct option_row options[] = {
        {"results", VALUE_TEXT, "DIR",
         "write DIR/environment.json and topology.xml instead of printing", .target = &results},
    };
    const struct usage usage = {
        "",
        "Describes this machine: processor, caches, quota, system, compiler, libraries, MPI, "
        "GPUs,\n"
        "batch job. `study run` keeps the same description beside the samples.",
        options,
        1,
        0,
        0};
    int operands;
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (results)
        return results_make(results, f) == STATUS_OK ? environment_write(results, f) : f->status;
    char *text;
    const enum status status = environment_text(&text, f);
    if (status == STATUS_OK)
        puts(text);
    free(text);
    return status;
}
