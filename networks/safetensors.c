#include "networks/safetensors.h"

#include "harness/base/regular_file.h"
#include "harness/base/whole_file.h"
#include "harness/image/file_format.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PREFIX = 8 };

/* ---- reading ----------------------------------------------------------------------------------
 */

/* What the file is instead, and what to do; NULL: not known. The first bytes of some formats may be
 * a length too, so only a length that cannot be asks this. */
static const char *other_format(const struct safetensors *s)
{
    char beginning[FILE_FORMAT_BYTES];
    rewind(s->stream);
    const size_t count = fread(beginning, 1, sizeof beginning, s->stream);
    const struct file_format *format = file_format_of(beginning, count, false);
    return format ? format->tensors : NULL;
}

/* Reads the header's length and compares it with the file's before anything is allocated. */
static enum status read_length(const struct safetensors *s, int64_t file_bytes, int64_t *length,
                               struct failure *f)
{
    uint64_t stated;
    if (file_bytes < PREFIX || fread(&stated, sizeof stated, 1, s->stream) != 1)
        return fail(f, STATUS_USAGE, "%s: %lld bytes are no safetensors file", s->path,
                    (long long)file_bytes);
    stated = le64toh(stated);
    const bool beyond = stated > (uint64_t)(file_bytes - PREFIX);
    const char *other = beyond || stated > SAFETENSORS_HEADER_MOST ? other_format(s) : NULL;
    if (other)
        return fail(f, STATUS_USAGE, "%s: %s", s->path, other);
    if (beyond)
        return fail(f, STATUS_USAGE,
                    "%s: no safetensors file: a header of %llu bytes in a file of %lld", s->path,
                    (unsigned long long)stated, (long long)file_bytes);
    if (stated > SAFETENSORS_HEADER_MOST)
        return fail(f, STATUS_USAGE, "%s: a header of %llu bytes is more than the %d that are read",
                    s->path, (unsigned long long)stated, SAFETENSORS_HEADER_MOST);
    *length = (int64_t)stated;
    return STATUS_OK;
}

static enum status read_header(struct safetensors *s, int64_t file_bytes, struct failure *f)
{
    int64_t length = 0;
    enum status status = read_length(s, file_bytes, &length, f);
    if (status != STATUS_OK)
        return status;
    char *text = malloc((size_t)length + 1);
    if (!text)
        return fail(f, STATUS_RESOURCE, "%s: no memory for its header", s->path);
    if (fread(text, 1, (size_t)length, s->stream) != (size_t)length)
        status = fail(f, STATUS_USAGE, "%s: could not be read: %s", s->path, strerror(errno));
    FILE *stream = s->stream;
    const char *path = s->path;
    if (status == STATUS_OK)
        status = safetensors_parse(s, text, (size_t)length, file_bytes - PREFIX - length, path, f);
    s->stream = stream;
    s->path = path;
    s->data_from = PREFIX + length;
    free(text);
    return status;
}

enum status safetensors_open(struct safetensors *out, const char *path, struct failure *f)
{
    int64_t bytes;
    *out = (struct safetensors){.path = path};
    enum status status = regular_stream(path, &out->stream, &bytes, f);
    if (status == STATUS_OK)
        status = read_header(out, bytes, f);
    if (status != STATUS_OK)
        safetensors_close(out);
    return status;
}

void safetensors_close(struct safetensors *s)
{
    if (s->stream)
        fclose(s->stream);
    free(s->entries);
    *s = (struct safetensors){0};
}

const struct safetensors_entry *safetensors_find(const struct safetensors *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->entries[i].name, name) == 0)
            return &s->entries[i];
    return NULL;
}

