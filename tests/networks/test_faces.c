/* The faces programs: four structures and any number of threads give one result, an error is named,
 * and what cannot be done is refused. */
#include "harness/records/timeline.h"
#include "tests/support/files.h"
#include "tests/support/unit_test.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICES = 7, SIDE = 11 };

/* A small network, and options that keep every command short. */
#define SMALL " --network solar_cnn --features --image-size 8 -i $DIR/slices.npy"
#define BRIEF " --samples 1 --warmup 0"

/* Returns the distances that a structure writes; the caller frees them. */
static float *distances(const char *program, const char *structure)
{
    char command[512];
    struct source *s;
    struct failure f = {0};
    snprintf(command, sizeof command,
             "%s" SMALL " --batch 3 --structure %s -o $DIR/distances.npy" BRIEF, program,
             structure);
    command_prints("bound: every value", "%s", command);
    assert_int_equal(source_open_file(&s, files_path("distances.npy"), &f), STATUS_OK);
    assert_int_equal(source_shape(s).rows, SLICES);
    assert_int_equal(source_shape(s).cols, SLICES);
    float *values = malloc(SLICES * SLICES * sizeof *values);
    assert_non_null(values);
    const struct image_range all = {.rows = SLICES, .cols = SLICES};
    assert_int_equal(source_read(s, &all, values, SLICES, NULL, &f), STATUS_OK);
    source_close(s);
    return values;
}

/* Structures that use the definition give the same bits in every program; all results are close to
 * each other. */
static void all_structures_give_one_result(NO_STATE)
{
    static const struct {
        const char *program, *structure;
        bool exact;
    } cases[] = {{"./faces_serial", "once", true},
                 {"./faces_serial", "split", true},
                 {"./faces_serial", "batched", false},
                 {"./faces_omp --threads 3", "split", true},
                 {"./faces_omp --threads 2", "batched", false}};
    float *first = distances("./faces_serial", "reload");
    for (int i = 0; i < SLICES; i++)
        for (int k = 0; k < SLICES; k++) {
            assert_true(first[i * SLICES + k] == first[k * SLICES + i]);
            assert_true((first[i * SLICES + k] == 0.0f) == (i == k));
        }
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        float *other = distances(cases[c].program, cases[c].structure);
        if (cases[c].exact)
            assert_memory_equal(first, other, SLICES * SLICES * sizeof *first);
        for (int i = 0; i < SLICES * SLICES; i++)
            assert_true(fabs((double)first[i] - (double)other[i]) <= 3e-5 * (double)first[i]);
        free(other);
    }
    free(first);
}

static void structures_are_interleaved_and_recorded(NO_STATE)
{
    struct outcome o = command_done("./faces_serial" SMALL " --structure all --samples 1");
    expect_in(o.out, "4 methods, interleaved");
    expect_in(o.out, "7 of 1 x 8 x 8");
    expect_in(o.out, "in batches of 7 by batched");
    expect_in(o.out, "(of its fastest execution)");
    o = command_done("./faces_serial" SMALL " --structure reload,batched --format csv" BRIEF);
    expect_in(o.out, "faces_serial,faces,serial,reload");
    expect_in(o.out, "faces_serial,faces,serial,batched");
    expect_in(o.out, ",solar_cnn+features,seeded,7");
    o = command_done("./faces_serial" SMALL " --structure once --pictures 5 --batch 2" BRIEF);
    expect_in(o.out, "5 of 1 x 8 x 8");
    expect_in(o.out, "in batches of 2 by batched");
}

/* Counts the rows and notes the labels of the executions. */
struct seen {
    int64_t rows;
    bool reload, batched;
};

static bool see(const void *row, int64_t line, void *context)
{
    const struct timeline_row *r = row;
    struct seen *seen = context;
    (void)line;
    seen->rows++;
    seen->reload = seen->reload || strcmp(r->label, "reload") == 0;
    seen->batched = seen->batched || strcmp(r->label, "batched") == 0;
    assert_true(r->label[0] && r->seconds >= 0.0 && r->resident_bytes > 0.0);
    return true;
}

