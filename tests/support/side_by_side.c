#include "tests/support/side_by_side.h"

#include "tests/support/unit_test.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PROCESSES = 16 };

/* What all processes share. */
struct queue {
    atomic_size_t *next; /* the next test that none has taken, in memory that all share */
    FILE *lock;          /* locked by the process that prints; the lock of a process that ends is
                            released */
};

/* Where standard output and error went before, and where they go during a test. */
struct outputs {
    FILE *file;
    int out, err;
};

static void capture(struct outputs *o)
{
    o->out = dup(STDOUT_FILENO);
    o->err = dup(STDERR_FILENO);
    fflush(NULL);
    if (dup2(fileno(o->file), STDOUT_FILENO) < 0 || dup2(fileno(o->file), STDERR_FILENO) < 0)
        abort();
}

/* Prints what a file holds, and empties it. */
static void print_file(FILE *file)
{
    char piece[4096];
    size_t length;
    rewind(file);
    while ((length = fread(piece, 1, sizeof piece, file)) > 0)
        fwrite(piece, 1, length, stdout);
    fflush(stdout);
    rewind(file);
    if (ftruncate(fileno(file), 0) != 0)
        abort();
}

static void release(struct outputs *o, const struct queue *queue)
{
    fflush(NULL);
    dup2(o->out, STDOUT_FILENO);
    dup2(o->err, STDERR_FILENO);
    close(o->out);
    close(o->err);
    if (lockf(fileno(queue->lock), F_LOCK, 0) != 0)
        abort();
    print_file(o->file);
    if (lockf(fileno(queue->lock), F_ULOCK, 0) != 0)
        abort();
}

/* Runs tests in one of the processes; returns its exit status. */
static int run_from_queue(const struct CMUnitTest *tests, size_t count, const struct queue *queue,
                          FILE *file)
{
    int failed = 0;
    for (size_t i = atomic_fetch_add(queue->next, 1); i < count;
         i = atomic_fetch_add(queue->next, 1)) {
        struct outputs outputs = {.file = file};
        capture(&outputs);
        failed += _cmocka_run_group_tests(tests[i].name, &tests[i], 1, NULL, NULL);
        release(&outputs, queue);
    }
    return failed != 0;
}

int run_side_by_side(const struct CMUnitTest *tests, size_t count, size_t processes)
{
    FILE *files[MOST_PROCESSES];
    struct queue queue = {.next = mmap(NULL, sizeof *queue.next, PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS, -1, 0),
                          .lock = tmpfile()};
    const pid_t parent = getpid();
    size_t begun = 0;
    int status, failed = queue.next == MAP_FAILED || !queue.lock;
    while (begun < processes && begun < MOST_PROCESSES && !failed) {
        fflush(NULL);
        files[begun] = tmpfile();
        const pid_t child = files[begun] ? fork() : -1;
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL); /* if ctest ends the parent */
            exit(getppid() == parent ? run_from_queue(tests, count, &queue, files[begun]) : 1);
        }
        failed = child < 0;
        begun += !failed;
    }
    while (wait(&status) > 0)
        failed |= status != 0;
    for (size_t i = 0; i < begun; i++) { /* output of tests that ended their process */
        print_file(files[i]);
        fclose(files[i]);
    }
    return failed;
}
