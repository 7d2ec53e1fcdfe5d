#include "experiments/common/results.h"

#include "harness/base/text/fit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const results_default = "results/local";

static struct results_path join(const char *folder, const char *name, const char *suffix)
{
    struct results_path path;
    int length = snprintf(path.text, sizeof path.text, "%s/%s%s", folder, name, suffix);
    if (length < 0 || (size_t)length >= sizeof path.text)
        path.text[0] = '\0'; /* opening it then fails with a message */
    return path;
}

bool results_is_there(const char *path)
{
    char packed[PATH_MAX + sizeof ".gz"];
    snprintf(packed, sizeof packed, "%s.gz", path);
    return *path && (access(path, F_OK) == 0 || access(packed, F_OK) == 0);
}

struct results_path results_samples(const char *folder)
{
    return join(folder, "samples.csv", "");
}

struct results_path results_journal(const char *folder)
{
    return join(folder, "journal.csv", "");
}

struct results_path results_own_samples(const char *folder, const char *experiment)
{
    return join(folder, experiment, ".csv");
}

struct results_path results_own_journal(const char *folder, const char *experiment)
{
    const struct results_path path = join(folder, experiment, ".journal.csv"),
                              earlier = join(folder, experiment, ".points.csv");
    return !results_is_there(path.text) && results_is_there(earlier.text) ? earlier : path;
}

struct results_path results_layers(const char *folder, const char *experiment)
{
    return join(folder, experiment, ".layers.csv");
}

struct results_path results_usage(const char *folder, const char *experiment)
{
    return join(folder, experiment, ".usage.csv");
}

struct results_path results_training(const char *folder, const char *experiment)
{
    return join(folder, experiment, ".training.csv");
}

struct results_path results_timeline(const char *folder, const char *experiment)
{
    return join(folder, experiment, ".timeline.csv");
}

struct results_path results_environment(const char *folder)
{
    return join(folder, "environment.json", "");
}

struct results_path results_topology(const char *folder)
{
    return join(folder, "topology.xml", "");
}

struct results_path results_charts(const char *folder)
{
    return join(folder, "charts", "");
}

struct results_path results_file(const char *folder, const char *name)
{
    return join(folder, name, "");
}

struct results_path results_for_program(const char *path)
{
    struct results_path composed;
    const int length =
        snprintf(composed.text, sizeof composed.text, "%s%s", *path == '/' ? "" : "./", path);
    if (length < 0 || (size_t)length >= sizeof composed.text)
        composed.text[0] = '\0'; /* opening it then fails with a message */
    return composed;
}

static int make_one(const char *folder)
{
    struct stat about;
    if (mkdir(folder, 0777) == 0)
        return 0;
    if (errno != EEXIST || stat(folder, &about) != 0)
        return -1;
    errno = ENOTDIR;
    return S_ISDIR(about.st_mode) ? 0 : -1;
}

enum status results_make(const char *folder, struct failure *f)
{
    enum { FILE_BYTES = 256, MOST = PATH_MAX - FILE_BYTES }; /* '/' and the name of a file in it */
    if (!folder[0] || strlen(folder) > MOST)
        return fail(f, STATUS_USAGE, "the folder '%s' has no name, or one of more than %d bytes",
                    text_brief(folder, 100).text, (int)MOST);
    struct results_path path = join(folder, "", "");
    int made = 0;
    for (char *slash = path.text + 1; made == 0 && *slash; slash++) {
        if (*slash != '/')
            continue;
        *slash = '\0';
        made = make_one(path.text);
        *slash = '/';
    }
    if (made != 0)
        return fail(f, STATUS_OUTPUT, "%s: cannot be made: %s", folder, strerror(errno));
    return STATUS_OK;
}

/* Names of files that belong to no single experiment. */
static bool is_taken(const char *name)
{
    static const char *const taken[] = {"samples", "journal", "ceilings"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0)
            return true;
    return false;
}

bool results_name_is_safe(const char *name)
{
    if (!*name || strlen(name) > RESULTS_NAME || *name == '-' || is_taken(name))
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '-')
            return false;
    return true;
}

bool results_own_name(const char *file, char name[RESULTS_NAME + 1])
{
    const size_t length = strcspn(file, ".");
    if ((strcmp(file + length, ".csv") != 0 && strcmp(file + length, ".csv.gz") != 0) ||
        length > RESULTS_NAME)
        return false;
    memcpy(name, file, length);
    name[length] = '\0';
    return length > 0 && !is_taken(name);
}
