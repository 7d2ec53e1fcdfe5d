"""Programs that are disturbed while they run: two at once, readers beside a writer, stopped processes, a clock that is set
back, missing /proc and /sys, ranks that die, half a core."""
import csv
import os
import pathlib
import shutil
import signal
import subprocess
import time

from common import GOOD, LIMIT_S, kill
from disks import namespace, why_no_mounts
from kills import rows_in

# Answers the real clock with another hour each time: a machine whose clock is set back while programs run.
CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static long back(void)
{
    static long calls;
    return 3600 * ++calls;
}
int clock_gettime(clockid_t clock, struct timespec *now)
{
    int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const int failed = real(clock, now);
    if (!failed && clock == CLOCK_REALTIME)
        now->tv_sec -= back();
    return failed;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *to)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return to ? (*to = now.tv_sec) : now.tv_sec;
}
"""

NOTHING_THERE = 'mount -t tmpfs tmpfs /proc && mount -t tmpfs tmpfs /sys || exit 77; exec "$@"'


def expect_whole(drill, results, launches):
    """Each launch is there once, and so is each of its samples; the first number is also that of its warm-up."""
    found = [rows for file in rows_in(results).values() for rows in file.values()]
    if len(found) != launches or any(len(rows) > len(set(rows)) + 1 for rows in found):
        drill.fail(f"{len(found)} launches and not {launches}, or samples that are there twice")


def study_words(drill, results, definition="drill.ini"):
    drill.write_definition(drill.folder / "drill.ini")
    return [drill.program("study"), "run", drill.folder / definition, "--results", results]


def two_runs(drill):
    """Two `study run` on one folder: one refuses, or both share the work; then every launch is there once."""
    for case in drill.each():
        results = drill.folder / f"results{case}"
        words = study_words(drill, results)
        first = drill.start(words)
        time.sleep(drill.chance.random() * 0.3)
        drill.run(words)
        if first.wait() not in GOOD:
            drill.fail(f"the first run ended with status {first.returncode}")
        _, out, _ = drill.run(words, [0])
        if b"0 failed, 0 missing" not in out:
            drill.fail(f"not whole: {out[-200:]!r}")
        expect_whole(drill, results, 27)


def reports(drill):
    """`study report`, `analyze`, `export` and `status` beside a `study run`: none fails, and none loses or changes a row."""
    readers = [["analyze", "drill"], ["status"], ["export", "drill", "--tidy", "-o", drill.folder / "out.csv"], ["report", "--fast"]]
    for case in drill.each():
        results = drill.folder / f"results{case}"
        run = drill.start(study_words(drill, results))
        began = 0
        while run.poll() is None or began < len(readers):
            before = rows_in(results)
            words = [drill.program("study"), *readers[began % len(readers)], "--results", results]
            words = [word for word in words if word != "--fast"]
            drill.run([*words, "--definitions", drill.folder], [0, 2])
            began += 1
            after = rows_in(results)
            for name, launches in before.items():
                if any(after[name].get(launch, [])[:len(rows)] != rows for launch, rows in launches.items()):
                    drill.fail(f"a row of {name} was lost or changed")
        if run.returncode != 0:
            drill.fail(f"the run ended with status {run.returncode}")
        expect_whole(drill, results, 27)


def stops(drill):
    """A program is stopped while it measures, and goes on: its record and the analysis say so."""
    for case in drill.each():
        record, results = drill.folder / "stopped.csv", drill.folder / f"results{case}"
        record.unlink(missing_ok=True)
        child = drill.start([drill.program("maxpool_serial"), "-n", "1024", "-k", "8", "--stride", "1", "--method", "literal",
                             "--filter", "random", "--samples", "4", "--warmup", "0", "--max-seconds", "20", "--verify", "none",
                             "--experiment", "x", "--record", record])
        stopped = 0
        while child.poll() is None:
            time.sleep(0.05 + 0.2 * drill.chance.random())
            child.send_signal(signal.SIGSTOP)
            time.sleep(0.1)
            child.send_signal(signal.SIGCONT)
            stopped += child.poll() is None
        drill.statuses[child.returncode] = drill.statuses.get(child.returncode, 0) + 1
        drill.run([drill.program("study"), "import", record, "--results", results], [0])
        _, out, _ = drill.run([drill.program("study"), "analyze", "x", "--results", results], [0])
        with open(record, encoding="utf-8", newline="") as table:
            counted = sum(int(row["stops"]) for row in csv.DictReader(table))
        if not 0 < counted <= stopped or b"the program was stopped during" not in out:
            drill.fail(f"{counted} of {stopped} stops: {out[-300:]!r}")


def clocks(drill):
    """The clock of the machine is set back an hour at every look: times are those of a clock that only goes forward."""
    source, library = drill.folder / "clock.c", drill.folder / "clock.so"
    source.write_text(CLOCK)
    done = subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", library, source, "-ldl"], capture_output=True, check=False)
    if done.returncode != 0:
        drill.left_out = f"no compiler: {done.stderr[-200:]!r}"
        return
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    for case in drill.each():
        results = drill.folder / f"results{case}"
        began = time.monotonic()
        drill.run(study_words(drill, results), [0], env=environment)
        taken = time.monotonic() - began
        with open(results / "samples.csv", encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table):
                if not 0.0 < float(row["total_s"]) < taken:
                    drill.fail(f"a sample took {row['total_s']} s of {taken} s")
        for command in (["analyze", "drill"], ["status"], ["report"]):
            drill.run([drill.program("study"), *command, "--results", results, "--definitions", drill.folder], [0],
                      env=environment)


def no_kernel_files(drill):
    """Neither /proc nor /sys: programs compute, or say what they lack."""
    empty = drill.folder / "empty"
    empty.mkdir()
    drill.left_out = why_no_mounts(empty)
    if drill.left_out:
        return
    (drill.folder / "mine.c").write_text((pathlib.Path(__file__).resolve().parents[2] / "labs" / "starters" /
                                          "maxpool.c").read_text())
    commands = [["maxpool_serial", "-n", "64", "--samples", "2"], ["maxpool_omp", "-n", "64", "--samples", "2", "-t", "2"],
                ["network_serial", "--network", "mlp:8-4", "--samples", "1"],
                ["study", "run", drill.folder / "drill.ini", "--results", drill.folder / "results"],
                ["study", "report", "--results", drill.folder / "results"], ["study", "roofline", "--help"],
                ["study", "lab", drill.folder / "mine.c", "--check", "-t", "1", "--results", drill.folder / "lab"]]
    drill.write_definition(drill.folder / "drill.ini")
    for case in drill.each():
        program, *words = commands[case % len(commands)]
        if not (drill.bin / program).exists():
            continue
        status, out, _ = drill.run([*namespace(), "sh", "-c", NOTHING_THERE, "sh", drill.program(program), *words],
                                   cwd=drill.folder)
        if program != "study" and status != 0:
            drill.fail(f"{program} needs /proc or /sys: {out[-200:]!r}")


def ranks_of(child, program):
    """The processes of `program` below a process, by /proc."""
    parents, found = {}, []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(")")
            parents[int(path.parent.name)] = int(rest.split()[1])
            if name.partition("(")[2] == program[:15]:
                found.append(int(path.parent.name))
        except OSError:
            pass

    def below(pid):
        while pid in parents and pid != child.pid:
            pid = parents[pid]
        return pid == child.pid
    return [pid for pid in found if below(pid)]


def wait_for_ranks(child, program, count):
    for _ in range(400):
        ranks = ranks_of(child, program)
        if len(ranks) == count or child.poll() is not None:
            return ranks
        time.sleep(0.02)
    return []


def all_gone(ranks):
    for _ in range(200):
        if not any(os.path.exists(f"/proc/{pid}") for pid in ranks):
            return True
        time.sleep(0.05)
    return False


def ranks(drill):
    """A rank is killed, or stopped for a moment, or stopped when a signal ends the launcher, while all are in collective
    operations: nothing hangs, no rank stays, and a stopped one that goes on computes the right result."""
    if not (drill.bin / "maxpool_mpi").exists() or not shutil.which("mpirun"):
        drill.left_out = "no MPI"
        return
    environment = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
                   "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "OMP_NUM_THREADS": "1"}
    for case in drill.each():
        samples = ["200000", "300", "200000"][case % 3]
        child = drill.start(["mpirun", "-np", "3", drill.program("maxpool_mpi"), "-n", "96", "--samples", samples,
                             "--max-seconds", "60", "--relative-ci", "0"], env=environment)
        pids = wait_for_ranks(child, "maxpool_mpi", 3)
        time.sleep(drill.chance.random() * 0.5)
        victim = drill.chance.choice(pids or [child.pid])
        try:
            os.kill(victim, signal.SIGKILL if case % 3 == 0 else signal.SIGSTOP)
            if case % 3 == 1:
                time.sleep(0.5)
                os.kill(victim, signal.SIGCONT)
            elif case % 3 == 2:
                os.kill(child.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass  # it had ended
        try:
            status = child.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            drill.fail(f"mpirun goes on: case {case}")
            status = None
        if status is not None and (status == 0) != (case % 3 == 1):
            drill.fail(f"status {status}: case {case}")
        if not all_gone(pids):
            drill.fail(f"a rank stays: case {case}")
        kill(child)


def half_a_core(drill):
    """A control group of half a core: programs say so, and compute."""
    if os.path.exists("/sys/fs/cgroup/cgroup.controllers"):
        group, limit, text, members = pathlib.Path("/sys/fs/cgroup/maxpool_drill"), "cpu.max", "50000 100000", "cgroup.procs"
    else:
        group, limit, text, members = pathlib.Path("/sys/fs/cgroup/cpu/maxpool_drill"), "cpu.cfs_quota_us", "50000", "tasks"
    try:
        group.mkdir(exist_ok=True)
        (group / limit).write_text(text)
    except OSError as error:
        drill.left_out = f"no control group with a quota: {error}"
        return
    results = drill.folder / "results"
    try:
        for case in drill.each():
            within = ["sh", "-c", f'echo $$ >{group / members} && exec "$@"', "sh"]
            if case % 2:
                drill.run([*within, *study_words(drill, results)], [0])
                _, out, _ = drill.run([drill.program("study"), "analyze", "drill", "--results", results, "--definitions",
                                       drill.folder], [0])
                if b"on a quota of 0.5 cores" not in out:
                    drill.fail(f"the quota is not in the reasons: {out[-400:]!r}")
            else:
                _, out, _ = drill.run([*within, drill.program("maxpool_serial"), "-n", "64", "--samples", "2"], [0])
                if b"0.5" not in out:
                    drill.fail(f"the quota is not shown: {out[-600:]!r}")
    finally:
        group.rmdir()
