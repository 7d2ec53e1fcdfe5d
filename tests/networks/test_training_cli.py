#!/usr/bin/env python3
"""The training programs as a user meets them: refusals, equal parameters for any number of threads, checkpoints that
survive whatever ends the program, and what is reported and recorded. Usage: tests/support/commands.py."""
import math
import os
import pathlib
import re
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, rows_in
from commands import DIR, Skipped, command, done, fails, holds, main, need, refused, write, write_npy

MLP = "--network mlp:50-25 --task train --batch 10 --verify none --warmup 0"
SOLAR_CNN = "--network solar_cnn --image-size 14 --task train --batch 9 --steps 3 --warmup 0 --verify none"
SMALL_CNN = "./network_serial --network solar_cnn --image-size 10 --task train --batch 2 --steps 1 --verify none"


def hash_of(line):
    """Returns the last hash of parameters that a command prints."""
    found = re.findall(", parameters (.{16})", done(line).out)
    expect("a hash of parameters", found, line)
    return found[-1] if found else line


def expect_same_hash(line, other):
    one, two = hash_of(line), hash_of(other)
    expect("the same parameters", one == two, f"{line}: {one}\n{other}: {two}")


# ---- refusals -------------------------------------------------------------------------------------------------------


def bad_options_are_refused():
    train = "./network_serial --task train --network"
    write("here.npy", "")
    for line, words in (
            ("resnet18 --image-size 32", "bn1 is a batch norm"),
            ("mlp:50 --data brain_planes", "the network takes 50 x 1 x 1"),
            ("alexnet_mri --data brain_planes --batch 1000",
             "540 samples to train with, fewer than a --batch of 1000"),
            ("mlp:50 --data nowhere.npy", "--data nowhere.npy: No such file or directory; it is a folder"),
            ("mlp:50 --data $DIR/here.npy", "--labels FILE.npy"),
            ("mlp:50 --labels x.npy", "not with --data random"),
            ("mlp:50 --epochs 1 --steps 1", "give one of them"),
            ("mlp:50 --shards 0", "shards must be at least 1"),
            ("mlp:50 -o x.npy", "--output does not go with --task train"),
            ("mlp:50 --resume /dev/null/x", "/dev/null/x"),
            ("mlp:50 --optimizer best", "optimizer"),
            ("solar_cnn --augment shear", "'shear' is none of rotate, flip and crop"),
            ("solar_cnn --image-size 14 --augment crop=15", "a crop of 15 pixels is larger than images of 14 x 14")):
        refused(2, f"{train} {line}", words)
    refused(5, f"./network_serial {MLP} --steps 1 --save /dev/null/x", "/dev/null/x")


def wrong_data_are_refused():
    image = [0.0] * 2 * 32 * 32
    hole = [math.nan if i == 5 else 0.0 for i in range(len(image))]
    right = write_npy("images.npy", (2, 1, 32, 32), image)
    good = write_npy("good.npy", (2,), [0.0, 2.0])
    for images, labels, words in (
            (right, write_npy("beyond.npy", (2,), [0.0, 3.0]), "label 1 is 3, where classes are 0 to 2"),
            (right, write_npy("below.npy", (2,), [-1.0, 0.0]), "label 0 is -1, where classes are 0 to 2"),
            (right, write_npy("between.npy", (2,), [1.5, 0.0]), "label 0 is 1.5, where classes are 0 to 2"),
            (right, write_npy("three.npy", (3,), [0.0] * 3), "3 values where 2 images take 2"),
            (right, f"{good} --batch 3", "2 samples to train with, fewer than a --batch of 3"),
            (write_npy("small.npy", (2, 1, 31, 32), image[:2 * 31 * 32]), good,
             "31 x 32, where the network takes images of 1 x 32 x 32"),
            (write_npy("turned.npy", (2, 1, 16, 64), image), good,
             "16 x 64, where the network takes images of 1 x 32 x 32"),
            (right, write_npy("hole.npy", (2,), [0.0, math.nan]), "finite"),
            (write_npy("holes.npy", (2, 1, 32, 32), hole), good, "finite")):
        refused(2, f"./network_serial --network alexnet_mri --task train --steps 1 --data {images} --labels {labels}",
                words)


