"""Damaged files, and files that declare more than they contain."""
import struct

from common import npy

INTERESTING = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff]


def mutate(chance, data, hot):
    """Changes a few bytes, most of them within the first `hot`; or cuts, repeats or removes bytes."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        end = min(hot, len(data)) if chance.random() < 0.75 else len(data)
        at = chance.randrange(max(1, end))
        kind = chance.randrange(6)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << chance.randrange(8)
        elif kind == 1 and data:
            data[at % len(data)] = chance.choice(INTERESTING)
        elif kind == 2:
            data[at:at + 4] = struct.pack("<f", chance.choice([0.5, -1.0, 1e30, float("nan")]))
        elif kind == 3:
            del data[at:at + chance.randint(1, 64)]
        elif kind == 4:
            data[at:at] = data[at:at + chance.randint(1, 64)]
        else:
            data = data[:at]
    return bytes(data)


def header_end(data):
    """Returns where the header of a safetensors file ends."""
    return 8 + struct.unpack("<Q", data[:8])[0]


def drill_file(drill, good, name, hot, words):
    """Mutants of a good file: the program that reads one may refuse it, and nothing worse."""
    path = drill.folder / name
    for _ in drill.each():
        path.write_bytes(mutate(drill.chance, good, hot))
        drill.run([*words, path])
    drill.expect_no_temporaries()


def safetensors(drill):
    path = drill.folder / "good.safetensors"
    network = [drill.program("network_serial"), "--network", "mlp:8-4", "--samples", "1", "--warmup",
               "0"]
    drill.run([*network, "--save", path], [0])
    good = path.read_bytes()
    drill_file(drill, good, "mutant.safetensors", header_end(good), [*network, "--weights"])


def checkpoints(drill):
    path = drill.folder / "good.safetensors"
    training = [drill.program("network_serial"), "--network", "mlp:8-4", "--task", "train", "--batch",
                "8", "--warmup", "0", "--verify", "none"]
    drill.run([*training, "--steps", "2", "--save", path], [0])
    good = path.read_bytes()
    state = bytearray(good)
    path = drill.folder / "mutant.safetensors"
    for case in drill.each():
        if case % 2: # training.state is the last tensor
            at = len(state) - 4 * drill.chance.randint(1, 32)
            data = bytearray(good)
            data[at:at + 4] = struct.pack("<f", drill.chance.choice(
                [-1.0, 0.5, 1e30, 65535.0, 65536.0, -0.0, 3.0, 1e-40]))
            path.write_bytes(data)
        else:
            path.write_bytes(mutate(drill.chance, good, header_end(good)))
        drill.run([*training, "--steps", "4", "--resume", path])
    drill.expect_no_temporaries()


def pictures(drill):
    """PNG files, as an image of elements and as a picture for a network."""
    good = drill.folder / "good.png"
    drill.run([drill.program("maxpool_serial"), "-n", "48", "-k", "1", "--method", "direct", "--samples",
               "1", "--warmup", "0", "-o", good], [0, 3])
    if not good.exists():
        return
    good = good.read_bytes()
    path = drill.folder / "mutant.png"
    readers = [[drill.program("maxpool_serial"), "--samples", "1", "--warmup", "0", "-i"],
               [drill.program("network_serial"), "--network", "solar_cnn", "--samples", "1", "--warmup",
                "0", "--verify", "none", "-i"]]
    for case in drill.each():
        path.write_bytes(mutate(drill.chance, good, 64))
        drill.run([*readers[case % 4 == 0], path])


def arrays(drill):
    good = npy((2, 6, 6), [float(i % 10) for i in range(72)])
    drill_file(drill, good, "mutant.npy", 80, [drill.program("maxpool_serial"), "--samples", "1",
                                                "--warmup", "0", "-i"])


def giant_files():
    """Small files whose headers declare huge shapes, or sizes that overflow."""
    for shape in [(1 << 62,), (1 << 32, 1 << 32), (1 << 20, 1 << 20, 1 << 24), (0,), (-1, 4)]:
        yield "giant.npy", npy(shape, [])
    for shape, end in [("[4611686018427387904]", 1 << 62), ("[4294967296,4294967296]", 0),
                       ("[1]", (1 << 63) - 1), ("[18446744073709551617]", 4)]:
        text = (f'{{"hidden1.weight":{{"dtype":"F32","shape":{shape},"data_offsets":[0,{end}]}}}}'
                ).encode()
        yield "giant.safetensors", struct.pack("<Q", len(text)) + text
    yield "giant.safetensors", struct.pack("<Q", (1 << 64) - 1)
    yield "giant.png", (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 0x7fffffff, 0x7fffffff) +
                        b"\x10\x02\0\0\0\0\0\0\0")


def giants(drill):
    files = list(giant_files())
    for case in drill.each():
        name, data = files[case % len(files)]
        path = drill.folder / name
        path.write_bytes(data)
        if name.endswith(".safetensors"):
            words = [drill.program("network_serial"), "--network", "mlp:8", "--weights", path]
        else:
            words = [drill.program("maxpool_serial"), "-i", path]
        drill.run(words, [2, 3, 4])
