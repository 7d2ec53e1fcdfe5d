#include "experiments/lab/compiled/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 64, FILES = 64 };

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- what an instruction computes ------------------------------------------------------------ */

/* Names of floating-point instructions, between the v of AVX and the suffix ps, ss, pd or sd. Fused
 * multiply-adds have the order of their operands before the suffix. */
static const struct {
    const char *name;
    bool fused, multiplies;
} arithmetic[] = {{"add", false, false},  {"sub", false, false},  {"max", false, false},
                  {"min", false, false},  {"sqrt", false, false}, {"div", false, false},
                  {"mul", false, true},   {"fmadd", true, true},  {"fmsub", true, true},
                  {"fnmadd", true, true}, {"fnmsub", true, true}};

/* Returns the number of floats in the widest register among the operands. */
static int floats_of(const char *operands)
{
    return strstr(operands, "%zmm") ? 16 : strstr(operands, "%ymm") ? 8 : 4;
}

/* Sets lanes and multiplies: "vfmadd231ps %ymm0, %ymm1, %ymm2" computes 8 floats at once, "mulss"
 * one. */
static void classify_arithmetic(struct lab_instruction *i, const char *name, const char *operands)
{
    const char *word = name + (name[0] == 'v');
    for (size_t r = 0; r < sizeof arithmetic / sizeof *arithmetic; r++) {
        if (!begins(word, arithmetic[r].name))
            continue;
        const char *suffix = word + strlen(arithmetic[r].name);
        if (arithmetic[r].fused)
            suffix += strspn(suffix, "123");
        if (begins(suffix, "ps") || begins(suffix, "ss") || begins(suffix, "pd") ||
            begins(suffix, "sd")) {
            const int wide = suffix[1] == 'd' ? 2 : 1; /* a double is as wide as two floats */
            i->lanes = suffix[0] == 's' ? 1 : floats_of(operands) / wide;
            i->multiplies = arithmetic[r].multiplies;
            return;
        }
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

struct label {
    char name[LABEL];
    ptrdiff_t at; /* index of the next instruction */
};

/* State of the parser. */
struct reading {
    const char *source;     /* the kernel's file, without folders */
    FILE *out;              /* receives the text with counters */
    bool own_file[FILES];   /* which file numbers of the text mean the kernel's file */
    int line;               /* source line of the next instruction */
    bool framed;            /* %rbp holds the frame pointer of this function */
    bool at_head;           /* the next instruction begins a block */
    struct label *labels;   /* all labels so far */
    char (*targets)[LABEL]; /* of each instruction; "": it is no jump */
    size_t label_count, label_capacity, capacity;
};

static bool add_label(struct lab_assembly *a, struct reading *r, const char *text, size_t length)
{
    if (r->label_count == r->label_capacity) {
        r->label_capacity = r->label_capacity ? 2 * r->label_capacity : 256;
        struct label *labels = realloc(r->labels, r->label_capacity * sizeof *labels);
        if (!labels)
            return false;
        r->labels = labels;
    }
    struct label *l = &r->labels[r->label_count++];
    snprintf(l->name, LABEL, "%.*s", (int)length, text);
    l->at = (ptrdiff_t)a->count;
    r->at_head = true;
    r->framed = r->framed && text[0] == '.'; /* a label that does not begin with '.' begins a
                                              * function */
    return true;
}

static bool reserve_one(struct lab_assembly *a, struct reading *r)
{
    if (a->count < r->capacity)
        return true;
    const size_t capacity = r->capacity ? 2 * r->capacity : 1024;
    struct lab_instruction *items = realloc(a->items, capacity * sizeof *items);
    if (items)
        a->items = items;
    char(*targets)[LABEL] = realloc(r->targets, capacity * sizeof *targets);
    if (targets)
        r->targets = targets;
    r->capacity = items && targets ? capacity : r->capacity;
    return items && targets;
}

/* Counts an entry of the block. None of these instructions changes a flag or the stack, and %rax is
 * restored. */
static void write_counter(FILE *out, size_t block)
{
    fprintf(out,
            "\tmovq\t%%rax, lab_saved(%%rip)\n"
            "\tmovq\tlab_counters+%zu(%%rip), %%rax\n"
            "\tleaq\t1(%%rax), %%rax\n"
            "\tmovq\t%%rax, lab_counters+%zu(%%rip)\n"
            "\tmovq\tlab_saved(%%rip), %%rax\n",
            8 * block, 8 * block);
}

static bool add_instruction(struct lab_assembly *a, struct reading *r, const char *text)
{
    char name[24];
    const size_t length = strcspn(text, " \t\n;");
    const char *operands = text + length + strspn(text + length, " \t");
    if (!reserve_one(a, r))
        return false;
    if (r->at_head)
        write_counter(r->out, a->blocks++);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    struct lab_instruction one = {.block = a->blocks - 1, .line = r->line, .target = -1};
    if (strcmp(name, "movq") == 0 && begins(operands, "%rsp, %rbp"))
        r->framed = true;
    one.touches_stack = !begins(name, "lea") &&
                        (strstr(operands, "(%rsp") || (r->framed && strstr(operands, "(%rbp")));
    classify_arithmetic(&one, name, operands);
    r->targets[a->count][0] = '\0';
    r->at_head = name[0] == 'j'; /* the next instruction may be skipped, so it begins a block */
    if (r->at_head)
        snprintf(r->targets[a->count], LABEL, "%.*s", (int)strcspn(operands, " \t\n"), operands);
    a->items[a->count++] = one;
    return true;
}

/* Parses ".file 1 "mine.c"": the last name is the file's. */
static void take_file(struct reading *r, const char *text)
{
    char *rest;
    const long number = strtol(text, &rest, 10);
    const char *end = strrchr(rest, '"');
    const size_t name = strlen(r->source);
    if (rest == text || number < 0 || number >= FILES || !end || (size_t)(end - rest) <= name)
        return;
    const char *begin = end - name;
    r->own_file[number] =
        strncmp(begin, r->source, name) == 0 && (begin[-1] == '"' || begin[-1] == '/');
}

/* Takes the source line. Lines of other files are ignored: code inlined from them is attributed to
 * the kernel's line. */
static void take_place(struct reading *r, const char *text)
{
    char *rest;
    const long number = strtol(text, &rest, 10);
    const long line = strtol(rest, NULL, 10);
    if (number >= 0 && number < FILES && r->own_file[number] && line > 0)
        r->line = (int)line;
}

static bool take_line(struct lab_assembly *a, struct reading *r, const char *text)
{
    const char *word = text + strspn(text, " \t");
    const size_t length = strcspn(word, " \t\n:\"");
    if (length > 0 && word[length] == ':')
        return add_label(a, r, word, length);
    if (begins(word, ".file"))
        take_file(r, word + strlen(".file"));
    else if (begins(word, ".loc"))
        take_place(r, word + strlen(".loc"));
    else if (length > 0 && word[0] != '.' && word[0] != '#' && word != text)
        return add_instruction(a, r, word);
    return true;
}

/* ---- jumps ----------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct label *)a)->name, ((const struct label *)b)->name);
}

static void find_targets(struct lab_assembly *a, struct reading *r)
{
    if (r->label_count > 0)
        qsort(r->labels, r->label_count, sizeof *r->labels, by_name);
    for (size_t i = 0; i < a->count; i++) {
        struct label wanted;
        memcpy(wanted.name, r->targets[i], LABEL);
        const struct label *found =
            wanted.name[0] && r->label_count > 0
                ? bsearch(&wanted, r->labels, r->label_count, sizeof wanted, by_name)
                : NULL;
        if (found)
            a->items[i].target = found->at;
    }
}

static bool read_all(struct lab_assembly *a, struct reading *r, FILE *in)
{
    char *line = NULL;
    size_t size = 0;
    bool good = true;
    while (good && getline(&line, &size, in) > 0) {
        good = take_line(a, r, line);
        fputs(line, r->out);
    }
    free(line);
    if (good)
        find_targets(a, r);
    fprintf(r->out,
            "\t.local\tlab_counters\n\t.comm\tlab_counters,%zu,64\n"
            "\t.local\tlab_saved\n\t.comm\tlab_saved,8,8\n"
            "\t.globl\tlab_blocks\n\t.set\tlab_blocks, lab_counters\n",
            8 * (a->blocks + 1));
    return good && a->blocks > 0;
}

bool lab_assembly_read(struct lab_assembly *a, const char *text, const char *counting,
                       const char *source)
{
    const char *slash = strrchr(source, '/');
    struct reading r = {.source = slash ? slash + 1 : source, .at_head = true};
    FILE *in = fopen(text, "r");
    r.out = in ? fopen(counting, "w") : NULL;
    *a = (struct lab_assembly){0};
    bool good = r.out && read_all(a, &r, in);
    if (r.out)
        good = fclose(r.out) == 0 && good;
    if (in)
        fclose(in);
    free(r.labels);
    free(r.targets);
    return good;
}

void lab_assembly_release(struct lab_assembly *a)
{
    free(a->items);
    *a = (struct lab_assembly){0};
}
