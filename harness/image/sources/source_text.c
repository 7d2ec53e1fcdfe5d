/* Text matrices: a row of numbers per line, separated by blanks, tabs or commas; planes separated
 * by empty lines. A line such as "1,5 2,5", whose commas may be decimal signs, is refused; comments
 * from # to the end of a line. Lines may end with LF, CR LF or CR. A UTF-8 byte order mark is
 * skipped. Read once, then held in memory as float32.
 *
 * A .csv is the same, except that one with a semicolon has semicolons alone between its numbers,
 * which then may have decimal commas, as spreadsheets write where the decimal sign is a comma. In a
 * .tsv, and in a .csv with tabs but neither commas nor semicolons, each tab separates, so that an
 * empty cell is seen. As spreadsheets write both, numbers may be quoted, lines may end with
 * separators (one without a number is an empty line), and "sep=;" may come first: it names the
 * comma, semicolon or tab that separates. */
#include "harness/base/regular_file.h"
#include "harness/base/text/fit.h"
#include "harness/image/numbers.h"
#include "harness/image/sources/source_kind.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NUMBER = 1023 }; /* characters; a double written out in full can take 768 digits */

/* The state of the reader. Lines and columns of the text count from 1. */
struct reader {
    FILE *stream;
    const char *name;
    bool csv;   /* a header is likely in the first line */
    char parts; /* what separates numbers, besides blanks: a comma, a semicolon or a tab */
    char point; /* the decimal sign that numbers have had so far: 0, '.' or ',' */
    int64_t line, character;
    bool after_cr; /* a CR ended the previous line: an LF that follows is part of it */

    float *values;
    unsigned char *rounded; /* one bit per value */
    int64_t count, capacity;
    bool any_rounded;

    int64_t row_count;              /* values in the row being read */
    int64_t cols, first_line;       /* width and line of the first row; 0 before it */
    int64_t plane_rows, plane_line; /* rows and first line of the current plane */
    int64_t rows, planes;           /* rows of the first plane; planes completed */
    bool comma;                     /* the last token in this line was a separator */
    int64_t comma_at;               /* its column */
    int64_t gap;         /* column of the first comma of this line with no number before it, or 0 */
    bool tight;          /* the last number ends right before a comma */
    int64_t tight_comma; /* column of the first comma of this line between two digits, or 0 */
    bool blanks;         /* two numbers of this line have nothing but blanks between them */
};

static bool is_digit(int ch)
{
    return ch >= '0' && ch <= '9';
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

static bool is_nan(const char *text)
{
    return strcasecmp(text + (*text == '+' || *text == '-'), "nan") == 0;
}

/* True for [+-] digits [. digits] [e [+-] digits], with a digit before the exponent. Stricter than
 * strtod, which accepts hexadecimal numbers, inf and nan. */
static bool is_decimal(const char *text)
{
    const char *at = text + (*text == '+' || *text == '-');
    const char *whole = at;
    at = skip_digits(at);
    int64_t digits = at - whole;
    if (*at == '.') {
        const char *fraction = ++at;
        at = skip_digits(at);
        digits += at - fraction;
    }
    if (digits == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        if (!is_digit(*at))
            return false;
        at = skip_digits(at);
    }
    return *at == '\0';
}

static enum status grow(struct reader *r, struct failure *f)
{
    int64_t capacity = r->capacity < 256 ? 256 : r->capacity + r->capacity / 2 / 8 * 8;
    float *values = realloc(r->values, (size_t)capacity * sizeof *values);
    if (values)
        r->values = values;
    unsigned char *rounded = values ? realloc(r->rounded, (size_t)capacity / 8) : NULL;
    if (rounded)
        r->rounded = rounded;
    if (!rounded)
        return fail(f, STATUS_RESOURCE, "%s: line %" PRId64 ": no memory for more values", r->name,
                    r->line);
    memset(rounded + r->capacity / 8, 0, (size_t)(capacity - r->capacity) / 8);
    r->capacity = capacity;
    return STATUS_OK;
}

static bool has_letter(const char *text)
{
    while (*text && !isalpha((unsigned char)*text))
        text++;
    return *text != '\0';
}

/* Why a text that stands for a number may be none, where people are often surprised; otherwise "".
 */
static const char *advice_on(const struct reader *r, const char *text)
{
    if (r->parts == ';' && strchr(text, ','))
        return ": with semicolons between numbers, a comma is a decimal sign";
    if (r->parts == '\t' && strpbrk(text, ",;"))
        return ": tabs separate the numbers here, and a point is the decimal sign";
    if (r->csv && r->parts == ',' && strchr(text, ','))
        return ": is its comma a decimal sign or between thousands? Write it with a point";
    if (r->csv && r->count == 0 && has_letter(text))
        return ": a header? Remove it: an image is numbers alone";
    if (strchr(text, ';'))
        return ": numbers are separated by blanks, tabs or commas";
    if (strchr(text, '\x7f'))
        return ": text with zero bytes, as in UTF-16; save it in UTF-8";
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at >= 0x80)
            return ": it has a character that is not ASCII, such as a no-break space";
    if (text[strspn(text, "+-.")] == '"')
        return ": numbers are not quoted";
    return *text && strchr("[]{}()%", *text) ? ": only numbers, and comments from # on, are read"
                                             : "";
}

