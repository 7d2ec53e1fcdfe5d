/* Tests network_cuda's host side on the emulation: every call of the runtime fails once; cuDNN is
 * the engine, made of plain loops here; a wrong layer is named; what is sent and what is copied
 * back; CUDA graphs, and what they do not permit. */
#include "cuda/emulation/emulation.h"
#include "cuda/network/backward.h"
#include "fake_libraries.h"
#include "networks/layers/kinds.h"
#include "peers/peers.h"
#include "tests/cuda/small_networks.h"
#include "tests/support/run_program.h"
#include "tests/support/unit_test.h"

/* From a module of peers, which this test links. */
extern const struct peer peer_cudnn_conv;
#include <stdio.h>
#include <string.h>

static int begin(NO_STATE)
{
    emulation_reset(&emulation_sound_machine, 7);
    fake_fails = fake_idles = fake_finds_default = false;
    fake_fused = fake_live = 0;
    fake_proposals = 5;
    return 0;
}

static const struct small_way own = {.batch = 2, .block = 16, .clocked = true};

static struct small_way by_cudnn(void)
{
    struct small_way way = own;
    way.peer = peer_cudnn_conv.device;
    return way;
}

/* ---- failing calls --------------------------------------------------------------------------- */

/* Opens, executes, verifies and closes once. */
static enum status run(int which, const struct small_way *way, struct failure *f)
{
    struct small s;
    enum status status = small_open(&s, which, way, f);
    if (status == STATUS_OK)
        status = small_check(&s, f);
    small_close(&s);
    return status;
}

/* Makes each call fail, one per run, until none is left; returns how many there were. */
static int64_t fail_each_call(int which, const struct small_way *way, cudaError_t error,
                              enum status expected)
{
    for (int64_t n = 1;; n++) {
        struct failure f = {0};
        emulation_reset(&emulation_sound_machine, 7);
        emulation_fail_at(n, error);
        const enum status status = run(which, way, &f);
        assert_int_equal(emulation_live(), 0);
        assert_int_equal(fake_live, 0);
        if (status == STATUS_OK && way->peer && emulation_calls() > n)
            continue; /* another algorithm was taken */
        if (status == STATUS_OK) {
            assert_true(emulation_calls() <= n);
            return n - 1;
        }
        if (status != expected && status != STATUS_RESOURCE)
            print_error("call %lld: status %d, %s\n", (long long)n, (int)status, f.message);
        assert_true(status == expected || status == STATUS_RESOURCE);
        assert_true(strstr(f.message, "cuda/") || strstr(f.message, "cuDNN"));
    }
}

TEST_WITH(failing_calls_are_named_and_all_is_freed, begin, NULL)
{
    const struct small_way cudnn = by_cudnn();
    assert_true(fail_each_call(3, &own, cudaErrorLaunchFailure, STATUS_RESOURCE) > 60);
    assert_true(fail_each_call(3, &own, cudaErrorMemoryAllocation, STATUS_RESOURCE) > 60);
    assert_true(fail_each_call(3, &cudnn, cudaErrorLaunchFailure, STATUS_RESOURCE) > 60);
}

/* ---- cuDNN ----------------------------------------------------------------------------------- */

TEST_WITH(cudnn_computes_every_network, begin, NULL)
{
    const struct small_way way = by_cudnn();
    for (int i = 0; i < SMALL_NETWORKS; i++) {
        struct failure f = {0};
        if (run(i, &way, &f) != STATUS_OK)
            fail_msg("%s: %s", small_name(i), f.message);
    }
    assert_int_equal(fake_live, 0);
    assert_int_equal(emulation_live(), 0);
}

/* Bias, residual and clamp are parts of the library's call where that is faster: it is one kernel
 * here instead of up to three. */
TEST_WITH(fused_layers_compute_every_network, begin, NULL)
{
    enum { CHOICE_RUNS = 6, EXECUTIONS = 2 };
    const struct small_way way = by_cudnn();
    for (int i = 0; i < SMALL_NETWORKS; i++) {
        struct failure f = {0};
        emulation_reset(&emulation_sound_machine, 7);
        emulation_clock(1e-2, 0.0);
        if (run(i, &way, &f) != STATUS_OK)
            fail_msg("%s: %s", small_name(i), f.message);
    }
    assert_true(fake_fused > 4 * (CHOICE_RUNS + EXECUTIONS)); /* of four layers at least */
}

