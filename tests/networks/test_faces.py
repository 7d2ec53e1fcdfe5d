#!/usr/bin/env python3
"""The faces programs: four structures and any number of threads give one result, an error is named, and what cannot be
done is refused. Usage: tests/support/commands.py."""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, rows_in
from commands import DATA, DIR, done, main, need, read_npy, refused, write, write_npy

SLICES, SIDE = 7, 11
SMALL = "--network solar_cnn --features --image-size 8 -i $DIR/slices.npy"  # a small network
BRIEF = "--samples 1 --warmup 0"


def distances(program, structure):
    """Returns the distances that a structure writes."""
    done(f"{program} {SMALL} --batch 3 --structure {structure} -o $DIR/distances.npy {BRIEF}", "bound: every value")
    shape, values = read_npy("distances.npy")
    expect("each to each", shape[-2:] == (SLICES, SLICES), shape)
    return values


def all_structures_give_one_result():
    """Structures that use the definition give the same bits in every program; all results are close to each other."""
    first = distances("./faces_serial", "reload")
    for i in range(SLICES):
        for k in range(SLICES):
            there, back = first[i * SLICES + k], first[k * SLICES + i]
            expect(f"{i} to {k}", there == back and (there == 0) == (i == k), first)
    for program, structure, exact in (("./faces_serial", "once", True), ("./faces_serial", "split", True),
                                      ("./faces_serial", "batched", False), ("./faces_omp --threads 3", "split", True),
                                      ("./faces_omp --threads 2", "batched", False)):
        other = distances(program, structure)
        expect(f"{program} {structure}: the same bits", other == first or not exact, other)
        expect(f"{program} {structure}: close", all(abs(x - y) <= 3e-5 * x for x, y in zip(first, other)), other)


def structures_are_interleaved_and_recorded():
    done(f"./faces_serial {SMALL} --structure all --samples 1", "4 methods, interleaved", "7 of 1 x 8 x 8",
         "in batches of 7 by batched", "(of its fastest execution)")
    done(f"./faces_serial {SMALL} --structure reload,batched --format csv {BRIEF}",
         "faces_serial,faces,serial,reload", "faces_serial,faces,serial,batched", ",solar_cnn+features,seeded,7")
    done(f"./faces_serial {SMALL} --structure once --pictures 5 --batch 2 {BRIEF}", "5 of 1 x 8 x 8",
         "in batches of 2 by batched")


def a_timeline_distinguishes_structures():
    done(f"./faces_serial {SMALL} --structure reload,batched --timeline $DIR/timeline.csv {BRIEF}")
    rows = rows_in(DIR / "timeline.csv")
    expect("both structures", {row["label"] for row in rows} >= {"reload", "batched"}, rows)
    for row in rows:
        expect("a row", row["label"] and float(row["seconds"]) >= 0 and float(row["resident_bytes"]) > 0, row)


def what_is_wrong_is_named():
    refused(1, f"./wrong_faces {SMALL} {BRIEF}", "the embedding of picture 6 differs")
    refused(1, f"FAULT=distance ./wrong_faces {SMALL} {BRIEF}", "the distance of pictures 1 and 0 is")


def what_cannot_be_done_is_refused():
    for status, line, words in (
            (2, "./faces_serial", "which network? give --network"),
            (2, "./faces_serial --network mlp:50", "takes vectors, not pictures"),
            (2, f"./faces_serial {SMALL} --pictures 8", "has 7, not 8"),
            (2, "./network_serial --network solar_cnn --pictures 2", "--pictures"),
            (2, f"./faces_serial {SMALL} --structure sideways", "there is no 'sideways'"),
            (2, f"./faces_serial {SMALL} --layers", "goes by --structure"),
            (2, f"./faces_serial {SMALL} --conv auto", "goes by --structure"),
            (2, "./network_serial --network solar_cnn --structure once", "has one structure"),
            (2, f"./faces_serial {SMALL} --weights missing.safetensors", "missing.safetensors"),
            (2, "./faces_serial --network solar_cnn -i missing", "missing"),
            (5, f"./faces_serial {SMALL} --timeline missing/x.csv", "missing/x.csv"),
            (4, "./faces_serial --network resnet18 --image-size 1000000 -i $DIR/slices.npy", "")):
        refused(status, line, words)


def a_broken_picture_is_named():
    """A truncated picture in the folder is named, and no file of distances is left behind."""
    need("png")
    picture = (DATA / "brain_axial.png").read_bytes()
    write("pics/1.png", picture)
    write("pics/2.png", picture[:len(picture) // 2])
    for structure in ("reload", "batched"):
        refused(2, "./faces_serial --network solar_cnn --features --image-size 8 -i $DIR/pics "
                   f"--structure {structure} -o $DIR/half.npy {BRIEF}", "pics/2.png: bad PNG")
        expect("no distances", not (DIR / "half.npy").exists())


if __name__ == "__main__":
    # slices of a volume, no two of which are alike
    write_npy("slices.npy", (SLICES, 1, SIDE, SIDE),
              [(i * 37 + i // (SIDE * SIDE) * i % 101) % 256 for i in range(SLICES * SIDE * SIDE)])
    sys.exit(main(
        all_structures_give_one_result, structures_are_interleaved_and_recorded, a_timeline_distinguishes_structures,
        what_is_wrong_is_named, what_cannot_be_done_is_refused, a_broken_picture_is_named))
