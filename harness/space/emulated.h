/* `--device cpu`: the program is replaced by its build for an emulated device (cuda/emulation). A
 * build with nvcc has both, because each has the symbols of its own CUDA runtime. */
#ifndef MAXPOOL_EMULATED_H
#define MAXPOOL_EMULATED_H

/* Looks for `--device cpu` in the arguments. If it is there, replaces the process by the program of
 * this name in the folder emulation/, with the other arguments; returns 3 if there is none, after a
 * message. Returns 0 otherwise. */
int emulated_hand_over(const char *name, char **argv);

#endif