/* The name contains the release once, and each choice of algorithm and math mode. */
TEST_WITH(choices_of_all_layers_are_reported, begin, NULL)
{
    const struct small_way way = by_cudnn();
    const struct small_way *const ways[] = {&way, &own};
    static const char *const names[] = {
        "cudnn 9.19.0, algorithm 1, math 3, fused; algorithm 0, math 3", "own"};
    for (int i = 0; i < 2; i++) {
        struct small s;
        struct failure f = {0};
        char name[128];
        emulation_clock(1e-2, 0.0);
        assert_int_equal(small_open(&s, 0, ways[i], &f), STATUS_OK);
        device_run_name(&s.run, name, sizeof name);
        assert_string_equal(name, names[i]);
        small_close(&s);
    }
}

/* Old contents of the arrays do not pass as results. */
TEST_WITH(an_idle_library_is_caught, begin, NULL)
{
    const struct small_way way = by_cudnn();
    struct failure f = {0};
    fake_idles = true;
    assert_int_equal(run(2, &own, &f), STATUS_OK); /* this run does not use the library */
    assert_int_equal(run(0, &way, &f), STATUS_WRONG);
    assert_non_null(strstr(f.message, "layer conv1 (conv) is wrong"));
}

TEST_WITH(a_library_that_does_not_start_is_unavailable, begin, NULL)
{
    const struct small_way way = by_cudnn();
    struct failure f = {0};
    fake_fails = true;
    assert_int_equal(run(0, &way, &f), STATUS_UNAVAILABLE);
    assert_non_null(strstr(f.message, "CUDNN_STATUS_NOT_INITIALIZED"));
    assert_int_equal(emulation_live(), 0);
}

/* ---- verification and what is sent ----------------------------------------------------------- */

/* If the weights on the device differ from the host's, that layer is named, and no other. */
TEST_WITH(a_wrong_layer_is_named, begin, NULL)
{
    struct small s;
    struct failure f = {0};
    assert_int_equal(small_open(&s, 0, &own, &f), STATUS_OK);
    assert_int_equal(cudaMemset(s.run.layers[3].weights, 0, 4), cudaSuccess);
    assert_string_equal(s.run.layers[3].step->layer->name, "conv3");
    assert_int_equal(small_check(&s, &f), STATUS_WRONG);
    assert_non_null(strstr(f.message, "layer conv3 (conv) is wrong"));
    small_close(&s);
}

/* For a batch only the images are sent, once, and the outputs are copied back. Parameters and the
 * arrays between layers stay on the device. */
