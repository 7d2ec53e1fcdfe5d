#include "classroom/class/audit.h"

#include "experiments/analysis/numbers.h"
#include "harness/base/text/messages.h"
#include "harness/point/sampling/rounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One archive under examination. */
struct audit {
    const struct submission *s;
    const struct language *language;
    struct texts *faults;
    enum status status;
    struct failure *failure;
};

static void note(struct audit *a, const char *pattern, const struct argument *arguments)
{
    char text[400];
    message_fill(text, sizeof text, pattern, arguments);
    if (!texts_add(a->faults, text))
        a->status = fail(a->failure, STATUS_RESOURCE, "not enough memory");
}

static void note_file(struct audit *a, const char *file, const char *what)
{
    note(a, "%{file}: %{what}", WITH({"file", file}, {"what", message(a->language, what)}));
}

/* Formats a count, a round or a turn as the archive has it. */
static struct number count_text(int64_t count)
{
    return number_text("%" PRId64, count);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool has_hash(const struct archive_file *file, const char *expected)
{
    char hash[SHA256_HEX];
    sha256_hex(file->bytes, file->count, hash);
    return strcmp(hash, expected) == 0;
}

static void check_files(struct audit *a)
{
    const struct submission *s = a->s;
    const struct archive_file *samples = archive_find(&s->package.zip, package_samples);
    for (size_t i = 0; i < s->package.fault_count; i++)
        note_file(a, s->package.faults[i].name, s->package.faults[i].what);
    if (!has_hash(submission_source(s), s->source_sha256))
        note_file(a, s->file, N_("the source was changed after the run"));
    if (samples && !has_hash(samples, s->samples_sha256))
        note_file(a, package_samples, N_("the samples are not those of the run"));
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static size_t place_of(const struct submission *s, const char *method)
{
    size_t i = 0;
    while (i < s->method_count && strcmp(s->methods[i].name, method) != 0)
        i++;
    return i;
}

/* Checks that the rows are whole rounds in order; notes the first row that is out of place. */
static bool check_rows(struct audit *a)
{
    const struct submission *s = a->s;
    for (size_t i = 0; i < s->samples.count; i++) {
        const struct lab_sample *row = &s->samples.items[i];
        const int64_t round = (int64_t)(i / s->method_count), turn = (int64_t)(i % s->method_count);
        if (row->round == round && row->turn == turn)
            continue;
        note(a,
             message(a->language,
                     "line %{line} of samples.csv is round %{round}, turn %{turn}, where round "
                     "%{due_round}, turn %{due_turn} should be: a row is missing or there twice"),
             WITH({"line", count_text((int64_t)i + 2).text}, {"round", count_text(row->round).text},
                  {"turn", count_text(row->turn).text}, {"due_round", count_text(round).text},
                  {"due_turn", count_text(turn).text}));
        return false;
    }
    if (s->samples.count == s->rounds * s->method_count)
        return true;
    note(a,
         message(a->language, "samples.csv has %{rows} rows, and %{rounds} rounds of %{methods} "
                              "methods have %{due}"),
         WITH({"rows", number_text("%zu", s->samples.count).text},
              {"rounds", number_text("%zu", s->rounds).text},
              {"methods", number_text("%zu", s->method_count).text},
              {"due", number_text("%zu", s->rounds * s->method_count).text}));
    return false;
}

/* The order of methods is a function of seed and round. */
static void check_order(struct audit *a)
{
    const struct submission *s = a->s;
    for (size_t round = 0; round < s->rounds; round++) {
        size_t order[LAB_CANDIDATES];
        rounds_order(s->seed, round, order, s->method_count);
        for (size_t turn = 0; turn < s->method_count; turn++) {
            const struct lab_sample *row = &s->samples.items[round * s->method_count + turn];
            if (place_of(s, row->method) == order[turn])
                continue;
            note(a,
                 message(a->language, "round %{round}: turn %{turn} is %{method}, and the seed "
                                      "gives %{due}: the order of the methods was changed"),
                 WITH({"round", number_text("%zu", round).text},
                      {"turn", number_text("%zu", turn).text}, {"method", row->method},
                      {"due", s->methods[order[turn]].name}));
            return;
        }
    }
}

/* ---- the clock ------------------------------------------------------------------------------- */

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
             message(a->language, "round %{round}, %{method}: it says %{seconds} s, and its clock "
                                  "ran %{taken} s: a time was changed"),
             WITH({"round", count_text(row->round).text}, {"method", row->method},
                  {"seconds", number_in(a->language, "%.9f", row->seconds).text},
                  {"taken", number_in(a->language, "%.9f", taken).text}));
        return;
    }
}

static void check_sequence(struct audit *a)
{
    const struct submission *s = a->s;
    for (size_t i = 0; i < s->samples.count; i++) {
        const struct lab_sample *row = &s->samples.items[i], *before = row - 1;
        if (row->ended_ns <= row->began_ns)
            note(a, message(a->language, "round %{round}, %{method}: it ended before it began"),
                 WITH({"round", count_text(row->round).text}, {"method", row->method}));
        else if (i > 0 && row->began_ns < before->ended_ns)
            note(a,
                 message(a->language, "round %{round}, %{method}: it began before %{other} had "
                                      "ended: a row was copied or moved"),
                 WITH({"round", count_text(row->round).text}, {"method", row->method},
                      {"other", before->method}));
        else
            continue;
        return;
    }
}

/* ---- times ----------------------------------------------------------------------------------- */

static void check_limit(struct audit *a)
{
    const struct submission *s = a->s;
    for (size_t i = 0; i < s->samples.count && !s->limit_measured_now; i++) {
        const struct lab_sample *row = &s->samples.items[i];
        if (!(row->seconds < s->limit_s))
            continue;
        note(a,
             message(a->language, "round %{round}, %{method}: %{seconds} s, and its machine needs "
                                  "%{limit} s at the least"),
             WITH({"round", count_text(row->round).text}, {"method", row->method},
                  {"seconds", number_in(a->language, "%.3g", row->seconds).text},
                  {"limit", number_in(a->language, "%.3g", s->limit_s).text}));
        return;
    }
}

/* Writes the method's seconds in ascending order and sets *fastest to the row with the least.
 * Returns how many there are. */
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

/* Noise makes samples slower, never faster, so the second fastest is close to the fastest. On a
 * busy machine samples differ by large factors. Therefore the ratio of second fastest to fastest
 * must exceed twice the square of the ratio of median to second fastest before it is noted. */
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
             message(a->language,
                     "round %{round}, %{method}: %{seconds} s, and no other sample of it takes "
                     "less than %{next} s: one sample is much faster than the others"),
             WITH({"round", count_text(fastest->round).text}, {"method", fastest->method},
                  {"seconds", number_in(a->language, "%.3g", sorted[0]).text},
                  {"next", number_in(a->language, "%.3g", sorted[1]).text}));
    free(sorted);
}

enum status audit_check(const struct submission *s, const struct language *l, struct texts *faults,
                        struct failure *f)
{
    struct audit a = {s, l, faults, STATUS_OK, f};
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
