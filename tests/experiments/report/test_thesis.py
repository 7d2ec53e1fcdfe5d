#!/usr/bin/env python3
"""study thesis: the folder has figure, table, method, findings and citation with captions and labels, in English and
in Spanish with decimal commas, and no remedies; no file of other settings or of the user is replaced; pdflatex compiles
it, where it is installed, also from a document in another folder. Every table of the report for LaTeX has a caption and
a label of its own, and study cite says what CITATION.cff says.
Usage: test_thesis.py SOURCE_FOLDER STUDY"""
import csv
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import FOREVER_S, expect, faults, finish, run

SOURCE, STUDY = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
TRUST = {"en": "PRECISE|ROUGH|SUSPECT|INVALID", "es": "PRECISO|APROXIMADO|DUDOSO|INVÁLIDO|PRECISE|ROUGH|SUSPECT"}
KEPT = ("speedup", "environment", "ceilings")  # files of one experiment: the others take time


def study(folder, *arguments, **environment):
    return run(folder, STUDY, *arguments, **environment)


def results(folder):
    """A copy of one experiment of the committed results."""
    there = folder / "results"
    there.mkdir()
    for path in (SOURCE / "results/reference/amd-epyc-zen4-2-cores").iterdir():
        if path.is_file() and path.name.split(".")[0] in KEPT:
            shutil.copy(path, there)
    return there


def has_interval(cell, language):
    """Whether a cell has "2.0 [1.9, 2.1]" or "1.4 to 3.6"."""
    return "[" in cell or f" {'to' if language == 'en' else 'a'} " in cell


def folder_of(place, language):
    done = study(place, "thesis", "--results", "results", "--lang", language, "-o", language)
    expect(f"{language} written", done.returncode == 0 and "\\input{" in done.stdout, done)
    there = place / language
    text = (there / "thesis.tex").read_text(encoding="utf-8")
    drawn = shutil.which("gnuplot") is not None
    expect(f"{language}: files", {path.name for path in there.iterdir()} ==
           {"thesis.tex", "maxpool.bib", "example.tex"} | ({"speedup.pdf"} if drawn else set()), done)
    for kind in ["table"] + ["figure"] * drawn:
        part = re.search(rf"\\begin{{{kind}}}.*?\\end{{{kind}}}", text, re.S)
        expect(f"{language}: {kind} with caption and label", part and
               re.search(r"\\caption\{..+\}\\label\{(tab|fig):speedup-speedup\}", part.group()), done)
    rows = re.findall(r"^(?:staged|fused|literal) & .*", text, re.M)
    other, own = (r"\d,\d", r"\d\.\d") if language == "en" else (r"\d\.\d", r"\d,\d")
    # An interval has ", " between its ends.
    expect(f"{language}: decimal marks", len(rows) == 6 and not any(re.search(other, row) for row in rows) and
           sum(bool(re.search(own, row)) for row in rows) >= 4, done)  # wide intervals leave whole numbers
    said = [row.split(" & ") for row in rows]
    expect(f"{language}: efficiency and serial fraction have intervals as the speedup has: {rows}", len(said) == 6 and all(
        has_interval(cell, language) for row in said if has_interval(row[3], language) for cell in row[4:6]) and
           any(has_interval(row[3], language) for row in said), done)
    expect(f"{language}: a law stands in the rows of its own method: {rows}",
           all((row[6].strip(" \\") == "-") == (row[0] != "staged") for row in said), done)
    counts = {"en": "the median of 9 to 27 launches", "es": "la mediana de 9 a 27 lanzamientos"}[language]
    expect(f"{language}: launches in the captions", text.count(counts) == 1 + drawn, done)
    each = {"en": "not for all together", "es": "no para todos a la vez"}[language]
    expect(f"{language}: each interval for itself", text.count(each) == 1, done)
    method, findings = text.split("\\paragraph{")[1:]
    expect(f"{language}: method", all(word in method for word in ("EPYC", "GNU", "95", "\\cite{maxpool}", {"en": "Method.", "es": "Método."}[language])), done)
    said = {"en": ("within 3 \\%", "two of its launches by rank", "within rounds"), "es": ("3 \\%", "dos de sus lanzamientos por su rango", "dentro de las rondas")}[language]
    expect(f"{language}: what was asked of launches, how intervals were computed, and the build {method}",
           all(word in method for word in said + ("-O3 -DNDEBUG -ffp-contract=off", "Debian GNU/Linux 12", "2026-11-22"))
           and "-Wall" not in method and "one launch" not in method and "un lanzamiento" not in method, done)
    expect(f"{language}: findings", "Karp-Flatt" in findings and re.search(TRUST[language], findings), done)
    points = {"en": "Points of this table", "es": "Puntos de esta tabla"}[language]
    expect(f"{language}: no remedies", points in findings and "--again" not in findings and "DIR" not in findings, done)
    expect(f"{language}: comments", ("The same command" in text) == (language == "en") and
           "The language of" not in text, done)
    title, speedup = re.search(r"\\caption\{([^:]*): ([^}]*)\}\\label\{tab:", text).groups()
    expect(f"{language}: one base in '{title}: {speedup}'", not re.search("serial", title, re.I) and
           {"en": "speedup over one worker", "es": "aceleración sobre un trabajador"}[language] in speedup, done)
    return there


