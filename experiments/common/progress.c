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

static const double between_lines_s = 10;

struct progress progress_begin(size_t count, double left_s)
{
    const double now = clock_now();
    return (struct progress){isatty(STDERR_FILENO), 0, count, now, now, left_s};
}

static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

void progress_show(struct progress *p, const char *what)
{
    char spent[32], left[32], line[512];
    const double now = clock_now();
    if (!p->live && now - p->said < between_lines_s)
        return;
    p->said = now;
    duration_text(now - p->began, spent, sizeof spent);
    duration_text(p->left_s, left, sizeof left);
    snprintf(line, sizeof line, "[%zu/%zu] %s gone, about %s left: %s", p->done, p->count, spent,
             left, what);
    if (p->live)
        fprintf(stderr, "\r%.*s\033[K", columns() - 1, line);
    else
        fprintf(stderr, "study: %s\n", line);
    fflush(stderr);
}

void progress_advance(struct progress *p, double less_s)
{
    p->done++;
    p->left_s = p->left_s > less_s ? p->left_s - less_s : 0;
}

void progress_end(const struct progress *p)
{
    if (p->live)
        fputs("\r\033[K", stderr);
}
