#include "classroom/class/sources/handed_in.h"

#include "classroom/class/archive.h"
#include "classroom/lab/build.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/temporary.h"
#include "experiments/run/unpack.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { DEEPEST = 4 }; /* levels of folders below a student's */

static const char assignment[] = "_assignsubmission_";

/* The length of the student's name at the beginning of a folder's. */
static size_t name_length(const char *folder)
{
    const char *end = strstr(folder, assignment), *digits = end;
    while (digits && digits > folder && isdigit((unsigned char)digits[-1]))
        digits--;
    const bool moodle = digits && digits < end && digits > folder + 1 && digits[-1] == '_';
    return moodle ? (size_t)(digits - 1 - folder) : strlen(folder);
}

static enum status add(struct handed_in *h, const char *path, const char *student, size_t length,
                       struct failure *f)
{
    char name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)length, student);
    return texts_add(&h->paths, path) && texts_add(&h->students, name)
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "not enough memory for the sources");
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX") != 0;
}

/* The entries of a folder by name; the caller frees each and the array. */
static enum status list(const char *folder, struct dirent ***out, int *count, struct failure *f)
{
    *count = scandir(folder, out, is_shown, alphasort);
    return *count >= 0 ? STATUS_OK : fail(f, STATUS_USAGE, "%s: cannot be read", folder);
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* What to do with an entry of a folder: its kind is `mode`. */
typedef enum status visit_entry(void *context, const char *path, mode_t mode, struct failure *f);

static enum status visit_folder(const char *folder, visit_entry *visit, void *context,
                                struct failure *f)
{
    struct dirent **entries = NULL;
    int count;
    enum status status = list(folder, &entries, &count, f);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        char path[PATH_MAX];
        struct stat about;
        status = text_compose(path, sizeof path, f, "%s/%s", folder, entries[i]->d_name);
        if (status == STATUS_OK && lstat(path, &about) == 0)
            status = visit(context, path, about.st_mode, f);
    }
    free_entries(entries, count);
    return status;
}

/* Sources in one student's folder. */
struct search {
    struct texts found;
    int level;
};

static enum status find_source(void *context, const char *path, mode_t mode, struct failure *f)
{
    struct search *s = context;
    if (S_ISREG(mode) && lab_build_compiles(path) && !texts_add(&s->found, path))
        return fail(f, STATUS_RESOURCE, "not enough memory for the sources");
    if (!S_ISDIR(mode) || s->level == DEEPEST)
        return STATUS_OK;
    s->level++;
    const enum status status = visit_folder(path, find_source, s, f);
    s->level--;
    return status;
}

static enum status take_student(struct handed_in *h, const char *folder, struct failure *f)
{
    struct search s = {.level = 0};
    const char *name = file_name(folder);
    enum status status = visit_folder(folder, find_source, &s, f);
    if (status == STATUS_OK && s.found.count == 0)
        status = fail(f, STATUS_USAGE, "%s: no source in this folder", folder);
    else if (status == STATUS_OK && s.found.count > 1)
        status = fail(f, STATUS_USAGE, "%s: %zu sources, such as %s and %s: leave one", folder,
                      s.found.count, file_name(s.found.items[0]), file_name(s.found.items[1]));
    else if (status == STATUS_OK)
        status = add(h, s.found.items[0], name, name_length(name), f);
    texts_release(&s.found);
    return status;
}

static enum status take_entry(void *context, const char *path, mode_t mode, struct failure *f)
{
    if (S_ISDIR(mode))
        return take_student(context, path, f);
    return S_ISREG(mode) && lab_build_compiles(path) ? add(context, path, "", 0, f) : STATUS_OK;
}

/* A name without the slashes at its end. */
static enum status take_folder(struct handed_in *h, const char *operand, struct failure *f)
{
    char folder[PATH_MAX];
    const size_t before = h->paths.count;
    enum status status = text_compose(folder, sizeof folder, f, "%s", operand);
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
        folder[n - 1] = '\0';
    if (status == STATUS_OK)
        status = visit_folder(folder, take_entry, h, f);
    return status != STATUS_OK || h->paths.count > before
               ? status
               : fail(f, STATUS_USAGE, "%s: no source in this folder", operand);
}

static bool is_zip(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".zip") == 0;
}

/* Whether a file of a zip is to be unpacked: what a folder would leave out is not. A path that
 * leads out is wanted, so that it is refused. */
static bool is_wanted(const char *name)
{
    const bool hidden = name[0] == '.' || strstr(name, "/.") || archive_name_is_added(name);
    return lab_build_compiles(name) &&
           (!hidden || strncmp(name, "../", 3) == 0 || strstr(name, "/../"));
}

/* A message about a folder in a temporary one, without the name of the latter. */
static const char *within(const char *message, const char *folder)
{
    const size_t length = strlen(folder);
    if (strncmp(message, folder, length) != 0)
        return message;
    message += length;
    return message + strspn(message, "/: ");
}

static enum status take_zip(struct handed_in *h, const char *path, struct failure *f)
{
    char folder[PATH_MAX];
    struct failure why = {0};
    enum status status = temporary_folder(folder, sizeof folder, "maxpool-class", f);
    if (status != STATUS_OK)
        return status;
    if (!texts_add(&h->unpacked, folder)) {
        unpack_remove(folder);
        return fail(f, STATUS_RESOURCE, "not enough memory for the sources");
    }
    status = archive_unpack(path, folder, is_wanted, f);
    if (status == STATUS_OK && take_folder(h, folder, &why) != STATUS_OK)
        status = fail(f, why.status, "%s: %s", path, within(why.message, folder));
    return status;
}

enum status handed_in_find(struct handed_in *h, char **operands, size_t count, struct failure *f)
{
    enum status status = STATUS_OK;
    *h = (struct handed_in){.paths = {NULL, 0}};
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct stat about;
        const bool folder = stat(operands[i], &about) == 0 && S_ISDIR(about.st_mode);
        if (folder)
            status = take_folder(h, operands[i], f);
        else
            status =
                is_zip(operands[i]) ? take_zip(h, operands[i], f) : add(h, operands[i], "", 0, f);
    }
    if (status != STATUS_OK)
        handed_in_release(h);
    return status;
}

void handed_in_release(struct handed_in *h)
{
    texts_release(&h->paths);
    texts_release(&h->students);
    for (size_t i = 0; i < h->unpacked.count; i++)
        unpack_remove(h->unpacked.items[i]);
    texts_release(&h->unpacked);
}
