#!/usr/bin/env python3
"""The convolution programs as a user meets them: the known answers of tests/cases/conv by every method, with threads and
ranks; files of four dimensions read and written; bad input with its status and message; and the contents of records and
summaries. Usage: tests/support/commands.py."""
import pathlib
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import BIN, CASES, FEATURES, Skipped, command, done, fails, main, need, read_npy, write, write_npy

SAME, BACKWARD = "$CASES/conv/same_3x3", "$CASES/conv/backward_3x3_s2"
PROGRAMS = ["./conv_serial"]
PROGRAMS += ["./conv_omp -t 3"] if "openmp" in FEATURES else []
PROGRAMS += ["$MPIRUN 3 ./conv_mpi"] if "mpi" in FEATURES else []


def here(*commands):
    """Returns those of the commands whose programs this build has."""
    return [line for line in commands if ("openmp" in FEATURES or "conv_omp" not in line) and
            ("mpi" in FEATURES or "conv_mpi" not in line)]


def errors_are_of_the_whole_map():
    """Sums that round have the same reported errors, no matter which worker computed which part of the map."""
    known = None
    for program in PROGRAMS:
        outcome = done(f"{program} -n 21 --channels 8 --max-value 9999999 --method implicit --samples 1 --warmup 0 "
                       "--format csv")
        expect("within the bound", outcome.cell("implicit", "verified") == "bound", outcome)
        found = [float(outcome.cell("implicit", f"error_{name}"))
                 for name in ("bound_max", "bound_rms", "ulps_max", "ulps_rms")]
        known = known or found
        expect(f"errors of {program}", all(0.0 < error < 20.0 and abs(error - other) <= 1e-8 * other
                                           for error, other in zip(found, known)), (found, known))


# ---- known answers --------------------------------------------------------------------------------------------------


