/* The training programs as a user meets them: refusals, equal parameters for any number of threads,
 * checkpoints that survive whatever ends the program, and what is reported and recorded. */
#include "tests/support/files.h"

#include "harness/records/training_record.h"
#include "tests/support/unit_test.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MLP " --network mlp:50-25 --task train --batch 10 --verify none --warmup 0 "

/* Reads the last hash of parameters that a command prints. */
static void hash_of(const char *command, char hash[17])
{
    static const char word[] = ", parameters ";
    struct outcome o = command_done("%s", command);
    const char *at = NULL;
    for (const char *next = o.out; (next = strstr(next, word)); next++)
        at = next;
    assert_non_null(at);
    snprintf(hash, 17, "%.16s", at + strlen(word));
}

static void expect_same_hash(const char *command, const char *other)
{
    char one[17], two[17];
    hash_of(command, one);
    hash_of(other, two);
    if (strcmp(one, two) != 0)
        fail_msg("%s: %s\n%s: %s", command, one, other, two);
}

/* ---- refusals ----------------------------------------------------------------------------------
 */

static void test_refusals(NO_STATE)
{
    expect_refusal("./network_serial --network resnet18 --task train --image-size 32", 2,
                   "bn1 is a batch norm");
    expect_refusal("./network_serial --network mlp:50 --task train --data brain_planes", 2,
                   "the network takes 50 x 1 x 1");
    expect_refusal("./network_serial --network alexnet_mri --task train --data brain_planes "
                   "--batch 1000",
                   2, "540 samples to train with, fewer than a --batch of 1000");
    expect_refusal("./network_serial --network mlp:50 --task train --data nowhere.npy", 2,
                   "--data nowhere.npy: No such file or directory; it is a folder");
    expect_refusal("touch $DIR/here.npy; ./network_serial --network mlp:50 --task train "
                   "--data $DIR/here.npy",
                   2, "--labels FILE.npy");
    expect_refusal("./network_serial --network mlp:50 --task train --labels x.npy", 2,
                   "not with --data random");
    expect_refusal("./network_serial --network mlp:50 --task train --epochs 1 --steps 1", 2,
                   "give one of them");
    expect_refusal("./network_serial --network mlp:50 --task train --shards 0", 2,
                   "shards must be at least 1");
    expect_refusal("./network_serial --network mlp:50 --task train -o x.npy", 2,
                   "--output does not go with --task train");
    expect_refusal("./network_serial --network mlp:50 --task train --resume /dev/null/x", 2,
                   "/dev/null/x");
    expect_refusal("./network_serial --network mlp:50 --task train --optimizer best", 2,
                   "optimizer");
    expect_refusal("./network_serial --network solar_cnn --task train --augment shear", 2,
                   "'shear' is none of rotate, flip and crop");
    expect_refusal("./network_serial --network solar_cnn --image-size 14 --task train --augment "
                   "crop=15",
                   2, "a crop of 15 pixels is larger than images of 14 x 14");
    expect_refusal("./network_serial" MLP "--steps 1 --save /dev/null/x", 5, "/dev/null/x");
}

static const char *written(const char *file, const char *shape, const float *values, size_t bytes)
{
    char header[128];
    snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }",
             shape);
    return files_npy(file, 1, header, values, bytes);
}

static void expect_data_refusal(const char *images, const char *labels, int status,
                                const char *words)
{
    char command[2 * PATH_MAX];
    snprintf(command, sizeof command,
             "./network_serial --network alexnet_mri --task train --steps 1 --data %s --labels %s",
             images, labels);
    expect_refusal(command, status, words);
}

static void test_data_that_are_wrong(NO_STATE)
{
    static float images[2 * 32 * 32];
    const float good[2] = {0.0f, 2.0f}, beyond[2] = {0.0f, 3.0f}, three[3] = {0.0f};
    const float below[2] = {-1.0f, 0.0f}, between[2] = {1.5f, 0.0f};
    const char *right = written("images.npy", "(2, 1, 32, 32)", images, sizeof images);
    expect_data_refusal(right, written("beyond.npy", "(2,)", beyond, sizeof beyond), 2,
                        "label 1 is 3, where classes are 0 to 2");
    expect_data_refusal(right, written("below.npy", "(2,)", below, sizeof below), 2,
                        "label 0 is -1, where classes are 0 to 2");
    expect_data_refusal(right, written("between.npy", "(2,)", between, sizeof between), 2,
                        "label 0 is 1.5, where classes are 0 to 2");
    expect_data_refusal(right, written("three.npy", "(3,)", three, sizeof three), 2,
                        "3 values where 2 images take 2");
    char larger_batch[PATH_MAX + 16];
    snprintf(larger_batch, sizeof larger_batch, "%s --batch 3",
             written("good.npy", "(2,)", good, sizeof good));
    expect_data_refusal(right, larger_batch, 2,
                        "2 samples to train with, fewer than a --batch of 3");
    const char *small = written("small.npy", "(2, 1, 31, 32)", images, 2 * 31 * 32 * sizeof(float));
    expect_data_refusal(small, written("good.npy", "(2,)", good, sizeof good), 2,
                        "31 x 32, where the network takes images of 1 x 32 x 32");
    const char *turned = written("turned.npy", "(2, 1, 16, 64)", images, sizeof images);
    expect_data_refusal(turned, written("good.npy", "(2,)", good, sizeof good), 2,
                        "16 x 64, where the network takes images of 1 x 32 x 32");
    const float hole[2] = {0.0f, NAN};
    right = written("images.npy", "(2, 1, 32, 32)", images, sizeof images);
    expect_data_refusal(right, written("hole.npy", "(2,)", hole, sizeof hole), 2, "finite");
    images[5] = NAN;
    const char *holes = written("holes.npy", "(2, 1, 32, 32)", images, sizeof images);
    expect_data_refusal(holes, written("good.npy", "(2,)", good, sizeof good), 2, "finite");
}