def one_share(place, there, language):
    """The parallel fraction has the same digits in the findings and in figures of every size."""
    if not shutil.which("gnuplot"):
        return
    text = (there / "thesis.tex").read_text(encoding="utf-8")
    share, bound = re.search(r"f = (\S+) \[.*?(?:bound would be|Amdahl sería) (\S+) \[", text).groups()
    for size in ("6x5cm", "11x9cm", "16x12cm"):
        done = study(place, "plot", "speedup", "--results", "results", "--lang", language, "--size", size,
                     "--format", "svg")
        (path,) = [pathlib.Path(place, line) for line in done.stdout.split() if "efficiency" not in line and
                   "spaces" not in line] or [os.devnull]
        drawn = re.sub(r"<[^>]*>", " ", pathlib.Path(path).read_text(encoding="utf-8"))
        shares = re.findall(r"f = (\d[.,]\d+)", drawn)
        expect(f"{language}: f = {share}, bound {bound} at {size}, not {shares}", share in shares and
               re.search(rf"(bound|cota) {re.escape(bound)}", drawn), done)


def changed(place, name, change):
    """A copy of the results with the rows that `change` makes of theirs."""
    there = place / name
    shutil.copytree(place / "results", there, ignore=shutil.ignore_patterns("analysis", "speedup.csv.gz"))
    with gzip.open(place / "results" / "speedup.csv.gz", "rt", encoding="utf-8") as file:
        rows = change(list(csv.DictReader(file)))
    with open(there / "speedup.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[-1], lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(rows)
    return there


def slowed(rows, factor, is_slow):
    """Launches with two threads take `factor` times as long in some rounds."""
    seconds = [name for name in rows[0] if name.endswith("_s")]
    for row in rows:
        if row["threads"] == "2" and is_slow(int(row["round"])):
            row.update({name: repr(factor * float(row[name])) for name in seconds if row[name]})
    return rows


def longer(rows):
    """The greater part takes twice as long."""
    return slowed(rows, 2, lambda number: number % 4 != 0)


def mixed(rows):
    """Half of them take five times as long: the median's interval holds both."""
    return slowed(rows, 5, lambda number: number % 2 != 0)


def shared(rows):
    """The same workers once more, where they share the product alone."""
    alone = [dict(row, parallel="product") for row in rows if row["method"] == "staged" and row["space"] == "omp"]
    return rows + [dict(row, run_id=f"alone-{row['run_id']}") for row in alone]


def told_apart(place):
    """No two rows of a table look alike: those of workers that share the product alone say so."""
    there = changed(place, "shared", shared)
    done = study(place, "report", "--results", there, "--charts", "none")
    text = (there / "report.tex").read_text(encoding="utf-8")
    rows = [tuple(row.split(" & ")[:6]) for row in re.findall(r"^maxpool\\_omp & .*", text, re.M)]
    tables = re.split(r"\\begin\{(?:table|longtable)\}", text)
    for table in tables:
        names = [tuple(row.split(" & ")[:6]) for row in re.findall(r"^maxpool\\_omp & .*", table, re.M)]
        expect(f"rows that differ: {names}", len(names) == len(set(names)), done)
    expect(f"what distinguishes them: {rows}", any(row[1] == "staged, product alone" for row in rows) and
           any(row[1] == "staged" for row in rows), done)


def asked(place):
    """The method paragraph says what was asked of the launches: one share, a range of them, or that no file says."""
    name = "speedup.points.csv.gz"
    for folder, change, said in (
            ("range", lambda text: text.replace("--relative-ci 0.03", "--relative-ci 0.05", 40), "within 3 to 5 \\% of the median"),
            ("unknown", None, "as narrow as was asked, which these files do not record")):
        there = place / folder
        shutil.copytree(place / "results", there, ignore=shutil.ignore_patterns("analysis", name))
        if change:
            before = gzip.open(place / "results" / name, "rt", encoding="utf-8").read()
            (there / name[:-3]).write_text(change(before), encoding="utf-8")
        done = study(place, "thesis", "--results", there, "--lang", "en", "-o", f"{folder}-thesis")
        text = (place / f"{folder}-thesis" / "thesis.tex").read_text(encoding="utf-8")
        expect(f"{folder}: {said}", text.count(said) == 1, done)


def doubtful(place):
    """Of samples that are SUSPECT the findings name the causes and no remedies, which are no findings."""
    there = changed(place, "doubtful", longer)
    for language, suspect in (("en", "SUSPECT"), ("es", "DUDOSO|SOSPECHOSO")):
        done = study(place, "thesis", "--results", there, "--lang", language, "-o", f"doubtful-{language}")
        text = (place / f"doubtful-{language}" / "thesis.tex").read_text(encoding="utf-8")
        trust = text.strip().split("\n\n")[-1]
        expect(f"{language}: causes without remedies: {trust}", re.search(rf"({suspect}): ", trust) and
               not re.search(r"--|\(|study|DIR", trust), done)


def cards(place):
    """A card shows a time whose interval is wide by its ends alone, and any other time itself."""
    for name, change, wide in (("mixed", mixed, True), ("as measured", list, False)):
        there = changed(place, name, change)
        done = study(place, "report", "--results", there, "--charts", "none")
        text = (there / "report.tex").read_text(encoding="utf-8")
        shown = re.findall(r"\\item \\textbf\{([^}]*s)\} ([^:]*, 2 threads): ", text)
        expect(f"{name}, ends of a wide interval: {shown}", shown and all((" to " in value) == wide for value, _ in shown), done)
    expect("which experiment", re.search(r'All times are of n = \d+, k = 2, from the experiment "Speedup', text), done)


def compiled(there):
    """Compiles the example twice, for the references; none is undefined but the citation, which BibTeX would solve."""
    if not shutil.which("pdflatex"):
        print("not compiled: pdflatex is not installed")
        return
    for _ in range(2):
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "example"], cwd=there,
                              capture_output=True, check=False)
    log = (there / "example.log").read_text(encoding="latin-1")
    if "babel" in log and "Unknown option" in log:
        print(f"not compiled in {there.name}: babel lacks its language")
        return
    if done.returncode != 0 or "multiply defined" in log or "Reference `" in log:
        faults.append(f"{there.name} does not compile:\n{log[-3000:]}")
    for suffix in (".aux", ".log", ".pdf"):
        (there / f"example{suffix}").unlink(missing_ok=True)


