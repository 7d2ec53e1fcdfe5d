/* Commands as a user types them, in a folder of the test's own: what they print, what they refuse
 * and what they leave. A test that includes this makes and removes the folder by the group fixture
 * command_setup and command_teardown. */
#ifndef MAXPOOL_TEST_COMMAND_H
#define MAXPOOL_TEST_COMMAND_H

#include "tests/support/run_program.h"

int command_setup(void **state);
int command_teardown(void **state);

/* The folder's path, absolute and without a slash behind it. */
const char *command_folder(void);

/* Runs a command line in the folder of the programs, as run_program() does, with DIR standing for
 * the test's folder, DATA and CASES for the project's images and known answers, MPIRUN for the
 * launcher with its options, EACH for $DIR/each, and WHEN for when.sh, which sends a command a
 * signal once a file has so many bytes. */
__attribute__((format(printf, 1, 2))) struct outcome command_run(const char *format, ...);

/* The same with something on its standard input. */
struct outcome command_fed(const char *input, const char *command);

/* A command that must end with status 0. */
__attribute__((format(printf, 1, 2))) struct outcome command_done(const char *format, ...);

void expect_in(const char *text, const char *words);

/* A command that must end with the status, and one line on standard error that has the words. */
void expect_refusal(const char *command, int status, const char *words);

/* The words' number in the text. */
int count_of(const char *text, const char *words);

/* What a printed table holds in the column of that name, in the last row of a method; no value has
 * a comma or a quote in it. */
enum { CELL_BYTES = 256 };
void command_cell(const char *csv, const char *method, const char *column, char cell[CELL_BYTES]);

/* Writes text as a file of the folder; reads one whole, and removes it. */
void write_file(const char *name, const char *text);
void read_file(const char *name, char *text, size_t size);

#endif