/* Another launch that trains with the saved files gets the same parameters. */
static void test_saved_data_are_trained_with(NO_STATE)
{
    static const char training[] =
        " --network mlp:9 --task train --batch 50 --steps 2 --verify none";
    char prefix[PATH_MAX], save[3 * PATH_MAX], again[4 * PATH_MAX];
    snprintf(prefix, sizeof prefix, "%s", files_path("saved"));
    snprintf(save, sizeof save, "./network_serial%s --data solar --save-data %s", training, prefix);
    snprintf(again, sizeof again, "./network_serial%s --data %s.images.npy --labels %s.targets.npy",
             training, prefix, prefix);
    expect_same_hash(save, again);
    expect_refusal("./network_serial --network mlp:9 --save-data x", 2, "goes with --task train");
    expect_refusal("./network_serial --network mlp:9 --task train --save-data /dev/null/x", 5,
                   "/dev/null/x.images.npy");
}

/* ---- the same bits -----------------------------------------------------------------------------
 */

static void test_threads_come_to_the_same_parameters(NO_STATE)
{
    static const char *const trainings[] = {
        MLP "--epochs 2",
        " --network solar_cnn --image-size 14 --task train --batch 9 --steps 3 --warmup 0 "
        "--verify none --optimizer sgd ",
        " --network solar_cnn --image-size 14 --task train --batch 9 --steps 3 --warmup 0 "
        "--verify none --augment rotate,flip,crop "};
    for (size_t i = 0; i < sizeof trainings / sizeof *trainings; i++)
        for (int threads = 1; threads <= 7; threads += 2) {
            char serial[512], omp[512];
            snprintf(serial, sizeof serial, "./network_serial%s", trainings[i]);
            snprintf(omp, sizeof omp, "./network_omp%s -t %d", trainings[i], threads);
            expect_same_hash(serial, omp);
        }
}

#ifdef MAXPOOL_MPIEXEC
/* With both strategies, verified; half of 16 ranks have no shard. */
static void test_ranks_come_to_the_same_parameters(NO_STATE)
{
    static const struct {
        const char *training, *strategy;
        int ranks;
    } cases[] = {
        {" --network mlp:50-25 --task train --batch 10 --steps 3 ", "mirrored", 3},
        {" --network mlp:50-25 --task train --batch 10 --steps 3 ", "central", 3},
        {MLP "--steps 2 ", "mirrored", 16},
        {" --network solar_cnn --image-size 8 --task train --batch 9 --steps 2 ", "mirrored", 2},
        {" --network solar_cnn --image-size 8 --task train --batch 9 --steps 2 ", "central", 2},
        {" --network solar_cnn --image-size 8 --task train --batch 9 --steps 2 --augment "
         "crop,flip ",
         "mirrored", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char serial[512], mpi[512];
        snprintf(serial, sizeof serial, "./network_serial%s--verify none", cases[i].training);
        snprintf(mpi, sizeof mpi, MAXPOOL_MPIEXEC " %d ./network_mpi%s --strategy %s",
                 cases[i].ranks, cases[i].training, cases[i].strategy);
        expect_same_hash(serial, mpi);
    }
}

static void test_ranks_go_on_from_a_checkpoint(NO_STATE)
{
    char stop[512], go_on[512];
    const char *path = files_path("ranks.safetensors");
    for (int central = 0; central < 2; central++) {
        snprintf(stop, sizeof stop,
                 MAXPOOL_MPIEXEC " 3 ./network_mpi" MLP "--steps 3 --strategy %s --save %s",
                 central ? "central" : "mirrored", path);
        command_done("%s", stop);
        snprintf(go_on, sizeof go_on,
                 MAXPOOL_MPIEXEC " 2 ./network_mpi" MLP "--steps 6 --resume %s", path);
        expect_same_hash("./network_serial" MLP "--steps 6", go_on);
    }
}

/* A rank is killed, any rank at any point of its step: all ranks end, and training can resume from
 * the previous checkpoint. The launcher prints its own message; our programs print none. */
static void test_a_rank_that_dies_ends_all(NO_STATE)
{
    static const char *const jobs[] = {"$MPIRUN 2 $BY_RANK \"$PROGRAM\" \"$KILLED $PROGRAM\"",
                                       "$MPIRUN 2 $BY_RANK \"$KILLED $PROGRAM\" \"$PROGRAM\""};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct outcome o = command_run(
            "F=$DIR/dies; rm -f $F*; KILLED=\"$WHEN KILL $F 4000\"; PROGRAM=\"./network_mpi" MLP
            "--epochs 1000000 --save $F --strategy %s\"; %s > /dev/null",
            i == 0 ? "mirrored" : "central", jobs[i]);
        assert_int_not_equal(o.status, 0);
        assert_null(strstr(o.err, "network_mpi: "));
        command_done("./network_serial" MLP
                     "--steps 1000000000 --relative-ci 1 --resume $DIR/dies");
    }
}
#endif

