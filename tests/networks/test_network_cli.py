#!/usr/bin/env python3
"""The network programs as a user meets them: exit status and message of every error, what is reported, recorded and
written, and equal outputs for any number of threads. Usage: tests/support/commands.py."""
import os
import pathlib
import re
import struct
import sys
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import (DATA, DIR, FEATURES, Skipped, done, fails, main, need, refused, write, write_npy,
                      write_zeros_png)

BRIEF = "--samples 1 --warmup 0"  # keeps every command short


def bad_options_are_refused():
    for status, options, words in (
            (2, "", "which network? give --network"),
            (2, "--network lenet", "there is no 'lenet'"),
            (2, "--network resnet81", "did you mean 'resnet18'?"),
            (2, "--network solar_cnn -n 50", "--size does not apply here"),
            (2, "--network solar_cnn -t 2", "--threads does not apply"),
            (2, "--network solar_cnn --batch 0", "batch must be at least 1, not 0"),
            (2, "--network solar_cnn --conv sideways", "there is no 'sideways'"),
            (2, "--network resnet18 --image-size 0", "at least 1, not 0"),
            (2, "--network solar_cnn --image-size 5", "pool: a window of 2 x 2 does not fit 1 x 1"),
            (2, "--network mlp:50 --image-size 9", "takes vectors"),
            (4, "--network resnet18 --batch 100000000", "outputs of all layers"),
            (4, "--network resnet18 --batch 9000000000000000000", "cannot be counted"),
            (2, "--network solar_cnn --weights /dev/null/x", "/dev/null/x"),
            (5, "--network mlp:50 --save /dev/null/x", "/dev/null/x"),
            (2, "--network mlp:50 --input /nonexistent.npy", "nonexistent")):
        refused(status, f"./network_serial {options}", words)
    refused(2, "./maxpool_serial --network solar_cnn", "measures an operator")


def errors_are_recorded():
    """Errors are those of each layer relative to its own inputs, and those of the outputs relative to double precision
    throughout, which are no smaller. Exact results have no errors; without verification the errors are unknown."""
    for way in ("full", "sampled"):
        outcome = done(f"./network_serial --network resnet18 --image-size 33 --verify {way} --format csv {BRIEF}")
        value = lambda name, seen=outcome: float(seen.cell("auto", name))
        expect("a layer", outcome.cell("auto", "error_layer") != "", outcome)
        expect("of the bound", 0 < value("error_bound_rms") < value("error_bound_max") < 1, outcome)
        expect("ulps", 0.1 < value("error_ulps_rms") < min(10, value("error_ulps_max")), outcome)
        expect("ulps of the network", 0.5 < value("error_network_ulps") < 50, outcome)
    outcome = done(f"./conv_serial -n 9 --method implicit --format csv {BRIEF}")
    errors = [outcome.cell("implicit", name) for name in ("error_bound_max", "error_ulps_rms", "error_network_ulps")]
    expect("exact", [float(errors[0]), float(errors[1]), errors[2]] == [0, 0, ""], outcome)
    outcome = done(f"./network_serial --network mlp:9 --verify none --format csv {BRIEF}")
    expect("unknown", outcome.cell("auto", "error_bound_max") == outcome.cell("auto", "error_ulps_rms") == "", outcome)


def what_is_reported():
    outcome = done(f"./network_serial --network solar_cnn --batch 2 --layers {BRIEF}",
                   "4,352,641 parameters (seeded with 35)", "2 of 1 x 50 x 50 (random)",
                   "43,999,360 multiply-adds per image; 11 layers in 5 steps", "if none shared memory",
                   "every value is within the error bound", "conv+relu", "GFLOP/s", "\nError         ",
                   " ulps (root mean square), ", "; the largest of ",
                   "multiply-adds  method     bound       ulps    fastest", "sum         0.")  # ulps of a convolution
    expect("no bands", "Bands" not in outcome.out, outcome)
    done(f"./network_serial --network mobilenet_v2 --image-size 272 --layers --verify none {BRIEF}",
         "Bands         3 steps in groups of 3", "Bands         features.2.conv.0.0 to features.2.conv.2, ")
    done("./network_serial --list-networks", "resnet18", "mlp:H1-H2-...")
    done("./network_serial --help all", "--image-size N", never=("--kernel-size", "--planes"))


