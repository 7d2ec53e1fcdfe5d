/* `study duet` of commands, of commits, and of a function of two shared objects. */
#ifndef MAXPOOL_OWN_DUET_H
#define MAXPOOL_OWN_DUET_H

#include "classroom/duet/benchmarks.h"
#include "experiments/common/arguments.h"

enum { OWN_DUET_ROWS = 20 };

struct own_duet {
    struct own_command options; /* checks, --seconds, --prepare, ...; no words */
    char *const *words[SIDES];  /* after -- and after ---; NULL: not given */
    const char *names[SIDES];   /* operands; NULL: not given */
    const char *repository, *build, *cache, *file, *function, *results, *language, *record;
    struct text_list values, timed; /* of --with, --seconds */
    int64_t format, rounds, seed;
    double budget_s, timeout_s, margin;
    bool commits, cpu, again;
};

struct own_duet own_duet_begin(void);

/* Adds OWN_DUET_ROWS rows. */
size_t own_duet_options(struct own_duet *d, struct option_row *to, size_t count);

/* Takes what follows the first "--" from the arguments: one command, or two with "---" between
 * them. Returns the number of arguments before it. */
int own_duet_take(struct own_duet *d, int argc, char **argv);

/* Whether the arguments ask for this kind of duet, and not for one of builds of libmaxpool; names
 * the operands. */
bool own_duet_is_meant(struct own_duet *d, char **operands, int count);

enum status own_duet_run(struct own_duet *d, int operands, struct failure *f);

#endif
