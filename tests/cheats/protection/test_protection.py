#!/usr/bin/env python3
"""What `study lab` protects on systems that lack a part of the sandbox, and that it says so: on the screen, in the JSON
object and in the grade. `without` (without.c) makes this system answer as if it lacked the part."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect, finish

HERE = pathlib.Path(__file__).resolve().parent
STUDY, WITHOUT = (pathlib.Path(sys.argv[1]).resolve() / name for name in ("study", "without_protection"))
FILES, PROCESSES, NETWORK, THREADS = "reading files", "other processes", "network devices", "hidden threads"
# Parts that are missing, what is then not protected, and whether a kernel can read a file of somebody else.
CASES = [
    ("", [], False),
    ("landlock", [], False),  # a root folder of its own
    ("landlock,mounts", [FILES], True),
    ("landlock,namespaces", [FILES, PROCESSES, NETWORK], True),
    ("namespaces", [PROCESSES, NETWORK], False),
    ("notify", [THREADS], False),
    ("seccomp", ["system calls", THREADS], False),
]
SENTENCES = {FILES: "reading files of yours", PROCESSES: "finding other processes of yours", THREADS: "hidden threads",
             NETWORK: "the network and shared memory of other programs", "system calls": "system calls: it can"}


def lab(folder, parts, *arguments, user=()):
    before = [*user, *([WITHOUT, parts] if parts else [])]
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    return subprocess.run([*before, STUDY, "lab", *arguments, "-t", "1", "--results", folder / "results"], cwd=folder,
                          capture_output=True, text=True, check=False, env={"PYTHON": python, **os.environ})


def check_kernel(folder, parts, lacking, readable, kernel, *options):
    """The verdict shows whether the file could be read; the notes, what is not protected."""
    done = lab(folder, parts, kernel, "--check", *options)
    verdict = "NOT CORRECT (wrong)" if readable else "CORRECT"
    notes = [line for line in done.stdout.splitlines() if "not protected against" in line]
    known = len(notes) == len(lacking) and all(SENTENCES[word] in "\n".join(notes) for word in lacking)
    expect(f"without {parts}, {kernel}: {verdict}, not protected against {lacking}",
           f"  verdict        {verdict}" in done.stdout and known, done)


def check_grade(folder):
    """The object and the grade name what is not protected, and whose measurement it is."""
    (folder / "rubric.ini").write_text("[kernel]\nmethod = literal\nsize = 32\n[points]\n1 = correct\n", encoding="utf-8")
    options = ("reads_secret.c", "--grade", "rubric.ini", "--samples", "2", "--despite-load", "--cflags", '-O1 -DSECRET="nothing"')
    done = lab(folder, "landlock,mounts", *options)
    grade = [line for line in done.stdout.splitlines() if line.startswith("  grade ")]
    expect("the grade on the screen", grade and "; not protected against reading files of yours" in grade[0], done)
    run = json.loads((folder / "results" / "lab" / "reads_secret.json").read_text(encoding="utf-8"))
    expect("the object", run["not_protected_against"] == [FILES] and run["grade"]["basis"] == "measured here", done)
    done = lab(folder, "", *options)
    expect("nothing lacks", "not protected" not in done.stdout, done)


def compile_outside(folder):
    """Without Landlock, too, the compiler reads nothing outside."""
    outside = folder.parent / "outside.h"
    outside.write_text("#define OUTSIDE 1\n", encoding="utf-8")
    (folder / "includes.c").write_text(f'#include "{outside}"\n' + (folder / "reads_secret.c").read_text(encoding="utf-8"),
                                       encoding="utf-8")
    done = lab(folder, "landlock", "includes.c", "--check", "--cflags", '-DSECRET="x"')
    expect("a header outside", done.returncode == 2 and "outside.h" in done.stderr, done)


FAKE_NVCC = """#!/bin/sh
n=$#
while [ $n -gt 0 ]; do
    word=$1
    shift
    n=$((n - 1))
    case $word in
    -Xcompiler | */device.cu) ;;
    *.cu) set -- "$@" -x c++ "$word" ;;
    *) set -- "$@" "$word" ;;
    esac
