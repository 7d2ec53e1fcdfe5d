/* The assembler text that the compiler makes of a kernel: which source line each instruction is of,
 * what it computes, and where blocks begin that are entered at their first instruction only. Of
 * x86-64, in the syntax of AT&T, as GCC and Clang write it. */
#ifndef MAXPOOL_LAB_ASSEMBLY_H
#define MAXPOOL_LAB_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

struct lab_instruction {
    size_t block;       /* executed as often as the block is entered */
    int line;           /* of the kernel's file; 0: not known */
    int lanes;          /* floats that its arithmetic is of at once; 0: it computes no floats */
    bool multiplies;    /* a multiplication, or one with an addition */
    bool touches_stack; /* moves to or from the function's frame */
    ptrdiff_t target;   /* of a jump to an instruction of this text; -1: it is none */
};

struct lab_assembly {
    struct lab_instruction *items; /* in the order of the text */
    size_t count, blocks;
};

/* Reads the text, and writes it again to `counting` with a counter at the head of each block: the
 * library made of that exports the array lab_blocks, of `blocks` 64-bit counts. False where a file
 * cannot be read or written, or memory lacks. */
bool lab_assembly_read(struct lab_assembly *a, const char *text, const char *counting,
                       const char *source);
void lab_assembly_release(struct lab_assembly *a);

#endif
