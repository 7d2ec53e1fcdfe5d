#include "classroom/lab/build.h"

#include "classroom/lab/compiled/code_hash.h"
#include "classroom/lab/compiled/translation.h"
#include "classroom/lab/guard/compiler.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/process.h"
#include "experiments/common/short_paths.h"
#include "experiments/common/temporary.h"
#include "experiments/common/text/distinct.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/word_list.h"
#include "harness/base/utf8.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const lab_default_flags = "-O3 -march=native -fopenmp";

enum { WORDS = 64 };
static const double compile_s = 60.0, patience_s = 8.0;

/* ---- suffixes -------------------------------------------------------------------------------- */

struct language_row {
    const char *suffix;
    const char *variable, *compiler; /* NULL: the file is a library */
};

static const struct language_row languages[] = {
    {".c", "CC", "cc"},         {".cc", "CXX", "c++"},      {".cpp", "CXX", "c++"},
    {".cxx", "CXX", "c++"},     {".c++", "CXX", "c++"},     {".C", "CXX", "c++"},
    {".CPP", "CXX", "c++"},     {".f90", "FC", "gfortran"}, {".F90", "FC", "gfortran"},
    {".f", "FC", "gfortran"},   {".F", "FC", "gfortran"},   {".f95", "FC", "gfortran"},
    {".F95", "FC", "gfortran"}, {".f03", "FC", "gfortran"}, {".f08", "FC", "gfortran"},
    {".for", "FC", "gfortran"}, {".cu", "NVCC", "nvcc"},    {".py", "PYTHON", "python3"},
    {".so", NULL, NULL},
};

static const struct language_row *language_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot && i < sizeof languages / sizeof *languages; i++)
        if (strcmp(dot, languages[i].suffix) == 0)
            return &languages[i];
    return NULL;
}

bool lab_build_compiles(const char *file)
{
    const struct language_row *l = language_of(file);
    return l && l->compiler;
}

static bool has_suffix(const struct language_row *l, const char *suffix)
{
    return strcmp(l->suffix, suffix) == 0;
}

void lab_build_name(const char *file, char *text, size_t size)
{
    const char *base = file_name(file);
    const char *dot = strrchr(base, '.');
    char stem[NAME_MAX + 1];
    snprintf(stem, sizeof stem, "%.*s", dot ? (int)(dot - base) : (int)strlen(base), base);
    strcpy(text, "lab:");
    text_distinct(text + strlen(text), size - strlen(text), stem);
    utf8_clean_foreign(text, false);
    for (char *at = text + strlen("lab:"); *at; at++)
        if (strchr(",+\"\n ", *at))
            *at = '_';
}

/* ---- command lines --------------------------------------------------------------------------- */

/* The words of a command, one after another in `text`. */
struct words {
    char text[4 * PATH_MAX];
    size_t used;
    char *items[WORDS + 1];
    int count;
};

/* Adds a word. One that does not fit is omitted; the compiler then reports an error. */
static void add_part(struct words *w, const char *from, size_t length)
{
    if (w->count == WORDS || w->used + length + 1 > sizeof w->text)
        return;
    char *word = w->text + w->used;
    memcpy(word, from, length);
    word[length] = '\0';
    w->used += length + 1;
    w->items[w->count++] = word;
    w->items[w->count] = NULL;
}

static void add_word(struct words *w, const char *word)
{
    add_part(w, word, strlen(word));
}

/* Adds the words of a text, separated by blanks. */
static void add_words(struct words *w, const char *text)
{
    while (*(text += strspn(text, " \t"))) {
        const size_t length = strcspn(text, " \t");
        add_part(w, text, length);
        text += length;
    }
}

static void join_words(const struct words *w, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < w->count && used < size; i++) {
        const int more = snprintf(text + used, size - used, "%s%s", i > 0 ? " " : "", w->items[i]);
        used += more > 0 ? (size_t)more : 0;
    }
}

static const char *compiler_of(const struct language_row *l)
{
    const char *given = getenv(l->variable);
    return given && given[0] ? given : l->compiler;
}

/* ---- compiling ------------------------------------------------------------------------------- */