static void test_warm_up_and_verification_leave_no_trace(NO_STATE)
{
    expect_same_hash("./network_serial" MLP "--steps 3",
                     "./network_serial --network mlp:50-25 --task train --batch 10 --steps 3 "
                     "--warmup 3 --verify full");
    expect_same_hash("./network_serial" MLP "--steps 3",
                     "./network_serial" MLP "--steps 3 --find-learning-rate");
}

static void test_order_and_dropout_matter(NO_STATE)
{
    static const char *const others[] = {"--order given", "--seed 36", "--shards 3",
                                         "--learning-rate 0.01", "--optimizer sgd"};
    char hash[17], other[17], command[256];
    hash_of("./network_serial" MLP "--steps 3", hash);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(command, sizeof command, "./network_serial" MLP "--steps 3 %s", others[i]);
        hash_of(command, other);
        assert_string_not_equal(hash, other);
    }
    hash_of("./network_serial --network solar_cnn --image-size 10 --task train --batch 2 --steps 1 "
            "--verify none --dropout off",
            other);
    hash_of("./network_serial --network solar_cnn --image-size 10 --task train --batch 2 --steps 1 "
            "--verify none",
            hash);
    assert_string_not_equal(hash, other);
    hash_of("./network_serial --network solar_cnn --image-size 10 --task train --batch 2 --steps 1 "
            "--verify none --augment crop",
            other);
    assert_string_not_equal(hash, other);
}

/* The record holds the augmentation: "none" equals a training without the option. */
static void test_record_has_augmentation(NO_STATE)
{
    const char *const given[] = {"", " --augment none", " --augment crop=1"};
    const char *const recorded[] = {"", "", "crop=1"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct outcome o =
            command_done("./network_serial --network solar_cnn --image-size 10 --task train "
                         "--batch 2 --steps 1 --verify none --format csv%s",
                         given[i]);
        char value[CELL_BYTES];
        command_cell(o.out, "auto", "augment", value);
        assert_string_equal(value, recorded[i]);
    }
}

/* ---- checkpoints -------------------------------------------------------------------------------
 */

static void test_going_on_is_as_never_stopping(NO_STATE)
{
    char stop[512], go_on[512];
    const char *path = files_path("checkpoint.safetensors");
    for (int steps = 3; steps <= 8; steps += 5) { /* within an epoch, and at its end */
        snprintf(stop, sizeof stop, "./network_serial" MLP "--steps %d --save %s", steps, path);
        command_done("%s", stop);
        snprintf(go_on, sizeof go_on, "./network_omp" MLP "-t 3 --steps 11 --resume %s", path);
        expect_same_hash("./network_serial" MLP "--steps 11", go_on);
    }
    snprintf(go_on, sizeof go_on, "./network_omp" MLP "--steps 11 --shards 4 --resume %s", path);
    expect_refusal(go_on, 2, "another --shards (8, not 4)");
    snprintf(go_on, sizeof go_on, "./network_omp" MLP "--steps 11 --optimizer sgd --resume %s",
             path);
    expect_refusal(go_on, 2, "it was trained with another --optimizer (adam, not sgd)");
    snprintf(go_on, sizeof go_on, "./network_omp" MLP "--steps 8 --resume %s", path);
    expect_refusal(go_on, 2, "8 steps are done already");
    snprintf(go_on, sizeof go_on, "./network_omp" MLP "--steps 11 --augment flip --resume %s",
             path);
    expect_refusal(go_on, 2, "it was trained with another --augment");
}

/* The values of training.state are last in the file, four floats of 16 bits for each fact, the
 * number of steps first. */
static void test_a_state_out_of_its_range_is_refused(NO_STATE)
{
    enum { FACTS = 9, PIECES = 4 };
    static const struct {
        int first, count;
        float value;
    } damages[] = {{0, 1, -1.0f},    {0, 1, 0.5f},      {0, 1, 1e30f},   {0, 1, 65536.0f},
                   {3, 1, 65535.0f}, {0, 4, 65535.0f},  {2, 1, -0.25f},  {4, 1, 0.5f},
                   {8, 1, 1e30f},    {31, 1, 65536.0f}, {24, 1, 0.125f}, {19, 1, -3.0f}};
    size_t size;
    char command[PATH_MAX + 128];
    command_done("./network_serial" MLP "--steps 3 --save $DIR/right.safetensors");
    unsigned char *right = files_read(files_path("right.safetensors"), &size);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        unsigned char *bytes = malloc(size), *facts = bytes + size - FACTS * PIECES * sizeof(float);
        memcpy(bytes, right, size);
        for (int j = 0; j < damages[i].count; j++)
            memcpy(facts + (size_t)(damages[i].first + j) * sizeof(float), &damages[i].value,
                   sizeof(float));
        snprintf(command, sizeof command, "./network_serial" MLP "--steps 5 --resume %s",
                 files_write("damaged.safetensors", bytes, size));
        expect_refusal(command, 2, "training.state: ");
        free(bytes);
    }
    free(right);
}

