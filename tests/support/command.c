#include "tests/support/command.h"

#include "tests/support/unit_test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/maxpool-test-XXXXXX";

int command_setup(NO_STATE)
{
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

int command_teardown(NO_STATE)
{
    const int open_folders = 8;
    return nftw(folder, remove_one, open_folders, FTW_DEPTH | FTW_PHYS);
}

const char *command_folder(void)
{
    return folder;
}

const char *command_root(void)
{
    static char path[sizeof folder + 8];
    snprintf(path, sizeof path, "%s/root", folder);
    return path;
}

struct outcome command_fed(const char *input, const char *command)
{
    char line[8192];
    const int length =
        snprintf(line, sizeof line, "MPIRUN='%s'; WHEN=%s; DIR=%s; %s", MAXPOOL_LAUNCHER,
                 MAXPOOL_SOURCE_DIR "/tests/support/when.sh", folder, command);
    assert_in_range(length, 0, sizeof line - 1);
    return run_program(line, input);
}

static struct outcome run_arguments(const char *format, va_list arguments)
{
    char command[4096];
    const int length = vsnprintf(command, sizeof command, format, arguments);
    assert_in_range(length, 0, sizeof command - 1);
    return command_fed(NULL, command);
}

struct outcome command_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const struct outcome o = run_arguments(format, arguments);
    va_end(arguments);
    return o;
}

static struct outcome expect_done(const char *format, va_list arguments)
{
    const struct outcome o = run_arguments(format, arguments);
    if (o.status != 0)
        fail_msg("%s: status %d\n%s%s", format, o.status, o.out, o.err);
    return o;
}

struct outcome command_done(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const struct outcome o = expect_done(format, arguments);
    va_end(arguments);
    return o;
}

void command_prints(const char *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    expect_in(expect_done(format, arguments).out, words);
    va_end(arguments);
}

void expect_in(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

void command_fails(int status, const char *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const struct outcome o = run_arguments(format, arguments);
    va_end(arguments);
    if (o.status != status || !strstr(o.err, words))
        fail_msg("%s\n  status %d, '%s' where %d and '%s' are expected", format, o.status, o.err,
                 status, words);
}
