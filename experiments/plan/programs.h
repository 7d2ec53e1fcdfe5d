/* What the point programs can do here, asked of themselves once. */
#ifndef MAXPOOL_PROGRAMS_H
#define MAXPOOL_PROGRAMS_H

#include "harness/records/record.h"

enum { PROGRAMS_MAX = 64, METHODS_MAX = 64 };

/* A method that a program names. */
struct method_facts {
    char name[64];
    char missing[128]; /* why it cannot run there; "" where it can */
    bool peer;         /* another library's: no part of "all" */
};

/* What a program can do, asked of itself once. */
struct program_facts {
    char name[RECORD_TEXT];
    char missing[RECORD_TEXT]; /* why it cannot run; "" where it can */
    struct method_facts methods[METHODS_MAX];
    size_t method_count;
};

/* Programs asked so far. */
struct programs {
    const char *bin;
    struct program_facts facts[PROGRAMS_MAX];
    size_t count;
};

/* The facts of a program, asked where they are not known yet; they stay where they are. */
const struct program_facts *program_find(struct programs *programs, const char *name);

/* A method by its name, or NULL. */
const struct method_facts *program_method(const struct program_facts *facts, const char *name);

/* True for a method that "all" stands for: one of ours that runs here. */
bool method_is_among_all(const struct method_facts *m);

#endif