/* Data with the same number of samples but other values: images, or only targets. */
static void test_other_data_are_reported(NO_STATE)
{
    command_done(
        "./network_serial" MLP "--steps 1 --save-data $DIR/one && ./network_serial" MLP
        "--steps 1 --seed 36 --save-data $DIR/two && ./network_serial" MLP
        "--data $DIR/one.images.npy --labels $DIR/one.targets.npy --steps 2 --save $DIR/at_two");
    expect_refusal("./network_serial" MLP
                   "--data $DIR/two.images.npy --labels $DIR/one.targets.npy "
                   "--steps 4 --resume $DIR/at_two",
                   2, "other --data: as many samples, other values");
    expect_refusal("./network_serial" MLP
                   "--data $DIR/one.images.npy --labels $DIR/two.targets.npy "
                   "--steps 4 --resume $DIR/at_two",
                   2, "other --data");
    command_done("./network_serial" MLP "--data $DIR/one.images.npy --labels "
                 "$DIR/one.targets.npy --steps 4 --resume $DIR/at_two");
}

/* Gradients whose squares overflow: step, tensor and value are reported, with or without
 * verification, and the last finite checkpoint is kept. */
static void test_a_moment_that_overflows(NO_STATE)
{
    static float images[20 * 50], targets[20];
    char line[2 * PATH_MAX], command[3 * PATH_MAX];
    for (int i = 0; i < 20 * 50; i++)
        images[i] = (float)(i % 7 - 3) * 1e12f;
    for (int i = 0; i < 20; i++)
        targets[i] = (float)(i % 5 - 2) * 1e18f;
    snprintf(line, sizeof line,
             "./network_serial --network mlp:50-25 --task train --batch 10 "
             "--steps 4 --save $DIR/finite --data %s --labels %s",
             written("huge.npy", "(20, 50, 1, 1)", images, sizeof images),
             written("far.npy", "(20, 1)", targets, sizeof targets));
    snprintf(command, sizeof command, "echo kept > $DIR/finite; %s", line);
    expect_refusal(command, 1,
                   "after step 1: moment 2 of adam for hidden1.weight is inf at value ");
    snprintf(command, sizeof command, "%s --verify none --warmup 0", line);
    expect_refusal(command, 1,
                   "between steps 1 and 2: moment 2 of adam for hidden1.weight is inf at value ");
    struct outcome o = command_done("cat $DIR/finite");
    assert_string_equal(o.out, "kept\n");
}

/* A program that a signal ends while it trains leaves a checkpoint to resume from. */
static void test_signals_leave_a_checkpoint(NO_STATE)
{
    const char *path = files_path("ended.safetensors");
    struct outcome o = command_run(
        "$WHEN INT %s 1 ./network_serial" MLP "--epochs 1000000 --save %s > /dev/null", path, path);
    assert_int_equal(o.status, 128 + SIGINT);
    command_done("rm %s; $WHEN KILL %s 1 ./network_serial" MLP
                 "--epochs 1000000 --save %s > /dev/null; "
                 "./network_serial --network mlp:50-25 --weights %s --samples 1",
                 path, path, path, path);
}

static void test_a_full_disk_leaves_the_checkpoint_before(NO_STATE)
{
    char command[2 * PATH_MAX];
    size_t size, after_size;
    const char *path = files_path("kept.safetensors");
    snprintf(command, sizeof command, "./network_serial" MLP "--steps 2 --save %s", path);
    command_done("%s", command);
    unsigned char *before = files_read(path, &size);
    snprintf(command, sizeof command, "ulimit -f 8; ./network_serial" MLP "--steps 4 --save %s",
             path);
    struct outcome o = run_program(command, NULL);
    assert_int_equal(o.status, 5);
    expect_in(o.err, "kept.safetensors");
    unsigned char *after = files_read(path, &after_size);
    assert_int_equal(size, after_size);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
}

/* The file is checked before the first step, not after an epoch of work. */
static void test_a_checkpoint_that_cannot_be_written_is_refused_at_once(NO_STATE)
{
    static const char *const places[] = {"/dev/null/x", "$DIR", "/dev/full"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct outcome o = command_run("./network_serial" MLP "--epochs 1 --save %s", places[i]);
        assert_int_equal(o.status, 5);
        expect_in(o.err, "cannot be written");
        assert_null(strstr(o.out, "epoch 1"));
    }
    command_fails(2, "--save", "./network_serial" MLP "--epochs 1 --save ''");
    struct outcome o =
        command_done("echo kept > $DIR/untouched; ./network_serial" MLP
                     "--resume /dev/null/x --steps 1 --save $DIR/untouched 2> /dev/null; "
                     "cat $DIR/untouched; ls $DIR | grep -c untouched");
    assert_string_equal(o.out, "kept\n1\n");
}

/* The process has the id of one that died while it saved, as the first process of a container does;
 * and the file may be a link. */