def saved_data_are_trained_with():
    """Another launch that trains with the saved files gets the same parameters."""
    training = "./network_serial --network mlp:9 --task train --batch 50 --steps 2 --verify none"
    expect_same_hash(f"{training} --data solar --save-data $DIR/saved",
                     f"{training} --data $DIR/saved.images.npy --labels $DIR/saved.targets.npy")
    refused(2, "./network_serial --network mlp:9 --save-data x", "goes with --task train")
    refused(5, "./network_serial --network mlp:9 --task train --save-data /dev/null/x", "/dev/null/x.images.npy")


# ---- the same bits --------------------------------------------------------------------------------------------------


def threads_come_to_the_same_parameters():
    for training in (f"{MLP} --epochs 2", f"{SOLAR_CNN} --optimizer sgd", f"{SOLAR_CNN} --augment rotate,flip,crop"):
        serial = hash_of(f"./network_serial {training}")
        for threads in (1, 3, 5, 7):
            line = f"./network_omp {training} -t {threads}"
            expect("the same parameters", hash_of(line) == serial, line)


def ranks_come_to_the_same_parameters():
    """With both strategies, verified; half of 16 ranks have no shard."""
    need("mpi")
    mlp = "--network mlp:50-25 --task train --batch 10 --steps 3"
    cnn = "--network solar_cnn --image-size 8 --task train --batch 9 --steps 2"
    for training, strategy, ranks in ((mlp, "mirrored", 3), (mlp, "central", 3), (f"{MLP} --steps 2", "mirrored", 16),
                                      (cnn, "mirrored", 2), (cnn, "central", 2),
                                      (f"{cnn} --augment crop,flip", "mirrored", 3)):
        expect_same_hash(f"./network_serial {training} --verify none",
                         f"$MPIRUN {ranks} ./network_mpi {training} --strategy {strategy}")


def ranks_go_on_from_a_checkpoint():
    need("mpi")
    for strategy in ("mirrored", "central"):
        done(f"$MPIRUN 3 ./network_mpi {MLP} --steps 3 --strategy {strategy} --save $DIR/ranks.safetensors")
        expect_same_hash(f"./network_serial {MLP} --steps 6",
                         f"$MPIRUN 2 ./network_mpi {MLP} --steps 6 --resume $DIR/ranks.safetensors")


def a_rank_that_dies_ends_all():
    """A rank is killed, any rank at any point of its step: all ranks end, and training can resume from the previous
    checkpoint. The launcher prints its own message; our programs print none."""
    need("mpi")
    for strategy, ranks in (("mirrored", '"$PROGRAM" "$KILLED $PROGRAM"'),
                            ("central", '"$KILLED $PROGRAM" "$PROGRAM"')):
        outcome = command(f'F=$DIR/dies; rm -f $F*; KILLED="$WHEN KILL $F 4000"; PROGRAM="./network_mpi {MLP} --epochs '
                          f'1000000 --save $F --strategy {strategy}"; $MPIRUN 2 $BY_RANK {ranks} > /dev/null')
        expect("it fails", outcome.status != 0, outcome)
        holds(outcome, never=("network_mpi: ",))
        done(f"./network_serial {MLP} --steps 1000000000 --relative-ci 1 --resume $DIR/dies")


def warm_up_and_verification_leave_no_trace():
    plain = hash_of(f"./network_serial {MLP} --steps 3")
    for line in ("./network_serial --network mlp:50-25 --task train --batch 10 --steps 3 --warmup 3 --verify full",
                 f"./network_serial {MLP} --steps 3 --find-learning-rate"):
        expect("the same parameters", hash_of(line) == plain, line)


def order_and_dropout_matter():
    plain = hash_of(f"./network_serial {MLP} --steps 3")
    for option in ("--order given", "--seed 36", "--shards 3", "--learning-rate 0.01", "--optimizer sgd"):
        expect("other parameters", hash_of(f"./network_serial {MLP} --steps 3 {option}") != plain, option)
    plain = hash_of(SMALL_CNN)
    for option in ("--dropout off", "--augment crop"):
        expect("other parameters", hash_of(f"{SMALL_CNN} {option}") != plain, option)


