#!/usr/bin/env -S python3 -B
"""make_gpu_results.py FOLDER: made-up samples of the GPU experiments with known truth, for the tests of analysis,
charts and import. No GPU produced them, and no GPU has these properties."""
import maker
from maker import gpu, point, powers

# The made-up machine: bytes and operations per second, and seconds.
BUS, PINNED_BUS, MEMORY, FLOPS = 10e9, 25e9, 400e9, 2e12
LAUNCH_S, COPY_S, ALLOCATION_S, HOST_WINDOW_S, SERIAL_WINDOW_S = 5e-6, 4e-6, 20e-6, 2e-6, 20e-9
KERNELS = {"naive": 1.0, "loop": 1.1, "tiled": 0.9}  # their times relative to naive's
TENSOR_CORES = {"tf32": 4.0, "bf16": 8.0}  # how much faster they are in these precisions
EMULATED = "CPU emulation"


def outputs(p):
    side = (p["rows"] - p["kernel"]) // p["stride"] + 1
    return float(side * side * p["planes"])


def slower(p):
    return KERNELS.get(p["method"], 0.9) * (1.2 if p["block"] == 32 else 1.0)


def phases(distribute, compute, collect, rest):
    """Returns seconds by the names of phases; the total has `rest` more."""
    return {"distribute_s": distribute, "compute_s": compute, "collect_s": collect,
            "total_s": distribute + compute + collect + rest}


def image_law(p):
    """The image is copied to the GPU and pooled, and the map is copied back. Several streams overlap the copies in both
    directions."""
    k, elements, out = p["kernel"], float(p["rows"] * p["cols"]), outputs(p)
    bus = PINNED_BUS if p["host_memory"] == "pinned" else BUS
    filter_s = COPY_S if p["filter_memory"] == "transferred" else 0.0
    return phases(COPY_S + filter_s + 4 * elements / bus,
                  LAUNCH_S + slower(p) * (4 * (elements + out) / MEMORY + 2 * out * k * k * k / FLOPS),
                  COPY_S + (0.5 if p["streams"] > 1 else 1.0) * 4 * out / bus, 1e-6)


def window_law(p):
    """Each window is copied to the GPU, and its product back; `window` allocates memory each time."""
    windows, copies = outputs(p), 3 if p["filter_memory"] == "transferred" else 2
    allocate = windows * (ALLOCATION_S if p["offload"] == "window" else 0.0)
    distribute, compute, collect = windows * (COPY_S * copies), windows * LAUNCH_S * slower(p), windows * COPY_S
    return {"allocate_s": allocate, "distribute_s": distribute, "compute_s": compute, "collect_s": collect,
            "total_s": allocate + distribute + compute + collect + windows * HOST_WINDOW_S}


def law(p):
    if p["space"] == "cuda":
        return image_law(p) if p["offload"] == "image" else window_law(p)
    compute = 1e-6 + outputs(p) * SERIAL_WINDOW_S * (0.1 if p["method"] == "fused" else 1.0)
    return {**phases(0.0, compute, 0.0, 1e-7), "product_s": 0.61 * compute if p["method"] == "staged" else None}


def product_law(p):
    """A product or a convolution."""
    n = float(p["rows"])
    return phases(COPY_S + 8 * n * n / BUS, LAUNCH_S + 2 * n * n * n / (TENSOR_CORES.get(p["math"], 1.0) * FLOPS),
                  COPY_S + 4 * n * n / BUS, 1e-6)


def on_gpu(method, offload, n, /, **others):
    return point("cuda", method, **{
        **gpu(), "isa": "", "offload": offload, "filter_memory": "transferred", "host_memory": "pageable", "streams": 1,
        "block": 16, "rows": n, "cols": n, "setup_s": 0.3, "first_launch_s": 0.02, **others})


def serial(methods, first, last):
    return [point("serial", method, rows=n, cols=n) for method in methods for n in powers(first, last)]


def sizes(kernels, first, most_block, offloads=("window", "window-lean", "image")):
    """Returns the sizes of each kernel and offload, in blocks of 16 up to `most_block`."""
    return [on_gpu(kernel, offload, n, block=block) for kernel in kernels for offload in offloads
            for n in powers(first, 16384 if offload == "image" else 2048) for block in powers(16, most_block)]


def both_memories(method, offload, n, /, **others):
    return [on_gpu(method, offload, n, filter_memory=memory, **others) for memory in ("transferred", "constant")]


def filters(kernel):
    for n in powers(64, 16384):
        yield from both_memories(kernel, "window", n) if n <= 2048 else []
        yield from both_memories(kernel, "image", n)
    for k in powers(4, 64):
        yield from both_memories(kernel, "image", 4096, kernel=k, stride=k)


def product(method, precision, ulps, /, **others):
    """Returns a method of the product, whose results are off by `ulps`."""
    return on_gpu(method, "", 1024, **{
        "program": "matmul_cuda", "operator": "matmul", "filter": "random", "verified": "bound", "math": precision,
        "pad_mode": "", "kernel": None, "stride": None, "padding": None, "max_value": 16777215, "error_ulps_rms": ulps,
        **others})


def conv(method, precision, ulps):
    return on_gpu(method, "", 56, program="conv_cuda", operator="conv", weights="random", verified="bound",
                  math=precision, filter="", kernel=3, stride=1, padding=1, batch=1, groups=1, channels=64, planes=64,
                  filters=64, error_ulps_rms=ulps)


# The precisions of `peers` are those of one product, on the GPU and, two of them, emulated, and of one convolution.
EXPERIMENTS = {
    "cuda_growth": sizes(KERNELS, 2, 32) + serial(["literal"], 2, 16384),
    "offload": sizes(["naive"], 2, 16, ("window", "window-lean")) + sizes(KERNELS, 2, 16, ("image",)) + serial(
        ["literal", "fused"], 2, 16384),
    "transfers": sizes(KERNELS, 64, 16) + sizes(["roof"], 64, 16, ("image",)) + [
        on_gpu("naive", "image", n, host_memory=memory, streams=streams) for n in powers(64, 16384)
        for memory, streams in (("pinned", 1), ("pageable", 4), ("pinned", 4))],
    "filter_memory": [p for kernel in KERNELS for p in filters(kernel)],
    "speedup": serial(["literal", "staged", "fused"], 256, 8192) + [
        on_gpu(kernel, "image", n) for kernel in KERNELS for n in powers(256, 8192)],
    "peers": [product("registers", "fp32", 3.0), product("tensor", "tf32", 1000.0), product("tensor", "bf16", 8000.0),
              product("registers", "fp32", 2.5, device=EMULATED), product("tensor", "bf16", 7900.0, device=EMULATED),
              conv("tiled", "fp32", 2.0), conv("tensor", "tf32", 900.0)]}


def make(results):
    for experiment, points in EXPERIMENTS.items():
        results.add(experiment, product_law if experiment == "peers" else law, points)


maker.main(make)
