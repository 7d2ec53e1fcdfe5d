#!/usr/bin/env python3
"""What a program says of its threads under OpenMP's variables: their number, who bound them, and whether they share
cores. GOMP_CPU_AFFINITY is read by GCC's and Clang's OpenMP. Usage: tests/support/commands.py."""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import Skipped, command, done, main

NO_THREADS = "env -u OMP_NUM_THREADS"
# One run of maxpool_omp on CPUs 0 and 1: variables, options; binding, threads, warning ("": nothing is said), and the
# hardware threads in the line of the machine.
ROWS = (
    ("OMP_PROC_BIND=close OMP_PLACES=cores", "-t 2", "openmp", "2", "", 2),
    ("OMP_PROC_BIND=spread OMP_PLACES=threads", "-t 2", "openmp", "2", "", 2),
    ("OMP_PROC_BIND=true", "-t 2", "openmp", "2", "", 2),
    ("OMP_PLACES='{0},{1}'", "-t 2", "openmp", "2", "", 2),
    ("GOMP_CPU_AFFINITY='0 1'", "-t 2", "openmp", "2", "", 2),
    ("GOMP_CPU_AFFINITY=0", "-t 2", "shared", "2", "2 threads share 1 core:", 2),
    ("OMP_PROC_BIND=close OMP_PLACES='{0}'", "-t 2", "shared", "2", "2 threads share 1 core:", 2),
    ("OMP_PROC_BIND=close OMP_PLACES=cores", "-t 3", "shared", "3", "threads share ", 2),
    ("OMP_PROC_BIND=close OMP_PLACES=cores", "-t 1", "openmp", "1", "", 2),
    ("OMP_PROC_BIND=close taskset -c 1", "-t 1", "openmp", "1", "", 1),
    ("OMP_PROC_BIND=close taskset -c 1", "-t 2", "shared", "2", "2 threads share 1 core:", 1),
    ("OMP_PROC_BIND=false taskset -c 1", "-t 1", "inherited", "1", "", 1),
    ("OMP_PROC_BIND=true", "-t 2 --bind core", "core", "2", "", 2),
    ("OMP_THREAD_LIMIT=1", "", "none", "1", "", 2),
    ("OMP_NUM_THREADS=2", "", "none", "2", "", 2),
    (NO_THREADS, "", "none", "2", "", 2),
    (f"{NO_THREADS} OMP_THREAD_LIMIT=1", "", "none", "1", "", 2),
    (f"{NO_THREADS} OMP_PROC_BIND=true OMP_PLACES=cores", "", "openmp", "2", "", 2))


def need_known_computer():
    """The rows hold for a computer of two hardware threads, 0 and 1, on a core each, all of which this test may use.
    Where hwloc is absent, each hardware thread counts as a core."""
    seen = command("./maxpool_serial -n 8 --samples 1").out
    if " 2 hardware threads (2 allowed)" not in seen or " 2 cores," not in seen and "not seen" not in seen:
        raise Skipped("another computer")


def binding_is_reported():
    need_known_computer()
    for variables, options, binding, threads, warning, allowed in ROWS:
        line = f"env -u OMP_THREAD_LIMIT {variables} ./maxpool_omp -n 64 --samples 2 --method fused {options}"
        outcome = done(line, f"({allowed} allowed)")
        expect(f"warning '{warning}'", warning in outcome.err if warning else "share" not in outcome.err, outcome)
        outcome = done(f"{line} --format csv")
        found = outcome.cell("fused", "binding"), outcome.cell("fused", "threads")
        expect(f"{found} of {(binding, threads)}", found == (binding, threads), line)


def cores_are_those_of_the_topology():
    """A computer of one core with two hardware threads, and one of two sockets, both imitated by hwloc."""
    need_known_computer()
    line, one_core = "./maxpool_omp -n 64 -t 2 --samples 2", "HWLOC_SYNTHETIC='pack:1 core:1 pu:2'"
    if "built without hwloc" in command(f"{one_core} {line}").out:
        raise Skipped("built without hwloc")
    done(f"{one_core} {line}", " 1 core, 2 hardware threads (2 allowed)", err=("2 threads share 1 core:",))
    done(f"{one_core} OMP_PLACES=threads OMP_PROC_BIND=close {line}", err=("2 threads share 1 core:",))
    outcome = done(f"HWLOC_SYNTHETIC='pack:2 core:1 pu:1' OMP_PLACES=cores OMP_PROC_BIND=close {line}",
                   " 2 packages, 2 cores, 2 hardware threads (2 allowed)")
    expect("no warning", "share" not in outcome.err, outcome)


def threads_that_cannot_start_are_a_lack():
    """Stacks larger than any address space, of one more thread and of many: a resource is lacking, and no result is
    wrong, although GCC's runtime ends the process with 1. One thread needs none of them."""
    stacks = "OMP_STACKSIZE=900000G ./maxpool_omp -n 64 --samples 2 --method fused"
    for threads in (2, 9):
        outcome = command(f"{stacks} -t {threads}")
        if "libgomp" not in outcome.err:
            raise Skipped("another runtime of OpenMP than GCC's")
        words = f"maxpool_omp: OpenMP cannot start a team of {threads} threads here: "
        expect(words, outcome.status == 4 and words in outcome.err and not outcome.out, outcome)
    done(f"{stacks} -t 1")
    outcome = command("OMP_STACKSIZE=900000G ./buffered_omp")
    expect("what was printed before", outcome.status == 4 and outcome.out == "printed before\n", outcome)


if __name__ == "__main__":
    sys.exit(main(binding_is_reported, cores_are_those_of_the_topology, threads_that_cannot_start_are_a_lack))
