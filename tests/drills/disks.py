"""Disks that become full at any byte: limits on the size of files, and small file systems."""
import csv
import os
import resource
import shutil
import subprocess

from common import limited

NAMES = ("saved", "map.npy", "record.csv")

# Runs in its own mount namespace: a file system of $1 bytes of memory is mounted at $2 and filled with the files of $3;
# then the command runs, and the files that it left are copied to $4.
ON_SMALL_DISK = """
mount -t tmpfs -o "size=$1" tmpfs "$2" || exit 77
cp -a "$3/." "$2" || exit 78
small=$2 left=$4
shift 4
"$@"
status=$?
cp -a "$small/." "$left" || exit 78
exit $status
"""


def commands_in(drill, folder):
    """Returns commands that each save one file of NAMES in the folder."""
    training = [drill.program("network_serial"), "--network", "mlp:50-25", "--task", "train", "--batch",
                "10", "--warmup", "0", "--verify", "none", "--save", folder / "saved"]
    return [[*training, "--steps", "2"],
            [drill.program("maxpool_serial"), "-n", "256", "--samples", "10", "-o", folder / "map.npy"],
            [drill.program("maxpool_serial"), "-n", "64", "--samples", "30", "--record",
             folder / "record.csv"]]


def files_in(folder):
    return {name: (folder / name).read_bytes() for name in NAMES}


def lengths_of(files):
    return {name: len(data) for name, data in files.items()}


def expect_whole(drill, before, now, status, most, lengths):
    """A map, a record, a checkpoint: each file is the old one, or the new one with its usual length, never a part. A
    record has whole rows."""
    for name, data in before.items():
        whole = now[name] == data or status == 0 and len(now[name]) == lengths[name]
        if name == "record.csv":
            whole = now[name][:len(data)] == data and now[name][-1:] == b"\n"
        if not whole:
            drill.fail(f"{name} is torn at {most} bytes")


def limits(drill):
    """No file may become larger than a random size."""
    commands = commands_in(drill, drill.folder)
    for words in commands:
        drill.run(words, [0])
    lengths = lengths_of(files_in(drill.folder))
    for case in drill.each():
        before = files_in(drill.folder)
        most = drill.chance.randrange(0, 80000)
        status, _, _ = drill.run(commands[case % len(commands)], [0, 5],
                                 preexec_fn=limited(resource.RLIMIT_FSIZE, most))
        expect_whole(drill, before, files_in(drill.folder), status, most, lengths)
        drill.expect_no_temporaries()


def namespace():
    """Returns the command that runs another one with its own mounts."""
    return ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])


def why_no_mounts(folder):
    """Returns None if a file system can be mounted, otherwise the reason."""
    words = [*namespace(), "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except OSError as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.decode(errors="replace").strip()


def on_small_disk(drill, words, most, small, old):
    """Returns the status of a command that finds `old` in a file system of `most` bytes, and the files that it left."""
    left = drill.folder / "left"
    shutil.rmtree(left, ignore_errors=True)
    left.mkdir()
    status, _, _ = drill.run([*namespace(), "sh", "-c", ON_SMALL_DISK, "sh", most, small, old, left, *words],
                             [0, 4, 5])
    drill.expect_no_temporaries(left)
    return status, left


def expect_whole_rows(drill, folder):
    """Checks that every table of a study has whole rows."""
    for path in folder.rglob("*.csv"):
        text = path.read_text(errors="replace")
        rows = list(csv.reader(text[:text.rfind("\n") + 1].splitlines()))
        if any(len(row) != len(rows[0]) for row in rows):
            drill.fail(f"{path.name} has a row that is not whole")


def small_disks(drill):
    """The file system, with the old files in it, becomes full after a random number of pages."""
    small, old, empty = (drill.folder / name for name in ("small", "old", "empty"))
    for folder in (small, old, empty):
        folder.mkdir()
    drill.left_out = why_no_mounts(small)
    if drill.left_out:
        return
    for words in commands_in(drill, old):
        drill.run(words, [0])
    lengths = lengths_of(files_in(old))
    for name in ("saved", "map.npy"): # so small that overwriting one in place does not fit
        (old / name).write_bytes(b"old")
    before, commands = files_in(old), commands_in(drill, small)
    size = sum(len(data) + 4096 for data in before.values())
    study = [drill.program("study"), "run", drill.folder / "drill.ini", "--results", small / "results"]
    drill.write_definition(drill.folder / "drill.ini")
    for case in drill.each():
        room = drill.chance.randrange(4096, 80000)
        if case % 4 < 3:
            status, left = on_small_disk(drill, commands[case % 4], size + room, small, old)
            expect_whole(drill, before, files_in(left), status, room, lengths)
        else:
            expect_whole_rows(drill, on_small_disk(drill, study, room, small, empty)[1])
