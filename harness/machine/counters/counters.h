/* Instructions and cycles of a program and of all that it starts, from the processor's counters
 * (perf_event_open(2)), in user mode alone: that is what systems allow most often. */
#ifndef MAXPOOL_COUNTERS_H
#define MAXPOOL_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

enum { COUNTERS = 2 }; /* instructions, cycles */

struct counters {
    int files[COUNTERS]; /* -1: none */
    int error;           /* of the system; 0: they are read */
};

/* What a counter has counted, and for how much of its time: it may share the hardware. */
struct counted {
    uint64_t value, enabled_ns, running_ns;
};
struct counter_reading {
    struct counted of[COUNTERS];
};

/* Begins to count in this process: the calling thread, and the threads and processes that it starts
 * from now on. */
void counters_open(struct counters *c);

/* The same with other counters of the system, by type and number in <linux/perf_event.h>. */
void counters_open_as(struct counters *c, uint32_t type, const uint64_t what[COUNTERS]);

/* What was counted so far, of threads that still run too; zeros if nothing is counted. */
void counters_read(const struct counters *c, struct counter_reading *now);

/* What was counted between two readings, scaled to all of the time where a counter ran for a part
 * of it. Each is NaN if it was not counted. */
void counters_between(const struct counter_reading *before, const struct counter_reading *after,
                      double *instructions, double *cycles);

void counters_close(struct counters *c);

/* Whether they are read: the words of the record's column `counters`. */
enum counters_state { COUNTERS_READ, COUNTERS_UNSUPPORTED, COUNTERS_FORBIDDEN, COUNTERS_STATES };
extern const char *const counters_words[COUNTERS_STATES];
enum counters_state counters_state(const struct counters *c);

#endif
