#!/usr/bin/env python3
"""Command lines of the CUDA programs: on the emulation with several machines, and as they were built, on the machine
that runs this. Usage: tests/support/commands.py."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import BIN, SOURCE, command, done, main, refused

POOL, MUL, CONV, DIST, NET = (f"./{program}_cuda_on_emulation"
                              for program in ("maxpool", "matmul", "conv", "distances", "network"))
CSV = " --samples 2 --format csv"
NVML = f"LD_LIBRARY_PATH={BIN.parent}/fake_nvml"


def check(*rows):
    """Runs rows of a command line and texts, which must be printed; or of a status, a command line and a text, which
    must be in one line of error."""
    for row in rows:
        (done if isinstance(row[0], str) else refused)(*row)


def every_way_of_pooling_is_verified():
    check(
        (f"{POOL} -n 24{CSV}", ",exact,"),
        (f"{POOL} -n 24 --method tiled --block 32 --filter random -k 3 -s 1 -p 1{CSV}", ",exact,"),
        (f"{POOL} -n 12 --offload window --filter-memory constant{CSV}", ",window,constant,"),
        (f"{POOL} -n 12 --offload window-lean --host-memory pinned{CSV}", ",window-lean,transferred,"),
        (f"{POOL} -n 40 --host-memory pinned --streams 3 --warm-cache{CSV}", ",pinned,3,12,warm,"),
        (f"{POOL} -n 40 --device-memory 2000 --verify sampled{CSV}", ",sampled_exact,"),
        (f"{POOL} -i $CASES/real_3x55x55_k3_s2.in.npy -k 3 -s 2{CSV}", ",exact,"),
        (f"{POOL} -n 8{CSV}", ",CPU emulation,16,sm_90,"),
        (f"{POOL} -n 8 --samples 1", "offload image, filter transferred, blocks of 16 x 16 threads"),
        (f"{POOL} -n 8 --samples 1 --format json", '"device":'),
        (f"{POOL} -n 8 --show-indices --samples 1", "of the 16 made by each thread"),
        (f"{POOL} -n 8 --kernel-facts --samples 1", "blocks resident"),
        (f"{POOL} -n 8 --print --explain --samples 1", "GPU: kernels"),
        (f"{POOL} --list-methods", "tiled"),
        (f"{POOL} --help all", "--filter-memory transferred|constant"),
        (f"{POOL} --help", "--device D"),
        (f"{POOL} -i $CASES/pictures/colour.png{CSV}", ",3,"),
        (f"{POOL} -i $CASES/pictures/colour.png -k 3 --method tiled{CSV}", ",exact,"),
        (f"{POOL} -i $CASES/pictures/colour.png --gray --method tiled{CSV}", ",exact,"),
        (f"{MUL} -n 20 --filter random --method tiled{CSV}", ",exact,"),
        (f"{MUL} -R 3 -C 50 --filter random --method loop --streams 2{CSV}", ",exact,"),
        (f"{MUL} -n 20 --filter-memory constant --samples 2", "filter in constant memory"),
        (f"{POOL} -n 40 --method roof --filter random{CSV}", ",exact,"),
        (f"{POOL} -n 41 --method roof -k 3 -s 2 --block 32{CSV}", ",exact,"),
        (f"{MUL} -n 132 --filter random --method registers{CSV}", ",exact,"))
    outcome = done(f"{MUL} -R 4 -C 300 --filter random --filter-cols 20 --method registers --show-indices --samples 1")
    expect("a thread for each element of a product in pieces", "of the 80 made by each thread" in outcome.out
           and "by no thread" not in outcome.out and "more than once" not in outcome.out, outcome)


def convolutions_and_distances_are_verified():
    check(
        (f"{CONV} -n 12 -p 1{CSV}", ",exact,"),
        (f"{CONV} -n 9 --batch 3 --filters 8 --groups 1 --bias random --method tiled --streams 2{CSV}", ",exact,"),
        (f"{CONV} -n 9 --channels 6 --groups 3 --filters 12 -k 5 -s 2 -p 2 --method all --filter-memory constant "
         f"--device-memory 6000{CSV}", ",naive+tiled,"),
        (f"{CONV} -n 9 --verify sampled --method tiled --block 32{CSV}", ",sampled_exact,"),
        (f"{CONV} -n 6 --method tiled --samples 1", "sums, 27 products each"),
        (2, f"{CONV} -n 6 --gradient image --method tiled", "the data gradient of a convolution has no 'tiled'"),
        (f"{CONV} -n 6 --filters 3 --show-indices --samples 1", "made by each thread"),
        (f"{CONV} -n 6 --kernel-facts --samples 1", "tiled     "),
        (f"{CONV} --list-methods", "naive"),
        (f"{CONV} --list-methods=all", "cudnn"),
        (f"{DIST} -n 70 --dimensions 9{CSV}", ",exact,"),
        (f"{DIST} -n 70 --dimensions 9 --against random --method all --streams 2{CSV}", ",naive+tiled,"),
        (f"{DIST} -n 20 --dimensions 50 --method tiled --filter-memory constant{CSV}", ",exact,"),
        (f"{DIST} -n 20 --dimensions 3 --method tiled --samples 1", "pairs of points"),
        (f"{DIST} --list-methods", "tiled"),
        (f"{CONV} -n 9 --batch 2 --channels 3 --filters 5 -k 3 -p 1 --bias random --residual random --factor random "
         f"--activation relu --method naive,tiled --streams 2{CSV}", ",exact,"),
        (f"{CONV} -n 9 --batch 2 --channels 3 --filters 5 -k 3 -p 1 --bias random --residual random --factor random "
         f"--activation relu6 --epilogue pass --method naive,tiled --streams 2{CSV}", ",exact,"),
        (f"{CONV} -n 7 --channels 4 --filters 8 --groups 2 --factor random --residual random --filter-memory "
         f"constant{CSV}", ",exact,"),
        (f"{CONV} -n 7 --channels 2 --filters 4 --activation relu --epilogue pass{CSV}", ",exact,"))


def networks_are_verified():
    check(
        (f"{NET} --network mlp:50-25 --batch 3{CSV}", ",bound,"),
        (f"{NET} --network mlp:50 --batch 3 --warm-cache --block 32{CSV}", ",own,"),
        (f"{NET} --network mobilenet_v2 --image-size 32 --features --samples 1 --warmup 0 --layers --verify sampled",
         "conv+batchnorm+relu6"),
        (f"{NET} --list-methods", "own"),
        (f"{NET} --list-methods=all", "cudnn"),
        (f"{NET} --network mlp:20 --task train --batch 9 --steps 3 --warmup 0 --record-layers $DIR/layers.csv "
         ">/dev/null && cut -d, -f27,30 $DIR/layers.csv | tr '\\n' ' '; rm $DIR/layers.csv",
         "executions,pass 3,forward 3,forward 3,backward 3,backward 3,update"),
        (f"{NET} --network mlp:20 --task train --batch 9 --steps 2 --trace $DIR/training.json >/dev/null && "
         "tr -d '\\n' <$DIR/training.json", '"cat":"parameters","args":{"step":1}},{"name":"output",'),
        (f"{NET} --network mlp:50-25 --batch 3 --host-memory pinned", "pinned memory here"),
        (f"{NET} --network mlp:20 --task train --batch 8 --steps 2 --warmup 1 --format csv", ",bound,"),
        (f"{NET} --network mlp:20 --task train --data solar --batch 400 --epochs 1 --optimizer sgd --host-memory "
         "pinned", "of persistence"),
        (f"{NET} --list-networks", "alexnet_mri"),
        (f"{NET} --help all", "--engine own|cudnn"))


def methods_are_interleaved():
    """Each method has its own kernels and its own constant filter, and all share one set of arrays."""
    check(
        (f"{POOL} -n 24 --method all --filter random --filter-memory constant --samples 6", "4 methods, interleaved"),
        (f"{POOL} -n 24 --method tiled,naive --offload window --filter random{CSV}", ",tiled+naive,"),
        (f"{POOL} -n 24 --method tiled,loop --streams 3 --filter random --filter-memory constant{CSV}", ",tiled+loop,"),
        (f"{MUL} -n 20 --method all --filter random --device-memory 4000{CSV}", ",naive+loop+tiled+registers,"),
        (f"{POOL} -n 8 --method naive,loop --show-indices --samples 1", "\nMethod loop\n"),
        (4, f"CUDA_EMULATION_FAIL=70 {POOL} -n 8 --method all", "CUDA: unspecified launch failure"))
    outcome = done(f"{POOL} -n 24 --method all --filter random --filter-memory constant --samples 4 --format csv")
    expect("a warm-up and four samples of each", outcome.out.count(",exact,") == 20, outcome)


def bad_options_are_refused():
    check(
        (2, f"{POOL} -n 8 --block 8", "--block must be one of 16|32, not '8'"),
        (2, f"{POOL} -n 8 --offload plane", "--offload must be one of image|window|window-lean"),
        (2, f"{POOL} -n 8 --streams 2 --offload window", "it needs --offload image"),
        (2, f"{POOL} -n 8 --device-memory 99 --offload window-lean", "it needs --offload image"),
        (2, f"{POOL} -n 8 --device 3", "--device 3: this machine has 1"),
        (2, f"{POOL} -n 200 -k 129 --filter-memory constant", "128 x 128 at most, this one is 129"),
        (2, f"{CONV} -n 8 --offload window", "windows go one by one in max pooling"),
        (2, f"{DIST} -n 8 --offload window", "windows go one by one in max pooling"),
        (2, f"{CONV} -n 8 --channels 256 --filter-memory constant",
            "a bank of filters of 128 x 128 at most, this one is 12288 x 3"),
        (2, f"{CONV} -n 8 --method winograd", "--method"),
        (2, f"{NET} --network mlp:50 --engine own,own", "own"),
        (3, f"{NET} --network mlp:50 --engine cudnn", "cuDNN"),
        (2, f"{NET} --network mlp:50 --engine auto", "auto"),
        (2, f"{NET} --network mlp:50 --task train --engine cudnn --batch 8", "gradients"),
        (2, f"{CONV} -n 6 --channels 2 --filters 4 --gradient image", "the data gradient of a convolution has no"),
        (2, f"{CONV} -n 6 --channels 2 --filters 4 --gradient weights", "the weight gradient of a convolution has no"),
        (2, f"{NET} --network resnet18 --task train --batch 8", "batch norm"),
        (2, f"{NET} --network mlp:50 --conv auto", "this program computes on a GPU"),
        (2, f"{NET} --network mlp:50 --streams 2", "this program measures a network"),
        (2, "./network_serial --network mlp:50 --engine own", "this program uses no GPU"),
        (2, f"{POOL} -n 100 --show-indices", "up to 1024 elements, not 2500"),
        (2, f"{POOL} -n 8 --show-indices --format csv", "--show-indices needs --format text"),
        (2, f"{POOL} -n 8 --bind core", "--bind does not apply here: this program computes on a GPU"),
        (2, f"{POOL} -n 8 --threads 2", "--threads does not apply here"),
        (2, f"{POOL} -n 8 --method fused", "there is no 'fused' in maxpool_cuda"),
        (2, f"{MUL} -n 8 --offload window", "--offload does not apply here"),
        (2, f"{POOL} -n 8 --submit graph", "--submit does not apply here"),
        (2, f"{NET} --network mlp:50 --submit graph --layers",
            "--submit graph: the layers of a graph cannot be timed one by one"),
        (2, f"{NET} --network mlp:50 --task train --data random --submit graph --record-layers=-",
            "--submit graph: the layers of a graph cannot be timed one by one"),
        (2, f"{NET} --network mlp:50 --submit often", "--submit"),
        (2, f"{NET} --network mlp:50 --task train --data random --overlap off",
            "--overlap does not apply here: this program is one process"),
        (2, "./maxpool_serial -n 8 --block 16", "--block does not apply here: this program uses no"))


def other_machines_are_distinguished_from_each_other():
    check(
        (3, f"CUDA_EMULATION_DRIVER=0 {POOL} -n 8", "maxpool_cuda: no NVIDIA driver on this machine\n"),
        (3, f"CUDA_EMULATION_DRIVER=12040 {POOL} -n 8", "too old: it serves CUDA 12.4"),
        (3, f"CUDA_EMULATION_DEVICES=0 {POOL} --list-methods", "maxpool_cuda: no CUDA device"),
        (3, f"CUDA_EMULATION_DRIVER=0 {POOL} --list-methods",
            "on this machine; --list-methods=all lists the methods all the same\n"),
        (3, f"CUDA_EMULATION_DEVICES=0 {MUL} -n 8", "matmul_cuda: no CUDA device"),
        (3, f"CUDA_EMULATION_DEVICES=0 {CONV} -n 8", "conv_cuda: no CUDA device"),
        (3, f"CUDA_EMULATION_DEVICES=0 {DIST} -n 8", "distances_cuda: no CUDA device"),
        (3, f"CUDA_EMULATION_DEVICES=0 {NET} --network mlp:50", "network_cuda: no CUDA device"),
        (4, f"CUDA_EMULATION_MEMORY=9000 {NET} --network mlp:50", "10000 bytes are needed"),
        (4, f"CUDA_EMULATION_FAIL=50 {NET} --network mlp:50", "network_cuda: CUDA: unspecified launch"),
        (4, f"CUDA_EMULATION_MEMORY=9000 {POOL} -n 1000", "not enough memory on the device"),
        (4, f"CUDA_EMULATION_FAIL=30 {POOL} -n 8", "maxpool_cuda: CUDA: unspecified launch failure"),
        (f"CUDA_EMULATION_DEVICES=0 {POOL} --list-methods=all", "matmul1 (naive) of the tesina",
         "matmul2 (loop) of the tesina", "matmul3 (tiled) of the tesina"),
        (f"CUDA_EMULATION_DEVICES=0 {MUL} --list-methods=all", "matmul1 (naive) of the tesina",
         "matmul2 (loop) of the tesina", "matmul3 (tiled) of the tesina"),
        (f"CUDA_EMULATION_MEMORY=12000 {POOL} -n 40{CSV}", ",exact,"))


def declared_precisions_are_refused_where_they_cannot_be():
    """Declared precisions: where they are computed, and where they are not."""
    check(
        (f"{MUL} -n 20 --filter random --math tf32{CSV}", ",tf32,"),
        (f"{MUL} -n 20 --filter random --math bf16 --block 32{CSV}", ",bound,"),
        (f"{MUL} -n 20 --filter random --math tf32 --samples 1", "operands in tf32",
         "error bound of operands so rounded"),
        (f"{MUL} -n 20 --math bf16 --method tensor --verify sampled{CSV}", ",sampled_bound,"),
        (f"{MUL} -n 20 --math fp32{CSV}", ",exact,"),
        (f"{CONV} -n 9 --channels 3 --filters 5 --math bf16{CSV}", ",bf16,"),
        (f"{CONV} -n 9 --channels 3 --filters 5 -p 1 --bias random --math tf32{CSV}", ",bound,"),
        (f"{CONV} -n 9 --channels 4 --groups 4 --filters 4 --math tf32 --residual random --factor random --activation "
         f"relu{CSV}", ",bound,"),
        (2, f"{CONV} -n 9 --gradient weights --math tf32{CSV}", "--math does not apply here"),
        (2, f"{MUL} -n 20 --math tf32 --method naive{CSV}",
            "--method naive computes in float32 alone: --math tf32 and bf16 need --method tensor"),
        (2, f"{MUL} -n 20 --method tensor{CSV}", "--method tensor rounds its operands: it needs --math"),
        (2, f"{MUL} -n 20 --math fp16{CSV}", "fp32|tf32|bf16"),
        (2, f"{POOL} -n 20 --math tf32{CSV}", "--math does not apply here: max pooling"),
        (2, f"{DIST} -n 20 --math tf32{CSV}", "--math does not apply here"),
        (2, f"./matmul_serial -n 20 --math tf32{CSV}",
            "--method naive computes in float32 alone: --math tf32 and bf16 need --method tensor"),
        (3, f"CUDA_EMULATION_CAPABILITY=75 {MUL} -n 20 --math tf32{CSV}",
            "--math tf32: tensor cores multiply it from compute capability 8.0 on (A100, RTX 30), and the CPU "
            "emulation has 7.5"),
        (3, f"CUDA_EMULATION_COMPILED_FOR=75 {MUL} -n 20 --math bf16{CSV}",
            "compiled for sm_75, and tensor cores multiply it from sm_80 on: configure with cmake --preset release "
            "-DMAXPOOL_CUDA_ARCHITECTURES=90"),
        (f"CUDA_EMULATION_CAPABILITY=75 {MUL} -n 20 --method registers{CSV}", ",exact,"))


def clocks_are_recorded_where_they_are_found():
    """With management libraries of today and of long ago."""
    check(
        (f"{NVML} {POOL} -n 8{CSV}", ",1234,hardware_thermal"),
        (f"LD_LIBRARY_PATH={BIN.parent}/fake_old_nvml {POOL} -n 8{CSV}", ",1234,power_cap+software_thermal"),
        (f"{NVML} {POOL} -n 8{CSV}", ",512.5,"),
        (f"FAKE_NVML_MEAN=1 {NVML} {POOL} -n 8{CSV}", ",345.6,"),
        # read while the kernel runs: the second time it is known to take 10 ms
        (f"CUDA_EMULATION_KERNEL=10000 {NVML} {POOL} -n 8 --warmup 1{CSV}",
         ",1234,hardware_thermal"),
        # read in one more run: only the first run showed that it takes long
        (f"CUDA_EMULATION_KERNEL=10000 {NVML} {POOL} -n 8 --warmup 0{CSV}",
         ",1234,hardware_thermal"),
        # how long a reading takes: longer than the kernel, it is read apart
        (f"FAKE_NVML_MS=8 CUDA_EMULATION_KERNEL=10000 {NVML} {POOL} -n 8 --warmup 1 --samples 2{CSV}",
         ",1234,hardware_thermal"),
        (f"FAKE_NVML_MS=8 {NVML} {POOL} -n 8 --samples 1", "\n              a reading of clock and power takes "),
        (f"FAKE_NVML_OTHERS=1 {NVML} {POOL} -n 8 --samples 1", "1 other process uses this GPU"),
        (f"FAKE_NVML_OTHERS=3 MAXPOOL_GPU_HOLDER=2 {NVML} {NET} --network mlp:20 --batch 9 --samples 1",
         "2 other processes use this GPU"),
        (f"FAKE_NVML_OTHERS=1 MAXPOOL_GPU_HOLDER=1 {NVML} {POOL} -n 8 --samples 1 | grep -q other || echo alone",
         "alone"),
        # read during one window, while chunks are computed, and while layers are
        (f"{NVML} {POOL} -n 8 --offload window{CSV}", ",1234,hardware_thermal"),
        (f"{NVML} {POOL} -n 8 --offload window-lean{CSV}", ",1234,hardware_thermal"),
        (f"{NVML} {POOL} -n 64 --streams 2 --host-memory pinned{CSV}", ",1234,hardware_thermal"),
        (f"{NVML} {NET} --network mlp:20 --batch 9{CSV}", ",1234,hardware_thermal"),
        (f"CUDA_EMULATION_KERNEL=10000 {NVML} {NET} --network mlp:20 --batch 9 --warmup 1{CSV}",
         ",1234,hardware_thermal"),
        (f"{NVML} {NET} --network mlp:20 --task train --batch 8 --steps 2 --warmup 1 --format csv",
         ",1234,hardware_thermal"),
        (f"CUDA_EMULATION_KERNEL=10000 {NVML} {NET} --network mlp:20 --task train --batch 8 --steps 3 --warmup 1 "
         "--format csv", ",1234,hardware_thermal"))


def phases_are_in_line():
    """Every line of the phase table has its first time below the word "median"."""
    for options, last in (("", "GPU: kernels, cold"), (" --offload window", "allocate, free")):
        outcome = done(f"{POOL} -n 8 --samples 6{options}", last)
        head, *lines = re.search(r"^  Phase .*\n(?: .*\n)+", outcome.out, re.M).group().splitlines()
        at = head.index("median")
        ragged = [line for line in lines if line[at - 1:at] != " " or line[at:at + 1] in ("", " ")]
        expect("times are below the word", len(lines) >= 7 and not ragged, outcome)


def the_documents_name_every_option():
    documents = "".join((SOURCE / f"docs/{page}.md").read_text(encoding="utf-8") for page in ("options", "gpu"))
    options = re.findall(" (--[-a-z]*)", done(f"{POOL} --help all").out)
    unnamed = [option for option in options if option not in documents]
    expect("documents name every option", len(options) >= 38 and not unnamed, unnamed)


def examples_are_those_of_the_program():
    """The examples of --help have only options and methods of the program, so that they run."""
    for program, shown, not_shown in (
            (CONV, "  conv_cuda -n 56 --batch 8 --channels 64", "implicit,winograd"),
            (CONV, "  conv_cuda -n 4096 --method tiled", "--method depthwise"),
            (NET, "  network_cuda --network resnet18 --engine own,cudnn", "--conv auto"),
            (POOL, "  maxpool_cuda -n 4 --print --explain", "mpirun")):
        examples = done(f"{program} --help all", shown).out.split("\nExamples\n")[1]
        expect(f"{not_shown} is no example", not_shown not in examples, examples)


def the_programs_say_what_is_missing_here():
    """As built, a program measures if there is a GPU, and otherwise ends with status 3 and one line."""
    for line in (*(f"./{program}_cuda -n 64 --samples 1" for program in ("maxpool", "matmul", "conv", "distances")),
                 "./network_cuda --network mlp:50 --samples 1", "./maxpool_cuda --list-methods"):
        outcome = command(line)
        expect("status 0 or 3", outcome.status in (0, 3), outcome)
        expect("one line reports why", outcome.status == 0 or outcome.err.count("\n") == 1 and re.search(
            "no NVIDIA driver|too old|no CUDA device|built without CUDA", outcome.err), outcome)


if __name__ == "__main__":
    sys.exit(main(
        every_way_of_pooling_is_verified, convolutions_and_distances_are_verified, networks_are_verified,
        methods_are_interleaved, bad_options_are_refused, other_machines_are_distinguished_from_each_other,
        declared_precisions_are_refused_where_they_cannot_be, clocks_are_recorded_where_they_are_found,
        phases_are_in_line, the_documents_name_every_option, examples_are_those_of_the_program,
        the_programs_say_what_is_missing_here))
