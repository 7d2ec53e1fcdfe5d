#!/usr/bin/env python3
"""study class, pack and audit: from an assignment to grades, thirty archives on one page. Every planted fraud is named,
and every invalid archive is refused with its status."""
import copy
import csv
import hashlib
import html
import io
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, faults, finish, run

STUDY = str(pathlib.Path(sys.argv[1]).resolve() / "study")


def study(folder, *arguments, **environment):
    return run(folder, STUDY, *arguments, **environment)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Archive:
    """The files of an archive, which can be changed and written again. By default write() updates every hash, as somebody
    who knows the format would; with a flag False that hash stays as it was measured."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as there:
            self.files = {name: there.read(name) for name in there.namelist()}
        self.manifest = json.loads(self.files.pop("manifest.json"))
        self.run = json.loads(self.files["run.json"])
        self.rows = list(csv.DictReader(io.StringIO(self.files["samples.csv"].decode())))

    def source(self):
        return next(name for name in self.files if name.startswith("source/"))

    def synthetic(self, seconds, seed, sway):
        """Replaces the times by synthetic ones that fit the clock: `seconds` by method, with two per cent of noise; the
        kernel's times vary by `sway` from round to round."""
        noise, now = random.Random(seed), 0
        for row in self.rows:
            side = (sway if int(row["round"]) % 2 else -sway) if row["method"] == "lab:maxpool" else 0.0
            taken = round(1e9 * seconds[row["method"]] * noise.uniform(1.0, 1.02) * (1.0 + side))
            row.update(began_ns=now, ended_ns=now + taken, seconds=f"{taken * 1e-9:.9f}")
            now += taken + 100000

    def write(self, path, samples_hash=True, source_hash=True, manifest_hash=True):
        text = io.StringIO()
        table = csv.DictWriter(text, self.rows[0].keys() if self.rows else [], lineterminator="\n")
        if self.rows:
            table.writeheader()
            table.writerows(self.rows)
            self.files["samples.csv"] = text.getvalue().encode()
        if samples_hash:
            self.run["run"]["samples_sha256"] = sha256(self.files["samples.csv"])
        if source_hash:
            self.run["run"]["source_sha256"] = sha256(self.files[self.source()])
        self.files["run.json"] = json.dumps(self.run).encode()
        if manifest_hash:
            self.manifest["files"] = [{"name": name, "bytes": len(data), "sha256": sha256(data)}
                                      for name, data in self.files.items()]
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr("manifest.json", json.dumps(self.manifest))
            for name, data in self.files.items():
                out.writestr(name, data)


TIMES = {"fused": 1e-3, "literal": 4e-3, "simd": 5e-4, "shared_rows": 3e-4}


def made(base, kernel_s, machine=1.0, seed=1, sway=0.0):
    """Returns the archive of a kernel that takes `kernel_s`, on a machine that takes `machine` times as long as
    another."""
    archive = copy.deepcopy(base)
    archive.synthetic({"lab:maxpool": machine * kernel_s, **{name: machine * s for name, s in TIMES.items()}}, seed,
                      sway)
    archive.run["machine_limit_s"] = machine * 1e-4
    archive.run["run"]["limit_measured_now"] = False
    archive.run["conditions"] = {"others_cores": 0.0, "hardware_threads": 4, "stolen_share": 0.0, "disturbed": False}
    return archive


