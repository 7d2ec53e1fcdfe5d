/* What `study lab` and its worker programs say to each other. The parent has the clock, the inputs,
 * the oracle and the verdict; a worker has a kernel and three arrays in shared memory, of which it
 * may write the last only. Orders and notes have fixed sizes and pass through pipes. */
#ifndef MAXPOOL_LAB_PROTOCOL_H
#define MAXPOOL_LAB_PROTOCOL_H

#include <stdint.h>

/* The arrays: the image (A, X), the second operand (filter, B, weights, Y), the map. */
enum lab_array { LAB_IMAGE, LAB_SECOND, LAB_MAP, LAB_ARRAYS };

/* The worker's descriptors; the arrays' are LAB_FIRST_ARRAY + enum lab_array. */
enum { LAB_ORDERS = 3, LAB_NOTES = 4, LAB_FIRST_ARRAY = 5, LAB_COUNTS = 8 };

/* The worker's arguments: the file of the kernel or the method's name, the operator's name,
 * threads,
 * bytes of address space that it may take (0: any), bytes of each array. */
enum { LAB_ARG_WHAT = 1, LAB_ARG_OPERATOR, LAB_ARG_THREADS, LAB_ARG_MEMORY, LAB_ARG_BYTES };

/* Exit statuses of a worker that has nothing to call. */
enum {
    LAB_EXIT_DEVICE = 93,      /* the GPU refused: a launch, or an access out of bounds */
    LAB_EXIT_UNAVAILABLE = 94, /* what it needs is not installed */
    LAB_EXIT_RAISED = 95,      /* a Python function ended by an exception */
    LAB_EXIT_NO_FUNCTION = 96,
    LAB_EXIT_NO_FILE = 97,
    LAB_EXIT_NO_ARRAYS = 98
};

enum { LAB_INTEGERS = 10 };

/* An echo calls nothing; a count calls, and hands over what the kernel's library has counted. Of a
 * kernel of a GPU, give copies the arrays there before a call, and take the map back. */
enum lab_ask { LAB_CALL, LAB_ECHO, LAB_COUNT, LAB_GIVE, LAB_TAKE };

/* Where in the arrays the operands of this call begin, and what else the kernel is given. */
struct lab_order {
    int32_t ask;                    /* enum lab_ask */
    int32_t count;                  /* of the integers */
    int32_t integers[LAB_INTEGERS]; /* as the kernel takes them, behind the arrays */
    int64_t begin[LAB_ARRAYS];      /* bytes */
    int64_t bytes[LAB_ARRAYS];
};

/* Where the kernel's library lies in the worker, and in it the function; all 0: it is no library.
 */
struct lab_code {
    uint64_t begin, bytes, function;
};

/* Ready, done, or about to die of a signal. */
struct lab_note {
    int32_t threads;             /* the most that ran at once, as far as the worker could count */
    int32_t sandboxed;           /* system calls are filtered */
    uint64_t places[LAB_ARRAYS]; /* addresses of the arrays */
    struct lab_code code;
    uint64_t crashed_at; /* the kernel's instruction that a signal ended at; 0: none did */
    double product_s;    /* of a method of ours that clocks its product; 0: another */
};

#endif
