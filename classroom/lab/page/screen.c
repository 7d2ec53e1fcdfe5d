/* Prints the report on one screen: correctness, speed, share of the machine's limit, what to try
 * next. */
#include "classroom/lab/page/lab_lines.h"

#include "harness/point/show/show_text.h"

#include <stdio.h>

enum { LABEL = 15, BELOW = 25 };

static void print_line(const struct lab_line *l)
{
    fputs(l->below ? "    " : "  ", stdout);
    screen_left(stdout, l->label, l->below ? BELOW : LABEL);
    puts(l->text);
}

void lab_print(const struct lab_report *r, const struct language *l)
{
    struct lab_lines t;
    lab_lines_make(&t, r, l);
    puts(t.subject);
    for (size_t i = 0; i < t.count; i++)
        print_line(&t.lines[i]);
    if (r->verdict != LAB_CORRECT && r->checks.explained)
        printf("\n%s", r->checks.explained);
}
