#include "experiments/class/zip.h"

#include "experiments/common/file_bytes.h"
#include "experiments/common/output.h"
#include "harness/base/regular_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef MAXPOOL_HAVE_ZLIB
#include <zlib.h>
#endif

/* ---- names and files ------------------------------------------------------------------------- */

bool zip_name_is_safe(const char *name)
{
    if (!*name || *name == '/' || strlen(name) >= ZIP_NAME)
        return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t length = strcspn(part, "/");
        if (length == 0 || (length == 1 && part[0] == '.') ||
            (length == 2 && part[0] == '.' && part[1] == '.'))
            return false;
    }
    for (; *name; name++)
        if (iscntrl((unsigned char)*name) || *name == '\\' || *name == ':')
            return false;
    return true;
}

const struct zip_file *zip_find(const struct zip *z, const char *name)
{
    for (size_t i = 0; i < z->count; i++)
        if (strcmp(z->files[i].name, name) == 0)
            return &z->files[i];
    return NULL;
}

static size_t bytes_in(const struct zip *z)
{
    size_t sum = 0;
    for (size_t i = 0; i < z->count; i++)
        sum += z->files[i].count;
    return sum;
}

/* Adds a file of `count` bytes, all zero. Returns NULL, and sets the failure, if the file is not
 * allowed. */
static struct zip_file *add_blank(struct zip *z, const char *name, size_t count, struct failure *f)
{
    if (!zip_name_is_safe(name)) {
        fail(f, STATUS_USAGE, "'%.150s' leads out of the archive, or is no name of a file", name);
        return NULL;
    }
    if (zip_find(z, name)) {
        fail(f, STATUS_USAGE, "the archive has '%s' twice", name);
        return NULL;
    }
    if (z->count == ZIP_FILES || count > ZIP_FILE_BYTES || bytes_in(z) + count > ZIP_BYTES) {
        fail(f, STATUS_USAGE, "'%s': more than %d files, %d MiB in one or %d MiB in all", name,
             ZIP_FILES, ZIP_FILE_BYTES >> 20, ZIP_BYTES >> 20);
        return NULL;
    }
    struct zip_file *file = &z->files[z->count];
    *file = (struct zip_file){.bytes = calloc(1, count + 1), .count = count};
    if (!file->bytes) {
        fail(f, STATUS_RESOURCE, "not enough memory for '%s'", name);
        return NULL;
    }
    memcpy(file->name, name, strlen(name) + 1);
    z->count++;
    return file;
}

enum status zip_add(struct zip *z, const char *name, const void *bytes, size_t count,
                    struct failure *f)
{
    struct failure own = {0};
    struct zip_file *file = add_blank(z, name, count, &own);
    if (!file)
        return fail(f, own.status, "%s", own.message);
    if (count > 0)
        memcpy(file->bytes, bytes, count);
    return STATUS_OK;
}

void zip_release(struct zip *z)
{
    for (size_t i = 0; i < z->count; i++)
        free(z->files[i].bytes);
    z->count = 0;
}

#ifdef MAXPOOL_HAVE_ZLIB

/* ---- records --------------------------------------------------------------------------------- */

enum {
    LOCAL_MARK = 0x04034b50,
    CENTRAL_MARK = 0x02014b50,
    END_MARK = 0x06054b50,
    LOCAL_BYTES = 30,
    CENTRAL_BYTES = 46,
    END_BYTES = 22,
    COMMENT_BYTES = 0xffff,
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1,
    UNIX = 3,
    VERSION = 20,
    FIRST_DAY = 1 << 5 | 1 /* 1980-01-01, so that archives of the same files have the same bytes */
};

/* A whole archive in memory. */
struct image {
    const unsigned char *bytes;
    size_t count;
};

