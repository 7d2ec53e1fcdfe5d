#include "experiments/program/launch/own_command.h"

#include "experiments/common/file_bytes.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/program_file.h"
#include "experiments/common/text/distinct.h"
#include "experiments/program/launch/own_words.h"
#include "harness/base/text/fit.h"
#include "harness/records/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HASHED_MOST = 64 << 20 }; /* bytes of a program's file whose content is hashed */

int64_t own_workers_count(const struct own_workers *w)
{
    return (w->ranks == RECORD_NO_INT ? 1 : w->ranks) *
           (w->threads == RECORD_NO_INT ? 1 : w->threads);
}

int own_command_take(struct own_command *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            c->words = argv + i + 1;
            c->count = (size_t)(argc - i - 1);
            argv[i] = NULL;
            return i;
        }
    return argc;
}

bool own_command_has(const struct own_command *c, const char *place)
{
    bool has = c->prepare && strstr(c->prepare, place);
    for (size_t i = 0; i < c->count; i++)
        has = has || strstr(c->words[i], place);
    return has;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The value of the place that begins at `at`, and its length; RECORD_NO_INT: there is none. */
static int64_t place_at(const char *at, const struct own_workers *w, size_t *length)
{
    const struct {
        const char *name;
        int64_t value;
    } places[] = {{"{workers}", own_workers_count(w)},
                  {"{threads}", w->threads},
                  {"{ranks}", w->ranks},
                  {"{size}", w->size}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        *length = strlen(places[i].name);
        if (strncmp(at, places[i].name, *length) == 0)
            return places[i].value;
    }
    return RECORD_NO_INT;
}

/* The text of the column whose place begins at `at`, and its length; NULL: there is none. */
static const char *column_at(const char *at, const struct own_workers *w, size_t *length)
{
    static const struct {
        const char *name;
        size_t offset; /* in struct record */
    } places[] = {{"{method}", offsetof(struct record, method)},
                  {"{input}", offsetof(struct record, input)}};
    for (size_t i = 0; w->point && i < sizeof places / sizeof *places; i++) {
        const char *text = (const char *)w->point + places[i].offset;
        *length = strlen(places[i].name);
        if (*text && strncmp(at, places[i].name, *length) == 0)
            return text;
    }
    return NULL;
}

char *own_text_fill(const char *text, const struct own_workers *w)
{
    char *filled = NULL;
    size_t size;
    FILE *stream = open_memstream(&filled, &size);
    for (size_t length; stream && *text; text += length) {
        const char *column = column_at(text, w, &length);
        if (column) {
            fputs(column, stream);
            continue;
        }
        const int64_t value = place_at(text, w, &length);
        if (value != RECORD_NO_INT) {
            fprintf(stream, "%" PRId64, value);
        } else {
            putc(*text, stream);
            length = 1;
        }
    }
    if (stream && fclose(stream) != 0) {
        free(filled);
        return NULL;
    }
    return filled;
}

char **own_words_fill(const struct own_command *c, const struct own_workers *w)
{
    char **words = calloc(c->count + 1, sizeof *words);
    for (size_t i = 0; words && i < c->count; i++) {
        words[i] = own_text_fill(c->words[i], w);
        if (!words[i]) {
            own_words_free(words);
            return NULL;
        }
    }
    return words;
}

double own_text_product(const char *text, const struct own_workers *w)
{
    char *filled = own_text_fill(text, w);
    double product = filled ? 1.0 : (double)NAN;
    for (const char *at = filled; at;) {
        char *end;
        product *= strtod(at, &end);
        const char *sign = end + strspn(end, " \t");
        if (end == at || (*sign && *sign != '*'))
            product = NAN;
        at = *sign == '*' && end > at ? sign + 1 : NULL;
    }
    free(filled);
    return product > 0.0 && isfinite(product) ? product : (double)NAN;
}

/* ---- checks of the options ------------------------------------------------------------------- */

char *own_expression(const char *text)
{
    static const struct {
        char letter;
        const char *within; /* brackets */
    } classes[] = {{'d', "0-9"}, {'w', "[:alnum:]_"}, {'s', "[:space:]"}};
    char *out = malloc(14 * strlen(text) + 1), *to = out;
    bool within = false;
    for (const char *at = text; out && *at; at++) {
        const char *found = NULL;
        for (size_t i = 0; at[0] == '\\' && i < sizeof classes / sizeof *classes; i++)
            if (at[1] == classes[i].letter)
                found = classes[i].within;
        if (found) {
            to += sprintf(to, within ? "%s" : "[%s]", found);
            at++;
            continue;
        }
        if (at[0] == '\\' && at[1] && !within)
            *to++ = *at++;
        else if (*at == '[' || *at == ']')
            within = *at == '[';
        *to++ = *at;
    }
    if (out)
        *to = '\0';
    return out;
}

static const char *before_names(const struct own_command *c)
{
    return c->where ? c->where : "--";
}

static enum status check_expression(const struct own_command *c, const char *option,
                                    const char *text, size_t groups, struct failure *f)
{
    regex_t compiled;
    char why[200] = "";
    char *expression = own_expression(text);
    if (!expression)
        return fail(f, STATUS_RESOURCE, "not enough memory");
    const int error = regcomp(&compiled, expression, REG_EXTENDED | REG_NEWLINE);
    free(expression);
    if (error) {
        regerror(error, &compiled, why, sizeof why);
        return fail(f, STATUS_USAGE, "%s%s: '%s' is no extended regular expression: %s",
                    before_names(c), option, text, why);
    }
    const size_t has = compiled.re_nsub;
    regfree(&compiled);
    if (has < groups)
        return fail(f, STATUS_USAGE,
                    "%s%s: '%s' has no group; put parentheses around the number of seconds",
                    before_names(c), option, text);
    return STATUS_OK;
}

static size_t phase_name_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
}

