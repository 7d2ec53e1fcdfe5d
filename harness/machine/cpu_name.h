/* The name of the processor, on any architecture that Linux runs on. */
#ifndef MAXPOOL_CPU_NAME_H
#define MAXPOOL_CPU_NAME_H

#include <stddef.h>

/* Reads the name below `root` ("" for this machine): "model name" of /proc/cpuinfo; else the
 * implementer and part of Arm's MIDR, from the register's file in /sys or from /proc/cpuinfo, all
 * kinds of core joined by " + "; else "cpu" (POWER), "processor 0" (s390x), "uarch" or "isa"
 * (RISC-V), "cpu model" (MIPS); else the model of the device tree; else "unknown". */
void cpu_name(const char *root, char *name, size_t size);

#endif
