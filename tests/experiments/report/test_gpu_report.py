#!/usr/bin/env python3
"""The GPU experiments, from made-up samples to charts, imported from another machine, and planned. No figure here comes
from a GPU. Usage: tests/support/commands.py."""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect
from commands import DIR, done, main, need_program, write


def check_charts(language, charts):
    """Draws the charts of a report, each of which must contain its texts."""
    need_program("gnuplot")
    done(f"./study report --charts svg --results $DIR --lang {language}")
    for name, *texts in charts:
        svg = (DIR / f"charts/{name}.svg").read_text(encoding="utf-8")
        for text in texts:
            expect(f"{name} has {text!r}", text in svg)


def charts_have_series_axes_and_units():
    check_charts("en", (
        ("cuda_growth-gpu_window", "one window at a time", "matmul1 (naive) block 16", "matmul2 (loop) block 32",
         "serial literal", "10 s", "8192", "rows and columns", "data movement included"),
        ("cuda_growth-gpu_lean", "arrays kept", "tiled block 16"),
        ("cuda_growth-gpu_image", "whole image at once", "tiled block 32"),
        ("cuda_growth-gpu_kernel", "the image on the device", "compute time"),
        ("offload", "naive window-lean", "loop image", "serial fused"),
        ("transfers", "(distribute + collect) / total", "naive window-lean"),
        ("transfers-gpu_phases", "shares of the total time", "naive", "loop", "tiled", "roof", "allocate",
         "by window, arrays kept", "whole image", "rest, on the host", "4096"),
        ("transfers-gpu_pinned", "naive pinned 4 streams", "100 ms"),
        ("filter_memory-filter_window", "matmul1 (naive) constant", "matmul3 (tiled) transferred"),
        ("filter_memory-filter_image", "loop constant"),
        ("filter_memory-filter_kernel", "side of the window (elements)", "naive", "64"),
        ("speedup-spaces", "serial baseline", "cuda naive", "serial fused"),
        ("peers-errors", "matmul on a GPU", "conv on a GPU", "registers fp32", "tensor tf32", "tensor bf16", "tiled fp32",
         "no time", "simulated")))
    done("grep -q 'processor not recorded; made-up GPU' $DIR/report*.html")
    done("grep -q 'made-up GPU. Measured until' $DIR/report.md")
    window = (DIR / "charts/cuda_growth-gpu_window.svg").read_text(encoding="utf-8")
    expect("a chart of one offload has no curve of another", "arrays kept" not in window)
    expect("three kernels, two block sizes", sum(" block " in line for line in window.splitlines()) == 6)
    expect("nor another kernel", "loop" not in (DIR / "charts/transfers.svg").read_text(encoding="utf-8"))


def charts_speak_spanish():
    check_charts("es", (
        ("cuda_growth-gpu_window", "una ventana a la vez", "tiempo total"),
        ("cuda_growth-gpu_image", "la imagen completa de una vez"),
        ("cuda_growth-gpu_kernel", "con la imagen en el dispositivo", "no se ve diferencia"),
        ("transfers", "(distribuir + recoger) / total"),
        ("transfers-gpu_phases", "fracciones", "reservar", "resto, en el anfitri", "imagen completa"),
        ("transfers-gpu_pinned", "memoria fijada"),
        ("filter_memory-filter_kernel", "lado de la ventana"),
        ("peers-errors", "matmul en una GPU", "sin tiempo", "tensor bf16")))


def samples_are_imported_from_a_tar():
    """A second import adds nothing, and what is known of the machine stays."""
    imports = "./study import $DIR/there/gpu_check.tar --results $DIR/home"
    done("mkdir -p $DIR/there/gpu_check/samples $DIR/there/gpu_check/logs $DIR/home && "
         "cp $DIR/offload.csv $DIR/speedup.csv $DIR/there/gpu_check/samples && "
         "echo kind,bytes_per_s > $DIR/there/gpu_check/logs/bandwidth.txt")
    write("there/gpu_check/environment.json",
          '{"machine": {"cpu": "made-up CPU", "allowed_cores": 16}, "gpus": ["made-up GPU"]}\n')
    done("tar -C $DIR/there -cf $DIR/there/gpu_check.tar gpu_check")
    done(imports, "from 2 files; 0 were there already, 0 corrupt")
    for name in ("offload", "speedup"):
        done(f"./study export {name} --samples --results $DIR/home | cmp - $DIR/{name}.csv")
    expect("the machine", "made-up CPU" in (DIR / "home/environment.json").read_text(encoding="utf-8"))
    write("home/environment.json", "{}\n")
    expect("nothing is added", done(imports).out.startswith("0 samples"))
    expect("the machine stays", (DIR / "home/environment.json").read_text(encoding="utf-8") == "{}\n")


def large_windows_are_listed():
    """A point that takes too long is listed with its reason, and is in no list of commands."""
    plan = done("./study plan cuda_growth --full --bin /nowhere")
    expect("its reason", any("4096x4096 offload=window " in line and "left out: n = 4096 is beyond" in line
                             for line in plan.out.splitlines()), plan)
    commands = done("./study plan cuda_growth --full --shell --bin /nowhere").out.splitlines()
    for words, there in ((("offload image ", "--rows 16384 ", "block 32"), True),
                         (("offload window", "--rows 2048 "), True), (("offload window", "--rows 4096 "), False)):
        expect(f"{words}: {there}", any(all(word in line for word in words) for line in commands) == there)


if __name__ == "__main__":
    done("./make_gpu_results $DIR")
    sys.exit(main(charts_have_series_axes_and_units, charts_speak_spanish, samples_are_imported_from_a_tar,
                  large_windows_are_listed))
