#include "experiments/program/times_file.h"

#include "experiments/common/lists.h"
#include "experiments/common/lock.h"
#include "experiments/common/results.h"
#include "experiments/program/launch/duration.h"
#include "experiments/program/times_header.h"
#include "experiments/program/times_rows.h"
#include "experiments/program/times_table.h"
#include "experiments/samples/point.h"
#include "harness/base/text/csv_field.h"
#include "harness/base/text/screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of reading a file of times. */
struct times_reader {
    struct times *out;
    const char *path;
    struct times_table table;
    size_t first; /* line of the first row: 1 behind a header */
    struct times_field fields[TIMES_FIELDS];
    bool filled[TIMES_FIELDS];        /* columns of merged cells */
    int columns, workers, repetition; /* `workers`, `repetition`: columns; -1: absent */
    struct failure *failure;
};

static enum status refuse(const struct times_reader *r, const char *what, size_t line,
                          const char *text)
{
    return fail(r->failure, STATUS_USAGE, "%s:%ld: '%s' is %s", r->path,
                r->table.lines[line].number, text, what);
}

/* Reads a number of workers or of a repetition; also 4.0, which pandas makes of 4. */
static bool read_count(const char *text, int64_t *value)
{
    char whole[CSV_NUMBER_BYTES];
    const size_t length = strlen(text);
    if (length > 2 && length < sizeof whole && strchr(".,", text[length - 2]) &&
        text[length - 1] == '0') {
        snprintf(whole, sizeof whole, "%.*s", (int)length - 2, text);
        text = whole;
    }
    return csv_read_integer(text, value) && *value >= 0 && *value <= 1000000000;
}

/* ---- columns --------------------------------------------------------------------------------- */

static const char *name_of(const struct times_reader *r, int column)
{
    return r->first ? times_table_field(&r->table, 0, column) : "";
}

static bool are_workers(const struct times_reader *r, int column)
{
    return r->fields[column].role == TIMES_THREADS || r->fields[column].role == TIMES_RANKS;
}

/* The columns of a file without a header have their usual order. */
static void usual_columns(struct times_reader *r)
{
    static const enum times_role order[] = {TIMES_THREADS, TIMES_SECONDS, TIMES_REPETITION};
    for (int i = 0; i < r->columns; i++)
        r->fields[i] = (struct times_field){i < 3 ? order[i] : TIMES_OTHER, 1.0, 0, 0};
}

/* Reads the first line, which is a header unless it begins with a number. */
static void read_columns(struct times_reader *r)
{
    int64_t ignored;
    r->columns = r->table.lines[0].count;
    r->first = !read_count(times_table_field(&r->table, 0, 0), &ignored);
    if (!r->first) {
        usual_columns(r);
        return;
    }
    for (int i = 0; i < r->columns; i++)
        r->fields[i] = times_field_of(name_of(r, i));
}

static void report_comment(const struct times_reader *r)
{
    char line[24];
    snprintf(line, sizeof line, "%ld", r->table.lines[0].number);
    if (r->first && r->table.commented)
        screen_say(stderr, N_("study: %{file}: the header is the comment of line %{line}\n"),
                   WITH({"file", r->path}, {"line", line}));
}

static bool differs(const struct times_reader *r, int column)
{
    for (size_t i = r->first + 1; i < r->table.count; i++)
        if (strcmp(times_table_field(&r->table, i, column),
                   times_table_field(&r->table, r->first, column)) != 0)
            return true;
    return false;
}

static bool same_columns(const struct times_reader *r, int a, int b)
{
    for (size_t i = r->first; i < r->table.count; i++)
        if (strcmp(times_table_field(&r->table, i, a), times_table_field(&r->table, i, b)) != 0)
            return false;
    return true;
}

/* Chooses the column of the workers: the one that differs between rows. */
static enum status choose_workers(struct times_reader *r)
{
    r->workers = -1;
    for (int i = 0; i < r->columns; i++) {
        if (!are_workers(r, i))
            continue;
        const int before = r->workers;
        if (before >= 0 && differs(r, before) && differs(r, i) && !same_columns(r, before, i))
            return fail(r->failure, STATUS_USAGE,
                        "%s: the columns %s and %s both differ between rows: write the number of "
                        "all workers into one column, workers",
                        r->path, name_of(r, before), name_of(r, i));
        if (before < 0 || (!differs(r, before) && differs(r, i)))
            r->workers = i;
    }
    if (r->workers >= 0)
        r->out->ranks = r->fields[r->workers].role == TIMES_RANKS;
    return STATUS_OK;
}

