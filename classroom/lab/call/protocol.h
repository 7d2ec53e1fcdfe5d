/* The messages between `study lab` and its worker programs. The parent has the clock, the inputs,
 * the oracle and the verdict. A worker has a kernel and three arrays in shared memory, of which it
 * may write only the last. Orders and notes have fixed sizes and pass through pipes. */
#ifndef MAXPOOL_LAB_PROTOCOL_H
#define MAXPOOL_LAB_PROTOCOL_H

#include <stdint.h>

/* The arrays: the image (A, X), the second operand (filter, B, weights, Y), the map. */
enum lab_array { LAB_IMAGE, LAB_SECOND, LAB_MAP, LAB_ARRAYS };

/* File descriptors in the worker; those of the arrays are LAB_FIRST_ARRAY + enum lab_array. */
enum { LAB_ORDERS = 3, LAB_NOTES = 4, LAB_FIRST_ARRAY = 5 };

/* The worker's arguments: the kernel's file or the method's name, the operator's name, threads,
 * bytes of address space that it may use (0: any), bytes of each array. */
enum { LAB_ARG_WHAT = 1, LAB_ARG_OPERATOR, LAB_ARG_THREADS, LAB_ARG_MEMORY, LAB_ARG_BYTES };

/* Exit statuses of a worker that cannot call its function, or whose call failed. */
enum {
    LAB_EXIT_DEVICE = 93,      /* the GPU reported an error: a launch, or an access out of bounds */
    LAB_EXIT_UNAVAILABLE = 94, /* what it needs is not installed */
    LAB_EXIT_RAISED = 95,      /* a Python function raised an exception */
    LAB_EXIT_NO_FUNCTION = 96,
    LAB_EXIT_NO_FILE = 97,
    LAB_EXIT_NO_ARRAYS = 98
};

enum { LAB_INTEGERS = 10, LAB_LENGTHS = 4 };

/* What protects the machine and the verdict from a kernel; the kernel of the system may lack each.
 * The worker sets up the first three, its parent the others. */
enum lab_protection {
    LAB_CALLS = 1,           /* system calls by an allow list */
    LAB_FILES = 2,           /* only the system's files and its own can be read */
    LAB_THREADS_LIMITED = 4, /* the parent is asked for each new thread */
    LAB_OWN_PROCESSES = 8,   /* other processes cannot be named, also not by their ids */
    LAB_OWN_NETWORK = 16,    /* no network device, no shared memory of System V */
    LAB_PROTECTIONS = 5
};

/* LAB_ECHO calls nothing. For a kernel on a GPU, LAB_GIVE copies the arrays to it before a call,
 * and LAB_TAKE copies the map back. */
enum lab_ask { LAB_CALL, LAB_ECHO, LAB_GIVE, LAB_TAKE };

/* The kernel's arguments in this call, and where its operands begin in the arrays. */
struct lab_order {
    int32_t ask;                    /* enum lab_ask */
    int32_t count;                  /* number of integers */
    int32_t integers[LAB_INTEGERS]; /* in the order that the kernel takes after the arrays */
    int64_t begin[LAB_ARRAYS];      /* in bytes */
    int64_t bytes[LAB_ARRAYS];
    int32_t lengths[LAB_ARRAYS][LAB_LENGTHS]; /* along each dimension; 0 after the last */
};

/* Address and size of the kernel's library in the worker, and the function's address; all 0: it is
 * no library. */
struct lab_code {
    uint64_t begin, bytes, function;
};

/* Sent when the sandbox is complete, when the worker is ready, when an order is done, or before it
 * dies of a signal. */
struct lab_note {
    int32_t threads;                /* the most that ran at once, if the worker can count them */
    int32_t sandboxed;              /* bits of enum lab_protection */
    uint64_t addresses[LAB_ARRAYS]; /* addresses of the arrays */
    struct lab_code code;
    uint64_t crashed_at; /* offset in the kernel's library at which a signal arrived; 0: none did */
    double product_s;    /* of a method of ours that times its product; otherwise 0 */
    int32_t listener;    /* in the first note: descriptor that asks for new threads; -1: none */
    int32_t crashed_by;  /* number of the signal that arrived; 0: none did */
};

#endif