/* With semicolons between numbers: changes a decimal comma into a point. All numbers of a file have
 * the same sign. */
static enum status settle_point(struct reader *r, char *text, int64_t column, struct failure *f)
{
    char *sign = r->parts == ';' ? strpbrk(text, ".,") : NULL;
    if (!sign || strpbrk(sign + 1, ".,") || (*sign == ',' && !is_digit(sign[1])))
        return STATUS_OK;
    if (r->point && r->point != *sign)
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64
                    ": decimal commas and decimal points in one file: write all in one way",
                    r->name, r->line, column);
    r->point = *sign;
    *sign = '.';
    return STATUS_OK;
}

static enum status add_value(struct reader *r, const char *text, int64_t column, struct failure *f)
{
    if (!is_decimal(text) && !is_nan(text))
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64 ": '%s' is not a decimal number%s",
                    r->name, r->line, column, text_brief(text, 40).text, advice_on(r, text));
    if (r->count == r->capacity) {
        enum status status = grow(r, f);
        if (status != STATUS_OK)
            return status;
    }
    double value = strtod(text, NULL), bad = 0.0;
    struct image_facts facts = IMAGE_FACTS_NONE;
    if (isnan(value)) /* read_memory() decides */
        r->values[r->count] = NAN;
    else if (numbers_narrow(&value, 1, &r->values[r->count], 1, &facts, &bad) != 1)
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64 ": %s is too large for float32",
                    r->name, r->line, column, text_brief(text, 40).text);
    if (facts.rounded) {
        r->rounded[r->count / 8] |= (unsigned char)(1U << (r->count % 8));
        r->any_rounded = true;
    }
    r->count++;
    r->row_count++;
    r->comma = false;
    return STATUS_OK;
}

/* Returns the next character, '\n' for every kind of line end. Reads nothing ahead, so that a typed
 * line does not wait for the next one. */
static int next_character(struct reader *r)
{
    int ch = getc_unlocked(r->stream);
    if (ch == '\n' && r->after_cr)
        ch = getc_unlocked(r->stream);
    r->after_cr = ch == '\r';
    r->character++;
    return ch == '\r' ? '\n' : ch;
}

static bool parts_values(const struct reader *r, int ch)
{
    return ch == ' ' || ch == '\t' || ch == r->parts || ch == '\n' || ch == '#' || ch == EOF;
}

/* A comma, or another separator, has no number on one side. */
static enum status refuse_comma(const struct reader *r, bool before, int64_t column,
                                struct failure *f)
{
    if (r->parts == '\t')
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64 ": a tab with no number on one side",
                    r->name, r->line, column);
    if (r->parts == ';')
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64
                    ": a semicolon with no number on one side",
                    r->name, r->line, column);
    return before
               ? fail(f, STATUS_USAGE,
                      "%s: line %" PRId64 ", column %" PRId64
                      ": a comma without a number before it",
                      r->name, r->line, column)
               : fail(f, STATUS_USAGE,
                      "%s: line %" PRId64 ", column %" PRId64 ": a comma without a number after it",
                      r->name, r->line, column);
}

