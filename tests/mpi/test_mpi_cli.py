#!/usr/bin/env python3
"""maxpool_mpi and matmul_mpi as a user runs them under mpirun: ranks fail together with one message, only one rank
prints, and the map does not depend on the number of ranks. Usage: tests/support/commands.py."""
import csv
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import BIN, DIR, FEATURES, Skipped, command, done, fails, holds, main, write
from each_rank import leaves_alike, ours

FOREIGN = "2 copies of one rank each ran: this mpirun does not belong to the MPI of maxpool_mpi (ldd)"


def last_row(outcome):
    """Returns the last row of the printed table."""
    # The launcher of Open MPI 5.0.7 sends questions, which are lines without an end, to its standard output too.
    return list(csv.DictReader(outcome.out[outcome.out.index("experiment,"):].splitlines()))[-1]


def expect_last_row(outcome, **expected):
    """Expects values in columns of the last row of the printed table."""
    row = last_row(outcome)
    found = {name: row[name] for name in expected}
    expect(f"{found} of {expected}", found == expected, outcome)


def expect_count(outcome, text, words, count):
    expect(f"{words!r} {count} times", text.count(words) == count, outcome)


def refused(status, line, words):
    """Every rank ends with the status, and one line of standard error is ours; the launcher adds its own."""
    outcome = fails(status, line, words)
    expect("one message", ours(outcome.err) == 1, outcome)


def ranks_fail_together():
    for status, line, words in (
            (2, "$MPIRUN 3 ./maxpool_mpi --method turbo", "there is no 'turbo' in maxpool_mpi"),
            (2, "$MPIRUN 3 ./maxpool_mpi --frobnicate", "unknown option"),
            (2, "$MPIRUN 3 ./maxpool_mpi -i missing.png", "missing.png"),
            (2, "$MPIRUN 2 ./maxpool_mpi --distribute generate -i $DATA/brain_axial.png",
             "--distribute generate is for random images"),
            (2, "$MPIRUN 3 ./maxpool_mpi -n 4 -k 5", "does not fit the image"),
            (2, "$MPIRUN 3 $BY_RANK './maxpool_mpi -n 64' './maxpool_mpi -n 65'",
             "the ranks were given different options"),
            (2, "$MPIRUN 2 $BY_RANK './maxpool_mpi -n 64' './maxpool_mpi -n 64 --wrong'",
             "unknown option '--wrong'"),
            (4, "$MPIRUN 3 ./maxpool_mpi -n 8000000", "are needed"),
            (5, "$MPIRUN 3 ./maxpool_mpi -n 64 --record /dev/full", "/dev/full"),
            (5, "$MPIRUN 3 ./maxpool_mpi -n 64 -o missing/map.npy", "missing/map.npy"),
            (2, "$MPIRUN 3 ./matmul_mpi -n 64 -k 2", "--kernel-size does not apply here"),
            (2, "./maxpool_mpi -i missing.png", "missing.png")):
        refused(status, line, words)


def every_rank_leaves_alike():
    for ranks, status, line, words in (
            (2, 1, "$MPIRUN 2 $DIR/each ./wrong_mpi -n 64 --samples 5", "row 24, column 0"),
            (2, 1, "FAULT=outside $MPIRUN 2 $DIR/each ./wrong_mpi -n 64 --samples 5",
             "wrong_mpi: method literal: wrote outside its block at row 31, column 32 of the map"),
            (2, 2, "$MPIRUN 2 $DIR/each ./maxpool_mpi -i missing.png", "missing.png"),
            (3, 2, "$MPIRUN 3 $DIR/each $BY_RANK './maxpool_mpi -n 64' './maxpool_mpi -n 65'",
             "the ranks were given different options"),
            (2, 5, "$MPIRUN 2 $DIR/each ./maxpool_mpi -n 64 --record /dev/full", "/dev/full")):
        leaves_alike(ranks, status, line, words)


def one_rank_without_memory_ends_all():
    """One rank is limited to less memory than its band needs. Sanitizers need more address space."""
    if "sanitize" in FEATURES:
        raise Skipped("sanitizers need more address space")
    leaves_alike(2, 4, "A='./maxpool_mpi -n 16384 --samples 1'; "
                 "$MPIRUN 2 $DIR/each $BY_RANK \"$A\" \"prlimit --as=614400000 $A\"",
                 "no memory for image, map and scratch")


def a_wrong_result_is_recorded():
    """The wrong sample is recorded as such, and is the last."""
    outcome = fails(1, "$MPIRUN 2 ./wrong_mpi -n 64 --samples 5 --format csv")
    expect_count(outcome, outcome.out, "\n", 1 + 1 + 2)  # header, warm-up, a good one, a wrong one
    expect_count(outcome, outcome.out, ",exact,", 2)
    expect_last_row(outcome, sample="1", verified="wrong", stop_reason="wrong")


