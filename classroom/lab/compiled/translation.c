#include "classroom/lab/compiled/translation.h"

#include "experiments/common/file_bytes.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 24, GROWTH = 4096 };

/* Words that need what the emulation lacks. */
static const struct {
    const char *word, *what;
} lacking[] = {
    {"wmma", "tensor cores"},
    {"nvcuda", "tensor cores"},
    {"__half", "16-bit numbers"},
    {"half", "16-bit numbers"},
    {"cuda_fp16", "16-bit numbers"},
    {"tex1D", "textures"},
    {"tex1Dfetch", "textures"},
    {"tex2D", "textures"},
    {"tex3D", "textures"},
    {"cudaTextureObject_t", "textures"},
    {"surf2Dread", "surfaces"},
    {"surf2Dwrite", "surfaces"},
    {"cooperative_groups", "cooperative groups"},
    {"cudaLaunchCooperativeKernel", "cooperative grids"},
    {"this_grid", "cooperative grids"},
    {"cudaGraph_t", "graphs"},
    {"cudaMallocManaged", "managed memory"},
    {"asm", "PTX in the source"},
};

/* The text that is read, and the text that is written. */
struct translation {
    const char *from, *file;
    char *to;
    size_t used, room;
    int line;
    bool full; /* no memory */
    struct failure *failure;
    enum status status;
};

static void put(struct translation *t, const char *text, size_t length)
{
    if (t->used + length + 1 > t->room) {
        const size_t room = 2 * (t->used + length) + GROWTH;
        char *grown = realloc(t->to, room);
        t->full = t->full || !grown;
        if (!grown)
            return;
        t->to = grown;
        t->room = room;
    }
    memcpy(t->to + t->used, text, length);
    t->used += length;
    t->to[t->used] = '\0';
}

static void put_text(struct translation *t, const char *text)
{
    put(t, text, strlen(text));
}

/* Copies `length` bytes unchanged. */
static void copy(struct translation *t, size_t length)
{
    for (size_t i = 0; i < length; i++)
        t->line += t->from[i] == '\n';
    put(t, t->from, length);
    t->from += length;
}

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (is_word_part(at[length]))
        length++;
    return length;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

/* Returns the length of a comment, a string or a character that begins here; 0: none does. */
static size_t quoted_length(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at + 2, "*/");
        return end ? (size_t)(end + 2 - at) : strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return 0;
    size_t length = 1;
    while (at[length] && at[length] != *at && at[length] != '\n')
        length += at[length] == '\\' && at[length + 1] ? 2 : 1;
    return length + (at[length] == *at);
}

/* Returns where the kernel's name begins that ends the written text: `name`, `space::name` or
 * `name<16, 2>`. */
static size_t kernel_begins(const struct translation *t)
{
    size_t at = t->used;
    int depth = 0;
    while (at > 0 && isspace((unsigned char)t->to[at - 1]))
        at--;
    if (at > 0 && t->to[at - 1] == '>')
        do {
            at--;
            depth += (t->to[at] == '>') - (t->to[at] == '<');
        } while (at > 0 && depth > 0);
    while (at > 0 && isspace((unsigned char)t->to[at - 1]))
        at--;
    while (at > 0 && (is_word_part(t->to[at - 1]) || t->to[at - 1] == ':'))
        at--;
    return at;
}

/* kernel<<<grid, block>>>(...)  ->  emulation_configure(kernel, grid, block)(...) */
static void begin_launch(struct translation *t)
{
    const size_t at = kernel_begins(t);
    char *name = strndup(t->to + at, t->used - at);
    t->full = t->full || !name;
    t->used = at;
    put_text(t, "emulation_configure(");
    put_text(t, name ? name : "");
    put_text(t, ", ");
    free(name);
    t->from += strlen("<<<");
}

/* extern __shared__ T name[];  ->  T *const name = the dynamic shared memory; returns false if it
 * is another declaration. */