class Known:
    """A line of tests/cases/conv/cases.tsv, whose last word says whether its numbers are integers."""

    def __init__(self, line):
        self.name, *numbers, self.kind = line.split()
        (self.batch, _, rows, cols, self.filters, self.kernel, self.stride, self.padding, self.groups,
         self.bias) = map(int, numbers)
        sides = [(side + 2 * self.padding - self.kernel) // self.stride + 1 for side in (rows, cols)]
        self.shape = (self.batch, self.filters, *sides)

    def wrong(self):
        """Returns how many numbers of the written map differ: in a bit, or by more than the bound of their terms."""
        found, right = read_npy("map.npy"), read_npy(CASES / f"conv/{self.name}.y.npy")
        most = 0.0 if self.kind == "integers" else 2e-5
        expect(f"shape of {self.name}", found[0] == self.shape, found[0])
        return sum(not abs(a - b) <= most for a, b in zip(found[1], right[1], strict=True))

    def met(self, program, method):
        """Runs the case. Returns whether the method can compute it."""
        path = f"$CASES/conv/{self.name}"
        outcome = command(f"{program} -i {path}.x.npy --weights {path}.w.npy"
                          f"{f' --bias {path}.b.npy' if self.bias else ''} --filters {self.filters} "
                          f"--groups {self.groups} -k {self.kernel} -s {self.stride} -p {self.padding} "
                          f"--method {method} --samples 2 -o $DIR/map.npy")
        if outcome.status == 2 and "takes" in outcome.err:
            return False
        expect("it is computed", outcome.status == 0, outcome)
        expect("the known answer", self.wrong() == 0, outcome)
        expect("its verdict", ("exact: " if self.kind == "integers" else "bound: ") in outcome.out, outcome)
        return True


def known():
    text = (CASES / "conv/cases.tsv").read_text(encoding="utf-8")
    return [Known(line) for line in text.splitlines() if not line.startswith("#")]


def known_answers_are_met():
    methods = ("literal", "im2col", "implicit", "winograd", "depthwise")
    count = sum(case.met(program, method) for case in known() for program in PROGRAMS
                for method in (("all",) if "mpi" in program else methods))  # starting ranks takes long
    expect("methods for all cases", count >= 6 * 3 + 2 + 1, count)


def known_answers_are_met_by_a_gpu():
    """The GPU kernels, if the tests run them on this machine's processor."""
    program = "./conv_cuda_on_emulation"
    if not (BIN / program).exists() or command(f"{program} -n 4 --samples 1").status == 3:
        raise Skipped("the method tables of this build know no CUDA")
    count = sum(case.met(program, method) for case in known()
                for method in ("naive", "tiled", "tiled --filter-memory constant"))
    expect("all cases by all methods", count == 6 * 3, count)


def a_wrong_answer_would_be_seen():
    """Without the bias; a comparison that accepts everything would accept this too."""
    done(f"./conv_serial -i {SAME}.x.npy --weights {SAME}.w.npy --filters 16 -p 1 --samples 1 -o $DIR/map.npy")
    expect("wrong values are counted", [case for case in known() if case.name == "same_3x3"][0].wrong() > 0)


# ---- workers --------------------------------------------------------------------------------------------------------


def expect_same_map(options, first, *commands):
    """The map of every command equals the first, bit for bit."""
    done(f"./conv_serial {options} {first} -o $DIR/a.npy", "exact: ")
    for line in here(*commands):
        done(f"{line} {options} -o $DIR/b.npy && cmp $DIR/a.npy $DIR/b.npy", "exact: ")


def maps_do_not_depend_on_workers():
    """More workers than rows, too."""
    expect_same_map("-R 7 -C 13 --batch 2 --channels 6 --filters 8 --groups 2 -p 1 --bias random --method implicit "
                    "--samples 1", "", "./conv_omp -t 2", "./conv_omp -t 9", "$MPIRUN 4 ./conv_mpi",
                    "$MPIRUN 4 ./conv_mpi --distribute scatter")


def tiles_do_not_depend_on_threads():
    """A rounded tile depends on where it begins: threads begin at whole tiles, whatever their number."""
    line = "-R 23 -C 13 --batch 2 --channels 29 --filters 13 -k 3 --seed 610 --samples 1 --method winograd4"
    done(f"./conv_serial {line} -o $DIR/a.npy")
    for threads in (2, 3, 5, 9):
        done(f"./conv_omp -t {threads} {line} -o $DIR/b.npy && cmp $DIR/a.npy $DIR/b.npy")


def maps_do_not_depend_on_who_shares_the_launch():
    """Ranks begin at whole tiles where the method has tiles, alone or beside a method of single rows. Each rank verifies
    the outputs that it has of each method."""
    need("mpi")
    line = "-R 23 -C 13 --batch 2 --channels 29 --filters 13 -k 3 --seed 610 --samples 1 --format csv"
    for first, other in (("winograd4", "implicit"), ("implicit", "winograd4")):
        done(f"./conv_serial {line} --method {first} -o $DIR/a.npy")
        for methods in (first, f"{first},{other}"):
            for distribution in ("generate", "scatter"):
                outcome = done(f"$MPIRUN 3 ./conv_mpi {line} --distribute {distribution} --method {methods} "
                               "-o $DIR/b.npy && cmp $DIR/a.npy $DIR/b.npy")
                for method, verdict in (("winograd4", "bound"), ("implicit", "exact")):
                    expect(f"{method} is verified", method not in methods or
                           outcome.cell(method, "verified") == verdict, outcome)


def scales_are_the_same_everywhere():
    """A scale gives the same bits whether it is folded into the weights or applied in a separate pass."""
    expect_same_map("-R 7 -C 13 --batch 2 --channels 6 --filters 8 -p 1 --samples 1 --max-value 3 --bias random "
                    "--factor random --residual random --activation relu", "--method implicit",
                    "./conv_serial --epilogue pass --method literal", "./conv_serial --epilogue store --method im2col",
                    "./conv_omp -t 3 --epilogue store --method winograd",
                    "$MPIRUN 3 ./conv_mpi --epilogue store --method implicit",
                    "$MPIRUN 2 ./conv_mpi --epilogue pass --distribute scatter --method implicit")


def filters_are_distributed_with_what_is_theirs():
    """Five rows do not divide evenly among two workers: each takes some filters, with their biases, factors and
    residuals."""
    expect_same_map("-R 5 -C 5 --channels 6 --filters 122 -p 1 --samples 1 --max-value 3 --bias random --factor random "
                    "--residual random --activation relu", "--method implicit",
                    "./conv_omp -t 2 --epilogue store --method implicit",
                    "./conv_omp -t 2 --epilogue pass --method implicit",
                    "./conv_omp -t 2 --epilogue store --method im2col",
                    "./conv_omp -t 2 --epilogue pass --method literal",
                    "./conv_omp -t 2 --epilogue store --method winograd",
                    "./conv_omp -t 7 --epilogue store --method implicit",
                    "$MPIRUN 1 ./conv_mpi -t 2 --epilogue store --method implicit",
                    "$MPIRUN 2 ./conv_mpi -t 2 --epilogue pass --distribute scatter --method winograd")


def epilogues_are_what_they_say():
    """The map itself as residual, rectified, or both, by every method and both kinds of epilogue."""
    shape = "-R 5 -C 9 --batch 2 --channels 3 --filters 7 -p 1 --max-value 2 --bias random --samples 1"
    done(f"./conv_serial {shape} -o $DIR/plain.npy")
    plain = read_npy("plain.npy")[1]
    for options, expected in (("--residual $DIR/plain.npy", lambda x: x + x),
                              ("--activation relu", lambda x: max(x, 0.0)),
                              ("--activation relu6 --residual $DIR/plain.npy", lambda x: min(max(x + x, 0.0), 6.0))):
        for way in ("store --method implicit", "pass --method winograd"):
            outcome = done(f"./conv_serial {shape} {options} --epilogue {way} -o $DIR/other.npy")
            other = read_npy("other.npy")[1]
            expect("the epilogue", other == tuple(map(expected, plain)), outcome)
            expect("it changes much", sum(a != b for a, b in zip(plain, other)) > len(plain) / 4, outcome)


# ---- pictures -------------------------------------------------------------------------------------------------------


def write_jpeg(name):
    """Writes a JPEG picture of 8 x 16 pixels: two flat blocks, whose three means are coded as differences from those
    before them, in units of two levels from 128; the rest of each block ends at once."""
    bits, before = "", (0, 0, 0)
    for means in ((40, -20, 9), (-31, 50, 22)):
        for difference in (mean - other for mean, other in zip(means, before)):
            size = abs(difference).bit_length()
            bits += f"{size:04b}{difference if difference > 0 else difference + 2**size - 1:0{size}b}0"
        before = means
    bits += "1" * (-len(bits) % 8)
    coded = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    segments = (b"\xdb", bytes([0]) + bytes([16] * 64),  # steps; rows, columns; codes of sizes and of an end; order
                b"\xc0", bytes([8, 0, 8, 0, 16, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0]),
                b"\xc4", bytes([0, 0, 0, 0, 8] + [0] * 12 + list(range(8))), b"\xc4", bytes([16, 1] + [0] * 16),
                b"\xda", bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0]))
    write(name, b"\xff\xd8" + b"".join(b"\xff" + mark + struct.pack(">H", len(content) + 2) + content
                                       for mark, content in zip(segments[::2], segments[1::2])) + coded + b"\xff\xd9")


