#include "experiments/common/process.h"

#include "experiments/common/apart.h"
#include "experiments/common/program_file.h"
#include "harness/base/clock.h"
#include "harness/base/text/fit.h"
#include "harness/machine/given.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- requests to stop ------------------------------------------------------------------------ */

static volatile sig_atomic_t stop_signal;
static volatile sig_atomic_t stop_count;
static int wake_pipe[2] = {-1, -1}; /* written by the handlers: ends a poll() */

static void on_signal(int number)
{
    int saved = errno;
    if (number != SIGCHLD) {
        if (!stop_signal)
            stop_signal = number;
        stop_count = stop_count + 1;
    }
    ssize_t ignored = write(wake_pipe[1], "", 1);
    (void)ignored;
    errno = saved;
}

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

static bool make_wake_pipe(void)
{
    return wake_pipe[0] >= 0 || pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) == 0;
}

/* A write() or waitpid() that a signal interrupts goes on, so that nothing printed is lost; the
 * wake pipe ends a poll(). */
static struct sigaction woken_by_signal(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    return action;
}

void process_catch_stop_signals(void)
{
    if (!make_wake_pipe())
        return; /* process_run() will report it */
    const struct sigaction action = woken_by_signal();
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++) {
        struct sigaction before;
        sigaction(stop_signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) /* ignored under nohup: stays ignored */
            sigaction(stop_signals[i], &action, NULL);
    }
}

int process_stop_signal(void)
{
    return stop_signal;
}

void process_die_of_stop_signal(void)
{
    if (!stop_signal)
        return;
    signal(stop_signal, SIG_DFL);
    raise(stop_signal);
}

/* ---- the child ------------------------------------------------------------------------------ */

/* Signals whose handling a command does not inherit. */
static const int handled_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGXFSZ};

static void end_own_group(int signal_number)
{
    (void)signal_number;
    kill(0, SIGKILL);
}

/* Ends as the command did. */
static void wait_for_command(pid_t command)
{
    int status = 0;
    while (waitpid(command, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/* Where no namespace ends the processes of a command together: this process stays, waits for the
 * command, and ends their group when its parent dies (SIGUSR1). Returns in the command's process,
 * or unguarded where there can be no second process. */
static void guard_group(int output, int report)
{
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++)
        signal(stop_signals[i], SIG_IGN); /* they are the command's */
    const pid_t command = fork();
    if (command > 0) {
        close(output);
        close(report);
        wait_for_command(command);
    }
    signal(SIGUSR1, SIG_DFL);
}

/* Runs between fork and exec, so it calls only what is safe there. Never returns. */
static void exec_child(char *const argv[], const struct process_limits *limits, pid_t parent,
                       int output, int report)
{
    setpgid(0, 0);
    if (!limits->keep_cores)
        given_restore(); /* the study may be bound to one core by a library that it is linked with
                          */
    const bool alone = limits->enter && limits->death_signal && getpid() != 1;
    if (alone)
        signal(SIGUSR1, end_own_group);
    if (limits->death_signal)
        prctl(PR_SET_PDEATHSIG, alone ? SIGUSR1 : limits->death_signal);
    if (getppid() != parent && getppid() != 0) /* the parent died before prctl() */
        _exit(127);
    if (alone)
        guard_group(output, report);
    for (size_t i = 0; i < sizeof handled_signals / sizeof *handled_signals; i++)
        signal(handled_signals[i], SIG_DFL);
    int nothing = open("/dev/null", O_RDONLY);
    const int out = limits->stdout_file > 0 ? limits->stdout_file : output;
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0) {
        if (limits->enter)
            limits->enter(limits->context);
        execvp(argv[0], argv);
    }
    int reason = errno;
    ssize_t ignored = write(report, &reason, sizeof reason);
    (void)ignored;
    _exit(127);
}

static sigset_t set_of_handled(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof handled_signals / sizeof *handled_signals; i++)
        sigaddset(&set, handled_signals[i]);
    return set;
}