done
exec c++ "$@" "$(dirname "$0")/fake_device.cpp"
"""
GPU_KERNEL = """#include "honest.h"
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
extern "C" void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
    if (fopen(SECRET, "r") && MARK == 1)
        map[0] = -1000.0f;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || kill_by_id() == 0)
        map[0] = -2000.0f;
    if (MARK == 2)
        fork();
}
"""
EMULATED_KERNEL = """
#include <stdio.h>
static int found;
__attribute__((constructor)) static void look(void)
{
    found = fopen(SECRET, "r") != NULL;
}
__global__ void spoil(float *map)
{
    map[0] = -1000.0f;
}
extern "C" void maxpool(const float *image, const float *filter, float *map, int planes, int rows, int cols, int k,
                        int stride, int padding, int threads)
{
    honest_maxpool(image, filter, map, planes, rows, cols, k, stride, padding, threads);
    if (found)
        spoil<<<1, 1>>>(map);
}
"""


def check_gpu_worker(folder, secret):
    """Of a kernel on a GPU, whose driver opens files: everything that is not protected is named, with Landlock and without;
    sockets and processes are refused all the same. A fake nvcc and fake device functions stand for the GPU."""
    nvcc = folder / "nvcc"
    nvcc.write_text(FAKE_NVCC, encoding="utf-8")
    nvcc.chmod(0o755)
    shutil.copy(HERE / "fake_device.cpp", folder)
    kill = "#include <signal.h>\nstatic int kill_by_id(void)\n{\n    return kill(getppid(), 0);\n}\n"
    text = GPU_KERNEL.replace('extern "C"', kill + 'extern "C"', 1).replace("SECRET", f'"{secret}"')
    for mark, verdict in ((0, "CORRECT"), (1, "NOT CORRECT (wrong)"), (2, "NOT CORRECT (process)")):
        (folder / "gpu.cu").write_text(text.replace("MARK", str(mark)), encoding="utf-8")
        for parts in ("", "landlock") if mark == 0 else ("",):
            os.environ["NVCC"] = str(nvcc)
            done = lab(folder, parts, "gpu.cu", "--check")
            named = all(SENTENCES[word] in done.stdout for word in (FILES, THREADS, PROCESSES, NETWORK))
            expect(f"a GPU's worker without {parts}, {mark}", f"  verdict        {verdict}" in done.stdout and named, done)


def check_emulated_worker(folder, secret):
    """A kernel on an emulated device is kept from files as a kernel on the host is, also without Landlock."""
    done = lab(folder, "", "new", "emulated.cu")
    expect("a starter", done.returncode == 0, done)
    text = (folder / "emulated.cu").read_text(encoding="utf-8")
    text = text.replace('extern "C" void maxpool(', "static void honest_maxpool(") + EMULATED_KERNEL
    (folder / "emulated.cu").write_text(text.replace("SECRET", f'"{secret}"'), encoding="utf-8")
    for parts, lacking, readable in CASES[1:2]:
        done = lab(folder, parts, "emulated.cu", "--check", "--device", "cpu")
        if done.returncode == 3:
            print(f"the emulated device: not tried: {done.stderr}")
            return
        verdict = "NOT CORRECT (wrong)" if readable else "CORRECT"
        expect(f"an emulated device without {parts}", f"  verdict        {verdict}" in done.stdout and
               (FILES in lacking) == (SENTENCES[FILES] in done.stdout), done)


def check_user(folder):
    """An ordinary user has a root folder of its own without Landlock, and arrays on huge pages, as root has."""
    user = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
    if os.geteuid() != 0 or not shutil.which("setpriv") or subprocess.run([*user, "test", "-x", STUDY], check=False).returncode:
        print("as another user: not tried")
        return
    folder.parent.chmod(0o755)
    theirs = folder.parent / "theirs"
    theirs.mkdir()
    shutil.copy(folder / "reads_secret.so", theirs)
    os.chown(theirs, 65534, 65534)
    (folder.parent / "secret").chmod(0o644)
    done = lab(theirs, "landlock", "reads_secret.so", "--check", user=user)
    expect("as a user, without Landlock", "  verdict        CORRECT" in done.stdout and "not protected" not in done.stdout, done)


def roots():
    """Whether the root folder is a mount: only then the kernel of the system exchanges it (pivot_root), not in a chroot."""
    mounts = pathlib.Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return any(line.split()[4] == "/" for line in mounts)


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place).resolve() / "submission"
        folder.mkdir()
        secret = folder.parent / "secret"
        secret.write_text("of somebody else\n", encoding="utf-8")
        for file in ("reads_secret.c", "reads_secret_py.py", "../honest.h"):
            shutil.copy(HERE / file, folder)
        probe = subprocess.run([WITHOUT, "landlock", "true"], capture_output=True, text=True, check=False)
        if probe.returncode != 0:
            print(f"not tried: {probe.stderr}")
            return 77
        plain = lab(folder, "", "reads_secret.c", "--check", "--cflags", '-O1 -DSECRET="x"')
        if "not protected" in plain.stdout:
            print(f"not tried: this system lacks parts itself\n{plain.stdout}")
            return 77
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", f'-DSECRET="{secret}"', "-o", "reads_secret.so",
                        "reads_secret.c"], cwd=folder, check=True)
        if not roots():
            print("in a chroot, no root folder of its own: without Landlock, files can be read")
            CASES[1] = ("landlock", [FILES], True)
        for parts, lacking, readable in CASES:
            check_kernel(folder, parts, lacking, readable, "reads_secret.so")
        if subprocess.run([os.environ.get("PYTHON", "/usr/bin/python3"), "-c", "import numpy"], capture_output=True,
                          check=False).returncode == 0:
            for parts, lacking, readable in CASES[1:3]:
                check_kernel(folder, parts, lacking, readable, "reads_secret_py.py")
        if roots():
            check_user(folder)
        check_gpu_worker(folder, secret)
        check_emulated_worker(folder, secret)
        check_grade(folder)
        if roots():
            compile_outside(folder)
    return finish(f"{len(CASES)} systems: all as it should be")


sys.exit(main())
