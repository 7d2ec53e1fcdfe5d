/* The assembler text that the compiler generates for a kernel: the source line of each instruction,
 * what it computes, and the basic blocks, which are entered only at their first instruction. For
 * x86-64 in AT&T syntax, as GCC and Clang write it. */
#ifndef MAXPOOL_LAB_ASSEMBLY_H
#define MAXPOOL_LAB_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

struct lab_instruction {
    size_t block;       /* its basic block; it is executed as often as the block is entered */
    int line;           /* in the kernel's file; 0: not known */
    int lanes;          /* floats that it computes at once; 0: no arithmetic of floats */
    bool multiplies;    /* a multiplication, or a multiply-add */
    bool touches_stack; /* reads or writes the function's stack frame */
    ptrdiff_t target;   /* index of the instruction that it jumps to in this text; -1: none */
};

struct lab_assembly {
    struct lab_instruction *items; /* in the order of the text */
    size_t count, blocks;
};

/* Reads `text` and writes it to `counting` with a counter at the head of each block. A library
 * built from `counting` exports the array lab_blocks, of `blocks` 64-bit counts. False if a file
 * cannot be read or written, or if memory is lacking. */
bool lab_assembly_read(struct lab_assembly *a, const char *text, const char *counting,
                       const char *source);
void lab_assembly_release(struct lab_assembly *a);

#endif