static struct compiler_limits allowed; /* of the build in progress */
static const struct process_limits compile_limits = {.seconds = compile_s,
                                                     .grace_seconds = 1.0,
                                                     .death_signal = SIGKILL,
                                                     .enter = compiler_enter,
                                                     .context = &allowed};

static enum status run(struct words *w, struct process_result *result, struct failure *f)
{
    const enum status status = process_run(w->items, &compile_limits, result, f);
    utf8_clean_foreign(result->output, true);
    return status;
}

static void path_in(const struct lab_build *b, const char *file, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", b->folder, file);
}

/* Composes the compiler, its flags, and the options that make a library of the file. */
static void command_line(struct words *w, const struct language_row *l, const char *flags,
                         const char *more, const char *library, const char *file)
{
    *w = (struct words){.count = 0};
    add_words(w, compiler_of(l));
    add_words(w, flags);
    add_words(w, more);
    add_words(w, "-shared -fPIC -o");
    add_word(w, library);
    add_word(w, file);
    add_word(w, "-lm");
}

/* Provides source lines for crashes and loops; the generated instructions do not depend on it. */
static const char with_lines[] = "-g";

/* Keeps the first line of the compiler's output that names an error, without the folders of this
 * machine. */
static void keep_error(struct lab_build *b, const char *output)
{
    const char *error = strstr(output, "rror:");
    const char *at = error ? error : output;
    while (at > output && at[-1] != '\n')
        at--;
    char line[PATH_MAX + sizeof b->refused];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    short_paths(line, b->file);
    text_fit(b->refused, sizeof b->refused, line);
    if (!b->refused[0])
        snprintf(b->refused, sizeof b->refused, "the compiler failed");
}

/* Returns the status of a compilation. A compilation error has the compiler's own messages and no
 * other. */
