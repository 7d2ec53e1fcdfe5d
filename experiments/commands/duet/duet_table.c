#include "experiments/commands/duet/duet_table.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/paired_comparison.h"
#include "experiments/common/text/wrap.h"
#include "harness/base/json_number.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

enum { COLUMNS = 7, CELL = 160, SENTENCE = 700 };

static const char *const pair_names[PAIR_VERDICTS] = {N_("FASTER"),    N_("SLOWER"),
                                                      N_("SAME"),      N_("no difference shown"),
                                                      N_("UNDECIDED"), N_("SUSPECT")};

/* True if others disturbed more than a quarter of a benchmark's launches. */
static bool is_disturbed(const struct launches *l, size_t benchmark)
{
    return 4 * l->disturbed[benchmark] > l->known[benchmark];
}

static bool randomizes_addresses(void)
{
    int mode = 2;
    FILE *file = fopen("/proc/sys/kernel/randomize_va_space", "r");
    if (file && fscanf(file, "%d", &mode) != 1)
        mode = 2;
    if (file)
        fclose(file);
    const int persona = personality(0xffffffff);
    return mode > 0 && !(persona > 0 && (persona & ADDR_NO_RANDOMIZE));
}

/* ---- cells ----------------------------------------------------------------------------------- */

struct row {
    char cells[COLUMNS][CELL];
};

static void put_ratio(char cell[CELL], const struct comparison *c, const struct language *l)
{
    if (isfinite(c->upper) && c->lower > 0.0)
        snprintf(cell, CELL, "%s",
                 number_compared(l, c->ratio, (struct interval){c->lower, c->upper}).text);
    else
        snprintf(cell, CELL, "%s", isnan(c->ratio) ? "-" : number_in(l, "%.3f", c->ratio).text);
}

static struct row header_of(const struct language *l)
{
    const char *const heads[COLUMNS] = {message(l, "benchmark"),
                                        "A",
                                        "B",
                                        message(l, "B / A, 95 %"),
                                        message(l, "would be found"),
                                        message(l, "A / A, 95 %"),
                                        message(l, "verdict")};
    struct row row;
    for (int i = 0; i < COLUMNS; i++)
        snprintf(row.cells[i], CELL, "%s", heads[i]);
    return row;
}

static struct row row_of(const struct duet_answer *a, size_t i, const struct language *l)
{
    const struct pair_result *r = &a->results[i];
    struct row row = {.cells = {""}};
    snprintf(row.cells[0], CELL, "%s", a->benchmarks->all[i].name);
    snprintf(row.cells[1], CELL, "%s", number_seconds(l, r->seconds[PAIR_A]).text);
    snprintf(row.cells[2], CELL, "%s", number_seconds(l, r->seconds[PAIR_B]).text);
    put_ratio(row.cells[3], &r->b, l);
    snprintf(row.cells[4], CELL, "%s",
             isfinite(r->detectable) ? number_in(l, "+%.1f %%", 100.0 * (r->detectable - 1.0)).text
                                     : "-");
    put_ratio(row.cells[5], &r->again, l);
    snprintf(row.cells[6], CELL, "%s%s", message(l, pair_names[r->verdict]),
             is_disturbed(a->launches, i) && r->verdict != PAIR_SUSPECT ? message(l, ", SUSPECT")
                                                                        : "");
    return row;
}

static void print_aligned(const struct row *rows, size_t count)
{
    int widths[COLUMNS] = {0};
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < COLUMNS; j++)
            if (screen_columns(rows[i].cells[j]) > widths[j])
                widths[j] = screen_columns(rows[i].cells[j]);
    for (size_t i = 0; i < count; i++) {
        for (int j = 0; j < COLUMNS - 1; j++)
            screen_left(stdout, rows[i].cells[j], widths[j] + 2);
        puts(rows[i].cells[COLUMNS - 1]);
    }
}