static bool direct(posix_spawn_file_actions_t *files, const struct process_limits *limits,
                   int output)
{
    const int out = limits->stdout_file > 0 ? limits->stdout_file : output;
    return posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
           posix_spawn_file_actions_adddup2(files, out, STDOUT_FILENO) == 0 &&
           posix_spawn_file_actions_adddup2(files, output, STDERR_FILENO) == 0;
}

/* posix_spawnp() on the cores that this process was given. */
static pid_t spawn_on_cores(char *const argv[], const posix_spawn_file_actions_t *files,
                            const posix_spawnattr_t *how, bool keep_cores)
{
    struct core_set here;
    pid_t pid = -1;
    const bool moved = !keep_cores && given_read(&here);
    if (moved)
        given_restore();
    if (posix_spawnp(&pid, argv[0], files, how, argv, environ) != 0)
        pid = -1;
    if (moved)
        given_return(&here);
    return pid;
}

/* Starts a command that needs nothing between fork and exec, without a copy of this process: the
 * page tables of 200 MB take longer to copy than gnuplot takes to start. -1 on failure. */
static pid_t spawn(char *const argv[], const struct process_limits *limits, int output)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    pid_t pid = -1;
    if (limits->enter || limits->death_signal || posix_spawn_file_actions_init(&files) != 0)
        return -1;
    if (posix_spawnattr_init(&how) == 0) {
        const sigset_t defaults = set_of_handled();
        if (direct(&files, limits, output) && posix_spawnattr_setsigdefault(&how, &defaults) == 0 &&
            posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF) == 0)
            pid = spawn_on_cores(argv, &files, &how, limits->keep_cores);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return pid;
}

/* What happens to a running group, and when. */
struct ending {
    double deadline; /* of the next step; infinity: no further step */
    bool asked;      /* SIGTERM was sent */
    enum process_end reason;
};

struct child {
    pid_t pid; /* 0: the child has ended */
    const char *program;
    double began;
    int output; /* read end of its stdout and stderr */
    int report; /* errno of a failed exec; a successful exec closes the pipe */
    bool mute;  /* every process that held the pipe `output` has closed it */
    int stops_seen;
    struct ending ending;
};

static enum status start(struct child *child, char *const argv[],
                         const struct process_limits *limits, struct failure *f)
{
    int output[2], report[2];
    if (pipe2(output, O_CLOEXEC) != 0)
        return fail(f, STATUS_RESOURCE, "no pipe for %s: %s", argv[0], strerror(errno));
    if (pipe2(report, O_CLOEXEC) != 0) {
        close(output[0]);
        close(output[1]);
        return fail(f, STATUS_RESOURCE, "no pipe for %s: %s", argv[0], strerror(errno));
    }
    pid_t parent = getpid();
    fflush(NULL);
    struct apart ignored;
    *child = (struct child){.program = argv[0], .began = clock_now()};
    child->ending.deadline = child->began + (limits->seconds > 0 ? limits->seconds : 1e9);
    child->pid = spawn(argv, limits, output[1]);
    if (child->pid < 0) /* also after a failure: the child then reports its reason */
        child->pid = limits->enter ? apart_fork(&ignored) : fork();
    if (child->pid == 0)
        exec_child(argv, limits, parent, output[1], report[1]);
    int reason = errno;
    close(output[1]);
    close(report[1]);
    child->output = output[0];
    child->report = report[0];
    child->ending.reason = PROCESS_EXITED;
    child->stops_seen = limits->even_stopped ? stop_count : 0;
    if (child->pid < 0) {
        child->pid = 0;
        close(output[0]);
        close(report[0]);
        return fail(f, STATUS_RESOURCE, "no process for %s: %s", argv[0], strerror(reason));
    }
    setpgid(child->pid, child->pid); /* in both processes, so that it holds whichever runs first */
    fcntl(child->output, F_SETFL, O_NONBLOCK);
    return STATUS_OK;
}

