/* Host arrays that are copied to the device and back: pageable or pinned memory. */
#ifndef MAXPOOL_CUDA_HOST_MEMORY_H
#define MAXPOOL_CUDA_HOST_MEMORY_H

#include "harness/base/text/language.h"
#include "harness/machine/guard.h"
#include "harness/space/offload.h"

/* Statuses as of memory_allocate(); 3 if that much memory cannot be pinned. */
enum status host_allocate(enum host_memory memory, float **out, size_t bytes, const char *what,
                          struct failure *f);
void host_release(enum host_memory memory, float *array);

/* The same, with guards around the array (harness/machine/guard.h). */
enum status host_allocate_guarded(enum host_memory memory, struct guarded *g, size_t bytes,
                                  const char *what, struct failure *f);
void host_release_guarded(enum host_memory memory, struct guarded *g);

/* The kind of memory for readers. */
const char *host_memory_word(enum host_memory memory, const struct language *l);

#endif
