/* The processor's name, read from the files of machines of several architectures. */
#include "harness/machine/cpu_name.h"
#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files of one machine: paths below its root and what they hold. */
struct machine_row {
    const char *expected;
    struct {
        const char *path, *text;
    } files[4];
};

#define INFO      "proc/cpuinfo"
#define MIDR(cpu) "sys/devices/system/cpu/cpu" cpu "/regs/identification/midr_el1"

static const struct machine_row rows[] = {
    {"Intel(R) Xeon(R) CPU", {{INFO, "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU\n"}}},
    {"Arm Cortex-A72",
     {{INFO, "processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x0\nCPU part\t: 0xd08\n"},
      {"proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4"}}},
    {"Arm Neoverse N1", {{MIDR("0"), "0x00000000413fd0c1\n"}, {INFO, "processor\t: 0\n"}}},
    {"Arm Neoverse V1", {{MIDR("0"), "0x00000000411fd401\n"}}},
    {"Arm Neoverse V2", {{MIDR("0"), "0x00000000410fd4f1\n"}}},
    {"Fujitsu A64FX", {{MIDR("0"), "0x00000000461f0010\n"}}},
    {"Ampere-1a", {{MIDR("0"), "0x00000000c00fac40\n"}}},
    {"HiSilicon Kunpeng 920 (TaiShan v110)", {{MIDR("0"), "0x00000000481fd010\n"}}},
    {"Apple M1 (Icestorm) + Apple M1 (Firestorm)",
     {{INFO, "processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0x022\n\nprocessor\t: 1\n"
             "CPU implementer\t: 0x61\nCPU part\t: 0x022\n\nprocessor\t: 2\n"
             "CPU implementer\t: 0x61\nCPU part\t: 0x023\n"}}},
    {"Arm Cortex-A55 + Arm Cortex-A76",
     {{MIDR("0"), "0x00000000412fd050\n"},
      {MIDR("1"), "0x00000000412fd050\n"},
      {MIDR("2"), "0x00000000414fd0b1\n"}}},
    {"Arm Cortex-A76AE + Arm Cortex-A76",
     {{MIDR("0"), "0x00000000410fd0e0\n"}, {MIDR("1"), "0x00000000414fd0b1\n"}}},
    {"Arm part 0xfff", {{MIDR("0"), "0x00000000410ffff0\n"}}},
    {"implementer 0x77, part 0x123", {{INFO, "CPU implementer\t: 0x77\nCPU part\t: 0x123\n"}}},
    {"POWER9, altivec supported", {{INFO, "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n"}}},
    {"version = FF,  identification = 2733E8,  machine = 2964",
     {{INFO, "vendor_id       : IBM/S390\nfeatures\t: esan3\n"
             "processor 0: version = FF,  identification = 2733E8,  machine = 2964\n"}}},
    {"sifive,u74-mc",
     {{INFO,
       "processor\t: 0\nhart\t: 1\nisa\t: rv64imafdc\nmmu\t: sv39\nuarch\t: sifive,u74-mc\n"}}},
    {"rv64imafdc", {{INFO, "processor\t: 0\nhart\t: 1\nisa\t\t: rv64imafdc\n"}}},
    {"Some Board", {{INFO, "processor\t: 0\n"}, {"proc/device-tree/model", "Some Board"}}},
    {"unknown", {{INFO, "processor\t: 0\nmodel name\t:\n"}}},
    {"unknown", {{0}}},
};

static void make_file(const char *root, const char *path, const char *text)
{
    char whole[4096];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(whole, 0777);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

TEST(machines_have_names)
{
    int failures = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char root[3000], label[32], name[128];
        snprintf(label, sizeof label, "machine%zu", i);
        snprintf(root, sizeof root, "%s", files_path(label));
        mkdir(root, 0777);
        for (size_t j = 0; j < 4 && rows[i].files[j].path; j++)
            make_file(root, rows[i].files[j].path, rows[i].files[j].text);
        cpu_name(root, name, sizeof name);
        if (strcmp(name, rows[i].expected) != 0) {
            print_error("machine %zu: '%s' instead of '%s'\n", i, name, rows[i].expected);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

/* A name that does not fit is cut, and nothing is written beyond it. */
TEST(long_names_are_cut)
{
    char root[3000], name[9] = "........";
    snprintf(root, sizeof root, "%s", files_path("machine2"));
    cpu_name(root, name, 8);
    assert_string_equal(name, "Arm Neo");
    assert_int_equal(name[8], 0);
}

TEST(this_machine_has_a_name)
{
    char name[128];
    cpu_name("", name, sizeof name);
    assert_true(strlen(name) > 0);
}

const struct tests_group tests_group = {command_setup, command_teardown};