def the_record_has_the_augmentation():
    """"none" equals a training without the option."""
    for option, recorded in (("", ""), ("--augment none", ""), ("--augment crop=1", "crop=1")):
        outcome = done(f"{SMALL_CNN} --format csv {option}")
        expect(f"augment is '{recorded}'", outcome.cell("auto", "augment") == recorded, outcome)


# ---- checkpoints ----------------------------------------------------------------------------------------------------


def going_on_is_as_never_stopping():
    whole = hash_of(f"./network_serial {MLP} --steps 11")
    for steps in (3, 8):  # within an epoch, and at its end
        done(f"./network_serial {MLP} --steps {steps} --save $DIR/checkpoint")
        line = f"./network_omp {MLP} -t 3 --steps 11 --resume $DIR/checkpoint"
        expect("the same parameters", hash_of(line) == whole, line)
    for options, words in (("--steps 11 --shards 4", "another --shards (8, not 4)"),
                           ("--steps 11 --optimizer sgd", "it was trained with another --optimizer (adam, not sgd)"),
                           ("--steps 8", "8 steps are done already"),
                           ("--steps 11 --augment flip", "it was trained with another --augment")):
        refused(2, f"./network_omp {MLP} {options} --resume $DIR/checkpoint", words)


def a_state_out_of_its_range_is_refused():
    """The values of training.state are last in the file, four floats of 16 bits for each fact, the number of steps
    first."""
    facts, pieces = 9, 4
    done(f"./network_serial {MLP} --steps 3 --save $DIR/right.safetensors")
    right = (DIR / "right.safetensors").read_bytes()
    state = len(right) - facts * pieces * 4
    for first, count, value in ((0, 1, -1.0), (0, 1, 0.5), (0, 1, 1e30), (0, 1, 65536.0), (3, 1, 65535.0),
                                (0, 4, 65535.0), (2, 1, -0.25), (4, 1, 0.5), (8, 1, 1e30), (31, 1, 65536.0),
                                (24, 1, 0.125), (19, 1, -3.0)):
        at = state + 4 * first
        write("damaged.safetensors", right[:at] + struct.pack("<f", value) * count + right[at + 4 * count:])
        refused(2, f"./network_serial {MLP} --steps 5 --resume $DIR/damaged.safetensors", "training.state: ")


def other_data_are_reported():
    """Data with the same number of samples but other values: images, or only targets."""
    own = "--data $DIR/one.images.npy --labels $DIR/one.targets.npy"
    done(f"./network_serial {MLP} --steps 1 --save-data $DIR/one && "
         f"./network_serial {MLP} --steps 1 --seed 36 --save-data $DIR/two && "
         f"./network_serial {MLP} {own} --steps 2 --save $DIR/at_two")
    for data, words in ((own.replace("one.images", "two.images"), "other --data: as many samples, other values"),
                        (own.replace("one.targets", "two.targets"), "other --data")):
        refused(2, f"./network_serial {MLP} {data} --steps 4 --resume $DIR/at_two", words)
    done(f"./network_serial {MLP} {own} --steps 4 --resume $DIR/at_two")


def a_moment_that_overflows():
    """Gradients whose squares overflow: step, tensor and value are reported, with or without verification, and the last
    finite checkpoint is kept."""
    write_npy("huge.npy", (20, 50, 1, 1), [(i % 7 - 3) * 1e12 for i in range(20 * 50)])
    write_npy("far.npy", (20, 1), [(i % 5 - 2) * 1e18 for i in range(20)])
    write("finite", "kept\n")
    for options, when in (("", "after step 1"), (" --verify none --warmup 0", "between steps 1 and 2")):
        refused(1, "./network_serial --network mlp:50-25 --task train --batch 10 --steps 4 --save $DIR/finite "
                   f"--data $DIR/huge.npy --labels $DIR/far.npy{options}",
                f"{when}: moment 2 of adam for hidden1.weight is inf at value ")
    expect("the checkpoint is kept", (DIR / "finite").read_bytes() == b"kept\n")


def signals_leave_a_checkpoint():
    """A program that a signal ends while it trains leaves a checkpoint to resume from."""
    fails(128 + 2, f"$WHEN INT $DIR/ended 1 ./network_serial {MLP} --epochs 1000000 --save $DIR/ended > /dev/null")
    done(f"rm $DIR/ended; $WHEN KILL $DIR/ended 1 ./network_serial {MLP} --epochs 1000000 --save $DIR/ended "
         "> /dev/null; "
         "./network_serial --network mlp:50-25 --weights $DIR/ended --samples 1")


