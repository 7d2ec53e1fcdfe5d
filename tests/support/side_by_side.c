#include "tests/support/side_by_side.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* In memory that all processes see. */
struct queue {
    atomic_size_t next; /* test that none has taken */
    atomic_flag printing;
};

/* Where both outputs went before. */
struct outputs {
    FILE *file;
    int out, err;
};

static void capture(struct outputs *o)
{
    o->file = tmpfile();
    o->out = dup(STDOUT_FILENO);
    o->err = dup(STDERR_FILENO);
    fflush(NULL);
    if (!o->file || dup2(fileno(o->file), STDOUT_FILENO) < 0 ||
        dup2(fileno(o->file), STDERR_FILENO) < 0)
        abort();
}

static void release(struct outputs *o, struct queue *queue)
{
    char piece[4096];
    size_t length;
    fflush(NULL);
    dup2(o->out, STDOUT_FILENO);
    dup2(o->err, STDERR_FILENO);
    close(o->out);
    close(o->err);
    while (atomic_flag_test_and_set(&queue->printing))
        usleep(1000);
    rewind(o->file);
    while ((length = fread(piece, 1, sizeof piece, o->file)) > 0)
        fwrite(piece, 1, length, stdout);
    fflush(stdout);
    atomic_flag_clear(&queue->printing);
    fclose(o->file);
}

/* One of the processes: its exit status. */
static int run_from_queue(const struct CMUnitTest *tests, size_t count, struct queue *queue)
{
    int failed = 0;
    for (size_t i = atomic_fetch_add(&queue->next, 1); i < count;
         i = atomic_fetch_add(&queue->next, 1)) {
        struct outputs outputs;
        capture(&outputs);
        failed += _cmocka_run_group_tests(tests[i].name, &tests[i], 1, NULL, NULL);
        release(&outputs, queue);
    }
    return failed != 0;
}

int run_side_by_side(const struct CMUnitTest *tests, size_t count, size_t processes)
{
    struct queue *queue =
        mmap(NULL, sizeof *queue, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t parent = getpid();
    int status, failed = queue == MAP_FAILED;
    for (size_t i = 0; i < processes && !failed; i++) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL); /* where ctest ends the parent */
            exit(getppid() == parent ? run_from_queue(tests, count, queue) : 1);
        }
        failed = child < 0;
    }
    while (wait(&status) > 0)
        failed |= status != 0;
    return failed;
}
