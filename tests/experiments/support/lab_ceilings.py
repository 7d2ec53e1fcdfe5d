"""A made-up ceilings.csv, which `study lab` takes as the machine's limits instead of measuring them in every run."""
import os
import pathlib

SETS = ("avx512", "avx2", "x86-64", "neon", "ppc64", "riscv", "generic")


def write(folder, bytes_per_s, operations_per_s):
    """Writes the limits of every thread count up to the number of cores; creates FOLDER if it is
    missing."""
    host = os.uname().nodename
    lines = ["what,isa,level,workers,working_set_bytes,bandwidth_bytes_per_s,operations_per_s,host"]
    for workers in range(1, (os.cpu_count() or 1) + 1):
        lines += [f"{what},,memory,{workers},16384,{bytes_per_s},,{host}" for what in ("read", "copy", "pool")]
        lines += [f"{what},{isa},,{workers},,,{operations_per_s},{host}"
                  for what in ("multiply_add", "maximum", "product") for isa in SETS]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ceilings.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