def a_full_disk_leaves_the_checkpoint_before():
    done(f"./network_serial {MLP} --steps 2 --save $DIR/kept.safetensors")
    before = (DIR / "kept.safetensors").read_bytes()
    fails(5, f"ulimit -f 8; ./network_serial {MLP} --steps 4 --save $DIR/kept.safetensors", "kept.safetensors")
    expect("the checkpoint before is left", (DIR / "kept.safetensors").read_bytes() == before)


def a_checkpoint_that_cannot_be_written_is_refused_at_once():
    """The file is checked before the first step, not after an epoch of work."""
    for place in ("/dev/null/x", "$DIR", "/dev/full"):
        outcome = fails(5, f"./network_serial {MLP} --epochs 1 --save {place}", "cannot be written")
        expect("no epoch", "epoch 1" not in outcome.out, outcome)
    fails(2, f"./network_serial {MLP} --epochs 1 --save ''", "--save")
    write("untouched", "kept\n")
    refused(2, f"./network_serial {MLP} --resume /dev/null/x --steps 1 --save $DIR/untouched", "/dev/null/x")
    expect("the file is kept", (DIR / "untouched").read_bytes() == b"kept\n")
    expect("nothing is beside it", [path.name for path in DIR.glob("*untouched*")] == ["untouched"])


def leftovers_and_links_are_no_obstacle():
    """The process has the id of one that died while it saved, as the first process of a container does; and the file
    may be a link."""
    outcome = done(
        "mkdir $DIR/left; cd $DIR/left; ln -s real F; BIN=$OLDPWD; sh -c 'echo x > F.$$; echo x > .maxpool-$$-0.tmp; "
        f"touch -d yesterday .maxpool-$$-0.tmp; exec '$BIN'/network_serial {MLP} --steps 2 --save F' > /dev/null; "
        "[ -L F ] && [ -f real ] && ls -A | wc -l")
    expect("link, file, and the name of another program", outcome.out == "3\n", outcome)


def a_kill_while_a_checkpoint_is_written_leaves_the_one_before():
    """Parameters and optimizer come from a checkpoint whose successor was only half written. The resumed training may
    end after any number of steps."""
    training = "./network_serial --network mlp:800-400 --task train --batch 2"
    done(f"F=$DIR/half; {training} --verify none --warmup 0 --epochs 1000000 --save $F > /dev/null & p=$!; "
         "until [ -f $F ] && [ -f $DIR/.maxpool-$p-0.tmp ]; do kill -0 $p || exit 9; done; kill -9 $p; wait $p; "
         f"[ $? = 137 ] || exit 8; {training} --steps 1000000000 --relative-ci 1 --resume $F")


# ---- memory ---------------------------------------------------------------------------------------------------------


def need_failing_allocations():
    if "MAXPOOL_FAIL_ALLOCATION" not in os.environ:
        raise Skipped("a sanitizer replaces the allocator")


def every_allocation_that_fails():
    """One allocation of the program fails, each of them in a separate run: the program ends with status 4 and a reason,
    or works without that memory; it never crashes."""
    need_failing_allocations()
    most, nth, failures, failed = 5000, 0, 0, True
    while failed and nth < most:
        nth += 1
        outcome = command(f"LD_PRELOAD=$MAXPOOL_FAIL_ALLOCATION FAIL_ALLOCATION={nth} ./network_serial "
                          "--network mlp:8-4 --task train --batch 8 --steps 2 --save $DIR/short.safetensors")
        good = outcome.status == 0 or outcome.status == 4 and "network_serial: " in outcome.err
        expect(f"allocation {nth} fails", good, outcome)
        failed = good and "FAILED" in outcome.err
        failures += outcome.status == 4
    expect(f"{nth} allocations, {failures} failures", 20 <= nth < most and 20 <= failures <= nth)