def pictures_have_three_channels():
    """With a filter of 1 x 1 and the value 1 for each channel the map equals a copy of the picture."""
    write_npy("ones.npy", (3, 1, 1, 1), (1.0, 1.0, 1.0))
    write_jpeg("colour.jpg")
    for feature, picture in (("png", "$CASES/pictures/colour.png"), ("jpeg", "$DIR/colour.jpg")):
        if feature not in FEATURES:
            continue
        done(f"./copy_serial -i {picture} --samples 1 -o $DIR/planes.npy")
        done(f"./conv_serial -i {picture} --weights $DIR/ones.npy --filters 3 --groups 3 -k 1 --method "
             "implicit,depthwise --samples 1 -o $DIR/map.npy", "Image         3 planes of ")
        planes, found = read_npy("planes.npy")[1], read_npy("map.npy")[1]
        expect(f"{picture} is copied", planes == found)
        third = len(found) // 3
        sums = [sum(found[at:at + third]) for at in (0, third, 2 * third)]
        expect("the channels differ", sums[0] != sums[1] != sums[2], sums)


# ---- worked out -----------------------------------------------------------------------------------------------------


def explanations_end_in_the_outputs():
    """The explanation of the last output ends with the value that the map has at that place."""
    outcome = done("./conv_serial -R 3 -C 4 --channels 4 --filters 2 --groups 2 -p 1 -k 3 --bias random --factor random "
                   "--residual random --activation relu6 --samples 1 --explain --print -o $DIR/map.npy")
    last = outcome.out.partition("Output (2, 3) of filter 1: windows at row 1, column 2\n")[2]
    value = read_npy("map.npy")[1][23]
    for words in ("  channel 2\n", "  channel 3\n", ", times ", ", plus residual ", f", clamped: {value:.9g}\n"):
        expect(f"{words!r} explains it", words in last, outcome)
    expect("the channels of its group alone", "  channel 0\n" not in last, outcome)
    done("./conv_serial -n 2 --channels 1 --filters 1 -k 1 --max-value 0 --samples 1 --explain",
         "Output (1, 1) of filter 0: windows at row 1, column 1\n", "  sum 0\n")
    fails(2, "./conv_serial -n 64 --explain", "--explain is for small images")


