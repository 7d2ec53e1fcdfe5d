#include "classroom/lab/compiled/code_hash.h"

#include "experiments/common/file_bytes.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 64 << 20 };

/* The names that the text defines, and the number of each: 0: it was not used yet. */
struct label {
    const char *name;
    size_t length, number;
};

struct labels {
    struct label *items; /* in ascending order of names */
    size_t count, used;
};

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (is_of_name(at[length]))
        length++;
    return length;
}

static int by_name(const void *a, const void *b)
{
    const struct label *p = a, *q = b;
    const int order = memcmp(p->name, q->name, p->length < q->length ? p->length : q->length);
    return order != 0 ? order : (p->length > q->length) - (p->length < q->length);
}

static struct label *find(const struct labels *l, const char *name, size_t length)
{
    const struct label wanted = {name, length, 0};
    return l->count > 0 ? bsearch(&wanted, l->items, l->count, sizeof wanted, by_name) : NULL;
}

/* Returns the name that a line defines: "NAME:", or ".comm NAME,..." and ".lcomm NAME,..."; length
 * 0: none. */
static struct label defined_by(const char *line)
{
    const char *at = line + strspn(line, " \t");
    static const char *const tables[] = {".comm", ".lcomm", ".local"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strncmp(at, tables[i], strlen(tables[i])) == 0) {
            at += strlen(tables[i]);
            at += strspn(at, " \t");
            return (struct label){at, name_length(at), 0};
        }
    const size_t length = name_length(line);
    return (struct label){line, length > 0 && line[length] == ':' ? length : 0, 0};
}

static bool list_labels(struct labels *l, const char *text)
{
    size_t lines = 1;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    l->items = calloc(lines, sizeof *l->items);
    for (const char *at = text; l->items && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const struct label label = defined_by(at);
        if (label.length > 0)
            l->items[l->count++] = label;
    }
    if (l->items)
        qsort(l->items, l->count, sizeof *l->items, by_name);
    return l->items != NULL;
}

/* Whether a section holds nothing that the program uses. */
static bool is_silent(const char *section)
{
    static const char *const begins[] = {".debug", ".note", ".comment", ".eh_frame", ".gnu"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(section, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Whether a directive generates data. */
static bool is_data(const char *directive)
{
    static const char *const words[] = {".byte",   ".value", ".short", ".long",  ".quad",
                                        ".string", ".ascii", ".asciz", ".zero",  ".float",
                                        ".double", ".comm",  ".lcomm", ".2byte", ".4byte",
                                        ".8byte",  ".word",  ".xword", ".hword", ".octa"};
    const size_t length = name_length(directive);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i]) && memcmp(directive, words[i], length) == 0)
            return true;
    return false;
}

/* Copies a line with numbers in place of labels. A name after '%' is a register; the first word of
 * an instruction is none of ours. */
static void copy_line(FILE *to, struct labels *l, const char *at, size_t count)
{
    const char *end = at + count;
    bool quoted = false;
    while (at < end) {
        const size_t length = quoted ? 0 : name_length(at);
        struct label *label = length > 0 ? find(l, at, length) : NULL;
        if (label) {
            if (label->number == 0)
                label->number = ++l->used;
            fprintf(to, "@%zu", label->number);
        } else
            fwrite(at, 1, length > 0 ? length : 1, to);
        quoted ^= *at == '"';
        at += length > 0 ? length : 1;
    }
    putc('\n', to);
}

/* Whether the program jumps to this label or reads it: it has a number, or gets one later. Labels
 * of debug information are only used by it, so a label is kept where an instruction has used it. */
static void copy_definition(FILE *to, const struct labels *l, const struct label *defined)
{
    const struct label *label = find(l, defined->name, defined->length);
    if (label && label->number > 0)
        fprintf(to, "@%zu:\n", label->number);
}

/* Copies what the program consists of; called twice: the first time numbers the labels. */
static void copy_program(FILE *to, struct labels *l, const char *text)
{
    bool silent = false;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t count = strcspn(line, "\n");
        const char *at = line + strspn(line, " \t");
        const struct label defined = defined_by(line);
        if (strncmp(at, ".section", 8) == 0)
            silent = is_silent(at + 8 + strspn(at + 8, " \t"));
        else if (strncmp(at, ".text", 5) == 0 || strncmp(at, ".data", 5) == 0 ||
                 strncmp(at, ".bss", 4) == 0)
            silent = false;
        if (silent || at >= line + count || *at == '#')
            continue;
        if (line[0] != ' ' && line[0] != '\t' && defined.length > 0)
            copy_definition(to, l, &defined);
        else if (*at != '.' || is_data(at))
            copy_line(to, l, at, (size_t)(line + count - at));
    }
}

void lab_code_hash(const char *path, char hex[SHA256_HEX])
{
    char *text = NULL, *program = NULL;
    size_t count, bytes = 0;
    struct labels labels = {NULL, 0, 0};
    hex[0] = '\0';
    if (file_bytes(path, MOST_TEXT, &text, &count, NULL) != STATUS_OK)
        return;
    if (list_labels(&labels, text))
        for (int pass = 0; pass < 2; pass++) {
            free(program);
            program = NULL;
            FILE *to = open_memstream(&program, &bytes);
            if (!to)
                break;
            copy_program(to, &labels, text);
            if (fclose(to) != 0)
                bytes = 0;
        }
    if (program && bytes > 0)
        sha256_hex(program, bytes, hex);
    free(program);
    free(labels.items);
    free(text);
}
