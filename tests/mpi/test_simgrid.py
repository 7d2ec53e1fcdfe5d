#!/usr/bin/env python3
"""The MPI programs on simulated clusters, started by smpirun: results are compared with the oracle, times with the
arithmetic of the platform file. Usage: tests/support/commands.py."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, rows_in
from commands import DIR, command, done, fails, main, write

# The options that `study run` passes to smpirun (experiments/plan/command_line.c).
SETTINGS = ("--cfg=smpi/host-speed:1000000000 --cfg=smpi/simulate-computation:no --cfg=smpi/bw-factor:0:1 "
            "--cfg=smpi/lat-factor:0:1 --cfg=network/crosstraffic:0 --cfg=network/weight-S:0 --cfg=network/TCP-gamma:0 "
            "--cfg=smpi/bcast:flattree --cfg=smpi/test:0 --cfg=smpi/shared-malloc-blocksize:16777216 "
            "--log=root.thresh:error")


def write_platform(name, cores, links):
    """Writes a platform of 64 hosts with `cores` cores; ranks fill one host after the other."""
    write(f"{name}.xml", '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
          '<platform version="4.1"><cluster id="c" prefix="h" suffix="" radical="0-63" speed="1Gf" '
          f'core="{cores}" sharing_policy="SPLITDUPLEX" {links}/></platform>\n')
    write(f"{name}.hosts", "".join(f"h{host}\n" * cores for host in range(64)))


def launcher(platform, ranks):
    return f"smpirun -np {ranks} -platform $DIR/{platform}.xml -hostfile $DIR/{platform}.hosts {SETTINGS} simgrid/"


def simulate(platform, ranks, line):
    """Returns the last sample of one simulated launch: numbers where they are."""
    (DIR / "samples.csv").unlink(missing_ok=True)
    done(f"{launcher(platform, ranks)}{line} --platform {platform} --record $DIR/samples.csv")
    last = [row for row in rows_in(DIR / "samples.csv") if row["warmup"] == "0"][-1]
    return {name: float(text) if re.fullmatch(r"[\d.]+(e[-+]\d+)?", text) and not name.endswith("hash") else text
            for name, text in last.items()}


def expect_near(value, expected, share, what):
    expect(f"{what} within {share} of {expected}", abs(value - expected) <= share * expected, value)


# ---- results --------------------------------------------------------------------------------------------------------


def every_value_is_verified():
    for ranks in (1, 2, 3, 16, 64):
        for line in ("maxpool_mpi -R 131 -C 67 -k 3 -s 2 --samples 2",
                     "maxpool_mpi -R 131 -C 67 -k 3 -s 2 --samples 2 --distribute scatter",
                     "maxpool_mpi -n 40 --planes 3 -k 5 -s 1 -p 2 --filter random --samples 2",
                     "matmul_mpi -n 70 --filter random --samples 2 --distribute scatter",
                     "matmul_mpi -R 5 -C 24 --planes 7 --filter random --samples 2"):
            r = simulate("four", ranks, line)
            expect(line, (r["verified"], r["ranks"], r["nodes"]) == ("exact", ranks, (ranks + 3) // 4), r)


def the_record_says_that_it_was_simulated():
    r = simulate("one", 2, "maxpool_mpi -n 64 --samples 1 --row-seconds 1e-3 --fold --verify none")
    found = [r[c] for c in ("launch", "platform", "verified", "row_s", "involuntary_switches", "cpu_mhz")]
    expect("columns", found == ["simgrid", "one", "none", 1e-3, "", ""], found)  # the last ones are of no rank
    r = simulate("one", 2, "maxpool_mpi -n 64 --samples 1 --row-seconds 1e-3")
    expect("it is computed all the same", r["verified"] == "exact", r)  # although simulated time is set
    expect_near(r["compute_s"], 16e-3, 1e-4, "compute")
    r = simulate("one", 2, "maxpool_mpi -n 64 --samples 1")
    expect("no seconds of a row", r["row_s"] == "", r)


def workers_may_share_the_products_alone():
    """Amdahl's own model on a platform whose messages are free: 32 rows of 1 ms, 0.75 ms of them in products, take
    8 ms + 24 ms / p."""
    for ranks in (1, 2, 4):
        r = simulate("ideal", ranks, "maxpool_mpi --method staged -n 64 --samples 1 --warmup 0 --parallel product "
                     "--row-seconds 1e-3 --product-seconds 75e-5")
        expect("verdict", (r["verified"], r["parallel"]) == ("exact", "product"), r)
        expect_near(r["total_s"], 8e-3 + 24e-3 / ranks, 0.01, "total")
    for line, words in (("--method staged -n 64 --parallel product --row-seconds 1e-3",
                         "--product-seconds says how many"),
                        ("-n 64 --row-seconds 1e-3 --product-seconds 1e-4", "goes with --parallel product")):
        fails(2, f"{launcher('four', 2)}maxpool_mpi {line}", words)


# ---- times ----------------------------------------------------------------------------------------------------------

FOLDED = "--row-seconds 1e-9 --fold --verify none --warmup 1 --samples 1"


def a_message_takes_what_the_platform_says():
    """Two links of 10 us and 1 GB/s connect two hosts."""
    for cols in (1, 10000, 1000000):
        r = simulate("one", 2, f"maxpool_mpi -R 2 -C {cols} -k 1 --distribute scatter {FOLDED}")
        slack = 50e-9  # readings of the clock
        expect(f"{4 * cols} bytes", abs(r["distribute_s"] - (20e-6 + 4.0 * cols / 1e9)) <= slack, r["distribute_s"])


def a_halo_takes_what_the_platform_says():
    """Two rows of the map and two ranks: rank 0 waits for two rows of the image, and no computation hides the wait."""
    r = simulate("one", 2, f"maxpool_mpi -R 4 -C 100000 -k 3 -s 1 {FOLDED}")
    expect_near(r["distribute_s"], 20e-6 + 8.0 * 100000 / 1e9, 0.01, "halo")


def a_scatter_takes_what_the_platform_says():
    """Rank 0's own link carries everything except its own band and those of its host."""
    r = simulate("four", 64, f"maxpool_mpi -n 2048 -k 2 --distribute scatter {FOLDED}")
    expect_near(r["distribute_s"], 20e-6 + 4.0 * 2048 * 2048 * 60 / 64 / 1e9, 0.01, "scatter")