/* Chooses the column of the times: the best one, or all whose names are numbered or equal. */
static enum status choose_seconds(struct times_reader *r)
{
    int best = -1;
    for (int i = 0; i < r->columns; i++)
        if (r->fields[i].role == TIMES_SECONDS &&
            (best < 0 || r->fields[i].preference > r->fields[best].preference))
            best = i;
    for (int i = 0; i < r->columns && best >= 0; i++) {
        if (i == best || r->fields[i].role != TIMES_SECONDS)
            continue;
        const bool alike = strcmp(name_of(r, i), name_of(r, best)) == 0 ||
                           (r->fields[i].numbered && r->fields[best].numbered);
        if (!alike && r->fields[i].preference == r->fields[best].preference)
            return fail(r->failure, STATUS_USAGE,
                        "%s: the columns %s and %s may both be the time: leave one of them out",
                        r->path, name_of(r, best), name_of(r, i));
        if (!alike)
            r->fields[i].role = TIMES_IGNORED;
    }
    if (r->workers >= 0 && best >= 0)
        return STATUS_OK;
    return fail(r->failure, STATUS_USAGE,
                "%s:%ld: the header has no column %s; wanted are workers and seconds", r->path,
                r->table.lines[0].number, r->workers < 0 ? "workers" : "seconds");
}

/* A column without a name, to the right of the times, whose heading was merged with theirs: nothing
 * says whether its numbers are times. */
static enum status refuse_unnamed(const struct times_reader *r)
{
    double seconds;
    int times = 0;
    while (times < r->columns && r->fields[times].role != TIMES_SECONDS)
        times++;
    for (int i = times + 1; i < r->columns && r->first; i++)
        for (size_t k = r->first; k < r->table.count && !name_of(r, i)[0]; k++)
            if (duration_read(times_table_field(&r->table, k, i), r->table.decimal, 1.0, &seconds))
                return fail(r->failure, STATUS_USAGE,
                            "%s:%ld: column %d has numbers and no name: name it, as in 'run 2', or "
                            "leave it out",
                            r->path, r->table.lines[0].number, i + 1);
    return STATUS_OK;
}

/* The number of the same column's repetitions with the same number of workers may stand there. */
static void choose_repetition(struct times_reader *r)
{
    r->repetition = -1;
    for (int i = 0; i < r->columns; i++)
        if (r->fields[i].role == TIMES_REPETITION && r->repetition < 0)
            r->repetition = i;
}

/* ---- rows of Slurm, merged cells ------------------------------------------------------------- */

static void say_removed(const struct times_reader *r, const char *text, size_t rows)
{
    char count[24];
    snprintf(count, sizeof count, "%zu", rows);
    if (rows > 0)
        screen_say(stderr, text, WITH({"file", r->path}, {"count", count}));
}

static enum status remove_jobs(struct times_reader *r)
{
    size_t steps = 0, failed = 0;
    for (int i = 0; i < r->columns; i++)
        if (r->fields[i].role == TIMES_JOB)
            steps += times_remove_steps(&r->table, r->first, i);
    for (int i = 0; i < r->columns; i++)
        if (r->fields[i].role == TIMES_STATE)
            failed += times_remove_failed(&r->table, r->first, i);
    say_removed(r,
                N_("study: %{file}: rows of job steps that are left out, as their jobs are there: "
                   "%{count}\n"),
                steps);
    say_removed(r,
                N_("study: %{file}: rows of jobs that did not complete, which are left out: "
                   "%{count}\n"),
                failed);
    return failed > 0 && r->table.count == r->first
               ? fail(r->failure, STATUS_USAGE, "%s: has no completed job", r->path)
               : STATUS_OK;
}

/* Fills merged cells of parameters; those of workers only if a number says that a row is one more
 * repetition, and not their mean. */
static void fill_merged(struct times_reader *r)
{
    for (int i = 0; i < r->columns && r->first; i++) {
        const enum times_role role = r->fields[i].role;
        const bool fills =
            role == TIMES_CURVE || role == TIMES_OTHER || (i == r->workers && r->repetition >= 0);
        r->filled[i] = fills && name_of(r, i)[0] && times_fill_merged(&r->table, r->first, i);
    }
}

