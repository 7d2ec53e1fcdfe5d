#include "harness/machine/cpu_name.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arm's main identification register: bits 31 .. 24 the implementer, 15 .. 4 the part. Numbers:
 * Arm's and the implementers' reference manuals, as collected in Linux, asm/cputype.h. */
struct arm_part {
    unsigned implementer, part;
    const char *name;
};

static const struct arm_part arm_parts[] = {
    {0x41, 0xc07, "Arm Cortex-A7"},
    {0x41, 0xc08, "Arm Cortex-A8"},
    {0x41, 0xc09, "Arm Cortex-A9"},
    {0x41, 0xc0f, "Arm Cortex-A15"},
    {0x41, 0xd03, "Arm Cortex-A53"},
    {0x41, 0xd04, "Arm Cortex-A35"},
    {0x41, 0xd05, "Arm Cortex-A55"},
    {0x41, 0xd07, "Arm Cortex-A57"},
    {0x41, 0xd08, "Arm Cortex-A72"},
    {0x41, 0xd09, "Arm Cortex-A73"},
    {0x41, 0xd0a, "Arm Cortex-A75"},
    {0x41, 0xd0b, "Arm Cortex-A76"},
    {0x41, 0xd0c, "Arm Neoverse N1"},
    {0x41, 0xd0d, "Arm Cortex-A77"},
    {0x41, 0xd0e, "Arm Cortex-A76AE"},
    {0x41, 0xd40, "Arm Neoverse V1"},
    {0x41, 0xd41, "Arm Cortex-A78"},
    {0x41, 0xd42, "Arm Cortex-A78AE"},
    {0x41, 0xd44, "Arm Cortex-X1"},
    {0x41, 0xd46, "Arm Cortex-A510"},
    {0x41, 0xd47, "Arm Cortex-A710"},
    {0x41, 0xd48, "Arm Cortex-X2"},
    {0x41, 0xd49, "Arm Neoverse N2"},
    {0x41, 0xd4a, "Arm Neoverse E1"},
    {0x41, 0xd4b, "Arm Cortex-A78C"},
    {0x41, 0xd4d, "Arm Cortex-A715"},
    {0x41, 0xd4e, "Arm Cortex-X3"},
    {0x41, 0xd4f, "Arm Neoverse V2"},
    {0x42, 0x516, "Broadcom Vulcan"},
    {0x43, 0x0a1, "Cavium ThunderX"},
    {0x43, 0x0af, "Marvell ThunderX2"},
    {0x46, 0x001, "Fujitsu A64FX"},
    {0x48, 0xd01, "HiSilicon Kunpeng 920 (TaiShan v110)"},
    {0x4e, 0x004, "NVIDIA Carmel"},
    {0x50, 0x000, "APM X-Gene"},
    {0x51, 0xc00, "Qualcomm Falkor"},
    {0x61, 0x022, "Apple M1 (Icestorm)"},
    {0x61, 0x023, "Apple M1 (Firestorm)"},
    {0x61, 0x024, "Apple M1 Pro (Icestorm)"},
    {0x61, 0x025, "Apple M1 Pro (Firestorm)"},
    {0x61, 0x028, "Apple M1 Max (Icestorm)"},
    {0x61, 0x029, "Apple M1 Max (Firestorm)"},
    {0x61, 0x032, "Apple M2 (Blizzard)"},
    {0x61, 0x033, "Apple M2 (Avalanche)"},
    {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1a"},
};

static const char *implementer_name(unsigned implementer)
{
    static const struct {
        unsigned implementer;
        const char *name;
    } names[] = {{0x41, "Arm"},       {0x42, "Broadcom"}, {0x43, "Cavium"}, {0x46, "Fujitsu"},
                 {0x48, "HiSilicon"}, {0x4e, "NVIDIA"},   {0x50, "APM"},    {0x51, "Qualcomm"},
                 {0x53, "Samsung"},   {0x56, "Marvell"},  {0x61, "Apple"},  {0x6d, "Microsoft"},
                 {0xc0, "Ampere"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].implementer == implementer)
            return names[i].name;
    return NULL;
}

/* Appends the name of a kind of core, if the text does not name it yet. */
static void join_part(unsigned implementer, unsigned part, char *name, size_t size)
{
    char own[64];
    const char *maker = implementer_name(implementer);
    if (maker)
        snprintf(own, sizeof own, "%s part 0x%03x", maker, part);
    else
        snprintf(own, sizeof own, "implementer 0x%02x, part 0x%03x", implementer, part);
    for (size_t i = 0; i < sizeof arm_parts / sizeof *arm_parts; i++)
        if (arm_parts[i].implementer == implementer && arm_parts[i].part == part)
            snprintf(own, sizeof own, "%s", arm_parts[i].name);
    for (const char *at = name, *end; *at; at = end + (*end ? 3 : 0)) {
        end = strstr(at, " + ");
        end = end ? end : at + strlen(at);
        if ((size_t)(end - at) == strlen(own) && strncmp(at, own, strlen(own)) == 0)
            return;
    }
    const size_t used = strlen(name);
    snprintf(name + used, size - used, "%s%s", used > 0 ? " + " : "", own);
}

/* Returns the value of a line "key   : value" of /proc/cpuinfo; NULL if the line has another key or
 * no value. */
static const char *value_of(char *line, const char *key)
{
    const size_t length = strlen(key);
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, key, length) != 0)
        return NULL;
    const char *at = line + length + strspn(line + length, " \t");
    if (*at != ':')
        return NULL;
    at += 1 + strspn(at + 1, " \t");
    return *at ? at : NULL;
}

