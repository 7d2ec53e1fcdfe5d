/* Runs a fuzz target on every file of a folder, without libFuzzer. Status 1 if there is no file. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int replay(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return 0;
    enum { LONGEST = 1 << 20 };
    uint8_t *bytes = malloc(LONGEST);
    size_t size = bytes ? fread(bytes, 1, LONGEST, stream) : 0;
    fclose(stream);
    if (bytes)
        LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder)
        return 1;
    int replayed = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        if (entry->d_name[0] != '.')
            replayed += replay(argv[1], entry->d_name);
    closedir(folder);
    printf("%d inputs replayed\n", replayed);
    return replayed > 0 ? 0 : 1;
}
