#include "tests/experiments/support/trust_files.h"

#include "tests/support/unit_test.h"

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

void must(enum status status, const struct failure *f)
{
    if (status != STATUS_OK)
        fail_msg("%s", f->message);
}

struct record_writer *begin_samples(void)
{
    struct failure f = {0};
    struct record_writer *w = NULL;
    unlink(samples_path);
    must(record_writer_open(&w, samples_path, NULL, &f), &f);
    return w;
}

void end_samples(struct record_writer *w)
{
    struct failure f = {0};
    must(record_writer_close(w, &f), &f);
}

const struct reason *find_reason(const struct point *p, const char *code)
{
    for (size_t i = 0; i < p->reason_count; i++)
        if (strcmp(p->reasons[i].code, code) == 0)
            return &p->reasons[i];
    return NULL;
}
