/* Switches stacks. The C library's swapcontext makes a system call for the signal mask at every
 * switch, and a grid switches millions of times. So on x86-64 this saves the registers that a call
 * must preserve; other processors use the library's function. */
#ifndef CUDA_EMULATION_CONTEXT_H
#define CUDA_EMULATION_CONTEXT_H

#include <cstddef>

#ifdef __x86_64__

struct Context {
    void *stack_pointer;
};

extern "C" void context_switch(Context *from, const Context *to);

#else

#include <ucontext.h>

typedef ucontext_t Context;

static inline void context_switch(Context *from, const Context *to)
{
    swapcontext(from, to);
}

#endif

/* Makes a context that enters `main` on that stack when it is first switched to. `main` never
 * returns. */
void context_make(Context *context, char *stack, size_t bytes, void (*main)());

#endif
