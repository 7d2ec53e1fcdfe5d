#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* An unnamed temporary file holding `text`, positioned at its start. */
static FILE *temporary(const char *text)
{
    FILE *file = tmpfile();
    if (!file)
        abort();
    if (text)
        fputs(text, file);
    rewind(file);
    return file;
}

/* Every text is behind the one before it, and all are freed when the program ends. */
struct kept_text {
    struct kept_text *before;
    char bytes[];
};

static struct kept_text *texts;

static void free_texts(void)
{
    while (texts) {
        struct kept_text *last = texts;
        texts = last->before;
        free(last);
    }
}

static char *contents(FILE *file)
{
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    struct kept_text *text = malloc(sizeof *text + (size_t)length + 1);
    if (!texts)
        atexit(free_texts);
    rewind(file);
    text->bytes[fread(text->bytes, 1, (size_t)length, file)] = 0;
    text->before = texts;
    texts = text;
    fclose(file);
    return text->bytes;
}

static void become(const char *command, FILE *in, FILE *out, FILE *err)
{
    if (dup2(fileno(in), 0) < 0 || dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0 ||
        chdir(MAXPOOL_BINARY_DIR "/bin") != 0)
        _exit(127);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

struct outcome run_program(const char *command, const char *input)
{
    FILE *in = temporary(input), *out = temporary(NULL), *err = temporary(NULL);
    struct outcome o = {0};
    struct rusage usage = {0};
    int status = 0;
    const pid_t child = fork();
    if (child == 0)
        become(command, in, out, err);
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        abort();
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    o.peak_kib = usage.ru_maxrss;
    fclose(in);
    o.out = contents(out);
    o.err = contents(err);
    return o;
}
