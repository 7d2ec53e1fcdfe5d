#include "networks/safetensors.h"

#include "harness/base/regular.h"
#include "harness/base/signals.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PREFIX = 8 };

/* ---- reading ----------------------------------------------------------------------------------
 */

/* The header's length, held against the file's before anything is allocated. */
static enum status read_length(const struct safetensors *s, int64_t file_bytes, int64_t *length,
                               struct failure *f)
{
    uint64_t told;
    if (file_bytes < PREFIX || fread(&told, sizeof told, 1, s->stream) != 1)
        return fail(f, STATUS_USAGE, "%s: %lld bytes are no safetensors file", s->path,
                    (long long)file_bytes);
    told = le64toh(told);
    if (told > (uint64_t)(file_bytes - PREFIX))
        return fail(f, STATUS_USAGE, "%s: a header of %llu bytes in a file of %lld", s->path,
                    (unsigned long long)told, (long long)file_bytes);
    if (told > SAFETENSORS_HEADER_MOST)
        return fail(f, STATUS_USAGE, "%s: a header of %llu bytes is more than the %d that are read",
                    s->path, (unsigned long long)told, SAFETENSORS_HEADER_MOST);
    *length = (int64_t)told;
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
                             float *values, struct failure *f)
{
    const size_t count = (size_t)(e->end - e->begin) / sizeof(float);
    if (strcmp(e->type->name, "F32") != 0)
        return fail(f, STATUS_USAGE, "%s: tensor %s is %s: only F32 is read", s->path, e->name,
                    e->type->name);
    if (fseeko(s->stream, s->data_from + e->begin, SEEK_SET) != 0 ||
        fread(values, sizeof(float), count, s->stream) != count)
        return fail(f, STATUS_USAGE, "%s: tensor %s could not be read", s->path, e->name);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits = le32toh(bits);
        memcpy(&values[i], &bits, sizeof bits);
        if (!isfinite(values[i]))
            return fail(f, STATUS_USAGE, "%s: tensor %s: value %zu is not finite", s->path, e->name,
                        i);
    }
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

/* The header, filled up with blanks so that values begin at a multiple of 8 bytes. */
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
    return good && fflush(out) == 0;
}

/* Writes to a descriptor and closes it. False with errno. */
static bool write_to(int fd, bool sync, const char *header, size_t size,
                     const struct safetensors_tensor *tensors, size_t count)
{
    FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!out)
        return false;
    bool good = write_all(out, header, size, tensors, count) && (!sync || fsync(fd) == 0);
    const int error = errno;
    if (fclose(out) != 0)
        return false;
    errno = error;
    return good;
}

/* A file is written beside its place; what is no regular file, as /dev/full, is written directly,
 * and *beside is empty. A descriptor, or -1 with errno. */
static int open_to_write(const char *path, char beside[PATH_MAX])
{
    struct stat there;
    beside[0] = 0;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC);
    if (snprintf(beside, PATH_MAX, "%s.%ld", path, (long)getpid()) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
        signals_unfinished(beside);
    return fd;
}

/* What was written beside goes to its place, or away. False with errno. */
static bool end_writing(bool good, const char *beside, const char *path)
{
    if (!beside[0])
        return good;
    const bool moved = good && rename(beside, path) == 0;
    const int error = errno;
    if (!moved)
        unlink(beside);
    signals_unfinished(NULL);
    errno = error;
    return moved;
}

static bool write_whole(const char *path, const char *header, size_t size,
                        const struct safetensors_tensor *tensors, size_t count)
{
    char beside[PATH_MAX];
    const int fd = open_to_write(path, beside);
    return fd >= 0 &&
           end_writing(write_to(fd, beside[0] != 0, header, size, tensors, count), beside, path);
}

enum status safetensors_can_write(const char *path, struct failure *f)
{
    char beside[PATH_MAX];
    const int fd = open_to_write(path, beside);
    if (fd < 0)
        return fail(f, STATUS_OUTPUT, "%s: cannot write it: %s", path, failure_of_write(errno));
    close(fd);
    end_writing(false, beside, path);
    return STATUS_OK;
}

enum status safetensors_write(const char *path, const struct safetensors_tensor *tensors,
                              size_t count, struct failure *f)
{
    size_t size = 0;
    char *header = make_header(tensors, count, &size);
    if (!header)
        return fail(f, STATUS_RESOURCE, "%s: no memory for its header", path);
    const bool good = write_whole(path, header, size, tensors, count);
    const int error = errno;
    free(header);
    return good ? STATUS_OK
                : fail(f, STATUS_OUTPUT, "%s: could not be written: %s", path,
                       failure_of_write(error));
}