static void test_leftovers_and_links_are_no_obstacle(NO_STATE)
{
    struct outcome o = command_done(
        "mkdir $DIR/left; cd $DIR/left; ln -s real F; BIN=$OLDPWD; sh -c 'echo x > F.$$; echo x > "
        ".maxpool-$$-0.tmp; touch -d yesterday .maxpool-$$-0.tmp; exec '$BIN'/network_serial" MLP
        "--steps 2 --save F' > /dev/null; "
        "[ -L F ] && [ -f real ] && ls -A | wc -l");
    assert_string_equal(o.out, "3\n"); /* link, file, and the name of another program */
}

/* Parameters and optimizer come from a checkpoint whose successor was only half written. The
 * resumed training may end after any number of steps. */
static void test_a_kill_while_a_checkpoint_is_written_leaves_the_one_before(NO_STATE)
{
    command_done(
        "F=$DIR/half; ./network_serial --network mlp:800-400 --task train --batch 2 --verify none "
        "--warmup 0 --epochs 1000000 --save $F > /dev/null & p=$!; "
        "until [ -f $F ] && [ -f $DIR/.maxpool-$p-0.tmp ]; do kill -0 $p || exit 9; done; kill -9 "
        "$p; wait $p; "
        "[ $? = 137 ] || exit 8; ./network_serial --network mlp:800-400 --task train --batch 2 "
        "--steps 1000000000 --relative-ci 1 --resume $F");
}

/* ---- memory ------------------------------------------------------------------------------------
 */

/* One allocation of the program fails, each of them in a separate run: the program ends with status
 * 4 and a reason, or works without that memory; it never crashes. */
static void test_every_allocation_that_fails(NO_STATE)
{
    enum { MOST = 5000 };
#ifndef MAXPOOL_FAIL_ALLOCATION
    skip(); /* a sanitizer replaces the allocator */
#else
    struct outcome o;
    int nth = 0, refused = 0;
    bool failed;
    do {
        o = command_run(
            "LD_PRELOAD=%s FAIL_ALLOCATION=%d ./network_serial --network mlp:8-4 --task "
            "train --batch 8 --steps 2 --save $DIR/short.safetensors",
            MAXPOOL_FAIL_ALLOCATION, ++nth);
        failed = strstr(o.err, "FAILED") != NULL;
        if (o.status != 0 && (o.status != 4 || !strstr(o.err, "network_serial: ")))
            fail_msg("allocation %d fails: status %d: %s", nth, o.status, o.err);
        refused += o.status == 4;
    } while (failed && nth < MOST);
    assert_in_range(nth, 20, MOST - 1);
    assert_in_range(refused, 20, nth);
#endif
}

#if defined MAXPOOL_MPIEXEC && defined MAXPOOL_FAIL_ALLOCATION
/* One of two ranks lacks memory: at its start, in its layers, for its messages, for a verification.
 * Neither rank waits forever for the other, and exactly one of them gives the reason. */
static void test_a_rank_without_memory_ends_all(NO_STATE)
{
    static const int allocations[] = {1, 11, 21, 31, 41, 48, 55, 65};
    int verifications = 0;
    for (size_t i = 0; i < sizeof allocations / sizeof *allocations; i++) {
        struct outcome o =
            command_run("A='./network_mpi --network mlp:8-4 --task train --batch 8 --steps 2 -t "
                        "1'; timeout 120 "
                        "$MPIRUN 2 $BY_RANK \"$A\" \"env LD_PRELOAD=%s FAIL_ALLOCATION=%d $A\"",
                        MAXPOOL_FAIL_ALLOCATION, allocations[i]);
        const char *reported = strstr(o.err, "network_mpi: ");
        if (o.status != 4 || !strstr(o.err, "FAILED") || !reported ||
            strstr(reported + 1, "network_mpi: ") || !strstr(reported, "no memory"))
            fail_msg("allocation %d fails: status %d: %s", allocations[i], o.status, o.err);
        verifications += strstr(reported, "the verification") != NULL;
    }
    assert_true(verifications > 0);
}
#endif

/* ---- what is reported --------------------------------------------------------------------------
 */

/* Each epoch has a line with the validation's loss and the seconds, in the language asked for. */
static void test_epochs_have_a_line(NO_STATE)
{
    static const char *const parts[] = {"epoch 1: loss ", ", accuracy ", ", validation loss ",
                                        ", validation accuracy ", "s, parameters "},
                             *const spanish[] = {"época 1: pérdida ", ", exactitud ",
                                                 ", pérdida de validación ",
                                                 ", exactitud de validación ", "s, parámetros "};
    static const char command[] = "./network_serial --network alexnet_mri --task train --data "
                                  "brain_planes --split 4,2,0 --batch 4 --epochs 1 --warmup 0 "
                                  "--verify none --lang %s";
    for (int i = 0; i < 2; i++) {
        struct outcome o = command_run(command, i ? "es" : "en");
        if (i && o.status == 3) { /* built without msgfmt */
            continue;
        }
        assert_int_equal(o.status, 0);
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++)
            expect_in(o.out, i ? spanish[j] : parts[j]);
    }
}