void own_phase_name(const struct own_command *c, size_t i, char name[OWN_PHASE_NAME])
{
    const char *text = c->seconds.count > 1 ? c->seconds.items[i] : "";
    snprintf(name, OWN_PHASE_NAME, "%.*s", (int)phase_name_length(text), text);
}

const char *own_phase_expression(const struct own_command *c, size_t i)
{
    const char *text = c->seconds.items[i];
    return c->seconds.count > 1 ? text + phase_name_length(text) + 1 : text;
}

/* Several times are phases, each with a name of its own. */
static enum status check_phases(const struct own_command *c, struct failure *f)
{
    enum status status = STATUS_OK;
    if (c->seconds.count > OWN_PHASES)
        return fail(f, STATUS_USAGE, "%sseconds: at most %d phases", before_names(c), OWN_PHASES);
    for (size_t i = 0; i < c->seconds.count && status == STATUS_OK; i++) {
        const char *text = c->seconds.items[i];
        const size_t length = phase_name_length(text);
        if (c->seconds.count > 1 &&
            (length == 0 || length >= OWN_PHASE_NAME || text[length] != '='))
            return fail(f, STATUS_USAGE,
                        "%sseconds '%s': of several, each is a phase with a name: "
                        "'solve=Solve: ([0-9.]+)'",
                        before_names(c), text_brief(text, 200).text);
        for (size_t j = 0; j < i; j++)
            if (strncmp(text, c->seconds.items[j], length + 1) == 0)
                return fail(f, STATUS_USAGE, "%sseconds: two phases have the name %.*s",
                            before_names(c), (int)length, text);
        status = check_expression(c, "seconds", own_phase_expression(c, i), 1, f);
    }
    return status;
}

enum status own_command_check(const struct own_command *c, struct failure *f)
{
    if (c->count == 0)
        return fail(f, STATUS_USAGE, "there is no command after --");
    return own_command_check_options(c, f);
}

enum status own_command_check_options(const struct own_command *c, struct failure *f)
{
    enum status status = STATUS_OK;
    if (c->check)
        status = check_expression(c, "check", c->check, 0, f);
    if (status == STATUS_OK)
        status = check_phases(c, f);
    if (status == STATUS_OK && c->expect_hash &&
        (strlen(c->expect_hash) != SHA256_HEX - 1 ||
         strspn(c->expect_hash, "0123456789abcdefABCDEF") != SHA256_HEX - 1))
        return fail(f, STATUS_USAGE,
                    "%s%s: '%s' is no SHA-256: 64 hexadecimal digits, as sha256sum prints",
                    before_names(c), c->where ? "expect_hash" : "expect-hash", c->expect_hash);
    return status;
}

