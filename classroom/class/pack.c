#include "classroom/class/pack.h"

#include "classroom/class/package.h"
#include "classroom/lab/build.h"
#include "classroom/lab/run_file.h"
#include "experiments/common/file_bytes.h"
#include "experiments/common/folder_files.h"
#include "experiments/run/environment.h"
#include "harness/base/clock.h"
#include "harness/base/text/fit.h"
#include "harness/base/utf8.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status add_file(struct archive *z, const char *name, const char *path,
                            struct failure *f)
{
    char *bytes;
    size_t count;
    enum status status = file_bytes(path, ARCHIVE_FILE_BYTES, &bytes, &count, f);
    if (status == STATUS_OK)
        status = archive_add(z, name, bytes, count, f);
    free(bytes);
    return status;
}

enum status pack_source(struct archive *z, const char *path, struct failure *f)
{
    char name[ARCHIVE_NAME];
    if ((size_t)snprintf(name, sizeof name, "%s%s", package_sources, file_name(path)) >=
        sizeof name)
        return fail(f, STATUS_USAGE, "%s: the name is too long for an archive", path);
    return add_file(z, name, path, f);
}

static enum status add_environment(struct archive *z, struct failure *f)
{
    char *text = NULL;
    enum status status = environment_text(&text, f);
    if (status == STATUS_OK)
        status = archive_add(z, package_environment, text, strlen(text), f);
    free(text);
    return status;
}

/* Fails unless this source was measured: otherwise the samples belong to an unknown source. */
static enum status check_source(const struct archive *z, const char *path, struct failure *f)
{
    char hash[SHA256_HEX] = "";
    const struct archive_file *run = archive_find(z, package_run);
    cJSON *root = cJSON_Parse(run->bytes);
    const cJSON *facts = cJSON_GetObjectItemCaseSensitive(root, "run");
    const char *measured =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(facts, "source_sha256"));
    sha256_hex(z->files[0].bytes, z->files[0].count, hash);
    const bool same = measured && strcmp(measured, hash) == 0;
    cJSON_Delete(root);
    return same ? STATUS_OK
                : fail(f, STATUS_USAGE,
                       "%s was changed after it was measured; measure it again: study lab %s", path,
                       path);
}

enum status pack_run(struct archive *z, const struct pack_request *q, struct failure *f)
{
    char method[LAB_NAME];
    lab_build_name(q->file, method, sizeof method);
    const struct results_path facts = lab_run_facts_path(q->results, method);
    if (access(facts.text, F_OK) != 0)
        return fail(f, STATUS_USAGE, "%s was not measured yet (no %s): study lab %s", q->file,
                    facts.text, q->file);
    enum status status = add_file(z, package_run, facts.text, f);
    if (status == STATUS_OK)
        status = add_file(z, package_samples, lab_run_samples_path(q->results, method).text, f);
    return status == STATUS_OK ? check_source(z, q->file, f) : status;
}

enum status pack_make(const struct pack_request *q, struct failure *f)
{
    struct package p = {.zip = {.count = 0}};
    const struct results_path ceilings = results_file(q->results, package_ceilings);
    text_fit(p.student, sizeof p.student, q->student);
    utf8_clean_foreign(p.student, false);
    clock_utc(p.created_utc, sizeof p.created_utc);
    enum status status = pack_source(&p.zip, q->file, f);
    if (status == STATUS_OK)
        status = pack_run(&p.zip, q, f);
    if (status == STATUS_OK)
        status = add_environment(&p.zip, f);
    if (status == STATUS_OK && access(ceilings.text, F_OK) == 0)
        status = add_file(&p.zip, package_ceilings, ceilings.text, f);
    if (status == STATUS_OK)
        status = package_write(&p, q->output, f);
    package_release(&p);
    return status;
}
