#include "classroom/class/archive.h"

#include "experiments/common/file_bytes.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/lists.h"
#include "experiments/common/output.h"
#include "harness/base/regular_file.h"
#include "harness/base/text/fit.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef MAXPOOL_HAVE_LIBZIP
#include <zip.h>
#endif

/* ---- names and files ------------------------------------------------------------------------- */

bool archive_name_is_safe(const char *name)
{
    if (!*name || *name == '/' || strlen(name) >= ARCHIVE_NAME)
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

bool archive_name_is_added(const char *name)
{
    static const char *const files[] = {".DS_Store", "Thumbs.db", "desktop.ini"};
    const char *file = file_name(name);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(file, files[i]) == 0)
            return true;
    return strncmp(name, "__MACOSX/", 9) == 0 || strncmp(file, "._", 2) == 0;
}

const struct archive_file *archive_find(const struct archive *z, const char *name)
{
    for (size_t i = 0; i < z->count; i++)
        if (strcmp(z->files[i].name, name) == 0)
            return &z->files[i];
    return NULL;
}

static size_t bytes_in(const struct archive *z)
{
    size_t sum = 0;
    for (size_t i = 0; i < z->count; i++)
        sum += z->files[i].count;
    return sum;
}

/* Adds a file of `count` bytes, all zero. Returns NULL, and sets the failure, if the file is not
 * allowed. */
static struct archive_file *add_blank(struct archive *z, const char *name, size_t count,
                                      struct failure *f)
{
    if (!archive_name_is_safe(name)) {
        fail(f, STATUS_USAGE, "'%s' leads out of the archive, or is no name of a file",
             text_brief(name, 150).text);
        return NULL;
    }
    if (archive_find(z, name)) {
        fail(f, STATUS_USAGE, "the archive has '%s' twice", name);
        return NULL;
    }
    if (z->count == ARCHIVE_FILES || count > ARCHIVE_FILE_BYTES ||
        bytes_in(z) + count > ARCHIVE_BYTES) {
        fail(f, STATUS_USAGE, "'%s': more than %d files, %d MiB in one or %d MiB in all", name,
             ARCHIVE_FILES, ARCHIVE_FILE_BYTES >> 20, ARCHIVE_BYTES >> 20);
        return NULL;
    }
    struct archive_file *file = &z->files[z->count];
    *file = (struct archive_file){.bytes = calloc(1, count + 1), .count = count};
    if (!file->bytes) {
        fail(f, STATUS_RESOURCE, "not enough memory for '%s'", name);
        return NULL;
    }
    memcpy(file->name, name, strlen(name) + 1);
    z->count++;
    return file;
}

enum status archive_add(struct archive *z, const char *name, const void *bytes, size_t count,
                        struct failure *f)
{
    struct failure own = {0};
    struct archive_file *file = add_blank(z, name, count, &own);
    if (!file)
        return fail(f, own.status, "%s", own.message);
    if (count > 0)
        memcpy(file->bytes, bytes, count);
    return STATUS_OK;
}

void archive_release(struct archive *z)
{
    for (size_t i = 0; i < z->count; i++)
        free(z->files[i].bytes);
    z->count = 0;
}

#ifdef MAXPOOL_HAVE_LIBZIP

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns a file's kind as Unix archives record it; 0: not recorded. */
static mode_t kind_of(zip_t *from, zip_uint64_t index)
{
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    const bool known = zip_file_get_external_attributes(from, index, 0, &system, &attributes) == 0;
    return known && system == ZIP_OPSYS_UNIX ? (mode_t)(attributes >> 16) & S_IFMT : 0;
}

/* Unpacks a file of exactly file->count bytes with the recorded checksum; false if it is not. */
static bool unpack(zip_t *from, zip_uint64_t index, struct archive_file *file)
{
    zip_file_t *packed = zip_fopen_index(from, index, 0);
    char surplus;
    const bool good = packed &&
                      zip_fread(packed, file->bytes, file->count) == (zip_int64_t)file->count &&
                      zip_fread(packed, &surplus, 1) == 0;
    if (packed)
        zip_fclose(packed);
    return good;
}

typedef bool wanted_name(const char *name);

/* Skips folders, whose names those of files imply, and names that are not wanted. Refuses links and
 * devices. */
