/* network_mpi as a user runs it under mpirun: outputs do not depend on the number of ranks, ranks
 * fail together with one message, and wrong messages are detected. */
#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Options that make every command short. */
#define BRIEF " --samples 1 --warmup 0"

/* Byte for byte the file that the serial program writes, each output compared with the oracle. */
static void outputs_do_not_depend_on_the_ranks(NO_STATE)
{
    static const struct {
        const char *options;
        int least_ranks;
    } networks[] = {
        {"--network solar_cnn --image-size 12 --batch 5", 1},
        {"--network mlp:30-20 --batch 17", 2},
        {"--network mobilenet_v2 --image-size 33 --batch 2 --verify none", 3},
        {"--network mobilenet_v2 --image-size 160 --batch 3 --verify none", 2}, /* in bands */
    };
    static const char *const ways[] = {"--distribute generate", "--distribute scatter",
                                       "--threads 2"};
    char command[1024];
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        const char *options = networks[i].options;
        snprintf(command, sizeof command, "./network_serial %s -o $DIR/serial.npy" BRIEF, options);
        command_done("%s", command);
        for (int ranks = networks[i].least_ranks; ranks <= 3; ranks++) {
            snprintf(command, sizeof command,
                     "$MPIRUN %d ./network_mpi %s %s -o $DIR/ranks.npy" BRIEF
                     " && cmp $DIR/serial.npy $DIR/ranks.npy",
                     ranks, options, ways[((size_t)ranks + i) % 3]);
            struct outcome o = command_done("%s", command);
            if (!strstr(options, "none"))
                expect_in(o.out, "every value is within the error bound");
        }
    }
}

/* Vectors and planes, whose parts are not adjacent in a file; and parameters that rank 0 alone
 * reads. */
static void files_are_read_by_one_rank(NO_STATE)
{
    static float elements[5 * 50];
    for (int i = 0; i < 5 * 50; i++)
        elements[i] = (float)(i % 23) - 11.0f;
    files_npy("vectors.npy", 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 50), }",
              elements, sizeof elements);
    files_npy("images.npy", 1,
              "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 11, 11), }", elements,
              2 * 11 * 11 * sizeof(float));
    struct outcome o = command_done(
        "./network_serial --network mlp:50 --save $DIR/w -i $DIR/vectors.npy -o $DIR/1.npy" BRIEF
        " && $MPIRUN 3 ./network_mpi --network mlp:50 --weights $DIR/w -i $DIR/vectors.npy"
        " -o $DIR/3.npy" BRIEF " && cmp $DIR/1.npy $DIR/3.npy"
        " && ./network_serial --network solar_cnn --seed 7 --save $DIR/c -i $DIR/images.npy"
        " -o $DIR/1.npy" BRIEF
        " && $MPIRUN 3 ./network_mpi --network solar_cnn --weights $DIR/c -i $DIR/images.npy"
        " -o $DIR/3.npy" BRIEF " && cmp $DIR/1.npy $DIR/3.npy");
    expect_in(o.out, "image scattered");
    expect_in(o.out, "3 on 1 node, 2 with work");
}

/* Only one rank prints: every line of the summary appears once, and the record has one header. */
static void one_rank_reports(NO_STATE)
{
    struct outcome o = command_done("$MPIRUN 2 ./network_mpi --network solar_cnn --image-size 8 "
                                    "--batch 3 --layers --conv auto,implicit" BRIEF);
    assert_int_equal(count_of(o.out, "multiply-adds per image"), 1);
    expect_in(o.out, "2 methods, interleaved");
    expect_in(o.out, "2 of them in rank 0");
    o = command_done("$MPIRUN 2 ./network_mpi --network mlp:50 --batch 3 --format csv --per-rank "
                     "$DIR/ranks.csv --samples 2 && cat $DIR/ranks.csv");
    assert_int_equal(count_of(o.out, "network_mpi,network,mpi,auto"), 3);
    assert_int_equal(count_of(o.out, "start_error_s"), 2); /* the record's header and the ranks' */
    assert_int_equal(count_of(o.out, ",mlp:50,seeded,,3"), 3);
}

struct departure {
    const char *command;
    int ranks, status;
    const char *message;
};

/* A message that is too long for MPI's counts is sent in pieces, and no tag grows with the shards:
 * wrong_network_mpi ends if a message is longer than 29 floats or has a tag above 16. */
