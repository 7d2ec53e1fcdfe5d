#include "context.h"

#include <cstdint>

#ifdef __x86_64__

/* The System V ABI for x86-64: a call preserves rbx, rbp and r12 to r15, and the control words of
 * the floating-point units, which nothing here changes. */
asm(".text\n"
    ".globl context_switch\n"
    ".type context_switch, @function\n"
    "context_switch:\n"
    "    pushq %rbp\n"
    "    pushq %rbx\n"
    "    pushq %r12\n"
    "    pushq %r13\n"
    "    pushq %r14\n"
    "    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq (%rsi), %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    ret\n"
    ".size context_switch, . - context_switch\n");

void context_make(Context *context, char *stack, size_t bytes, void (*main)())
{
    const int SAVED = 6;
    void **top = reinterpret_cast<void **>(stack + bytes); /* the end of a page: aligned */
    *--top = nullptr; /* `main` finds the stack as after a call: 8 bytes off a multiple of 16 */
    *--top = reinterpret_cast<void *>(main);
    for (int i = 0; i < SAVED; i++)
        *--top = nullptr;
    context->stack_pointer = top;
}

#else

void context_make(Context *context, char *stack, size_t bytes, void (*main)())
{
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = bytes;
    context->uc_link = nullptr;
    makecontext(context, main, 0);
}

#endif