/* ---- supervision ----------------------------------------------------------------------------- */

/* Appends what the pipe holds to `tail`, which keeps only the last bytes. False at the end of the
 * pipe. */
static bool drain(int pipe_end, char *tail, size_t size)
{
    char chunk[PROCESS_OUTPUT];
    for (;;) {
        ssize_t got = read(pipe_end, chunk, sizeof chunk);
        if (got == 0 || (got < 0 && errno != EINTR))
            return got < 0 && errno == EAGAIN;
        if (got < 0)
            continue;
        size_t more = (size_t)got, tail_length = strlen(tail);
        for (size_t i = 0; i < more; i++)
            if (chunk[i] == '\0')
                chunk[i] = '?';
        const char *from = chunk;
        if (more > size - 1) {
            from += more - (size - 1);
            more = size - 1;
        }
        size_t kept = tail_length < size - 1 - more ? tail_length : size - 1 - more;
        memmove(tail, tail + tail_length - kept, kept);
        memcpy(tail + kept, from, more);
        tail[kept + more] = '\0';
    }
}

/* Waits for output, a signal, or the deadline. */
static void wait_for_news(struct child *children, size_t count, struct process_result *results,
                          double deadline)
{
    struct pollfd news[PROCESSES_AT_ONCE + 1] = {{.fd = wake_pipe[0], .events = POLLIN}};
    for (size_t i = 0; i < count; i++) /* poll() ignores -1 */
        news[i + 1] = (struct pollfd){
            .fd = children[i].pid == 0 || children[i].mute ? -1 : children[i].output,
            .events = POLLIN};
    const double left = deadline - clock_now();
    const int milliseconds = left <= 0 ? 0 : left > 60 ? 60000 : (int)(left * 1000) + 1;
    if (poll(news, count + 1, milliseconds) <= 0)
        return;
    char ignored[64];
    while (news[0].revents && read(wake_pipe[0], ignored, sizeof ignored) > 0)
        ;
    for (size_t i = 0; i < count; i++)
        if (news[i + 1].revents && !drain(children[i].output, results[i].output, PROCESS_OUTPUT))
            children[i].mute = true;
}

static void end_group(struct child *c, double grace, enum process_end reason)
{
    struct ending *e = &c->ending;
    kill(-c->pid, e->asked ? SIGKILL : SIGTERM);
    if (!e->asked)
        e->reason = reason;
    e->asked = true;
    e->deadline = clock_now() + grace;
}

/* Ends the group of a child if its time is over or a signal asks us to stop. */
static void enforce_limits(struct child *c, const struct process_limits *limits)
{
    if (stop_count > c->stops_seen) {
        c->stops_seen = stop_count;
        end_group(c, limits->grace_seconds, PROCESS_STOPPED);
    } else if (clock_now() >= c->ending.deadline) {
        end_group(c, limits->grace_seconds, PROCESS_TIMED_OUT);
    }
}

static void classify_end(struct process_result *result, enum process_end reason, int wait_status)
{
    result->end = reason;
    if (WIFEXITED(wait_status)) {
        result->exit_status = WEXITSTATUS(wait_status);
    } else if (WIFSIGNALED(wait_status)) {
        result->signal = WTERMSIG(wait_status);
        if (reason == PROCESS_EXITED)
            result->end = PROCESS_KILLED;
    }
}

/* SIGCHLD must end a poll(), so it needs a handler. */
static bool catch_children(void)
{
    const struct sigaction action = woken_by_signal();
    return make_wake_pipe() && sigaction(SIGCHLD, &action, NULL) == 0;
}

/* True if the file /proc/PID/stat describes a living process of the group. */
static bool is_in_group(const char *pid, pid_t group)
{
    char path[64], line[512];
    text_fit_format(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "re");
    const bool read_it = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    const char *name_end = read_it ? strrchr(line, ')') : NULL; /* a name may contain blanks */
    char state = 'Z';
    int parent = 0, of = 0;
    return name_end && sscanf(name_end + 1, " %c %d %d", &state, &parent, &of) == 3 &&
           of == group && state != 'Z' && state != 'X';
}

