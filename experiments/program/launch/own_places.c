#include "experiments/program/launch/own_places.h"

#include "experiments/program/launch/own_words.h"
#include "harness/base/nearest_word.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What other launchers and programs call the numbers of workers. */
static const struct {
    const char *name, *meant;
} others[] = {
    {"np", "ranks"},        {"nproc", "ranks"},   {"nprocs", "ranks"},  {"procs", "ranks"},
    {"processes", "ranks"}, {"ntasks", "ranks"},  {"cores", "workers"}, {"ncores", "workers"},
    {"cpus", "workers"},    {"ncpus", "workers"},
};

/* The names of the places; those of a definition's axes are not worth a guess: many a program has
 * an {input}. */
static const char *const names[] = {"threads", "ranks", "workers", "size"};
enum { NAMES = sizeof names / sizeof *names, COUNTS = 3 /* names of workers, which come first */ };

/* One of our names that a part of a word is: n_threads, rank_count. */
static const char *name_in(const char *word)
{
    for (const char *at = word; *at; at += strspn(at, "_-")) {
        const size_t length = strcspn(at, "_-");
        for (size_t i = 0; i < COUNTS; i++) {
            const size_t singular = strlen(names[i]) - 1;
            if ((length == singular || length == singular + 1) &&
                strncmp(at, names[i], length) == 0)
                return names[i];
        }
        at += length;
    }
    return NULL;
}

/* The place that a word means, in small letters; NULL: none. */
static const char *meant_by(const char *word)
{
    struct nearest_word nearest = nearest_word_of(word);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(word, others[i].name) == 0)
            return others[i].meant;
    for (size_t i = 0; i < NAMES; i++) /* {side} and {site} are words of their own */
        if (i < COUNTS || strncmp(word, "siz", 3) == 0)
            nearest_word_offer(&nearest, names[i]);
    return nearest.word ? nearest.word : name_in(word);
}

/* Reads "{NAME}" at `at`, where NAME is a word; its length with the braces, 0 if it is none. */
static size_t read_place(const char *at, char typed[OWN_PLACE])
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t length = strspn(at + 1, letters);
    if (length == 0 || length >= OWN_PLACE || at[length + 1] != '}')
        return 0;
    snprintf(typed, OWN_PLACE, "%.*s", (int)length, at + 1);
    return length + 2;
}

static bool is_name(const char *typed)
{
    bool is = false;
    for (size_t i = 0; i < NAMES; i++)
        is = is || strcmp(typed, names[i]) == 0;
    return is;
}

static bool find_in(const char *text, struct own_place *found)
{
    for (const char *at = text; (at = strchr(at, '{')); at++) {
        char small[OWN_PLACE];
        if ((at > text && at[-1] == '$') || !read_place(at, found->typed) || is_name(found->typed))
            continue;
        snprintf(small, sizeof small, "%s", found->typed);
        for (char *letter = small; *letter; letter++)
            *letter = (char)tolower((unsigned char)*letter);
        found->meant = meant_by(small);
        if (found->meant)
            return true;
    }
    return false;
}

/* True if word i is code of a language other than a shell's: it follows -c or -e, and is no single
 * value. */
static bool is_code(const struct own_command *c, size_t i)
{
    if (i < 2 || !strpbrk(c->words[i], " \t\n('\"") ||
        (strcmp(c->words[i - 1], "-c") != 0 && strcmp(c->words[i - 1], "-e") != 0))
        return false;
    return !own_word_is_shell(c->words[i - 2]);
}

bool own_place_misspelt(const struct own_command *c, struct own_place *found)
{
    const char *const texts[] = {c->prepare, c->cleanup};
    for (size_t i = 0; i < c->count; i++)
        if (!is_code(c, i) && find_in(c->words[i], found))
            return true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] && find_in(texts[i], found))
            return true;
    return false;
}
