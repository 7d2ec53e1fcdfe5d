#include "harness/records/table.h"

#include "harness/base/text/csv_field.h"
#include "harness/base/text/fit.h"
#include "harness/records/bytes.h"
#include "harness/records/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 4 * TABLE_LINE_MAX, /* bytes read at a time */
    FIELDS_MAX = 1024           /* columns of a file, known or not */
};

/* ---- lines ---------------------------------------------------------------------------------- */

/* The lines of a file, one at a time, in memory of fixed size. */
struct lines {
    struct bytes source;
    char bytes[CHUNK + 1];
    size_t begin, end; /* bytes read and not yet delivered */
    bool at_end;       /* nothing is left to read */
    char newline;      /* what ends a line: LF, or CR in files of old Macs; 0: not known yet */
};

enum line_kind { LINE_WHOLE, LINE_TOO_LONG, LINE_TORN, LINE_NONE };

/* Reads more bytes after those that are left; returns false at the end of the file. */
static bool refill(struct lines *in)
{
    memmove(in->bytes, in->bytes + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
    const ssize_t got = bytes_read(&in->source, in->bytes + in->end, CHUNK - in->end);
    in->at_end = got <= 0;
    in->end += got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* Returns the end of a line in text, or NULL. The newline of the first line is that of all: a CR
 * without an LF is the newline of old Macs. */
static char *find_newline(struct lines *in, char *text, size_t length)
{
    if (in->newline)
        return memchr(text, in->newline, length);
    const char *cr = memchr(text, '\r', length), *lf = memchr(text, '\n', length);
    const bool alone = cr && (!lf || cr < lf) && cr + 1 < text + length && cr[1] != '\n';
    if (!alone && !lf)
        return NULL;
    in->newline = alone ? '\r' : '\n';
    return memchr(text, in->newline, length);
}

/* Returns the next line, with its newline replaced by 0. A line that is too long is skipped. */
static enum line_kind next_line(struct lines *in, char **line, size_t *length)
{
    bool too_long = false;
    size_t scanned = 0;
    for (;;) {
        char *from = in->bytes + in->begin;
        char *newline = find_newline(in, from + scanned, in->end - in->begin - scanned);
        if (newline) {
            *newline = '\0';
            *line = from;
            *length = (size_t)(newline - from);
            in->begin += *length + 1;
            return too_long || *length >= TABLE_LINE_MAX ? LINE_TOO_LONG : LINE_WHOLE;
        }
        scanned = in->newline ? in->end - in->begin : 0;
        if (in->end - in->begin >= TABLE_LINE_MAX) {
            too_long = true;
            in->begin = in->end;
            scanned = 0;
        }
        if (in->at_end || !refill(in))
            return too_long || in->begin < in->end ? LINE_TORN : LINE_NONE;
    }
}

/* ---- fields --------------------------------------------------------------------------------- */

/* Splits a line in place. Returns the number of fields; 0 if quoting is bad, the line contains a 0
 * byte, or there are too many fields. */
static size_t split(char *line, size_t length, char separator, char *fields[FIELDS_MAX])
{
    const char *end = line + length;
    size_t count = 0;
    for (char *at = line; count < FIELDS_MAX; at++) {
        fields[count++] = at;
        at = csv_field_end(at, separator);
        if (!at)
            return 0;
        if (*at == '\0')
            return at == end ? count : 0;
        *at = '\0';
    }
    return 0;
}

static bool read_field(const struct column *column, const char *text, char sign, char *field)
{
    if (column->type == COLUMN_TEXT) {
        size_t length = strlen(text);
        if (length >= column->size)
            return false;
        memcpy(field, text, length + 1);
        return true;
    }
    if (!*text)
        return true; /* not available, as table_blank left it */
    if (column->type == COLUMN_INT) {
        int64_t value;
        bool good = csv_read_integer(text, &value);
        if (good)
            memcpy(field, &value, sizeof value);
        return good;
    }
    double value;
    bool good = csv_read_real(text, sign, &value);
    if (good)
        memcpy(field, &value, sizeof value);
    return good;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Columns without which a row belongs to nothing, in every kind of file that has them. */
static const char *const identity[] = {"run_id", "sample"};
enum { IDENTITY_MAX = sizeof identity / sizeof *identity };

/* A move between two columns of one type, for rows of the operator `of`. */
struct move {
    const char *of;
    size_t operator_name;
    const struct column *before, *now;
};

struct reader {
    const struct schema *schema;
    const char *first; /* first field of the rows that are read; NULL: of any */
    const char *path;
    struct lines lines;
    char *fields[FIELDS_MAX];
    int column_of[FIELDS_MAX]; /* field -> column of the schema, -1 where unknown */
    size_t field_count;
    int64_t header_line;                           /* its number: 1, or 2 behind a line "sep=;" */
    char separator;                                /* of fields */
    char decimal_sign;                             /* 0: no number has had one so far */
    size_t identity[IDENTITY_MAX], identity_count; /* the fields of a row's identity */
    struct move moves[COLUMN_MOVES_MAX];
    size_t move_count;
    struct record_report report;
};

/* Finds the moves between columns that the schema has. */
static void find_moves(struct reader *in)
{
    const struct schema *s = in->schema;
    const struct column_move *m;
    in->move_count = 0;
    for (size_t i = 0; (m = column_move_at(i)); i++) {
        const int operator_name = table_find(s, "operator");
        const int before = table_find(s, m->before), now = table_find(s, m->now);
        if (operator_name >= 0 && before >= 0 && now >= 0)
            in->moves[in->move_count++] =
                (struct move){m->operator_name, s->columns[operator_name].offset,
                              &s->columns[before], &s->columns[now]};
    }
}

/* Whether a line is passed over unread. A quoted field is looked at by whoever visits the row. */
static bool is_passed_over(const struct reader *in, const char *line)
{
    const size_t length = in->first ? strlen(in->first) : 0;
    return in->first && *line != '"' &&
           (strncmp(line, in->first, length) != 0 || line[length] != in->separator);
}

/* A line that is passed over has one field, which is empty. */
static enum line_kind read_line(struct reader *in, size_t *fields)
{
    char *line;
    size_t length;
    enum line_kind kind = next_line(&in->lines, &line, &length);
    *fields = 0;
    if (kind != LINE_WHOLE)
        return kind;
    if (length > 0 && line[length - 1] == '\r') /* line ends of a spreadsheet */
        line[--length] = '\0';
    if (!in->separator) { /* the header, or a line before it that names the separator */
        char *after = csv_skip_mark(line);
        length -= (size_t)(after - line);
        line = after;
        in->separator = csv_stated_separator(line);
        if (in->separator && in->header_line++ == 1)
            return read_line(in, fields);
        in->separator = csv_separator(line);
    }
    if (is_passed_over(in, line)) {
        line += length;
        length = 0;
    }
    *fields = split(line, length, in->separator, in->fields);
    return kind;
}

static bool seen_before(const struct reader *in, size_t field)
{
    for (size_t i = 0; i < field; i++)
        if (in->column_of[i] == in->column_of[field])
            return true;
    return false;
}

static void find_identity(struct reader *in)
{
    in->identity_count = 0;
    for (size_t i = 0; i < in->field_count; i++)
        for (size_t j = 0; j < IDENTITY_MAX && in->column_of[i] >= 0; j++)
            if (strcmp(in->schema->columns[in->column_of[i]].name, identity[j]) == 0)
                in->identity[in->identity_count++] = i;
}

static bool has_column(const struct reader *in, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < in->field_count && !found; i++)
        found =
            in->column_of[i] >= 0 && strcmp(in->schema->columns[in->column_of[i]].name, name) == 0;
    return found;
}

static const char *absent_of(const struct reader *in, const char *const names[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!has_column(in, names[i]))
            return names[i];
    return NULL;
}

/* Finds a column that a file of samples of ours has lost, and without which samples of different
 * points or launches would become one: somebody deleted or renamed it. A file is ours if it has the
 * identity of rows, or the total time and all columns that every row of every version has filled
 * (a tidy table of points has no total time); columns that may be empty may be deleted. NULL: none.
 */
static const char *lost_column(const struct reader *in)
{
    static const char *const filled[] = {"program", "operator", "space", "method"};
    if (in->schema != &record_schema)
        return NULL;
    const char *of_identity = absent_of(in, identity, IDENTITY_MAX);
    const char *of_filled = absent_of(in, filled, sizeof filled / sizeof *filled);
    if (!of_identity)
        return of_filled;
    return !of_filled && has_column(in, "total_s") ? of_identity : NULL;
}

static enum status read_header(struct reader *in, struct failure *f)
{
    enum line_kind kind = read_line(in, &in->field_count);
    if (in->lines.source.error)
        return STATUS_OK; /* reported once, by the caller */
    if (csv_is_utf16(in->lines.bytes, in->lines.end))
        return csv_refuse_utf16(in->path, f);
    if (kind != LINE_WHOLE || in->field_count == 0)
        return fail(f, STATUS_USAGE, "%s: has no header line", in->path);
    while (in->field_count > 1 && !in->fields[in->field_count - 1][0])
        in->field_count--; /* columns without a name behind the last one */
    int64_t known = 0;
    for (size_t i = 0; i < in->field_count; i++) {
        in->column_of[i] = table_find(in->schema, column_name_now(in->fields[i]));
        known += in->column_of[i] >= 0;
        if (in->column_of[i] >= 0 && seen_before(in, i))
            return fail(f, STATUS_USAGE, "%s: column '%s' stands twice in the header", in->path,
                        in->fields[i]);
    }
    if (known == 0)
        return fail(f, STATUS_USAGE, "%s: its header has none of our columns, it begins with '%s'",
                    in->path, in->fields[0]);
    const char *lost = lost_column(in);
    if (lost)
        return fail(f, STATUS_USAGE,
                    "%s: its header has lost the column '%s', which tells its rows apart: restore "
                    "it",
                    in->path, lost);
    find_identity(in);
    in->report.missing_columns = (int64_t)in->schema->count - known;
    in->report.unknown_columns = (int64_t)in->field_count - known;
    return STATUS_OK;
}

static bool is_available(const struct column *c, const char *row)
{
    int64_t value;
    if (c->type == COLUMN_TEXT)
        return row[c->offset];
    memcpy(&value, row + c->offset, sizeof value);
    return value != RECORD_NO_INT;
}

/* Moves values from the column of an earlier version to the column of this version. */
static void move_values(const struct reader *in, const char *blank, char *row)
{
    for (size_t i = 0; i < in->move_count; i++) {
        const struct move *m = &in->moves[i];
        if (strcmp(row + m->operator_name, m->of) != 0 || !is_available(m->before, row) ||
            is_available(m->now, row))
            continue;
        memcpy(row + m->now->offset, row + m->before->offset, m->now->size);
        memcpy(row + m->before->offset, blank + m->before->offset, m->before->size);
    }
}

static enum status open_reader(struct reader *in, const char *path, const struct schema *schema,
                               struct failure *f)
{
    in->schema = schema;
    in->first = NULL;
    in->path = in->lines.source.path;
    in->report = (struct record_report){0};
    in->separator = in->decimal_sign = 0;
    in->header_line = 1;
    find_moves(in);
    in->lines.begin = in->lines.end = 0;
    in->lines.at_end = false;
    in->lines.newline = 0;
    return bytes_open(&in->lines.source, path, f);
}

/* Notes the real numbers of a file that is open a second time, until one has a point. */
static void note_decimals(struct reader *again, struct csv_decimals *seen)
{
    size_t fields;
    if (read_header(again, NULL) != STATUS_OK)
        return;
    for (enum line_kind kind; !seen->points;) {
        kind = read_line(again, &fields);
        if (kind == LINE_NONE || kind == LINE_TORN)
            return;
        for (size_t i = 0; fields >= again->field_count && i < again->field_count; i++)
            if (again->column_of[i] >= 0 &&
                again->schema->columns[again->column_of[i]].type == COLUMN_REAL)
                csv_decimals_note(seen, again->fields[i]);
    }
}

/* Settles the decimal sign at the first number that has one. Programs write points; for a comma,
 * all numbers of the file are looked at. */
static void find_decimal_sign(struct reader *in, const char *number)
{
    struct csv_decimals seen = {0};
    csv_decimals_note(&seen, number);
    if (!seen.points && !seen.commas && !seen.unclear)
        return;
    struct reader *again = seen.points ? NULL : malloc(sizeof *again);
    if (again && open_reader(again, in->path, in->schema, NULL) == STATUS_OK) {
        note_decimals(again, &seen);
        bytes_close(&again->lines.source);
    }
    free(again);
    in->decimal_sign = csv_decimals_are_commas(&seen) ? ',' : '.';
}

/* Says why a row is left out, if it is the first. Returns false. */
__attribute__((format(printf, 2, 3))) static bool leave_out(struct reader *in, const char *format,
                                                            ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (in->report.corrupt == 0)
        text_fit_arguments(in->report.first_corrupt, sizeof in->report.first_corrupt, format,
                           arguments);
    va_end(arguments);
    return false;
}

static bool has_identity(struct reader *in)
{
    size_t filled = 0;
    for (size_t i = 0; i < in->field_count && filled == 0; i++)
        filled += in->fields[i][0] != '\0';
    if (filled == 0)
        return leave_out(in, "all fields are empty");
    for (size_t i = 0; i < in->identity_count; i++)
        if (!in->fields[in->identity[i]][0])
            return leave_out(in, "%s is empty",
                             in->schema->columns[in->column_of[in->identity[i]]].name);
    return true;
}

/* The fields of a row, without empty ones behind the last column. */
static size_t count_fields(const struct reader *in, size_t fields)
{
    while (fields > in->field_count && !in->fields[fields - 1][0])
        fields--;
    return fields;
}

static bool read_row(struct reader *in, size_t fields, const char *blank, char *row)
{
    memcpy(row, blank, in->schema->row_bytes);
    if (fields == 0)
        return leave_out(in, "its quotes are wrong, or it is too long");
    fields = count_fields(in, fields);
    if (fields != in->field_count)
        return leave_out(in, "it has %zu fields, the header has %zu", fields, in->field_count);
    for (size_t i = 0; i < fields; i++) {
        if (in->column_of[i] < 0)
            continue;
        const struct column *column = &in->schema->columns[in->column_of[i]];
        if (column->type == COLUMN_REAL && !in->decimal_sign)
            find_decimal_sign(in, in->fields[i]);
        if (!read_field(column, in->fields[i], in->decimal_sign, row + column->offset))
            return leave_out(in, "%s is '%s'", column->name, text_brief(in->fields[i], 80).text);
    }
    if (!has_identity(in))
        return false;
    move_values(in, blank, row);
    return true;
}

/* Programs that end lines twice leave empty ones between the rows. */
static bool is_empty(const struct reader *in, size_t fields)
{
    return fields == 1 && in->field_count > 1 && in->fields[0][0] == '\0';
}

/* Returns false if the visitor stopped the reading. */
static bool read_rows(struct reader *in, const char *blank, char *row, table_visitor *visit,
                      void *context)
{
    for (int64_t line = in->header_line + 1;; line++) {
        size_t fields;
        enum line_kind kind = read_line(in, &fields);
        if (kind == LINE_NONE || kind == LINE_TORN) {
            in->report.torn = kind == LINE_TORN;
            return true;
        }
        if (is_empty(in, fields))
            continue;
        if (!read_row(in, fields, blank, row)) {
            if (in->report.corrupt++ == 0)
                in->report.first_corrupt_line = line;
            continue;
        }
        in->report.rows++;
        if (!visit(row, line, context))
            return false;
    }
}

/* More rows left out than read: whoever goes on would use the minority of a file. */
static enum status check_left_out(const struct reader *in, struct failure *f)
{
    const struct record_report *r = &in->report;
    if (r->corrupt <= r->rows)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "%s:%" PRId64 ": %s; %" PRId64 " of %" PRId64 " rows cannot be read", in->path,
                r->first_corrupt_line, r->first_corrupt, r->corrupt, r->rows + r->corrupt);
}

static enum status read_all(struct reader *in, const char *first, table_visitor *visit,
                            void *context, struct failure *f)
{
    enum status status = read_header(in, f);
    if (status == STATUS_OK && in->field_count > 1 && in->column_of[0] == 0)
        in->first = first;
    if (status == STATUS_OK && !in->lines.source.error) {
        char *rows = malloc(2 * in->schema->row_bytes);
        if (!rows)
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", in->path);
        table_blank(in->schema, rows);
        if (read_rows(in, rows, rows + in->schema->row_bytes, visit, context) &&
            !in->lines.source.error)
            status = check_left_out(in, f);
        free(rows);
    }
    if (in->lines.source.error)
        status = fail(f, STATUS_USAGE, "%s: cannot be read: %s", in->path, in->lines.source.error);
    return status;
}

enum status table_read(const char *path, const struct schema *schema, table_visitor *visit,
                       void *context, struct record_report *report, struct failure *f)
{
    return table_read_of(path, schema, NULL, visit, context, report, f);
}

enum status table_read_of(const char *path, const struct schema *schema, const char *first,
                          table_visitor *visit, void *context, struct record_report *report,
                          struct failure *f)
{
    if (report)
        *report = (struct record_report){0};
    struct reader *in = malloc(sizeof *in);
    if (!in)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    enum status status = open_reader(in, path, schema, f);
    if (status == STATUS_OK) {
        status = read_all(in, first, visit, context, f);
        bytes_close(&in->lines.source);
    }
    if (report)
        *report = in->report;
    free(in);
    return status;
}

bool table_is_begun(const char *path)
{
    char head[TABLE_LINE_MAX];
    struct bytes source;
    if (!bytes_are_there(path))
        return errno != ENOENT && errno != ENOTDIR;
    if (bytes_open(&source, path, NULL) != STATUS_OK)
        return true;
    const ssize_t got = bytes_read(&source, head, sizeof head);
    bytes_close(&source);
    return got < 0 || got == (ssize_t)sizeof head || memchr(head, '\n', (size_t)got) ||
           memchr(head, '\r', (size_t)got);
}
