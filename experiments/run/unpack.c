#include "experiments/run/unpack.h"

#include "experiments/common/process.h"
#include "harness/base/text/fit.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char pattern[] = "import-XXXXXX";

enum { DESCRIPTORS = 16 }; /* that nftw may keep open; deeper folders take longer */

/* nftw() has no context argument. */
static bool opened_one;

/* Restores the owner's permissions that the modes in a tar file removed. */
static int open_directory(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)where;
    if ((type == FTW_D || type == FTW_DNR) && (about->st_mode & S_IRWXU) != S_IRWXU)
        opened_one = chmod(path, about->st_mode | S_IRWXU) == 0 || opened_one;
    return 0;
}

/* Opens all directories. What a closed directory contains is visible only in the next pass. */
static void open_directories(const char *folder)
{
    do {
        opened_one = false;
        nftw(folder, open_directory, DESCRIPTORS, FTW_PHYS);
    } while (opened_one);
}

static int remove_found(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about;
    (void)type;
    (void)where;
    return remove(path);
}

void unpack_remove(const char *folder)
{
    open_directories(folder);
    nftw(folder, remove_found, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

/* Whether the name was made from the pattern. */
static int is_ours(const struct dirent *item)
{
    const size_t fixed = strcspn(pattern, "X");
    return strlen(item->d_name) == sizeof pattern - 1 && strncmp(item->d_name, pattern, fixed) == 0;
}

void unpack_remove_stale(const char *results)
{
    struct dirent **items;
    const int count = scandir(results, &items, is_ours, alphasort);
    for (int i = 0; i < count; i++) {
        unpack_remove(results_file(results, items[i]->d_name).text);
        free(items[i]);
    }
    if (count >= 0)
        free(items);
}

/* Whether a line of tar's output gives a reason. Other lines follow a reason or report changed
 * names. */
static bool is_reason(const char *line)
{
    static const char *const others[] = {"exiting now",
                                         "Exiting with failure status",
                                         "Skipping to next header",
                                         "Child returned status",
                                         "Removing leading",
                                         "time stamp"};
    bool reason = *line != '\0';
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        reason = reason && !strstr(line, others[i]);
    return reason;
}

/* Joins the last lines that give a reason, in their order. In a language other than English no line
 * is recognised as giving none, and the reason is among them. */
static void find_reasons(char *output, char *reasons, size_t size)
{
    enum { SHOWN = 3 };
    const char *last[SHOWN];
    size_t count = 0;
    char *rest = output;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (is_reason(line))
            last[count++ % SHOWN] = line;
    reasons[0] = '\0';
    for (size_t i = count > SHOWN ? count - SHOWN : 0; i < count; i++) {
        text_fit_append(reasons, size, "%s%s", *reasons ? "; " : "", last[i % SHOWN]);
    }
}

/* Returns the status that corresponds to the end of the program. */
static enum status classify_end(const char *path, struct process_result *result, struct failure *f)
{
    if (process_succeeded(result))
        return STATUS_OK;
    if (result->end == PROCESS_STOPPED)
        return fail(f, STATUS_RESOURCE, "%s: asked to stop while it was unpacked", path);
    if (result->end == PROCESS_TIMED_OUT)
        return fail(f, STATUS_USAGE, "%s: cannot be unpacked within %.0f s", path, result->seconds);
    char reasons[600];
    find_reasons(result->output, reasons, sizeof reasons);
    return fail(f, result->end == PROCESS_NOT_STARTED ? STATUS_UNAVAILABLE : STATUS_USAGE,
                "%s: cannot be unpacked: %s", path, reasons[0] ? reasons : "tar gives no reason");
}

static enum status run_tar(const char *path, char *folder, struct failure *f)
{
    char program[] = "tar", extract[] = "-xf", into[] = "-C", own[] = "--no-same-owner";
    char *file = strdup(results_for_program(path).text);
    if (!file)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    char *const argv[] = {program, extract, file, into, folder, own, NULL};
    const struct process_limits limits = {.seconds = 600, .grace_seconds = 5, .death_signal = 9};
    struct process_result result;
    enum status status = process_run(argv, &limits, &result, f);
    free(file);
    return status == STATUS_OK ? classify_end(path, &result, f) : status;
}

enum status unpack_tar(const char *results, const char *path, struct results_path *folder,
                       struct failure *f)
{
    *folder = results_file(results, pattern);
    if (!mkdtemp(folder->text))
        return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", results,
                    failure_of_write(errno));
    enum status status = run_tar(path, folder->text, f);
    if (status == STATUS_OK)
        open_directories(folder->text);
    else
        unpack_remove(folder->text);
    return status;
}