static enum status take_named(struct archive *a, zip_t *from, const zip_stat_t *about,
                              const char *name, wanted_name *wanted, struct failure *f)
{
    const mode_t kind = kind_of(from, about->index);
    const size_t length = strlen(name);
    if (length > 0 && name[length - 1] == '/' && about->size == 0)
        return STATUS_OK;
    if (!wanted(name))
        return STATUS_OK;
    if (kind != 0 && !S_ISREG(kind))
        return fail(f, STATUS_USAGE, "'%s' is %s, not a regular file", text_brief(name, 150).text,
                    regular_kind(kind));
    if (about->encryption_method != ZIP_EM_NONE)
        return fail(f, STATUS_USAGE, "'%s' is encrypted", text_brief(name, 150).text);
    struct archive_file *file = add_blank(a, name, about->size, f);
    if (!file)
        return f->status;
    return unpack(from, about->index, file) ? STATUS_OK
                                            : fail(f, STATUS_USAGE, "'%s' is damaged", file->name);
}

/* Names are converted to UTF-8 from the code page of Windows, and its backslashes to slashes. */
static enum status take_file(struct archive *a, zip_t *from, zip_uint64_t index,
                             wanted_name *wanted, struct failure *f)
{
    zip_stat_t about;
    if (zip_stat_index(from, index, ZIP_FL_ENC_GUESS, &about) != 0 || !about.name)
        return fail(f, STATUS_USAGE, "the directory of the archive is damaged");
    char *name = strdup(about.name);
    if (!name)
        return fail(f, STATUS_RESOURCE, "not enough memory for the name of a file");
    for (char *at = name; (at = strchr(at, '\\'));)
        *at = '/';
    const enum status status = take_named(a, from, &about, name, wanted, f);
    free(name);
    return status;
}

/* Opens the archive in these bytes; NULL, and the failure, if they are none. */
static zip_t *open_bytes(const char *bytes, size_t count, struct failure *f)
{
    zip_source_t *source = zip_source_buffer_create(bytes, count, 0, NULL);
    zip_t *from = source && count > 0 ? zip_open_from_source(source, ZIP_RDONLY, NULL) : NULL;
    if (!from) {
        zip_source_free(source);
        fail(f, STATUS_USAGE, "no zip archive, or one that is cut off");
    }
    return from;
}

static bool is_own(const char *name)
{
    return !archive_name_is_added(name);
}

static enum status take_files(struct archive *a, const char *bytes, size_t count, struct failure *f)
{
    zip_t *from = open_bytes(bytes, count, f);
    enum status status = from ? STATUS_OK : STATUS_USAGE;
    const zip_int64_t files = from ? zip_get_num_entries(from, 0) : 0;
    for (zip_int64_t i = 0; i < files && status == STATUS_OK; i++)
        status = take_file(a, from, (zip_uint64_t)i, is_own, f);
    if (from)
        zip_discard(from);
    return status;
}

enum status archive_read(struct archive *a, const char *path, struct failure *f)
{
    char *bytes;
    size_t count;
    struct failure why = {0};
    *a = (struct archive){.count = 0};
    enum status status = file_bytes(path, ARCHIVE_BYTES, &bytes, &count, f);
    if (status == STATUS_OK) {
        status = take_files(a, bytes, count, &why);
        if (status != STATUS_OK)
            fail(f, status, "%s: %s", path, why.message);
    }
    if (status != STATUS_OK)
        archive_release(a);
    free(bytes);
    return status;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

/* Writes the file, which is not there yet, and makes the folders in its name. */
static enum status put_on_disk(const struct archive_file *file, const char *folder,
                               struct failure *f)
{
    char path[PATH_MAX];
    struct output o;
    enum status status = text_compose(path, sizeof path, f, "%s/%s", folder, file->name);
    if (status != STATUS_OK)
        return status;
    if (access(path, F_OK) == 0)
        return fail(f, STATUS_USAGE, "the archive has '%s' twice", file->name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700); /* the file cannot be opened if this fails */
    }
    status = output_open(&o, path, f);
    if (status == STATUS_OK) {
        fwrite(file->bytes, 1, file->count, o.stream);
        status = output_close(&o, f);
    }
    return status;
}

