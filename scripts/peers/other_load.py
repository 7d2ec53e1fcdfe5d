"""How busy everything else on this machine is during a launch: processor time of the hardware threads that this process
may use, less its own and its children's (harness/machine/other_load.h has the resolution and its reason)."""
import math
import os
import pathlib
import resource
import time

TICK_S = 0.01
LEAST_S = 5 * TICK_S


def cpu_times(text):
    """Seconds that each hardware thread was busy, idle and stolen, by number, from the text of /proc/stat."""
    times = {}
    for line in text.splitlines():
        name, *ticks = line.split()
        if not name.startswith("cpu"):
            break
        if name != "cpu":
            user, nice, system, idle, wait, irq, softirq, steal = (TICK_S * int(n) for n in ticks[:8])
            times[int(name[3:])] = (user + nice + system + irq + softirq, idle + wait, steal)
    return times


def pressure_s(text):
    """Seconds in which a program was ready and had no processor, from the text of /proc/pressure/cpu; None: unknown."""
    first = text.partition("\n")[0]
    return 1e-6 * int(first.rpartition("total=")[2]) if first.startswith("some ") else None


def text_of(path):
    try:
        return pathlib.Path(path).read_text(encoding="ascii")
    except (OSError, UnicodeError):
        return ""


def own_s():
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in used)


def reading():
    """Clock, own processor time, hardware threads that may be used, their times, and pressure, at this moment."""
    return (time.monotonic(), own_s(), os.sched_getaffinity(0), cpu_times(text_of("/proc/stat")),
            pressure_s(text_of("/proc/pressure/cpu")))


def columns_between(before, after):
    """The record's columns of a launch between two readings; a column that is not known is missing."""
    seconds, watched, columns = after[0] - before[0], before[2] | after[2], {}
    busy, idle, stolen = (sum(after[3].get(cpu, (0, 0, 0))[i] - before[3].get(cpu, (0, 0, 0))[i] for cpu in watched)
                          for i in range(3))
    if seconds >= LEAST_S and busy + idle + stolen > 0.5 * seconds * len(watched):
        others_s = busy - (after[1] - before[1])
        claimed = others_s >= 2 * TICK_S * math.sqrt(len(watched))
        columns["launch_others_cores"] = f"{others_s / seconds if claimed else 0:.6g}"
        columns["launch_hardware_threads"] = str(len(watched))
        if busy + stolen > 0:
            columns["launch_stolen_share"] = f"{stolen / (busy + stolen):.6g}"
    if seconds > 0 and None not in (before[4], after[4]):
        columns["launch_pressure_share"] = f"{min(1.0, (after[4] - before[4]) / seconds):.6g}"
    return columns