def what_is_recorded():
    done(f"./network_serial --network mlp:50-25 --batch 3 --format csv {BRIEF}", ",network,weights,images,batch",
         ",mlp:50-25,seeded,,3", "network_serial,network,serial,auto")


def several_methods_are_interleaved():
    done(f"./network_serial --network solar_cnn --image-size 20 --conv auto,implicit,literal {BRIEF}",
         "3 methods, interleaved", "\nError         auto ", ", literal ", " ulps (root mean square)\n")


def outputs_of(line):
    """Returns the bytes of the outputs that a command writes."""
    done(f"{line} -o $DIR/outputs.npy {BRIEF}")
    return (DIR / "outputs.npy").read_bytes()


def saved_parameters_and_threads_give_the_same_outputs():
    for network in ("solar_cnn --image-size 20 --batch 3", "mobilenet_v2 --image-size 33", "mlp:100-50 --batch 17"):
        first = outputs_of(f"./network_serial --network {network} --verify none --save $DIR/saved.safetensors")
        for threads in (2, 3):
            line = f"./network_omp --network {network} --verify none --weights $DIR/saved.safetensors -t {threads}"
            expect("the same outputs", outputs_of(line) == first, line)


def images_from_a_file():
    values = [1.0, 2.0, 3.0] + [0.0] * 97
    vectors = write_npy("vectors.npy", (2, 50), values)
    line = f"./network_serial --network mlp:50 -i {vectors}"
    done(f"{line} {BRIEF}", "2 of 50 x 1 x 1")
    done(f"{line} --batch 2 {BRIEF}")
    refused(2, f"{line} --batch 3", "vectors.npy, whose batch is 2")
    refused(2, f"./network_serial --network mlp:50 -i {write_npy('wide.npy', (4, 25), values)}",
            "takes vectors of 50, not of 25")


def pictures_have_classes_and_names():
    """Prints one line per class, and pictures by name. A broken picture leaves no output behind. What names might tell
    a terminal is not printed."""
    need("png")
    picture = (DATA / "brain_axial.png").read_bytes()
    write("pics/first.png", picture)
    write("names.txt", "axial\nb \n sagittal")
    line = f"./network_serial --network alexnet_mri -i $DIR/pics --top 3 --verify none {BRIEF} --class-names $DIR/"
    done(f"{line}names.txt", "0  ", "pics/first.png", "  0  axial\n", "  1  b\n", "  2  sagittal\n", "1 of 1 x 32 x 32")
    write("coloured.txt", b"\033[31maxial\nb\n\xc2\x9bs\n")
    hostile = os.fsencode(DIR / "pics") + b"/f\033[2Ji\xff.png"
    os.rename(DIR / "pics/first.png", hostile)
    outcome = done(f"{line}coloured.txt", "?[31maxial", "f?[2Ji\N{REPLACEMENT CHARACTER}.png")
    expect("no escape", "\033" not in outcome.out, outcome)
    os.rename(hostile, DIR / "pics/first.png")
    write("pics/second.png", picture[:len(picture) // 2])
    refused(2, "./network_serial --network alexnet_mri -i $DIR/pics -o $DIR/half.npy", "pics/second.png: bad PNG")
    expect("no output", not (DIR / "half.npy").exists())
    for options, words in (
            ("mlp:50 -i $DIR/pics", "takes vectors, not pictures"),
            ("solar_cnn --top 1 --class-names $DIR/names.txt", "more names than the 1 classes"),
            ("mobilenet_v2 --image-size 33 --top 1 --class-names $DIR/names.txt",
             "names 3 classes, and the network has 1000"),
            ("solar_cnn --top 2", "the outputs of the network, 1"),
            ("solar_cnn --class-names x", "give both"),
            ("mlp:9 --top 1 --format csv", "needs --format text")):
        refused(2, f"./network_serial --network {options}", words)


def large_pictures_are_limited():
    """A picture of 64 KB with 64 Mi pixels: announced first, read no longer than requested, and in little memory;
    interlaced, it takes the memory of its pixels and at most the bound."""
    need("png")
    write_zeros_png("zeros.png", 8192)
    line = "./network_serial --network solar_cnn -i $DIR/zeros.png"
    fails(4, f"{line} --max-seconds 0.001", "that unpack to an image of 64 MiB; after --max-seconds 0.001",
          "zeros.png: it could not be unpacked within 0.001 s")
    outcome = done(f"exec {line} --verify none {BRIEF} --max-seconds 1000", err=("that unpack to an image of 64 MiB",))
    if "sanitize" not in FEATURES:
        expect("rows of 8192 pixels take 100 MiB at most", outcome.peak_kib <= 100 * 1024, outcome.peak_kib)


def an_interlaced_picture_beyond_the_bound():
    """24000 x 24000 gray pixels, interlaced: refused because of its header. Its data chunk is as long as the file."""
    need("png")
    header = b"IHDR" + struct.pack(">IIBBBBB", 24000, 24000, 8, 0, 0, 0, 1)
    data = b"IDAT" + bytes(600000)
    write("woven.png", b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header)) +
          struct.pack(">I", len(data) - 4) + data + bytes(4))
    refused(4, "./network_serial --network solar_cnn -i $DIR/woven.png",
            "an interlaced image of 24000 x 24000 is unpacked whole, 549 MiB, more than the 512 that pictures take")