static uint32_t number(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* One row of the directory at the archive's end. */
struct entry {
    uint32_t flags, method, crc, packed, unpacked, mode, system, offset;
    size_t length; /* bytes of the row */
    char name[ZIP_NAME];
};

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns the record that ends the archive; its comment must reach to the last byte. NULL if there
 * is none. */
static const unsigned char *find_end(const struct image *in)
{
    for (size_t comment = 0; comment <= COMMENT_BYTES && comment + END_BYTES <= in->count;
         comment++) {
        const unsigned char *at = in->bytes + in->count - END_BYTES - comment;
        if (number(at, 4) == END_MARK && number(at + 20, 2) == comment)
            return at;
    }
    return NULL;
}

/* Reads the row at `at`, from where `left` bytes remain; false if there is no valid row. */
static bool read_entry(const unsigned char *at, size_t left, struct entry *e)
{
    if (left < CENTRAL_BYTES || number(at, 4) != CENTRAL_MARK)
        return false;
    const size_t name = number(at + 28, 2);
    e->system = at[5];
    e->flags = number(at + 8, 2);
    e->method = number(at + 10, 2);
    e->crc = number(at + 16, 4);
    e->packed = number(at + 20, 4);
    e->unpacked = number(at + 24, 4);
    e->mode = number(at + 38, 4) >> 16;
    e->offset = number(at + 42, 4);
    e->length = CENTRAL_BYTES + name + number(at + 30, 2) + number(at + 32, 2);
    if (e->length > left || name >= sizeof e->name || memchr(at + CENTRAL_BYTES, 0, name))
        return false;
    memcpy(e->name, at + CENTRAL_BYTES, name);
    e->name[name] = '\0';
    return true;
}

/* Returns the packed bytes of an entry; NULL if they are not within the archive. */
static const unsigned char *packed_bytes(const struct image *in, const struct entry *e)
{
    if (e->offset > in->count || in->count - e->offset < LOCAL_BYTES)
        return NULL;
    const unsigned char *at = in->bytes + e->offset;
    const size_t head = LOCAL_BYTES + number(at + 26, 2) + number(at + 28, 2);
    const size_t left = in->count - e->offset;
    return number(at, 4) == LOCAL_MARK && left >= head && left - head >= e->packed ? at + head
                                                                                   : NULL;
}

/* Unpacks into to->bytes; false unless exactly to->count bytes result. */
static bool inflate_all(const unsigned char *packed, size_t packed_count, struct zip_file *to)
{
    z_stream z = {.next_in = (unsigned char *)packed, .avail_in = (unsigned)packed_count};
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return false;
    z.next_out = (unsigned char *)to->bytes;
    z.avail_out = (unsigned)to->count + 1; /* one more, so that surplus bytes are noticed */
    const int end = inflate(&z, Z_FINISH);
    const bool good = end == Z_STREAM_END && z.total_out == to->count;
    inflateEnd(&z);
    to->bytes[to->count] = '\0';
    return good;
}

static enum status unpack(struct zip *z, const struct image *in, const struct entry *e,
                          struct failure *f)
{
    const unsigned char *packed = packed_bytes(in, e);
    if (!packed)
        return fail(f, STATUS_USAGE, "'%s' is cut off", e->name);
    struct zip_file *file = add_blank(z, e->name, e->unpacked, f);
    if (!file)
        return f->status;
    bool good = e->method == DEFLATED && inflate_all(packed, e->packed, file);
    if (e->method == STORED && e->packed == e->unpacked) {
        memcpy(file->bytes, packed, e->packed);
        good = true;
    }
    if (!good || crc32(0, (const unsigned char *)file->bytes, (unsigned)file->count) != e->crc)
        return fail(f, STATUS_USAGE, "'%s' is damaged", e->name);
    return STATUS_OK;
}

/* Skips folders: the names of files imply them. Refuses links and devices. */
static enum status take_entry(struct zip *z, const struct image *in, const struct entry *e,
                              struct failure *f)
{
    const size_t length = strlen(e->name);
    const mode_t kind = e->system == UNIX ? e->mode & S_IFMT : 0;
    if (length > 0 && e->name[length - 1] == '/' && e->unpacked == 0)
        return STATUS_OK;
    if (kind != 0 && !S_ISREG(kind))
        return fail(f, STATUS_USAGE, "'%s' is %s, not a regular file", e->name,
                    regular_kind((mode_t)e->mode));
    if (e->flags & ENCRYPTED)
        return fail(f, STATUS_USAGE, "'%s' is encrypted", e->name);
    return unpack(z, in, e, f);
}

static enum status take_directory(struct zip *z, const struct image *in, struct failure *f)
{
    const unsigned char *end = find_end(in);
    if (!end)
        return fail(f, STATUS_USAGE, "no zip archive, or one that is cut off");
    const size_t before = (size_t)(end - in->bytes), count = number(end + 10, 2);
    size_t at = number(end + 16, 4);
    if (number(end + 4, 2) != 0 || at > before)
        return fail(f, STATUS_USAGE, "an archive in parts, of 4 GiB, or damaged");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct entry e;
        if (!read_entry(in->bytes + at, before - at, &e))
            return fail(f, STATUS_USAGE, "the directory of the archive is damaged");
        at += e.length;
        status = take_entry(z, in, &e, f);
    }
    return status;
}

