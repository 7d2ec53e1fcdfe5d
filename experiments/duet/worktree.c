#include "experiments/duet/worktree.h"

#include "experiments/common/process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool succeeded(const struct process_result *r)
{
    return r->end == PROCESS_EXITED && r->exit_status == 0;
}

/* What is due also after a signal asked us to stop. */
static void tidy(char *const argv[])
{
    struct process_result result;
    struct failure ignored = {0};
    const struct process_limits limits = {.grace_seconds = 5.0, .even_stopped = true};
    process_run(argv, &limits, &result, &ignored);
}

bool worktree_commit(const char *repository, const char *name, char commit[COMMIT_HEX])
{
    char of[512];
    struct process_result result;
    struct failure ignored = {0};
    const struct process_limits limits = {.grace_seconds = 1.0};
    if (snprintf(of, sizeof of, "%s^{commit}", name) >= (int)sizeof of)
        return false;
    char *const ask[] = {"git", "-C", (char *)repository, "rev-parse", "--quiet", "--verify",
                         of,    NULL};
    if (name[0] == '-' || process_run(ask, &limits, &result, &ignored) != STATUS_OK ||
        !succeeded(&result))
        return false;
    result.output[strcspn(result.output, "\n")] = '\0';
    snprintf(commit, COMMIT_HEX, "%.64s", result.output);
    return true;
}

enum status worktree_add(struct worktree *w, const char *repository, const char *commit,
                         const char *folder, struct failure *f)
{
    struct process_result result;
    const struct process_limits limits = {.grace_seconds = 5.0};
    w->repository = repository;
    snprintf(w->folder, sizeof w->folder, "%s", folder);
    char *const add[] = {"git",     "-C",       (char *)repository, "worktree",     "add",
                         "--quiet", "--detach", w->folder,          (char *)commit, NULL};
    if (process_run(add, &limits, &result, f) != STATUS_OK)
        return f->status;
    if (result.end == PROCESS_NOT_STARTED)
        return fail(f, STATUS_UNAVAILABLE, "git: %.500s", result.output);
    if (result.end == PROCESS_STOPPED)
        return fail(f, STATUS_RESOURCE, "stopped");
    if (succeeded(&result))
        return STATUS_OK;
    fputs(result.output, stderr);
    return fail(f, STATUS_USAGE, "%.500s could not be checked out", commit);
}

void worktree_keep(struct worktree *w)
{
    char link[PATH_MAX];
    char *const prune[] = {"git", "-C", (char *)w->repository, "worktree", "prune", NULL};
    if (!w->folder[0] || snprintf(link, sizeof link, "%s/.git", w->folder) >= (int)sizeof link)
        return;
    unlink(link);
    tidy(prune);
    w->folder[0] = '\0';
}

void worktree_remove(struct worktree *w)
{
    char *const prune[] = {"git", "-C", (char *)w->repository, "worktree", "prune", NULL};
    char *const remove_tree[] = {
        "git", "-C", (char *)w->repository, "worktree", "remove", "--force", w->folder, NULL};
    char *const rest[] = {"rm", "-rf", "--", w->folder, NULL};
    if (!w->folder[0])
        return;
    tidy(remove_tree);
    if (access(w->folder, F_OK) == 0) {
        tidy(rest);
        tidy(prune);
    }
    w->folder[0] = '\0';
}
