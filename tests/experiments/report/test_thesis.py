#!/usr/bin/env python3
"""study thesis: the folder has figure, table, method, findings and citation with captions and labels, in English and
in Spanish with decimal commas; no file of other settings or of the user is replaced; pdflatex compiles it, where it is
installed. Every table of the report for LaTeX has a caption and a label of its own, and study cite says what
CITATION.cff says.
Usage: test_thesis.py SOURCE_FOLDER STUDY"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, STUDY = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
faults = []
TRUST = {"en": "PRECISE|ROUGH|SUSPECT|INVALID", "es": "PRECISO|APROXIMADO|DUDOSO|INVÁLIDO|PRECISE|ROUGH|SUSPECT"}
KEPT = ("speedup", "environment", "ceilings")  # files of one experiment: the others take time


def study(folder, *arguments, **environment):
    return subprocess.run([STUDY, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def expect(what, good, done):
    if not good:
        faults.append(f"{what}: status {done.returncode}\n{done.stdout}{done.stderr}")


def results(folder):
    """A copy of one experiment of the committed results."""
    there = folder / "results"
    there.mkdir()
    for path in (SOURCE / "results/reference/amd-epyc-zen4-2-cores").iterdir():
        if path.is_file() and path.name.split(".")[0] in KEPT:
            shutil.copy(path, there)
    return there


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
    method, findings = text.split("\\paragraph{")[1:]
    expect(f"{language}: method", all(word in method for word in ("EPYC", "GNU", "95", "\\cite{maxpool}", {"en": "Method.", "es": "Método."}[language])), done)
    said = {"en": ("within 3 \\%", "by rank", "within rounds"), "es": ("3 \\%", "por su rango", "dentro de las rondas")}[language]
    expect(f"{language}: what was asked of launches, how intervals were computed, and the build {method}",
           all(word in method for word in said + ("-O3 -DNDEBUG -ffp-contract=off", "Debian GNU/Linux 12", "2026-11-22"))
           and "-Wall" not in method and "one launch" not in method and "un lanzamiento" not in method, done)
    expect(f"{language}: findings", "Karp-Flatt" in findings and re.search(TRUST[language], findings), done)
    return there


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
    facts = dict(re.findall(r'^(version|date-released): "?([^"\n]+)"?$', (SOURCE / "CITATION.cff").read_text(
        encoding="utf-8"), re.M))
    expect(f"cited {facts}", done.returncode == 0 and done.stdout == (there / "maxpool.bib").read_text(
        encoding="utf-8") and f"version {facts['version']}, {facts['date-released']}" in done.stdout, done)
    done = study(place, "cite", "--format", "text")
    expect("in words", done.returncode == 0 and done.stdout.count("\n") == 1 and facts["version"] in done.stdout, done)
    done = study(place, "cite", "--format", "xml")
    expect("no such format", done.returncode == 2 and "xml" in done.stderr, done)


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
        kept(place, there["es"])
        refused(place)
        cited(place, there["en"])
        labelled(place)
    print("\n".join(faults) or "all as it should be")
    return 1 if faults else 0


sys.exit(main())
