/* Misspelt places of a command: those that look like ours are found, and braces of other languages
 * are left alone. */
#include "experiments/program/launch/own_places.h"
#include "tests/support/unit_test.h"

#include <string.h>

enum { WORDS = 4 };

struct row {
    char *words[WORDS];
    const char *typed, *meant; /* NULL: nothing is misspelt */
};

static struct own_command command_of(const struct row *r)
{
    struct own_command c = {.words = r->words};
    while (c.count < WORDS && r->words[c.count])
        c.count++;
    return c;
}

static void check(const struct row *r)
{
    const struct own_command c = command_of(r);
    struct own_place found = {.meant = NULL};
    const bool has = own_place_misspelt(&c, &found);
    if (has != (r->meant != NULL))
        fail_msg("%s: %s", r->words[c.count - 1], has ? found.meant : "nothing");
    if (!has)
        return;
    assert_string_equal(found.typed, r->typed);
    assert_string_equal(found.meant, r->meant);
}

TEST(places_that_look_like_ours)
{
    static const struct row rows[] = {
        {{"./x", "{thread}"}, "thread", "threads"},
        {{"./x", "{Threads}"}, "Threads", "threads"},
        {{"./x", "-t{THREADS}"}, "THREADS", "threads"},
        {{"./x", "{n_threads}"}, "n_threads", "threads"},
        {{"./x", "{nthreads}"}, "nthreads", "threads"},
        {{"./x", "{num-threads}"}, "num-threads", "threads"},
        {{"./x", "{theads}"}, "theads", "threads"},
        {{"./x", "{rank}"}, "rank", "ranks"},
        {{"./x", "{np}"}, "np", "ranks"},
        {{"./x", "{nprocs}"}, "nprocs", "ranks"},
        {{"./x", "{worker}"}, "worker", "workers"},
        {{"./x", "{cores}"}, "cores", "workers"},
        {{"./x", "{sizes}"}, "sizes", "size"},
        {{"./x", "{SIZE}"}, "SIZE", "size"},
        {{"./x", "{threads} {ranks} {Rank}"}, "Rank", "ranks"},
        {{"./x", "-c", "{thread}"}, "thread", "threads"},
        {{"sh", "-c", "./x -t {thread} | tail -1"}, "thread", "threads"},
        {{"/bin/bash", "-c", "echo {1..3}; ./x {rank}"}, "rank", "ranks"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

TEST(braces_that_a_program_needs)
{
    static char *const rows[][WORDS] = {
        {"./x", "{threads}", "{ranks}", "{workers}{size}"},
        {"./x", "{a..b}"},
        {"./x", "{1..16}"},
        {"./x", "{}"},
        {"./x", "{a,b}"},
        {"awk", "{print}"},
        {"awk", "{ print $1 }"},
        {"awk", "{n++} END {print n}"},
        {"sed", "-n", "/x/{p}"},
        {"./x", "{\"threads\": 4, \"rank\": {\"n\": 1}}"},
        {"./x", "{method}", "{input}"},
        {"./x", "{side}", "{site}"},
        {"./x", "a{3}"},
        {"./x", "{name}.{ext}"},
        {"./x", "{thread"},
        {"./x", "thread}"},
        {"./x", "{a_very_long_word_with_threads_in_it_that_no_place_is}"},
        {"sh", "-c", "t=3; echo ${thread}"},
        {"python3", "-c", "print(f'{rank}')"},
        {"perl", "-e", "$h{rank} = 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct row row = {.meant = NULL};
        memcpy(row.words, rows[i], sizeof row.words);
        check(&row);
    }
}

TEST(what_prepares_and_cleans_up_too)
{
    char program[] = "./x";
    char *const words[] = {program};
    struct own_place found;
    struct own_command c = {.words = words, .count = 1, .prepare = "make T={thread}"};
    assert_true(own_place_misspelt(&c, &found));
    c = (struct own_command){.words = words, .count = 1, .cleanup = "rm out{rank}"};
    assert_true(own_place_misspelt(&c, &found));
    c.cleanup = "rm out{ranks}";
    assert_false(own_place_misspelt(&c, &found));
}
