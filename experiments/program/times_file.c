#include "experiments/program/times_file.h"

#include "experiments/common/file_bytes.h"
#include "experiments/common/lists.h"
#include "experiments/common/lock.h"
#include "experiments/common/results.h"
#include "experiments/samples/point.h"
#include "harness/base/text/csv_field.h"
#include "harness/records/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { BYTES_MOST = 64 << 20, FIELDS_MOST = 64 };
enum times_column { WORKERS, SECONDS, REPETITION, TIMES_COLUMNS };

static const struct {
    const char *name;
    enum times_column column;
    bool ranks;
} names[] = {
    {"workers", WORKERS, false},       {"threads", WORKERS, false}, {"ranks", WORKERS, true},
    {"processes", WORKERS, true},      {"cores", WORKERS, false},   {"p", WORKERS, false},
    {"seconds", SECONDS, false},       {"time", SECONDS, false},    {"s", SECONDS, false},
    {"repetition", REPETITION, false}, {"rep", REPETITION, false},  {"run", REPETITION, false}};

/* The state of a reading. */
struct reading {
    struct times *out;
    const char *path;
    char *text;
    long line;
    char separator, decimal;
    int place[TIMES_COLUMNS]; /* of each column among the fields; -1: absent */
    struct failure *failure;
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Cuts the next line with something in it out of the text. NULL at the end. */
static char *next_line(struct reading *r, char **at)
{
    while (**at) {
        char *line = *at;
        const size_t length = strcspn(line, "\n");
        *at = line + length + (line[length] == '\n');
        line[length] = '\0';
        r->line++;
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        if (line[strspn(line, " \t")] && line[0] != '#')
            return line;
    }
    return NULL;
}

/* Splits a line in place. Returns the number of fields; -1: its quotes are wrong. */
static int split(char *line, char separator, char *fields[FIELDS_MOST])
{
    int count = 0;
    for (char *at = line; at && count < FIELDS_MOST;) {
        char *field = at, *end = csv_field_end(at, separator);
        if (!end)
            return -1;
        at = *end ? end + 1 : NULL;
        *end = '\0';
        fields[count++] = field;
    }
    return count;
}

static enum status refuse(const struct reading *r, const char *what, const char *text)
{
    return fail(r->failure, STATUS_USAGE, "%s:%ld: '%s' is %s", r->path, r->line, text, what);
}

/* ---- header and rows ------------------------------------------------------------------------- */

static enum status read_header(struct reading *r, char *const *fields, int count)
{
    for (enum times_column c = 0; c < TIMES_COLUMNS; c++)
        r->place[c] = -1;
    for (int i = 0; i < count; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
            if (strcasecmp(fields[i], names[j].name) == 0 && r->place[names[j].column] < 0) {
                r->place[names[j].column] = i;
                r->out->ranks |= names[j].ranks;
            }
    if (r->place[WORKERS] < 0 || r->place[SECONDS] < 0)
        return fail(r->failure, STATUS_USAGE,
                    "%s:%ld: the header has no column %s; wanted are workers and seconds", r->path,
                    r->line, r->place[WORKERS] < 0 ? "workers" : "seconds");
    return STATUS_OK;
}

static bool read_count(const char *text, int64_t *value)
{
    char plain[CSV_NUMBER_BYTES], *end;
    text = csv_plain_number(text, plain);
    *value = strtoll(text, &end, 10);
    return text[0] && *end == '\0' && *value >= 0 && *value <= 1000000000;
}

/* True if the first line is no header; the columns then have their usual order. */
static bool is_row(struct reading *r, char *const *fields, int count)
{
    int64_t ignored;
    r->place[WORKERS] = 0;
    r->place[SECONDS] = 1;
    r->place[REPETITION] = count > 2 ? 2 : -1;
    return read_count(fields[0], &ignored);
}

static enum status add_row(struct reading *r, char *const *fields, int count)
{
    struct time_row row = {.repetition = RECORD_NO_INT};
    struct times *t = r->out;
    for (enum times_column c = 0; c < TIMES_COLUMNS; c++)
        if (r->place[c] >= count)
            return fail(r->failure, STATUS_USAGE, "%s:%ld: this line has too few fields", r->path,
                        r->line);
    if (!read_count(fields[r->place[WORKERS]], &row.workers) || row.workers < 1)
        return refuse(r, "no number of workers: a whole number from 1", fields[r->place[WORKERS]]);
    if (!csv_read_real(fields[r->place[SECONDS]], r->decimal, &row.seconds) || !(row.seconds > 0.0))
        return refuse(r, "no number of seconds above 0", fields[r->place[SECONDS]]);
    if (r->place[REPETITION] >= 0 && !read_count(fields[r->place[REPETITION]], &row.repetition))
        return refuse(r, "no number of a repetition", fields[r->place[REPETITION]]);
    for (size_t i = 0; i < t->count && row.repetition != RECORD_NO_INT; i++)
        if (t->rows[i].workers == row.workers && t->rows[i].repetition == row.repetition)
            return fail(r->failure, STATUS_USAGE,
                        "%s:%ld: repetition %" PRId64 " with %" PRId64 " workers is there twice",
                        r->path, r->line, row.repetition, row.workers);
    struct time_row *grown = array_grow(t->rows, t->count, sizeof *grown);
    if (!grown)
        return fail(r->failure, STATUS_RESOURCE, "%s: not enough memory", r->path);
    t->rows = grown;
    t->rows[t->count++] = row;
    return STATUS_OK;
}

/* Reads every line, or, with `decimals`, only looks at the numbers. */
static enum status read_lines(struct reading *r, char *text, struct csv_decimals *decimals)
{
    char *at = csv_skip_mark(text), *line;
    enum status status = STATUS_OK;
    bool first = true;
    r->line = 0;
    r->separator = '\0';
    while (status == STATUS_OK && (line = next_line(r, &at))) {
        char *fields[FIELDS_MOST];
        const char stated = first ? csv_stated_separator(line) : '\0';
        if (stated && !r->separator) {
            r->separator = stated;
            continue;
        }
        if (first && !r->separator)
            r->separator = csv_separator(line);
        const int count = split(line, r->separator, fields);
        if (count < 0)
            return fail(r->failure, STATUS_USAGE, "%s:%ld: its quotes are wrong", r->path, r->line);
        if (first && !is_row(r, fields, count))
            status = read_header(r, fields, count);
        else if (!decimals)
            status = add_row(r, fields, count);
        else
            for (int i = 0; i < count; i++)
                csv_decimals_note(decimals, fields[i]);
        first = false;
    }
    return status;
}

enum status times_read(struct times *out, const char *path, struct failure *f)
{
    char *bytes = NULL;
    size_t count = 0;
    *out = (struct times){0};
    enum status status = file_bytes(path, BYTES_MOST, &bytes, &count, f);
    if (status == STATUS_OK && csv_is_utf16(bytes, count))
        status = csv_refuse_utf16(path, f);
    if (status != STATUS_OK) {
        free(bytes);
        return status;
    }
    struct reading r = {.out = out, .path = path, .decimal = '.', .failure = f};
    struct csv_decimals decimals = {0};
    char *look = strdup(bytes);
    status = look ? read_lines(&r, look, &decimals)
                  : fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    r.decimal = csv_decimals_are_commas(&decimals) ? ',' : '.';
    if (status == STATUS_OK)
        status = read_lines(&r, bytes, NULL);
    free(look);
    free(bytes);
    if (status == STATUS_OK && out->count == 0)
        status = fail(f, STATUS_USAGE, "%s: has no times", path);
    if (status != STATUS_OK)
        times_release(out);
    return status;
}

void times_release(struct times *t)
{
    free(t->rows);
    *t = (struct times){0};
}

/* ---- as an experiment ------------------------------------------------------------------------ */

static struct record record_of(const struct times *t, size_t i, const char *title, bool weak,
                               const char *name)
{
    const struct time_row *row = &t->rows[i];
    struct record r = record_empty();
    snprintf(r.experiment, sizeof r.experiment, "%s", name);
    snprintf(r.program, sizeof r.program, "%s", title);
    snprintf(r.method, sizeof r.method, "%s", title);
    snprintf(r.operator_name, sizeof r.operator_name, "%s", own_operator);
    snprintf(r.space, sizeof r.space, "%s", t->ranks ? "mpi" : "omp");
    *(t->ranks ? &r.ranks : &r.threads) = row->workers;
    r.rows = weak ? row->workers : RECORD_NO_INT;
    r.cols = weak ? 1 : RECORD_NO_INT;
    snprintf(r.run_id, sizeof r.run_id, "row-%zu", i + 1); /* no round: nothing says that equal
                                                            * repetitions were measured together */
    r.sample = 0;
    r.warmup = 0;
    r.repeats = 1;
    r.total_s = row->seconds;
    snprintf(r.stop_reason, sizeof r.stop_reason, "samples");
    snprintf(r.verified, sizeof r.verified, "none");
    return r;
}

static enum status write_samples(const struct times *t, const char *title, bool weak,
                                 const char *results, const char *name, struct failure *f)
{
    struct record_writer *writer;
    const struct results_path path = results_samples(results, name);
    unlink(path.text);
    enum status status = record_writer_open(&writer, path.text, NULL, f);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < t->count && status == STATUS_OK; i++) {
        const struct record r = record_of(t, i, title, weak, name);
        status = record_append(writer, &r, f);
    }
    const enum status closed = record_writer_close(writer, f);
    return status != STATUS_OK ? status : closed;
}

static enum status write_definition(const struct times *t, const struct own_question *q,
                                    const char *title, const char *results, const char *name,
                                    struct failure *f)
{
    char file[OWN_NAME + 4], *list = NULL;
    size_t size;
    FILE *stream = open_memstream(&list, &size);
    if (!stream)
        return fail(f, STATUS_RESOURCE, "not enough memory for the worker counts");
    for (size_t i = 0; i < t->count; i++)
        fprintf(stream, "%s%" PRId64, i ? " " : "", t->rows[i].workers);
    fclose(stream);
    snprintf(file, sizeof file, "%s.ini", name);
    const enum status status =
        own_definition_of_times(q, title, list, results_file(results, file).text, f);
    free(list);
    return status;
}

enum status times_import(const struct times *t, const struct own_question *q, const char *title,
                         const char *results, const char *name, struct failure *f)
{
    struct results_lock lock;
    bool has_base = q->base < 2;
    for (size_t i = 0; i < t->count; i++)
        has_base = has_base || t->rows[i].workers == q->base;
    if (!has_base)
        return fail(f, STATUS_USAGE, "--base: there are no times with %" PRId64 " workers",
                    q->base);
    enum status status = results_make(results, f);
    if (status == STATUS_OK && access(results_environment(results).text, F_OK) == 0)
        return fail(f, STATUS_USAGE,
                    "%s has measurements of this machine, whose cores are not those of --csv: name "
                    "another folder with --results",
                    results);
    if (status == STATUS_OK)
        status = results_lock(results, "study speedup", &lock, f);
    if (status != STATUS_OK)
        return status;
    status = write_definition(t, q, title, results, name, f);
    if (status == STATUS_OK)
        status = write_samples(t, title, q->weak, results, name, f);
    results_unlock(&lock);
    return status;
}
