#include "classroom/duet/worktree.h"

#include "experiments/common/process.h"
#include "harness/base/text/fit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
        !process_succeeded(&result))
        return false;
    result.output[strcspn(result.output, "\n")] = '\0';
    text_fit_format(commit, COMMIT_HEX, "%s", result.output);
    return true;
}

enum status worktree_add(struct worktree *w, const char *repository, const char *commit,
                         const char *folder, struct failure *f)
{
    char what[PATH_MAX];
    const struct process_limits limits = {.grace_seconds = 5.0};
    w->repository = repository;
    snprintf(w->folder, sizeof w->folder, "%s", folder);
    char *const add[] = {"git",     "-C",       (char *)repository, "worktree",     "add",
                         "--quiet", "--detach", w->folder,          (char *)commit, NULL};
    text_fit_format(what, sizeof what, "%s could not be checked out", commit);
    return process_run_well(add, &limits, what, f);
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
