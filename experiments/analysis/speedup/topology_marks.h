/* Numbers of workers at which a machine's topology changes what one more worker gets: a mark on the
 * axis of workers. Workers take whole cores in hwloc's order (compact, as --bind core does): one
 * NUMA node or socket after the other. Spread, each goes to the next socket. A second hardware
 * thread of a core is no core. */
#ifndef MAXPOOL_TOPOLOGY_MARKS_H
#define MAXPOOL_TOPOLOGY_MARKS_H

#include <stddef.h>

enum topology_place {
    PLACE_NODE,     /* the cores of one NUMA node are taken */
    PLACE_SOCKET,   /* the cores of one socket are taken */
    PLACE_FAST,     /* all cores of the fastest kind are taken, which come first: P of P and E */
    PLACE_SLOW,     /* all others are taken, which come first: LITTLE of big.LITTLE */
    PLACE_CORES,    /* all cores are taken: what follows are second hardware threads */
    PLACE_THREADS,  /* all hardware threads are taken */
    PLACE_ONE_EACH, /* spread: every socket has a worker */
    TOPOLOGY_PLACES
};
extern const char *const topology_place_names[TOPOLOGY_PLACES];

struct topology_mark {
    enum topology_place place;
    double workers;
};

enum { TOPOLOGY_MARKS = 16 };

/* The marks of a machine. */
struct topology_marks {
    struct topology_mark marks[TOPOLOGY_MARKS];
    size_t count;
};

/* Reads a topology that hwloc wrote as XML (R/topology.xml); returns the number of marks, in
 * ascending order: 0 without such a file, without hwloc, or on a machine whose cores are alike. */
size_t topology_marks_of_file(struct topology_mark marks[TOPOLOGY_MARKS], const char *path);

/* The same of hwloc's synthetic description, such as "pack:2 core:4 pu:2"; the first `fast` cores
 * are of a faster kind, or the last -`fast` (0: all are alike). */
size_t topology_marks_of_text(struct topology_mark marks[TOPOLOGY_MARKS], const char *description,
                              int fast);

#endif
