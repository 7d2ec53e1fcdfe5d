#include "classroom/duet/sides.h"

#include "experiments/common/lists.h"
#include "experiments/common/lock.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "harness/base/text/fit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In a folder of the cache, of a build that is whole. */
static const char whole_mark[] = ".maxpool-duet-built";

enum status side_find(struct side *s, const struct side_build *b, struct failure *f)
{
    if (worktree_commit(b->repository, s->name, s->commit))
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "%s is no commit of the repository in %s",
                text_brief(s->name, 200).text, b->repository);
}

/* ---- building -------------------------------------------------------------------------------- */

/* Shows the last lines of a file. */
static void show_tail(const char *path)
{
    enum { SHOWN = 4000 };
    char text[SHOWN + 1];
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    if (fseek(file, -SHOWN, SEEK_END) != 0)
        rewind(file);
    text[fread(text, 1, SHOWN, file)] = '\0';
    fclose(file);
    fputs(text, stderr);
}

static enum status run_line(const struct side *s, const char *line, const char *log,
                            struct failure *f)
{
    static const char script[] = "cd \"$1\" && exec /bin/sh -c \"$2\" >\"$3\" 2>&1";
    struct process_result result;
    const struct process_limits limits = {.grace_seconds = 5.0, .death_signal = SIGTERM};
    char *const command[] = {"/bin/sh",         "-c",         (char *)script, "sh",
                             (char *)s->folder, (char *)line, (char *)log,    NULL};
    if (process_run(command, &limits, &result, f) != STATUS_OK)
        return f->status;
    if (result.end == PROCESS_STOPPED)
        return fail(f, STATUS_RESOURCE, "stopped while %s was built",
                    text_brief(s->name, 200).text);
    if (process_succeeded(&result))
        return STATUS_OK;
    show_tail(log);
    return fail(f, STATUS_USAGE, "--build '%s' failed for %s (%s %d); its output is in %s",
                text_brief(line, 200).text, text_brief(s->name, 200).text,
                result.end == PROCESS_EXITED ? "exit status" : "signal",
                result.end == PROCESS_EXITED ? result.exit_status : result.signal, log);
}

/* Writes the path as it holds in any folder; status 2 if it is too long. */
static enum status make_absolute(const char *path, char absolute[PATH_MAX], struct failure *f)
{
    char here[PATH_MAX];
    if (path[0] == '/' || !getcwd(here, sizeof here))
        return text_compose(absolute, PATH_MAX, f, "%s", path);
    return text_compose(absolute, PATH_MAX, f, "%s/%s", here, path);
}

static enum status check_out_and_build(struct side *s, const struct side_build *b,
                                       struct failure *f)
{
    char file[PATH_MAX], log[PATH_MAX];
    if (text_compose(file, sizeof file, f, "%s/build-%.12s.log", b->logs, s->commit) != STATUS_OK ||
        make_absolute(file, log, f) != STATUS_OK)
        return f->status;
    enum status status = worktree_add(&s->tree, b->repository, s->commit, s->folder, f);
    if (status == STATUS_OK && b->line) {
        fprintf(stderr, "study: builds %s\n", s->name);
        status = run_line(s, b->line, log, f);
    }
    return status;
}

/* Builds in the cache, under its lock, unless it has the commit. */
static enum status build_in_cache(struct side *s, const struct side_build *b, struct failure *f)
{
    char mark[PATH_MAX];
    struct results_lock lock;
    enum status status = text_compose(mark, sizeof mark, f, "%s/%s", s->folder, whole_mark);
    if (status == STATUS_OK)
        status = results_lock(b->cache, "study duet", &lock, f);
    if (status != STATUS_OK)
        return status;
    if (access(mark, F_OK) != 0) {
        struct worktree rest = {.repository = b->repository}; /* of a build that was killed */
        snprintf(rest.folder, sizeof rest.folder, "%s", s->folder);
        if (access(s->folder, F_OK) == 0)
            worktree_remove(&rest);
        status = check_out_and_build(s, b, f);
        const int file = status == STATUS_OK ? creat(mark, 0666) : -1;
        if (status == STATUS_OK && file < 0)
            status = fail(f, STATUS_OUTPUT, "%s cannot be written", text_brief(mark, 1000).text);
        if (file >= 0)
            close(file);
        if (status == STATUS_OK)
            worktree_keep(&s->tree);
    }
    results_unlock(&lock);
    return status;
}

enum status side_build(struct side *s, const struct side_build *b, char letter, struct failure *f)
{
    char hash[SHA256_HEX], folder[PATH_MAX];
    const char *line = b->line ? b->line : "";
    sha256_hex(line, strlen(line), hash);
    enum status status =
        b->cache ? text_compose(folder, sizeof folder, f, "%s/%s-%.8s", b->cache, s->commit, hash)
                 : text_compose(folder, sizeof folder, f, "%s/%c", b->work, letter);
    if (status == STATUS_OK)
        status = make_absolute(folder, s->folder, f);
    if (status == STATUS_OK && !b->cache)
        return check_out_and_build(s, b, f);
    if (status == STATUS_OK)
        status = results_make(b->cache, f);
    return status == STATUS_OK ? build_in_cache(s, b, f) : status;
}

void side_close(struct side *s)
{
    worktree_remove(&s->tree);
}

/* ---- identity -------------------------------------------------------------------------------- */

void sides_identity(const struct side sides[SIDES], const struct side_build *build,
                    const struct benchmarks *benchmarks, char hex[SHA256_HEX])
{
    char *text = NULL, of_command[SHA256_HEX];
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream && i < benchmarks->count; i++)
        for (int side = 0; side < SIDES; side++) {
            own_command_identity(&benchmarks->all[i].commands[side], of_command);
            fprintf(stream, "%s %s %s\n", benchmarks->all[i].name, of_command, sides[side].commit);
        }
    if (stream) {
        fprintf(stream, "build %s\n", build->line ? build->line : "");
        fclose(stream);
    }
    sha256_hex(text ? text : "", text ? size : 0, hex);
    free(text);
}
