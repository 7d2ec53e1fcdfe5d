/* Memory: checked before it is allocated and touched, and refused with status 4 before the machine
 * swaps. */
#ifndef MAXPOOL_MEMORY_H
#define MAXPOOL_MEMORY_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that this process can still take without swapping: the least of the kernel's MemAvailable,
 * what is left under every control group's limit, and what is left under RLIMIT_AS. SIZE_MAX if
 * nothing reports it. */
size_t memory_available(void);

/* Bytes as "1.5 GiB". */
struct memory_text {
    char text[32];
};
struct memory_text memory_text(double bytes);

/* Returns the pages that are wholly within the block to the system, if it can: their contents are
 * lost, and they may be written again. */
void memory_drop(void *block, size_t bytes);

/* Status 4 with a message if `bytes` exceed memory_available(); `what` names the purpose. */
enum status memory_check(size_t bytes, const char *what, struct failure *f);

/* The same for several processes that share this machine: compares `bytes` of this process with
 * what it may take, and `together` of all of them with what is free. */
enum status memory_check_shared(size_t bytes, size_t together, const char *what, struct failure *f);

/* Allocates at least 1 byte, aligned to 64, contents undefined and untouched, after a check of the
 * free memory. Blocks of MEMORY_LARGE and more begin at a huge page if the address space allows it,
 * and the system is advised which pages to back them by. Release with free(). */
enum status memory_allocate(void **out, size_t bytes, const char *what, struct failure *f);

/* The same for a block with `before` bytes in front of it, a multiple of its alignment, and `after`
 * behind it, in one allocation. The block begins at *base + before, with the alignment that it
 * would have alone, or at a huge page if `before` is one; no huge page is advised for the bytes in
 * front of it or for those behind its last one. Release *base with free(). */
enum status memory_allocate_between(void **base, size_t before, size_t bytes, size_t after,
                                    const char *what, struct failure *f);

/* The pages of large blocks, as in --pages: huge if the system has them (the default), or ordinary
 * whatever the system would choose. */
enum pages { PAGES_HUGE, PAGES_ORDINARY };

enum { MEMORY_HUGE_PAGE = 2 << 20, MEMORY_LARGE = 4 << 20 }; /* bytes */

/* Sets the pages of the blocks that are allocated from now on. */
void memory_choose_pages(enum pages pages);

/* The name of the choice in --pages. */
const char *pages_option(enum pages pages);

/* Alignment for parts of `bytes` each, so that a part shares no page with its neighbours: a huge
 * page if a part alone is a large block. */
size_t memory_page(size_t bytes);

/* The pages of a block that was touched: "huge" (at least half of the resident memory of its
 * mappings), "ordinary", or "advised": huge pages were requested, and the system does not report
 * the result. NULL on a simulated machine, where the mappings of all ranks are in one process. */
const char *memory_pages(const void *block, size_t bytes);

/* From now on this process's blocks of 64 KiB and more are address space alone
 * (harness/machine/simulation.h), and nothing is checked: for images that are neither made nor
 * read. */
void memory_fold(void);

/* Whether that was called. */
bool memory_folds(void);

/* a + b and a * b, or SIZE_MAX where they overflow. */
size_t memory_add(size_t a, size_t b);
size_t memory_multiply(size_t a, size_t b);

#endif