def maps_do_not_depend_on_the_ranks():
    """Byte for byte the file that the serial program writes."""
    for operator, options, distribute in (
            ("maxpool", "-R 53 -C 71 --planes 2 -k 5 -s 2 -p 1 --filter random", ""),
            ("maxpool", "-i $DATA/brain_axial.png -k 3 -s 1 -p 1 --filter random", ""),
            ("maxpool", "-R 53 -C 71 -k 7 -s 1", "--distribute scatter"),
            ("matmul", "-R 37 -C 113 --method blocked --filter random", ""),
            ("matmul", "-R 37 -C 113 --method naive --filter random", "--distribute scatter"),
            ("matmul", "-R 5 -C 33 --planes 6 --method packed --filter random", ""),
            ("matmul", "-R 5 -C 33 --planes 6 --method packed --filter random", "--distribute scatter")):
        done(f"./{operator}_serial {options} --samples 1 -o $DIR/serial.npy")
        for ranks in (1, 3, 7, 15):
            done(f"$MPIRUN {ranks} ./{operator}_mpi {options} {distribute} --samples 1 -o $DIR/mpi.npy && "
                 "cmp $DIR/serial.npy $DIR/mpi.npy")


def one_rank_records():
    outcome = done("$MPIRUN 3 ./maxpool_mpi -n 64 -k 3 -s 1 --samples 4 --relative-ci 0 --format csv")
    expect_count(outcome, outcome.out, "\n", 1 + 1 + 4)  # header, warm-up, samples
    expect_last_row(outcome, ranks="3", threads="1", nodes="1", launch="mpirun", distribution="generate",
                    verified="exact", stop_reason="samples")


def raw_times_of_every_rank():
    """One row per execution and rank; phases of the record are maxima over them."""
    outcome = done("$MPIRUN 3 ./maxpool_mpi -n 64 --samples 4 --relative-ci 0 --warmup 2 --per-rank $DIR/raw.csv "
                   ">/dev/null && wc -l < $DIR/raw.csv && head -n 1 $DIR/raw.csv",
                   "execution,rank,host,cpus,distribute_s,compute_s")
    expect("rows of warm-ups and samples", outcome.out.startswith(f"{1 + (2 + 4) * 3}\n"), outcome)
    refused(5, "$MPIRUN 2 ./maxpool_mpi -n 64 --per-rank $DIR/none/raw.csv", "raw.csv")


def ranks_are_interleaved_together():
    """Methods are interleaved in the same order in all ranks, with the same number of repeats: watch_mpi checks that.
    The rows and the raw times name the method."""
    for ranks, options in ((2, "-n 64"), (3, "-n 64 --distribute scatter"), (1, "-n 8")):
        outcome = done(f"$MPIRUN {ranks} ./watch_mpi {options} --method literal,simd,direct,van_herk --samples 12 "
                       "--relative-ci 0 --max-seconds 600 --format csv")
        for words, count in (("\n", 1 + 4 * 13), (",van_herk,", 13), (",exact,", 4 * 13), (",samples,", 4),
                             (",literal+simd+direct+van_herk,", 4 * 13)):
            expect_count(outcome, outcome.out, words, count)
    outcome = done("$MPIRUN 2 ./maxpool_mpi -n 64 --method literal,simd --samples 3 --per-rank $DIR/turns.csv "
                   ">/dev/null && grep -c ,simd $DIR/turns.csv && wc -l < $DIR/turns.csv")
    expect("rows of a method, and of both", outcome.out == "8\n17\n", outcome)


def short_executions_are_batched():
    """Short executions are timed in batches, between two readings of the clock: a single rank needs this."""
    outcome = done("./maxpool_mpi -n 8 --samples 6 --relative-ci 0 --format csv")
    expect("several at once", int(last_row(outcome)["repeats"]) > 1, outcome)
    expect_last_row(outcome, verified="exact")


def rounds_fail_together():
    """A method that "all" omits is reported once, and a wrong rank stops its method in all ranks."""
    outcome = done("$MPIRUN 3 ./maxpool_mpi -n 64 --method all --filter random --samples 2 --format csv")
    expect_count(outcome, outcome.err, "left out: --method direct takes", 1)
    expect_count(outcome, outcome.out, ",direct,", 0)
    refused(2, "$MPIRUN 2 ./maxpool_mpi -n 64 --method literal,literal", "--method names 'literal' twice")


def sharing_is_reported():
    """More workers than cores are reported once."""
    if command("./maxpool_mpi -n 64 -t 2 --samples 1").status != 0:
        raise Skipped("ranks have one thread here")
    outcome = done("$MPIRUN 2 --bind-to none ./maxpool_mpi -n 64 -t 64 --samples 1", "64 threads per rank",
                   "2 ranks of 64 threads share ", "start skew: ranks begin at different times")
    expect_count(outcome, outcome.err, "2 ranks of 64 threads share", 1)
    outcome = done("$MPIRUN 2 --bind-to none taskset -c 0 ./maxpool_mpi -n 64 --samples 1 --format csv")
    expect_count(outcome, outcome.err, "2 ranks share 1 core:", 1)
    expect_last_row(outcome, bind="none", binding="shared")


