/* Tests the CUDA programs as a user meets them: on the emulation with several machines, and as they
 * were built, on the machine that runs this. */
#include "tests/support/run_program.h"
#include "tests/support/unit_test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The command must end with that status. If it succeeds, it must print the text; if it fails, it
 * must print one line of error that contains the text. */
struct row {
    const char *command;
    int status;
    const char *text;
};

static void check_rows(const struct row *rows, size_t count)
{
    int failures = 0;
    for (size_t i = 0; i < count; i++) {
        struct outcome o = run_program(rows[i].command, NULL);
        const char *where = rows[i].status == 0 ? o.out : o.err;
        if (o.status != rows[i].status || !strstr(where, rows[i].text) ||
            (o.status != 0 && count_of(o.err, "\n") != 1)) {
            print_error("%s\n  status %d (%d expected), %s  expected: %s\n", rows[i].command,
                        o.status, rows[i].status, where, rows[i].text);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

#define CASES MAXPOOL_SOURCE_DIR "/tests/cases/"
#define POOL  "./maxpool_cuda_on_emulation "
#define MUL   "./matmul_cuda_on_emulation "
#define CONV  "./conv_cuda_on_emulation "
#define DIST  "./distances_cuda_on_emulation "
#define NET   "./network_cuda_on_emulation "
#define CSV   " --samples 2 --format csv"
#define NVML  "LD_LIBRARY_PATH=" MAXPOOL_BINARY_DIR "/fake_nvml "

static void every_way_of_pooling_is_verified(NO_STATE)
{
    static const struct row rows[] = {
        {POOL "-n 24" CSV, 0, ",exact,"},
        {POOL "-n 24 --method tiled --block 32 --filter random -k 3 -s 1 -p 1" CSV, 0, ",exact,"},
        {POOL "-n 12 --offload window --filter-memory constant" CSV, 0, ",window,constant,"},
        {POOL "-n 12 --offload window-lean --host-memory pinned" CSV, 0,
         ",window-lean,transferred,"},
        {POOL "-n 40 --host-memory pinned --streams 3 --warm-cache" CSV, 0, ",pinned,3,12,warm,"},
        {POOL "-n 40 --device-memory 2000 --verify sampled" CSV, 0, ",sampled_exact,"},
        {POOL "-i " CASES "real_3x55x55_k3_s2.in.npy -k 3 -s 2" CSV, 0, ",exact,"},
        {POOL "-n 8" CSV, 0, ",CPU emulation,16,sm_90,"},
        {POOL "-n 8 --samples 1", 0,
         "offload image, filter transferred, blocks of 16 x 16 threads"},
        {POOL "-n 8 --samples 1 --format json", 0, "\"device\":"},
        {POOL "-n 8 --show-indices --samples 1", 0, "of the 16 made by each thread"},
        {POOL "-n 8 --kernel-facts --samples 1", 0, "blocks resident"},
        {POOL "-n 8 --print --explain --samples 1", 0, "GPU: kernels"},
        {POOL "--list-methods", 0, "tiled"},
        {POOL "--help all", 0, "--filter-memory transferred|constant"},
        {POOL "--help", 0, "--device D"},
        {POOL "-i " CASES "pictures/colour.png" CSV, 0, ",3,"},
        {POOL "-i " CASES "pictures/colour.png -k 3 --method tiled" CSV, 0, ",exact,"},
        {POOL "-i " CASES "pictures/colour.png --gray --method tiled" CSV, 0, ",exact,"},
        {MUL "-n 20 --filter random --method tiled" CSV, 0, ",exact,"},
        {MUL "-R 3 -C 50 --filter random --method loop --streams 2" CSV, 0, ",exact,"},
        {MUL "-n 20 --filter-memory constant --samples 2", 0, "filter in constant memory"},
        {POOL "-n 40 --method roof --filter random" CSV, 0, ",exact,"},
        {POOL "-n 41 --method roof -k 3 -s 2 --block 32" CSV, 0, ",exact,"},
        {MUL "-n 132 --filter random --method registers" CSV, 0, ",exact,"},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void convolutions_and_distances_are_verified(NO_STATE)
{
    static const struct row rows[] = {
        {CONV "-n 12 -p 1" CSV, 0, ",exact,"},
        {CONV "-n 9 --batch 3 --filters 8 --groups 1 --bias random --method tiled --streams 2" CSV,
         0, ",exact,"},
        {CONV "-n 9 --channels 6 --groups 3 --filters 12 -k 5 -s 2 -p 2 --method all "
              "--filter-memory constant --device-memory 6000" CSV,
         0, ",naive+tiled,"},
        {CONV "-n 9 --verify sampled --method tiled --block 32" CSV, 0, ",sampled_exact,"},
        {CONV "-n 6 --method tiled --samples 1", 0, "sums, 27 products each"},
        {CONV "-n 6 --gradient image --method tiled", 2,
         "the data gradient of a convolution has no 'tiled'"},
        {CONV "-n 6 --filters 3 --show-indices --samples 1", 0, "made by each thread"},
        {CONV "-n 6 --kernel-facts --samples 1", 0, "tiled     "},
        {CONV "--list-methods", 0, "naive"},
        {CONV "--list-methods=all", 0, "cudnn"},
        {DIST "-n 70 --dimensions 9" CSV, 0, ",exact,"},
        {DIST "-n 70 --dimensions 9 --against random --method all --streams 2" CSV, 0,
         ",naive+tiled,"},
        {DIST "-n 20 --dimensions 50 --method tiled --filter-memory constant" CSV, 0, ",exact,"},
        {DIST "-n 20 --dimensions 3 --method tiled --samples 1", 0, "pairs of points"},
        {DIST "--list-methods", 0, "tiled"},
        {CONV "-n 9 --batch 2 --channels 3 --filters 5 -k 3 -p 1 --bias random --residual random "
              "--factor random --activation relu --method naive,tiled --streams 2" CSV,
         0, ",exact,"},
        {CONV "-n 9 --batch 2 --channels 3 --filters 5 -k 3 -p 1 --bias random --residual random "
              "--factor random --activation relu6 --epilogue pass --method naive,tiled "
              "--streams 2" CSV,
         0, ",exact,"},
        {CONV "-n 7 --channels 4 --filters 8 --groups 2 --factor random --residual random "
              "--filter-memory constant" CSV,
         0, ",exact,"},
        {CONV "-n 7 --channels 2 --filters 4 --activation relu --epilogue pass" CSV, 0, ",exact,"},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void networks_are_verified(NO_STATE)
{
    static const struct row rows[] = {
        {NET "--network mlp:50-25 --batch 3" CSV, 0, ",bound,"},
        {NET "--network mlp:50 --batch 3 --warm-cache --block 32" CSV, 0, ",own,"},
        {NET "--network mobilenet_v2 --image-size 32 --features --samples 1 --warmup 0 --layers "
             "--verify sampled",
         0, "conv+batchnorm+relu6"},
        {NET "--list-methods", 0, "own"},
        {NET "--list-methods=all", 0, "cudnn"},
        {NET "--network mlp:20 --task train --batch 9 --steps 3 --warmup 0 --record-layers "
             "layers_of_training.csv >/dev/null && cut -d, -f27,30 layers_of_training.csv | "
             "tr '\\n' ' '; rm layers_of_training.csv",
         0, "executions,pass 3,forward 3,forward 3,backward 3,backward 3,update"},
        {NET
         "--network mlp:20 --task train --batch 9 --steps 2 --trace training.json >/dev/null && "
         "tr -d '\\n' <training.json",
         0, "\"cat\":\"parameters\",\"args\":{\"step\":1}},{\"name\":\"output\","},
        {NET "--network mlp:50-25 --batch 3 --host-memory pinned", 0, "pinned memory here"},
        {NET "--network mlp:20 --task train --batch 8 --steps 2 --warmup 1 --format csv", 0,
         ",bound,"},
        {NET "--network mlp:20 --task train --data solar --batch 400 --epochs 1 --optimizer sgd "
             "--host-memory pinned",
         0, "of persistence"},
        {NET "--list-networks", 0, "alexnet_mri"},
        {NET "--help all", 0, "--engine own|cudnn"},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Each method has its own kernels and its own constant filter, and all share one set of arrays. */
static void methods_are_interleaved(NO_STATE)
{
    static const struct row rows[] = {
        {POOL "-n 24 --method all --filter random --filter-memory constant --samples 6", 0,
         "4 methods, interleaved"},
        {POOL "-n 24 --method tiled,naive --offload window --filter random" CSV, 0,
         ",tiled+naive,"},
        {POOL "-n 24 --method tiled,loop --streams 3 --filter random --filter-memory constant" CSV,
         0, ",tiled+loop,"},
        {MUL "-n 20 --method all --filter random --device-memory 4000" CSV, 0,
         ",naive+loop+tiled+registers,"},
        {POOL "-n 8 --method naive,loop --show-indices --samples 1", 0, "\nMethod loop\n"},
        {"CUDA_EMULATION_FAIL=70 " POOL "-n 8 --method all", 4, "CUDA: unspecified launch failure"},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
    struct outcome o = run_program(POOL "-n 24 --method all --filter random --filter-memory "
                                        "constant --samples 4 --format csv | grep -c ,exact,",
                                   NULL);
    assert_string_equal(o.out, "20\n"); /* a warm-up and four samples of each */
}

static void bad_options_are_refused(NO_STATE)
{
    static const struct row rows[] = {
        {POOL "-n 8 --block 8", 2, "--block must be one of 16|32, not '8'"},
        {POOL "-n 8 --offload plane", 2, "--offload must be one of image|window|window-lean"},
        {POOL "-n 8 --streams 2 --offload window", 2, "it needs --offload image"},
        {POOL "-n 8 --device-memory 99 --offload window-lean", 2, "it needs --offload image"},
        {POOL "-n 8 --device 3", 2, "--device 3: this machine has 1"},
        {POOL "-n 200 -k 129 --filter-memory constant", 2, "128 x 128 at most, this one is 129"},
        {CONV "-n 8 --offload window", 2, "windows go one by one in max pooling"},
        {DIST "-n 8 --offload window", 2, "windows go one by one in max pooling"},
        {CONV "-n 8 --channels 256 --filter-memory constant", 2,
         "a bank of filters of 128 x 128 at most, this one is 12288 x 3"},
        {CONV "-n 8 --method winograd", 2, "--method"},
        {NET "--network mlp:50 --engine own,own", 2, "own"},
        {NET "--network mlp:50 --engine cudnn", 3, "cuDNN"},
        {NET "--network mlp:50 --engine auto", 2, "auto"},
        {NET "--network mlp:50 --task train --engine cudnn --batch 8", 2, "gradients"},
        {CONV "-n 6 --channels 2 --filters 4 --gradient image", 2,
         "the data gradient of a convolution has no"},
        {CONV "-n 6 --channels 2 --filters 4 --gradient weights", 2,
         "the weight gradient of a convolution has no"},
        {NET "--network resnet18 --task train --batch 8", 2, "batch norm"},
        {NET "--network mlp:50 --conv auto", 2, "this program computes on a GPU"},
        {NET "--network mlp:50 --streams 2", 2, "this program measures a network"},
        {"./network_serial --network mlp:50 --engine own", 2, "this program uses no GPU"},
        {POOL "-n 100 --show-indices", 2, "up to 1024 elements, not 2500"},
        {POOL "-n 8 --show-indices --format csv", 2, "--show-indices needs --format text"},
        {POOL "-n 8 --bind core", 2, "--bind does not apply here: this program computes on a GPU"},
        {POOL "-n 8 --threads 2", 2, "--threads does not apply here"},
        {POOL "-n 8 --method fused", 2, "there is no 'fused' in maxpool_cuda"},
        {MUL "-n 8 --offload window", 2, "--offload does not apply here"},
        {POOL "-n 8 --submit graph", 2, "--submit does not apply here"},
        {NET "--network mlp:50 --submit graph --layers", 2,
         "--submit graph: the layers of a graph cannot be timed one by one"},
        {NET "--network mlp:50 --task train --data random --submit graph --record-layers=-", 2,
         "--submit graph: the layers of a graph cannot be timed one by one"},
        {NET "--network mlp:50 --submit often", 2, "--submit"},
        {NET "--network mlp:50 --task train --data random --overlap off", 2,
         "--overlap does not apply here: this program is one process"},
        {"./maxpool_serial -n 8 --block 16", 2,
         "--block does not apply here: this program uses no"},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void other_machines_are_distinguished_from_each_other(NO_STATE)
{
    static const struct row rows[] = {
        {"CUDA_EMULATION_DRIVER=0 " POOL "-n 8", 3,
         "maxpool_cuda: no NVIDIA driver on this machine\n"},
        {"CUDA_EMULATION_DRIVER=12040 " POOL "-n 8", 3, "too old: it serves CUDA 12.4"},
        {"CUDA_EMULATION_DEVICES=0 " POOL "--list-methods", 3, "maxpool_cuda: no CUDA device"},
        {"CUDA_EMULATION_DRIVER=0 " POOL "--list-methods", 3,
         "on this machine; --list-methods=all lists the methods all the same\n"},
        {"CUDA_EMULATION_DEVICES=0 " MUL "-n 8", 3, "matmul_cuda: no CUDA device"},
        {"CUDA_EMULATION_DEVICES=0 " CONV "-n 8", 3, "conv_cuda: no CUDA device"},
        {"CUDA_EMULATION_DEVICES=0 " DIST "-n 8", 3, "distances_cuda: no CUDA device"},
        {"CUDA_EMULATION_DEVICES=0 " NET "--network mlp:50", 3, "network_cuda: no CUDA device"},
        {"CUDA_EMULATION_MEMORY=9000 " NET "--network mlp:50", 4, "10000 bytes are needed"},
        {"CUDA_EMULATION_FAIL=50 " NET "--network mlp:50", 4,
         "network_cuda: CUDA: unspecified launch"},
        {"CUDA_EMULATION_MEMORY=9000 " POOL "-n 1000", 4, "not enough memory on the device"},
        {"CUDA_EMULATION_FAIL=30 " POOL "-n 8", 4,
         "maxpool_cuda: CUDA: unspecified launch failure"},
        {"CUDA_EMULATION_DEVICES=0 " POOL "--list-methods=all", 0, "matmul1 (naive) of the tesina"},
        {"CUDA_EMULATION_DEVICES=0 " POOL "--list-methods=all", 0, "matmul2 (loop) of the tesina"},
        {"CUDA_EMULATION_DEVICES=0 " POOL "--list-methods=all", 0, "matmul3 (tiled) of the tesina"},
        {"CUDA_EMULATION_DEVICES=0 " MUL "--list-methods=all", 0, "matmul1 (naive) of the tesina"},
        {"CUDA_EMULATION_DEVICES=0 " MUL "--list-methods=all", 0, "matmul2 (loop) of the tesina"},
        {"CUDA_EMULATION_DEVICES=0 " MUL "--list-methods=all", 0, "matmul3 (tiled) of the tesina"},
        {"CUDA_EMULATION_MEMORY=12000 " POOL "-n 40" CSV, 0, ",exact,"},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Declared precisions: where they are computed, and where they are not. */
static void declared_precisions_are_refused_where_they_cannot_be(NO_STATE)
{
    static const struct row rows[] = {
        {MUL "-n 20 --filter random --math tf32" CSV, 0, ",tf32,"},
        {MUL "-n 20 --filter random --math bf16 --block 32" CSV, 0, ",bound,"},
        {MUL "-n 20 --filter random --math tf32 --samples 1", 0, "operands in tf32"},
        {MUL "-n 20 --filter random --math tf32 --samples 1", 0,
         "error bound of operands so rounded"},
        {MUL "-n 20 --math bf16 --method tensor --verify sampled" CSV, 0, ",sampled_bound,"},
        {MUL "-n 20 --math fp32" CSV, 0, ",exact,"},
        {CONV "-n 9 --channels 3 --filters 5 --math bf16" CSV, 0, ",bf16,"},
        {CONV "-n 9 --channels 3 --filters 5 -p 1 --bias random --math tf32" CSV, 0, ",bound,"},
        {CONV "-n 9 --channels 4 --groups 4 --filters 4 --math tf32 --residual random "
              "--factor random --activation relu" CSV,
         0, ",bound,"},
        {CONV "-n 9 --gradient weights --math tf32" CSV, 2, "--math does not apply here"},
        {MUL "-n 20 --math tf32 --method naive" CSV, 2,
         "--method naive computes in float32 alone: --math tf32 and bf16 need --method tensor"},
        {MUL "-n 20 --method tensor" CSV, 2,
         "--method tensor rounds its operands: it needs --math"},
        {MUL "-n 20 --math fp16" CSV, 2, "fp32|tf32|bf16"},
        {POOL "-n 20 --math tf32" CSV, 2, "--math does not apply here: max pooling"},
        {DIST "-n 20 --math tf32" CSV, 2, "--math does not apply here"},
        {"./matmul_serial -n 20 --math tf32" CSV, 2,
         "--method naive computes in float32 alone: --math tf32 and bf16 need --method tensor"},
        {"CUDA_EMULATION_CAPABILITY=75 " MUL "-n 20 --math tf32" CSV, 3,
         "--math tf32: tensor cores multiply it from compute capability 8.0 on (A100, RTX 30), and "
         "the CPU emulation has 7.5"},
        {"CUDA_EMULATION_COMPILED_FOR=75 " MUL "-n 20 --math bf16" CSV, 3,
         "compiled for sm_75, and tensor cores multiply it from sm_80 on: configure with cmake "
         "--preset release -DMAXPOOL_CUDA_ARCHITECTURES=90"},
        {"CUDA_EMULATION_CAPABILITY=75 " MUL "-n 20 --method registers" CSV, 0, ",exact,"},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* With management libraries of today and of long ago. */
static void clocks_are_recorded_where_they_are_found(NO_STATE)
{
    static const struct row rows[] = {
        {"LD_LIBRARY_PATH=" MAXPOOL_BINARY_DIR "/fake_nvml " POOL "-n 8" CSV, 0,
         ",1234,hardware_thermal"},
        {"LD_LIBRARY_PATH=" MAXPOOL_BINARY_DIR "/fake_old_nvml " POOL "-n 8" CSV, 0,
         ",1234,power_cap+software_thermal"},
        {"LD_LIBRARY_PATH=" MAXPOOL_BINARY_DIR "/fake_nvml " POOL "-n 8" CSV, 0, ",512.5,"},
        {"FAKE_NVML_MEAN=1 LD_LIBRARY_PATH=" MAXPOOL_BINARY_DIR "/fake_nvml " POOL "-n 8" CSV, 0,
         ",345.6,"},
        /* read while the kernel runs: the second time it is known to take 10 ms */
        {"CUDA_EMULATION_KERNEL=10000 LD_LIBRARY_PATH=" MAXPOOL_BINARY_DIR "/fake_nvml " POOL
         "-n 8 --warmup 1" CSV,
         0, ",1234,hardware_thermal"},
        /* read in one more run: only the first run showed that it takes long */
        {"CUDA_EMULATION_KERNEL=10000 LD_LIBRARY_PATH=" MAXPOOL_BINARY_DIR "/fake_nvml " POOL
         "-n 8 --warmup 0" CSV,
         0, ",1234,hardware_thermal"},
        /* how long a reading takes: longer than the kernel, it is read apart */
        {"FAKE_NVML_MS=8 CUDA_EMULATION_KERNEL=10000 " NVML POOL "-n 8 --warmup 1 --samples 2" CSV,
         0, ",1234,hardware_thermal"},
        {"FAKE_NVML_MS=8 " NVML POOL "-n 8 --samples 1", 0,
         "\n              a reading of clock and power takes "},
        {"FAKE_NVML_OTHERS=1 " NVML POOL "-n 8 --samples 1", 0, "1 other process uses this GPU"},
        {"FAKE_NVML_OTHERS=3 MAXPOOL_GPU_HOLDER=2 " NVML NET
         "--network mlp:20 --batch 9 --samples 1",
         0, "2 other processes use this GPU"},
        {"FAKE_NVML_OTHERS=1 MAXPOOL_GPU_HOLDER=1 " NVML POOL
         "-n 8 --samples 1 | grep -q other || echo alone",
         0, "alone"},
        /* read during one window, while chunks are computed, and while layers are */
        {NVML POOL "-n 8 --offload window" CSV, 0, ",1234,hardware_thermal"},
        {NVML POOL "-n 8 --offload window-lean" CSV, 0, ",1234,hardware_thermal"},
        {NVML POOL "-n 64 --streams 2 --host-memory pinned" CSV, 0, ",1234,hardware_thermal"},
        {NVML NET "--network mlp:20 --batch 9" CSV, 0, ",1234,hardware_thermal"},
        {"CUDA_EMULATION_KERNEL=10000 " NVML NET "--network mlp:20 --batch 9 --warmup 1" CSV, 0,
         ",1234,hardware_thermal"},
        {NVML NET "--network mlp:20 --task train --batch 8 --steps 2 --warmup 1 --format csv", 0,
         ",1234,hardware_thermal"},
        {"CUDA_EMULATION_KERNEL=10000 " NVML NET
         "--network mlp:20 --task train --batch 8 --steps 3 --warmup 1 --format csv",
         0, ",1234,hardware_thermal"},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Every line of the phase table has its first time below the word "median". */
static void phases_are_in_line(NO_STATE)
{
    static const char *const commands[] = {POOL "-n 8 --samples 6",
                                           POOL "-n 8 --samples 6 --offload window"};
    for (int i = 0; i < 2; i++) {
        struct outcome o = run_program(commands[i], NULL);
        const char *head = strstr(o.out, "\n  Phase ");
        assert_non_null(head);
        const ptrdiff_t column = strstr(head, "median") - head;
        int lines = 0;
        for (const char *line = strchr(head + 1, '\n'); line && line[1] == ' ';
             line = strchr(line + 1, '\n'), lines++) {
            assert_true(strcspn(line + 1, "\n") > (size_t)column);
            if (line[column - 1] != ' ' || line[column] == ' ')
                print_error("%.60s\n", line + 1);
            assert_true(line[column - 1] == ' ' && line[column] != ' ');
        }
        assert_true(lines >= 7);
        assert_non_null(strstr(o.out, i == 0 ? "GPU: kernels, cold" : "allocate, free"));
    }
}

/* The documents' tables contain every option. */
static void the_documents_name_every_option(NO_STATE)
{
    struct outcome documents = run_program(
        "cat " MAXPOOL_SOURCE_DIR "/docs/options.md " MAXPOOL_SOURCE_DIR "/docs/gpu.md", NULL);
    struct outcome help = run_program(POOL "--help all", NULL);
    int options = 0;
    for (const char *p = help.out; (p = strstr(p, " --")); p += 3) {
        char name[64];
        if (sscanf(p, " %63[-a-z]", name) != 1)
            continue;
        if (!strstr(documents.out, name))
            print_error("no document names %s\n", name);
        assert_non_null(strstr(documents.out, name));
        options++;
    }
    assert_true(options >= 38);
}

/* The examples of --help have only options and methods of the program, so that they run. */
static void examples_are_those_of_the_program(NO_STATE)
{
    static const struct {
        const char *program, *shown, *not_shown;
    } programs[] = {
        {CONV "--help all", "  conv_cuda -n 56 --batch 8 --channels 64", "implicit,winograd"},
        {CONV "--help all", "  conv_cuda -n 4096 --method tiled", "--method depthwise"},
        {NET "--help all", "  network_cuda --network resnet18 --engine own,cudnn", "--conv auto"},
        {POOL "--help all", "  maxpool_cuda -n 4 --print --explain", "mpirun"},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct outcome help = run_program(programs[i].program, NULL);
        assert_non_null(strstr(help.out, programs[i].shown));
        assert_null(strstr(strstr(help.out, "\nExamples\n"), programs[i].not_shown));
    }
}

/* As built, a program measures if there is a GPU, and otherwise ends with status 3 and one line. */
static void the_programs_say_what_is_missing_here(NO_STATE)
{
    static const char *const commands[] = {"./maxpool_cuda -n 64 --samples 1",
                                           "./matmul_cuda -n 64 --samples 1",
                                           "./conv_cuda -n 64 --samples 1",
                                           "./distances_cuda -n 64 --samples 1",
                                           "./network_cuda --network mlp:50 --samples 1",
                                           "./maxpool_cuda --list-methods"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct outcome o = run_program(commands[i], NULL);
        assert_true(o.status == 0 || o.status == 3);
        if (o.status == 3) {
            assert_int_equal(count_of(o.err, "\n"), 1);
            assert_true(strstr(o.err, "no NVIDIA driver") || strstr(o.err, "too old") ||
                        strstr(o.err, "no CUDA device") || strstr(o.err, "built without CUDA"));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_of_pooling_is_verified),
        cmocka_unit_test(convolutions_and_distances_are_verified),
        cmocka_unit_test(networks_are_verified),
        cmocka_unit_test(methods_are_interleaved),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(other_machines_are_distinguished_from_each_other),
        cmocka_unit_test(declared_precisions_are_refused_where_they_cannot_be),
        cmocka_unit_test(clocks_are_recorded_where_they_are_found),
        cmocka_unit_test(phases_are_in_line),
        cmocka_unit_test(the_documents_name_every_option),
        cmocka_unit_test(examples_are_those_of_the_program),
        cmocka_unit_test(the_programs_say_what_is_missing_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