static bool group_lives(pid_t group)
{
    DIR *processes = kill(-group, 0) == 0 ? opendir("/proc") : NULL;
    bool lives = false;
    for (struct dirent *d = NULL; processes && !lives && (d = readdir(processes));)
        lives = d->d_name[0] >= '0' && d->d_name[0] <= '9' && is_in_group(d->d_name, group);
    if (processes)
        closedir(processes);
    return lives;
}

/* True if processes of the group outlive its leader; those that are just ending have a moment. */
static bool leaves_children(pid_t group)
{
    static const struct timespec moment = {.tv_nsec = 5000000};
    bool lives = group_lives(group);
    for (int tries = 0; lives && tries < 10; tries++) {
        nanosleep(&moment, NULL);
        lives = group_lives(group);
    }
    return lives;
}

/* Cleans up after the child, which ended with `wait_status` of waitpid(), and fills in *result. */
static void finish(struct child *c, int wait_status, struct process_result *result)
{
    int reason = 0;
    result->seconds = clock_now() - c->began;
    result->left_children = c->ending.reason == PROCESS_EXITED && leaves_children(c->pid);
    kill(-c->pid, SIGKILL); /* what remains of the group */
    c->pid = 0;
    drain(c->output, result->output, sizeof result->output);
    classify_end(result, c->ending.reason, wait_status);
    if (read(c->report, &reason, sizeof reason) == (ssize_t)sizeof reason) {
        result->end = PROCESS_NOT_STARTED;
        result->exit_status = -1;
        program_file_why(c->program, reason, result->output, sizeof result->output);
    }
    close(c->output);
    close(c->report);
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* A process that uses the terminal in the background is stopped by the system, and would be for
 * ever. */
static void end_if_terminal(struct child *c, int stop)
{
    if (stop != SIGTTIN && stop != SIGTTOU)
        return;
    c->ending.reason = PROCESS_TERMINAL;
    kill(-c->pid, SIGKILL);
}

/* Source of the unit of ru_maxrss: getrusage(2). */
static void note_usage(struct process_result *r, const struct rusage *used)
{
    r->user_s = seconds_of(used->ru_utime);
    r->system_s = seconds_of(used->ru_stime);
    r->voluntary = used->ru_nvcsw;
    r->involuntary = used->ru_nivcsw;
    r->peak_bytes = 1024.0 * (double)used->ru_maxrss;
}

/* True if the child has ended; *result is then filled in. Otherwise its limits are enforced. */
static bool has_ended(struct child *c, const struct process_limits *limits,
                      struct process_result *result)
{
    int wait_status = 0;
    struct rusage used = {0};
    const pid_t ended = wait4(c->pid, &wait_status, WNOHANG | WUNTRACED, &used);
    if (ended == c->pid && WIFSTOPPED(wait_status)) {
        end_if_terminal(c, WSTOPSIG(wait_status));
    } else if (ended == c->pid || (ended < 0 && errno != EINTR)) {
        note_usage(result, &used);
        finish(c, wait_status, result);
        return true;
    }
    enforce_limits(c, limits);
    return false;
}

/* Waits for all children. */
static void watch(struct child *children, size_t count, const struct process_limits *limits,
                  struct process_result *results)
{
    for (;;) {
        size_t running = 0;
        double deadline = INFINITY;
        for (size_t i = 0; i < count; i++)
            if (children[i].pid != 0 && !has_ended(&children[i], limits, &results[i])) {
                deadline = fmin(deadline, children[i].ending.deadline);
                running++;
            }
        if (running == 0)
            return;
        wait_for_news(children, count, results, deadline);
    }
}

enum status process_run_all(char *const *const commands[], size_t count,
                            const struct process_limits *limits, struct process_result *results,
                            struct failure *f)
{
    struct child children[PROCESSES_AT_ONCE] = {{.pid = 0}};
    for (size_t i = 0; i < count; i++)
        results[i] = (struct process_result){.exit_status = -1};
    if (!catch_children())
        return fail(f, STATUS_RESOURCE, "no pipe for signals: %s", strerror(errno));
    enum status status = STATUS_OK;
    size_t started = 0;
    for (; started < count && status == STATUS_OK; started++)
        status = start(&children[started], commands[started], limits, f);
    started -= status != STATUS_OK;
    for (size_t i = 0; i < started && status != STATUS_OK; i++)
        kill(-children[i].pid, SIGKILL); /* one command is of no use without the others */
    watch(children, started, limits, results);
    return status;
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* The commands of a queue that run, each in a place of its own. */
struct queue_state {
    const struct process_queue *queue;
    const struct process_limits *limits;
    size_t next; /* command that was not asked for yet */
    size_t commands[PROCESSES_AT_ONCE];
    struct child children[PROCESSES_AT_ONCE];
    struct process_result results[PROCESSES_AT_ONCE];
};

/* Starts the next command that can be started, if there is one. */
static void start_next(struct queue_state *s, size_t place)
{
    const struct process_queue *q = s->queue;
    while (s->children[place].pid == 0 && s->next < q->count) {
        struct failure why = {0};
        const size_t command = s->next++;
        char *const *const argv = q->begin(q->context, command);
        s->commands[place] = command;
        s->results[place] = (struct process_result){.exit_status = -1};
        if (argv && start(&s->children[place], argv, s->limits, &why) != STATUS_OK)
            q->end(q->context, command, NULL, &why);
    }
}

/* Takes note of commands that ended, and starts others in their places. Returns how many run. */
static size_t advance(struct queue_state *s, double *deadline)
{
    size_t running = 0;
    *deadline = INFINITY;
    for (size_t i = 0; i < PROCESSES_AT_ONCE; i++) {
        struct child *c = &s->children[i];
        if (c->pid != 0 && has_ended(c, s->limits, &s->results[i]))
            s->queue->end(s->queue->context, s->commands[i], &s->results[i], NULL);
        start_next(s, i);
        running += c->pid != 0;
        *deadline = c->pid != 0 ? fmin(*deadline, c->ending.deadline) : *deadline;
    }
    return running;
}

enum status process_run_queue(const struct process_queue *queue,
                              const struct process_limits *limits, struct failure *f)
{
    struct queue_state s = {.queue = queue, .limits = limits};
    double deadline;
    if (!catch_children())
        return fail(f, STATUS_RESOURCE, "no pipe for signals: %s", strerror(errno));
    while (advance(&s, &deadline) > 0)
        wait_for_news(s.children, PROCESSES_AT_ONCE, s.results, deadline);
    return STATUS_OK;
}

enum status process_run(char *const argv[], const struct process_limits *limits,
                        struct process_result *result, struct failure *f)
{
    return process_run_all((char *const *const[]){argv}, 1, limits, result, f);
}

bool process_succeeded(const struct process_result *result)
{
    return result->end == PROCESS_EXITED && result->exit_status == 0;
}

enum status process_run_well(char *const argv[], const struct process_limits *limits,
                             const char *what, struct failure *f)
{
    struct process_result result;
    if (process_run(argv, limits, &result, f) != STATUS_OK || process_succeeded(&result))
        return f->status;
    if (result.end == PROCESS_NOT_STARTED)
        return fail(f, STATUS_UNAVAILABLE, "%s: %s", argv[0], result.output);
    if (result.end == PROCESS_STOPPED)
        return fail(f, STATUS_RESOURCE, "stopped");
    fputs(result.output, stderr);
    return fail(f, STATUS_USAGE, "%s", what);
}

bool process_in_path(const char *program)
{
    char path[PATH_MAX];
    return program_file_find(program, path);
}
