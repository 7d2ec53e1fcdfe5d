#include "harness/base/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static const char *volatile unfinished;

/* The first signal is only recorded; the second ends the process at once. */
static void note(int number)
{
    if (!caught) {
        caught = number;
        return;
    }
    if (unfinished)
        unlink(unfinished);
    signal(number, SIG_DFL);
    raise(number);
}

void signals_catch(void)
{
    /* a write that waits for a slow reader goes on: it is part of the sample to be finished */
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void signals_ignore_file_limit(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

void signals_join(int number)
{
    if (!caught)
        caught = number;
}

int signals_caught(void)
{
    return caught;
}

void signals_unfinished(const char *path)
{
    unfinished = path;
}

void signals_resume(void)
{
    if (!caught)
        return;
    signal(caught, SIG_DFL);
    raise(caught);
}