static void print_markdown_row(const struct row *row)
{
    for (int i = 0; i < COLUMNS; i++) {
        fputs("| ", stdout);
        for (const char *at = row->cells[i]; *at; at++)
            fputs(*at == '|' ? "\\|" : (char[]){*at, '\0'}, stdout);
        putchar(' ');
    }
    puts("|");
}

/* ---- sentences ------------------------------------------------------------------------------- */

static void print_sentence(const char *text, bool markdown)
{
    if (markdown)
        printf("\n%s\n", text);
    else
        wrap_print("", "", text, "");
}

static size_t most_rounds(const struct duet_answer *a)
{
    size_t most = 0;
    for (size_t i = 0; i < a->benchmarks->count; i++)
        most = a->results[i].rounds > most ? a->results[i].rounds : most;
    return most;
}

static void say_how(const struct duet_answer *a, const struct language *l, bool markdown)
{
    char text[SENTENCE];
    message_format(
        text, sizeof text, l,
        "%{rounds} rounds launched A, B, and A once more (the A/A arm), each in a random "
        "order and with an environment of another size.",
        WITH({"rounds", number_of(most_rounds(a)).text}));
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, " %s",
             randomizes_addresses()
                 ? message(l, "The system draws the addresses (ASLR); the order in which the "
                              "programs are linked stays.")
                 : message(l, "The system draws no addresses here (ASLR is off), so that one "
                              "layout of each program was measured."));
    print_sentence(text, markdown);
    message_format(text, sizeof text, l,
                   "A change counts beyond %{margin}. Of benchmarks that do not differ, none is "
                   "called faster or slower in at least 95 of 100 runs (sign test, Holm).",
                   WITH({"margin", number_percent(l, a->margin).text}));
    print_sentence(text, markdown);
}

static void say_rounds(const struct duet_answer *a, const struct language *l, bool markdown)
{
    const size_t needed = paired_layouts_needed(a->benchmarks->count);
    char text[SENTENCE];
    if (most_rounds(a) >= needed)
        return;
    message_format(text, sizeof text, l, "At least %{needed} rounds are needed for a verdict.",
                   WITH({"needed", number_of(needed).text}));
    print_sentence(text, markdown);
}

static void say_load(const struct duet_answer *a, const struct language *l, bool markdown)
{
    size_t known = 0, disturbed = 0;
    char text[SENTENCE];
    for (size_t i = 0; i < a->benchmarks->count; i++) {
        known += a->launches->known[i];
        disturbed += a->launches->disturbed[i];
    }
    if (disturbed == 0)
        return;
    message_format(
        text, sizeof text, l,
        "SUSPECT: other programs disturbed %{count} of %{known} launches whose load is known: they "
        "kept up to %{cores} hardware threads busy. They slow A and B alike, so they turn no "
        "verdict, but small changes are not found.",
        WITH({"count", number_of(disturbed).text}, {"known", number_of(known).text},
             {"cores", number_in(l, "%.2f", a->launches->most_cores).text}));
    print_sentence(text, markdown);
}

static void say_all(const struct duet_answer *a, const struct language *l, bool markdown)
{
    bool differs = false;
    for (size_t i = 0; i < a->benchmarks->count; i++)
        differs = differs || a->results[i].verdict == PAIR_SUSPECT;
    say_how(a, l, markdown);
    if (a->cpu)
        print_sentence(message(l, "The times are processor times of the processes and their "
                                  "children."),
                       markdown);
    say_rounds(a, l, markdown);
    if (differs)
        print_sentence(message(l, "SUSPECT: two launches of the same A differ by more than the "
                                  "margin, so that nothing is said of B."),
                       markdown);
    if (!a->checked)
        print_sentence(message(l, "Nobody checked the results: --check or --same-output does."),
                       markdown);
    say_load(a, l, markdown);
}

/* ---- the formats ----------------------------------------------------------------------------- */

static void print_sides(const struct duet_answer *a, bool markdown)
{
    for (int i = 0; i < SIDES; i++)
        printf(markdown ? "%s%c: `%s`%s%.12s\n" : "%s%c  %s%s%.12s\n", markdown ? "- " : "",
               "AB"[i], a -> sides[i].name, a->sides[i].commit[0] ? " " : "", a->sides[i].commit);
    putchar('\n');
}