/* The text of a value while it is read. */
struct word {
    char text[LONGEST_NUMBER + 1];
    size_t length;
    int64_t column; /* of its first character */
};

static enum status add_character(const struct reader *r, struct word *w, int ch, struct failure *f)
{
    if (w->length == LONGEST_NUMBER)
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64 ": a number of more than %d characters",
                    r->name, r->line, w->column, LONGEST_NUMBER);
    w->text[w->length++] = ch ? (char)ch : '\x7f'; /* a NUL would end the text: make it invalid */
    return STATUS_OK;
}

/* True if the # just read belongs to "1.#INF", as older C libraries print infinity, and begins no
 * comment: "1.#IND" and "1.#QNAN", or rounded to two digits "1.#J" and "1.#R", stand for NaN. */
static bool is_old_infinity(const struct reader *r, const struct word *w)
{
    if (w->length == 0 || w->text[w->length - 1] != '.')
        return false;
    const int ch = getc_unlocked(r->stream);
    ungetc(ch, r->stream);
    return ch > 0 && strchr("IJNQRS", ch);
}

static enum status read_plain(struct reader *r, struct word *w, int ch, int *next,
                              struct failure *f)
{
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && (!parts_values(r, ch) || (ch == '#' && is_old_infinity(r, w)));
         ch = next_character(r))
        status = add_character(r, w, ch, f);
    *next = ch;
    return status;
}

/* Reads what is between quotes, the first of which has been read. */
static enum status read_quoted(struct reader *r, struct word *w, int *next, struct failure *f)
{
    enum status status = STATUS_OK;
    int ch = next_character(r);
    for (; status == STATUS_OK && ch != '"' && ch != '\n' && ch != EOF; ch = next_character(r))
        status = add_character(r, w, ch, f);
    if (status != STATUS_OK)
        return status;
    if (ch != '"')
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64 ": a quote that is not closed", r->name,
                    r->line, w->column);
    *next = next_character(r);
    if (!parts_values(r, *next))
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64
                    ": after a closing quote, only a separator may follow",
                    r->name, r->line, r->character);
    return STATUS_OK;
}

/* Reads the text of the value that starts with ch; *next is the character after it. */
static enum status read_word(struct reader *r, struct word *w, int ch, int *next, struct failure *f)
{
    w->length = 0;
    w->column = r->character;
    enum status status =
        r->csv && ch == '"' ? read_quoted(r, w, next, f) : read_plain(r, w, ch, next, f);
    w->text[w->length] = '\0';
    return status;
}

/* Reads the value that starts with ch; *next is the character after it. */
static enum status read_value(struct reader *r, int ch, int *next, struct failure *f)
{
    struct word w;
    enum status status =
        r->gap > 0 ? refuse_comma(r, true, r->gap, f) : read_word(r, &w, ch, next, f);
    if (status != STATUS_OK)
        return status;
    r->blanks |= r->row_count > 0 && !r->comma;
    if (r->comma && r->tight && w.column == r->comma_at + 1 && r->tight_comma == 0)
        r->tight_comma = r->comma_at;
    r->tight = *next == r->parts;
    status = settle_point(r, w.text, w.column, f);
    return status == STATUS_OK ? add_value(r, w.text, w.column, f) : status;
}

/* Reads what separates numbers. In a .csv, more of them may end a line. */
static enum status take_comma(struct reader *r, struct failure *f)
{
    const bool gap = r->comma || r->row_count == 0;
    if (gap && !r->csv)
        return refuse_comma(r, true, r->character, f);
    r->gap = gap && r->gap == 0 ? r->character : r->gap;
    r->comma = true;
    r->comma_at = r->character;
    return STATUS_OK;
}

/* At the end of a line. */
static enum status check_separators(const struct reader *r, struct failure *f)
{
    if (r->parts != ',' && r->blanks)
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64
                    ": blanks between numbers, in a file with semicolons or tabs: "
                    "separate all numbers in one way",
                    r->name, r->line);
    if (r->parts == ',' && r->tight_comma > 0 && r->blanks)
        return fail(f, STATUS_USAGE,
                    "%s: line %" PRId64 ", column %" PRId64
                    ": this line has commas within numbers and blanks between them: write decimals "
                    "with points, or separate all numbers in one way",
                    r->name, r->line, r->tight_comma);
    return STATUS_OK;
}

