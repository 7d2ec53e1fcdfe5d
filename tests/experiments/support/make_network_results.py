#!/usr/bin/env -S python3 -B
"""make_network_results.py FOLDER: made-up samples of whole networks with known truth, for the tests of analysis, charts
and report."""
import maker
from maker import gpu, network_point, powers

# Seconds of one thread of the made-up machine for one image of 224 x 224; work grows with the pixels. A batch of B
# images takes (B + 1) / 2 times as long as one image: 8.5 times at B = 16. Two threads are 1.9 times as fast, the GPU
# 20 times.
SECONDS = {"resnet18": 30e-3, "mobilenet_v2": 6e-3, "alexnet_mri": 2e-3, "solar_cnn": 0.6e-3, "mlp:50": 2e-6,
           "mlp:800-400": 80e-6}
# Times relative to auto's, and errors in ulps.
METHODS = {"auto": (1, 3.0), "implicit": (1.5, 3.2), "onnxruntime": (1.25, 2.6), "openvino": (1.3, 2.8),
           "pytorch": (2.5, 3.1)}


def all_computed(seconds):
    return {"compute_s": seconds, "distribute_s": 0.0, "collect_s": 0.0, "total_s": seconds}


def law(p):
    seconds = SECONDS[p["network"]] * METHODS[p["method"]][0]
    if p["planes"] != 1 and p["rows"] >= 64:  # vectors and maps have one size
        seconds *= p["rows"] * p["cols"] / 224.0 ** 2
    speed = 20.0 if p["space"] == "cuda" else p["threads"] ** 0.926
    return all_computed(seconds * (0.5 * p["batch"] + 0.5) / speed)


def omp(network, images, side, threads, /, **others):
    return network_point("omp", network, images, side, threads=threads, **others)


def peer(method, images):
    """Returns a point of resnet18 with a method of ours, or of a library that is a space too."""
    ours = method in ("auto", "implicit")
    return network_point("omp" if ours else method, "resnet18", images, 224, method=method,
                         isa="x86-64" if ours else "a library", error_network_ulps=METHODS[method][1])


EXPERIMENTS = {
    "devices": [p for side in powers(224, 896) for p in (
        omp("resnet18", 1, side, 1), omp("resnet18", 1, side, 2), network_point("cuda", "resnet18", 1, side, **gpu()))],
    "lighter": [omp(network, images, 224, threads)
                for threads in (1, 2) for images in (1, 16) for network in ("resnet18", "mobilenet_v2")],
    "batch": [omp(network, images, side, threads) for threads in (1, 2) for images in powers(1, 32)
              for network, side in (("resnet18", 224), ("alexnet_mri", 32))],
    "mlp_inference": [omp(network, images, 50, 2)
                      for images in powers(1, 1024, 32) for network in ("mlp:50", "mlp:800-400")],
    "network_peers": [peer(method, images) for images in (1, 16) for method in METHODS],
    "layers": [network_point("serial", "resnet18", 1, 224)]}

# ---- steps ----------------------------------------------------------------------------------------------------------

# Ceilings of the computer whose layers are clocked: a multiply-add takes 2 ns, a byte 1 ns.
CEILINGS = """\
what,level,working_set_bytes,workers,bandwidth_bytes_per_s,isa,operations_per_s,host
read,memory,1e6,1,1e9,,,clocked
multiply_add,,,1,,avx2,1e9,clocked
"""
# Four steps: layer, method, share of the time, which differs between launches, and multiply-adds and bytes of least
# work per second. This work, arithmetic or traffic, takes a half, a quarter, 0.4 and a hundredth of their own times.
STEPS = (("conv1", "implicit", 0.51, 0.25e9, 0.1e9), ("maxpool", "", 0.2, 0.0, 0.25e9),
         ("fc", "dots", 0.285, 0.2e9, 0.39e9), ("flatten", "", 0.005, 0.0, 0.01e9))


def step_row(launch, step):
    layer, method, share, multiply_adds, traffic = STEPS[step]
    seconds = 30e-3 * (1 + 0.1 * launch) * share
    return {"space": "serial", "network": "resnet18", "host": "clocked", "isa": "avx2", "layer": layer,
            "layer_method": method, "run_id": f"launch-{launch}", "step": step, "mean_s": seconds,
            "multiply_adds": 4 * seconds * multiply_adds,  # by definition
            "least_multiply_adds": seconds * multiply_adds, "bytes": seconds * traffic,
            "bytes_written": 0.5 * (seconds * traffic)}


# ---- faces ----------------------------------------------------------------------------------------------------------

# 500 pictures; the seconds are a hundredth of the published ones; batched takes 4 s.
FACES = {"reload": 17.8984, "once": 13.5005, "split": 7.6071, "batched": 4.0}


def law_of_faces(p):
    return all_computed(FACES[p["method"]])


def timeline():
    """Two executions of each structure, one row per second: the share of busy processors, and as many MiB as
    seconds."""
    return ({"label": structure, "seconds": s, "cpu_share": 1.5, "resident_bytes": s * 1048576.0}
            for _ in range(2) for structure, seconds in FACES.items() for s in range(1, int(seconds) + 1))


def make(results):
    for experiment, points in EXPERIMENTS.items():
        results.add(experiment, law, points)
    results.append("layers", ".layers", (step_row(launch, step) for launch in range(9) for step in range(len(STEPS))))
    (results.folder / "ceilings.csv").write_text(CEILINGS, encoding="utf-8")
    results.add("faces", law_of_faces, [
        omp("resnet18+features", 500, 160, 2, program="faces_omp", operator="faces", input="brain_planes",
            method=structure, images=500, batch=20) for structure in FACES])
    results.append("faces", ".timeline", timeline())
    # A network that no method rounds; last, so that the noise of all samples before stays the same.
    results.add("network_peers", law, [omp("mlp:50", 1, 50, 1, error_network_ulps=0.0)])


maker.main(make)