# ---- gradients ------------------------------------------------------------------------------------------------------


def gradients_are_those_of_pytorch():
    for program in PROGRAMS:
        for gradient, operands, method, of in (("image", f"--weights {BACKWARD}.w.npy", "literal", "dx"),
                                               ("image", f"--weights {BACKWARD}.w.npy", "implicit", "dx"),
                                               ("weights", "", "literal", "dw"), ("weights", "", "tiles", "dw")):
            outcome = done(f"{program} -i {BACKWARD}.x.npy {operands} --output-gradient {BACKWARD}.dy.npy --filters 8 "
                           f"--groups 2 -s 2 -p 1 --gradient {gradient} --method {method} --samples 1 "
                           "-o $DIR/map.npy --format csv", ",exact,", gradient)
            right = read_npy(CASES / f"conv/backward_3x3_s2.{of}.npy")[1]
            expect("it is PyTorch's", read_npy("map.npy")[1] == right and len(set(right)) > 9, outcome)


def transformed_gradients_are_the_definition():
    """For windows of 3 x 3 at stride 1, every program gives the same bits as the definition."""
    options = ("-R 9 -C 8 --batch 3 --channels 6 --filters 40 --groups 2 -p 2 --gradient weights --output-gradient random "
               "--samples 2")
    expect_same_map(options, "--method literal", *(f"{program} --method winograd" for program in PROGRAMS))
    done(f"./conv_serial {options} --max-value 100 --method winograd,tiles", "bound")


def earlier_commands_are_read():
    """They use an older name of the output-gradient option, and may set options to "none" that the operator does not
    have."""
    outcome = done("./conv_serial -n 6 -p 1 --gradient weights --weights random --bias none --activation none --slopes "
                   "random --method tiles --samples 1 --format csv")
    found = [outcome.cell("tiles", column) for column in ("d_output", "gradient", "weights")]
    expect("columns", found == ["random", "weights", ""], outcome)
    outcome = done("./conv_serial -n 6 --gradient none --slopes none --samples 1 --format csv")
    expect("no output gradient", outcome.cell("literal", "d_output") == "", outcome)


def gradients_are_explained():
    done("./conv_serial -n 2 -k 2 --channels 1 --filters 1 --output-gradient random --gradient weights --samples 1 "
         "--explain --print", "Gradient of weight (1, 1) of filter 0, channel 0", "weight gradient, 1 filter,")
    done("./conv_serial -n 3 -k 2 -s 2 --channels 1 --filters 1 --output-gradient random --gradient image --samples 1 "
         "--explain", "Gradient of element (2, 2) of channel 0", "sum 0\n")  # the element is in no window