def assignment(folder):
    """From `class new` to an archive: a student's steps, on a small image."""
    for operator in ("maxpool", "matmul", "conv", "distances"):
        done = study(folder, "class", "new", operator, "--operator", operator)
        names = {path.name for path in (folder / operator).iterdir()} if done.returncode == 0 else set()
        expect(f"new {operator}", names == {f"{operator}.c", "Makefile", "rubric.ini", "INSTRUCTIONS.md",
                                            "INSTRUCCIONES.md"}, done)
        left = [name for name in names if "@" in (folder / operator / name).read_text(encoding="utf-8")]
        expect(f"places left in {left}", not left, done)
    for operator in ("maxpool", "matmul", "conv", "distances"):
        done = study(folder, "class", "new", f"es_{operator}", "--operator", operator, "--lang", "es")
        expect(f"new {operator} in Spanish", done.returncode == 0, done)
        for name, words, comment in ((f"{operator}.c", "Puedes leer", r"/\*.*?\*/"), ("rubric.ini", "cuenta como 1", ";.*?$"),
                                     ("Makefile", "¿es correcto?", "^#.*?$|echo '.*?'")):
            english, spanish = ((folder / place / name).read_text(encoding="utf-8") for place in (operator, f"es_{operator}"))
            code = [re.sub(comment, "", text, flags=re.S | re.M).split() for text in (english, spanish)]
            expect(f"{operator}/{name}: the same but for Spanish comments", words in spanish and words not in english and
                   "@" not in spanish and code[0] == code[1], done)
    done = study(folder, "class", "new", "xx", "--lang", "xx")
    expect("new in no language", done.returncode == 2 and not (folder / "xx").exists(), done)
    done = study(folder, "class", "new", "maxpool")
    expect("new over a folder", done.returncode == 2 and "maxpool" in done.stderr, done)
    done = study(folder, "class", "new", "sorting", "--operator", "sort")
    expect("operator", done.returncode == 2 and not (folder / "sorting").exists(), done)
    place = folder / "maxpool"
    rubric = (place / "rubric.ini").read_text(encoding="utf-8")
    expect("size", "size = 1024" in rubric, done)
    (place / "rubric.ini").write_text(rubric.replace("size = 1024", "size = 64"), encoding="utf-8")
    done = study(place, "pack", "maxpool.c")
    expect("pack before measuring", done.returncode == 2 and "study lab maxpool.c" in done.stderr, done)
    done = study(place, "lab", "maxpool.c", "--grade", "rubric.ini", "--samples", "10", "--max-seconds", "5")
    expect("measured", done.returncode in (0, 4), done)
    done = study(place, "pack", "maxpool.c", "--student", "Ana Núñez/../x", "-o", "ana.zip")
    expect("packed", done.returncode == 0 and done.stdout == "ana.zip\n", done)
    archive = Archive(place / "ana.zip")
    expect("a grade's basis", archive.run["grade"]["basis"] == "measured here", done)
    expect("what is in it", set(archive.files) == {"source/maxpool.c", "run.json", "samples.csv", "environment.json"} and
           archive.manifest["student"] == "Ana Núñez/../x" and
           all(sha256(archive.files[row["name"]]) == row["sha256"] for row in archive.manifest["files"]), done)
    expect("methods", archive.run["run"]["methods"] == ["lab:maxpool", "fused", "literal", "simd", "shared_rows"], done)
    source = place / "maxpool.c"
    source.write_text(source.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    done = study(place, "pack", "maxpool.c")
    expect("changed since", done.returncode == 2 and "changed after it was measured" in done.stderr, done)
    done = study(place, "audit", "ana.zip", "--share", "0")
    # On a busy machine a single sample may be undisturbed, which an audit then reports; nothing else may be reported.
    reported = [line for line in done.stdout.splitlines() if line.startswith("  ") and "much faster" not in line]
    expect("what was packed is consistent", done.returncode in (0, 1) and not reported, done)
    return place


def wrong_kernel(place):
    """An incorrect kernel also makes an archive, without samples and with no points."""
    (place / "wrong.c").write_text("void maxpool(void) {}\n", encoding="utf-8")
    done = study(place, "lab", "wrong.c", "--grade", "rubric.ini")
    expect("wrong", done.returncode == 1, done)
    done = study(place, "pack", "wrong.c", "--student", "Eva", "-o", "eva.zip")
    expect("wrong packed", done.returncode == 0, done)
    done = study(place, "class", "collect", "eva.zip", "--rubric", "rubric.ini", "-o", "one")
    rows = grades(place / "one")
    expect("wrong graded", done.returncode == 0 and rows[0]["verdict"] == "wrong" and rows[0]["points"] == "0", done)
    for language, words in (("en", "of the map should be"), ("es", "del mapa debería ser")):
        study(place, "class", "collect", "eva.zip", "--rubric", "rubric.ini", "-o", "one", "--lang", language)
        expect(f"what is wrong, in {language}", words in (place / "one" / "class.html").read_text(encoding="utf-8"), done)


def grades(folder):
    with open(folder / "grades.csv", encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def thirty(place):
    """Thirty machines on one page: the known points, steps and shares; equal sources; names only on request."""
    base = Archive(place / "ana.zip")
    source = base.files[base.source()].decode()
    known = {}
    for i in range(30):
        kernel_s = [2e-4, 1.1e-3, 1.5e-3, 6e-3, 2e-2][i % 5]
        archive = made(base, kernel_s, machine=1.0 + 0.3 * i, seed=i)
        archive.files[archive.source()] = source.replace("sum > most", f"sum > most + {i}.0f").encode()
        archive.manifest["student"] = f"Student<{i}>" if i != 5 else '=HYPERLINK("x")\n\x1b[2J\u202eEve'
        known[f"s{i:02}.zip"] = ({2e-4: 10, 1.1e-3: 10, 1.5e-3: 7, 6e-3: 4, 2e-2: 2}[kernel_s],
                                 {2e-4: "shared_rows", 1.1e-3: "literal", 1.5e-3: "literal", 6e-3: "", 2e-2: ""}[kernel_s],
                                 1e-4 / kernel_s)
        if i == 7:
            archive.files[archive.source()] = ("/* mine */ " + source.replace("sum > most", "sum>most // yes\n+ 3.0f")).encode()
        archive.write(place / f"s{i:02}.zip")
    done = study(place, "class", "collect", *sorted(known), "--rubric", "rubric.ini", "--names", "-o", "class")
    expect("collected", done.returncode == 0 and not done.stderr, done)
    rows = {row["archive"]: row for row in grades(place / "class")}
    for name, (points, step, share) in known.items():
        row = rows[name]
        good = (float(row["points"]) == points and row["step"] == step and row["verdict"] == "correct" and
                abs(float(row["share_of_limit"]) / share - 1.0) < 0.03)
        expect(f"{name}: {row}, known {points} {step} {share}", good, done)
    expect("cleaned", rows["s05.zip"]["student"] == "'=HYPERLINK(\"x\") ?[2J?Eve", done)
    same = {name for name, row in rows.items() if row["same_as"]}
    expect(f"same {same}", same == {"s03.zip", "s07.zip"}, done)
    page = (place / "class" / "class.html").read_text(encoding="utf-8")
    check_words(page, done)
    expect("names on request", "Student&lt;3&gt;" in page and page.count("<i class=") == 30, done)
    expect("30 / 30", "30 / 30" in page, done)
    done = study(place, "class", "collect", *sorted(known), "--rubric", "rubric.ini", "-o", "private", "--lang", "es")
    page = (place / "private" / "class.html").read_text(encoding="utf-8")
    table = (place / "private" / "grades.csv").read_text(encoding="utf-8")
    expect("no names", done.returncode == 0 and not re.search(r"Student|s\d\d\.zip", page + table), done)
    expect("Spanish", 'lang="es"' in page and "correcto" in page and "The class" not in page, done)
    done = study(place, "class", "collect", "s00.zip", "s01.zip", "-o", "plain")
    row = grades(place / "plain")[0]
    expect("without a rubric", done.returncode == 0 and row["points"] == "" and row["against"] == "fused", done)


def undecided(place):
    """A threshold within the interval is reported."""
    archive = made(Archive(place / "ana.zip"), 1.2e-3, sway=0.1)
    archive.write(place / "edge.zip")
    done = study(place, "class", "collect", "edge.zip", "--rubric", "rubric.ini", "-o", "edge")
    row = grades(place / "edge")[0]
    page = (place / "edge" / "class.html").read_text(encoding="utf-8")
    expect(f"undecided {row}", float(row["points"]) == 7 and float(row["perhaps"]) == 10 and
           "a threshold lies within the interval: more samples may decide it" in page, done)


def doubted(place):
    """Archives that give no points until somebody has examined them."""
    base = Archive(place / "ana.zip")
    archives = {name: made(base, 1e-3)
                for name in ("other.zip", "limit.zip", "altered.zip", "busy.zip", "full.zip", "fine.zip", "old.zip")}
    archives["other.zip"].run["run"]["size"] = 32
    archives["busy.zip"].run["conditions"]["others_cores"] = 2.9   # of 4, beside one thread
    archives["full.zip"].run["conditions"]["others_cores"] = 0.4   # beside four threads of four
    archives["full.zip"].run["run"]["threads"] = 4
    archives["fine.zip"].run["conditions"]["others_cores"] = 2.6   # leaves 0.4 idle
    archives["old.zip"].run.pop("conditions")                      # of a version that recorded none
    archives["old.zip"].run.pop("not_protected_against")
    archives["fine.zip"].run["not_protected_against"] = []
    archives["full.zip"].run["not_protected_against"] = ["reading files", "network devices", "<b>unknown</b>"]
    archives["limit.zip"].run["machine_limit_s"] = 2e-3
    for name, archive in archives.items():
        archive.files[archive.source()] += f"/* {name} */ int a_{name[0]};\n".encode()
        archive.write(place / name, source_hash=name != "altered.zip")
    (place / "junk.zip").write_bytes(b"PK\3\4 no archive")
    done = study(place, "class", "collect", *archives, "junk.zip", "--rubric", "rubric.ini", "--names", "-o", "doubted")
    rows = {row["archive"]: row for row in grades(place / "doubted")}
    for name, words in {"other.zip": "other sizes", "limit.zip": "faster than its machine", "altered.zip": "changed after",
                        "busy.zip": "other programs were running: measure it again", "full.zip": "measure",
                        "junk.zip": "cut off"}.items():
        expect(f"{name} {rows[name]}", words in rows[name]["doubt"] and rows[name]["points"] == "", done)
    expect("the rest is graded", rows["fine.zip"]["points"] == "10" and rows["old.zip"]["points"] == "10", done)
    expect("status", done.returncode == 2 and "junk.zip" in done.stderr and "1 of 8" in done.stderr, done)
    lacking = {name: rows[name]["not_protected_against"] for name in ("fine.zip", "full.zip", "old.zip")}
    expect(f"protection {lacking}", lacking == {"fine.zip": "", "full.zip": "reading files; network devices",
                                                "old.zip": "not known"}, done)
    page = (place / "doubted" / "class.html").read_text(encoding="utf-8")
    expect("protection on the page", page.count("not protected against reading files of yours, the network") == 1, done)
    expect("basis on the page", "measured by the student. Not checked:" in page and "Not checked" in done.stdout, done)
    expect("disturbed kernels have no dot", page.count("<i class=") == 2, done)
    missing = [row["doubt"] for row in rows.values()
               if row["doubt"] not in html.unescape(page) and "another archive" not in row["doubt"]]
    expect(f"every cause is on the page, not {missing}", not missing, done)
    study(place, "class", "collect", *archives, "--rubric", "rubric.ini", "-o", "dudas", "--lang", "es")
    page = html.unescape((place / "dudas" / "class.html").read_text(encoding="utf-8"))
    expect("the causes in Spanish", all(words in page for words in (
        "medido con otros tamaños", "medido mientras se ejecutaban otros programas", "el código fuente se cambió después")) and
        "su máquina necesita" in page and "its machine" not in page and "Content-Type: text/plain" not in page, done)
    for name in ("copy1.zip", "copy2.zip"):  # a copied source, measured under load, and one sample of ours that is much faster
        archive = made(base, 1e-3)
        archive.files[archive.source()] += b"int copied;\n"
        archive.run["conditions"]["others_cores"] = 2.9
        row = next(row for row in archive.rows if row["method"] == "simd")
        row["ended_ns"] = int(row["began_ns"]) + (int(row["ended_ns"]) - int(row["began_ns"])) // 4
        row["seconds"] = f"{(row['ended_ns'] - row['began_ns']) * 1e-9:.9f}"
        archive.manifest["student"] = name
        archive.write(place / name)
    done = study(place, "class", "collect", "copy1.zip", "copy2.zip", "--rubric", "rubric.ini", "-o", "copies")
    page = html.unescape((place / "copies" / "class.html").read_text(encoding="utf-8"))
    for row in grades(place / "copies"):
        parts = row["doubt"].split("; ")
        expect(f"load first {row}", parts[0].startswith("measured while other programs") and "simd" in parts[1] and
               len(parts) == 2 and row["points"] == "", done)
        expect("before the same source", f"{row['doubt']}; the same source as {row['same_as']}" in page, done)
    archive = made(base, 1e-3)
    archive.run["conditions"]["others_cores"] = 2.9
    archive.write(place / "starter.zip")
    done = study(place, "class", "collect", "starter.zip", "--rubric", "rubric.ini", "-o", "copies")
    row = grades(place / "copies")[0]
    expect(f"before the starter {row}", row["doubt"] == "measured while other programs were running: measure it again; "
           "the starter as it was handed out" and row["points"] == "", done)
    done = study(place, "audit", "--share", "1", "busy.zip")
    expect("a disturbed archive is not compared", done.returncode == 0 and
           done.stdout.count("not repeated: other programs were running while the archive was measured") == 5, done)


def refused(place):
    """Archives that are refused by class and audit, each with its reason."""
    whole = (place / "ana.zip").read_bytes()
    base = Archive(place / "ana.zip")

    def rewritten(name, change):
        archive = copy.deepcopy(base)
        change(archive)
        archive.write(place / name)

    (place / "short.zip").write_bytes(whole[:-30])
    (place / "half.zip").write_bytes(whole[:len(whole) // 2])
    (place / "empty.zip").write_bytes(b"")
    damaged = bytearray(whole)
    damaged[whole.index(b"run.json") + 40] ^= 0x55
    (place / "damaged.zip").write_bytes(damaged)
    rewritten("version.zip", lambda a: a.manifest.update(version=7))
    rewritten("run7.zip", lambda a: a.run["run"].update(version=7))
    rewritten("foreign.zip", lambda a: a.manifest.update(format="something else"))
    rewritten("up.zip", lambda a: a.files.update({"../up.txt": b"x"}))
    rewritten("deep.zip", lambda a: a.files.update({"source/../../up.txt": b"x"}))
    rewritten("root.zip", lambda a: a.files.update({"/tmp/up.txt": b"x"}))
    rewritten("drive.zip", lambda a: a.files.update({"C:up.txt": b"x"}))
    rewritten("bomb.zip", lambda a: a.files.update({"bomb": bytes(40 << 20)}))
    rewritten("many.zip", lambda a: a.files.update({f"f{i}": b"" for i in range(40)}))
    rewritten("seedless.zip", lambda a: a.run["run"].pop("seed"))
    rewritten("signed.zip", lambda a: a.run["run"].update(seed="-1"))
    link = zipfile.ZipInfo("link")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(place / "link.zip", "w") as out:
        out.writestr(link, "/etc/passwd")
    with zipfile.ZipFile(place / "bare.zip", "w") as out:
        out.writestr("run.json", "{}")
    lies = bytearray(whole)  # the directory declares a smaller size than the file unpacks to
    at = whole.rindex(b"samples.csv") - 46
    lies[at + 24:at + 28] = struct.pack("<I", 10)
    (place / "lies.zip").write_bytes(lies)
    os.mkfifo(place / "fifo.zip")
    for name, words in {"short.zip": "cut off", "half.zip": "cut off", "empty.zip": "cut off", "damaged.zip": "damaged",
                        "version.zip": "version 7", "run7.zip": "version 7", "foreign.zip": "no archive of study pack",
                        "up.zip": "leads out", "deep.zip": "leads out", "root.zip": "leads out",
                        "drive.zip": "leads out", "bomb.zip": "16 MiB", "many.zip": "32 files", "link.zip": "not a regular file",
                        "bare.zip": "no manifest.json", "lies.zip": "damaged", "fifo.zip": "FIFO",
                        "seedless.zip": "seed", "signed.zip": "the seed is no number", "none.zip": "none.zip"}.items():
        for command in (["audit", "--share", "0"], ["class", "collect", "-o", "refused"]):
            done = study(place, *command, name)
            expect(f"{command[0]} {name}", done.returncode == 2 and words in done.stderr, done)
    if (place.parent / "up.txt").exists() or (place / "up.txt").exists():
        faults.append("a file was written outside")


def packed_again(place):
    """Archives that a student unpacked and packed again: what macOS and Windows add is passed over, backslashes are
    slashes, a folder around the files does not matter; what lies behind remains what it was."""
    base = made(Archive(place / "ana.zip"), 1e-3)
    base.write(place / "again.zip")
    with zipfile.ZipFile(place / "again.zip") as there:
        files = {name: there.read(name) for name in there.namelist()}
    extras = {"__MACOSX/._run.json": b"x", "__MACOSX/ana/._run.json": b"x", ".DS_Store": b"x", "source/.DS_Store": b"x",
              "source/._maxpool.c": b"x", "Thumbs.db": b"x", "desktop.ini": b"x"}
    inside = {f"ana núñez/{name}": data for name, data in files.items()}
    around = {"__MACOSX/._ana": b"x", "ana núñez/.DS_Store": b"x", "ana núñez/": b""}
    slashes = lambda names: {name.replace("/", "\\"): data for name, data in names.items()}
    told = ("verdict", "points", "ratio", "doubt")
    study(place, "class", "collect", "again.zip", "--rubric", "rubric.ini", "-o", "packed_again")
    before = [grades(place / "packed_again")[0][column] for column in told]
    for name, entries in {"macos.zip": {**files, **extras}, "inside.zip": {**inside, **around},
                          "windows.zip": slashes({**files, "Thumbs.db": b"x"}), "folder.zip": slashes(inside)}.items():
        with zipfile.ZipFile(place / name, "w") as out:
            for entry, data in entries.items():
                out.writestr(entry, data)
        done = study(place, "audit", "--share", "0", name)
        expect(f"audit {name}", done.returncode == 0, done)
        study(place, "class", "collect", name, "--rubric", "rubric.ini", "-o", "packed_again")
        after = [grades(place / "packed_again")[0][column] for column in told]
        expect(f"collect {name} {after}", after == before and before[1] != "", done)
    for name, entries, words in (("climb.zip", {**files, "..\\up.txt": b"x"}, "leads out"),
                                 ("two.zip", {**files, "source\\maxpool.c": b"x"}, "twice"),
                                 ("beside.zip", {**inside, "other/run.json": b"x"}, "no manifest.json")):
        with zipfile.ZipFile(place / name, "w") as out:
            for entry, data in entries.items():
                out.writestr(entry, data)
        done = study(place, "audit", "--share", "0", name)
        expect(f"audit {name}", done.returncode == 2 and words in done.stderr, done)
    locked = bytearray((place / "ana.zip").read_bytes())  # the bit of encryption, in both headers of the first file
    locked[6] |= 1
    locked[locked.index(b"PK\1\2") + 8] |= 1
    (place / "locked.zip").write_bytes(locked)
    done = study(place, "audit", "--share", "0", "locked.zip")
    expect("audit locked.zip", done.returncode == 2 and "is encrypted" in done.stderr, done)


def frauds(place):
    """Each planted fraud is named, whether the forger updates the hashes or not; the honest archive is consistent."""
    base = made(Archive(place / "ana.zip"), 1e-3)

    def audited(name, change, words, **hashes):
        archive = copy.deepcopy(base)
        change(archive)
        archive.write(place / "fraud.zip", **hashes)
        done = study(place, "audit", "--share", "0", "fraud.zip")
        wanted = 1 if words else 0
        expect(f"{name} {hashes}", done.returncode == wanted and all(word in done.stdout for word in words), done)
        study(place, "class", "collect", "fraud.zip", "--rubric", "rubric.ini", "-o", "frauds")
        row = grades(place / "frauds")[0]
        known = (row["points"] == "" and row["doubt"] != "" and row["basis"] == "" if words else
                 row["points"] != "" and row["basis"] == "measured by the student")
        expect(f"{name} collected {row}", known, done)

    def halved(archive):
        for row in archive.rows:
            if row["method"] == "lab:maxpool":
                row["seconds"] = f"{0.5 * float(row['seconds']):.9f}"

    def copied(archive):
        first, last = (next(row for row in rows if row["method"] == "lab:maxpool")
                       for rows in (archive.rows, archive.rows[::-1]))
        last.update({key: first[key] for key in ("began_ns", "ended_ns", "seconds")})

    def doubled(archive):
        archive.rows.insert(3, dict(archive.rows[2]))

    def reordered(archive):
        one, other = archive.rows[0], archive.rows[1]
        one["method"], other["method"] = other["method"], one["method"]

    def lucky(archive):
        row = next(row for row in archive.rows if row["method"] == "lab:maxpool")
        row["ended_ns"] = int(row["began_ns"]) + (int(row["ended_ns"]) - int(row["began_ns"])) // 4
        row["seconds"] = f"{(row['ended_ns'] - row['began_ns']) * 1e-9:.9f}"

    def edited(archive):
        archive.files[archive.source()] += b"/* faster */\n"

    audited("honest", lambda archive: None, [])
    audited("halved", halved, ["round 0, lab:maxpool", "a time was changed"])
    audited("copied", copied, ["lab:maxpool: it began before", "a row was copied or moved"])
    audited("doubled", doubled, ["line 5 of samples.csv", "a row is missing or there twice"])
    audited("reordered", reordered, ["round 0: turn 0", "the order of the methods was changed"])
    audited("lucky", lucky, ["lab:maxpool", "one sample is much faster"])
    audited("edited", edited, ["maxpool.c: the source was changed after the run"], source_hash=False)
    audited("edited", edited, ["source/maxpool.c: its hash is not that of the manifest"], manifest_hash=False)
    audited("halved", halved, ["the samples are not those of the run", "a time was changed"], samples_hash=False)
    audited("too fast", lambda archive: archive.run.update(machine_limit_s=2e-3), ["needs 0.002 s at the least"])
    audited("a file more", lambda archive: archive.files.update(more=b"x"), ["more: the manifest does not list it"],
            manifest_hash=False)
    audited("a file less", lambda archive: archive.files.pop("environment.json"), ["environment.json", "it is missing"],
            manifest_hash=False)
    # The last archive in Spanish: every sentence, and decimal commas.
    audited("lost", lambda archive: (halved(archive), archive.files.pop("environment.json")), ["it is missing"],
            manifest_hash=False)  # so are run and samples: the manifest has the old hashes
    done = study(place, "audit", "--share", "0", "--lang", "es", "fraud.zip")
    reported = done.stdout.splitlines()
    expect("Spanish", done.returncode == 1 and reported[0] == "fraud.zip: NO COHERENTE" and len(reported) == 6 and
           re.fullmatch(r"  samples.csv: su hash .*", reported[2]) and
           re.fullmatch(r"  environment.json: .*falta", reported[3]) and
           re.fullmatch(r"  ronda 0, lab:maxpool: .* 0,\d{9} s.* 0,\d{9} s.*", reported[4]) and
           re.fullmatch(r"0 de 1 archivo es coherente; .* 0 puntos.*", reported[5]), done)
    done = study(place, "audit", "--share", "0", "--lang", "xx", "fraud.zip")
    expect("no such language", done.returncode == 2 and "xx" in done.stderr, done)
    audited("seed", lambda archive: archive.run["run"].update(seed="12345"), ["the order of the methods was changed"])


def check_words(page, done):
    """Points are marks here, not the glossary's measured points; each link has its word on the page."""
    links = set(re.findall(r'href="#(term-[^"]+)"', page))
    known = set(re.findall(r'id="(term-[^"]+)"', page))
    expect("points are no measured points", "term-point" not in links, done)
    expect(f"words without a meaning: {links - known}", links and links <= known, done)


def repeated(place):
    """Points are measured again here: those that cannot be are reported, a large difference is named, the draw follows
    its seed."""
    again = ["audit", "--share", "1", "--max-seconds", "0.3", "--despite-load"]
    base = made(Archive(place / "ana.zip"), 1e-3)
    base.run["run"]["limit_measured_now"] = True
    base.write(place / "again.zip")
    done = study(place, *again, "again.zip", "--tolerance", "1e6")
    expect("repeated", done.returncode == 0 and done.stdout.count("repeated: consistent") == 5, done)
    faster = copy.deepcopy(base)
    for row in faster.rows:  # a forger who knows everything: hashes, order and clock fit
        if row["method"] == "lab:maxpool":
            taken = max(1, (int(row["ended_ns"]) - int(row["began_ns"])) // 1000000)
            row["ended_ns"] = int(row["began_ns"]) + taken
            row["seconds"] = f"{taken * 1e-9:.9f}"
    faster.write(place / "faster.zip")
    done = study(place, *again, "faster.zip", "--tolerance", "1e4")
    expect("faster than here", done.returncode == 1 and "NOT consistent: lab:maxpool" in done.stdout and
           done.stdout.count("repeated: consistent") == 4, done)
    wrong = copy.deepcopy(base)
    wrong.files[wrong.source()] = b"void maxpool(void) {}\n"
    wrong.run["run"]["cflags"] = "-O1 -wrapper /bin/echo,x"
    wrong.write(place / "never.zip")
    done = study(place, *again, "never.zip")
    expect("not correct here", done.returncode == 1 and "it is not correct here" in done.stdout, done)
    wide = copy.deepcopy(base)
    wide.run["run"]["threads"] = 100000
    wide.write(place / "wide.zip")
    done = study(place, *again, "wide.zip")
    expect("not here", done.returncode == 0 and done.stdout.count("not repeated: it ran 100000 threads") == 5, done)
    missing = place / "a folder whose name is longer than sixty-four characters, and which nobody made"
    done = study(place, *again, "wide.zip", TMPDIR=str(missing))
    expect("a long TMPDIR", done.returncode == 5 and f"no temporary folder in {missing}" in done.stderr, done)
    draws = [study(place, "audit", "s00.zip", "s01.zip", "s02.zip", "wide.zip", "--share", "0.05", "--max-seconds", "0.2",
                   "--tolerance", "1e9", "--despite-load", "--seed", seed) for seed in (1, 1, 2, 3)]
    picked = [re.findall(r"^(\S+): |(repeated)", done.stdout, re.M) for done in draws]
    expect("one of twenty", all(done.stdout.count("repeated: ") == 1 for done in draws), draws[0])
    expect("the draw follows its seed", picked[0] == picked[1] and len({str(p) for p in picked}) > 1, draws[0])
    for arguments, words in ((["--share", "2"], "--share"), (["--tolerance", "0.5"], "--tolerance"), ([], "operand")):
        done = study(place, "audit", *(["again.zip"] if arguments else []), *arguments)
        expect(f"audit {arguments}", done.returncode == 2 and (words in done.stderr or not arguments), done)


def unreadable_rubric(place):
    """The message about a rubric that cannot be read names its option and the reason."""
    (place / "folder.ini").mkdir()
    for name, why in (("missing.ini", "cannot be read: No such file"), ("folder.ini", "is a directory")):
        for option, command in (("--grade", ["lab", "maxpool.c"]), ("--rubric", ["class", "collect", "ana.zip"]),
                                ("--rubric", ["class", "measure", "maxpool.c"])):
            done = study(place, *command, option, name)
            expect(f"{command} {name}", done.returncode == 2 and f"{option} {name}: {why}" in done.stderr, done)


def uncompiled(place):
    """A kernel that does not compile, or has another name, is on the page with no points and with the first error, and
    no page has a path of a machine."""
    (place / "parts").mkdir()
    (place / "parts" / "more.h").write_text("int sum = twenty;\n", encoding="utf-8")
    for name, text, words, palabras in (
            ("broken", "void maxpool(void) { retrun; }\n", "broken.c:1:22: error: ", "broken.c:1:22: error: "),
            ("header", '#include "parts/more.h"\n', "parts/more.h:1:11: error: ", "parts/more.h:1:11: error: "),
            ("other", "void maxpol(void) {}\n", "it has no function maxpool; it exports maxpol",
             "no tiene la función maxpool; exporta maxpol")):
        (place / f"{name}.c").write_text(text, encoding="utf-8")
        done = study(place, "lab", f"{name}.c", "--grade", "rubric.ini")
        expect(f"{name} measured", done.returncode == 2 and "`study pack` packs it all the same." in done.stderr and
               f"{name}.c: the verdict is 'uncompiled': {words}" in done.stderr, done)
        done = study(place, "pack", f"{name}.c", "--student", name, "-o", f"{name}.zip")
        expect(f"{name} packed", done.returncode == 0, done)
        done = study(place, "class", "collect", f"{name}.zip", "--rubric", "rubric.ini", "-o", "uncompiled")
        row = grades(place / "uncompiled")[0]
        page = html.unescape((place / "uncompiled" / "class.html").read_text(encoding="utf-8"))
        expect(f"{name} {row}", done.returncode == 0 and row["verdict"] == "uncompiled" and row["points"] == "0" and
               words in page and str(place) not in page and "protected against" not in page, done)
        expect(f"{name}: no sentence without its value", "share of the machine's limit" not in page and
               "the median reaches" not in page and "0 of 1 kernels are correct." in page, done)
        done = study(place, "class", "collect", f"{name}.zip", "--rubric", "rubric.ini", "-o", "uncompiled", "--lang", "es")
        expect(f"{name} in Spanish", palabras in html.unescape(
            (place / "uncompiled" / "class.html").read_text(encoding="utf-8")), done)
    done = study(place, "lab", place / "maxpool.c", "--check", "--html", "seen.html")
    page = (place / "seen.html").read_text(encoding="utf-8")
    expect("no path on the page of a kernel", done.returncode == 0 and str(place) not in page and tempfile.gettempdir() not in
           page and "-o timed.so maxpool.c" in page, done)
    archive = Archive(place / "broken.zip")  # of a version that kept paths
    archive.run["cause"] = "/home/Ana/maxpool.c:3:7: error: expected expression before \u2018/\u2019 token"
    archive.rows = []
    archive.write(place / "old_path.zip", samples_hash=False)
    done = study(place, "class", "collect", "old_path.zip", "--rubric", "rubric.ini", "-o", "uncompiled")
    page = html.unescape((place / "uncompiled" / "class.html").read_text(encoding="utf-8"))
    expect("an old archive's path", ">maxpool.c:3:7: error: expected expression before \u2018/\u2019 token" in page, done)


def names_of_archives(place):
    """Letters of every script stay in an archive's name, and one student's archive never replaces another's."""
    (place / "own.c").write_text("void maxpool(void) {}\n", encoding="utf-8")
    study(place, "lab", "own.c", "--check")
    study(place, "lab", "own.c", "--grade", "rubric.ini")
    for student, name in (("Carla Núñez", "Carla_Núñez-own.zip"), ("Łucja/../x $HOME", "Łucja____x__HOME-own.zip"),
                          ("Ana", "Ana-own.zip"), ("Ana", "Ana-own.zip"), ("-o", "_o-own.zip")):
        done = study(place, "pack", "own.c", f"--student={student}")
        expect(student, done.returncode == 0 and done.stdout == f"{name}\n" and (place / name).exists(), done)
    done = study(place, "pack", "own.c", "--student", "Carla/Núñez")
    expect("another's archive", done.returncode == 2 and "the archive of Carla Núñez" in done.stderr, done)


def undecided_in_make(place):
    """make measure ends well where the grade is undecided, with a word, and only there."""
    there = place / "make"
    there.mkdir()
    (there / "results" / "local").mkdir(parents=True)
    for path in (place / "maxpool.c", place / "rubric.ini", place / "Makefile"):
        (there / path.name).write_bytes(path.read_bytes())
    (there / "results" / "local" / "ceilings.csv").write_text("", encoding="utf-8")
    for status, good in ((0, True), (4, True), (1, False), (2, False)):
        (there / "study").write_text(f"#!/bin/sh\nexit {status}\n", encoding="utf-8")
        (there / "study").chmod(0o755)
        done = subprocess.run(["make", "measure"], cwd=there, capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": f"{there}:{os.environ['PATH']}"})
        expect(f"make measure, study's status {status}", (done.returncode == 0) == good and
               ("UNDECIDED" in done.stdout) == (status == 4) and ("Error" in done.stderr) == (not good), done)


SLOW = """__attribute__((noinline)) static float at(const float *p, int rows, int cols, int r, int c)
{ return r < 0 || r >= rows || c < 0 || c >= cols ? 0.0f : p[(long)r * cols + c]; }
void maxpool(const float *x, const float *b, float *y, int planes, int rows, int cols, int k, int s, int p, int t)
{
    const int out_rows = (rows + 2 * p - k) / s + 1, out_cols = (cols + 2 * p - k) / s + 1;
    (void)t;
    for (int z = 0; z < planes; z++)
        for (int r = 0; r < out_rows; r++)
            for (int c = 0; c < out_cols; c++) {
                float most = 0.0f;
                for (int i = 0; i < k; i++)
                    for (int j = 0; j < k; j++) {
                        float sum = 0.0f;
                        for (int q = 0; q < k; q++)
                            sum += at(x + (long)z * rows * cols, rows, cols, r * s - p + i, c * s - p + q) * b[q * k + j];
                        if ((i == 0 && j == 0) || sum > most)
                            most = sum;
                    }
                y[((long)z * out_rows + r) * out_cols + c] = most;
            }
}
"""


def measured(place):
    """A class measured here: copies are found by source and by compiled code and get the same points; what does not
    compile is there; a second call measures only what is missing."""
    kernels = place / "kernels"
    kernels.mkdir()
    sources = {"zoe": SLOW,
               "Beto": re.sub(r"\bmost\b", "best", SLOW),                               # other names
               "carla": re.sub(r"\bat\(", "cell(", SLOW).replace("float sum = 0.0f;", "float sum; sum = (0.0f);"),  # the code
               "Álvaro": (place / "maxpool.c").read_text(encoding="utf-8"),                # the starter
               "eva": SLOW.replace("sum > most)", "sum < most)"),
               "ida": "void maxpool(void) { retrun; }\n"}
    for name, text in sources.items():
        (kernels / f"{name}.c").write_text(text, encoding="utf-8")
    command = ["class", "measure", *sorted(kernels.iterdir()), "--rubric", "rubric.ini", "--passes", "6", "--max-seconds",
               "1", "--despite-load", "--names", "-o", "here"]
    done = study(place, *command)
    rows = {row["student"]: row for row in grades(place / "here")}
    expect("status", done.returncode == 0 and list(rows) == ["Álvaro", "Beto", "carla", "eva", "ida", "zoe"], done)
    for name, verdict in {"zoe": "correct", "carla": "correct", "Álvaro": "correct", "eva": "wrong", "ida": "uncompiled"}.items():
        expect(f"{name} {rows[name]}", rows[name]["verdict"] == verdict and rows[name]["basis"] == "measured here", done)
    kinds = {name: rows[name]["doubt"] for name in sources}
    expect(f"copies {kinds}", "same source" in kinds["Beto"] and "compiled code" in kinds["carla"] and
           "starter" in kinds["Álvaro"], done)
    graded = ("ratio", "ratio_lower", "ratio_upper", "points", "perhaps", "place", "last_place")
    expect("identical kernels", len({tuple(rows[name][column] for column in graded) for name in
                                     ("zoe", "Beto", "carla")}) == 1 and rows["zoe"]["ratio_upper"] != "", done)
    expect("those that are not correct", all(rows[name]["points"] == "0" and rows[name]["place"] == "" for name in
                                             ("eva", "ida")), done)
    page = (place / "here" / "class.html").read_text(encoding="utf-8")
    check_words(page, done)
    expect("the board", page.count("<em style=") == 4 and "retrun" in page and
           all(f" {name}</b><div class=" in page for name in ("zoe", "Beto", "carla", "Álvaro")), done)
    expect("the board's words are whole", "the same compiled code were measured as one.</p>" in page, done)
    visits = {path: path.stat().st_mtime_ns for path in (place / "here" / "measured").rglob("*.json")}
    expect(f"{len(visits)} measurements of two programs", len(visits) == 12, done)
    gone = sorted(visits)[3]
    gone.unlink()
    done = study(place, *command)
    again = {path for path, when in visits.items() if path.stat().st_mtime_ns != when}
    expect(f"only what was missing: {again}", done.returncode == 0 and again == {gone}, done)
    done = study(place, *command, "--lang", "es")
    page = (place / "here" / "class.html").read_text(encoding="utf-8")
    expect("the board in Spanish", "el mismo código compilado se midieron como uno solo.</p>" in page and
           "Content-Type: text/plain" not in page, done)
    for arguments, words in ((["--passes", "3"], "passes must be at least 6"), (["--max-seconds", "0"], "--max-seconds")):
        done = study(place, *command, *arguments)
        expect(f"measure {arguments}", done.returncode == 2 and words in done.stderr, done)
    done = study(place, "class", "measure", "kernels/zoe.c")
    expect("without a rubric", done.returncode == 2 and "--rubric" in done.stderr, done)


def folders(place):
    """Folders of students, as Moodle names them: each has one source and gives the name."""
    top = place / "handed in"
    sources = {"Ana Perez_12345_assignsubmission_file_/kernel.c": SLOW, "Luis_Gil_77_assignsubmission_file_/src/kernel.c":
               SLOW.replace("sum > most)", "sum < most)"), "zoe/kernel.c": SLOW, "zoe/notes.txt": "", "Eva.c": SLOW,
               "__MACOSX/zoe/kernel.c": SLOW, ".git/kernel.c": SLOW, "zoe/kernel.so": ""}
    for name, text in sources.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")
    command = ["class", "measure", "handed in/", "--rubric", "rubric.ini", "--passes", "6", "--max-seconds", "1",
               "--despite-load", "--names", "-o", "from_folders"]
    done = study(place, *command)
    verdicts = {row["student"]: row["verdict"] for row in grades(place / "from_folders")}
    expect(f"students {verdicts}", done.returncode == 0 and verdicts == {
        "Ana Perez": "correct", "Luis_Gil": "wrong", "zoe": "correct", "Eva": "correct"}, done)
    with zipfile.ZipFile(place / "Task 3.ZIP", "w") as packed:
        for name, text in {**sources, "zoe/": "", "report.pdf": "%PDF"}.items():
            packed.writestr(name, text)
    (place / "temporary").mkdir()
    of_zip = [word.replace("handed in/", "Task 3.ZIP") for word in command]
    done = study(place, *of_zip, TMPDIR=str(place / "temporary"))
    again = {row["student"]: row["verdict"] for row in grades(place / "from_folders")}
    expect(f"a zip {again}", done.returncode == 0 and again == verdicts, done)
    with zipfile.ZipFile(place / "Task 4.zip", "w") as packed:  # from Windows, with names in its code page 437
        packed.writestr("zoe\\Kernel.c", SLOW)
        packed.writestr("Mu#oz_12345_assignsubmission_file_/kernel.c", SLOW)
        packed.writestr("Thumbs.db", "x")
    data = (place / "Task 4.zip").read_bytes().replace(b"Mu#oz", b"Mu\xa4oz")
    (place / "Task 4.zip").write_bytes(data)
    done = study(place, *[word.replace("Task 3.ZIP", "Task 4.zip") for word in of_zip])
    names = {row["student"] for row in grades(place / "from_folders")}
    expect(f"a zip of Windows {names}", done.returncode == 0 and names == {"zoe", "Muñoz"}, done)
    with zipfile.ZipFile(place / "Task 4.zip", "a") as packed:
        packed.writestr("zoe/Kernel.c", SLOW)
    done = study(place, *[word.replace("Task 3.ZIP", "Task 4.zip") for word in of_zip])
    expect("a name twice in a zip", done.returncode == 2 and "has 'zoe/Kernel.c' twice" in done.stderr, done)
    with zipfile.ZipFile(place / "Task 3.ZIP", "a") as packed:
        packed.writestr("zoe/older.c", SLOW)
    done = study(place, *of_zip, TMPDIR=str(place / "temporary"))
    expect("two sources in a zip", done.returncode == 2 and
           "Task 3.ZIP: zoe: 2 sources, such as kernel.c and older.c" in done.stderr, done)
    with zipfile.ZipFile(place / "Task 3.ZIP", "a") as packed:
        packed.writestr("../escaped.c", SLOW)
    done = study(place, *of_zip, TMPDIR=str(place / "temporary"))
    expect("a path out of the zip", done.returncode == 2 and "leads out" in done.stderr and
           not (place / "escaped.c").exists(), done)
    (place / "Task 3.ZIP").write_bytes(b"PK")
    done = study(place, *of_zip, TMPDIR=str(place / "temporary"))
    expect("no zip", done.returncode == 2 and "no zip archive" in done.stderr, done)
    expect("nothing remains", not list((place / "temporary").iterdir()), done)
    (top / "zoe" / "older.c").write_text(SLOW, encoding="utf-8")
    done = study(place, *command)
    expect("two sources", done.returncode == 2 and "2 sources, such as kernel.c and older.c" in done.stderr, done)
    for name in ("kernel.c", "older.c"):
        (top / "zoe" / name).unlink()
    done = study(place, *command)
    expect("no source", done.returncode == 2 and "zoe: no source in this folder" in done.stderr, done)
    (place / "empty").mkdir()
    done = study(place, *[word.replace("handed in/", "empty") for word in command])
    expect("an empty folder", done.returncode == 2 and "empty: no source in this folder" in done.stderr, done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = assignment(pathlib.Path(folder))
        for part in (unreadable_rubric, wrong_kernel, uncompiled, names_of_archives, undecided_in_make, measured, folders, thirty,
                     undecided, doubted, refused, packed_again, frauds, repeated):
            part(place)
    return finish()


sys.exit(main())