enum status zip_read(struct zip *z, const char *path, struct failure *f)
{
    char *bytes;
    size_t count;
    struct failure why = {0};
    *z = (struct zip){.count = 0};
    enum status status = file_bytes(path, ZIP_BYTES, &bytes, &count, f);
    if (status == STATUS_OK) {
        const struct image in = {(const unsigned char *)bytes, count};
        status = take_directory(z, &in, &why);
        if (status != STATUS_OK)
            fail(f, status, "%s: %s", path, why.message);
    }
    if (status != STATUS_OK)
        zip_release(z);
    free(bytes);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put(FILE *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(value >> (8 * i) & 0xff), to);
}

/* Writes what the row of the directory and the record before the file have in common. */
static void put_common(FILE *to, const struct entry *e)
{
    put(to, 0, 2);
    put(to, DEFLATED, 2);
    put(to, 0, 2);
    put(to, FIRST_DAY, 2);
    put(to, e->crc, 4);
    put(to, e->packed, 4);
    put(to, e->unpacked, 4);
    put(to, (uint32_t)strlen(e->name), 2);
    put(to, 0, 2);
}

static bool put_file(FILE *to, const struct zip_file *file, struct entry *e)
{
    z_stream z = {.next_in = (unsigned char *)file->bytes, .avail_in = (unsigned)file->count};
    if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    const uLong bound = deflateBound(&z, file->count);
    unsigned char *packed = malloc(bound);
    z.next_out = packed;
    z.avail_out = (unsigned)bound;
    const bool good = packed && deflate(&z, Z_FINISH) == Z_STREAM_END;
    if (good) {
        e->offset = (uint32_t)ftell(to);
        e->crc = (uint32_t)crc32(0, (const unsigned char *)file->bytes, (unsigned)file->count);
        e->packed = (uint32_t)z.total_out;
        e->unpacked = (uint32_t)file->count;
        memcpy(e->name, file->name, sizeof e->name);
        put(to, LOCAL_MARK, 4);
        put(to, VERSION, 2);
        put_common(to, e);
        fputs(e->name, to);
        fwrite(packed, 1, e->packed, to);
    }
    deflateEnd(&z);
    free(packed);
    return good;
}

static void put_row(FILE *to, const struct entry *e)
{
    put(to, CENTRAL_MARK, 4);
    put(to, UNIX << 8 | VERSION, 2);
    put(to, VERSION, 2);
    put_common(to, e);
    put(to, 0, 2);
    put(to, 0, 2);
    put(to, 0, 2);
    put(to, (uint32_t)(S_IFREG | 0644) << 16, 4);
    put(to, e->offset, 4);
    fputs(e->name, to);
}

enum status zip_write(const struct zip *z, const char *path, struct failure *f)
{
    struct output o;
    struct entry entries[ZIP_FILES] = {{0}};
    enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < z->count; i++)
        if (!put_file(o.stream, &z->files[i], &entries[i])) {
            output_abandon(&o);
            return fail(f, STATUS_RESOURCE, "%s: not enough memory to pack it", path);
        }
    const uint32_t begin = (uint32_t)ftell(o.stream);
    for (size_t i = 0; i < z->count; i++)
        put_row(o.stream, &entries[i]);
    const uint32_t end = (uint32_t)ftell(o.stream);
    put(o.stream, END_MARK, 4);
    put(o.stream, 0, 4);
    put(o.stream, (uint32_t)z->count, 2);
    put(o.stream, (uint32_t)z->count, 2);
    put(o.stream, end - begin, 4);
    put(o.stream, begin, 4);
    put(o.stream, 0, 2);
    return output_close(&o, f);
}

#else

static enum status lack_zlib(const char *path, struct failure *f)
{
    return fail(f, STATUS_UNAVAILABLE,
                "%s: this build reads and writes no zip archives, it lacks zlib (Debian: "
                "zlib1g-dev)",
                path);
}

enum status zip_read(struct zip *z, const char *path, struct failure *f)
{
    *z = (struct zip){.count = 0};
    return lack_zlib(path, f);
}

enum status zip_write(const struct zip *z, const char *path, struct failure *f)
{
    (void)z;
    return lack_zlib(path, f);
}

#endif
