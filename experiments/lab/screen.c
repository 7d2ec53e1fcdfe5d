/* One screen: is it correct, how fast is it, how close to the machine's limit, what next. */
#include "experiments/lab/lab.h"

#include "harness/point/show/show_text.h"

#include <stdio.h>
#include <string.h>

static const char *times(const struct summary *ratio, char *text, size_t size)
{
    if (ratio->lower <= 1.0 && ratio->upper >= 1.0)
        snprintf(text, size, "no difference seen (%.3g to %.3g times as fast)", ratio->lower,
                 ratio->upper);
    else
        snprintf(text, size, "%.3g times as fast [%.3g, %.3g]", ratio->median, ratio->lower,
                 ratio->upper);
    return text;
}

static void print_time(const struct summary *time)
{
    char median[32], lower[32], upper[32];
    printf("%s [%s, %s]", text_seconds(time->median, median, sizeof median),
           text_seconds(time->lower, lower, sizeof lower),
           text_seconds(time->upper, upper, sizeof upper));
}

static void print_subject(const struct lab_report *r)
{
    struct operation op;
    char sizes[256] = "";
    if (r->raced) {
        op = r->race.input.operation;
        lab_size_text(&op, sizes, sizeof sizes);
    }
    printf("%s: %s%s%s, %s\n", r->file, r->kind->name, sizes[0] ? ", " : "", sizes,
           text_counted(r->threads, "thread", "threads"));
    if (r->build.command[0])
        printf("  compiled by    %s\n", r->build.command);
}

static void print_checks(const struct lab_report *r)
{
    printf("  checked on     %s, every output; ",
           text_counted((int64_t)r->checks.shapes, "edge shape", "edge shapes"));
    if (r->build.checked[0])
        puts("with address and undefined-behaviour sanitizers");
    else
        printf("without sanitizers: %s\n", r->build.unchecked);
    if (!r->checks.sandboxed)
        puts("  note           this system filters no calls: the kernel could start processes");
}

static void print_failure(const struct lab_report *r)
{
    printf("  verdict        NOT CORRECT (%s): %s\n", lab_verdict_word(r->verdict),
           r->trial->cause);
    if (r->checks.shape[0])
        printf("  shape          %s\n", r->checks.shape);
    if (r->trial->place[0])
        printf("  source line    %s\n", r->trial->place);
    if (r->checks.explained)
        printf("\n%s", r->checks.explained);
}

/* A method of ours: what it is here, its time, and how the kernel compares. */
static void print_method(const struct lab_race *race, size_t i)
{
    const struct lab_runner *r = &race->runners[i];
    char name[LAB_NAME + 32], text[128];
    snprintf(name, sizeof name, "%s%s", r->name,
             i == race->best   ? " (best)"
             : i == race->next ? " (next step)"
                               : "");
    printf("    %-24s ", name);
    print_time(&r->time);
    printf("; yours: %s\n", times(&r->ratio, text, sizeof text));
}

static void print_limit(const struct lab_report *r)
{
    char limit[32];
    const double seconds = r->limit.roof.seconds;
    if (!(seconds > 0.0))
        return;
    printf("  machine limit  %s: yours reaches %.3g %%%s\n",
           text_seconds(seconds, limit, sizeof limit),
           100.0 * seconds / r->race.runners[0].time.median,
           r->limit.measured_now ? " (measured just now; 'study roofline' measures it closely)"
                                 : "");
}

/* The last loops of the file where there are many. */
static void print_loops(const struct lab_loops *loops)
{
    enum { SHOWN = 8 };
    const size_t first = loops->count > SHOWN ? loops->count - SHOWN : 0;
    if (loops->count > 0)
        puts("  the compiler   by source line of loops");
    for (size_t i = first; i < loops->count; i++) {
        const struct lab_loop *l = &loops->items[i];
        if (l->bytes > 0)
            printf("    line %-4d      vectorized: %d elements at a time\n", l->line,
                   l->bytes / (int)sizeof(float));
        else
            printf("    line %-4d      not vectorized: %s\n", l->line, l->why);
    }
}

static void print_next(const struct lab_report *r)
{
    const struct lab_race *race = &r->race;
    const struct lab_runner *next = &race->runners[race->next];
    if (race->count < 2)
        return;
    if (race->next == 0)
        printf("  what next      none of the methods compared is faster; %s\n", r->kind->page);
    else
        printf("  what next      %s: %s\n                 %s\n", next->name,
               next->idea ? next->idea : "another library's method", r->kind->page);
}

static void print_race(const struct lab_report *r)
{
    char echo[32];
    const struct lab_race *race = &r->race;
    const struct summary *time = &race->runners[0].time;
    const double share = 100.0 * race->echo_s / time->median;
    printf("  verdict        CORRECT, in each of %zu samples too\n  time           ", race->rounds);
    print_time(time);
    printf(", median and 95 %% interval\n  handing over   %s, %.*f %% of it%s\n",
           text_seconds(race->echo_s, echo, sizeof echo), share < 10.0 ? 1 : 0, share,
           race->echo_s > 0.01 * time->median ? ": a larger --size measures the kernel alone" : "");
    print_limit(r);
    puts("  compared with  (each sample on a fresh image, interleaved)");
    for (size_t i = 1; i < race->count; i++)
        print_method(race, i);
    print_loops(&r->build.loops);
    print_next(r);
}

/* "8 of 10 points", or the points that it has at the least and perhaps. */
static void print_grade(const struct lab_report *r)
{
    const struct lab_grade *g = &r->grade;
    if (g->decided)
        printf("  grade          %g of %g points", g->points, g->most);
    else
        printf("  grade          UNDECIDED: %g or %g of %g points", g->points, g->perhaps, g->most);
    if (r->verdict == LAB_CORRECT)
        printf("; it takes %.3g [%.3g, %.3g] times as long as %s", g->ratio, g->lower, g->upper,
               r->rubric->method);
    putchar('\n');
}

void lab_print(const struct lab_report *r)
{
    print_subject(r);
    print_checks(r);
    if (r->verdict != LAB_CORRECT)
        print_failure(r);
    else if (r->raced)
        print_race(r);
    else
        puts("  verdict        CORRECT");
    if (r->rubric)
        print_grade(r);
}
