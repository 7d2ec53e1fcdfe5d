#include "classroom/class/package.h"

#include "experiments/common/file_bytes.h"
#include "generated/commit.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/base/utf8.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char package_run[] = "run.json", package_samples[] = "samples.csv",
           package_environment[] = "environment.json", package_ceilings[] = "ceilings.csv",
           package_sources[] = "source/";

static const char manifest_name[] = "manifest.json", format[] = "maxpool class archive";

/* ---- writing --------------------------------------------------------------------------------- */

static char *manifest_text(const struct package *p)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", format);
    cJSON_AddNumberToObject(root, "version", PACKAGE_VERSION);
    cJSON_AddStringToObject(root, "student", p->student);
    cJSON_AddStringToObject(root, "created_utc", p->created_utc);
    cJSON_AddStringToObject(root, "commit", MAXPOOL_COMMIT);
    cJSON *files = cJSON_AddArrayToObject(root, "files");
    for (size_t i = 0; i < p->zip.count; i++) {
        char hash[SHA256_HEX];
        const struct archive_file *file = &p->zip.files[i];
        cJSON *row = cJSON_CreateObject();
        sha256_hex(file->bytes, file->count, hash);
        cJSON_AddStringToObject(row, "name", file->name);
        cJSON_AddNumberToObject(row, "bytes", (double)file->count);
        cJSON_AddStringToObject(row, "sha256", hash);
        cJSON_AddItemToArray(files, row);
    }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

enum status package_write(const struct package *p, const char *path, struct failure *f)
{
    struct archive all = {.count = 0};
    char *manifest = manifest_text(p);
    enum status status = manifest ? archive_add(&all, manifest_name, manifest, strlen(manifest), f)
                                  : fail(f, STATUS_RESOURCE, "no memory for the manifest");
    for (size_t i = 0; i < p->zip.count && status == STATUS_OK; i++)
        status = archive_add(&all, p->zip.files[i].name, p->zip.files[i].bytes,
                             p->zip.files[i].count, f);
    if (status == STATUS_OK)
        status = archive_write(&all, path, f);
    archive_release(&all);
    free(manifest);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

static enum status note_fault(struct package *p, const char *what, const char *name,
                              struct failure *f)
{
    struct package_fault *faults = array_grow(p->faults, p->fault_count, sizeof *faults);
    if (!faults)
        return fail(f, STATUS_RESOURCE, "not enough memory");
    p->faults = faults;
    faults[p->fault_count].what = what;
    text_fit(faults[p->fault_count++].name, ARCHIVE_NAME, name);
    return STATUS_OK;
}

static const cJSON *row_of(const cJSON *files, const char *name)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, files) if (strcmp(text_of(row, "name"), name) == 0) return row;
    return NULL;
}

/* Notes files without a row or with another hash than in their row, and rows without a file. */
static enum status compare_files(struct package *p, const cJSON *files, struct failure *f)
{
    static const char missing[] = N_("the manifest lists it, and it is missing");
    enum status status = STATUS_OK;
    const cJSON *row;
    for (size_t i = 0; i < p->zip.count && status == STATUS_OK; i++) {
        char hash[SHA256_HEX];
        const struct archive_file *file = &p->zip.files[i];
        row = row_of(files, file->name);
        sha256_hex(file->bytes, file->count, hash);
        if (!row)
            status = note_fault(p, N_("the manifest does not list it"), file->name, f);
        else if (strcmp(text_of(row, "sha256"), hash) != 0)
            status = note_fault(p, N_("its hash is not that of the manifest"), file->name, f);
    }
    cJSON_ArrayForEach(row, files) if (status == STATUS_OK &&
                                       !archive_find(&p->zip, text_of(row, "name"))) status =
        note_fault(p, missing, text_of(row, "name"), f);
    return status;
}

static enum status check_version(const cJSON *root, struct failure *f)
{
    const double version = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(root, "version"));
    if (strcmp(text_of(root, "format"), format) != 0)
        return fail(f, STATUS_USAGE, "no archive of study pack: its manifest is another one's");
    if (version != PACKAGE_VERSION)
        return fail(f, STATUS_USAGE, "an archive of version %g; this study reads version %d",
                    version, PACKAGE_VERSION);
    return STATUS_OK;
}

/* Takes a folder off the names, if it has the manifest and all other files. */
static void leave_folder(struct archive *z)
{
    size_t length = 0;
    for (size_t i = 0; i < z->count; i++) {
        const char *name = z->files[i].name, *slash = strchr(name, '/');
        if (slash && strcmp(slash + 1, manifest_name) == 0)
            length = (size_t)(slash + 1 - name);
    }
    for (size_t i = 0; i < z->count; i++)
        if (strncmp(z->files[i].name, z->files[0].name, length) != 0)
            return;
    for (size_t i = 0; i < z->count && length > 0; i++)
        memmove(z->files[i].name, z->files[i].name + length, strlen(z->files[i].name + length) + 1);
}

/* Removes the manifest from the files and parses it; NULL if there is none. */
static cJSON *take_manifest(struct archive *z)
{
    if (!archive_find(z, manifest_name))
        leave_folder(z);
    const struct archive_file *file = archive_find(z, manifest_name);
    cJSON *root = file ? cJSON_Parse(file->bytes) : NULL;
    if (file) {
        const size_t at = (size_t)(file - z->files);
        free(file->bytes);
        memmove(&z->files[at], &z->files[at + 1], (--z->count - at) * sizeof *z->files);
    }
    return root;
}

static enum status take_facts(struct package *p, struct failure *f)
{
    cJSON *root = take_manifest(&p->zip);
    enum status status =
        root ? check_version(root, f)
             : fail(f, STATUS_USAGE, "no archive of study pack: it has no manifest.json");
    if (status == STATUS_OK) {
        text_fit(p->student, sizeof p->student, text_of(root, "student"));
        text_fit(p->created_utc, sizeof p->created_utc, text_of(root, "created_utc"));
        utf8_clean_foreign(p->student, false);
        utf8_clean_foreign(p->created_utc, false);
        status = compare_files(p, cJSON_GetObjectItemCaseSensitive(root, "files"), f);
    }
    cJSON_Delete(root);
    return status;
}

static enum status hash_archive(struct package *p, const char *path, struct failure *f)
{
    char *bytes;
    size_t count;
    const enum status status = file_bytes(path, ARCHIVE_BYTES, &bytes, &count, f);
    if (status == STATUS_OK)
        sha256_hex(bytes, count, p->sha256);
    free(bytes);
    return status;
}

enum status package_read(struct package *p, const char *path, struct failure *f)
{
    struct failure why = {0};
    *p = (struct package){.student = ""};
    enum status status = archive_read(&p->zip, path, f);
    if (status != STATUS_OK)
        return status;
    status = take_facts(p, &why);
    if (status != STATUS_OK)
        fail(f, status, "%s: %s", path, why.message);
    else
        status = hash_archive(p, path, f);
    if (status != STATUS_OK)
        package_release(p);
    return status;
}

void package_release(struct package *p)
{
    archive_release(&p->zip);
    free(p->faults);
    p->faults = NULL;
    p->fault_count = 0;
}
