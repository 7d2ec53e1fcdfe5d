#include "experiments/class/audit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One archive under examination. */
struct audit {
    const struct submission *s;
    struct texts *faults;
    enum status status;
    struct failure *failure;
};

static void note(struct audit *a, const char *pattern, ...) __attribute__((format(printf, 2, 3)));

static void note(struct audit *a, const char *pattern, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, pattern);
    vsnprintf(text, sizeof text, pattern, arguments);
    va_end(arguments);
    if (!texts_add(a->faults, text))
        a->status = fail(a->failure, STATUS_RESOURCE, "not enough memory");
}

/* ---- files ------------------------------------------------------------------------------------
 */

static bool has_hash(const struct zip_file *file, const char *expected)
{
    char hash[SHA256_HEX];
    sha256_hex(file->bytes, file->count, hash);
    return strcmp(hash, expected) == 0;
}

static void check_files(struct audit *a)
{
    const struct submission *s = a->s;
    const struct zip_file *samples = zip_find(&s->package.zip, package_samples);
    for (size_t i = 0; i < s->package.faults.count; i++)
        note(a, "%s", s->package.faults.items[i]);
    if (!has_hash(submission_source(s), s->source_sha256))
        note(a, "%s: the source was changed after the run", s->file);
    if (samples && !has_hash(samples, s->samples_sha256))
        note(a, "samples.csv: the samples are not those of the run");
}

/* ---- rounds -----------------------------------------------------------------------------------
 */

static size_t place_of(const struct submission *s, const char *method)
{
    size_t i = 0;
    while (i < s->method_count && strcmp(s->methods[i].name, method) != 0)
        i++;
    return i;
}

/* The rows are whole rounds one after the other; the first row that is not where it should be. */
static bool check_rows(struct audit *a)
{
    const struct submission *s = a->s;
    for (size_t i = 0; i < s->samples.count; i++) {
        const struct lab_sample *row = &s->samples.items[i];
        const int64_t round = (int64_t)(i / s->method_count), turn = (int64_t)(i % s->method_count);
        if (row->round == round && row->turn == turn)
            continue;
        note(a,
             "line %zu of samples.csv is round %" PRId64 ", turn %" PRId64 ", where round %" PRId64
             ", turn %" PRId64 " should be: a row is missing or there twice",
             i + 2, row->round, row->turn, round, turn);
        return false;
    }
    if (s->samples.count == s->rounds * s->method_count)
        return true;
    note(a, "samples.csv has %zu rows, and %zu rounds of %zu methods have %zu", s->samples.count,
         s->rounds, s->method_count, s->rounds * s->method_count);
    return false;
}

/* The order of methods is a function of seed and round. */
static void check_order(struct audit *a)
{
    const struct submission *s = a->s;
    for (size_t round = 0; round < s->rounds; round++) {
        size_t order[LAB_RUNNERS];
        lab_race_order(s->seed, round, s->method_count, order);
        for (size_t turn = 0; turn < s->method_count; turn++) {
            const struct lab_sample *row = &s->samples.items[round * s->method_count + turn];
            if (place_of(s, row->method) == order[turn])
                continue;
            note(a,
                 "round %zu: turn %zu is %s, and the seed gives %s: the order of the methods was "
                 "changed",
                 round, turn, row->method, s->methods[order[turn]].name);
            return;
        }
    }
}

/* ---- the clock --------------------------------------------------------------------------------
 */

static void check_steps(struct audit *a)
{
    static const double half_step = 0.5e-9;
    const struct submission *s = a->s;
    for (size_t i = 0; i < s->samples.count; i++) {
        const struct lab_sample *row = &s->samples.items[i];
        const double taken = (double)(row->ended_ns - row->began_ns) * 1e-9;
        if (fabs(row->seconds - taken) <= half_step)
            continue;
        note(a,
             "round %" PRId64 ", %s: it says %.9f s, and its clock ran %.9f s: a time was changed",
             row->round, row->method, row->seconds, taken);
        return;
    }
}

static void check_sequence(struct audit *a)
{
    const struct submission *s = a->s;
    for (size_t i = 0; i < s->samples.count; i++) {
        const struct lab_sample *row = &s->samples.items[i], *before = row - 1;
        if (row->ended_ns <= row->began_ns)
            note(a, "round %" PRId64 ", %s: it ended before it began", row->round, row->method);
        else if (i > 0 && row->began_ns < before->ended_ns)
            note(a,
                 "round %" PRId64 ", %s: it began before %s had ended: a row was copied or moved",
                 row->round, row->method, before->method);
        else
            continue;
        return;
    }
}

/* ---- times ------------------------------------------------------------------------------------
 */

static void check_limit(struct audit *a)
{
    const struct submission *s = a->s;
    for (size_t i = 0; i < s->samples.count && !s->limit_measured_now; i++) {
        const struct lab_sample *row = &s->samples.items[i];
        if (!(row->seconds < s->limit_s))
            continue;
        note(a, "round %" PRId64 ", %s: %.3g s, and its machine needs %.3g s at the least",
             row->round, row->method, row->seconds, s->limit_s);
        return;
    }
}

/* The method's seconds, sorted; the row of the first. Returns how many. */
static size_t sort_seconds(const struct submission *s, size_t method, double *sorted,
                           const struct lab_sample **fastest)
{
    size_t count = 0;
    for (size_t i = 0; i < s->samples.count; i++) {
        const struct lab_sample *row = &s->samples.items[i];
        if (place_of(s, row->method) != method)
            continue;
        if (count == 0 || row->seconds < (*fastest)->seconds)
            *fastest = row;
        sorted[count++] = row->seconds;
    }
    sort_samples(sorted, count);
    return count;
}

/* Noise makes samples slow, never fast: the second fastest is close to the fastest. On a busy
 * machine samples differ by large factors, and then the fastest must stand apart from the rest by
 * more than the square of what half of the rest differs by. */
static void check_fastest(struct audit *a, size_t method)
{
    enum { LEAST = 6 };
    const struct submission *s = a->s;
    const struct lab_sample *fastest = NULL;
    double *sorted = calloc(s->samples.count + 1, sizeof *sorted);
    if (!sorted) {
        a->status = fail(a->failure, STATUS_RESOURCE, "not enough memory");
        return;
    }
    const size_t count = sort_seconds(s, method, sorted, &fastest);
    const double usual = count >= LEAST ? sorted[count / 2] / sorted[1] : INFINITY;
    if (count >= LEAST && sorted[1] > 2.0 * usual * usual * sorted[0])
        note(a,
             "round %" PRId64 ", %s: %.3g s, and no other sample of it takes less than %.3g s: one "
             "sample is much faster than the others",
             fastest->round, fastest->method, sorted[0], sorted[1]);
    free(sorted);
}

enum status audit_check(const struct submission *s, struct texts *faults, struct failure *f)
{
    struct audit a = {s, faults, STATUS_OK, f};
    check_files(&a);
    if (!s->correct)
        return a.status;
    if (check_rows(&a))
        check_order(&a);
    check_steps(&a);
    check_sequence(&a);
    check_limit(&a);
    for (size_t i = 0; i < s->method_count; i++)
        check_fastest(&a, i);
    return a.status;
}
