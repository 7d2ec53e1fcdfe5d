/* What the point programs can do here, asked of themselves once. */
#ifndef MAXPOOL_PROGRAMS_H
#define MAXPOOL_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

/* A method that a program names. Texts are owned. */
struct method_facts {
    char *name;
    char *missing; /* why it cannot run there; NULL where it can */
    bool peer;     /* another library's: no part of "all" */
};

/* What a program can do, asked of itself once. Texts are owned. */
struct program_facts {
    char *name;
    char *missing; /* why it cannot run; NULL where it can */
    struct method_facts *methods;
    size_t method_count;
};

/* Programs asked so far; one stays where it is. */
struct programs {
    const char *bin;
    struct program_facts **facts;
    size_t count;
};

/* The facts of a program, asked where they are not known yet. NULL where memory is short. */
const struct program_facts *program_find(struct programs *programs, const char *name);

void programs_release(struct programs *programs);

/* A method by its name, or NULL. */
const struct method_facts *program_method(const struct program_facts *facts, const char *name);

/* True for a method that "all" stands for: one of ours that runs here. */
bool method_is_among_all(const struct method_facts *m);

#endif
