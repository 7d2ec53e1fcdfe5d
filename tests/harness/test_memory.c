/* Memory blocks: their alignment, and the pages that are reported for them. */
#include "harness/machine/guard.h"
#include "harness/machine/memory.h"
#include "harness/machine/memory_pool.h"
#include "tests/support/unit_test.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void *allocate(size_t bytes)
{
    void *block;
    struct failure f = {0};
    assert_int_equal(memory_allocate(&block, bytes, "a test", &f), STATUS_OK);
    return block;
}

/* The alignment is the same for either choice of pages: blocks that differ in nothing but their
 * pages are comparable. */
TEST(large_blocks_begin_at_huge_pages)
{
    static const struct {
        size_t bytes, alignment;
    } rows[] = {{0, 64},
                {1, 64},
                {100000, 64},
                {MEMORY_LARGE - 1, 64},
                {MEMORY_LARGE, MEMORY_HUGE_PAGE},
                {MEMORY_LARGE + 12345, MEMORY_HUGE_PAGE},
                {(size_t)64 << 20, MEMORY_HUGE_PAGE}};
    for (enum pages pages = PAGES_HUGE; pages <= PAGES_ORDINARY; pages++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            memory_choose_pages(pages);
            char *block = allocate(rows[i].bytes);
            assert_int_equal((uintptr_t)block % rows[i].alignment, 0);
            if (rows[i].bytes > 0) {
                memset(block, 7, rows[i].bytes);
                assert_int_equal(block[rows[i].bytes - 1], 7);
            }
            free(block);
        }
    memory_choose_pages(PAGES_HUGE);
}

/* A block that is advised to be on huge pages has its last one whole. */
TEST(large_blocks_fill_their_last_huge_page)
{
#ifdef __GLIBC__
    void *block = allocate(MEMORY_LARGE + 12345);
    assert_true(malloc_usable_size(block) >= MEMORY_LARGE + MEMORY_HUGE_PAGE);
    free(block);
#endif
}

static char *take(struct memory_pool *pool, size_t bytes)
{
    void *block;
    struct failure f = {0};
    assert_int_equal(memory_pool_take(pool, &block, bytes, "a test", &f), STATUS_OK);
    assert_int_equal((uintptr_t)block % 64, 0);
    memset(block, (int)(bytes % 251), bytes);
    return block;
}

TEST(blocks_of_a_pool_do_not_overlap)
{
    static const size_t sizes[] = {0,          1,     63,       64,           65,
                                   40000,      30000, 64 << 10, 9 << 20,      100000,
                                   1000 << 10, 4096,  700000,   (5 << 20) + 1};
    enum { BLOCKS = sizeof sizes / sizeof sizes[0] };
    struct memory_pool pool = {.chunk = 1 << 20};
    char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = take(&pool, sizes[i]);
    for (int i = 0; i < BLOCKS; i++)
        for (size_t at = 0; at < sizes[i]; at++)
            assert_int_equal((unsigned char)blocks[i][at], sizes[i] % 251);
    memory_pool_release(&pool);
    assert_null(pool.newest);
    take(&pool, 1);
    memory_pool_release(&pool);
}

/* Blocks follow each other in an allocation that huge pages can back. */
TEST(blocks_of_a_pool_share_huge_pages)
{
    struct memory_pool pool = {.chunk = 2 * MEMORY_LARGE};
    char *first = take(&pool, 1000), *second = take(&pool, 1 << 20), *third = take(&pool, 1);
    assert_in_range((uintptr_t)first % MEMORY_HUGE_PAGE, 0, 4095);
    assert_ptr_equal(second, first + 1024);
    assert_ptr_equal(third, second + (1 << 20));
    memory_pool_release(&pool);
}

/* A pool whose chunk no memory can hold has blocks all the same. */
TEST(a_chunk_too_large_is_as_large_as_its_block)
{
    struct memory_pool pool = {.chunk = SIZE_MAX / 2};
    char *first = take(&pool, 1000), *second = take(&pool, 1000);
    assert_ptr_not_equal(second, first + 1024);
    memory_pool_release(&pool);
}

TEST(a_pool_reports_what_it_cannot_allocate)
{
    struct memory_pool pool = {0};
    struct failure f = {0};
    void *block = &pool;
    assert_int_equal(memory_pool_take(&pool, &block, SIZE_MAX / 2, "the weights", &f),
                     STATUS_RESOURCE);
    assert_null(block);
    assert_non_null(strstr(f.message, "the weights"));
    memory_pool_release(&pool);
}

TEST(parts_begin_at_pages_of_their_size)
{
    assert_int_equal(memory_page(1), 4096);
    assert_int_equal(memory_page(MEMORY_LARGE - 1), 4096);
    assert_int_equal(memory_page(MEMORY_LARGE), MEMORY_HUGE_PAGE);
}

/* True if the system provides no huge pages at all. */
static bool has_no_huge_pages(void)
{
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    char line[128] = "[never]";
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    return strstr(line, "[never]") != NULL;
}