def without_a_network_amdahls_law_holds():
    """If messages cost nothing, all of the time is shared among the ranks: f = 1."""
    seconds = {ranks: simulate("ideal", ranks, "maxpool_mpi -n 129 -k 3 -s 2 --row-seconds 1e-3 --fold --verify none "
                               "--warmup 1 --samples 1")["total_s"] for ranks in (1, 2, 3, 4, 16, 64)}
    expect_near(seconds[1], 64e-3, 1e-4, "one rank")
    for ranks in (2, 4, 16, 64):
        expect_near(seconds[1] / seconds[ranks], ranks, 1e-3, "speedup")
    expect_near(seconds[1] / seconds[3], 64.0 / 22.0, 1e-3, "speedup of an uneven partition")  # 21, 21 and 22 rows


# ---- trainings ------------------------------------------------------------------------------------------------------


def simulated_ranks_train_to_the_same_bits():
    """Two layers with parameters and one epoch of four steps: the parameters do not depend on which ranks hold the
    shards or on how gradients are exchanged."""
    hashes = set()
    for ranks, strategy in ((1, "mirrored"), (3, "mirrored"), (16, "mirrored"), (3, "central"), (16, "central")):
        r = simulate("four", ranks, "network_mpi --network mlp:10-5 --task train --batch 32 --epochs 1 --strategy "
                     f"{strategy}")
        hashes.add(r["parameters_hash"])
        expect("verdict", r["verified"] == "bound", r)
    expect("one hash", len(hashes) == 1 and len(*hashes) == 16, hashes)


def a_folded_training_takes_the_seconds_it_was_given():
    """64 images in 64 shards, 1 ms each; 0.5 ms to add a shard's gradients, 2 ms for the update. If messages cost
    nothing: all ranks share the images. With "mirrored" they also share the sums; with "central" the first rank
    computes them alone."""
    step = ("network_mpi --network solar_cnn --task train --batch 64 --shards 64 --row-seconds 1e-3 --sum-seconds 5e-4 "
            "--update-seconds 2e-3 --fold --verify none --warmup 1 --samples 1")
    for ranks in (1, 4, 16):
        r = simulate("ideal", ranks, step)
        expect_near(r["total_s"], 64e-3 / ranks + 32e-3 / ranks + 2e-3, 1e-3, "mirrored")
        expect_near(r["update_s"], 2e-3, 1e-3, "update")
        expect("nothing is computed", [r[c] for c in ("verified", "parameters_hash", "loss")] == ["none", "", ""], r)
        r = simulate("ideal", ranks, f"{step} --strategy central")
        expect_near(r["total_s"], 64e-3 / ranks + 32e-3 + 2e-3, 1e-3, "central")


def gradients_take_what_the_platform_says():
    """Two shards on two ranks, and only messages take time: the other rank's gradients arrive and the parameters go
    back, 4,352,961 floats each. With "mirrored", half of them arrive while the other half leaves, and so do the
    sums."""
    for strategy, times in (("central", 2.0), ("mirrored", 1.0)):
        r = simulate("one", 2, "network_mpi --network solar_cnn --task train --batch 2 --shards 2 --row-seconds 1e-9 "
                     "--sum-seconds 1e-9 --update-seconds 1e-9 --fold --verify none --warmup 1 --samples 1 --strategy "
                     f"{strategy}")
        expect_near(r["total_s"], times * 4.0 * 4352961 / 1e9, 0.01, strategy)


