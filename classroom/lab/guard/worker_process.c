#include "classroom/lab/guard/worker_process.h"

#include "classroom/lab/call/readable.h"
#include "experiments/common/apart.h"
#include "harness/base/clock.h"
#include "harness/base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the child ------------------------------------------------------------------------------- */

enum { CHILD_FILES = LAB_FIRST_ARRAY + LAB_ARRAYS, SPARE = 64 };

static void limit(int what, rlim_t most)
{
    const struct rlimit both = {most, most};
    setrlimit(what, &both);
}

/* Moves the descriptors to the numbers of the protocol; first to high numbers, so that none
 * overwrites another. */
static bool place_files(const int files[CHILD_FILES])
{
    int away[CHILD_FILES];
    for (int i = 0; i < CHILD_FILES; i++)
        away[i] = fcntl(files[i], F_DUPFD_CLOEXEC, SPARE);
    for (int i = 0; i < CHILD_FILES; i++)
        if (away[i] < 0 || dup2(away[i], i) < 0)
            return false;
    return true;
}

/* A GPU's driver needs what a sandbox takes away; an emulated device needs nothing. */
static bool uses_gpu(const struct lab_start *how)
{
    return how->device && !how->emulated;
}

/* Runs between fork and exec. The environment is the prepared one: nothing else is preloaded. */
static void exec_child(const struct lab_start *how, const struct lab_arrays *arrays,
                       const int files[CHILD_FILES], char *const environment[], pid_t parent)
{
    char threads[24], memory[24], bytes[LAB_ARRAYS][24];
    char *arguments[LAB_ARG_BYTES + LAB_ARRAYS + 2] = {(char *)how->program, (char *)how->script};
    char **const first = arguments + (how->script ? 1 : 0); /* the place of the worker's name */
    first[LAB_ARG_WHAT] = (char *)how->what;
    first[LAB_ARG_OPERATOR] = (char *)how->operator_name;
    first[LAB_ARG_THREADS] = threads;
    first[LAB_ARG_MEMORY] = memory;
    snprintf(threads, sizeof threads, "%lld", (long long)how->threads);
    long long most = (long long)how->limits.memory;
    for (int i = 0; i < LAB_ARRAYS; i++) {
        most += most > 0 ? (long long)arrays->bytes[i] : 0;
        snprintf(bytes[i], sizeof bytes[i], "%zu", arrays->bytes[i]);
        first[LAB_ARG_BYTES + i] = bytes[i];
    }
    snprintf(memory, sizeof memory, "%lld", most);
    setsid(); /* without a terminal; in a group of its own */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 1; i < 32; i++)
        signal(i, SIG_DFL);
    if ((getppid() != parent && getppid() != 0) || !place_files(files))
        _exit(LAB_EXIT_NO_ARRAYS);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    if (how->foreign && !uses_gpu(how) && !readable_by_landlock())
        apart_take_root(); /* the worker makes a root folder of its own, then gives up all rights */
    execve(how->program, arguments, environment);
    dprintf(STDERR_FILENO, "%s: %s\n", how->program, strerror(errno));
    _exit(LAB_EXIT_NO_FILE);
}

/* ---- its environment ------------------------------------------------------------------------- */

enum { VARIABLES = 20 };

struct environment {
    char *items[VARIABLES + 1]; /* of any length: lists of folders and libraries have no longest */
    size_t count;
    bool lacking; /* there was no memory for one of them */
};

static void set(struct environment *e, const char *name, const char *value)
{
    char *item = NULL;
    if (!value)
        return;
    e->lacking = e->lacking || e->count == VARIABLES || asprintf(&item, "%s=%s", name, value) < 0;
    if (!e->lacking)
        e->items[e->count++] = item;
}

static void release_environment(struct environment *e)
{
    for (size_t i = 0; i < e->count; i++)
        free(e->items[i]);
    *e = (struct environment){.count = 0};
}

static void make_environment(struct environment *e, const struct lab_start *how)
{
    static const char *const kept[] = {"PATH", "HOME",          "LD_LIBRARY_PATH",
                                       "LANG", "OMP_PROC_BIND", "OMP_PLACES"};
    char threads[24];
    *e = (struct environment){0};
    snprintf(threads, sizeof threads, "%lld", (long long)how->threads);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        set(e, kept[i], getenv(kept[i]));
    set(e, "OMP_NUM_THREADS", threads);
    set(e, "OPENBLAS_NUM_THREADS", threads);
    set(e, "LD_PRELOAD", how->preload);
    set(e, "LAB_SANDBOX", how->sandbox);
    set(e, "LAB_DEVICE", uses_gpu(how) ? "1" : NULL);
    set(e, "NUMBA_NUM_THREADS", how->script ? threads : NULL);
    set(e, "PYTHONDONTWRITEBYTECODE", how->script ? "1" : NULL);
    set(e, "ASAN_OPTIONS",
        "detect_leaks=0:abort_on_error=0:exitcode=99:max_allocation_size_mb=4096:"
        "handle_abort=1:handle_segv=2:handle_sigbus=2"); /* 2: a kernel cannot replace these */
    set(e, "UBSAN_OPTIONS", "print_stacktrace=0");
}