def bytes_before(text, words):
    """Returns the bytes that a line of the summary gives before these words: "12.3 MiB for ..."."""
    number, unit = re.search(r"([\d.]+) (MiB|KiB|B)" + re.escape(words), text).groups()
    return float(number) * {"MiB": 1048576, "KiB": 1024, "B": 1}[unit]


def expect_peak(outcome, more=0.0):
    """The peak memory of a process: parameters as steps read them, once; live outputs; scratch; `more` bytes; and 20
    MiB, which must suffice for the layer being packed, the program itself and the huge pages that blocks do not
    fill."""
    parts = (" of weights in the order of reading", " for the outputs of layers", "\n              ")
    due = sum(bytes_before(outcome.out, words) for words in parts) + more + 20 * 1048576
    expect(f"{outcome.peak_kib} KiB at the peak, {due / 1024} are due", 1024 * outcome.peak_kib <= due, outcome)


def weights_are_held_once():
    """If nothing reads the parameters again, only the packed ones are kept; if an oracle or another method does, the
    unpacked ones are kept too, once for all readers."""
    if "sanitize" in FEATURES:
        raise Skipped("sanitizers use additional memory")
    for network in ("resnet18 --image-size 33", "resnet18 --image-size 224", "mobilenet_v2 --image-size 33",
                    "alexnet_mri"):
        expect_peak(done(f"exec ./network_serial --network {network} --verify none {BRIEF}",
                         "are kept in this order only"))
    outcome = done(f"exec ./network_serial --network alexnet_mri {BRIEF}", "are also kept unpacked")
    expect_peak(outcome, bytes_before(outcome.out, " of parameters"))
    done(f"./network_serial --network alexnet_mri --verify none --conv auto,implicit {BRIEF}", "are also kept unpacked")


def features_are_written():
    written = outputs_of("./network_serial --network mobilenet_v2 --image-size 33 --features --verify none")
    expect("one row of 1280", b"(1, 1280)" in written and 1280 * 4 < len(written) < 1281 * 4 + 192, written[:200])


if __name__ == "__main__":
    sys.exit(main(
        bad_options_are_refused, what_is_reported, errors_are_recorded, what_is_recorded,
        several_methods_are_interleaved, saved_parameters_and_threads_give_the_same_outputs, images_from_a_file,
        pictures_have_classes_and_names, large_pictures_are_limited, an_interlaced_picture_beyond_the_bound,
        weights_are_held_once, features_are_written))