TEST_WITH(of_a_batch_images_go_and_outputs_come, begin, NULL)
{
    struct small s;
    struct phases phases;
    struct failure f = {0};
    char sent[32], collected[32];
    assert_int_equal(small_open(&s, 0, &own, &f), STATUS_OK);
    emulation_journal_begin();
    assert_int_equal(device_run_batch(&s.run, &s.forward, &phases, &f), STATUS_OK);
    snprintf(sent, sizeof sent, "send %d\n", 2 * 3 * 19 * 17 * 4);
    snprintf(collected, sizeof collected, "collect %d\n", 2 * 7 * 4);
    assert_int_equal(count_of(emulation_journal(), "send"), 1);
    assert_int_equal(count_of(emulation_journal(), sent), 1);
    assert_int_equal(count_of(emulation_journal(), "collect"), 1);
    assert_int_equal(count_of(emulation_journal(), collected), 1);
    assert_int_equal(count_of(emulation_journal(), "allocate"), 0);
    int in_pieces = 0;
    for (int i = 0; i < s.run.count; i++)
        in_pieces += s.run.layers[i].parts > 0;
    assert_int_equal(in_pieces, 1); /* the 147 terms of conv1 */
    /* One kernel empties the cache; adds and clamps have no kernels of their own. */
    assert_int_equal(count_of(emulation_journal(), "kernel"), 1 + s.run.count + in_pieces);
    assert_true(phases.total_s >= phases.compute_s && phases.compute_s > 0.0);
    for (int i = 0; i < s.run.count; i++)
        assert_true(s.forward.clocks[i].executions == 1 && s.forward.clocks[i].sum_s >= 0.0);
    small_close(&s);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static const struct small_way captured = {.batch = 2, .block = 16, .captures = true};

/* The launches of a batch are one graph, which has as many kernels as are launched without it. */
TEST_WITH(a_batch_is_one_graph, begin, NULL)
{
    for (int which = 0; which < SMALL_NETWORKS; which++) {
        int kernels[2] = {0, 0};
        for (int captures = 0; captures < 2; captures++) {
            struct small_way way = captured;
            struct small s;
            struct phases phases;
            struct failure f = {0};
            char graph[32];
            way.captures = captures == 1;
            assert_int_equal(small_open(&s, which, &way, &f), STATUS_OK);
            emulation_journal_begin();
            assert_int_equal(device_run_batch(&s.run, &s.forward, &phases, &f), STATUS_OK);
            kernels[captures] =
                count_of(emulation_journal(), "kernel ") - 1; /* one empties the cache */
            snprintf(graph, sizeof graph, "graph %d\n", kernels[captures]);
            assert_int_equal(count_of(emulation_journal(), "graph "), captures);
            assert_int_equal(count_of(emulation_journal(), graph), captures);
            assert_int_equal(s.run.graph.kernels, captures * kernels[captures]);
            assert_int_equal(s.run.graph.others, 0);
            small_close(&s);
        }
        assert_int_equal(kernels[0], kernels[1]);
    }
}

/* For networks and batches of different sizes; the images differ from those of the capture. */
TEST_WITH(a_graph_comes_to_the_same_bits, begin, NULL)
{
    const struct small_way cudnn = by_cudnn();
    for (int which = 0; which < SMALL_NETWORKS; which += 3)
        for (int i = 0; i < 3; i++) {
            struct small_way way = captured;
            struct failure f = {0};
            way.batch = 1 + 2 * (i % 2);
            way.peer = i == 2 ? cudnn.peer : NULL;
            if (run(which, &way, &f) != STATUS_OK)
                fail_msg("%s: %s", small_name(which), f.message);
        }
    assert_int_equal(emulation_live(), 0);
}

TEST_WITH(a_failing_call_of_a_graph_is_named, begin, NULL)
{
    struct small_way single = captured;
    single.captures = false;
    const int64_t calls = fail_each_call(3, &single, cudaErrorLaunchFailure, STATUS_RESOURCE);
    assert_true(fail_each_call(3, &captured, cudaErrorLaunchFailure, STATUS_RESOURCE) > calls);
}

/* Kernels that are launched one by one begin later here: of 5 ms each, 1 ms. */
TEST_WITH(time_between_kernels_is_measured, begin, NULL)
{
    struct small s;
    struct failure f = {0};
    struct small_way way = captured;
    emulation_clock(4e-3, 0.0);
    emulation_gap(1e-3);
    assert_int_equal(small_open(&s, 3, &captured, &f), STATUS_OK);
    assert_true(s.run.between_share == 0.0);
    small_close(&s);
    way.compares = true;
    assert_int_equal(small_open(&s, 3, &way, &f), STATUS_OK);
    assert_true(s.run.between_share > 0.19 && s.run.between_share < 0.21);
    small_close(&s);
}

TEST_WITH(old_releases_have_no_graphs, begin, NULL)
{
    const struct device newest = {.driver = 13000, .runtime = 13000},
                        first = {.driver = 10000, .runtime = 10000},
                        old = {.driver = 10010, .runtime = 9020},
                        old_driver = {.driver = 9020, .runtime = 10010};
    struct failure f = {0};
    assert_int_equal(graph_supported(&newest, &f), STATUS_OK);
    assert_int_equal(graph_supported(&first, &f), STATUS_OK);
    assert_int_equal(graph_supported(&old, &f), STATUS_UNAVAILABLE);
    assert_string_equal(f.message, "--submit graph: not supported: graphs need CUDA 10.0; this "
                                   "build has CUDA 9.2, and the driver serves 10.1");
    assert_int_equal(graph_supported(&old_driver, &f), STATUS_UNAVAILABLE);
}

/* What a capture does not permit, each with its error; the capture is lost. */
enum misuse {
    NOTHING,
    COPY_OF_PAGEABLE,
    COPY_WITHOUT_STREAM,
    WAIT,
    WAIT_FOR_ALL,
    ALLOCATION,
    PINNED_ALLOCATION,
    RELEASE,
    EVENT,
    OTHER_STREAM,
    MISUSES
};

struct misused {
    cudaStream_t stream;
    cudaEvent_t event;
    char *array, *pinned;
};

static cudaError_t misuse(const struct misused *m, enum misuse how)
{
    char here[4] = {0};
    void *more = NULL;
    switch (how) {
    case COPY_OF_PAGEABLE:
        return cudaMemcpyAsync(m->array, here, 4, cudaMemcpyHostToDevice, m->stream);
    case COPY_WITHOUT_STREAM:
        return cudaMemcpy(m->array, m->pinned, 4, cudaMemcpyHostToDevice);
    case WAIT:
        return cudaStreamSynchronize(m->stream);
    case WAIT_FOR_ALL:
        return cudaDeviceSynchronize();
    case ALLOCATION:
        return cudaMalloc(&more, 4);
    case PINNED_ALLOCATION:
        return cudaMallocHost(&more, 4);
    case RELEASE:
        return cudaFree(m->array);
    case EVENT:
        return cudaEventRecord(m->event, m->stream);
    case OTHER_STREAM:
        return cudaStreamWaitEvent(m->stream, m->event, 0);
    default:
        return cudaSuccess;
    }
}

static void begin_misuse(struct misused *m)
{
    assert_int_equal(cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking), cudaSuccess);
    assert_int_equal(cudaEventCreate(&m->event), cudaSuccess);
    assert_int_equal(cudaMalloc((void **)&m->array, 4), cudaSuccess);
    assert_int_equal(cudaMallocHost((void **)&m->pinned, 4), cudaSuccess);
}

