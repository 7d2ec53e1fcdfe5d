/* What `study duet` of commands says: as text, Markdown or JSON. */
#ifndef MAXPOOL_DUET_TABLE_H
#define MAXPOOL_DUET_TABLE_H

#include "experiments/analysis/pairs/launch_pairs.h"
#include "experiments/duet/launches.h"
#include "harness/base/text/language.h"

#include <stdio.h>

extern const char *const pair_names[PAIR_VERDICTS]; /* "FASTER", ... in JSON and English */

struct duet_answer {
    const struct benchmarks *benchmarks;
    const struct side *sides;
    const struct launches *launches;
    const struct pair_result *results; /* of each benchmark */
    double margin;
    bool cpu;         /* the times are processor times */
    bool checked;     /* an option compares the output with something */
    const char *path; /* of the file of launches */
};

/* True if others disturbed more than a quarter of a benchmark's launches. */
bool duet_is_disturbed(const struct launches *l, size_t benchmark);

void duet_print_text(const struct duet_answer *a, const struct language *l);
void duet_print_markdown(const struct duet_answer *a, const struct language *l);

/* Status 4 if memory is lacking. */
enum status duet_print_json(const struct duet_answer *a, struct failure *f);

#endif
