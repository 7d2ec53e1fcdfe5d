#include "harness/machine/processes.h"

#include "harness/base/digest.h"

#include <string.h>

enum status processes_begin(const struct processes *p, int *argc, char ***argv, struct failure *f)
{
    return p ? p->begin(argc, argv, f) : STATUS_OK;
}

void processes_end(const struct processes *p)
{
    if (p)
        p->end();
}

bool processes_are_root(const struct processes *p)
{
    return !p || p->is_root();
}

enum status processes_common_status(const struct processes *p, enum status status,
                                    struct failure *f)
{
    return p ? p->common_status(status, f) : status;
}

void processes_broadcast(const struct processes *p, void *data, size_t bytes)
{
    if (p)
        p->broadcast(data, bytes);
}

int processes_largest(const struct processes *p, int number)
{
    return p ? p->largest(number) : number;
}

void processes_place(const struct processes *p, int *rank, int *ranks)
{
    *rank = 0;
    *ranks = 1;
    if (p)
        p->place(rank, ranks);
}

uint64_t processes_sum_here(const struct processes *p, uint64_t number)
{
    return p ? p->sum_here(number) : number;
}

void processes_join_here(const struct processes *p, uint64_t *words, int count)
{
    if (p)
        p->join_here(words, count);
}

uint64_t processes_sum(const struct processes *p, uint64_t number)
{
    return p ? p->sum(number) : number;
}

void processes_gather(const struct processes *p, const void *mine, size_t bytes, void *all)
{
    if (p)
        p->gather(mine, bytes, all);
    else
        memcpy(all, mine, bytes);
}

/* Hashes a text including its final 0, chained to the hash of the texts before it. */
static uint64_t chain(uint64_t hash, const char *text)
{
    do
        hash = digest_mix(hash + (unsigned char)*text + 1);
    while (*text++);
    return hash;
}

enum status processes_same_arguments(const struct processes *p, const char *program, int argc,
                                     char **argv, struct failure *f)
{
    uint64_t mine = chain(0, program), root;
    for (int i = 1; i < argc; i++)
        mine = chain(mine, argv[i]);
    root = mine;
    processes_broadcast(p, &root, sizeof root);
    enum status status = STATUS_OK;
    if (root != mine)
        status = fail(f, STATUS_USAGE,
                      "the ranks were given different options: give all of them the same");
    return processes_common_status(p, status, f);
}
