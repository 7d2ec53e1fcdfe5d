/* The frequency of the CPUs, as far as the system reports it. Every path begins with `root`: "" for
 * the system's own files, or a folder with copies of them. */
#ifndef MAXPOOL_CPU_FREQUENCY_H
#define MAXPOOL_CPU_FREQUENCY_H

/* Mean in MHz over the CPUs on which the threads of this process last ran; an idle CPU says nothing
 * about a program. From scaling_cur_freq of the CPUs that have it, or else from `cpu MHz` in
 * /proc/cpuinfo; NaN if neither is reported. Reads a file for each thread and each of these CPUs:
 * far too slow for a timed part. */
double cpu_frequency_mhz(const char *root);

/* The range from which the governors may choose now: the lowest scaling_min_freq and the highest
 * scaling_max_freq of all CPUs, in MHz; NaN if none has it. */
void cpu_frequency_limits(const char *root, double *least_mhz, double *most_mhz);

#endif
