/* Memory: asked for before it is touched, and refused with status 4 before the machine swaps. */
#ifndef MAXPOOL_MEMORY_H
#define MAXPOOL_MEMORY_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes this process can still take without swapping: the least of the kernel's MemAvailable, the
 * room under every control group's limit, and the room under RLIMIT_AS. SIZE_MAX where nothing
 * shows it. */
size_t memory_available(void);

/* Bytes as "1.5 GiB". */
void memory_text(char *buffer, size_t size, double bytes);

/* Gives the pages that lie wholly within the block back to the system, where it can: what they held
 * is lost, and they may be written again. */
void memory_drop(void *block, size_t bytes);

/* Status 4 with a message where `bytes` exceed memory_available(); `what` says what for. */
enum status memory_check(size_t bytes, const char *what, struct failure *f);

/* The same for several processes that share this machine: this one's part against what it may have,
 * and all of theirs together against what is free. */
enum status memory_check_shared(size_t bytes, size_t together, const char *what, struct failure *f);

/* Allocates at least 1 byte, aligned to 64, contents undefined and untouched; checks first. Blocks
 * of MEMORY_LARGE and more begin at a huge page, if the address space has room, and the system is
 * advised which pages to back them by. Release with free(). */
enum status memory_allocate(void **out, size_t bytes, const char *what, struct failure *f);

/* The same for a block with `before` bytes in front of it, a multiple of its alignment, and `after`
 * behind it, in one allocation: the block begins at *base + before, where it would begin alone, and
 * what surrounds it is never advised to lie on huge pages. Release *base with free(). */
enum status memory_allocate_between(void **base, size_t before, size_t bytes, size_t after,
                                    const char *what, struct failure *f);

/* The pages that large blocks are put on, the words of --pages: huge where the system has them
 * (what a program begins with), or ordinary whatever the system would do by itself. */
enum pages { PAGES_HUGE, PAGES_ORDINARY };

enum { MEMORY_HUGE_PAGE = 2 << 20, MEMORY_LARGE = 4 << 20 }; /* bytes */

/* From here on blocks are put on these pages. */
void memory_choose_pages(enum pages pages);

/* The word of --pages. */
const char *pages_option(enum pages pages);

/* Bytes that the parts of a block begin at multiples of, so that a part of `bytes` shares no page
 * with its neighbours: a huge page where a part is a large block's size by itself. */
size_t memory_page(size_t bytes);

/* What a block that was touched lies on: huge (half of what its mappings hold in memory at least),
 * ordinary, or advised: huge pages were asked for, and the system does not report what came of it.
 * NULL on a simulated machine, where all ranks' mappings are those of one process. */
const char *memory_pages(const void *block, size_t bytes);

/* From here on this process's blocks of 64 KiB and more are address space alone (harness/
 * simulation.h), and nothing is checked: for images that are neither made nor read. */
void memory_fold(void);

/* Whether that was called. */
bool memory_folds(void);

/* a + b and a * b, or SIZE_MAX where they overflow. */
size_t memory_add(size_t a, size_t b);
size_t memory_multiply(size_t a, size_t b);

#endif