def threads_of_ranks_are_reported():
    """Threads that OpenMP binds, threads by OMP_NUM_THREADS, and ranks whose first threads OpenMP bound to one core
    each: the same one."""
    outcome = command("nproc; ./maxpool_mpi -n 64 -t 2 --samples 1")
    if outcome.status != 0 or outcome.out.split()[0] != "2":
        raise Skipped("another number of cores, or ranks have one thread here")
    bound = "OMP_PROC_BIND=close OMP_PLACES=cores"
    start = "--bind-to none ./maxpool_mpi -n 64 --samples 1 --format csv"
    expect_last_row(done(f"OMP_NUM_THREADS=2 $MPIRUN 1 {start}"), threads="2", binding="none")
    expect_last_row(done(f"OMP_NUM_THREADS=2 $MPIRUN 1 {start} -t 1"), threads="1")
    outcome = done(f"{bound} $MPIRUN 1 {start} -t 2")
    expect_last_row(outcome, binding="openmp")
    expect_count(outcome, outcome.err, "share", 0)
    outcome = done(f"{bound} $MPIRUN 2 {start}")
    expect_last_row(outcome, binding="shared")
    expect_count(outcome, outcome.err, "2 ranks share 1 core:", 1)
    outcome = done(f"GOMP_CPU_AFFINITY=0 $MPIRUN 1 {start} -t 2")
    expect_last_row(outcome, binding="shared")
    expect("said once", len(re.findall("(2 threads|1 rank of 2 threads) share 1 core:", outcome.err)) == 1, outcome)


def a_foreign_launcher_is_reported():
    """Copies started by a launcher of another MPI end with status 3; one rank beside a step of Slurm that has one task,
    or in its batch script, runs."""
    outcome = fails(3, "env -u PMI_FD MV2_COMM_WORLD_SIZE=2 ./maxpool_mpi -n 64")
    expect_count(outcome, outcome.err, FOREIGN, 1)
    expect("nothing is printed", outcome.out == "", outcome)
    done("SLURM_NTASKS=4 SLURM_PROCID=0 ./maxpool_mpi -n 64 --samples 1")
    done("MV2_COMM_WORLD_SIZE=2 $MPIRUN 1 ./maxpool_mpi -n 64 --samples 1")


def a_study_reports_a_foreign_launcher():
    """A study whose mpirun belongs to another MPI: the reason is in words, and one rank is measured."""
    if not (BIN / "study").exists():
        raise Skipped("no study here")
    write("foreign/mpirun",
          "#!/bin/sh\n# starts copies that know nothing of each other\n"
          "ranks=1\nwhile :; do case $1 in -n|-np) ranks=$2; shift 2 ;; --bind-to|--map-by) "
          "shift 2 ;; -*) shift ;; *) break ;; esac; done\nrank=0\n"
          "while [ $rank -lt $ranks ]; do PMI_RANK=$rank PMI_SIZE=$ranks \"$@\" & "
          "all=\"$all $!\"; rank=$((rank + 1)); done\nend=0\n"
          "for each in $all; do wait $each || end=$?; done\nexit $end\n").chmod(0o755)
    write("foreign/ranks.ini",
          "[experiment]\ntitle = Ranks\nquestion = How much faster?\nbaseline = fused\n"
          "section = workers\nlaunches = 1\nlauncher = mpirun\n\n[points]\n"
          "programs = maxpool_mpi\nmethod = fused\nsize = 64\nranks = 1 2\n")
    outcome = command("B=$PWD && cd $DIR/foreign && PATH=$PWD:$PATH "
                      "$B/study run ranks --definitions . --results r; "
                      "$B/study status ranks --definitions . --results r")
    holds(outcome, FOREIGN)
    expect("every point has its reason", "no samples of this point" not in outcome.out, outcome)
    samples = (DIR / "foreign/r/samples.csv").read_text(encoding="utf-8")
    expect("one rank is measured", ",fused," in samples, outcome)


def pages_are_recorded():
    """Pages of rank 0; bands of 8 MiB are large blocks."""
    expect_last_row(done("$MPIRUN 2 ./maxpool_mpi -n 2048 --samples 1 --pages ordinary --format csv"),
                    pages_asked="ordinary", pages="ordinary")


def without_mpirun_it_is_one_rank():
    expect_last_row(done("./maxpool_mpi -n 64 --samples 1 --format csv"), ranks="1", launch="plain", verified="exact")


