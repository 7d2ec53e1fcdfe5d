#include "classroom/class/class.h"

#include "classroom/class/audit.h"
#include "classroom/class/same_source.h"
#include "experiments/common/file_bytes.h"
#include "experiments/common/short_paths.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char class_basis_student[] = "measured by the student";
const char class_basis_here[] = "measured here";

/* ---- why an archive is doubtful -------------------------------------------------------------- */

void class_doubt_row(struct class_row *row, enum class_doubt doubt, const char *why)
{
    row->doubt = doubt;
    text_fit(row->why, sizeof row->why, why);
    utf8_clean_foreign(row->why, false);
    short_paths(row->why, NULL);
}

/* Looks for everything that `study audit` finds without measuring; a forgery without any of it is
 * found only by measuring again. */
static enum status examine(struct class_row *row, const struct lab_rubric *rubric,
                           struct failure *f)
{
    struct texts faults = {.count = 0};
    const enum status status = audit_check(&row->submission, &language_english, &faults, f);
    if (status == STATUS_OK) {
        row->doubt = class_weigh(row, rubric, &faults);
        class_write_causes(row, rubric, &faults, &language_english, row->why, sizeof row->why);
    }
    texts_release(&faults);
    return status;
}

static void grade(struct class_row *row, const struct lab_rubric *rubric)
{
    const struct submission *s = &row->submission;
    if (!rubric || row->doubt > CLASS_SAME)
        return;
    const size_t method = submission_find(s, rubric->method);
    row->graded = true;
    row->grade = lab_grade_by(rubric, s->correct ? &s->methods[method].ratio : NULL);
}

/* ---- equal sources --------------------------------------------------------------------------- */

/* Writes the hash of the starter in the kernel's language; "" if there is none. */
static void hash_starter(const struct submission *s, char hex[SHA256_HEX])
{
    char path[PATH_MAX], shared[80], *text;
    size_t count;
    const char *dot = strrchr(s->file, '.');
    hex[0] = '\0';
    text_fit_format(shared, sizeof shared, "labs/starters/%s%s", s->operator_name, dot ? dot : "");
    if (!archive_name_is_safe(s->operator_name) ||
        file_bytes(suite_share(path, shared), ARCHIVE_FILE_BYTES, &text, &count, NULL) != STATUS_OK)
        return;
    same_source_hash(s->file, text, count, hex);
    free(text);
}

void class_hash_source(struct class_row *row)
{
    char starter[SHA256_HEX];
    const struct submission *s = &row->submission;
    const struct archive_file *source = submission_source(s);
    same_source_hash(s->file, source->bytes, source->count, row->source);
    hash_starter(s, starter);
    row->starter = strcmp(starter, row->source) == 0;
    if (row->starter)
        class_doubt_row(row, CLASS_STARTER, class_starter);
}

/* Whether two rows have the same source, or (`code`) the same compiled code. */
static bool are_same(const struct class_row *a, const struct class_row *b, bool code)
{
    const char *of_a = code ? a->code : a->source, *of_b = code ? b->code : b->source;
    return of_a[0] && strcmp(of_a, of_b) == 0;
}

static void link_row(struct class_row *row, const struct class_row *other, bool code)
{
    row->same_as = other->number;
    row->same_code = code;
    if (row->doubt == CLASS_FINE)
        class_doubt_row(row, CLASS_SAME,
                        code ? N_("the same compiled code as another kernel")
                             : N_("the same source as another archive"));
}

/* Links rows: the first one with the same source refers to the next, and all others to the first;
 * what has no such row is linked likewise by its code. */
static void find_same(struct class *c, bool code)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = 0; j < c->count && c->rows[i].same_as == 0; j++)
            if (j != i && !c->rows[i].starter && are_same(&c->rows[i], &c->rows[j], code))
                link_row(&c->rows[i], &c->rows[j], code);
}