static void report_merged(const struct times_reader *r)
{
    for (int i = 0; i < r->columns; i++)
        if (r->filled[i] && (i == r->workers || r->fields[i].role == TIMES_CURVE))
            screen_say(stderr,
                       N_("study: %{file}: a blank %{name} is the value above it, as of merged "
                          "cells\n"),
                       WITH({"file", r->path}, {"name", name_of(r, i)}));
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* True if a row has this value of a column and, with `same`, the same number of workers as a line;
 * without, another one. */
static bool meets(const struct times_reader *r, size_t line, int column, bool same_value,
                  bool same_workers)
{
    const char *value = times_table_field(&r->table, line, column);
    const char *workers = times_table_field(&r->table, line, r->workers);
    for (size_t i = r->first; i < r->table.count; i++)
        if (same_value == (strcmp(times_table_field(&r->table, i, column), value) == 0) &&
            same_workers == (strcmp(times_table_field(&r->table, i, r->workers), workers) == 0))
            return true;
    return false;
}

/* True if the values of a column are measured with several numbers of workers each, and some number
 * of workers with several values: a parameter, not what differs between repetitions. */
static bool is_crossed(const struct times_reader *r, int column)
{
    bool several = false;
    for (size_t i = r->first; i < r->table.count; i++) {
        if (!meets(r, i, column, true, false))
            return false;
        several = several || meets(r, i, column, false, true);
    }
    return several;
}

/* Marks the columns whose values are curves, and names them. */
static void choose_curves(struct times_reader *r)
{
    enum { LINES_MOST = 4096 }; /* is_crossed() compares all pairs of them */
    FILE *stream = fmemopen(r->out->curves, sizeof r->out->curves, "w");
    for (int i = 0; i < r->columns; i++) {
        const enum times_role role = r->fields[i].role;
        const bool curve =
            role == TIMES_CURVE || (role == TIMES_OTHER && r->first && name_of(r, i)[0] &&
                                    r->table.count <= LINES_MOST && is_crossed(r, i));
        r->fields[i].role = curve && differs(r, i) ? TIMES_CURVE
                            : role == TIMES_CURVE  ? TIMES_OTHER
                                                   : role;
        if (stream && r->fields[i].role == TIMES_CURVE)
            fprintf(stream, "%s%s", ftell(stream) > 0 ? ", " : "", name_of(r, i));
    }
    if (stream)
        fclose(stream);
}

/* Writes what a line measured: "Jacobi n = 1024". */
static enum status name_curve(const struct times_reader *r, size_t line, struct time_row *row)
{
    size_t used = 0;
    for (int i = 0; i < r->columns; i++) {
        if (r->fields[i].role != TIMES_CURVE)
            continue;
        const char *value = times_table_field(&r->table, line, i);
        double number;
        const bool is_number = csv_read_real(value, r->table.decimal, &number);
        const enum status status = text_compose(
            row->curve + used, sizeof row->curve - used, r->failure, "%s%s%s%s", used ? " " : "",
            is_number ? name_of(r, i) : "", is_number ? " = " : "", value);
        if (status != STATUS_OK)
            return status;
        used += strlen(row->curve + used);
    }
    return STATUS_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static enum status keep_row(struct times_reader *r, size_t line, const struct time_row *row)
{
    struct times *t = r->out;
    for (size_t i = 0; i < t->count && row->repetition != RECORD_NO_INT; i++)
        if (t->rows[i].workers == row->workers && t->rows[i].repetition == row->repetition &&
            strcmp(t->rows[i].curve, row->curve) == 0)
            return fail(r->failure, STATUS_USAGE,
                        "%s:%ld: repetition %" PRId64 " with %" PRId64 " workers is there twice",
                        r->path, r->table.lines[line].number, row->repetition, row->workers);
    struct time_row *grown = array_grow(t->rows, t->count, sizeof *grown);
    if (!grown)
        return fail(r->failure, STATUS_RESOURCE, "%s: not enough memory", r->path);
    t->rows = grown;
    t->rows[t->count++] = *row;
    return STATUS_OK;
}

static enum status refuse_time(const struct times_reader *r, size_t line, const char *text)
{
    double value;
    if (csv_read_real(text, ',', &value) && value > 0.0)
        return refuse(r, "either a decimal number or one of thousands: write a point, or no comma",
                      line, text);
    return refuse(r, "no number of seconds above 0", line, text);
}

/* Keeps the times of a line: one, or those of its repetitions, of which some may be missing. */
static enum status keep_times(struct times_reader *r, size_t line, struct time_row *row)
{
    enum status status = STATUS_OK;
    bool any = false;
    for (int i = 0; i < r->columns && status == STATUS_OK; i++) {
        const struct times_field *field = &r->fields[i];
        const char *text = times_table_field(&r->table, line, i);
        if (field->role != TIMES_SECONDS || (field->numbered && !text[0]))
            continue;
        if (!duration_read(text, r->table.decimal, field->unit, &row->seconds))
            return refuse_time(r, line, text);
        if (field->numbered)
            row->repetition = field->numbered;
        any = true;
        status = keep_row(r, line, row);
    }
    return any || status != STATUS_OK ? status : refuse_time(r, line, "");
}

/* Every field that counts is there, and none beyond the header: its names would be those of other
 * columns. Empty ones are what a spreadsheet leaves. */
static enum status check_count(const struct times_reader *r, size_t line)
{
    const struct times_line *l = &r->table.lines[line];
    for (int i = l->count; i < r->columns; i++)
        if (r->fields[i].role != TIMES_OTHER && r->fields[i].role != TIMES_IGNORED &&
            !r->fields[i].numbered)
            return fail(r->failure, STATUS_USAGE, "%s:%ld: this line has too few fields", r->path,
                        l->number);
    for (int i = r->columns; i < l->count; i++)
        if (l->fields[i][0])
            return fail(r->failure, STATUS_USAGE,
                        "%s:%ld: this line has more fields than the header, '%s' and on; with "
                        "decimal commas, separate fields by semicolons",
                        r->path, l->number, l->fields[i]);
    return STATUS_OK;
}

static enum status read_line(struct times_reader *r, size_t line)
{
    struct time_row row = {.repetition = RECORD_NO_INT};
    const char *workers = times_table_field(&r->table, line, r->workers);
    enum status status = check_count(r, line);
    if (status != STATUS_OK)
        return status;
    if (!read_count(workers, &row.workers) || row.workers < 1)
        return refuse(r, "no number of workers: a whole number from 1", line, workers);
    if (r->repetition >= 0) {
        const char *text = times_table_field(&r->table, line, r->repetition);
        if (!read_count(text, &row.repetition))
            return refuse(r, "no number of a repetition", line, text);
    }
    status = name_curve(r, line, &row);
    return status == STATUS_OK ? keep_times(r, line, &row) : status;
}

static enum status read_all(struct times_reader *r)
{
    if (r->table.count == 0)
        return fail(r->failure, STATUS_USAGE, "%s: has no times", r->path);
    read_columns(r);
    report_comment(r);
    enum status status = remove_jobs(r);
    if (status == STATUS_OK)
        status = choose_workers(r);
    if (status == STATUS_OK)
        status = choose_seconds(r);
    if (status == STATUS_OK)
        status = refuse_unnamed(r);
    if (status != STATUS_OK)
        return status;
    choose_repetition(r);
    fill_merged(r);
    choose_curves(r);
    report_merged(r);
    for (size_t i = r->first; i < r->table.count && status == STATUS_OK; i++)
        status = read_line(r, i);
    if (status == STATUS_OK && r->out->count == 0)
        return fail(r->failure, STATUS_USAGE, "%s: has no times", r->path);
    return status;
}

enum status times_read(struct times *out, const char *path, struct failure *f)
{
    struct times_reader r = {.out = out, .path = path, .failure = f};
    *out = (struct times){0};
    enum status status = times_table_read(&r.table, path, f);
    if (status != STATUS_OK)
        return status;
    status = read_all(&r);
    times_table_release(&r.table);
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
    snprintf(r.method, sizeof r.method, "%s", row->curve[0] ? row->curve : title);
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
    const struct results_path path = results_own_samples(results, name);
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

/* True if an earlier row has the same number of workers. */
static bool is_listed(const struct times *t, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (t->rows[i].workers == t->rows[row].workers)
            return true;
    return false;
}

static enum status write_definition(const struct times *t, const struct own_question *q,
                                    const char *title, const char *results, const char *name,
                                    struct failure *f)
{
    enum { NUMBERS_PER_LINE = 10 };
    char file[OWN_NAME + 4], *list = NULL;
    size_t size, listed = 0;
    FILE *stream = open_memstream(&list, &size);
    if (!stream)
        return fail(f, STATUS_RESOURCE, "not enough memory for the worker counts");
    for (size_t i = 0; i < t->count; i++)
        if (!is_listed(t, i)) {
            const char *before = listed % NUMBERS_PER_LINE ? " " : "\n  ";
            fprintf(stream, "%s%" PRId64, listed ? before : "", t->rows[i].workers);
            listed++;
        }
    fclose(stream);
    snprintf(file, sizeof file, "%s.ini", name);
    const enum status status =
        own_definition_of_times(q, title, list, results_file(results, file).text, f);
    free(list);
    return status;
}

/* Speedups need the times of the workers that they are counted from. */
static enum status check_base(const struct times *t, int64_t base, struct failure *f)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < t->count; i++) {
        if (t->rows[i].workers == base)
            return STATUS_OK;
        if (t->rows[i].workers < least)
            least = t->rows[i].workers;
    }
    if (base > 1)
        return fail(f, STATUS_USAGE, "--base: there are no times with %" PRId64 " workers", base);
    return fail(f, STATUS_USAGE,
                "--csv: there are no times with one worker; --base %" PRId64
                " counts speedups from %" PRId64 " workers",
                least, least);
}

enum status times_import(const struct times *t, const struct own_question *q, const char *title,
                         const char *results, const char *name, struct failure *f)
{
    struct results_lock lock;
    enum status status = check_base(t, q->base > 1 ? q->base : 1, f);
    if (status == STATUS_OK)
        status = results_make(results, f);
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
