/* Files are written whole or not at all: leftovers of writers that died, links, permissions,
 * failures. */
#include "harness/base/whole_file.h"
#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void expect_text(const char *path, const char *text)
{
    size_t size;
    unsigned char *bytes = files_read(path, &size);
    assert_string_equal((char *)bytes, text);
    free(bytes);
}

static void save(const char *path, const char *text)
{
    struct whole_file w;
    struct failure f = {0};
    assert_int_equal(whole_file_open(&w, path, &f), STATUS_OK);
    fputs(text, w.stream);
    assert_int_equal(whole_file_close(&w, &f), STATUS_OK);
}

static const char *temporary_of(long process, int number)
{
    char name[64];
    snprintf(name, sizeof name, ".maxpool-%ld-%d.tmp", process, number);
    return files_path(name);
}

/* Sets the times of a file to two days ago. */
static void make_old(const char *path)
{
    const struct timespec times[2] = {{time(NULL) - 2 * 24 * 3600, 0},
                                      {time(NULL) - 2 * 24 * 3600, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

static bool is_there(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

TEST(test_replaced_whole_or_not_at_all)
{
    struct whole_file w;
    struct failure f = {0};
    const char *path = files_write("old", "before", 6);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(whole_file_open(&w, path, &f), STATUS_OK);
    fputs("after", w.stream);
    fflush(w.stream);
    expect_text(path, "before");
    whole_file_abandon(&w);
    assert_false(is_there(w.temporary));
    expect_text(path, "before");
    save(path, "after");
    expect_text(path, "after");
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(whole_file_check(path, &f), STATUS_OK);
    expect_text(path, "after");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(files_count(), 0);
}

/* A dead writer may have had this process's number, as the first process of every container has the
 * same one. */
TEST(test_a_writer_of_the_same_number_died)
{
    const char *left = files_write(strrchr(temporary_of((long)getpid(), 0), '/') + 1, "half", 4);
    save(files_path("new"), "whole");
    expect_text(files_path("new"), "whole");
    assert_true(is_there(left)); /* for ten minutes it may belong to a process of another host */
    make_old(left);
    save(files_path("new"), "whole");
    assert_false(is_there(left));
}

/* Starts a process that begins to write a file, reports it, and waits to be killed. */
static pid_t begin_in_another_folder(const char *path)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        static struct whole_file w;
        if (whole_file_open(&w, path, NULL) != STATUS_OK || write(ready[1], "r", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

TEST(test_living_writers_are_left_alone)
{
    const char *path = files_path("shared");
    const pid_t child = begin_in_another_folder(path);
    const char *temporary = temporary_of((long)child, 0);
    make_old(temporary);
    save(path, "ours");
    assert_true(is_there(temporary));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(is_there(temporary));
    save(path, "again");
    assert_false(is_there(temporary));
    expect_text(path, "again");
}

TEST(test_names_of_others_stay)
{
    static const char *const names[] = {".maxpool-1-0.tmp2", ".maxpool-x-0.tmp", ".maxpool-1.tmp",
                                        "maxpool-1-0.tmp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        files_write(names[i], "x", 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        make_old(files_path(names[i]));
    const char *folder = temporary_of(3, 0), *fifo = temporary_of(4, 0), *link = temporary_of(5, 0);
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(mkfifo(fifo, 0666), 0);
    assert_int_equal(symlink("maxpool-1-0.tmp", link), 0);
    make_old(folder);
    make_old(fifo);
    make_old(link);
    save(files_path("new"), "whole");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(is_there(files_path(names[i])));
    assert_true(is_there(folder) && is_there(fifo) && is_there(link));
    rmdir(folder);
    unlink(fifo);
    unlink(link);
}

TEST(test_links_stay)
{
    char target[PATH_MAX];
    const char *link = files_path("link"), *loop = files_path("loop");
    assert_int_equal(mkdir(files_path("there"), 0777), 0);
    assert_int_equal(symlink("there/file", link), 0);
    save(link, "first"); /* the link has no target yet */
    save(link, "second");
    assert_in_range(readlink(link, target, sizeof target), 1, PATH_MAX);
    expect_text(files_path("there/file"), "second");
    assert_int_equal(symlink("loop", loop), 0);
    struct failure f = {0};
    assert_int_equal(whole_file_check(loop, &f), STATUS_OUTPUT);
    unlink(files_path("there/file"));
    rmdir(files_path("there"));
}

TEST(test_what_cannot_be_written)
{
    const char *const paths[] = {"", "/dev/null/x", command_folder(), "/proc/x"};
    struct whole_file w;
    struct failure f = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        f = (struct failure){0};
        assert_int_equal(whole_file_check(paths[i], &f), STATUS_OUTPUT);
        assert_non_null(strstr(f.message, "cannot be written"));
    }
    f = (struct failure){0};
    assert_int_equal(whole_file_open(&w, "/dev/full", &f), STATUS_OK);
    assert_true(w.direct);
    fputs("x", w.stream);
    assert_int_equal(whole_file_close(&w, &f), STATUS_OUTPUT);
    assert_non_null(strstr(f.message, strerror(ENOSPC)));
    whole_file_abandon(&w); /* nothing is left to do */
    assert_int_equal(access("/dev/full", F_OK), 0);
}

const struct tests_group tests_group = {command_setup, command_teardown};
