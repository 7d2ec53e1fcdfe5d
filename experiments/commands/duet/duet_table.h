/* What `study duet` of commands says: as text, Markdown or JSON. */
#ifndef MAXPOOL_DUET_TABLE_H
#define MAXPOOL_DUET_TABLE_H

#include "classroom/duet/launches.h"
#include "experiments/analysis/pairs/launch_pairs.h"
#include "harness/base/text/language.h"

#include <stdio.h>

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

void duet_print_text(const struct duet_answer *a, const struct language *l);
void duet_print_markdown(const struct duet_answer *a, const struct language *l);

/* Status 4 if memory is lacking. */
enum status duet_print_json(const struct duet_answer *a, struct failure *f);

#endif