/* ---- name and identity ----------------------------------------------------------------------- */

static bool is_file(const char *path, bool executable)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           (!executable || access(path, X_OK) == 0);
}

/* The text of "sh -c TEXT"; NULL: the command is no such one. */
static const char *shell_text(const struct own_command *c)
{
    const bool shell = c->count > 2 && own_word_is_shell(c->words[0]) &&
                       (strcmp(c->words[1], "-c") == 0 || strcmp(c->words[1], "-lc") == 0);
    return shell ? c->words[2] : NULL;
}

/* Copies the next word of a shell's text that is a program with a '/' in its name, and moves *at
 * behind it. */
static bool next_program(const char **at, char path[PATH_MAX])
{
    static const char between[] = " \t\n;|&<>()'\"`";
    while (*(*at += strspn(*at, between))) {
        const size_t length = strcspn(*at, between);
        const bool fits = snprintf(path, PATH_MAX, "%.*s", (int)length, *at) < PATH_MAX;
        *at += length;
        if (fits && strchr(path, '/') && is_file(path, true))
            return true;
    }
    return false;
}

void own_command_name(const struct own_command *c, char *name, size_t size)
{
    char path[PATH_MAX];
    const char *word = c->words[0], *text = shell_text(c);
    if (text && next_program(&text, path)) {
        text_distinct(name, size, file_name(path));
        return;
    }
    for (size_t i = 0; i < c->count; i++)
        if ((i > 0 || strchr(c->words[0], '/')) && is_file(c->words[i], true)) {
            word = c->words[i];
            break;
        }
    const char *last = file_name(word);
    text_distinct(name, size, *last ? last : word);
}

bool own_command_program(const struct own_command *c, char path[PATH_MAX])
{
    return program_file_find(c->words[0], path);
}

/* An input may change from launch to launch; a program and a script may not. */
static bool is_program(const char *word)
{
    static const char *const endings[] = {".py", ".jl", ".R", ".sh", ".pl", ".lua", ".rb"};
    const size_t length = strlen(word);
    bool script = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t ending = strlen(endings[i]);
        script = script || (length > ending && strcmp(word + length - ending, endings[i]) == 0);
    }
    return is_file(word, !script);
}

static void put_file(FILE *stream, const char *path)
{
    struct stat info = {0};
    char hash[SHA256_HEX] = "", *bytes = NULL;
    size_t count = 0;
    struct failure unread = {0};
    if (file_bytes(path, HASHED_MOST, &bytes, &count, &unread) == STATUS_OK)
        sha256_hex(bytes, count, hash);
    else if (stat(path, &info) == 0)
        snprintf(hash, sizeof hash, "%lld %lld", (long long)info.st_size, (long long)info.st_mtime);
    free(bytes);
    fprintf(stream, "file %s\n", hash);
}

void own_command_identity(const struct own_command *c, char hex[SHA256_HEX])
{
    const char *const options[] = {c->prepare, c->check, c->expect_hash,
                                   c->seconds.count ? c->seconds.items[0] : NULL};
    char path[PATH_MAX], *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream && i < c->count; i++) {
        fprintf(stream, "word %s\n", c->words[i]);
        if (i == 0 ? program_file_find(c->words[0], path) : is_program(c->words[i]))
            put_file(stream, i == 0 ? path : c->words[i]);
    }
    for (const char *at = stream ? shell_text(c) : NULL; at && next_program(&at, path);)
        put_file(stream, path);
    for (size_t i = 0; stream && i < sizeof options / sizeof *options; i++)
        fprintf(stream, "option %s\n", options[i] ? options[i] : "");
    for (size_t i = 1; stream && i < c->seconds.count; i++)
        fprintf(stream, "phase %s\n", c->seconds.items[i]);
    if (stream)
        fprintf(stream, "same %d\n", c->same_output);
    if (stream)
        fclose(stream);
    sha256_hex(text ? text : "", text ? size : 0, hex);
    free(text);
}
