"""Programs as somebody has them who installed a package: called from folders and in environments that no build knows.

Every circumstance runs the first commands of a user. Where results can be written, all must succeed; elsewhere the
programs that write end with a status of their own and name the file."""
import os
import pathlib
import shutil

WRITES = {"record", "import", "report"}
"""Steps that write into the folder in which they are called."""

LIST_EVERY = 5  # cases: `study list` asks every program of the suite for its methods, which takes a second


def steps(call):
    """Name and command of each step; call(NAME) is how this circumstance names a program."""
    return [("plan", [call("study"), "plan", "threads", "--quick"]),
            ("compute", [call("maxpool_serial"), "-n", "48", "-k", "2", "--samples", "2"]),
            ("record", [call("maxpool_serial"), "-n", "48", "-k", "2", "--samples", "3", "--experiment", "x", "--record",
                        "record.csv"]),
            ("import", [call("study"), "import", "record.csv"]),
            ("report", [call("study"), "report", "--charts", "none"]),
            ("list", [call("study"), "list"])]


def deleted(folder):
    """For preexec_fn: works in a folder that no longer exists."""
    def enter():
        gone = folder / "gone"
        gone.mkdir()
        os.chdir(gone)
        gone.rmdir()
    return enter


def circumstances(drill):
    """(name, changes of the environment, folder to work in, how programs are named, preexec_fn, can write)."""
    links = drill.folder / "links"
    links.mkdir(exist_ok=True)
    for name in ("study", "maxpool_serial"):
        if not (links / name).is_symlink():
            (links / name).symlink_to(drill.program(name))
    odd = drill.folder / "a folder, «ñ» 'quoted' $HOME"
    odd.mkdir(exist_ok=True)
    path = f"{drill.bin}:/usr/bin:/bin"

    def named(name):
        return name

    def linked(name):
        return links / name

    return [
        ("by PATH, from a folder of nothing", {"PATH": path}, None, named, None, True),
        ("a home that cannot be written", {"HOME": "/proc"}, None, drill.program, None, True),
        ("PATH of empty and relative words", {"PATH": f"::.:../x:{path}:"}, None, named, None, True),
        ("no TMPDIR", {"TMPDIR": "/nonexistent/folder"}, None, drill.program, None, True),
        ("locale C", {"LC_ALL": "C", "LANG": "C"}, odd, drill.program, None, True),
        ("locale es_ES", {"LC_ALL": "es_ES.UTF-8", "LANGUAGE": "es"}, None, drill.program, None, True),
        ("a folder that nobody can write", {}, pathlib.Path("/proc"), drill.program, None, False),
        ("a folder that is gone", {}, None, drill.program, deleted(drill.folder), False),
        ("by a link elsewhere", {"PATH": "/usr/bin"}, None, linked, None, True),
        ("a folder of odd signs", {}, odd, drill.program, None, True),
        ("no environment", {name: None for name in os.environ}, None, drill.program, None, True),
        ("a home that is a file", {"HOME": "/dev/null"}, None, drill.program, None, True),
        ("PATH of nothing", {"PATH": "/nonexistent"}, None, drill.program, None, True),
        ("TMPDIR is a file", {"TMPDIR": "/dev/null"}, None, drill.program, None, True),
        ("locale of decimal commas in Latin-1", {"LC_ALL": "es_ES.ISO-8859-1"}, None, drill.program, None, True),
    ]


def environment(changes):
    changed = {**os.environ, **{name: value for name, value in changes.items() if value is not None}}
    return {name: value for name, value in changed.items() if changes.get(name, "") is not None}


def check(drill, place, step, done, writes):
    """What a step must have done besides ending."""
    status, out, err = done
    if step == "list" and b"\nthreads " not in out:
        drill.fail(f"{place}: study list has no line of threads: {(out + err)[-300:]!r}")
    if status != 0 and not err.strip():
        drill.fail(f"{place}: {step}: status {status} without a reason")
    if step == "record" and not writes and b"record.csv" not in err:
        drill.fail(f"{place}: the message does not name record.csv: {err[-300:]!r}")


def installed(drill):
    """All steps in each circumstance; nothing is left in a temporary folder."""
    all_of_them = circumstances(drill)
    for case in drill.each():
        place, changes, folder, call, prepare, writes = all_of_them[case % len(all_of_them)]
        nothing = drill.folder / "nothing"
        nothing.mkdir()
        more = {"env": environment(changes), "cwd": folder or nothing, "preexec_fn": prepare}
        for step, words in steps(call)[:None if case % LIST_EVERY == 0 else -1]:
            good = [0] if writes or step not in WRITES else [2, 4, 5]
            check(drill, place, step, drill.run(words, good, **more), writes)
        if writes and not (pathlib.Path(folder or nothing) / "results" / "local" / "report.html").exists():
            drill.fail(f"{place}: no report")
        drill.expect_no_temporaries()
        shutil.rmtree(nothing)
        if folder == drill.folder / "a folder, «ñ» 'quoted' $HOME":
            shutil.rmtree(folder)
            folder.mkdir()