/* Reads one line. *last: the stream ended with it. *blank: the line is empty, without even a
 * comment. */
static enum status read_line(struct reader *r, bool *last, bool *blank, struct failure *f)
{
    r->line++;
    r->character = 0;
    r->row_count = 0;
    r->comma = r->tight = r->blanks = false;
    r->tight_comma = r->gap = 0;
    *blank = true;
    int ch = next_character(r);
    while (ch != '\n' && ch != EOF) {
        enum status status = STATUS_OK;
        if (ch == '#') {
            *blank = false;
            while (ch != '\n' && ch != EOF)
                ch = next_character(r);
        } else if (ch == r->parts) {
            status = take_comma(r, f);
            ch = next_character(r);
        } else if (parts_values(r, ch)) {
            ch = next_character(r);
        } else {
            *blank = false;
            status = read_value(r, ch, &ch, f);
        }
        if (status != STATUS_OK)
            return status;
    }
    if (r->comma && !r->csv)
        return refuse_comma(r, false, r->comma_at, f);
    *last = ch == EOF;
    return check_separators(r, f);
}

static enum status end_row(struct reader *r, struct failure *f)
{
    if (r->cols == 0) {
        r->cols = r->row_count;
        r->first_line = r->line;
    }
    if (r->row_count != r->cols)
        return fail(f, STATUS_USAGE,
                    "%s: ragged rows: line %" PRId64 " has %" PRId64 " numbers, line %" PRId64
                    " has %" PRId64,
                    r->name, r->line, r->row_count, r->first_line, r->cols);
    if (r->plane_rows == 0)
        r->plane_line = r->line;
    r->plane_rows++;
    return STATUS_OK;
}

/* Ends a plane, if one has begun. */
static enum status end_plane(struct reader *r, struct failure *f)
{
    if (r->plane_rows == 0)
        return STATUS_OK;
    if (r->planes == 0)
        r->rows = r->plane_rows;
    if (r->plane_rows != r->rows)
        return fail(f, STATUS_USAGE,
                    "%s: ragged planes: the one that starts in line %" PRId64 " has %" PRId64
                    " rows, the first has %" PRId64,
                    r->name, r->plane_line, r->plane_rows, r->rows);
    r->planes++;
    r->plane_rows = 0;
    return STATUS_OK;
}

/* True for the first bytes of PNG, npy, JPEG, gzip, NIfTI and UTF-16. No number begins with one. */
static bool is_suspicious(int byte)
{
    return byte != EOF && memchr("\x89\x93\xff\xfe\x1f\x1c\\\0", byte, 8);
}

/* Why a stream is refused whose first byte is suspicious. */
static enum status refuse_beginning(const struct reader *r, int first, struct failure *f)
{
    const int second = getc_unlocked(r->stream);
    if ((first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff) ||
        (first == 0 && second > 0))
        return fail(f, STATUS_USAGE, "%s: is text in UTF-16: save it in UTF-8", r->name);
    if (first == '\\' && second != 1) /* NIfTI-1 begins with 348, in two bytes */
        return fail(f, STATUS_USAGE, "%s: line 1, column 1: no decimal number", r->name);
    return fail(f, STATUS_USAGE, "%s: is no text: give the name of a picture or array by -i",
                r->name);
}

/* Skips the invisible mark that some editors write at the beginning of UTF-8. */
static enum status skip_byte_order_mark(struct reader *r, struct failure *f)
{
    const int first = getc_unlocked(r->stream);
    if (is_suspicious(first))
        return refuse_beginning(r, first, f);
    if (first != 0xef) {
        ungetc(first, r->stream);
        return STATUS_OK;
    }
    const int second = getc_unlocked(r->stream), third = getc_unlocked(r->stream);
    if (second == 0xbb && third == 0xbf)
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "%s: line 1, column 1: no decimal number", r->name);
}