static void test_what_is_reported_and_recorded(NO_STATE)
{
    struct outcome o = command_done("./network_serial --network mlp:50-25 --task train --batch 10 "
                                    "--epochs 2 --warmup 1");
    expect_in(o.out, "epoch 1: loss ");
    expect_in(o.out, "epoch 2: loss ");
    expect_in(o.out, "40 samples, batches of 10 in 8 shards, order seeded, dropout on");
    expect_in(o.out, "adam (beta 0.9 and 0.999, epsilon 1e-8), learning rate 0.001");
    expect_in(o.out, "backward");
    expect_in(o.out, "8 after 1 warm-up");
    o = command_done(
        "./network_serial --network mlp:50-25 --task train --batch 10 --steps 2 --warmup 0 "
        "--format csv");
    expect_in(o.out,
              ",task,data,optimizer,strategy,learning_rate,shards,epoch,step,forward_s,loss_s,"
              "backward_s,exchange_s,update_s,loss,accuracy,parameters_hash");
    expect_in(o.out, ",train,random,adam,,0.001");
    command_prints("suggestion: ", "./network_serial" MLP "--steps 1 --find-learning-rate");
    o = command_done("./network_serial" MLP "--steps 1 --find-learning-rate --format csv");
    expect_in(o.err, "suggestion: ");
    assert_null(strstr(o.out, "suggestion: "));
}

/* The rows of one kind in the file of a training. */
struct recorded {
    const char *what;
    size_t count;
    struct training_record all[1024];
};

static bool see_record(const void *row, int64_t line, void *context)
{
    const struct training_record *r = row;
    struct recorded *seen = context;
    (void)line;
    if (strcmp(r->what, seen->what) == 0 && seen->count < 1024)
        seen->all[seen->count++] = *r;
    return true;
}

static void read_recorded(struct recorded *seen, const char *what)
{
    struct failure f = {0};
    *seen = (struct recorded){.what = what};
    if (table_read(files_path("training.csv"), &training_record_schema, see_record, seen, NULL,
                   &f) != STATUS_OK)
        fail_msg("%s", f.message);
}

/* ---- the tesina's protocol -------------------------------------------------------------------
 */

/* Reads the number after `word` behind `from`, which becomes the place behind it. */
static double number_after(const char **from, const char *word)
{
    char *end;
    const char *at = strstr(*from, word);
    if (!at)
        fail_msg("no '%s' in: %s", word, *from);
    const double value = strtod(at + strlen(word), &end);
    *from = end;
    return value;
}

#define TESINA                                                                                     \
    " --network alexnet_mri --task train --data brain_planes --split 12,8,6 --batch 12 --warmup "  \
    "0 --verify none --normalize 0.5,0.5 --learning-rate 0.0001 "

/* The epoch with the least validation loss is tested and saved; a training that ends there has the
 * same file. */
static void test_the_best_epoch_is_tested_and_saved(NO_STATE)
{
    struct outcome o = command_done("./network_omp -t 2" TESINA "--epochs 2 --select "
                                    "best-validation --save $DIR/best.safetensors "
                                    "--record-training $DIR/training.csv");
    const char *at = o.out;
    double least = INFINITY;
    long best = 0;
    for (long epoch = 1; epoch <= 2; epoch++) {
        const double loss = number_after(&at, ", validation loss ");
        assert_non_null(strstr(at, ", validation accuracy "));
        if (loss < least)
            best = epoch;
        least = loss < least ? loss : least;
    }
    const double selected = number_after(&at, "Selected      epoch ");
    const double said = number_after(&at, "least validation loss, ");
    const double accuracy = number_after(&at, "Test          accuracy ");
    assert_int_equal((long)selected, best);
    assert_true(said == least);
    expect_in(o.out, "12 samples, batches of 12");
    expect_in(o.out, "8 samples for validation, 6 for the test");
    expect_in(o.out, "(x - 0.5) / 0.5 for each value x");
    expect_in(o.out, " of the steps per image\n");
    static struct recorded epochs, confusion; /* large */
    read_recorded(&epochs, "epoch");
    read_recorded(&confusion, "confusion");
    assert_int_equal(epochs.count, 2);
    assert_true(fabs(epochs.all[best - 1].test_accuracy - accuracy) < 1e-4);
    assert_int_equal(confusion.all[0].epoch, best);
    assert_true(best < 2); /* otherwise this test could not tell it from the last epoch */
    command_done("./network_omp -t 1" TESINA "--epochs %ld --save $DIR/ended.safetensors && "
                 "cmp $DIR/best.safetensors $DIR/ended.safetensors",
                 best);
}

/* Each initialization leads to a hash of its own, the same on any number of workers. */
static void test_initializations_are_chosen(NO_STATE)
{
#define BEGUN "--network mlp:20 --task train --batch 8 --steps 2 --warmup 0 "
    static const char *const names[] = {"he-uniform", "he-normal", "glorot-uniform",
                                        "glorot-normal", "tesina"};
    enum { NAMES = sizeof names / sizeof *names };
    char hashes[NAMES][17], usual[17], command[200];
    for (int i = 0; i < NAMES; i++) {
        snprintf(command, sizeof command, "./network_omp -t 1 " BEGUN "--init %s", names[i]);
        hash_of(command, hashes[i]);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(hashes[k], hashes[i]);
    }
    hash_of("./network_serial " BEGUN, usual);
    assert_string_equal(usual, hashes[0]);
    expect_same_hash("./network_omp -t 1 " BEGUN "--init tesina",
                     "./network_omp -t 3 " BEGUN "--init tesina");
    struct outcome o = command_done("./network_serial " BEGUN "--init tesina --format csv");
    expect_in(o.out, "init");
    expect_in(o.out, "tesina");
    expect_refusal("./network_serial " BEGUN "--init xavier", 2, "glorot-uniform");
    expect_refusal("./network_serial " BEGUN "--init he-normal --weights x", 2,
                   "--init: the parameters are those of --weights");
    expect_refusal("./network_serial --network mlp:20 --init he-normal", 2,
                   "--init goes with --task train");
}

