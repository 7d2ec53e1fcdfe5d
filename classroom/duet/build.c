#include "classroom/duet/build.h"

#include "experiments/common/lists.h"
#include "experiments/common/process.h"
#include "harness/base/text/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char default_flags[] = "-O3 -DNDEBUG";

/* ---- programs -------------------------------------------------------------------------------- */

static const struct process_limits no_limit = {.grace_seconds = 1.0};

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Joins a folder and a name; false if the path is too long or is no file. */
static bool find_file(char path[PATH_MAX], const char *folder, const char *name)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    if (length > 0 && length < PATH_MAX && is_file(path))
        return true;
    path[0] = '\0';
    return false;
}

/* ---- existing builds ------------------------------------------------------------------------- */

/* Reads the line of maxpool.pc that says what a static library needs. */
static bool read_needs(struct duet_build *b, const char *folder)
{
    static const char key[] = "Libs.private:";
    char path[PATH_MAX], line[sizeof b->needs + sizeof key - 1];
    if (!find_file(path, folder, "library/maxpool.pc") &&
        !find_file(path, folder, "lib/pkgconfig/maxpool.pc"))
        return false;
    FILE *stream = fopen(path, "r");
    bool found = false;
    while (stream && !found && fgets(line, sizeof line, stream))
        found = strncmp(line, key, sizeof key - 1) == 0;
    if (stream)
        fclose(stream);
    if (found)
        snprintf(b->needs, sizeof b->needs, "%s", line + sizeof key - 1);
    return found;
}

/* Takes the build in a folder. Without a static library, or if its needs are unknown, the shared
 * library is used unchanged. */
static bool take_folder(struct duet_build *b, const char *folder)
{
    if (!find_file(b->library, folder, "lib/libmaxpool.so"))
        return false;
    if (!find_file(b->archive, folder, "lib/libmaxpool.a") || !read_needs(b, folder))
        b->archive[0] = '\0';
    return true;
}

/* ---- new builds ------------------------------------------------------------------------------ */

static enum status compile(struct duet_build *b, const char *source, const char *flags,
                           const char *work, struct failure *f)
{
    char folder[PATH_MAX], option[4096], message[PATH_MAX], jobs[16];
    if (text_compose(folder, sizeof folder, f, "%s/build", work) != STATUS_OK ||
        text_compose(option, sizeof option, f, "-DCMAKE_C_FLAGS_RELEASE=%s",
                     flags ? flags : default_flags) != STATUS_OK)
        return f->status;
    snprintf(jobs, sizeof jobs, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    char *const configure[] = {"cmake",
                               "-S",
                               (char *)source,
                               "-B",
                               folder,
                               "-DCMAKE_BUILD_TYPE=Release",
                               option,
                               "-DBUILD_TESTING=OFF",
                               "-DMAXPOOL_WITH_CUDA=OFF",
                               "-DMAXPOOL_WITH_MPI=OFF",
                               NULL};
    char *const build[] = {"cmake",    "--build",        folder,    "--parallel", jobs,
                           "--target", "maxpool_static", "maxpool", NULL};
    fprintf(stderr, "study: compiles %s\n", b->name);
    text_fit_format(message, sizeof message, "%s does not compile", b->name);
    if (process_run_well(configure, &no_limit, message, f) != STATUS_OK ||
        process_run_well(build, &no_limit, message, f) != STATUS_OK)
        return f->status;
    return take_folder(b, folder) ? STATUS_OK
                                  : fail(f, STATUS_USAGE, "%s makes no libmaxpool", b->name);
}

enum status duet_build_find(struct duet_build *b, const char *name, const char *flags,
                            const char *work, struct failure *f)
{
    static const char here[] = ".";
    char tree[PATH_MAX], commit[COMMIT_HEX];
    *b = (struct duet_build){.name = name, .linked = true};
    const bool there = is_file(name) || take_folder(b, name);
    if (there && flags)
        return fail(f, STATUS_USAGE, "%s is built already: flags are for a source tree or a commit",
                    name);
    if (there) {
        return b->library[0] ? STATUS_OK
                             : text_compose(b->library, sizeof b->library, f, "%s", name);
    }
    if (find_file(tree, name, "library/operation.h"))
        return compile(b, name, flags, work, f);
    if (!worktree_commit(here, name, commit))
        return fail(f, STATUS_USAGE,
                    "%s is not a build: give a folder with lib/libmaxpool.so ('cmake --build "
                    "FOLDER --target maxpool maxpool_static' makes it), a shared library, a source "
                    "tree, or a commit of the repository in this folder; commands of one word "
                    "follow --: 'study duet -- A --- B'",
                    name);
    enum status status = text_compose(tree, sizeof tree, f, "%s/source", work);
    if (status == STATUS_OK)
        status = worktree_add(&b->source, here, name, tree, f);
    return status == STATUS_OK ? compile(b, b->source.folder, flags, work, f) : status;
}

void duet_build_close(struct duet_build *b)
{
    worktree_remove(&b->source);
}

/* ---- modules --------------------------------------------------------------------------------- */

static enum status copy(const struct duet_build *b, const char *path, struct failure *f)
{
    char *const command[] = {"cp", "--", (char *)b->library, (char *)path, NULL};
    return process_run_well(command, &no_limit, "a library could not be copied", f);
}

/* Writes the assembly that precedes all code and all constants of the module: GNU ld puts
 * .text.unlikely first. */
static bool write_padding(const char *path, int64_t padding)
{
    FILE *stream = fopen(path, "w");
    if (!stream)
        return false;
    fprintf(stream,
            ".section .text.unlikely,\"ax\"\n.skip %lld\n"
            ".section .rodata,\"a\"\n.skip %lld\n"
            ".section .note.GNU-stack,\"\"\n",
            (long long)padding, (long long)padding);
    return fclose(stream) == 0;
}

/* Links with a shell, because CC may consist of several words. */
static bool link_module(const struct duet_build *b, const char *path, const char *padding)
{
    static const char script[] = "exec ${CC:-cc} -shared -Wl,-S -o \"$1\" \"$2\" "
                                 "-Wl,--whole-archive \"$3\" -Wl,--no-whole-archive $4";
    struct process_result result;
    struct failure ignored = {0};
    char *const command[] = {"sh",
                             "-c",
                             (char *)script,
                             "sh",
                             (char *)path,
                             (char *)padding,
                             (char *)b->archive,
                             (char *)b->needs,
                             NULL};
    return process_run(command, &no_limit, &result, &ignored) == STATUS_OK &&
           process_succeeded(&result);
}

enum status duet_build_place(struct duet_build *b, const char *path, int64_t padding,
                             struct failure *f)
{
    char assembly[PATH_MAX];
    if (text_compose(assembly, sizeof assembly, f, "%s.s", path) != STATUS_OK)
        return f->status;
    const bool linked =
        b->archive[0] && write_padding(assembly, padding) && link_module(b, path, assembly);
    unlink(assembly);
    b->linked &= linked;
    return linked ? STATUS_OK : copy(b, path, f);
}
