/* Files in memory that have huge pages. The system's setting for shared memory seldom allows them
 * (/sys/kernel/mm/transparent_hugepage/shmem_enabled), but a file system of one's own may: a kernel
 * that reads an array of some megabytes through pages of 4096 bytes takes up to a tenth longer. */
#ifndef MAXPOOL_LAB_HUGE_FILES_H
#define MAXPOOL_LAB_HUGE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a file system in memory that is mounted nowhere and ends with its descriptor; -1: it needs
 * Linux 5.2, and rights or a user namespace. */
int huge_files_open(void);

/* Makes a file without a name, with all its memory. *writer and *reader: descriptors for writing
 * and for reading; whoever has only the latter can never write. False: there is no room. */
bool huge_files_make(int system, size_t bytes, int *writer, int *reader);

#endif
