"""Archives that `study import` is given by strangers."""
import gzip
import io
import tarfile


def member(name, data=b"", kind=tarfile.REGTYPE, link=""):
    item = tarfile.TarInfo(name)
    item.type, item.linkname, item.size = kind, link, len(data)
    return item, data


def tar(*members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for item, data in members:
            archive.addfile(item, io.BytesIO(data))
    return out.getvalue()


def hostile(drill):
    outside = drill.folder / "outside"
    rows = b"experiment,program\nx,maxpool_serial\n"
    cases = [
        ("up.tar", tar(member("../outside", rows))),
        ("root.tar", tar(member(str(outside), rows))),
        ("link.tar", tar(member("a.csv", kind=tarfile.SYMTYPE, link="/etc/passwd"))),
        ("through.tar", tar(member("d", kind=tarfile.SYMTYPE, link=str(drill.folder)),
                            member("d/outside", rows))),
        ("hard.tar", tar(member("a.csv", kind=tarfile.LNKTYPE, link="/etc/passwd"))),
        ("fifo.tar", tar(member("a.csv", kind=tarfile.FIFOTYPE))),
        ("device.tar", tar(member("a.csv", kind=tarfile.CHRTYPE))),
        ("run-12:30.tar", tar(member("a.csv", rows))),
        ("cut.tar", tar(member("a.csv", rows * 1000))[:1500]),
        ("none.tar", b"no archive at all"),
        ("empty.tar", b""),
        ("bomb.csv.gz", gzip.compress(b"\0" * (64 << 20))),
    ]
    results = drill.folder / "results"
    for case in drill.each():
        name, data = cases[case % len(cases)]
        path = drill.folder / name
        path.write_bytes(data)
        drill.run([drill.program("study"), "import", name, "--results", results], [0, 2, 4, 5],
                  cwd=drill.folder)
        if outside.exists():
            drill.fail(f"{name} wrote outside of the results")
            outside.unlink()
        path.unlink()
