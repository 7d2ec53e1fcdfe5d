#!/usr/bin/env python3
"""network_mpi as a user runs it under mpirun: outputs do not depend on the number of ranks, ranks fail together with
one message, and wrong messages are detected. Usage: tests/support/commands.py."""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import done, main, write_npy
from each_rank import leaves_alike

BRIEF = "--samples 1 --warmup 0"  # makes every command short


def outputs_do_not_depend_on_the_ranks():
    """Byte for byte the file that the serial program writes, each output compared with the oracle."""
    ways = ("--distribute generate", "--distribute scatter", "--threads 2")
    for number, (options, least_ranks, verdict) in enumerate((
            ("solar_cnn --image-size 12 --batch 5", 1, "every value is within the error bound"),
            ("mlp:30-20 --batch 17", 2, "every value is within the error bound"),
            ("mobilenet_v2 --image-size 33 --batch 2 --verify none", 3, ""),
            ("mobilenet_v2 --image-size 160 --batch 3 --verify none", 2, ""))):  # in bands
        done(f"./network_serial --network {options} -o $DIR/serial.npy {BRIEF}")
        for ranks in range(least_ranks, 4):
            done(f"$MPIRUN {ranks} ./network_mpi --network {options} {ways[(ranks + number) % 3]} -o $DIR/ranks.npy "
                 f"{BRIEF} && cmp $DIR/serial.npy $DIR/ranks.npy", verdict)


def files_are_read_by_one_rank():
    """Vectors and planes, whose parts are not adjacent in a file; and parameters that rank 0 alone reads."""
    elements = [i % 23 - 11 for i in range(5 * 50)]
    write_npy("vectors.npy", (5, 50), elements)
    write_npy("images.npy", (2, 1, 11, 11), elements[:2 * 11 * 11])
    for network, seed, images, words in (("mlp:50", "", "vectors", "image scattered"),
                                         ("solar_cnn", "--seed 7", "images", "3 on 1 node, 2 with work")):
        common = f"--network {network} -i $DIR/{images}.npy {BRIEF}"
        done(f"./network_serial {common} {seed} --save $DIR/weights -o $DIR/1.npy && "
             f"$MPIRUN 3 ./network_mpi {common} --weights $DIR/weights -o $DIR/3.npy && cmp $DIR/1.npy $DIR/3.npy",
             words)


def one_rank_reports():
    """Only one rank prints: every line of the summary appears once, and the record has one header."""
    outcome = done("$MPIRUN 2 ./network_mpi --network solar_cnn --image-size 8 --batch 3 --layers "
                   f"--conv auto,implicit {BRIEF}", "2 methods, interleaved", "2 of them in rank 0")
    expect("once", outcome.out.count("multiply-adds per image") == 1, outcome)
    outcome = done("$MPIRUN 2 ./network_mpi --network mlp:50 --batch 3 --format csv --per-rank $DIR/ranks.csv "
                   "--samples 2 && cat $DIR/ranks.csv")
    for words, count in (("network_mpi,network,mpi,auto", 3), (",mlp:50,seeded,,3", 3),
                         ("start_error_s", 2)):  # the record's header and the ranks'
        expect(f"{words} {count} times", outcome.out.count(words) == count, outcome)


def gradients_travel_in_pieces():
    """A message that is too long for MPI's counts is sent in pieces, and no tag grows with the shards:
    wrong_network_mpi ends if a message is longer than 29 floats or has a tag above 16."""
    training = "--network mlp:50-25 --task train --data random --batch 64 --shards 64 --steps 3 --warmup 0"
    done(f"./network_serial {training} --save $DIR/one")
    for strategy in ("mirrored", "central"):
        done(f"FAULT=none $MPIRUN 3 ./wrong_network_mpi {training} --strategy {strategy} --save $DIR/three && "
             "cmp $DIR/one $DIR/three")


def ranks_fail_together():
    wrong = "$MPIRUN 2 $DIR/each ./wrong_network_mpi --network mlp:9 --batch 2 --samples 5"
    for ranks, status, line, words in (
            (2, 2, "$MPIRUN 2 $DIR/each ./network_mpi", "which network? give --network"),
            (2, 2, "$MPIRUN 2 $DIR/each ./network_mpi --network lenet", "there is no 'lenet'"),
            (2, 2, "$MPIRUN 2 $DIR/each ./network_mpi --network mlp:50 -i missing.npy", "missing.npy"),
            (2, 2, "$MPIRUN 2 $DIR/each ./network_mpi --network mlp:50 --weights missing", "missing"),
            (2, 5, "$MPIRUN 2 $DIR/each ./network_mpi --network mlp:50 --save missing/x", "missing/x"),
            (2, 4, "$MPIRUN 2 $DIR/each ./network_mpi --network resnet18 --batch 100000000", "outputs of all layers"),
            (2, 5, "$MPIRUN 2 $DIR/each ./network_mpi --network mlp:50 --record /dev/full", "/dev/full"),
            (3, 2, "$MPIRUN 3 $DIR/each $BY_RANK './network_mpi --network mlp:50' "
             "'./network_mpi --network mlp:50 --batch 2'", "the ranks were given different options"),
            (2, 1, wrong, "the outputs differ from those of the same batch"),
            (2, 1, f"{wrong} --distribute scatter", "the outputs in rank 0 are not those of the ranks"),
            (2, 1, f"FAULT=image {wrong} --distribute scatter", "the ranks' images are not those that rank 0 sent"),
            (2, 1, f"FAULT=idle {wrong}", "the outputs differ from those of the same batch"),
            (2, 1, f"FAULT='loses images' {wrong} --distribute scatter",
             "the ranks' images are not those that rank 0 sent"),
            (2, 1, f"FAULT='loses outputs' {wrong} --distribute scatter",
             "the outputs in rank 0 are not those of the ranks")):
        leaves_alike(ranks, status, line, words)


if __name__ == "__main__":
    sys.exit(main(
        outputs_do_not_depend_on_the_ranks, files_are_read_by_one_rank, one_rank_reports, gradients_travel_in_pieces,
        ranks_fail_together))
