#include "tests/experiments/support/trust_files.h"

#include "experiments/samples/journal.h"
#include "tests/experiments/support/maker.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char samples_path[] = "/tmp/maxpool_trust_XXXXXX";
char journal_path[] = "/tmp/maxpool_journal_XXXXXX";

int make_files(NO_STATE)
{
    const int samples = mkstemp(samples_path), journal = mkstemp(journal_path);
    return samples < 0 || journal < 0 ? -1 : close(samples) + close(journal);
}

int remove_files(NO_STATE)
{
    unlink(journal_path); /* some tests write none */
    return unlink(samples_path);
}

struct record_writer *begin_samples(void)
{
    struct failure f = {0};
    struct record_writer *w = NULL;
    unlink(samples_path);
    must(record_writer_open(&w, samples_path, NULL, &f), &f);
    return w;
}

void put_samples(struct record_writer *w, const struct record *point, int64_t round,
                 const double *seconds, int count)
{
    struct record r = *point;
    r.round = round;
    snprintf(r.run_id, sizeof r.run_id, "%.9s-%.30s-%lld-%lld", r.space, r.method,
             (long long)r.rows, (long long)round);
    for (int i = 0; i < count; i++) {
        r.compute_s = r.total_s = seconds[i];
        maker_append(w, &r, i, count);
    }
}

void make_journal(const struct record *point, const char *scale, const char *reason)
{
    struct failure f = {0};
    struct table_writer *w = NULL;
    struct journal_row row = journal_blank();
    row.point = *point;
    snprintf(row.scale, sizeof row.scale, "%s", scale);
    strcpy(row.status, "done");
    snprintf(row.reason, sizeof row.reason, "%s", reason);
    unlink(journal_path);
    must(table_writer_open(&w, journal_schema(), journal_path, NULL, &f), &f);
    must(table_append(w, &row, &f), &f);
    must(table_writer_close(w, &f), &f);
}

struct analysis analyse(struct record_writer *w, const struct machine_facts *machine,
                        const struct ceilings *ceilings)
{
    struct analysis a;
    struct failure f = {0};
    const struct analysis_request request = {.name = "trust",
                                             .path = samples_path,
                                             .baseline_method = "literal",
                                             .journal = journal_path,
                                             .machine = machine,
                                             .ceilings = ceilings};
    must(record_writer_close(w, &f), &f);
    must(analysis_make(&a, &request, &f), &f);
    return a;
}

const struct reason *find_reason(const struct point *p, const char *code)
{
    for (size_t i = 0; i < p->reason_count; i++)
        if (strcmp(p->reasons[i].code, code) == 0)
            return &p->reasons[i];
    return NULL;
}