enum status safetensors_read(const struct safetensors *s, const struct safetensors_entry *e,
                             float *values, int64_t *rounded, struct failure *f)
{
    struct image_facts facts = IMAGE_FACTS_NONE;
    if (!e->type || !e->type->is_read)
        return fail(f, STATUS_USAGE, "%s: tensor %s is %s: only F32, F16, BF16 and F64 are read",
                    s->path, e->name, e->type_name);
    const struct number_format format = {.type = e->type->number,
                                         .swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
    if (fseeko(s->stream, s->data_from + e->begin, SEEK_SET) != 0)
        return fail(f, STATUS_USAGE, "%s: tensor %s could not be read", s->path, e->name);
    for (int64_t done = 0; done < e->elements; done += NUMBER_CHUNK) {
        union number_chunk raw;
        double bad;
        const int64_t left = e->elements - done, count = left < NUMBER_CHUNK ? left : NUMBER_CHUNK;
        if (fread(raw.bytes, (size_t)e->type->bytes, (size_t)count, s->stream) != (size_t)count)
            return fail(f, STATUS_USAGE, "%s: tensor %s could not be read", s->path, e->name);
        const int64_t good = numbers_convert(&format, &raw, count, values + done, 1, &facts, &bad);
        if (good < count)
            return fail(f, STATUS_USAGE, "%s: tensor %s: value %lld is not finite%s", s->path,
                        e->name, (long long)(done + good), isfinite(bad) ? " as float32" : "");
    }
    if (rounded)
        *rounded += facts.rounded;
    return STATUS_OK;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static int64_t floats_of(const struct safetensors_tensor *t)
{
    int64_t floats = 1;
    for (int i = 0; i < t->dimensions; i++)
        floats *= t->shape[i];
    return floats;
}

static void print_entry(FILE *out, const struct safetensors_tensor *t, int64_t begin)
{
    fprintf(out, "\"%s\":{\"dtype\":\"F32\",\"shape\":[", t->name);
    for (int i = 0; i < t->dimensions; i++)
        fprintf(out, "%s%lld", i > 0 ? "," : "", (long long)t->shape[i]);
    fprintf(out, "],\"data_offsets\":[%lld,%lld]}", (long long)begin,
            (long long)(begin + floats_of(t) * (int64_t)sizeof(float)));
}

/* Returns the header, padded with blanks so that the values begin at a multiple of 8 bytes. */
static char *make_header(const struct safetensors_tensor *tensors, size_t count, size_t *size)
{
    char *text = NULL;
    int64_t begin = 0;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', out);
        print_entry(out, &tensors[i], begin);
        begin += floats_of(&tensors[i]) * (int64_t)sizeof(float);
    }
    fputc('}', out);
    for (long at = ftell(out); at % PREFIX != 0; at++)
        fputc(' ', out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static bool write_values(FILE *out, const struct safetensors_tensor *t)
{
    const int64_t count = floats_of(t);
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &t->values[i], sizeof bits);
        bits = htole32(bits);
        if (fwrite(&bits, sizeof bits, 1, out) != 1)
            return false;
    }
    return true;
}

static bool write_all(FILE *out, const char *header, size_t size,
                      const struct safetensors_tensor *tensors, size_t count)
{
    const uint64_t length = htole64((uint64_t)size);
    bool good = fwrite(&length, sizeof length, 1, out) == 1 && fwrite(header, 1, size, out) == size;
    for (size_t i = 0; good && i < count; i++)
        good = write_values(out, &tensors[i]);
    return good;
}

static enum status write_file(const char *path, const char *header, size_t size,
                              const struct safetensors_tensor *tensors, size_t count,
                              struct failure *f)
{
    struct whole_file file;
    const enum status status = whole_file_open(&file, path, f);
    if (status != STATUS_OK)
        return status;
    if (write_all(file.stream, header, size, tensors, count))
        return whole_file_close(&file, f);
    const int why = errno;
    whole_file_abandon(&file);
    return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", path, failure_of_write(why));
}

enum status safetensors_can_write(const char *path, struct failure *f)
{
    struct stat about;
    if (!*path)
        return fail(f, STATUS_USAGE, "--save: the name of the file is empty");
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return fail(f, STATUS_OUTPUT, "%s: cannot be written: it is %s, not a regular file", path,
                    regular_kind(about.st_mode));
    return whole_file_check(path, f);
}

enum status safetensors_write(const char *path, const struct safetensors_tensor *tensors,
                              size_t count, struct failure *f)
{
    size_t size = 0;
    char *header = make_header(tensors, count, &size);
    if (!header)
        return fail(f, STATUS_RESOURCE, "%s: no memory for its header", path);
    const enum status status = write_file(path, header, size, tensors, count, f);
    free(header);
    return status;
}