static void end_misuse(struct misused *m)
{
    cudaFree(m->array);
    cudaFreeHost(m->pinned);
    cudaEventDestroy(m->event);
    cudaStreamDestroy(m->stream);
    assert_int_equal(emulation_live(), 0);
}

TEST_WITH(what_a_capture_does_not_permit_is_refused, begin, NULL)
{
    static const cudaError_t errors[MISUSES] = {
        [EVENT] = cudaErrorNotSupported, [OTHER_STREAM] = cudaErrorStreamCaptureIsolation};
    for (int how = NOTHING; how < MISUSES; how++) {
        struct misused m;
        cudaGraph_t graph;
        const cudaError_t error = errors[how] != cudaSuccess ? errors[how]
                                  : how == NOTHING           ? cudaSuccess
                                                             : cudaErrorStreamCaptureUnsupported;
        begin_misuse(&m);
        assert_int_equal(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeGlobal),
                         cudaSuccess);
        assert_int_equal(misuse(&m, (enum misuse)how), error);
        assert_int_equal(cudaMemsetAsync(m.array, 0, 4, m.stream),
                         error == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
        assert_int_equal(cudaStreamEndCapture(m.stream, &graph),
                         error == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
        assert_true((graph != NULL) == (error == cudaSuccess));
        if (graph)
            cudaGraphDestroy(graph);
        end_misuse(&m);
    }
}

/* A copy from pinned memory is read anew at each launch; nothing runs during the capture. */
TEST_WITH(a_copy_in_a_graph_reads_what_is_there_when_it_runs, begin, NULL)
{
    struct misused m;
    cudaGraph_t graph;
    cudaGraphExec_t launches;
    char back = 0;
    begin_misuse(&m);
    m.pinned[0] = 1;
    assert_int_equal(cudaMemset(m.array, 9, 4), cudaSuccess);
    assert_int_equal(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(m.array, m.pinned, 4, cudaMemcpyHostToDevice, m.stream),
                     cudaSuccess);
    assert_int_equal(cudaStreamEndCapture(m.stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&launches, graph, 0), cudaSuccess);
    cudaGraphDestroy(graph);
    for (char value = 9; value != 3; value = value == 9 ? 2 : 3) {
        if (value != 9) {
            m.pinned[0] = value;
            assert_int_equal(cudaGraphLaunch(launches, m.stream), cudaSuccess);
            assert_int_equal(cudaStreamSynchronize(m.stream), cudaSuccess);
        }
        assert_int_equal(cudaMemcpy(&back, m.array, 1, cudaMemcpyDeviceToHost), cudaSuccess);
        assert_int_equal(back, value);
    }
    cudaGraphExecDestroy(launches);
    end_misuse(&m);
}

/* A graph must not outlive the arrays of its kernels. */
TEST_WITH(a_graph_of_freed_arrays_is_refused, begin, NULL)
{
    struct small s;
    struct phases phases;
    struct failure f = {0};
    emulation_print_faults(false);
    assert_int_equal(small_open(&s, 3, &captured, &f), STATUS_OK);
    assert_int_equal(cudaFree(s.run.layers[1].weights), cudaSuccess);
    s.run.layers[1].weights = NULL;
    assert_int_equal(device_run_batch(&s.run, &s.forward, &phases, &f), STATUS_RESOURCE);
    assert_non_null(strstr(f.message, "cudaGraphLaunch"));
    assert_non_null(strstr(emulation_fault(), "uses an array which was freed since its capture"));
    small_close(&s);
    emulation_print_faults(true);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* A kind whose arithmetic has no kernels yet is found here, not by a user. */
TEST_WITH(every_kind_has_its_kernels, begin, NULL)
{
    for (int i = 0; i < layer_kind_count; i++) {
        const struct layer_kind *k = layer_kinds[i];
        if (k->form != FORM_NONE && !device_layer_has(k->form))
            fail_msg("no kernel computes a layer of the kind %s", k->name);
        if (k->backward && !device_reverse_has(k->form))
            fail_msg("no kernel runs a layer of the kind %s backward", k->name);
    }
    assert_false(device_layer_has(FORM_NONE));
    assert_false(device_reverse_has(FORM_COPY));
}