static struct row *rows_of(const struct duet_answer *a, const struct language *l)
{
    struct row *rows = calloc(a->benchmarks->count + 1, sizeof *rows);
    for (size_t i = 0; rows && i < a->benchmarks->count; i++)
        rows[i + 1] = row_of(a, i, l);
    if (rows)
        rows[0] = header_of(l);
    return rows;
}

void duet_print_text(const struct duet_answer *a, const struct language *l)
{
    struct row *rows = rows_of(a, l);
    print_sides(a, false);
    if (rows)
        print_aligned(rows, a->benchmarks->count + 1);
    putchar('\n');
    say_all(a, l, false);
    puts(a->path);
    free(rows);
}

void duet_print_markdown(const struct duet_answer *a, const struct language *l)
{
    struct row *rows = rows_of(a, l);
    print_sides(a, true);
    for (size_t i = 0; rows && i <= a->benchmarks->count; i++) {
        print_markdown_row(&rows[i]);
        if (i == 0)
            puts("|---|---:|---:|---|---:|---|---|");
    }
    say_all(a, l, true);
    free(rows);
}

static void add_ratio(cJSON *object, const char *name, const struct comparison *c)
{
    cJSON *ratio = cJSON_AddObjectToObject(object, name);
    json_add_number(ratio, "ratio", c->ratio);
    json_add_number(ratio, "lower", c->lower);
    json_add_number(ratio, "upper", c->upper);
    cJSON_AddStringToObject(ratio, "alone", comparison_names[c->verdict]);
}

static void add_benchmark(cJSON *list, const struct duet_answer *a, size_t i)
{
    const struct pair_result *r = &a->results[i];
    cJSON *one = cJSON_CreateObject();
    cJSON_AddItemToArray(list, one);
    cJSON_AddStringToObject(one, "name", a->benchmarks->all[i].name);
    cJSON_AddStringToObject(one, "verdict", pair_names[r->verdict]);
    cJSON_AddNumberToObject(one, "rounds", (double)r->rounds);
    json_add_number(one, "seconds_a", r->seconds[PAIR_A]);
    json_add_number(one, "seconds_b", r->seconds[PAIR_B]);
    add_ratio(one, "b_over_a", &r->b);
    add_ratio(one, "a_over_a", &r->again);
    json_add_number(one, "detectable_ratio", r->detectable);
    cJSON_AddNumberToObject(one, "launches_of_known_load", (double)a->launches->known[i]);
    cJSON_AddNumberToObject(one, "launches_disturbed", (double)a->launches->disturbed[i]);
    cJSON_AddBoolToObject(one, "suspect",
                          r->verdict == PAIR_SUSPECT || is_disturbed(a->launches, i));
}

enum status duet_print_json(const struct duet_answer *a, struct failure *f)
{
    cJSON *all = cJSON_CreateObject();
    for (int i = 0; i < SIDES; i++) {
        cJSON *side = cJSON_AddObjectToObject(all, i ? "b" : "a");
        cJSON_AddStringToObject(side, "name", a->sides[i].name);
        cJSON_AddStringToObject(side, "commit", a->sides[i].commit);
    }
    cJSON_AddNumberToObject(all, "margin", a->margin);
    cJSON_AddBoolToObject(all, "processor_time", a->cpu);
    cJSON_AddBoolToObject(all, "checked", a->checked);
    cJSON_AddBoolToObject(all, "random_addresses", randomizes_addresses());
    cJSON *list = cJSON_AddArrayToObject(all, "benchmarks");
    for (size_t i = 0; list && i < a->benchmarks->count; i++)
        add_benchmark(list, a, i);
    char *text = list ? cJSON_Print(all) : NULL;
    if (text)
        puts(text);
    else
        fail(f, STATUS_RESOURCE, "not enough memory for the JSON");
    cJSON_free(text);
    cJSON_Delete(all);
    return f->status;
}
