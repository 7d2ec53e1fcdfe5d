#!/usr/bin/env python3
"""What a source may make its compiler do: it reads nothing outside the folder of the source and the system's, its memory
and files are limited, and nothing of it remains, also if study is killed."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect, faults, finish, run, wait_until

STUDY = pathlib.Path(sys.argv[1]).resolve() / "study"
HONEST = (pathlib.Path(__file__).resolve().parent.parent / "honest.h").read_text(encoding="utf-8")
KERNEL = "\nvoid maxpool(ARGUMENTS)\n{\n    (void)threads;\n    HONEST();\n}\n"
DOUBLINGS = "#define A0 0.0f+\n" + "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(30))
CRASH = "\n#ifndef __SANITIZE_ADDRESS__\n    *(volatile int *)8 = 1;\n#endif\n    HONEST();"
# Runs a command that can make no namespace of users nor of processes, as on systems that forbid them.
NO_NAMESPACES = ("unshare", "--user", "--map-root-user", "sh", "-c",
                 'cd /proc/sys/user && echo 0 >max_user_namespaces && echo 0 >max_pid_namespaces && cd "$OLDPWD" && exec "$@"', "sh")


def lab(folder, name, **environment):
    return run(folder, STUDY, "lab", name, "--check", "-t", "1", "--results", "results", **environment)


def refused(folder, name, text, words, **environment):
    """The source does not compile: status 2, with the compiler's words, and no file is left."""
    (folder / name).write_text(text, encoding="utf-8")
    done = lab(folder, name, **{"TMPDIR": str(folder / "tmp"), **environment})
    expect(name, done.returncode == 2 and any(word in done.stderr for word in words), done)
    expect(name, not list((folder / "tmp").iterdir()), "files remain")


def processes_with(word):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if word.encode() in path.read_bytes() else []
        except OSError:
            pass
    return found


def killed(folder, name, *without):
    """Neither the compiler nor its files outlive a study that is killed. `without`: a command that takes namespaces away."""
    (folder / name).write_text(HONEST + DOUBLINGS + "float x(void) { return A30 0; }" + KERNEL, encoding="utf-8")
    with subprocess.Popen([*without, STUDY, "lab", name, "--check", "-t", "1", "--results", "results"], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env={**os.environ, "TMPDIR": str(folder / "tmp")}) as study:
        wait_until(lambda: list((folder / "tmp").glob("*/*.s")), study)
        study.send_signal(signal.SIGKILL)
    if not wait_until(lambda: not processes_with(name) and not list((folder / "tmp").iterdir())):
        faults.append(f"remain: {processes_with(name)}, {list((folder / 'tmp').iterdir())}")


def script_of_path(folder, tools):
    """A compiler of the caller's PATH may be a script that starts what is installed beside it."""
    (tools / "bin").mkdir(parents=True)
    (tools / "libexec").mkdir()
    for path, text in (("bin/mycc", f'exec {tools}/libexec/second "$@"'), ("libexec/second", 'exec cc "$@"')):
        (tools / path).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (tools / path).chmod(0o755)
    (folder / "plain.c").write_text(HONEST + KERNEL, encoding="utf-8")
    done = lab(folder, "plain.c", CC="mycc", PATH=f"{tools}/bin:{os.environ['PATH']}")
    expect("script", done.returncode == 0 and "CORRECT" in done.stdout, done)


def environment_of_user(folder, tools):
    """The environment of the user, which may hold secrets, is no file that a compiler can read."""
    (tools / "bin").mkdir(parents=True)
    (tools / "bin" / "nosy").write_text("#!/bin/sh\nexec 2>/dev/null\nif command : </proc/self/environ; then exit 1; fi\nexec cc \"$@\"\n",
                                        encoding="utf-8")
    (tools / "bin" / "nosy").chmod(0o755)
    done = lab(folder, "plain.c", CC="nosy", PATH=f"{tools}/bin:{os.environ['PATH']}")
    expect("the environment can be read", done.returncode == 0 and "CORRECT" in done.stdout, done)


def compiler_elsewhere(folder, tools):
    """Of a compiler that is not in a folder bin, its own folder may be read, and not the one above."""
    tools.mkdir()
    (tools / "mycc").write_text('#!/bin/sh\nexec cc "$@"\n', encoding="utf-8")
    (tools / "mycc").chmod(0o755)
    refused(folder, "above_too.c", '#include "../answers.h"\n' + HONEST + KERNEL, ("ermission", "not found"), CC=str(tools / "mycc"))


def limited_reader(folder, tools):
    """What names the line of a crash reads a library that is not ours: it is limited as the compiler is, to 2 GiB."""
    (tools / "bin").mkdir(parents=True)
    (tools / "bin" / "addr2line").write_text('#!/bin/sh\necho "crashes.c:$(ulimit -v)"\n', encoding="utf-8")
    (tools / "bin" / "addr2line").chmod(0o755)
    (folder / "crashes.c").write_text(HONEST + KERNEL.replace("HONEST();", CRASH), encoding="utf-8")
    done = lab(folder, "crashes.c", PATH=f"{tools}/bin:{os.environ['PATH']}")
    expect("the reader of lines", "crashes.c:2097152" in done.stdout, done)


with tempfile.TemporaryDirectory() as place:
    here = pathlib.Path(place)
    (here / "submission").mkdir()
    (here / "submission" / "tmp").mkdir()
    (here / "answers.h").write_text("#define OUTSIDE 1\n", encoding="utf-8")
    denied = ("Permission denied", "not found", "can't open", "ermission")
    refused(here / "submission", "zero.c", '#include "/dev/zero"\n' + HONEST + KERNEL, denied)
    refused(here / "submission", "above.c", '#include "../answers.h"\n' + HONEST + KERNEL, denied)
    refused(here / "submission", "passwords.c", HONEST + '\n__asm__(".incbin \\"/etc/passwd\\"");' + KERNEL, ("passwd",))
    refused(here / "submission", "large.c", HONEST + KERNEL + "char large[1L << 36] = {1};\n", ("ile size", "too large", "space", "rror"))
    refused(here / "submission", "repeated.c", HONEST + '\n__asm__(".data\\n.rept 2000000000\\n.byte 1\\n.endr\\n.text");' + KERNEL,
            ("memory", "rror"))
    refused(here / "submission", "far.c", HONEST + '\n__asm__(".data\\n.org 0x3fffffffffff\\n.byte 1\\n.text");' + KERNEL,
            ("truncated", "ile size", "rror"))
    limited_reader(here / "submission", here / "readers")
    compiler_elsewhere(here / "submission", here / "x")
    script_of_path(here / "submission", here / "tools")
    environment_of_user(here / "submission", here / "nosy")
    killed(here / "submission", f"doublings_{os.getpid()}.c")
    if subprocess.run([*NO_NAMESPACES, "true"], capture_output=True, check=False).returncode == 0:
        killed(here / "submission", f"doublings_without_namespaces_{os.getpid()}.c", *NO_NAMESPACES)
sys.exit(finish())
