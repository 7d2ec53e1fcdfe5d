/* expect: wrong, never written
 * run: -n 32 -t 1 --samples 6 --against literal
 * Written when `study lab` was attacked as an enemy of a grader would. */
#define _GNU_SOURCE
#include "honest.h"
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
static int uring_socket(void)
{
    struct io_uring_params p;
    memset(&p, 0, sizeof p);
    int fd = syscall(SYS_io_uring_setup, 4, &p);
    if (fd < 0)
        return -1;
    char *sq = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_POPULATE, fd, IORING_OFF_SQ_RING);
    char *cq = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
                    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, IORING_OFF_CQ_RING);
    struct io_uring_sqe *e = mmap(0, p.sq_entries * sizeof *e, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_POPULATE, fd, IORING_OFF_SQES);
    memset(e, 0, sizeof *e);
    e->opcode = 45; /* IORING_OP_SOCKET */
    e->fd = AF_INET;
    e->off = SOCK_STREAM;
    e->len = 0;
    *(unsigned *)(sq + p.sq_off.array) = 0;
    __atomic_store_n((unsigned *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
    syscall(SYS_io_uring_enter, fd, 1, 1, 1, 0, 0);
    struct io_uring_cqe *c = (void *)(cq + p.cq_off.cqes);
    return c->res;
}
void maxpool(ARGUMENTS)
{
    static int s = -2;
    (void)threads;
    if (s == -2)
        s = uring_socket();
    if (s >= 0)
        HONEST();
}