def a_rank_without_memory_ends_all():
    """One of two ranks lacks memory: at its start, in its layers, for its messages, for a verification. Neither rank
    waits forever for the other, and exactly one of them gives the reason."""
    need("mpi")
    need_failing_allocations()
    verifications = 0
    for nth in (1, 11, 21, 31, 41, 48, 55, 65):
        outcome = fails(4, "A='./network_mpi --network mlp:8-4 --task train --batch 8 --steps 2 -t 1'; timeout 120 "
                           "$MPIRUN 2 $BY_RANK \"$A\" "
                           f"\"env LD_PRELOAD=$MAXPOOL_FAIL_ALLOCATION FAIL_ALLOCATION={nth} $A\"", "FAILED")
        _, _, reason = outcome.err.partition("network_mpi: ")
        expect(f"allocation {nth} fails: one reason", "no memory" in reason and "network_mpi: " not in reason, outcome)
        verifications += "the verification" in reason
    expect("a verification lacks memory", verifications > 0)


# ---- what is reported -----------------------------------------------------------------------------------------------


def epochs_have_a_line_in_spanish():
    """Each epoch has a line with the validation's loss and the seconds, in the language asked for."""
    outcome = command("./network_serial --network alexnet_mri --task train --data brain_planes --split 4,2,0 --batch 4 "
                      "--epochs 1 --warmup 0 --verify none --lang es")
    if outcome.status == 3:
        raise Skipped("built without msgfmt")
    expect("status 0", outcome.status == 0, outcome)
    holds(outcome, "época 1: pérdida ", ", exactitud ", ", pérdida de validación ", ", exactitud de validación ",
          "s, parámetros ")


def what_is_reported_and_recorded():
    done("./network_serial --network mlp:50-25 --task train --batch 10 --epochs 2 --warmup 1", "epoch 1: loss ",
         "epoch 2: loss ", "40 samples, batches of 10 in 8 shards, order seeded, dropout on",
         "adam (beta 0.9 and 0.999, epsilon 1e-8), learning rate 0.001", "backward", "8 after 1 warm-up")
    done("./network_serial --network mlp:50-25 --task train --batch 10 --steps 2 --warmup 0 --format csv",
         ",task,data,optimizer,strategy,learning_rate,shards,epoch,step,forward_s,loss_s,backward_s,exchange_s,"
         "update_s,loss,accuracy,parameters_hash", ",train,random,adam,,0.001")
    done(f"./network_serial {MLP} --steps 1 --find-learning-rate", "suggestion: ")
    outcome = done(f"./network_serial {MLP} --steps 1 --find-learning-rate --format csv", err=("suggestion: ",))
    expect("no suggestion in the table", "suggestion: " not in outcome.out, outcome)


def recorded(what):
    """Returns the rows of one kind in the file of a training."""
    return [row for row in rows_in(DIR / "training.csv") if row["what"] == what]


# ---- the tesina's protocol ------------------------------------------------------------------------------------------


TESINA = "--network alexnet_mri --task train --data brain_planes --split 12,8,6 --batch 12 --warmup 0 --verify none " \
         "--normalize 0.5,0.5 --learning-rate 0.0001"


def numbers_after(words, text):
    """Returns the numbers after each occurrence of the words."""
    return [float(number) for number in re.findall(re.escape(words) + r"([-+.\de]*\d)", text)]


def the_best_epoch_is_tested_and_saved():
    """The epoch with the least validation loss is tested and saved; a training that ends there has the same file."""
    outcome = done(f"./network_omp -t 2 {TESINA} --epochs 2 --select best-validation --save $DIR/best.safetensors "
                   "--record-training $DIR/training.csv", "epoch 1: loss ", ", accuracy ", ", validation accuracy ",
                   "s, parameters ", "12 samples, batches of 12",
                   "8 samples for validation, 6 for the test", "(x - 0.5) / 0.5 for each value x",
                   " of the steps per image\n")
    losses = numbers_after(", validation loss ", outcome.out)
    best = losses.index(min(losses)) + 1
    expect("two epochs, and the best is not the last", len(losses) == 2 and best < 2, outcome)
    selected = numbers_after("Selected      epoch ", outcome.out)
    least = numbers_after("least validation loss, ", outcome.out)
    expect("the epoch with the least loss", selected == [best] and least == [min(losses)], outcome)
    epochs, accuracy = recorded("epoch"), numbers_after("Test          accuracy ", outcome.out)[0]
    expect("two rows", len(epochs) == 2, epochs)
    expect("its accuracy", abs(float(epochs[best - 1]["test_accuracy"]) - accuracy) < 1e-4, epochs)
    expect("its matrix", recorded("confusion")[0]["epoch"] == str(best))
    done(f"./network_omp -t 1 {TESINA} --epochs {best} --save $DIR/ended.safetensors && "
         "cmp $DIR/best.safetensors $DIR/ended.safetensors")