/* ---- starting -------------------------------------------------------------------------------- */

struct pipes {
    int orders[2], notes[2], output[2];
};

static bool open_pipes(struct pipes *p)
{
    *p = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    return pipe2(p->orders, O_CLOEXEC) == 0 && pipe2(p->notes, O_CLOEXEC) == 0 &&
           pipe2(p->output, O_CLOEXEC) == 0;
}

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

static void close_child_ends(struct pipes *p)
{
    close_file(&p->orders[0]);
    close_file(&p->notes[1]);
    close_file(&p->output[1]);
}

static bool wait_for_note(struct lab_worker *w);

/* Receives the first note of a worker, which its sandbox sends before anything from outside runs,
 * and lets it go on. */
static bool take_sandbox(struct lab_worker *w, const struct apart *apart)
{
    static const struct lab_order go_on = {.ask = LAB_ECHO};
    if (!wait_for_note(w))
        return false;
    w->protection = w->note.sandboxed | (apart->processes ? LAB_OWN_PROCESSES : 0) |
                    (apart->network ? LAB_OWN_NETWORK : 0);
    if (w->note.listener >= 0)
        w->listener = thread_limit_take(w->pid, w->note.listener);
    return write(w->orders, &go_on, sizeof go_on) == (ssize_t)sizeof go_on;
}

enum status lab_worker_start(struct lab_worker *w, const struct lab_start *how,
                             const struct lab_arrays *arrays, struct failure *f)
{
    struct pipes p;
    struct environment environment;
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const pid_t parent = getpid();
    *w = (struct lab_worker){.limits = how->limits,
                             .threads = how->threads,
                             .with_device = uses_gpu(how),
                             .orders = -1,
                             .notes = -1,
                             .output = -1,
                             .listener = -1};
    memcpy(w->bytes, arrays->bytes, sizeof w->bytes);
    make_environment(&environment, how);
    if (environment.lacking || !open_pipes(&p) || nothing < 0) {
        release_environment(&environment);
        return fail(f, STATUS_RESOURCE, "no pipe for the worker: %s", strerror(errno));
    }
    const int files[CHILD_FILES] = {nothing,
                                    p.output[1],
                                    p.output[1],
                                    p.orders[0],
                                    p.notes[1],
                                    arrays->descriptor[LAB_IMAGE],
                                    arrays->descriptor[LAB_SECOND],
                                    arrays->descriptor[LAB_MAP]};
    fflush(NULL);
    struct apart apart = {.processes = false};
    w->pid = how->foreign && !w->with_device ? apart_fork(&apart) : fork();
    if (w->pid == 0)
        exec_child(how, arrays, files, environment.items, parent);
    release_environment(&environment);
    close(nothing);
    close_child_ends(&p);
    w->orders = p.orders[1];
    w->notes = p.notes[0];
    w->output = p.output[0];
    if (w->pid < 0) {
        w->pid = 0;
        return fail(f, STATUS_RESOURCE, "no process for the worker: %s", strerror(errno));
    }
    fcntl(w->output, F_SETFL, O_NONBLOCK);
    signal(SIGPIPE, SIG_IGN);
    if (!how->foreign || take_sandbox(w, &apart))
        wait_for_note(w);
    return STATUS_OK;
}

/* ---- its end --------------------------------------------------------------------------------- */

static void drain(struct lab_worker *w)
{
    char chunk[8192];
    ssize_t got;
    while ((got = read(w->output, chunk, sizeof chunk)) > 0) {
        const int64_t room = LAB_OUTPUT - 1 - w->printed;
        const size_t kept = room <= 0 ? 0 : got < room ? (size_t)got : (size_t)room;
        if (kept > 0)
            memcpy(w->text + w->printed, chunk, kept);
        w->printed += got;
        if (w->printed > w->limits.most_output)
            return;
    }
}

static void close_worker(struct lab_worker *w)
{
    if (w->pid > 0)
        kill(-w->pid, SIGKILL);
    w->pid = 0;
    utf8_clean_foreign(w->text, true);
    close_file(&w->orders);
    close_file(&w->notes);
    close_file(&w->output);
    close_file(&w->listener);
}

