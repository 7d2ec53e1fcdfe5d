/* What the point programs can do here; each program is asked once. */
#ifndef MAXPOOL_PROGRAMS_H
#define MAXPOOL_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

/* A method that a program names. Texts are owned. */
struct method_facts {
    char *name;
    char *missing; /* why it cannot run here; NULL if it can */
    bool peer;     /* another library's method: not part of "all" */
};

/* What a program reports that it can do. Texts are owned. */
struct program_facts {
    char *name;
    char *missing; /* why it cannot run; NULL if it can */
    bool unasked;  /* a process or memory to ask it was lacking: `missing` says which */
    struct method_facts *methods;
    size_t method_count;
};

/* Programs asked so far; the address of each entry never changes. */
struct programs {
    const char *bin;
    struct program_facts **facts;
    size_t count;
};

/* Returns the facts of a program; asks it if they are unknown. NULL if memory is lacking. */
const struct program_facts *program_find(struct programs *programs, const char *name);

void programs_release(struct programs *programs);

/* Returns a method by its name, or NULL. */
const struct method_facts *program_method(const struct program_facts *facts, const char *name);

/* True for a method that "all" includes: one of ours that runs here. */
bool method_is_among_all(const struct method_facts *m);

#endif
