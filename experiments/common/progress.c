#include "experiments/common/progress.h"

#include "harness/base/clock.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

void duration_text(double seconds, char *text, size_t size)
{
    long whole = seconds < 0 ? 0 : seconds > 1e9 ? 1000000000L : (long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
}

struct progress progress_begin(size_t count, double left_s)
{
    return (struct progress){isatty(STDERR_FILENO), 0, count, clock_now(), left_s};
}

static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

void progress_show(const struct progress *p, const char *what)
{
    char spent[32], left[32], line[512];
    if (!p->shown)
        return;
    duration_text(clock_now() - p->began, spent, sizeof spent);
    duration_text(p->left_s, left, sizeof left);
    snprintf(line, sizeof line, "[%zu/%zu] %s gone, about %s left: %s", p->done, p->count, spent,
             left, what);
    fprintf(stderr, "\r%.*s\033[K", columns() - 1, line);
    fflush(stderr);
}

void progress_advance(struct progress *p, double estimate_s)
{
    p->done++;
    p->left_s = p->left_s > estimate_s ? p->left_s - estimate_s : 0;
}

void progress_end(const struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
}
