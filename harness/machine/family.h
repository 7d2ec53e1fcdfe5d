/* The other processes of this machine, as /proc shows them. Every path begins with `root`: "" for
 * the system's own files, or a folder with copies of them. */
#ifndef MAXPOOL_FAMILY_H
#define MAXPOOL_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

struct seen_process {
    int pid, parent;
    bool ours;        /* this process or a descendant of it */
    double seconds;   /* of processor time, in ticks of 10 ms */
    double waited_s;  /* the same of the children that it has waited for */
    char command[64]; /* name of its program, at most 15 characters */
};

/* Every process that can be seen, in the order of the folder; the caller frees them. NULL if there
 * are none, or memory runs out. */
struct seen_process *family_see(const char *root, size_t *count);

/* Processor time of the living descendants of this process and of those that they have waited for;
 * 0 if they cannot be seen. */
double family_seconds(const char *root);

#endif