def elsewhere(place, there):
    """A document in another folder finds the figure, where LaTeX knows the folder of a file that it reads."""
    if not shutil.which("pdflatex"):
        return
    folder = place / "chapters" / there.name
    folder.mkdir(parents=True)
    text = (there / "example.tex").read_text(encoding="utf-8").replace(
        "\\input{thesis}", f"\\input{{../../{there.name}/thesis}}")
    (folder / "mine.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "mine"], cwd=folder,
                          capture_output=True, check=False)
    log = (folder / "mine.log").read_text(encoding="latin-1")
    version = re.search(r"LaTeX2e <(\d{4})", log)
    if "Unknown option" in log or version and int(version[1]) < 2021:
        print(f"not compiled from another folder in {there.name}")
    elif done.returncode != 0:
        faults.append(f"{there.name} does not compile from another folder:\n{log[-3000:]}")


def kept(place, there):
    """Neither a folder of other settings nor a file of the user is replaced."""
    before = {path.name: path.read_bytes() for path in there.iterdir()}
    for arguments in (["--lang", "en"], ["--lang", "es", "--size", "8x6cm"], ["--lang", "es", "--font", "11"]):
        done = study(place, "thesis", "--results", "results", "-o", "es", *arguments)
        expect(f"kept {arguments}", done.returncode == 2 and ("other settings" in done.stderr or "otros ajustes" in done.stderr) and
               {path.name: path.read_bytes() for path in there.iterdir()} == before, done)
    (there / "example.tex").write_text("mine", encoding="utf-8")
    done = study(place, "thesis", "--results", "results", "-o", "es", "--lang", "es")
    expect("again", done.returncode == 0 and (there / "example.tex").read_text(encoding="utf-8") == "mine", done)
    foreign = place / "foreign"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("% my thesis\n", encoding="utf-8")
    done = study(place, "thesis", "--results", "results", "-o", "foreign")
    expect("the user's thesis.tex", done.returncode == 2 and
           (foreign / "thesis.tex").read_text(encoding="utf-8") == "% my thesis\n", done)


