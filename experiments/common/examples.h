/* Three command lines of each command of study, for its --help and its manual page. */
#ifndef MAXPOOL_EXAMPLES_H
#define MAXPOOL_EXAMPLES_H

/* Lines without a newline, ended by NULL; NULL if the command has none. */
const char *const *command_examples(const char *command);

#endif
