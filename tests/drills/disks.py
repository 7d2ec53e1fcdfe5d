"""Disks that are full at any byte: limits on the size of files."""
import resource

from common import limited


def limits(drill):
    """A map, a record, a checkpoint, a report: the old file or the new one, never a part."""
    saved, record = drill.folder / "saved", drill.folder / "record.csv"
    image = drill.folder / "map.npy"
    training = [drill.program("network_serial"), "--network", "mlp:50-25", "--task", "train", "--batch",
                "10", "--warmup", "0", "--verify", "none", "--save", saved]
    commands = [[*training, "--steps", "2"],
                [drill.program("maxpool_serial"), "-n", "256", "--samples", "10", "-o", image],
                [drill.program("maxpool_serial"), "-n", "64", "--samples", "30", "--record", record]]
    for words in commands:
        drill.run(words, [0])
    for case in drill.each():
        words = commands[case % len(commands)]
        before = {path: path.read_bytes() for path in (saved, image, record)}
        most = drill.chance.randrange(0, 80000)
        status, _, _ = drill.run(words, [0, 5], preexec_fn=limited(resource.RLIMIT_FSIZE, most))
        for path, data in before.items():
            now = path.read_bytes()
            whole = now[:len(data)] == data and now[-1:] == b"\n" if path == record else (
                now == data or status == 0 and len(now) == len(data))
            if not whole:
                drill.fail(f"{path.name} is torn at {most} bytes")
        drill.expect_no_temporaries()
