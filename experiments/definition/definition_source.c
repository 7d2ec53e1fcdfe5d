#include "experiments/definition/definition_source.h"

#include "harness/base/regular_file.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

const char *const scale_names[SCALES] = {"quick", "standard", "full", "thesis"};

enum status definition_out_of_memory(const struct definition_source *in)
{
    return fail(in->failure, STATUS_RESOURCE, "%s: not enough memory", in->path);
}

/* Removes the byte order mark, which some editors put before UTF-8, where nobody sees it. */
static void drop_byte_order_mark(char *line)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t length = sizeof mark - 1;
    if (strncmp(line, mark, length) == 0)
        memmove(line, line + length, strlen(line + length) + 1);
}

/* Reads a line for inih, instead of fgets: inih would cut long lines and overlook zero bytes. */
static char *next_line(char *line, int size, void *stream)
{
    struct definition_source *in = stream;
    int length = 0, c = EOF;
    while (length < size - 1 && (c = getc(in->file)) != EOF) {
        line[length++] = (char)c;
        if (c == '\n' || c == '\0')
            break;
    }
    line[length] = '\0';
    if (length == 0 || in->failure->message[0])
        return NULL;
    if (in->line++ == 0)
        drop_byte_order_mark(line);
    in->indented = line[0] == ' ' || line[0] == '\t';
    if (line[strspn(line, " \t")] == '[') {
        in->section_line = in->line;
        in->value_above = false;
    }
    if (c == '\0' || (c != '\n' && c != EOF)) {
        fail(in->failure, STATUS_USAGE, "%s:%d: %s", in->path, in->line,
             c == '\0' ? "a zero byte in a text file"
                       : "the line is too long; go on in an indented line below");
        return NULL;
    }
    return line;
}

/* Returns the scale that a key's prefix names and moves *key behind the prefix. */
static int take_scale(const char **key)
{
    for (int scale = 0; scale < SCALES; scale++) {
        size_t length = strlen(scale_names[scale]);
        if (strncmp(*key, scale_names[scale], length) == 0 && (*key)[length] == '.') {
            *key += length + 1;
            return scale;
        }
    }
    return EVERY_SCALE;
}

static bool enter_section(struct definition_source *in, const char *name)
{
    if (in->section_count > 0 && in->sections[in->section_count - 1].line == in->section_line)
        return true;
    if (in->section_line == 0) {
        fail(in->failure, STATUS_USAGE, "%s:%d: a key before any section; [experiment] is missing",
             in->path, in->line);
        return false;
    }
    struct section *grown = array_grow(in->sections, in->section_count, sizeof *grown);
    char *copy = strdup(name);
    if (!grown || !copy) {
        in->sections = grown ? grown : in->sections;
        free(copy);
        definition_out_of_memory(in);
        return false;
    }
    in->sections = grown;
    in->sections[in->section_count++] = (struct section){copy, in->section_line};
    return true;
}

/* Continues the last value with the text of an indented line, joined by a blank. */
static bool extend(struct definition_source *in, const char *more)
{
    struct entry *last = &in->entries[in->entry_count - 1];
    size_t length = strlen(last->value);
    char *longer = realloc(last->value, length + strlen(more) + 2);
    if (!longer) {
        definition_out_of_memory(in);
        return false;
    }
    longer[length] = ' ';
    strcpy(longer + length + 1, more);
    last->value = longer;
    return true;
}

static bool add_entry(struct definition_source *in, const char *key, const char *value)
{
    int scale = take_scale(&key);
    struct entry *grown = array_grow(in->entries, in->entry_count, sizeof *grown);
    char *key_copy = strdup(key), *value_copy = strdup(value);
    in->entries = grown ? grown : in->entries;
    if (!grown || !key_copy || !value_copy) {
        free(key_copy);
        free(value_copy);
        definition_out_of_memory(in);
        return false;
    }
    in->entries[in->entry_count++] =
        (struct entry){in->section_count - 1, scale, in->line, key_copy, value_copy};
    return true;
}

static int take_line(void *user, const char *section, const char *key, const char *value)
{
    struct definition_source *in = user;
    if (!enter_section(in, section))
        return 0;
    if (in->indented && in->value_above)
        return extend(in, value);
    in->value_above = true;
    return add_entry(in, key, value);
}

static enum status check_duplicates(const struct definition_source *in)
{
    for (size_t i = 0; i < in->entry_count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct entry *a = &in->entries[j], *b = &in->entries[i];
            if (a->section == b->section && a->scale == b->scale && strcmp(a->key, b->key) == 0)
                return fail(in->failure, STATUS_USAGE, "%s:%d: '%s' is already given in line %d",
                            in->path, b->line, b->key, a->line);
        }
    return STATUS_OK;
}

enum status definition_source_read(struct definition_source *in)
{
    int64_t file_bytes;
    enum status status = regular_stream(in->path, &in->file, &file_bytes, in->failure);
    if (status != STATUS_OK)
        return status;
    int bad_line = ini_parse_stream(next_line, in, take_line, in);
    bool unreadable = ferror(in->file) != 0;
    fclose(in->file);
    if (unreadable)
        return fail(in->failure, STATUS_USAGE, "%s: cannot be read", in->path);
    if (in->failure->message[0])
        return in->failure->status;
    if (bad_line > 0)
        return fail(in->failure, STATUS_USAGE, "%s:%d: expected 'key = value' or '[section]'",
                    in->path, bad_line);
    if (bad_line < 0)
        return definition_out_of_memory(in);
    return check_duplicates(in);
}

void definition_source_release(struct definition_source *in)
{
    for (size_t i = 0; i < in->section_count; i++)
        free(in->sections[i].name);
    for (size_t i = 0; i < in->entry_count; i++) {
        free(in->entries[i].key);
        free(in->entries[i].value);
    }
    free(in->sections);
    free(in->entries);
}