static FILE *open_below(const char *root, const char *path)
{
    char whole[4096];
    const int length = snprintf(whole, sizeof whole, "%s%s", root, path);
    return length > 0 && (size_t)length < sizeof whole ? fopen(whole, "r") : NULL;
}

/* The first value of a key of /proc/cpuinfo; false if there is none. */
static bool first_value(const char *root, const char *key, char *name, size_t size)
{
    char line[2048];
    const char *value = NULL;
    FILE *file = open_below(root, "/proc/cpuinfo");
    while (file && !value && fgets(line, sizeof line, file))
        value = value_of(line, key);
    if (file)
        fclose(file);
    if (value)
        snprintf(name, size, "%s", value);
    return value != NULL;
}

/* The kinds of core in the registers' files, which a kernel has for each processor. */
static bool arm_registers(const char *root, char *name, size_t size)
{
    name[0] = '\0';
    for (int cpu = 0;; cpu++) {
        char path[96];
        unsigned long midr = 0;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
                 cpu);
        FILE *file = open_below(root, path);
        if (!file)
            return name[0] != '\0';
        char text[32] = "";
        if (fgets(text, sizeof text, file))
            midr = strtoul(text, NULL, 16);
        fclose(file);
        if (midr != 0)
            join_part((unsigned)(midr >> 24 & 0xff), (unsigned)(midr >> 4 & 0xfff), name, size);
    }
}

/* The kinds of core in /proc/cpuinfo: "CPU implementer" precedes "CPU part". */
static bool arm_lines(const char *root, char *name, size_t size)
{
    char line[2048];
    unsigned implementer = 0;
    FILE *file = open_below(root, "/proc/cpuinfo");
    name[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        const char *value = value_of(line, "CPU implementer");
        if (value)
            implementer = (unsigned)strtoul(value, NULL, 16);
        else if ((value = value_of(line, "CPU part")))
            join_part(implementer, (unsigned)strtoul(value, NULL, 16), name, size);
    }
    if (file)
        fclose(file);
    return name[0] != '\0';
}

/* The text of the device tree ends with a 0. */
static bool device_tree(const char *root, char *name, size_t size)
{
    FILE *file = open_below(root, "/proc/device-tree/model");
    if (!file)
        return false;
    const size_t got = fread(name, 1, size - 1, file);
    fclose(file);
    name[got] = '\0';
    name[strcspn(name, "\n")] = '\0';
    return name[0] != '\0';
}

void cpu_name(const char *root, char *name, size_t size)
{
    static const char *const keys[] = {"cpu", "processor 0", "uarch", "cpu model", "isa"};
    if (first_value(root, "model name", name, size) || arm_registers(root, name, size) ||
        arm_lines(root, name, size))
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (first_value(root, keys[i], name, size))
            return;
    if (!device_tree(root, name, size))
        snprintf(name, size, "unknown");
}