/* Unpacks file by file: `one` is empty before and after it. */
static enum status put_files(struct archive *one, zip_t *from, const char *folder,
                             wanted_name *wanted, struct failure *f)
{
    const zip_int64_t files = zip_get_num_entries(from, 0);
    enum status status = STATUS_OK;
    size_t sum = 0;
    for (zip_int64_t i = 0; i < files && status == STATUS_OK; i++) {
        status = take_file(one, from, (zip_uint64_t)i, wanted, f);
        sum += bytes_in(one);
        if (status == STATUS_OK && sum > ARCHIVE_BYTES)
            status = fail(f, STATUS_USAGE, "more than %d MiB of sources", ARCHIVE_BYTES >> 20);
        if (status == STATUS_OK && one->count > 0)
            status = put_on_disk(&one->files[0], folder, f);
        archive_release(one);
    }
    return status;
}

enum status archive_unpack(const char *path, const char *folder, bool (*wanted)(const char *name),
                           struct failure *f)
{
    char *bytes;
    size_t count;
    struct archive *one = calloc(1, sizeof *one);
    struct failure why = {0};
    if (!one)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory to unpack it", path);
    enum status status = file_bytes(path, ARCHIVE_BYTES, &bytes, &count, f);
    if (status != STATUS_OK) {
        free(one);
        return status;
    }
    zip_t *from = open_bytes(bytes, count, &why);
    status = from ? put_files(one, from, folder, wanted, &why) : STATUS_USAGE;
    if (status != STATUS_OK)
        fail(f, status, "%s: %s", path, why.message);
    if (from)
        zip_discard(from);
    free(bytes);
    free(one);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Adds a file, with the day 1980-01-01, so that archives of the same files have the same bytes. */
static bool put_file(zip_t *to, const struct archive_file *file)
{
    struct tm first_day = {.tm_year = 80, .tm_mday = 1, .tm_isdst = -1};
    zip_source_t *source = zip_source_buffer(to, file->bytes, file->count, 0);
    const zip_int64_t index = source ? zip_file_add(to, file->name, source, 0) : -1;
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    const zip_uint64_t at = (zip_uint64_t)index;
    const zip_uint32_t attributes = (zip_uint32_t)(S_IFREG | 0644) << 16;
    return zip_set_file_compression(to, at, ZIP_CM_DEFLATE, 9) == 0 &&
           zip_file_set_mtime(to, at, mktime(&first_day), 0) == 0 &&
           zip_file_set_external_attributes(to, at, 0, ZIP_OPSYS_UNIX, attributes) == 0;
}

/* Packs all files into a source, which is opened for reading; false if memory is lacking. */
static bool pack(const struct archive *a, zip_source_t *into)
{
    zip_source_keep(into);
    zip_t *to = zip_open_from_source(into, ZIP_TRUNCATE, NULL);
    bool good = to;
    if (!to)
        zip_source_free(into);
    for (size_t i = 0; i < a->count && good; i++)
        good = put_file(to, &a->files[i]);
    if (to && (!good || zip_close(to) != 0)) {
        zip_discard(to);
        good = false;
    }
    return good && zip_source_open(into) == 0;
}

enum status archive_write(const struct archive *a, const char *path, struct failure *f)
{
    struct output o;
    zip_source_t *packed = zip_source_buffer_create(NULL, 0, 0, NULL);
    if (!packed || !pack(a, packed)) {
        zip_source_free(packed);
        return fail(f, STATUS_RESOURCE, "%s: not enough memory to pack it", path);
    }
    enum status status = output_open(&o, path, f);
    if (status == STATUS_OK) {
        char piece[4096];
        zip_int64_t got;
        while ((got = zip_source_read(packed, piece, sizeof piece)) > 0)
            fwrite(piece, 1, (size_t)got, o.stream);
        status = output_close(&o, f);
    }
    zip_source_close(packed);
    zip_source_free(packed);
    return status;
}

#else

static enum status lack_libzip(const char *path, struct failure *f)
{
    return fail(f, STATUS_UNAVAILABLE,
                "%s: this build reads and writes no zip archives, it lacks libzip (Debian: "
                "libzip-dev)",
                path);
}

enum status archive_read(struct archive *z, const char *path, struct failure *f)
{
    *z = (struct archive){.count = 0};
    return lack_libzip(path, f);
}

enum status archive_unpack(const char *path, const char *folder, bool (*wanted)(const char *name),
                           struct failure *f)
{
    (void)folder;
    (void)wanted;
    return lack_libzip(path, f);
}

enum status archive_write(const struct archive *z, const char *path, struct failure *f)
{
    (void)z;
    return lack_libzip(path, f);
}

#endif
