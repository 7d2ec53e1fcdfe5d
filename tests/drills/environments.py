"""Unusual environments: closed descriptors, no home, odd languages, few resources."""
import os
import resource

from common import limited


def closed(*descriptors):
    """For preexec_fn: closes the descriptors."""
    return lambda: [os.close(fd) for fd in descriptors]


CASES = [
    ({}, closed(0)), ({}, closed(1)), ({}, closed(2)), ({}, closed(0, 1, 2)),
    ({"HOME": None}, None), ({"PATH": None}, None), ({"PATH": "", "HOME": "/nonexistent"}, None),
    ({"LANG": "xx_YY.none", "LC_ALL": "xx_YY.none"}, None), ({"LC_ALL": "de_DE.UTF-8"}, None),
    ({"TMPDIR": "/nonexistent"}, None), ({"OMP_NUM_THREADS": "-3", "OMP_PROC_BIND": "?"}, None),
    ({"TZ": "Nowhere/Land"}, None),
    ({}, limited(resource.RLIMIT_NOFILE, 16)), ({}, limited(resource.RLIMIT_AS, 54000 << 10)),
    ({}, limited(resource.RLIMIT_CPU, 100)),
]


def unusual(drill):
    """Whatever the programs do, the record contains only whole rows."""
    record = drill.folder / "record.csv"
    for case in drill.each():
        changed, prepare = CASES[case % len(CASES)]
        environment = {**os.environ, **{k: v for k, v in changed.items() if v is not None}}
        for name in (name for name, value in changed.items() if value is None):
            environment.pop(name, None)
        more = {"env": environment, "preexec_fn": prepare}
        drill.run([drill.program("maxpool_serial"), "-n", "64", "--samples", "3", "--record", record], **more)
        drill.run([drill.program("network_serial"), "--network", "mlp:1600-800", "--task", "train",
                   "--steps", "1", "--batch", "10"], **more)
        if (drill.bin / "study").exists():
            drill.run([drill.program("study"), "list"], **more)
        lines = record.read_text().splitlines() if record.exists() else []
        if any(line.count(",") != lines[0].count(",") for line in lines):
            drill.fail(f"the record holds something else: case {case}")
        record.unlink(missing_ok=True)
