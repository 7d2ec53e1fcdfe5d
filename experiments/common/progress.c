#include "experiments/common/progress.h"

#include "harness/base/clock.h"
#include "harness/base/text/screen.h"

#include <stdio.h>
#include <string.h>
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

struct progress_bar progress_bar(size_t done, size_t count)
{
    struct progress_bar bar;
    const size_t width = sizeof bar.text - sizeof "[]";
    const size_t full = count > 0 ? (done < count ? done : count) * width / count : 0;
    memset(bar.text, ' ', sizeof bar.text);
    memset(bar.text + 1, '#', full);
    bar.text[0] = '[';
    bar.text[width + 1] = ']';
    bar.text[width + 2] = '\0';
    return bar;
}

/* "12/30, 0:40 gone, about 1:20 left: what runs". */
static void write_line(const struct progress *p, double now, const char *what, char *line,
                       size_t size)
{
    char done[32], count[32], spent[32], left[32];
    snprintf(done, sizeof done, "%zu", p->done);
    snprintf(count, sizeof count, "%zu", p->count);
    duration_text(now - p->began, spent, sizeof spent);
    duration_text(p->left_s, left, sizeof left);
    message_format(
        line, size, screen_language(),
        "%{done}/%{count}, %{spent} gone, about %{left} left: %{what}",
        WITH({"done", done}, {"count", count}, {"spent", spent}, {"left", left}, {"what", what}));
}

/* Cuts a text after so many characters of UTF-8. */
static void cut(char *text, int characters)
{
    for (; *text; text++)
        if (((unsigned char)*text & 0xc0) != 0x80 && characters-- <= 0) {
            *text = '\0';
            return;
        }
}

void progress_show(struct progress *p, const char *what)
{
    char line[512];
    const double now = clock_now();
    if (!p->live && now - p->said < between_lines_s)
        return;
    p->said = now;
    write_line(p, now, what, line, sizeof line);
    if (p->live) {
        const struct progress_bar bar = progress_bar(p->done, p->count);
        cut(line, columns() - 1 - (int)sizeof bar.text);
        fprintf(stderr, "\r%s %s\033[K", bar.text, line);
    } else
        fprintf(stderr, "study: %s\n", line);
    fflush(stderr);
}

void progress_advance(struct progress *p, double less_s)
{
    p->done++;
    p->left_s = p->left_s > less_s ? p->left_s - less_s : 0;
}

void progress_extend(struct progress *p, size_t items)
{
    const double each_s = p->done > 0 ? (clock_now() - p->began) / (double)p->done : 0.0;
    p->count = p->done + items;
    p->left_s = each_s * (double)items;
}

void progress_end(const struct progress *p)
{
    if (p->live)
        fputs("\r\033[K", stderr);
}