/* A matrix names its classes, and leaves out outputs that no image has. */
static void test_the_matrix_has_names(NO_STATE)
{
    struct outcome o =
        command_done("./network_omp -t 2 --network alexnet_tesina --task train --data brain_planes "
                     "--split 8,0,12 --batch 8 --steps 1 --warmup 0 --verify none "
                     "--learning-rate 0 --dropout off");
    const char *matrix = strstr(o.out, "Confusion");
    assert_non_null(matrix);
    static const char *const names[] = {"axial:", "coronal:", "sagittal:"};
    double images = 0.0;
    for (size_t i = 0; i < 3; i++) {
        const char *row = strstr(matrix, names[i]);
        assert_non_null(row);
        char *end = (char *)row + strlen(names[i]);
        while (*end == ' ') /* its counts */
            images += strtod(end, &end);
    }
    assert_true(images == 12.0);
    assert_true(strcspn(strchr(matrix, '\n') + 1, "\n") < 14 + 7 * 10); /* not all ten outputs */
}

/* Values normalized by the program train as values that are normalized in the file. */
static void test_values_are_normalized(NO_STATE)
{
    float raw[10 * 50], done[10 * 50];
    for (int i = 0; i < 10 * 50; i++) {
        raw[i] = (float)(i * 7 % 5);
        done[i] = (raw[i] - 1.0f) / 2.0f;
    }
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (10, 50), }";
    static const char target[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (10, 1), }";
    files_npy("raw.npy", 1, header, raw, sizeof raw);
    files_npy("done.npy", 1, header, done, sizeof done);
    files_npy("targets.npy", 1, target, raw, 10 * sizeof *raw);
#define OF_FILE                                                                                    \
    "./network_serial --network mlp:20 --task train --batch 5 --epochs 2 --warmup 0 --labels "     \
    "$DIR/targets.npy --data $DIR/"
    expect_same_hash(OF_FILE "raw.npy --normalize 1,2", OF_FILE "done.npy");
    expect_same_hash(OF_FILE "raw.npy --normalize 0,1", OF_FILE "raw.npy");
    char one[17], two[17];
    hash_of(OF_FILE "raw.npy --normalize 1,2", one);
    hash_of(OF_FILE "raw.npy", two);
    assert_string_not_equal(one, two);
    static const char *const wrong[] = {"0.5",         "0.5,0", "0.5,-1", "a,b",
                                        "0.5,0.5,0.5", "nan,1", ","};
    char command[200];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(command, sizeof command, "%sraw.npy --normalize %s", OF_FILE, wrong[i]);
        expect_refusal(command, 2, "what is divided by, above 0");
    }
    expect_refusal(OF_FILE "raw.npy --select best-validation", 2, "no images with classes");
    expect_refusal("./network_serial" TESINA "--select best-validation --resume x", 2,
                   "the losses before a --resume are not known");
}