/* Kills the whole group and records the reason. */
static void end_for(struct lab_worker *w, enum lab_end end)
{
    int status;
    drain(w);
    kill(-w->pid, SIGKILL);
    waitpid(w->pid, &status, 0);
    w->end = end;
    w->code = 0;
    close_worker(w);
}

/* Records the end of the worker from the status of wait(). */
static void take_end(struct lab_worker *w, int status)
{
    drain(w);
    w->end = WIFSIGNALED(status) ? LAB_SIGNAL : LAB_EXITED;
    w->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    close_worker(w);
}

/* Handles a closed pipe of notes: the worker has ended, or has closed the pipe to pretend so. */
static void end_by_itself(struct lab_worker *w)
{
    int status = 0;
    const double limit = clock_now() + 1.0;
    pid_t ended;
    while ((ended = waitpid(w->pid, &status, WNOHANG)) == 0 && clock_now() < limit)
        usleep(1000);
    if (ended == 0) {
        end_for(w, LAB_TIME_OUT);
        return;
    }
    take_end(w, status);
}

void lab_worker_end(struct lab_worker *w)
{
    if (w->pid > 0)
        end_for(w, LAB_EXITED);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* Reads a note. True for an answer, false for the report of a crash. An incomplete note counts as
 * an answer, too: the map is verified anyway, so forging an answer gains nothing. */
static bool take_note(struct lab_worker *w)
{
    struct lab_note note = {0};
    const ssize_t got = read(w->notes, &note, sizeof note);
    if (note.crashed_by && w->crashed_by) {
        return false; /* what followed from the first */
    } else if (note.crashed_by) {
        w->crashed_at = note.crashed_at;
        w->crashed_by = note.crashed_by;
    } else {
        w->note = note;
    }
    return got > 0 && !note.crashed_by;
}

static bool wait_for_note(struct lab_worker *w)
{
    const double deadline = clock_now() + w->limits.seconds;
    for (;;) {
        struct pollfd news[] = {{.fd = w->notes, .events = POLLIN},
                                {.fd = w->output, .events = POLLIN},
                                {.fd = w->listener, .events = POLLIN}}; /* poll() ignores -1 */
        const double left = deadline - clock_now();
        poll(news, 3, left <= 0.0 ? 0 : (int)(left * 1000.0) + 1);
        if (news[0].revents & POLLIN && take_note(w))
            return true;
        if (news[0].revents & ~POLLIN) {
            end_by_itself(w);
            return false;
        }
        if (news[1].revents)
            drain(w);
        if (news[2].revents & POLLIN &&
            !thread_limit_answer(w->listener, w->pid, w->threads, &w->last_thread))
            w->refused_a_thread = true;
        if (w->printed > w->limits.most_output) {
            end_for(w, LAB_FLOOD);
            return false;
        }
        if (left <= 0.0) {
            end_for(w, LAB_TIME_OUT);
            return false;
        }
    }
}

static bool send(struct lab_worker *w, const struct lab_order *order)
{
    if (w->pid == 0)
        return false;
    if (order->ask == LAB_CALL)
        w->last = *order;
    if (write(w->orders, order, sizeof *order) == (ssize_t)sizeof *order)
        return true;
    end_by_itself(w);
    return false;
}

void lab_worker_halt(struct lab_worker *w)
{
    int status;
    pid_t stopped;
    if (w->pid == 0 || w->stopped || kill(w->pid, SIGSTOP) != 0)
        return;
    while ((stopped = waitpid(w->pid, &status, WUNTRACED)) < 0 && errno == EINTR)
        ; /* a request to stop this program: the worker stops first */
    if (stopped != w->pid)
        return;
    w->stopped = WIFSTOPPED(status);
    if (!w->stopped)
        take_end(w, status);
}

void lab_worker_resume(struct lab_worker *w)
{
    if (w->pid > 0 && kill(w->pid, SIGCONT) == 0)
        w->stopped = false;
}

/* The order is in the pipe before the worker may run. */
bool lab_worker_clock(struct lab_worker *w, const struct lab_order *order, double *began,
                      double *seconds)
{
    lab_worker_halt(w);
    if (!send(w, order))
        return false;
    *began = clock_now();
    lab_worker_resume(w);
    const bool answered = wait_for_note(w);
    lab_worker_halt(w);
    *seconds = clock_now() - *began;
    return answered && w->pid > 0;
}

/* ---- what it uses ---------------------------------------------------------------------------- */

double lab_worker_cpu(const struct lab_worker *w)
{
    clockid_t clock;
    struct timespec now;
    if (w->pid == 0 || clock_getcpuclockid(w->pid, &clock) != 0 || clock_gettime(clock, &now) != 0)
        return -1.0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int64_t lab_worker_threads(const struct lab_worker *w)
{
    return thread_limit_count(w->pid);
}