void class_finish(struct class *c)
{
    find_same(c, false);
    find_same(c, true);
    for (size_t i = 0; i < c->count; i++)
        grade(&c->rows[i], c->rubric);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int by_hash(const void *a, const void *b)
{
    const struct class_row *p = a, *q = b;
    const int order = strcmp(p->submission.package.sha256, q->submission.package.sha256);
    return order != 0 ? order : strcmp(p->path, q->path);
}

void class_number(struct class *c)
{
    qsort(c->rows, c->count, sizeof *c->rows, by_hash);
    for (size_t i = 0; i < c->count; i++)
        c->rows[i].number = i + 1;
}

/* The letters as which U+00C0 to U+017F are sorted. Source: The Unicode Standard 15.0, charts
 * "Latin-1 Supplement" and "Latin Extended-A". */
enum { FIRST = 0xc0, LARGE_ENYE = 0xd1, SMALL_ENYE = 0xf1 };
static const char letters[] = "aaaaaaaceeeeiiiidnooooo*ouuuuyts"
                              "aaaaaaaceeeeiiiidnooooo/ouuuuyty"
                              "aaaaaaccccccccddddeeeeeeeeeegggg"
                              "gggghhhhiiiiiiiiiiiijjkkklllllll"
                              "lllnnnnnnnnnoooooooorrrrrrssssss"
                              "ssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/* The rank of the character at the beginning of the text, which is moved behind it; 0 at the end.
 */
static int take_letter(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    if (at[0] >= 0xc3 && at[0] <= 0xc5 && (at[1] & 0xc0) == 0x80) {
        const int code = ((at[0] & 0x1f) << 6) | (at[1] & 0x3f);
        *text += 2;
        return 2 * letters[code - FIRST] + (code == LARGE_ENYE || code == SMALL_ENYE);
    }
    *text += at[0] != '\0';
    return 2 * (at[0] >= 'A' && at[0] <= 'Z' ? at[0] - 'A' + 'a' : at[0]);
}

/* Compares two names in UTF-8 as strcmp() does, the same under every locale: letters without case
 * and accents first, as in Álvaro, beto, Carla; ñ is between n and o. Names that differ in nothing
 * else by their bytes. */
static int name_order(const char *a, const char *b)
{
    const char *rest_of_a = a, *rest_of_b = b;
    int p, q;
    do {
        p = take_letter(&rest_of_a);
        q = take_letter(&rest_of_b);
    } while (p == q && p != 0);
    return p != q ? p - q : strcmp(a, b);
}

static int by_student(const void *a, const void *b)
{
    const struct class_row *p = *(const struct class_row *const *)a,
                           *q = *(const struct class_row *const *)b;
    const int order = name_order(p->student, q->student);
    return order != 0 ? order : strcmp(p->path, q->path);
}

const struct class_row **class_in_order(const struct class *c, bool names)
{
    const struct class_row **rows = calloc(c->count + 1, sizeof(struct class_row *));
    for (size_t i = 0; rows && i < c->count; i++)
        rows[i] = &c->rows[i];
    if (rows && names)
        qsort(rows, c->count, sizeof(struct class_row *), by_student);
    return rows;
}

static enum status read_row(struct class_row *row, const char *path, struct failure *f)
{
    struct failure why = {0};
    *row = (struct class_row){.path = path};
    const enum status status = submission_read(&row->submission, path, &why);
    if (status == STATUS_OK) {
        class_hash_source(row);
        text_fit(row->student, sizeof row->student, row->submission.package.student);
        return status;
    }
    const char *name = strncmp(why.message, path, strlen(path)) == 0
                           ? why.message + strlen(path) + strspn(why.message + strlen(path), ": ")
                           : why.message;
    row->submission = (struct submission){.path = path, .limit_s = NAN};
    class_doubt_row(row, CLASS_UNREADABLE, name);
    return status == STATUS_USAGE ? STATUS_OK : fail(f, status, "%s", why.message);
}

enum status class_read(struct class *c, char **paths, size_t count, const struct lab_rubric *rubric,
                       struct failure *f)
{
    enum status status = STATUS_OK;
    *c = (struct class){.rubric = rubric, .basis = class_basis_student};
    if (count > CLASS_MAX)
        return fail(f, STATUS_USAGE, "%zu archives, more than the %d of one page", count,
                    CLASS_MAX);
    c->rows = calloc(count, sizeof *c->rows);
    if (!c->rows)
        return fail(f, STATUS_RESOURCE, "not enough memory for %zu archives", count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++, c->count++)
        status = read_row(&c->rows[i], paths[i], f);
    if (status != STATUS_OK)
        return status;
    class_number(c);
    for (size_t i = 0; i < c->count && status == STATUS_OK; i++) {
        if (c->rows[i].doubt == CLASS_UNREADABLE)
            continue;
        status = examine(&c->rows[i], rubric, f);
    }
    if (status == STATUS_OK)
        class_finish(c);
    return status;
}

void class_release(struct class *c)
{
    for (size_t i = 0; i < c->count; i++)
        submission_release(&c->rows[i].submission);
    free(c->rows);
    *c = (struct class){.rows = NULL};
}

size_t class_reference(const struct class *c, const struct class_row *row)
{
    const struct submission *s = &row->submission;
    if (!s->correct)
        return 0;
    return c->rubric ? submission_find(s, c->rubric->method) : s->method_count > 1;
}