static enum status compiler_outcome(struct lab_build *b, const struct language_row *l,
                                    const struct process_result *result, struct failure *f)
{
    if (result->end == PROCESS_NOT_STARTED)
        return fail(f, STATUS_UNAVAILABLE, "%s is compiled by %s: %s", b->file, compiler_of(l),
                    result->output);
    if (!process_succeeded(result)) {
        fputs(result->output, stderr);
        keep_error(b, result->output);
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

static enum status run_compiler(struct lab_build *b, const struct language_row *l, struct words *w,
                                struct failure *f)
{
    struct process_result result;
    const enum status status = run(w, &result, f);
    return status == STATUS_OK ? compiler_outcome(b, l, &result, f) : status;
}

/* Composes the command that makes the timed library. GCC also writes what it did with loops into a
 * file; other compilers refuse the option. */
static void timed_command(struct words *w, const struct lab_build *b, const struct language_row *l,
                          const char *flags)
{
    char notes[PATH_MAX], option[PATH_MAX + 64];
    path_in(b, "loops.txt", notes);
    snprintf(option, sizeof option, "%s -fopt-info-vec-optimized-missed=%s", with_lines, notes);
    command_line(w, l, flags, option, b->timed, b->file);
}

static void take_notes(struct lab_build *b)
{
    char notes[PATH_MAX];
    path_in(b, "loops.txt", notes);
    lab_loops_read(&b->loops, notes, b->file);
}

/* Compiles without notes, where that failed; reports a compilation error. */
static enum status compile_without_notes(struct lab_build *b, const struct language_row *l,
                                         const char *flags, struct failure *f)
{
    struct words w;
    command_line(&w, l, flags, with_lines, b->timed, b->file);
    return run_compiler(b, l, &w, f);
}

#if defined __aarch64__
#define CLANG_RUNTIME "libclang_rt.asan-aarch64.so"
#else
#define CLANG_RUNTIME "libclang_rt.asan-x86_64.so"
#endif

/* Asks the compiler where it has a library; false if it has none that can be read. */
static bool find_library(const struct language_row *l, const char *name, char path[PATH_MAX])
{
    struct words w = {.count = 0};
    struct process_result result;
    struct failure ignored = {0};
    char option[64];
    snprintf(option, sizeof option, "-print-file-name=%s", name);
    add_words(&w, compiler_of(l));
    add_word(&w, option);
    const bool done = run(&w, &result, &ignored) == STATUS_OK && process_succeeded(&result);
    result.output[strcspn(result.output, "\n")] = '\0';
    text_fit_format(path, PATH_MAX, "%s", result.output);
    return done && strchr(path, '/') && access(path, R_OK) == 0;
}

/* Finds what programs built without sanitizers must load first: the sanitizer's library, of which
 * clang knows only its own, and the library of C++, whose exceptions the sanitizer hands on to what
 * is loaded when it starts. */
static void find_runtime(struct lab_build *b, const struct language_row *l)
{
    char sanitizer[PATH_MAX], cpp[PATH_MAX];
    b->preload[0] = '\0';
    if (!find_library(l, CLANG_RUNTIME, sanitizer) && !find_library(l, "libasan.so", sanitizer))
        return;
    const bool both = find_library(l, "libstdc++.so.6", cpp);
    text_fit_format(b->preload, sizeof b->preload, "%s%s%s", sanitizer, both ? ":" : "",
                    both ? cpp : "");
}

static void checked_command(struct words *w, const struct lab_build *b,
                            const struct language_row *l, const char *flags)
{
    char library[PATH_MAX];
    const bool clang = strstr(b->preload, CLANG_RUNTIME) != NULL;
    path_in(b, "checked.so", library);
    command_line(w, l, flags,
                 clang ? "-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined "
                         "-fno-sanitize-recover=all -shared-libasan"
                       : "-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined "
                         "-fno-sanitize-recover=all",
                 library, b->file);
}

/* Sets the checked library. A kernel that sanitizers cannot check is checked without them. */
static void take_checked(struct lab_build *b, bool compiled)
{
    if (compiled && b->preload[0])
        path_in(b, "checked.so", b->checked);
    else
        b->unchecked = N_("the compiler has no address and undefined-behaviour sanitizers here");
}

/* Compiles the timed and the checked library at the same time. Options for source lines and notes
 * do not change the computation, so the command that is shown omits them. */
static enum status compile(struct lab_build *b, const struct language_row *l, const char *flags,
                           struct failure *f)
{
    enum { TIMED, CHECKED, COMMANDS };
    struct words w[COMMANDS], shown;
    struct process_result results[COMMANDS];
    command_line(&shown, l, flags, "", b->timed, b->file);
    join_words(&shown, b->command, sizeof b->command);
    find_runtime(b, l);
    timed_command(&w[TIMED], b, l, flags);
    checked_command(&w[CHECKED], b, l, flags);
    enum status status = process_run_all((char *const *const[]){w[TIMED].items, w[CHECKED].items},
                                         COMMANDS, &compile_limits, results, f);
    for (size_t i = 0; i < COMMANDS; i++)
        utf8_clean_foreign(results[i].output, true);
    if (status != STATUS_OK)
        return status;
    if (process_succeeded(&results[TIMED]))
        take_notes(b);
    else if (results[TIMED].seconds > patience_s)
        return compiler_outcome(b, l, &results[TIMED], f); /* another attempt would take as long */
    else
        status = compile_without_notes(b, l, flags, f);
    if (status == STATUS_OK)
        take_checked(b, process_succeeded(&results[CHECKED]));
    return status;
}

/* Finds the first program of that name in PATH. */
static bool find_program(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/'))
        return (size_t)snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && access(path, X_OK) == 0;
    for (const char *at = folders; at && *at;) {
        const size_t length = strcspn(at, ":");
        const int written = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name);
        if (written > 0 && written < PATH_MAX && access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* Allows the folders that the options name: they are those of whoever calls study. */
static void allow_options(const char *flags)
{
    char real[PATH_MAX];
    struct words w = {.count = 0};
    add_words(&w, flags);
    for (int i = 0; i < w.count; i++)
        if ((strncmp(w.items[i], "-I", 2) == 0 || strncmp(w.items[i], "-L", 2) == 0) &&
            realpath(w.items[i] + 2, real))
            compiler_allow(&allowed, real);
}

/* Makes the folder of the build, and decides what the compiler may read. */
static enum status make_folder(struct lab_build *b, const struct language_row *l, const char *flags,
                               struct failure *f)
{
    char path[PATH_MAX], real[PATH_MAX];
    const enum status status = temporary_folder(b->folder, sizeof b->folder, "lab", f);
    if (status != STATUS_OK)
        return status;
    keeper_start(&b->keeper, b->folder);
    path_in(b, "timed.so", b->timed);
    allowed = (struct compiler_limits){.folder = b->folder, .large = has_suffix(l, ".cu")};
    compiler_allow_beside_source(&allowed, b->file);
    allow_options(flags);
    compiler_allow_environment(&allowed);
    if (find_program(compiler_of(l), path) && realpath(path, real))
        compiler_allow_program(&allowed, real);
    if (has_suffix(l, ".cu")) {
        compiler_allow(&allowed, suite_share(path, "labs"));
        compiler_allow(&allowed, suite_share(path, "cuda_emulation"));
        if (suite_module(path, "emulation/libcuda_emulation.a"))
            compiler_allow(&allowed, path);
    }
    return STATUS_OK;
}

static enum status take_script(struct lab_build *b, const struct language_row *l, struct failure *f)
{
    snprintf(b->timed, sizeof b->timed, "%s", b->file);
    b->unchecked = N_("Python has none");
    return find_program(compiler_of(l), b->interpreter)
               ? STATUS_OK
               : fail(f, STATUS_UNAVAILABLE, "%s is run by %s, which is not in PATH", b->file,
                      compiler_of(l));
}

/* Compiles with nvcc, together with the functions for arrays. Sanitizers of the host do not check a
 * GPU. */
static enum status compile_device(struct lab_build *b, const struct language_row *l,
                                  const char *flags, struct failure *f)
{
    struct words w;
    char arrays[PATH_MAX];
    b->device = true;
    b->unchecked = N_("there are none for a GPU");
    w = (struct words){.count = 0};
    add_words(&w, compiler_of(l));
    add_words(&w, flags == lab_default_flags ? "-O3" : flags);
    add_words(&w, "-shared -Xcompiler -fPIC -o");
    add_word(&w, b->timed);
    add_word(&w, b->file);
    add_word(&w, suite_share(arrays, "labs/device.cu"));
    join_words(&w, b->command, sizeof b->command);
    return run_compiler(b, l, &w, f);
}

/* Sets the absolute path of the kernel's file. */
static enum status find_file(struct lab_build *b, const char *file, struct failure *f)
{
    if (access(file, R_OK) != 0 || !realpath(file, b->file))
        return fail(f, STATUS_USAGE, "%s: %s", file, strerror(errno));
    return STATUS_OK;
}

static const char *cxx_compiler(void)
{
    const struct language_row *l = language_of(".cpp");
    return compiler_of(l);
}

/* Flags for the translated kernel, whose accesses the compiler reports to the emulation. To be
 * counted, its short loops are unrolled as by nvcc, and no access is duplicated (as in
 * cuda/emulation/CMakeLists.txt). */
static const char checked_flags[] = "-O1 -fsanitize=thread",
                  counted_flags[] = "-O3 -fsanitize=thread -fsanitize-coverage=trace-pc "
                                    "-fno-thread-jumps -fno-split-paths -fno-unswitch-loops",
                  counted_by_clang[] = "-O3 -fsanitize=thread -fno-vectorize -fno-slp-vectorize "
                                       "-fsanitize-coverage=bb,no-prune,trace-pc";

/* True if the C++ compiler is Clang. */
static bool is_clang(void)
{
    struct words w = {.count = 0};
    struct process_result result;
    struct failure ignored = {0};
    add_words(&w, cxx_compiler());
    add_word(&w, "--version");
    return run(&w, &result, &ignored) == STATUS_OK && strstr(result.output, "clang");
}

static enum status compile_translated(struct lab_build *b, const char *flags, const char *include,
                                      struct failure *f)
{
    struct words w = {.count = 0};
    char source[PATH_MAX], object[PATH_MAX];
    path_in(b, "emulated.cpp", source);
    path_in(b, "emulated.o", object);
    add_words(&w, cxx_compiler());
    /* addr2line takes the first file of a table of DWARF 5 for the translated one. */
    add_words(&w, "-std=c++17 -gdwarf-4 -fPIC -w -ffp-contract=off");
    add_words(&w, flags);
    add_words(&w, "-I");
    add_word(&w, include);
    add_words(&w, "-c -o");
    add_word(&w, object);
    add_word(&w, source);
    join_words(&w, b->command, sizeof b->command);
    return run_compiler(b, language_of(".cpp"), &w, f);
}

/* Links it with the emulation and the functions for arrays. No sanitizer's library takes part. */
static enum status link_emulated(struct lab_build *b, const char *flags, const char *out,
                                 const char *include, const char *library, struct failure *f)
{
    struct words w = {.count = 0};
    char object[PATH_MAX], arrays[PATH_MAX];
    path_in(b, "emulated.o", object);
    add_words(&w, cxx_compiler());
    add_words(&w, "-std=c++17 -O1 -fPIC -shared -w");
    add_words(&w, flags);
    add_words(&w, "-I");
    add_word(&w, include);
    add_word(&w, "-o");
    add_word(&w, out);
    add_word(&w, object);
    add_words(&w, "-x c++");
    add_word(&w, suite_share(arrays, "labs/device.cu"));
    add_words(&w, "-x none");
    add_word(&w, library);
    add_word(&w, "-ldl");
    return run_compiler(b, language_of(".cpp"), &w, f);
}

enum status lab_build_emulated(struct lab_build *b, const char *file, struct failure *f)
{
    char include[PATH_MAX], library[PATH_MAX], source[PATH_MAX];
    const struct language_row *l = language_of(file);
    *b = (struct lab_build){.folder = "", .unchecked = "", .device = true, .emulated = true};
    b->unchecked = N_("the emulated device checks every access of every thread");
    if (!l || !has_suffix(l, ".cu"))
        return fail(f, STATUS_USAGE,
                    "%s: --device cpu is for GPU kernels, in files with the suffix .cu", file);
    if (!suite_module(library, "emulation/libcuda_emulation.a"))
        return fail(f, STATUS_UNAVAILABLE,
                    "--device cpu: built without the emulation: build where a C++ compiler is "
                    "(Debian: g++)");
    enum status status = find_file(b, file, f);
    if (status == STATUS_OK)
        status = make_folder(b, l, "", f);
    path_in(b, "emulated.cpp", source);
    if (status == STATUS_OK)
        status = lab_translate(b->file, source, f);
    if (status == STATUS_OK)
        status = compile_translated(b, checked_flags, suite_share(include, "cuda_emulation"), f);
    return status == STATUS_OK ? link_emulated(b, "", b->timed, include, library, f) : status;
}

enum status lab_build_counted(struct lab_build *b, char counted[PATH_MAX], struct failure *f)
{
    char include[PATH_MAX], library[PATH_MAX];
    if (!suite_module(library, "emulation/libcuda_emulation.a"))
        return fail(f, STATUS_UNAVAILABLE, "--count: built without the emulation");
    path_in(b, "counted.so", counted);
    const enum status status = compile_translated(b, is_clang() ? counted_by_clang : counted_flags,
                                                  suite_share(include, "cuda_emulation"), f);
    return status == STATUS_OK
               ? link_emulated(b, "-DLAB_COUNTED_CALL", counted, include, library, f)
               : status;
}

static enum status refuse_suffix(const char *file, struct failure *f)
{
    char suffixes[256] = "";
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        word_list_add(suffixes, sizeof suffixes, ", ", languages[i].suffix);
    return fail(f, STATUS_USAGE, "%s: the suffix must name the language: %s", file, suffixes);
}

enum status lab_build_make(struct lab_build *b, const char *file, const char *flags,
                           struct failure *f)
{
    const struct language_row *l = language_of(file);
    *b = (struct lab_build){.folder = "", .unchecked = ""};
    if (!l)
        return refuse_suffix(file, f);
    enum status status = find_file(b, file, f);
    if (status != STATUS_OK)
        return status;
    if (has_suffix(l, ".py"))
        return take_script(b, l, f);
    if (!l->compiler) {
        snprintf(b->timed, sizeof b->timed, "%s", b->file);
        b->unchecked = N_("a library is taken as it is");
        return STATUS_OK;
    }
    status = make_folder(b, l, flags, f);
    if (status == STATUS_OK && has_suffix(l, ".cu"))
        return compile_device(b, l, flags, f);
    return status == STATUS_OK ? compile(b, l, flags, f) : status;
}

void lab_build_code(const struct lab_build *b, const char *flags, char hex[SHA256_HEX])
{
    struct words w;
    struct process_result result;
    struct failure ignored = {0};
    char text[PATH_MAX];
    const struct language_row *l = language_of(b->file);
    hex[0] = '\0';
    if (!b->folder[0] || b->device || !l || !l->compiler)
        return;
    path_in(b, "timed.s", text);
    command_line(&w, l, flags, "-S", text, b->file);
    if (run(&w, &result, &ignored) == STATUS_OK && process_succeeded(&result))
        lab_code_hash(text, hex);
}

void lab_build_remove(struct lab_build *b)
{
    if (b->folder[0])
        keeper_end(&b->keeper, b->folder);
    b->folder[0] = '\0';
}

/* ---- exported functions ---------------------------------------------------------------------- */

/* The name of the function in a line of nm, or NULL: one of C may be weak or indirect; of C++ those
 * are instances of templates. */
static const char *function_in(const char *line)
{
    const char *type = strchr(line, ' ');
    if (!type || !type[1] || type[2] != ' ')
        return NULL;
    const char *name = type + 3;
    const bool c = strncmp(name, "_Z", 2) != 0;
    return strchr(c ? "TWi" : "T", type[1]) ? name : NULL;
}

/* Copies the names of functions from what nm printed: "a, b, c". */
static void copy_exports(FILE *from, FILE *to)
{
    char *line = NULL;
    size_t size = 0, count = 0;
    rewind(from);
    while (getline(&line, &size, from) > 0) {
        const char *name = function_in(line);
        if (name)
            fprintf(to, "%s%.*s", count++ > 0 ? ", " : "", (int)strcspn(name, "\n"), name);
    }
    free(line);
}

/* Lists the functions that the library exports; NULL if they are unknown. The caller frees the
 * text. */
static char *list_exports(const struct lab_build *b)
{
    struct words w = {.count = 0};
    struct process_limits limits = compile_limits;
    struct process_result result;
    struct failure ignored = {0};
    char *text = NULL;
    size_t size = 0;
    bool known = false;
    FILE *printed = tmpfile(), *stream = printed ? open_memstream(&text, &size) : NULL;
    add_words(&w, "nm -D --defined-only");
    add_word(&w, b->timed);
    if (stream) {
        limits.stdout_file = fileno(printed);
        known = process_run(w.items, &limits, &result, &ignored) == STATUS_OK &&
                process_succeeded(&result);
        if (known)
            copy_exports(printed, stream);
        fclose(stream);
    }
    if (printed)
        fclose(printed);
    if (!known)
        free(text);
    return known ? text : NULL;
}

static bool exports(const char *list, const char *function)
{
    char underscored[64]; /* as compilers of Fortran name it */
    snprintf(underscored, sizeof underscored, "%s_", function);
    return word_list_has(list, ", ", function) || word_list_has(list, ", ", underscored);
}

enum status lab_build_expect(struct lab_build *b, const char *function, struct failure *f)
{
    enum status status = STATUS_OK;
    if (b->interpreter[0])
        return STATUS_OK; /* the worker of a script checks it */
    char *list = list_exports(b);
    const bool compiled = b->command[0]; /* libraries that another one needs may have it */
    if (list && (compiled || list[0]) && !exports(list, function)) {
        utf8_clean_foreign(list, false);
        const char *shown = list[0] ? list : "nothing";
        text_fit_format(b->refused, sizeof b->refused, "it has no function %s; it exports %s",
                        function, shown);
        status =
            fail(f, STATUS_USAGE, "%s has no function %s; it exports %s", b->file, function, shown);
    }
    free(list);
    return status;
}