/* Returns the reported word for a block on the chosen pages, after the whole block was written. */
static const char *word_of(enum pages pages, size_t bytes)
{
    memory_choose_pages(pages);
    void *block = allocate(bytes);
    memset(block, 1, bytes);
    const char *word = memory_pages(block, bytes);
    free(block);
    memory_choose_pages(PAGES_HUGE);
    return word;
}

/* Huge pages may exist and be exhausted, so that a request guarantees nothing. */
TEST(the_pages_that_came_are_reported)
{
    const size_t bytes = (size_t)64 << 20;
    assert_string_equal(word_of(PAGES_ORDINARY, bytes), "ordinary");
    const char *word = word_of(PAGES_HUGE, bytes);
    print_message("asked for huge pages: %s\n", word);
    if (has_no_huge_pages() && strcmp(word, "advised") != 0)
        assert_string_equal(word, "ordinary");
    assert_true(strcmp(word, "huge") == 0 || strcmp(word, "ordinary") == 0 ||
                strcmp(word, "advised") == 0);
}

/* ---- what the system is advised and reports, as far as this test lets it --------------------- */

void *__real_fopen(const char *path, const char *mode);
void *__wrap_fopen(const char *path, const char *mode);
int __real_madvise(void *block, size_t bytes, int advice);
int __wrap_madvise(void *block, size_t bytes, int advice);

static bool no_smaps;
static struct {
    void *block;
    size_t bytes;
} advised;

void *__wrap_fopen(const char *path, const char *mode)
{
    return no_smaps && strcmp(path, "/proc/self/smaps") == 0 ? NULL : __real_fopen(path, mode);
}

int __wrap_madvise(void *block, size_t bytes, int advice)
{
    advised.block = block;
    advised.bytes = bytes;
    return __real_madvise(block, bytes, advice);
}

/* A guard that began a huge page would make 2 MiB resident for 4 KiB. */
TEST(no_huge_page_is_for_a_guard)
{
#ifdef MADV_HUGEPAGE
    enum { PAGE = MEMORY_HUGE_PAGE };
    static const struct {
        size_t bytes, advised;
    } rows[] = {{512 << 10, PAGE},
                {PAGE - 4, PAGE},
                {PAGE, PAGE},
                {MEMORY_LARGE, MEMORY_LARGE},
                {MEMORY_LARGE + 12345, MEMORY_LARGE + PAGE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int cold = rows[i].bytes < MEMORY_LARGE; cold < 2; cold++) {
            struct guarded g;
            struct failure f = {0};
            assert_int_equal(
                (cold ? guarded_allocate_cold : guarded_allocate)(&g, rows[i].bytes, "a test", &f),
                STATUS_OK);
            assert_ptr_equal(advised.block, g.block);
            assert_int_equal(advised.bytes, rows[i].advised);
            guarded_plant(&g); /* what is behind the block can be written */
            guarded_release(&g);
        }
#else
    skip();
#endif
}

/* Where the system does not report pages, the record has what was asked for: huge ones also for
 * blocks that are large because they are cold. */
TEST(the_pages_that_were_asked_for_are_reported)
{
#ifdef MADV_HUGEPAGE
    static const struct {
        size_t bytes;
        enum pages pages;
        const char *word;
    } rows[] = {{100000, PAGES_HUGE, "ordinary"},
                {512 << 10, PAGES_HUGE, "advised"},
                {512 << 10, PAGES_ORDINARY, "ordinary"},
                {MEMORY_LARGE, PAGES_HUGE, "advised"},
                {MEMORY_LARGE, PAGES_ORDINARY, "ordinary"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct guarded g;
        struct failure f = {0};
        memory_choose_pages(rows[i].pages);
        assert_int_equal(guarded_allocate_cold(&g, rows[i].bytes, "a test", &f), STATUS_OK);
        no_smaps = true;
        const char *word = memory_pages(g.block, rows[i].bytes);
        no_smaps = false;
        memory_choose_pages(PAGES_HUGE);
        assert_string_equal(word, rows[i].word);
        guarded_release(&g);
    }
#else
    skip();
#endif
}

TEST(words_are_those_of_the_option)
{
    assert_string_equal(pages_option(PAGES_HUGE), "huge");
    assert_string_equal(pages_option(PAGES_ORDINARY), "ordinary");
}

/* If the address space has room for the block but not for its alignment, the block gets a smaller
 * alignment. Sanitizers use shadow memory, which does not fit below such a limit. */
TEST(tight_address_spaces_have_room)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip();
#endif
    const size_t bytes = (size_t)256 << 20;
    struct rlimit before;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1 || getrlimit(RLIMIT_AS, &before) != 0)
        skip();
    fclose(file);
    struct rlimit tight = before;
    tight.rlim_cur = (rlim_t)pages * 4096 + bytes + (1 << 20);
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    void *block = NULL;
    struct failure f = {0};
    const enum status status = memory_allocate(&block, bytes, "a test", &f);
    setrlimit(RLIMIT_AS, &before);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal((uintptr_t)block % 64, 0);
    free(block);
}