def refused(place):
    for arguments, words in ((["--size", "8x"], "--size"), (["--font", "1"], "--font"), (["nothing"], "nothing"),
                             (["--lang", "xx"], "xx")):
        done = study(place, "thesis", "--results", "results", *arguments)
        expect(f"refused {arguments}", done.returncode == 2 and words in done.stderr, done)


def cited(place, there):
    done = study(place, "cite")
    facts = dict(re.findall(r'^(version|date-released|url|repository-code): "?([^"\n]+)"?$', (
        SOURCE / "CITATION.cff").read_text(encoding="utf-8"), re.M))
    urls = [facts[name] for name in ("url", "repository-code") if name in facts]
    expect(f"cited {facts}", done.returncode == 0 and done.stdout == (there / "maxpool.bib").read_text(
        encoding="utf-8") and f"version {facts['version']}}}" in done.stdout, done)
    expect("the year once", re.findall(r"\d{4}-\d\d-\d\d|year *= \{\d{4}\}", done.stdout) ==
           [f"year         = {{{facts['date-released'][:4]}}}"], done)
    expect(f"one of {urls}", re.findall(r"url *= \{(.*)\}", done.stdout) in ([[url] for url in urls] or [[]]), done)
    done = study(place, "cite", "--format", "text")
    expect("in words", done.returncode == 0 and done.stdout.count("\n") == 1 and facts["version"] in done.stdout, done)
    done = study(place, "cite", "--format", "xml")
    expect("no such format", done.returncode == 2 and "xml" in done.stderr, done)


# What a program in gnuplot's stead does, and the reason that is given in English and in Spanish.
ENDS = (("kill -TERM $$", "gnuplot was ended by signal 15", "la señal 15"),
        ("exit 7", "gnuplot ended with status 7 and no message", "gnuplot terminó con estado 7"),
        ("echo broken; exit 1", "gnuplot failed: broken", "gnuplot falló: broken"))


def undrawn(place):
    """The reason why gnuplot drew nothing is never empty, and the last line is in one language."""
    fake, last = place / "fake" / "gnuplot", {"en": "one part could not be", "es": "una parte no se pudo"}
    fake.parent.mkdir()
    environment = {"PATH": f"{fake.parent}:{os.environ['PATH']}"}
    for script, *reasons in ENDS:
        fake.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        fake.chmod(0o755)
        for language, reason in zip(last, reasons):
            done = study(place, "thesis", "--results", "results", "--lang", language, "-o", f"undrawn-{language}",
                         **environment)
            expect(f"{language}: {script}", reason in done.stderr and last[language] in done.stderr, done)
    fake.write_text(f"#!/bin/sh\nkill -INT $PPID\nexec sleep {FOREVER_S}\n", encoding="utf-8")
    done = study(place, "speedup", "--threads", "1,2", "--ranks", "none", "--launches", 2, "--results", "interrupted",
                 "--charts", "svg", "--", "true", **environment, MAXPOOL_WAIT="0")
    expect("interrupted", "gnuplot was stopped by a signal" in done.stderr, done)


def labelled(place):
    done = study(place, "report", "--results", "results", "--charts", "none")
    for name in ("report.tex", "reproduction.tex"):
        path = place / "results" / name
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        tables = len(re.findall(r"\\begin\{(?:tabular|longtable)\}", text))
        labels = re.findall(r"\\caption\{..+\}\\label\{(tab:[^}]+)\}", text)
        expect(f"{name}: {tables} tables, labels {labels}", tables == len(labels) == len(set(labels)) and tables > 0, done)


def main():
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        results(place)
        there = {language: folder_of(place, language) for language in ("en", "es")}
        for folder in there.values():
            compiled(folder)
            elsewhere(place, folder)
        for language, folder in there.items():
            one_share(place, folder, language)
        doubtful(place)
        cards(place)
        told_apart(place)
        asked(place)
        kept(place, there["es"])
        refused(place)
        cited(place, there["en"])
        undrawn(place)
        labelled(place)
    return finish()


sys.exit(main())