static bool take_dynamic(struct translation *t)
{
    const char *end = strchr(t->from, ';'), *shared = strstr(t->from, "__shared__");
    const char *bracket = strchr(t->from, '[');
    if (!end || !shared || shared > end || !bracket || bracket > end)
        return false;
    const char *type = shared + strlen("__shared__");
    type += strspn(type, " \t");
    if (strncmp(type, "__align__", 9) == 0 || strncmp(type, "alignas", 7) == 0)
        type = strchr(type, ')') + 1;
    const char *name_end = bracket;
    while (isspace((unsigned char)name_end[-1]))
        name_end--;
    const char *name = name_end;
    while (is_word_part(name[-1]))
        name--;
    char text[512];
    snprintf(text, sizeof text,
             "%.*s *const %.*s = reinterpret_cast<%.*s *>(emulation_dynamic_shared());",
             (int)(name - type), type, (int)(name_end - name), name, (int)(name - type), type);
    put_text(t, text);
    for (; t->from <= end; t->from++)
        if (*t->from == '\n') {
            put_text(t, "\n");
            t->line++;
        }
    return true;
}

static void refuse(struct translation *t, size_t length)
{
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        if (is_word(t->from, length, lacking[i].word) && t->status == STATUS_OK)
            t->status = fail(t->failure, STATUS_USAGE,
                             "%s:%d: %s: the emulation has no %s; this kernel needs a GPU", t->file,
                             t->line, lacking[i].word, lacking[i].what);
}

/* True if the last word that was written is that one. */
static bool follows(const struct translation *t, const char *word)
{
    size_t end = t->used, length = strlen(word);
    while (end > 0 && isspace((unsigned char)t->to[end - 1]))
        end--;
    return end >= length && strncmp(t->to + end - length, word, length) == 0 &&
           (end == length || !is_word_part(t->to[end - length - 1]));
}

static void take_word(struct translation *t)
{
    const size_t length = word_length(t->from);
    refuse(t, length);
    if (is_word(t->from, length, "extern") && take_dynamic(t))
        return;
    if (is_word(t->from, length, "__shared__") && !follows(t, "static") && !follows(t, "extern"))
        put_text(t, "static ");
    if (is_word(t->from, length, "__noinline__") && !follows(t, "(")) {
        put_text(t, "__attribute__((noinline))");
        t->from += length;
        return;
    }
    copy(t, length);
}

static void translate(struct translation *t)
{
    while (*t->from && !t->full && t->status == STATUS_OK) {
        const size_t quoted = quoted_length(t->from);
        if (quoted > 0)
            copy(t, quoted);
        else if (is_word_part(*t->from))
            take_word(t);
        else if (strncmp(t->from, "<<<", 3) == 0)
            begin_launch(t);
        else if (strncmp(t->from, ">>>", 3) == 0) {
            put_text(t, ")");
            t->from += strlen(">>>");
        } else
            copy(t, 1);
    }
}

static enum status write_text(const struct translation *t, const char *path, struct failure *f)
{
    FILE *out = fopen(path, "w");
    const bool good = out && fwrite(t->to, 1, t->used, out) == t->used;
    const bool closed = out && fclose(out) == 0;
    return good && closed ? STATUS_OK : fail(f, STATUS_OUTPUT, "%s: cannot be written", path);
}

enum status lab_translate(const char *from, const char *to, struct failure *f)
{
    char *bytes, *text = NULL;
    size_t count;
    enum status status = file_bytes(from, MOST_BYTES, &bytes, &count, f);
    if (status == STATUS_OK)
        text = strndup(bytes, count);
    free(bytes);
    if (status != STATUS_OK)
        return status;
    struct translation t = {.from = text, .file = from, .line = 1, .failure = f, .full = !text};
    put_text(&t, "#include <cuda_runtime.h>\n#line 1 \"");
    put_text(&t, from);
    put_text(&t, "\"\n");
    if (text)
        translate(&t);
    status =
        t.full ? fail(f, STATUS_RESOURCE, "%s: not enough memory to translate it", from) : t.status;
    if (status == STATUS_OK)
        status = write_text(&t, to, f);
    free(t.to);
    free(text);
    return status;
}