# ---- bad input ------------------------------------------------------------------------------------------------------


def bad_input_is_refused():
    same = str(CASES / "conv/same_3x3")
    for status, line, words in (
            (2, "conv_serial -n 8 --groups 2", "groups need channels and filters"),
            (2, "conv_serial -n 8 --channels 4 --filters 6 --groups 4", "4 groups need"),
            (2, "conv_serial -n 2 -k 5", "does not fit"),
            (2, "conv_serial -n 8 --planes 3", "--planes does not apply"),
            (2, "conv_serial -n 8 --filter random", "--filter does not apply here"),
            (2, "conv_serial -n 8 --pad-mode ignore", "--pad-mode does not apply here"),
            (2, "maxpool_serial -n 8 --channels 3", "--channels does not apply here"),
            (2, "matmul_serial -n 8 --bias random", "--bias does not apply here"),
            (2, "conv_serial -n 8 -k 5 --method winograd", "3 x 3 at stride 1"),
            (2, "conv_serial -n 8 --method depthwise", "one filter a channel"),
            (2, "conv_serial -n 8 --channels 0", "channels must be at least 1"),
            (2, f"conv_serial -i {same}.x.npy --channels 7",
             f"--channels 7 contradicts --input {same}.x.npy, where it is 8"),
            (2, f"conv_serial -i {same}.x.npy --batch 5", "--batch 5 contradicts --input"),
            (2, f"conv_serial -n 8 --channels 16 --weights {same}.w.npy",
             f"--channels 16 contradicts --weights {same}.w.npy, where it is 8"),
            (2, f"conv_serial -n 8 --filters 8 --weights {same}.w.npy", "--filters 8 contradicts --weights"),
            (2, f"conv_serial -n 8 -k 5 --weights {same}.w.npy", "--kernel-size 5 contradicts --weights"),
            (2, f"conv_serial -i {same}.x.npy --groups 2 --weights {same}.w.npy",
             "must be 16 x 4 planes of 3 x 3, the file holds 16 x 8 planes of 3 x 3"),
            (2, "conv_serial -n 8 --bias $CASES/conv/normal_3x3.w.npy", "the bias must be 1 x 16"),
            (2, f"conv_serial -n 8 --filters 16 --residual {same}.w.npy", "the residual must be 16 planes of 6 x 6"),
            (2, f"conv_serial -n 8 --factor {same}.w.npy", "the factor must be 1 x 16"),
            (2, "conv_serial -n 8 --activation tanh", "none|relu|relu6"),
            (2, "maxpool_serial -n 8 --activation relu", "--activation does not apply here"),
            (2, "conv_serial -n 8 --weights missing.npy", "missing.npy"),
            (2, "conv_serial -n 8 --weights identity", "identity"),
            (2, "conv_serial -n 2100 -k 2049 --channels 4 --filters 1",
             "sums of 16793604 terms have no error bound in float32"),
            (4, "conv_serial -n 8 --channels 9000000000000000000 --batch 3", "cannot be counted"),
            (4, "conv_serial -n 8 --filters 9000000000000000000", "cannot be counted"),
            (4, "conv_serial -n 4000000 --channels 1000 --filters 1", "memory"),
            (2, "conv_serial -n 8 --output-gradient random",
             "--output-gradient does not apply here: the convolution has no output gradient"),
            (2, "conv_serial -n 8 --gradient up", "none|image|weights"),
            (2, "maxpool_serial -n 8 --gradient image", "--gradient does not apply here"),
            (2, "conv_serial -n 8 --gradient weights --bias random",
             "--bias does not apply here: the weight gradient of a convolution has no bias"),
            (2, "conv_serial -n 8 --gradient image --activation relu",
             "--activation does not apply here: the data gradient of a convolution"),
            (2, f"conv_serial -n 8 --gradient weights --weights {same}.w.npy",
             "--weights does not apply here: the weight gradient of a convolution"),
            (2, "conv_serial -n 8 --gradient weights --method implicit",
             "the weight gradient of a convolution has no 'implicit' in conv_serial"),
            (2, "conv_serial -n 8 -s 2 --gradient weights --method winograd", "3 x 3 at stride 1"),
            (2, "conv_serial -n 8 --gradient image --method tiles",
             "the data gradient of a convolution has no 'tiles' in conv_serial"),
            (2, "conv_serial -n 8 -s 2 --gradient image --method winograd", "3 x 3 at stride 1"),
            (2, "conv_serial -n 8 --method tiles", "there is no 'tiles' in conv_serial"),
            (2, f"conv_serial -n 8 --gradient image --output-gradient {same}.w.npy",
             "the output gradient must be 16 planes of 6 x 6"),
            (2, "conv_serial -n 4100 -k 1 --channels 1 --filters 1 --gradient weights",
             "sums of 16810000 terms have no error bound in float32")):
        fails(status, f"./{line}", words)