static void gradients_travel_in_pieces(NO_STATE)
{
    static const char training[] = "--network mlp:50-25 --task train --data random --batch 64 "
                                   "--shards 64 --steps 3 --warmup 0";
    static const char *const strategies[] = {"mirrored", "central"};
    for (int i = 0; i < 2; i++) {
        command_done(
            "./network_serial %s --save $DIR/one && FAULT=none $MPIRUN 3 ./wrong_network_mpi %s "
            "--strategy %s --save $DIR/three && cmp $DIR/one $DIR/three",
            training, training, strategies[i]);
    }
}

/* Every rank ends with the status, and exactly one message is ours. */
static void ranks_fail_together(NO_STATE)
{
    static const struct departure rows[] = {
        {"$MPIRUN 2 $EACH ./network_mpi", 2, 2, "which network? give --network"},
        {"$MPIRUN 2 $EACH ./network_mpi --network lenet", 2, 2, "there is no 'lenet'"},
        {"$MPIRUN 2 $EACH ./network_mpi --network mlp:50 -i missing.npy", 2, 2, "missing.npy"},
        {"$MPIRUN 2 $EACH ./network_mpi --network mlp:50 --weights missing", 2, 2, "missing"},
        {"$MPIRUN 2 $EACH ./network_mpi --network mlp:50 --save missing/x", 2, 5, "missing/x"},
        {"$MPIRUN 2 $EACH ./network_mpi --network resnet18 --batch 100000000", 2, 4,
         "outputs of all layers"},
        {"$MPIRUN 2 $EACH ./network_mpi --network mlp:50 --record /dev/full", 2, 5, "/dev/full"},
        {"$MPIRUN 3 $EACH $BY_RANK './network_mpi --network mlp:50' "
         "'./network_mpi --network mlp:50 --batch 2'",
         3, 2, "the ranks were given different options"},
        {"$MPIRUN 2 $EACH ./wrong_network_mpi --network mlp:9 --batch 2 --samples 5", 2, 1,
         "the outputs differ from those of the same batch"},
        {"$MPIRUN 2 $EACH ./wrong_network_mpi --network mlp:9 --batch 2 --samples 5 "
         "--distribute scatter",
         2, 1, "the outputs in rank 0 are not those of the ranks"},
        {"FAULT=image $MPIRUN 2 $EACH ./wrong_network_mpi --network mlp:9 --batch 2 --samples 5 "
         "--distribute scatter",
         2, 1, "the ranks' images are not those that rank 0 sent"},
        {"FAULT=idle $MPIRUN 2 $EACH ./wrong_network_mpi --network mlp:9 --batch 2 --samples 5", 2,
         1, "the outputs differ from those of the same batch"},
        {"FAULT='loses images' $MPIRUN 2 $EACH ./wrong_network_mpi --network mlp:9 --batch 2 "
         "--samples 5 --distribute scatter",
         2, 1, "the ranks' images are not those that rank 0 sent"},
        {"FAULT='loses outputs' $MPIRUN 2 $EACH ./wrong_network_mpi --network mlp:9 --batch 2 "
         "--samples 5 --distribute scatter",
         2, 1, "the outputs in rank 0 are not those of the ranks"},
    };
    char left[32];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct departure *row = &rows[i];
        struct outcome o = command_run("%s", row->command);
        snprintf(left, sizeof left, "left with %d\n", row->status);
        if (count_of(o.out, left) != row->ranks || count_of(o.out, "left with") != row->ranks ||
            count_of(o.err, "network_mpi: ") != 1 || !strstr(o.err, row->message))
            fail_msg("%s\n  expected %d times status %d, and: %s\n%s\n%s", row->command, row->ranks,
                     row->status, row->message, o.out, o.err);
    }
}

static int setup(NO_STATE)
{
    static const char script[] = "#!/bin/sh\n\"$@\"\necho \"left with $?\"\n";
    return command_setup(state) != 0 || !files_write("each", script, sizeof script - 1) ||
           chmod(files_path("each"), 0755) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_do_not_depend_on_the_ranks),
        cmocka_unit_test(files_are_read_by_one_rank),
        cmocka_unit_test(one_rank_reports),
        cmocka_unit_test(gradients_travel_in_pieces),
        cmocka_unit_test(ranks_fail_together),
    };
    return cmocka_run_group_tests(tests, setup, command_teardown);
}