/* Time limit and interval end a training if requested; the last step is verified as always. */
static void test_time_and_width_end_a_training(NO_STATE)
{
    static const char *const ends[][2] = {{"--max-seconds 0.05", "seconds"},
                                          {"--relative-ci 1", "relative_ci"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct outcome o = command_done(
            "./network_serial --network mlp:50 --task train --batch 10 --warmup 0 --epochs 1000000 "
            "%s --format csv | tail -n 1",
            ends[i][0]);
        expect_in(o.out, ends[i][1]);
        expect_in(o.out, ",bound,");
    }
}

static void test_a_loss_that_is_not_finite(NO_STATE)
{
    expect_refusal("./network_serial" MLP "--steps 50 --optimizer sgd --learning-rate 1e6 "
                   "--format csv > /dev/null",
                   1, "the loss is");
    expect_refusal("./network_serial" MLP "--steps 50 --optimizer sgd --learning-rate 1e6 "
                   "--format csv > /dev/null",
                   1, "that began in layer hidden");
}

static void test_sunlight_is_foreseen(NO_STATE)
{
    struct outcome o =
        command_done("./network_omp --network mlp:50 --task train --data solar --batch 100 "
                     "--steps 20 --warmup 0 --verify none");
    expect_in(o.out, "of persistence's");
    expect_in(o.out, "on 1,024 samples that were not trained with");
}

/* 8192 samples in batches of 1000 make eight whole steps. The time of the steps is part of the
 * recorded time, in the first epoch and in the last, whose steps are verified. */
static void test_epochs_are_clocked(NO_STATE)
{
    static struct recorded seen;
    remove(files_path("training.csv"));
    command_done("./network_omp --network mlp:50 --task train --data solar --batch 1000 "
                 "--epochs 3 --warmup 0 --verify sampled --record-training %s",
                 files_path("training.csv"));
    read_recorded(&seen, "epoch");
    assert_int_equal(seen.count, 3);
    for (size_t i = 0; i < seen.count; i++) {
        const struct training_record *r = &seen.all[i];
        assert_int_equal(r->whole_steps, 8);
        assert_true(r->rest_seconds > 0.0 && r->rest_seconds < r->seconds);
        assert_true(r->wall_seconds >= r->seconds * (1.0 - 1e-6));
    }
}

/* The forecast of one day, in steps of six minutes, follows the true values: its errors are those
 * of a forecast which has learned something. The errors of the test part are consistent. */
static void test_a_day_is_forecast(NO_STATE)
{
    static struct recorded seen;
    double errors = 0.0, spread = 0.0, mean = 0.0;
    remove(files_path("training.csv"));
    command_done("./network_omp --network mlp:100-50 --task train --data solar --batch 100 "
                 "--epochs 3 --warmup 0 --verify none --record-training %s",
                 files_path("training.csv"));
    read_recorded(&seen, "forecast");
    assert_int_equal(seen.count, 100);
    for (size_t i = 0; i < seen.count; i++)
        mean += seen.all[i].true_value / 100.0;
    for (size_t i = 0; i < seen.count; i++) {
        const struct training_record *r = &seen.all[i];
        assert_int_equal(r->step, i + 1);
        assert_true(r->day_seconds == 7.0 * 3600.0 + 360.0 * (double)i && r->epoch == 3);
        errors += pow(r->predicted_value - r->true_value, 2.0);
        spread += pow(r->true_value - mean, 2.0);
    }
    if (!(errors < 0.25 * spread))
        fail_msg("squares of errors are %g, of the day itself %g", errors, spread);
    read_recorded(&seen, "epoch");
    const struct training_record *last = &seen.all[2];
    assert_true(last->test_absolute_error > 0.0 && last->test_absolute_error < last->test_error);
    assert_true(last->test_mean > 0.2 && last->test_mean < 1.0);
}

/* A day has 100 of the 1024 samples, the last one 24; the squares of all days add up to those of
 * the last epoch. The rows are those of the training in the test before. */
static void test_days_add_up(NO_STATE)
{
    static struct recorded seen;
    double squares = 0.0, expected = 0.0, samples = 0.0;
    read_recorded(&seen, "day");
    assert_int_equal(seen.count, 11);
    for (size_t i = 0; i < seen.count; i++) {
        const struct training_record *r = &seen.all[i];
        assert_int_equal(r->step, i + 1);
        assert_int_equal(r->epoch, 3);
        assert_int_equal(r->count, i < 10 ? 100 : 24);
        squares += (double)r->count * pow(r->test_error, 2.0);
        expected += (double)r->count * pow(r->persistence, 2.0);
        samples += (double)r->count;
    }
    read_recorded(&seen, "epoch");
    assert_float_equal(sqrt(squares / samples), seen.all[2].test_error, 1e-7);
    assert_float_equal(sqrt(expected / samples), seen.all[2].persistence, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_data_that_are_wrong),
        cmocka_unit_test(test_saved_data_are_trained_with),
        cmocka_unit_test(test_threads_come_to_the_same_parameters),
#ifdef MAXPOOL_MPIEXEC
        cmocka_unit_test(test_ranks_come_to_the_same_parameters),
        cmocka_unit_test(test_ranks_go_on_from_a_checkpoint),
        cmocka_unit_test(test_a_rank_that_dies_ends_all),
#endif
        cmocka_unit_test(test_warm_up_and_verification_leave_no_trace),
        cmocka_unit_test(test_order_and_dropout_matter),
        cmocka_unit_test(test_record_has_augmentation),
        cmocka_unit_test(test_going_on_is_as_never_stopping),
        cmocka_unit_test(test_a_state_out_of_its_range_is_refused),
        cmocka_unit_test(test_other_data_are_reported),
        cmocka_unit_test(test_a_moment_that_overflows),
        cmocka_unit_test(test_every_allocation_that_fails),
#if defined MAXPOOL_MPIEXEC && defined MAXPOOL_FAIL_ALLOCATION
        cmocka_unit_test(test_a_rank_without_memory_ends_all),
#endif
        cmocka_unit_test(test_signals_leave_a_checkpoint),
        cmocka_unit_test(test_a_full_disk_leaves_the_checkpoint_before),
        cmocka_unit_test(test_a_checkpoint_that_cannot_be_written_is_refused_at_once),
        cmocka_unit_test(test_leftovers_and_links_are_no_obstacle),
        cmocka_unit_test(test_a_kill_while_a_checkpoint_is_written_leaves_the_one_before),
        cmocka_unit_test(test_time_and_width_end_a_training),
        cmocka_unit_test(test_epochs_have_a_line),
        cmocka_unit_test(test_what_is_reported_and_recorded),
        cmocka_unit_test(test_the_best_epoch_is_tested_and_saved),
        cmocka_unit_test(test_the_matrix_has_names),
        cmocka_unit_test(test_values_are_normalized),
        cmocka_unit_test(test_initializations_are_chosen),
        cmocka_unit_test(test_a_loss_that_is_not_finite),
        cmocka_unit_test(test_sunlight_is_foreseen),
        cmocka_unit_test(test_epochs_are_clocked),
        cmocka_unit_test(test_a_day_is_forecast),
        cmocka_unit_test(test_days_add_up),
    };
    return cmocka_run_group_tests(tests, command_setup, command_teardown);
}
