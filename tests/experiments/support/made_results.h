/* What the tests of the analysis share: for each test program its own folder of made-up results,
 * commands, and access to an experiment of the folder. */
#ifndef MAXPOOL_TEST_MADE_RESULTS_H
#define MAXPOOL_TEST_MADE_RESULTS_H

#include "experiments/analysis/inventory.h"
#include "experiments/plan/plan.h"
#include "experiments/report/claims/claims.h"

/* The folder; it exists from make_results_by to remove_folder. */
extern char folder[];

/* Makes the folder and fills it by a program that makes results up, such as make_results. Returns
 * 0, or a value that cmocka's group setup takes for a failure. */
int make_results_by(const char *program);
int make_results_folder(void **state); /* by make_results */
int remove_folder(void **state);

/* Returns the exit status of a shell command; -1 if it could not be started. */
int run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Skips the test, with a message, if the program is not in PATH. */
void need_program(const char *program);

/* Returns the value for main: the status of the tests, or, if all tests that ran passed and one was
 * skipped for lack of a program, the status that ctest reports as skipped. */
int tests_end(int failed);

/* Opens the experiment of that name in the folder; close_one frees it. */
struct experiment *open_one(const char *name);
void close_one(struct experiment *e);

/* True if the point is doubtful for the reason of that code. */
bool has_reason(const struct point *p, const char *code);

/* claim_of returns a claim about the experiment of that name, without its rows: they belong to the
 * experiment, which is closed. claim_says fails the test unless the claim's answer contains the
 * text; claim_lacks unless it has no answer, for that reason. */
struct claim claim_of(const char *name, const char *chart, const struct language *l);
void claim_says(const struct claim *c, const char *text);
void claim_lacks(const struct claim *c, const char *why);

/* Returns the plan of a definition's text at quick scale, for two cores and the programs of this
 * build. */
struct plan plan_of_text(const char *text);

/* Returns the text of a whole file of the folder; the caller frees it. */
char *read_file(const char *name);

#endif
