/* Commands as a user types them, in tests that call our C too (others: commands.py), in the test's
 * own folder: what they print, what they refuse and what they leave. A test that includes this
 * makes and removes the folder by the group fixture command_setup and command_teardown. */
#ifndef MAXPOOL_TEST_COMMAND_H
#define MAXPOOL_TEST_COMMAND_H

#include "tests/support/run_program.h"

int command_setup(void **state);
int command_teardown(void **state);

/* Returns the folder's path, absolute and without a final slash. */
const char *command_folder(void);

/* Returns the path of `root` in the folder, where tests plant files of /proc and /sys. */
const char *command_root(void);

/* Runs a command line in the folder of the programs, as run_program() does. Its variables: DIR is
 * the test's folder, MPIRUN is the launcher with its options, and WHEN is when.sh, which sends a
 * command a signal once a file has a number of bytes. */
__attribute__((format(printf, 1, 2))) struct outcome command_run(const char *format, ...);

/* The same with `input` on its standard input. */
struct outcome command_fed(const char *input, const char *command);

/* Runs a command that must end with status 0. */
__attribute__((format(printf, 1, 2))) struct outcome command_done(const char *format, ...);

/* command_prints runs a command that must end with status 0 and print the words on standard output;
 * command_fails one that must end with the status and print the words on standard error. */
__attribute__((format(printf, 2, 3))) void command_prints(const char *words, const char *format,
                                                          ...);
__attribute__((format(printf, 3, 4))) void command_fails(int status, const char *words,
                                                         const char *format, ...);

void expect_in(const char *text, const char *words);

#endif
