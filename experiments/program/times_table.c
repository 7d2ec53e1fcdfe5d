#include "experiments/program/times_table.h"

#include "experiments/common/file_bytes.h"
#include "experiments/common/lists.h"
#include "experiments/program/launch/duration.h"
#include "experiments/program/times_header.h"
#include "harness/base/text/csv_field.h"
#include "harness/base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BYTES_MOST = 64 << 20 };

/* Cuts the next line out of the text, without its end: "\n", "\r\n", or "\r" alone, as on old
 * Macs. NULL at the end. */
static char *next_line(char **at)
{
    char *line = *at;
    if (!line || !*line)
        return NULL;
    char *end = line + strcspn(line, "\r\n");
    char *next = end + (*end == '\r' && end[1] == '\n') + (*end != '\0');
    *end = '\0';
    *at = next;
    return line;
}

/* True for the line that a table has below its header: |---|--:|, ----- ---. */
static bool is_rule(const char *line)
{
    return strstr(line, "--") && !line[strspn(line, "-|+:= \t")];
}

/* Returns what separates the fields of a first line; a blank if nothing else does. */
static char separator_of(const char *line)
{
    const char *begin = line + strspn(line, " \t");
    const char *end = begin + strcspn(begin, " ");
    if (!strpbrk(line, ",;\t\"") && strchr(line, '|'))
        return '|';
    const bool blanks = !strpbrk(line, ",;\t\"") && end[strspn(end, " ")];
    return blanks ? ' ' : csv_separator(line);
}

/* Leaves one blank between words, and none around them; a unit in brackets stays with its name. */
static void join_blanks(char *line)
{
    char *to = line;
    for (const char *at = line + strspn(line, " \t"); *at; at++)
        if (*at != ' ' || !strchr(" ([", at[1]))
            *to++ = *at;
    *to = '\0';
}

/* Splits a line in place. Returns false if its quotes are wrong. */
static bool split(struct times_line *line, char *text, char separator)
{
    line->count = 0;
    if (separator == ' ')
        join_blanks(text);
    for (char *at = text; at && line->count < TIMES_FIELDS;) {
        char *field = at, *end = csv_field_end(at, separator);
        if (!end)
            return false;
        at = *end ? end + 1 : NULL;
        *end = '\0';
        line->fields[line->count++] = field;
    }
    return true;
}

static bool is_empty(const struct times_line *line)
{
    for (int i = 0; i < line->count; i++)
        if (line->fields[i][0])
            return false;
    return true;
}

static bool keep_line(struct times_table *t, const struct times_line *line)
{
    struct times_line *grown = array_grow(t->lines, t->count, sizeof *grown);
    if (!grown)
        return false;
    t->lines = grown;
    t->lines[t->count++] = *line;
    return true;
}

/* ---- the header ------------------------------------------------------------------------------ */

/* Skips what a comment begins with. */
static char *skip_sign(char *line)
{
    return line + strspn(line, "# \t");
}

/* Splits a copy of a line; the caller frees it. NULL: its quotes are wrong, or no memory is left.
 */
static char *split_copy(struct times_line *line, const char *text, char separator)
{
    char *copy = strdup(text);
    if (copy && split(line, copy, separator))
        return copy;
    free(copy);
    return NULL;
}

/* True for a word that joins others, as in "time per threads": prose has it, and no header of words
 * between blanks. */
static bool is_joining(const char *word)
{
    static const char *const joining[] = {"per", "vs",     "vs.", "versus", "against", "by", "of",
                                          "for", "with",   "and", "the",    "on",      "de", "por",
                                          "con", "contra", "y",   "para",   "frente"};
    for (size_t i = 0; i < sizeof joining / sizeof *joining; i++)
        if (strcasecmp(word, joining[i]) == 0)
            return true;
    return false;
}

static bool is_number(const char *text)
{
    int64_t count;
    double seconds;
    return csv_read_integer(text, &count) || duration_read(text, '.', 1.0, &seconds) ||
           duration_read(text, ',', 1.0, &seconds);
}

/* What a line says of columns. */
struct naming {
    bool names;   /* both workers and times */
    bool numbers; /* a field is one */
};

static struct naming naming_of(const char *text, char stated, bool commented)
{
    struct times_line line = {0};
    const char separator = stated ? stated : separator_of(text);
    bool workers = false, seconds = false, prose = false, numbers = false;
    char *copy = split_copy(&line, text, separator);
    for (int i = 0; copy && i < line.count; i++) {
        const enum times_role role = times_field_of(line.fields[i]).role;
        workers = workers || role == TIMES_THREADS || role == TIMES_RANKS;
        seconds = seconds || role == TIMES_SECONDS;
        numbers = numbers || is_number(line.fields[i]);
        prose = prose || (commented && separator == ' ' && is_joining(line.fields[i]));
    }
    free(copy);
    return (struct naming){workers && seconds && !prose, numbers};
}

/* Returns the number of the line that names the columns, the last one before a line begins with a
 * digit or, below another one, has a number; titles may stand above it. One behind # counts where
 * none without it is above. 0: there is none. */