def more_ranks_than_rows():
    for line in ("$MPIRUN 5 ./maxpool_mpi -n 4", "$MPIRUN 5 ./maxpool_mpi -n 4 --distribute scatter",
                 "$MPIRUN 3 ./matmul_mpi -n 1", "$MPIRUN 5 ./copy_mpi -R 2 -C 7 --planes 2 --method all",
                 "$MPIRUN 3 ./copy_mpi -n 7 --distribute scatter"):
        done(f"{line} --samples 1")


def photos_are_scattered():
    """Rank 0 reads a colour picture and scatters its planes; with --gray their luma."""
    for option in ("", "--gray"):
        options = f"-i $CASES/pictures/colour.png {option} --samples 1"
        done(f"./maxpool_serial {options} -o $DIR/one.png && $MPIRUN 3 ./maxpool_mpi {options} -o $DIR/three.png && "
             "cmp $DIR/one.png $DIR/three.png")


def one_rank_speaks():
    outcome = command("$MPIRUN 3 ./maxpool_mpi --help")
    expect_count(outcome, outcome.out, "Usage: maxpool_mpi", 1)
    expect_count(outcome, outcome.out, "--distribute", 0)
    outcome = command("$MPIRUN 3 ./maxpool_mpi --help all")
    expect_count(outcome, outcome.out, "--distribute generate|scatter", 1)
    outcome = done("$MPIRUN 3 ./maxpool_mpi -n 8 --print --explain", "3 on 1 node")
    expect_count(outcome, outcome.out, "Feature map (4 x 4)", 1)


def one_rank_asks():
    """Rank 0 asks; all ranks get the answers."""
    outcome = done("$MPIRUN 2 ./maxpool_mpi --interactive --samples 1 --format csv", typed="r\n6 5\n7\n1\n3\n2\n")
    expect_last_row(outcome, rows="6", cols="5", kernel="3", stride="2", distribution="scatter", verified="exact")


def a_killed_rank_ends_the_job():
    """A killed rank ends the job, and the record has only whole rows, whichever rank it was."""
    for ranks in ('"./maxpool_mpi $A" "$KILLED"', '"$KILLED" "./maxpool_mpi $A"'):
        outcome = command('rm -f $DIR/killed.csv; A="-n 64 --samples 10000000 --relative-ci 0 --max-seconds 600 '
                          '--record $DIR/killed.csv"; KILLED="$WHEN KILL $DIR/killed.csv 4000 ./maxpool_mpi $A"; '
                          f"$MPIRUN 2 $BY_RANK {ranks}")
        expect("the job fails, without a message of ours", outcome.status != 0 and ours(outcome.err) == 0, outcome)
        done("awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR < 3 }' $DIR/killed.csv && "
             'test -z "$(tail -c 1 $DIR/killed.csv)"')


def a_signal_to_one_rank_ends_all():
    """A signal to one rank ends all: each finishes its sample, long before the time is up, and the root reports what
    was measured."""
    for name, number, rank in (("TERM", 15, 1), ("TERM", 15, 0), ("INT", 2, 2)):
        outcome = command(f"rm -f $DIR/reported.csv; STOPPED={rank} SIGNAL={name} WHEN=$WHEN "
                          "REPORTED_BY=$DIR/reported.csv $MPIRUN 3 $DIR/each $DIR/signalled ./maxpool_mpi -n 64 "
                          "--samples 10000000 --relative-ci 0 --max-seconds 600 --format csv "
                          "--record $DIR/reported.csv")
        outcome.out, whole = outcome.out[-2000:], outcome.out  # what is shown of a fault
        expect_count(outcome, whole, f"left with {128 + number}\n", 3)
        expect_count(outcome, whole, "left with", 3)
        expect_count(outcome, whole, ",interrupted,", 1)
        expect("no message of ours", ours(outcome.err) == 0, outcome)


if __name__ == "__main__":
    # one rank of three gets a signal
    write("signalled", '#!/bin/sh\ntest "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = $STOPPED || exec "$@"\n'
                       'exec $WHEN $SIGNAL $REPORTED_BY 4000 "$@"\n').chmod(0o755)
    sys.exit(main(
        ranks_fail_together, every_rank_leaves_alike, a_wrong_result_is_recorded, one_rank_without_memory_ends_all,
        maps_do_not_depend_on_the_ranks, one_rank_records, raw_times_of_every_rank, ranks_are_interleaved_together,
        short_executions_are_batched, rounds_fail_together, sharing_is_reported, threads_of_ranks_are_reported,
        a_foreign_launcher_is_reported, a_study_reports_a_foreign_launcher, pages_are_recorded,
        without_mpirun_it_is_one_rank, more_ranks_than_rows, photos_are_scattered, one_rank_speaks, one_rank_asks,
        a_killed_rank_ends_the_job, a_signal_to_one_rank_ends_all))
