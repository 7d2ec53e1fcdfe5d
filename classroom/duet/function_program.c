#include "classroom/duet/function_program.h"

#include "experiments/common/lists.h"
#include "experiments/common/process.h"
#include "harness/base/text/fit.h"

#include <ctype.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char function_seconds[] = "^seconds ([-+.e0-9]+)$", function_check[] = "^output [0-9a-f]+$";

enum { PARAMETERS_MOST = 32, WORD = 64, EXPRESSION = 256 };

struct parameter {
    char type[WORD], name[WORD];
    bool is_const, array;
    char value[EXPRESSION]; /* of a number, or the elements of an array; "": not given */
};

struct prototype {
    char type[WORD], name[WORD];
    struct parameter parameters[PARAMETERS_MOST];
    size_t count;
};

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_number_type(const char *word)
{
    static const char *const types[] = {"float",   "double",  "int",      "unsigned", "long",
                                        "size_t",  "char",    "int8_t",   "int16_t",  "int32_t",
                                        "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    bool is = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        is = is || strcmp(types[i], word) == 0;
    return is;
}

static bool is_integer(const struct parameter *p)
{
    return !p->array && strcmp(p->type, "float") != 0 && strcmp(p->type, "double") != 0;
}

/* Takes the next word, a name or one '*'; false at the end of the text. */
static bool next_word(const char **at, char word[WORD])
{
    size_t length = 0;
    *at += strspn(*at, " \t\n");
    while ((isalnum((unsigned char)(*at)[length]) || (*at)[length] == '_') && length < WORD - 1)
        length++;
    if (length == 0 && **at)
        length = 1;
    snprintf(word, WORD, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

/* Reads "const float *restrict in" into a parameter; the name may be missing for a return type. */
static bool read_declaration(const char *text, struct parameter *p)
{
    char word[WORD];
    *p = (struct parameter){.type = ""};
    while (next_word(&text, word)) {
        if (strcmp(word, "restrict") == 0 || strcmp(word, "__restrict") == 0)
            continue;
        if (strcmp(word, "const") == 0)
            p->is_const |= !p->array;
        else if (strcmp(word, "*") == 0 && p->type[0] && !p->array)
            p->array = true;
        else if (!p->type[0] && (is_number_type(word) || strcmp(word, "void") == 0))
            snprintf(p->type, sizeof p->type, "%s", word);
        else if (p->type[0] && !p->name[0] && (isalpha((unsigned char)word[0]) || word[0] == '_') &&
                 !is_number_type(word))
            snprintf(p->name, sizeof p->name, "%s", word);
        else
            return false;
    }
    return p->type[0] && p->name[0];
}

static enum status read_parameter(struct prototype *p, const char *text, struct failure *f)
{
    struct parameter *one = &p->parameters[p->count];
    if (p->count == PARAMETERS_MOST)
        return fail(f, STATUS_USAGE, "--function: more than %d parameters", PARAMETERS_MOST);
    if (!read_declaration(text, one) || strcmp(one->type, "void") == 0)
        return fail(f, STATUS_USAGE,
                    "--function: '%s' is no parameter: a number or a pointer to numbers, with "
                    "a name",
                    text_brief(text, 200).text);
    p->count++;
    return STATUS_OK;
}

static enum status read_prototype(struct prototype *p, const char *text, struct failure *f)
{
    char copy[2048], *rest = NULL;
    struct parameter head;
    *p = (struct prototype){.count = 0};
    if (strlen(text) >= sizeof copy)
        return fail(f, STATUS_USAGE, "--function: the prototype is too long");
    snprintf(copy, sizeof copy, "%s", text);
    char *open = strchr(copy, '('), *close = strrchr(copy, ')');
    if (open && close && open < close)
        *open = *close = '\0';
    if (!open || !close || open > close || strspn(close + 1, " ;") != strlen(close + 1) ||
        !read_declaration(copy, &head) || head.array)
        return fail(f, STATUS_USAGE,
                    "--function: '%s' is no prototype such as 'void NAME(const float *in, float "
                    "*out, int n)'",
                    text_brief(text, 300).text);
    snprintf(p->type, sizeof p->type, "%s", head.type);
    snprintf(p->name, sizeof p->name, "%s", head.name);
    for (char *one = strtok_r(open + 1, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        if (read_parameter(p, one, f) != STATUS_OK)
            return f->status;
    return STATUS_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct parameter *find_parameter(struct prototype *p, const char *name, size_t length)
{
    for (size_t i = 0; i < p->count; i++)
        if (strlen(p->parameters[i].name) == length &&
            strncmp(p->parameters[i].name, name, length) == 0)
            return &p->parameters[i];
    return NULL;
}

static enum status take_value(struct prototype *p, const char *text, struct failure *f)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
                                  " +-*/%().";
    const char *equals = strchr(text, '=');
    struct parameter *one = equals ? find_parameter(p, text, (size_t)(equals - text)) : NULL;
    if (!one)
        return fail(f, STATUS_USAGE, "--with: '%s' is not NAME=VALUE of a parameter",
                    text_brief(text, 200).text);
    const char *value = equals + 1;
    if (!*value || strspn(value, allowed) != strlen(value) || strlen(value) >= EXPRESSION)
        return fail(f, STATUS_USAGE, "--with: '%s' is no arithmetic expression",
                    text_brief(value, 200).text);
    snprintf(one->value, sizeof one->value, "%s", value);
    return STATUS_OK;
}

static enum status complete(struct prototype *p, struct failure *f)
{
    const struct parameter *only = NULL;
    size_t integers = 0;
    for (size_t i = 0; i < p->count; i++)
        if (is_integer(&p->parameters[i])) {
            only = &p->parameters[i];
            integers++;
        }
    for (size_t i = 0; i < p->count; i++) {
        struct parameter *one = &p->parameters[i];
        if (one->array && !one->value[0] && integers == 1)
            snprintf(one->value, sizeof one->value, "%s", only->name);
        if (!one->value[0])
            return fail(f, STATUS_USAGE,
                        one->array
                            ? "--function: how many elements has %s? --with '%s=1000' says it"
                            : "--function: what is %s? --with '%s=1000' says it",
                        one->name, one->name);
    }
    return STATUS_OK;
}

/* ---- the program ----------------------------------------------------------------------------- */

static const char begin[] =
    "#include <dlfcn.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <time.h>\n"
    "static uint64_t state_of_duet;\n"
    "static uint64_t draw_of_duet(void) { return (state_of_duet = state_of_duet * "
    "6364136223846793005u + 1442695040888963407u) >> 33; }\n"
    "static double now_of_duet(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);\n"
    "    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec; }\n"
    "static uint64_t hash_of_duet(uint64_t h, const void *p, size_t n) { const unsigned char *b = "
    "p;\n"
    "    while (n--) h = (h ^ *b++) * 1099511628211u; return h; }\n"
    "static int ascending_of_duet(const void *a, const void *b) { const double x = *(const double "
    "*)a, y = *(const double *)b;\n    return (x > y) - (x < y); }\n"
    /* Each array begins at a cache line of its page that the padding decides. */
    "static void *array_of_duet(size_t bytes, size_t which) { const char *p = "
    "getenv(\"MAXPOOL_DUET_PADDING\");\n"
    "    const size_t line = ((p ? strlen(p) : 0) * (2 * which + 1) >> 3) % 64;\n"
    "    char *m = aligned_alloc(4096, ((bytes + 8191) / 4096 + 1) * 4096);\n"
    "    if (!m) { fprintf(stderr, \"not enough memory for the arrays\\n\"); exit(4); }\n"
    "    return m + 64 * line; }\n";

/* The time of a call is the median of those in a tenth of a second, at least three. */
static const char end[] =
    "    enum { CALLS = 100000 };\n    static double s_of_duet[CALLS];\n    int n_of_duet = 0;\n"
    "    fill_of_duet(); call_of_duet();\n"
    "    printf(\"output %016llx\\n\", (unsigned long long)outputs_of_duet());\n"
    "    for (const double t0 = now_of_duet(); n_of_duet < CALLS && (n_of_duet < 3 || "
    "now_of_duet() - t0 < 0.1);) {\n"
    "        fill_of_duet();\n        const double t = now_of_duet();\n        call_of_duet();\n"
    "        s_of_duet[n_of_duet++] = now_of_duet() - t;\n    }\n"
    "    qsort(s_of_duet, (size_t)n_of_duet, sizeof *s_of_duet, ascending_of_duet);\n"
    "    printf(\"seconds %.9e\\n\", s_of_duet[n_of_duet / 2]);\n    return 0;\n}\n";

static void put_types(FILE *to, const struct prototype *p)
{
    fprintf(to, "typedef %s type_of_duet(", p->type);
    for (size_t i = 0; i < p->count; i++)
        fprintf(to, "%s%s%s %s", i ? ", " : "", p->parameters[i].is_const ? "const " : "",
                p->parameters[i].type, p->parameters[i].array ? "*" : "");
    fprintf(to, "%s);\nstatic type_of_duet *f_of_duet;\n", p->count ? "" : "void");
    for (size_t i = 0; i < p->count; i++)
        fprintf(to, "static %s %s%s; static size_t n_of_duet_%zu;\n", p->parameters[i].type,
                p->parameters[i].array ? "*" : "", p->parameters[i].name, i);
    if (strcmp(p->type, "void") != 0)
        fprintf(to, "static %s result_of_duet;\n", p->type);
}

/* Arrays get numbers below 1, or of 0 to 9; constant ones only once. */
static void put_fill(FILE *to, const struct prototype *p, bool constant)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct parameter *one = &p->parameters[i];
        const bool real = strcmp(one->type, "float") == 0 || strcmp(one->type, "double") == 0;
        if (!one->array || one->is_const != constant)
            continue;
        fprintf(to,
                "    state_of_duet = %zu;\n    for (size_t i = 0; i < n_of_duet_%zu; i++) %s[i] = "
                "(%s)(%s);\n",
                i + 35, i, one->name, one->type,
                real ? "(double)draw_of_duet() / 2147483648.0" : "draw_of_duet() % 10");
    }
}

static void put_functions(FILE *to, const struct prototype *p)
{
    fputs("static void fill_of_duet(void)\n{\n", to);
    put_fill(to, p, false);
    fprintf(to, "}\nstatic void call_of_duet(void)\n{\n    %sf_of_duet(",
            strcmp(p->type, "void") ? "result_of_duet = " : "");
    for (size_t i = 0; i < p->count; i++)
        fprintf(to, "%s%s", i ? ", " : "", p->parameters[i].name);
    fputs(");\n}\nstatic uint64_t outputs_of_duet(void)\n{\n    uint64_t h = "
          "14695981039346656037u;\n",
          to);
    for (size_t i = 0; i < p->count; i++)
        if (p->parameters[i].array && !p->parameters[i].is_const)
            fprintf(to, "    h = hash_of_duet(h, %s, n_of_duet_%zu * sizeof *%s);\n",
                    p->parameters[i].name, i, p->parameters[i].name);
    if (strcmp(p->type, "void") != 0)
        fputs("    h = hash_of_duet(h, &result_of_duet, sizeof result_of_duet);\n", to);
    fputs("    return h;\n}\n", to);
}

static void put_main(FILE *to, const struct prototype *p)
{
    fprintf(
        to,
        "int main(int argc, char **argv)\n{\n    void *o = argc > 1 ? dlopen(argv[1], RTLD_NOW) "
        ": NULL;\n    void *s = o ? dlsym(o, \"%s\") : NULL;\n"
        "    if (!s) { fprintf(stderr, \"%%s\\n\", dlerror()); return 2; }\n"
        "    memcpy(&f_of_duet, &s, sizeof s);\n",
        p->name);
    for (size_t i = 0; i < p->count; i++)
        if (!p->parameters[i].array)
            fprintf(to, "    %s = (%s)(%s);\n", p->parameters[i].name, p->parameters[i].type,
                    p->parameters[i].value);
    for (size_t i = 0; i < p->count; i++)
        if (p->parameters[i].array)
            fprintf(to,
                    "    n_of_duet_%zu = (size_t)(%s);\n    %s = array_of_duet(n_of_duet_%zu * "
                    "sizeof *%s, %zu);\n",
                    i, p->parameters[i].value, p->parameters[i].name, i, p->parameters[i].name, i);
    put_fill(to, p, true);
    fputs(end, to);
}

static enum status compile(const char *source, const char *path, struct failure *f)
{
    static const char script[] =
        "exec ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -w -o \"$1\" \"$2\" -ldl";
    struct process_result result;
    const struct process_limits limits = {.grace_seconds = 1.0, .death_signal = SIGTERM};
    char *const command[] = {"/bin/sh",      "-c", (char *)script, "sh", (char *)path,
                             (char *)source, NULL};
    if (process_run(command, &limits, &result, f) != STATUS_OK)
        return f->status;
    if (result.end == PROCESS_STOPPED)
        return fail(f, STATUS_RESOURCE, "stopped");
    if (result.end == PROCESS_EXITED && result.exit_status == 127)
        return fail(f, STATUS_UNAVAILABLE, "--function needs a C compiler: %s", result.output);
    if (process_succeeded(&result))
        return STATUS_OK;
    fputs(result.output, stderr);
    return fail(f, STATUS_USAGE,
                "--function: a program with this prototype and these values of "
                "--with does not compile");
}

enum status function_program_make(const char *path, const char *prototype,
                                  const char *const *values, size_t count, char name[FUNCTION_NAME],
                                  struct failure *f)
{
    char source[PATH_MAX];
    struct prototype p;
    if (read_prototype(&p, prototype, f) != STATUS_OK)
        return f->status;
    for (size_t i = 0; i < count; i++)
        if (take_value(&p, values[i], f) != STATUS_OK)
            return f->status;
    if (complete(&p, f) != STATUS_OK)
        return f->status;
    snprintf(name, FUNCTION_NAME, "%s", p.name);
    if (text_compose(source, sizeof source, f, "%s.c", path) != STATUS_OK)
        return f->status;
    FILE *stream = fopen(source, "w");
    if (!stream)
        return fail(f, STATUS_OUTPUT, "%s cannot be written", text_brief(source, 1000).text);
    fputs(begin, stream);
    put_types(stream, &p);
    put_functions(stream, &p);
    put_main(stream, &p);
    if (fclose(stream) != 0)
        return fail(f, STATUS_OUTPUT, "%s could not be written", text_brief(source, 1000).text);
    return compile(source, path, f);
}