static long find_header(const char *text)
{
    enum { LINES_MOST = 40, BYTES_MOST_OF_THEM = 1 << 16 };
    char *copy = strndup(text, BYTES_MOST_OF_THEM), *at = copy, *line, separator = '\0';
    long found = 0;
    bool plain = false; /* the one found is not behind # */
    for (long number = 1; copy && number <= LINES_MOST && (line = next_line(&at)); number++) {
        const bool commented = line[0] == '#';
        const char stated = csv_stated_separator(line);
        separator = stated ? stated : separator;
        const struct naming naming = naming_of(skip_sign(line), separator, commented);
        if (isdigit((unsigned char)line[strspn(line, " \t\"")]) || (found && naming.numbers))
            break;
        if (!naming.names || (commented && plain))
            continue;
        found = number;
        plain = !commented;
    }
    free(copy);
    return found;
}

/* Returns the separator of the rows below a header behind #: that of the header, if it splits a row
 * into as many fields. */
static char separator_below(const struct times_line *header, char separator, const char *row)
{
    struct times_line line = {0};
    char *copy = split_copy(&line, row, separator);
    const bool same = copy && line.count == header->count;
    free(copy);
    return same ? separator : separator_of(row);
}

/* ---- the lines ------------------------------------------------------------------------------- */

/* Refuses "time (in ms)" where blanks separate fields: its words would be columns. */
static enum status check_brackets(const struct times_line *header, const char *path,
                                  struct failure *f)
{
    for (int i = 0; i + 1 < header->count; i++) {
        const char *open = strpbrk(header->fields[i], "([");
        if (open && !strpbrk(open, ")]"))
            return fail(f, STATUS_USAGE,
                        "%s:%ld: a blank parts the fields '%s' and '%s' within brackets: leave it "
                        "out, or separate fields by commas",
                        path, header->number, header->fields[i], header->fields[i + 1]);
    }
    return STATUS_OK;
}

static enum status split_all(struct times_table *t, const char *path, struct failure *f)
{
    char *at = csv_skip_mark(t->text), *text, separator = '\0';
    const long header = find_header(at);
    struct times_line line = {0};
    while ((text = next_line(&at))) {
        const char stated = t->count == 0 && !separator ? csv_stated_separator(text) : '\0';
        line.number++;
        const bool commented = text[0] == '#' && line.number == header;
        text = commented ? skip_sign(text) : text;
        if ((!stated && line.number < header) || text[0] == '#' || !text[strspn(text, " \t")] ||
            is_rule(text))
            continue;
        if (stated) {
            separator = stated;
            continue;
        }
        if (!separator)
            separator = separator_of(text);
        else if (t->count == 1 && t->commented)
            separator = separator_below(&t->lines[0], separator, text);
        t->commented = t->commented || commented;
        if (!split(&line, text, separator))
            return fail(f, STATUS_USAGE, "%s:%ld: its quotes are wrong", path, line.number);
        if (t->count == 0 && separator == ' ' && check_brackets(&line, path, f) != STATUS_OK)
            return STATUS_USAGE;
        if (!is_empty(&line) && !keep_line(t, &line))
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    }
    t->separator = separator;
    return STATUS_OK;
}

/* In a file with semicolons a comma that may be either is the decimal sign: where a spreadsheet
 * parts thousands by commas, it parts fields by them too. */
static char decimal_of(const struct times_table *t)
{
    struct csv_decimals seen = {0};
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < t->lines[i].count; k++)
            csv_decimals_note(&seen, t->lines[i].fields[k]);
    const bool commas = t->separator == ';' && seen.unclear && !seen.points;
    return commas || csv_decimals_are_commas(&seen) ? ',' : '.';
}

/* A file that is no UTF-8 is taken for Latin-1, in which spreadsheets on Windows write. */
static enum status decode(struct times_table *t, size_t bytes, const char *path, struct failure *f)
{
    if (utf8_is_valid(t->text))
        return STATUS_OK;
    char *decoded = malloc(2 * bytes + 1);
    if (!decoded)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    utf8_from_latin(t->text, decoded);
    free(t->text);
    t->text = decoded;
    return STATUS_OK;
}

enum status times_table_read(struct times_table *out, const char *path, struct failure *f)
{
    size_t bytes = 0;
    *out = (struct times_table){0};
    enum status status = file_bytes(path, BYTES_MOST, &out->text, &bytes, f);
    if (status == STATUS_OK && csv_is_utf16(out->text, bytes))
        status = csv_refuse_utf16(path, f);
    if (status == STATUS_OK)
        status = decode(out, bytes, path, f);
    if (status == STATUS_OK)
        status = split_all(out, path, f);
    out->decimal = decimal_of(out);
    if (status != STATUS_OK)
        times_table_release(out);
    return status;
}

void times_table_release(struct times_table *t)
{
    free(t->text);
    free(t->lines);
    *t = (struct times_table){0};
}

const char *times_table_field(const struct times_table *t, size_t line, int column)
{
    return column < t->lines[line].count ? t->lines[line].fields[column] : "";
}