static void a_timeline_distinguishes_structures(NO_STATE)
{
    struct seen seen = {0};
    struct failure f = {0};
    command_done("./faces_serial" SMALL " --structure reload,batched --timeline "
                 "$DIR/timeline.csv" BRIEF);
    assert_int_equal(table_read(files_path("timeline.csv"), &timeline_schema, see, &seen, NULL, &f),
                     STATUS_OK);
    assert_true(seen.rows >= 2 && seen.reload && seen.batched);
}

static void what_is_wrong_is_named(NO_STATE)
{
    expect_refusal("./wrong_faces" SMALL BRIEF, 1, "the embedding of picture 6 differs");
    expect_refusal("FAULT=distance ./wrong_faces" SMALL BRIEF, 1,
                   "the distance of pictures 1 and 0 is");
}

static void what_cannot_be_done_is_refused(NO_STATE)
{
    expect_refusal("./faces_serial", 2, "which network? give --network");
    expect_refusal("./faces_serial --network mlp:50", 2, "takes vectors, not pictures");
    expect_refusal("./faces_serial" SMALL " --pictures 8", 2, "has 7, not 8");
    expect_refusal("./network_serial --network solar_cnn --pictures 2", 2, "--pictures");
    expect_refusal("./faces_serial" SMALL " --structure sideways", 2, "there is no 'sideways'");
    expect_refusal("./faces_serial" SMALL " --layers", 2, "goes by --structure");
    expect_refusal("./faces_serial" SMALL " --conv auto", 2, "goes by --structure");
    expect_refusal("./network_serial --network solar_cnn --structure once", 2, "has one structure");
    expect_refusal("./faces_serial" SMALL " --weights missing.safetensors", 2,
                   "missing.safetensors");
    expect_refusal("./faces_serial --network solar_cnn -i missing", 2, "missing");
    expect_refusal("./faces_serial" SMALL " --timeline missing/x.csv", 5, "missing/x.csv");
    expect_refusal("./faces_serial --network resnet18 --image-size 1000000 -i $DIR/slices.npy", 4,
                   "");
}

/* A truncated picture in the folder is named, and no file of distances is left behind. */
static void a_broken_picture_is_named(NO_STATE)
{
    size_t size;
    if (files_lacking("x.png"))
        skip();
    unsigned char *bytes = files_read(MAXPOOL_SOURCE_DIR "/tests/data/brain_axial.png", &size);
    assert_int_equal(mkdir(files_path("pics"), 0700), 0);
    files_write("pics/1.png", bytes, size);
    files_write("pics/2.png", bytes, size / 2);
    free(bytes);
    static const char *const structures[] = {"reload", "batched"};
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
        char command[256];
        snprintf(command, sizeof command,
                 "./faces_serial --network solar_cnn --features --image-size 8 -i $DIR/pics "
                 "--structure %s -o $DIR/half.npy" BRIEF,
                 structures[i]);
        expect_refusal(command, 2, "pics/2.png: bad PNG");
        assert_int_not_equal(access(files_path("half.npy"), F_OK), 0);
    }
    assert_int_equal(remove(files_path("pics/1.png")), 0);
    assert_int_equal(remove(files_path("pics/2.png")), 0);
}

/* Writes the slices of a volume, no two of which are alike. */
static int setup(NO_STATE)
{
    static float elements[SLICES * SIDE * SIDE];
    if (command_setup(state) != 0)
        return 1;
    for (int i = 0; i < SLICES * SIDE * SIDE; i++)
        elements[i] = (float)((i * 37 + i / (SIDE * SIDE) * i % 101) % 256);
    files_npy("slices.npy", 1,
              "{'descr': '<f4', 'fortran_order': False, 'shape': (7, 1, 11, 11), }", elements,
              sizeof elements);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_structures_give_one_result),
        cmocka_unit_test(structures_are_interleaved_and_recorded),
        cmocka_unit_test(a_timeline_distinguishes_structures),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(what_cannot_be_done_is_refused),
        cmocka_unit_test(a_broken_picture_is_named),
    };
    return cmocka_run_group_tests(tests, setup, command_teardown);
}
