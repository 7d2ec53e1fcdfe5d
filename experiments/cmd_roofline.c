/* study roofline: measures the streaming bandwidth of every level of this machine's memory. */
#include "experiments/arguments.h"
#include "experiments/commands.h"
#include "experiments/machine_facts.h"
#include "experiments/results.h"
#include "experiments/streams.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One level at one worker count, measured and added to the ceilings. Bandwidth falls as seconds
 * rise, so the interval's ends change places. */
static enum status add_level(struct ceilings *c, const struct stream_level *level, int64_t workers,
                             struct failure *f)
{
    struct summary seconds;
    double bytes;
    enum status status = stream_measure(level, workers, &bytes, &seconds, f);
    if (status != STATUS_OK)
        return status;
    struct ceiling row = {.bytes = level->capacity_bytes ? (double)level->capacity_bytes : NAN,
                          .workers = (double)workers,
                          .bandwidth = bytes / seconds.median,
                          .lower = bytes / seconds.upper,
                          .upper = bytes / seconds.lower};
    snprintf(row.level, sizeof row.level, "%s", level->name);
    printf("%-8s %2lld worker%s  %8.2f GB/s  (95 %%: %.2f .. %.2f)\n", level->name,
           (long long)workers, workers == 1 ? " " : "s", row.bandwidth / 1e9, row.lower / 1e9,
           row.upper / 1e9);
    fflush(stdout);
    return ceilings_add(c, &row, f);
}

static enum status add_levels(struct ceilings *c, const struct machine *m, int64_t workers,
                              struct failure *f)
{
    struct stream_level levels[STREAM_LEVELS];
    const size_t count = stream_levels(m, workers, levels);
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = add_level(c, &levels[i], workers, f);
    return status;
}

/* A ceiling is the most that was ever seen: on a machine whose memory others use too, one moment's
 * bandwidth is not the next one's. */
static void keep_higher(struct ceilings *now, const struct ceilings *before)
{
    for (size_t i = 0; i < now->count; i++)
        for (size_t j = 0; j < before->count; j++)
            if (strcmp(now->rows[i].level, before->rows[j].level) == 0 &&
                now->rows[i].workers == before->rows[j].workers &&
                before->rows[j].bandwidth > now->rows[i].bandwidth)
                now->rows[i] = before->rows[j];
}

static enum status measure(const char *folder, struct failure *f)
{
    struct machine m;
    struct ceilings c = {0}, before = {0};
    machine_describe(&m);
    const int64_t capacity = machine_capacity(&m);
    const struct results_path path = results_file(folder, "ceilings.csv");
    enum status status = results_make(folder, f);
    if (status == STATUS_OK)
        status = ceilings_read(&before, path.text, f);
    if (status == STATUS_OK)
        status = add_levels(&c, &m, 1, f);
    if (status == STATUS_OK && capacity > 1)
        status = add_levels(&c, &m, capacity, f);
    keep_higher(&c, &before);
    if (status == STATUS_OK)
        status = ceilings_write(&c, path.text, f);
    if (status == STATUS_OK)
        printf("Written: %s\n", path.text);
    ceilings_release(&c);
    ceilings_release(&before);
    return status;
}

enum status command_roofline(int argc, char **argv, struct failure *f)
{
    const char *folder = results_default;
    const struct option_row options[] = {
        {"results", OPTION_TEXT, "DIR", "folder of the results (default results/local)", &folder},
    };
    const struct usage usage = {
        "[OPTION]...",
        "Measures how fast one worker and all workers together stream from each\n"
        "cache level and from memory, into ceilings.csv. `analyze` then finds times\n"
        "that are too short to be true, and `check` a bound to compare with. Measured\n"
        "again, the higher bandwidth of each level stays.",
        options,
        sizeof options / sizeof *options,
        0,
        0};
    int operands;
    bool help = false;
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    return status != STATUS_OK || help ? status : measure(folder, f);
}