/* Takes the first line of a .csv if it is "sep=;", which tells spreadsheets what separates. */
static enum status take_separator_line(struct reader *r, struct failure *f)
{
    char first[4];
    const long start = ftell(r->stream);
    if (fread(first, 1, sizeof first, r->stream) != sizeof first || memcmp(first, "sep=", 4) != 0) {
        fseek(r->stream, start, SEEK_SET);
        return STATUS_OK;
    }
    r->line++;
    const int named = next_character(r), end = next_character(r);
    if ((named != ',' && named != ';' && named != '\t') || (end != '\n' && end != EOF))
        return fail(f, STATUS_USAGE,
                    "%s: line 1: after 'sep=', only a comma, a semicolon or a tab is read",
                    r->name);
    r->parts = (char)named;
    return STATUS_OK;
}

static enum status read_lines(struct reader *r, struct failure *f)
{
    bool last = false;
    enum status status = skip_byte_order_mark(r, f);
    if (status == STATUS_OK && r->csv)
        status = take_separator_line(r, f);
    while (status == STATUS_OK && !last) {
        bool blank = false;
        status = read_line(r, &last, &blank, f);
        if (status == STATUS_OK && r->row_count > 0)
            status = end_row(r, f);
        if (status == STATUS_OK && (last || blank))
            status = end_plane(r, f);
    }
    if (status != STATUS_OK)
        return status;
    if (ferror(r->stream))
        return fail(f, failure_status_of(errno, STATUS_USAGE), "%s: cannot read it: %s", r->name,
                    strerror(errno));
    if (r->planes == 0)
        return fail(f, STATUS_USAGE, "%s: holds no number", r->name);
    return STATUS_OK;
}

/* Reads in the C locale: numbers have a decimal point whatever the user's language. */
static enum status read_in_c_locale(struct reader *r, struct failure *f)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c)
        return fail(f, STATUS_RESOURCE, "%s: no memory to read it", r->name);
    locale_t before = uselocale(c);
    enum status status = read_lines(r, f);
    uselocale(before);
    freelocale(c);
    return status;
}

/* Reads to the end of the reader's stream. */
static enum status open_reader(struct source **out, struct reader *r, struct failure *f)
{
    *out = NULL;
    enum status status = read_in_c_locale(r, f);
    if (status != STATUS_OK) {
        free(r->values);
        free(r->rounded);
        return status;
    }
    if (!r->any_rounded) {
        free(r->rounded);
        r->rounded = NULL;
    }
    struct image_shape shape = {r->planes, r->rows, r->cols};
    return source_open_values(out, shape, r->values, r->rounded, r->name, f);
}

enum status source_open_text_stream(struct source **out, FILE *stream, const char *name,
                                    struct failure *f)
{
    struct reader r = {.stream = stream, .name = name, .parts = ','};
    return open_reader(out, &r, f);
}

/* True if the stream has this separator outside of comments; begins the stream again. */
static bool has_separator(FILE *stream, int separator)
{
    bool comment = false, found = false;
    for (int ch = getc_unlocked(stream); ch != EOF && !found; ch = getc_unlocked(stream)) {
        comment = ch == '#' || (comment && ch != '\n' && ch != '\r');
        found = ch == separator && !comment;
    }
    rewind(stream);
    return found;
}

/* What separates the numbers of a .csv, unless its first line names it. */
static char separator_of(FILE *stream)
{
    static const char separators[] = ";,\t";
    const char *at = separators;
    while (*at && !has_separator(stream, *at))
        at++;
    return *at ? *at : ',';
}

enum format { TEXT, CSV, TSV };

static enum status open_path(struct source **out, const char *path, enum format format,
                             struct failure *f)
{
    *out = NULL;
    FILE *stream;
    int64_t file_bytes;
    enum status status = regular_stream(path, &stream, &file_bytes, f);
    if (status != STATUS_OK)
        return status;
    struct reader r = {.stream = stream, .name = path, .csv = format != TEXT};
    r.parts = format == TEXT ? ',' : format == TSV ? '\t' : separator_of(stream);
    status = open_reader(out, &r, f);
    fclose(stream);
    return status;
}

enum status source_open_text(struct source **out, const char *path, struct failure *f)
{
    return open_path(out, path, TEXT, f);
}

enum status source_open_csv(struct source **out, const char *path, struct failure *f)
{
    return open_path(out, path, CSV, f);
}

enum status source_open_tsv(struct source **out, const char *path, struct failure *f)
{
    return open_path(out, path, TSV, f);
}