def trainings_that_cannot_be_simulated_are_refused():
    for status, ranks, line, words in (
            (4, 64, "--task train --batch 65536 --shards 65536 --row-seconds 1 --fold --verify none",
             "64 simulated ranks, 65536 shards"),
            (2, 2, "--task train --row-seconds 1", "--fold"),
            (2, 2, "--row-seconds 1 --fold --verify none", "--task train"),
            (2, 2, "--task train --data solar --row-seconds 1 --fold --verify none", "--data solar")):
        fails(status, f"{launcher('four', ranks)}network_mpi --network mlp:10-5 {line}", words)


# ---- the study ------------------------------------------------------------------------------------------------------


def study(line, *words):
    return done(f"./study {line} --results $DIR/results", *words)


def define(name, points):
    """Writes a definition, whose points are on the platform "four"."""
    write(f"{name}.ini", f"[experiment]\ntitle = drill\nquestion = ?\n[points]\n{points}\nplatform = {DIR}/four.xml\n")


def the_study_simulates():
    """The study is calibrated, simulated, scored, predicted and drawn, and not run again."""
    define("drill", "programs = maxpool_mpi\nmethod = fused\nsize = 512 1024\nranks = 2 64\ncompute_limit = 512")
    study("run $DIR/drill.ini", "4 done now, 0 failed")
    study("run $DIR/drill.ini", "4 of 4 launches were there, 0 done now")
    outcome = study("analyze drill", "0 PRECISE, 0 ROUGH, 4 SIMULATED, 0 SUSPECT",
                    "512x512 distribution=generate kernel=2 stride=2 ranks=64 threads=1 nodes=16 simulated on four.xml",
                    "computed and verified in 1 of 1 launches", "computed and verified in 0 of 1 launches")
    worst = re.search(r"error on 4 simulated points, to which it was not fitted: ([\d.]+)", outcome.out)
    # percent; 5 to 6 on a busy machine, which disturbs the calibration
    expect("the error", worst and float(worst[1]) < 30.0, outcome)
    study("predict $DIR/drill.ini --ranks 8 --platform $DIR/four.xml", "lowest time")


PRODUCTS = "programs = maxpool_mpi\nsize = 64\ndistribution = scatter\nparallel = product\n"


def the_study_computes_shared_products():
    """Ranks that share the products alone compute, however small the limit is."""
    define("products", PRODUCTS + "method = staged fused\nranks = 1 2\ncompute_limit = 0")
    study("run $DIR/products.ini", "2 done now, 0 failed")
    study("analyze products", "computed and verified in 1 of 1 launches")
    study("plan $DIR/products.ini", "--method fused does not compute its product in a stage of its own")


def products_that_were_not_timed_are_calibrated():
    """Without the products' times in the calibration, as in one of an early version, rows are measured once more."""
    define("untimed", PRODUCTS + "method = staged\nranks = 4")
    done("cd $DIR/results && awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { "
         "$at[\"product_s\"] = \"\" } 1' calibration.samples.csv > untimed && mv untimed calibration.samples.csv")
    study("run $DIR/untimed.ini", "1 done now, 0 failed")


def the_study_simulates_trainings():
    """A training between simulated ranks: one real rank is measured for it, points are compared only with points of the
    same kind, and the chart and its sentence exist in both languages."""
    define("cnn_strategies", "programs = network_mpi\nmethod = auto\ntask = train\ndata = random\nnetwork = mlp:100-50\n"
           "images = 16\nshards = 16\nranks = 1 16\nthreads = 1\nstrategy = mirrored central")
    study("run $DIR/cnn_strategies.ini", "4 done now, 0 failed")
    study("analyze cnn_strategies", "0 PRECISE, 0 ROUGH, 4 SIMULATED, 0 SUSPECT")
    for language, words in (("en", "mirrored gains up to"), ("es", "replicada gana hasta")):
        outcome = command(f"./study report --lang {language} --results $DIR/results")
        expect("the finding is said, and its chart drawn", words in outcome.out and
               "training_ranks" not in outcome.err, outcome)
    fails(2, "./study predict $DIR/cnn_strategies.ini --ranks 8 --platform $DIR/four.xml --results $DIR/results",
          "no MPI points")


if __name__ == "__main__":
    write_platform("one", 1, 'bw="1GBps" lat="10us"')
    write_platform("four", 4, 'bw="1GBps" lat="10us" loopback_bw="8GBps" loopback_lat="1us"')
    write_platform("ideal", 1, 'bw="1e18Bps" lat="0s"')
    sys.exit(main(
        every_value_is_verified, the_record_says_that_it_was_simulated, workers_may_share_the_products_alone,
        a_message_takes_what_the_platform_says, a_halo_takes_what_the_platform_says,
        a_scatter_takes_what_the_platform_says, without_a_network_amdahls_law_holds,
        simulated_ranks_train_to_the_same_bits, a_folded_training_takes_the_seconds_it_was_given,
        gradients_take_what_the_platform_says, trainings_that_cannot_be_simulated_are_refused, the_study_simulates,
        the_study_computes_shared_products, products_that_were_not_timed_are_calibrated,
        the_study_simulates_trainings))
