/* What the tests of the analysis share: a folder of made-up results of its own for each test
 * program, commands, and an experiment of it opened. */
#ifndef MAXPOOL_TEST_MADE_RESULTS_H
#define MAXPOOL_TEST_MADE_RESULTS_H

#include "experiments/analysis/inventory.h"
#include "experiments/plan/plan.h"
#include "experiments/report/claims/claims.h"

/* The folder, from make_results_by to remove_folder. */
extern char folder[];

/* Makes the folder and has a program of this build, make_results or make_gpu_results, fill it. 0,
 * or what cmocka's group setup takes for a failure. */
int make_results_by(const char *program);
int remove_folder(void **state);

/* Exit status of a shell command; -1 where none could be started. */
int run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Skips the test where a program is not in PATH, and says so. */
void need_program(const char *program);

/* What main returns: that of the tests, or where all that ran passed and one was skipped for want
 * of a program, the status that ctest reports as skipped. */
int tests_end(int failed);

/* The experiment of that name in the folder. */
void open_one(struct inventory *in, struct experiment *e, char *name);
void close_one(struct inventory *in, struct experiment *e);

/* What is claimed of the experiment of that name, and that it says so: the text is in its answer.
 */
struct claim claim_of(char *name, const char *chart, const struct language *l);
void claim_says(const struct claim *c, const char *text);

/* The plan of a definition's text, at quick scale, for two cores and the programs of this build. */
struct plan plan_of_text(const char *text);

/* The folder has a report, and `study plot` draws charts/NAME.svg; each has its text in it. */
struct chart_text {
    const char *chart, *text;
};
void charts_say(const struct chart_text *charts, size_t count);

/* Whether the folder has a file of that name. */
bool is_there(const char *name);

/* Text of a whole file of the folder; the caller frees it. */
char *read_file(const char *name);

#endif