def files_have_their_sizes():
    """The files of the filters and of the image hold their sizes: no option has to repeat them."""
    for program in PROGRAMS:
        for image in ("-n 9 --batch 2", f"-i {SAME}.x.npy",
                      f"-i {SAME}.x.npy --channels 8 --filters 16 --kernel-size 3"):
            done(f"{program} {image} --weights {SAME}.w.npy -p 1 --samples 1 --warmup 0",
                 "16 filters, kernel size 3", "72 products each")  # 8 channels


# ---- what is reported -----------------------------------------------------------------------------------------------


def records_have_the_shape():
    done("./conv_serial -R 6 -C 7 --batch 2 --channels 4 --filters 6 --groups 2 --bias random --method implicit "
         "--samples 1 --format csv", ",batch,channels,filters,groups,bias,activation,epilogue,residual,factor,",
         ",parameters_hash,gradient,d_output,recomputed,", ",8,6,7,3,1,0,,,35,9,random,",  # planes, rows, cols ...
         ",2,4,6,2,random,none,store,none,none,")


def operands_have_columns_of_their_own():
    """Each operand is recorded under its own name, and not under that of another operator's operand."""
    outcome = done(f"./conv_serial -i {SAME}.x.npy --weights {SAME}.w.npy --bias random --factor random -p 1 "
                   "--method implicit --samples 1 --format csv")
    expected = {"weights": str(CASES / "conv/same_3x3.w.npy"), "filter": "", "bias": "random", "factor": "random",
                "residual": "none", "d_output": "", "against": ""}
    for column, text in expected.items():
        expect(column, outcome.cell("implicit", column) == text, outcome)


def the_summary_reports_what_packing_cost():
    done("./conv_serial -n 8 --method implicit --samples 1",
         "Packed        the bank of filters, once, outside the total", "Image         3 planes of 8 x 8",
         "Feature maps  16 planes of 6 x 6", "GFLOP/s", never=("all methods together",))
    done("./conv_serial -n 8 --method implicit,winograd --samples 1", ", all methods together\n")
    done("./conv_serial -n 8 --method literal --samples 1", never=("Packed",))


if __name__ == "__main__":
    sys.exit(main(
        errors_are_of_the_whole_map, known_answers_are_met, known_answers_are_met_by_a_gpu,
        a_wrong_answer_would_be_seen, maps_do_not_depend_on_workers, tiles_do_not_depend_on_threads,
        maps_do_not_depend_on_who_shares_the_launch,
        scales_are_the_same_everywhere, filters_are_distributed_with_what_is_theirs, epilogues_are_what_they_say, pictures_have_three_channels,
        explanations_end_in_the_outputs, gradients_are_those_of_pytorch, transformed_gradients_are_the_definition,
        earlier_commands_are_read, gradients_are_explained, bad_input_is_refused, files_have_their_sizes,
        records_have_the_shape, operands_have_columns_of_their_own, the_summary_reports_what_packing_cost))
