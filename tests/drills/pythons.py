"""Pythons of MAXPOOL_PYTHON that hang, print, fail or give wrong answers."""
import os

BEHAVIOURS = [
    "exit 0", "exit 1", "exit 3", "exit 255", "kill -9 $$", "kill -TERM $$", "kill -SEGV $$",
    "echo words; exit 0", "head -c 3000000 /dev/zero; exit 1", "head -c 3000000 /dev/zero >&2; exit 1",
    "exec 1>&- 2>&-; exit 1", "sleep 1000 & exit 1",
]


def misbehaving(drill):
    python = drill.folder / "python"
    for case in drill.each():
        python.write_text(f"#!/bin/sh\n{BEHAVIOURS[case % len(BEHAVIOURS)]}\n")
        python.chmod(0o755)
        environment = {**os.environ, "MAXPOOL_PYTHON": str(python)}
        program = ["conv_pytorch", "network_onnxruntime", "maxpool_openvino"][case % 3]
        if (drill.bin / program).exists(): # the status may be such a Python's: -9, -11, -15, 255
            drill.run([drill.program(program), "--list-methods"], [*range(6), 255, -9, -11, -15],
                      env=environment)
