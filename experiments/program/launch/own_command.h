/* The command of `study speedup -- COMMAND`, or of a definition: any program, with places that the
 * workers fill in: {workers}, {threads}, {ranks} and {size}; in a definition also the other axes of
 * its section, {method} and {input}. Anything else in braces stays as it is, but see own_places.h.
 */
#ifndef MAXPOOL_OWN_COMMAND_H
#define MAXPOOL_OWN_COMMAND_H

#include "harness/base/failure.h"
#include "harness/base/sha256.h"
#include "harness/machine/machine.h"
#include "harness/records/record.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct own_expressions {
    const char *const *items;
    size_t count;
};

/* The options that say what is launched, and which launches count. Texts that were not given are
 * NULL. */
struct own_command {
    char *const *words; /* count of them; [0] is searched in PATH if it contains no '/' */
    size_t count;
    const char *prepare;     /* shell command before each launch, not timed */
    const char *cleanup;     /* shell command after the last launch of each worker count,
                              * however it ended */
    const char *check;       /* POSIX extended expression that the output must contain */
    const char *expect_hash; /* SHA-256 of the standard output */
    /* Expression whose group is the time; none: wall time of the process. Several are phases, each
     * "NAME=EXPRESSION". */
    struct own_expressions seconds;
    bool same_output;  /* every launch must print the same */
    enum binding bind; /* of its workers, where the launch can ask for it (own_binding.h) */
    const char *where; /* before the names of these in messages: "FILE:LINE: "; NULL: "--" */
};

enum { OWN_PHASES = 8, OWN_PHASE_NAME = 32 };

/* Name and expression of a phase; the name is "" if there is one time alone. */
void own_phase_name(const struct own_command *c, size_t i, char name[OWN_PHASE_NAME]);
const char *own_phase_expression(const struct own_command *c, size_t i);

/* What the places hold; RECORD_NO_INT: not given. */
struct own_workers {
    int64_t ranks, threads, size;
    const struct record *point; /* whose columns are places too; NULL: none */
};

/* Takes the words after the first "--" of the arguments as the command, and ends the arguments
 * there. Returns the number of those before it: argc if there is no "--". */
int own_command_take(struct own_command *c, int argc, char **argv);

/* Ranks x threads. */
int64_t own_workers_count(const struct own_workers *w);

/* True if the command itself, or what prepares it, has the place, such as "{ranks}". */
bool own_command_has(const struct own_command *c, const char *place);

/* Returns the text with its places filled in; the caller frees it. NULL if memory is lacking. */
char *own_text_fill(const char *text, const struct own_workers *w);

/* The same for the words of the command: ends with NULL, freed by own_words_free (own_words.h). */
char **own_words_fill(const struct own_command *c, const struct own_workers *w);

/* The product of a text such as "24 * {size}", whose places are filled in; NaN for another text,
 * and if the product is not above 0. */
double own_text_product(const char *text, const struct own_workers *w);

/* Status 2 for a command without words, an invalid expression, one of --seconds without a group,
 * and a hash that is none. The message names the option. */
enum status own_command_check(const struct own_command *c, struct failure *f);

/* The same of the options alone, whatever the words. */
enum status own_command_check_options(const struct own_command *c, struct failure *f);

/* The file of the first word, as execvp() finds it; false if there is none. */
bool own_command_program(const struct own_command *c, char path[PATH_MAX]);

enum { OWN_TITLE = 41 }; /* bytes of a program's name, a part of labels, including the final 0 */

/* The program's name for readers: of the first word that is an executable file here, such as mine
 * in `mpirun -np 4 ./mine`, else of the first word. One that does not fit into `size` bytes ends in
 * a hash of the whole (text_distinct()). */
void own_command_name(const struct own_command *c, char *name, size_t size);

/* The identity of a command: hash of its words, of the options above and of its programs' files (of
 * a file over 64 MiB its size and time). Another build of a program is another program. */
void own_command_identity(const struct own_command *c, char hex[SHA256_HEX]);

/* Translates \d, \w and \s, also within brackets, to POSIX; the caller frees it. NULL if memory is
 * lacking. */
char *own_expression(const char *text);

#endif
