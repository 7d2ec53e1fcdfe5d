#include "tests/experiments/run/study_drill.h"

#include "experiments/common/results.h"
#include "experiments/samples/folder_samples.h"
#include "experiments/samples/journal.h"
#include "tests/support/unit_test.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char drill_folder[64];
char drill_output[65536];

static void path_of(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", drill_folder, name);
}

static int remove_found(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about;
    (void)type;
    (void)where;
    return remove(path);
}

static void remove_tree(const char *path)
{
    nftw(path, remove_found, 16, FTW_DEPTH | FTW_PHYS);
}

int drill_setup(NO_STATE)
{
    char path[128];
    strcpy(drill_folder, "/tmp/maxpool-drill-XXXXXX");
    if (!mkdtemp(drill_folder))
        return -1;
    path_of("definitions", path);
    mkdir(path, 0777);
    path_of("bin", path);
    mkdir(path, 0777);
    path_of("bin/maxpool_serial", path);
    if (symlink(MAXPOOL_BINARY_DIR "/bin/fake_point", path) != 0)
        return -1;
    path_of("log", path);
    setenv("FAKE_LOG", path, 1);
    unsetenv("FAKE_PAUSE");
    return 0;
}

int drill_teardown(NO_STATE)
{
    remove_tree(drill_folder);
    return 0;
}

void drill_define(const char *text)
{
    char path[128];
    path_of("results", path);
    remove_tree(path);
    path_of("log", path);
    unlink(path);
    path_of("definitions/drill.ini", path);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

void drill_define_also(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/definitions/%s.ini", drill_folder, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void become_study(const char *command, const char *arguments, const char *output)
{
    char line[4096];
    snprintf(line, sizeof line,
             "exec '%s/bin/study' %s --definitions '%s/definitions' --bin '%s/bin' --results "
             "'%s/results' %s",
             MAXPOOL_BINARY_DIR, command, drill_folder, drill_folder, drill_folder, arguments);
    int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    setpgid(0, 0);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

pid_t drill_start(const char *command, const char *arguments)
{
    char output[128];
    path_of("output", output);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become_study(command, arguments, output);
    return child;
}

int drill_study(const char *command, const char *arguments)
{
    int status;
    char output[128];
    pid_t child = drill_start(command, arguments);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    path_of("output", output);
    FILE *file = fopen(output, "r");
    size_t length = file ? fread(drill_output, 1, sizeof drill_output - 1, file) : 0;
    drill_output[length] = '\0';
    if (file)
        fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void drill_read_log(struct drill_log *log)
{
    char path[128];
    path_of("log", path);
    FILE *file = fopen(path, "r");
    long process, before = -1;
    log->count = log->processes = 0;
    while (file && log->count < 4096) {
        struct drill_launch *l = &log->launches[log->count];
        memset(l, 0, sizeof *l); /* tests compare whole structures */
        if (fscanf(file, "%31s %" SCNd64 " %" SCNd64 " %ld", l->method, &l->rows, &l->round,
                   &process) != 4)
            break;
        log->count++;
        log->processes += process != before;
        before = process;
    }
    if (file)
        fclose(file);
}

/* Whether an earlier launch of its point is of the same round, and finished. */
static bool is_repeated(const struct samples *s, size_t at)
{
    const struct launch *l = &s->launches[at];
    for (size_t i = s->points[l->point].first; i < at; i++)
        if (s->launches[i].finished && s->launches[i].round == l->round &&
            s->launches[i].set == l->set)
            return true;
    return false;
}

struct drill_samples drill_read_samples(void)
{
    return drill_read_samples_of("drill");
}

struct drill_samples drill_read_samples_of(const char *experiment)
{
    struct samples s;
    struct drill_samples out = {0};
    char folder[128];
    path_of("results", folder);
    if (folder_samples_of_one(&s, folder, experiment, NULL) != STATUS_OK)
        return out;
    for (size_t i = 0; i < s.launch_count; i++)
        if (s.launches[i].finished) {
            out.finished++;
            out.repeated += is_repeated(&s, i);
        }
    out.rows = s.sample_count + (size_t)s.warmups;
    out.corrupt = (size_t)s.report.corrupt;
    samples_release(&s);
    return out;
}

struct search {
    const char *status, *text;
    size_t count;
};

static bool look(const struct journal_row *row, void *context)
{
    struct search *s = context;
    s->count += strcmp(row->status, s->status) == 0 &&
                (strstr(row->reason, s->text) || strstr(row->output, s->text));
    return true;
}

size_t drill_journal_of(const char *experiment, const char *status, const char *text)
{
    char folder[128];
    struct search s = {status, text, 0};
    path_of("results", folder);
    journal_read_of(folder, experiment, look, &s, NULL);
    return s.count;
}

size_t drill_journal(const char *status)
{
    return drill_journal_of("drill", status, "");
}

bool drill_journal_says(const char *status, const char *text)
{
    return drill_journal_of("drill", status, text) > 0;
}
