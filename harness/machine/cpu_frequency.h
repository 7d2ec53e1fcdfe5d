/* The frequency of the CPUs, as far as the system reports it. Before each path stands `root`: "" is
 * the system's own files, anything else a folder that holds such files. */
#ifndef MAXPOOL_CPU_FREQUENCY_H
#define MAXPOOL_CPU_FREQUENCY_H

/* Mean in MHz over the CPUs that the threads of this process last ran on; an idle CPU says nothing
 * about a program. By scaling_cur_freq of those that have it, or else by `cpu MHz` of
 * /proc/cpuinfo; NaN where neither reports. A file is read for each thread and each of these CPUs:
 * far too slow for a timed part. */
double cpu_frequency_mhz(const char *root);

/* What the governors may choose from now: the least scaling_min_freq and the most scaling_max_freq
 * of all CPUs, in MHz; NaN where none has it. */
void cpu_frequency_limits(const char *root, double *least_mhz, double *most_mhz);

#endif