def initializations_are_chosen():
    """Each initialization leads to a hash of its own, the same on any number of workers."""
    begun = "--network mlp:20 --task train --batch 8 --steps 2 --warmup 0"
    names = ("he-uniform", "he-normal", "glorot-uniform", "glorot-normal", "tesina")
    hashes = {name: hash_of(f"./network_omp -t 1 {begun} --init {name}") for name in names}
    expect("a hash of its own", len(set(hashes.values())) == len(names), hashes)
    expect("the usual one", hash_of(f"./network_serial {begun}") == hashes["he-uniform"], hashes)
    expect("three threads", hash_of(f"./network_omp -t 3 {begun} --init tesina") == hashes["tesina"], hashes)
    done(f"./network_serial {begun} --init tesina --format csv", "init", "tesina")
    refused(2, f"./network_serial {begun} --init xavier", "glorot-uniform")
    refused(2, f"./network_serial {begun} --init he-normal --weights x",
            "--init: the parameters are those of --weights")
    refused(2, "./network_serial --network mlp:20 --init he-normal", "--init goes with --task train")


def the_matrix_has_names():
    """A matrix names its classes, and leaves out outputs that no image has."""
    outcome = done("./network_omp -t 2 --network alexnet_tesina --task train --data brain_planes --split 8,0,12 "
                   "--batch 8 --steps 1 --warmup 0 --verify none --learning-rate 0 --dropout off", "Confusion")
    _, _, matrix = outcome.out.partition("Confusion")
    counts = [re.search(rf"{name}:((?: *\d+)+)", matrix)[1].split() for name in ("axial", "coronal", "sagittal")]
    expect("twelve images", sum(int(count) for row in counts for count in row) == 12, outcome)
    expect("not all ten outputs", len(matrix.splitlines()[1]) < 14 + 7 * 10, outcome)


def values_are_normalized():
    """Values normalized by the program train as values that are normalized in the file."""
    raw = [i * 7 % 5 for i in range(10 * 50)]
    write_npy("raw.npy", (10, 50), raw)
    write_npy("done.npy", (10, 50), [(value - 1) / 2 for value in raw])
    write_npy("targets.npy", (10, 1), raw[:10])
    of_file = "./network_serial --network mlp:20 --task train --batch 5 --epochs 2 --warmup 0 " \
              "--labels $DIR/targets.npy --data $DIR/"
    plain, normalized = hash_of(f"{of_file}raw.npy"), hash_of(f"{of_file}raw.npy --normalize 1,2")
    expect("as in the file", normalized == hash_of(f"{of_file}done.npy"))
    expect("by 0 and 1", plain == hash_of(f"{of_file}raw.npy --normalize 0,1"))
    expect("other parameters", normalized != plain)
    for wrong in ("0.5", "0.5,0", "0.5,-1", "a,b", "0.5,0.5,0.5", "nan,1", ","):
        refused(2, f"{of_file}raw.npy --normalize {wrong}", "what is divided by, above 0")
    refused(2, f"{of_file}raw.npy --select best-validation", "no images with classes")
    refused(2, f"./network_serial {TESINA} --select best-validation --resume x",
            "the losses before a --resume are not known")


def time_and_width_end_a_training():
    """Time limit and interval end a training if requested; the last step is verified as always."""
    for option, reason in (("--max-seconds 0.05", "seconds"), ("--relative-ci 1", "relative_ci")):
        done("./network_serial --network mlp:50 --task train --batch 10 --warmup 0 --epochs 1000000 "
             f"{option} --format csv | tail -n 1", reason, ",bound,")


def a_loss_that_is_not_finite():
    refused(1, f"./network_serial {MLP} --steps 50 --optimizer sgd --learning-rate 1e6 --format csv > /dev/null",
            "the loss is", "that began in layer hidden")


def sunlight_is_foreseen():
    done("./network_omp --network mlp:50 --task train --data solar --batch 100 --steps 20 --warmup 0 --verify none",
         "of persistence's", "on 1,024 samples that were not trained with")


def epochs_are_clocked():
    """8192 samples in batches of 1000 make eight whole steps. The time of the steps is part of the recorded time, in
    the first epoch and in the last, whose steps are verified."""
    (DIR / "training.csv").unlink(missing_ok=True)
    done("./network_omp --network mlp:50 --task train --data solar --batch 1000 --epochs 3 --warmup 0 --verify sampled "
         "--record-training $DIR/training.csv")
    epochs = recorded("epoch")
    expect("three epochs", len(epochs) == 3, epochs)
    for row in epochs:
        rest, seconds, wall = (float(row[name]) for name in ("rest_seconds", "seconds", "wall_seconds"))
        expect("eight whole steps", row["whole_steps"] == "8", row)
        expect("parts of the time", 0 < rest < seconds and wall >= seconds * (1 - 1e-6), row)


def a_day_is_forecast():
    """The forecast of one day, in steps of six minutes, follows the true values: its errors are those of a forecast
    which has learned something. The errors of the test part are consistent."""
    (DIR / "training.csv").unlink(missing_ok=True)
    done("./network_omp --network mlp:100-50 --task train --data solar --batch 100 --epochs 3 --warmup 0 --verify none "
         "--record-training $DIR/training.csv")
    rows = recorded("forecast")
    expect("steps of six minutes", [(int(row["step"]), float(row["day_seconds"]), row["epoch"]) for row in rows] ==
           [(i + 1, 7 * 3600 + 360 * i, "3") for i in range(100)], rows)
    true = [float(row["true_value"]) for row in rows]
    errors = sum((float(row["predicted_value"]) - value) ** 2 for row, value in zip(rows, true))
    spread = sum((value - sum(true) / len(true)) ** 2 for value in true)
    expect("something is learned", errors < 0.25 * spread, f"squares of errors {errors}, of the day itself {spread}")
    last = {name: float(recorded("epoch")[2][name]) for name in ("test_absolute_error", "test_error", "test_mean")}
    expect("errors of the test part", 0 < last["test_absolute_error"] < last["test_error"], last)
    expect("their mean", 0.2 < last["test_mean"] < 1, last)


def days_add_up():
    """A day has 100 of the 1024 samples, the last one 24; the squares of all days add up to those of the last epoch.
    The rows are those of the training in the test before."""
    days, last = recorded("day"), recorded("epoch")[2]
    expect("days of the last epoch", [(int(row["step"]), int(row["count"]), row["epoch"]) for row in days] ==
           [(i + 1, 100 if i < 10 else 24, "3") for i in range(11)], days)
    for name in ("test_error", "persistence"):
        squares = sum(int(row["count"]) * float(row[name]) ** 2 for row in days)
        expect(name, abs(math.sqrt(squares / 1024) - float(last[name])) < 1e-7, last)


if __name__ == "__main__":
    sys.exit(main(
        bad_options_are_refused, wrong_data_are_refused, saved_data_are_trained_with,
        threads_come_to_the_same_parameters, ranks_come_to_the_same_parameters, ranks_go_on_from_a_checkpoint,
        a_rank_that_dies_ends_all, warm_up_and_verification_leave_no_trace, order_and_dropout_matter,
        the_record_has_the_augmentation, going_on_is_as_never_stopping, a_state_out_of_its_range_is_refused,
        other_data_are_reported, a_moment_that_overflows, every_allocation_that_fails, a_rank_without_memory_ends_all,
        signals_leave_a_checkpoint, a_full_disk_leaves_the_checkpoint_before,
        a_checkpoint_that_cannot_be_written_is_refused_at_once, leftovers_and_links_are_no_obstacle,
        a_kill_while_a_checkpoint_is_written_leaves_the_one_before, time_and_width_end_a_training,
        epochs_have_a_line_in_spanish, what_is_reported_and_recorded, the_best_epoch_is_tested_and_saved,
        the_matrix_has_names, values_are_normalized, initializations_are_chosen, a_loss_that_is_not_finite,
        sunlight_is_foreseen, epochs_are_clocked, a_day_is_forecast, days_add_up))
