#!/usr/bin/env python3
"""The pages of a report on made-up samples: what is collected in one place, what is left out, what is in Spanish, what
LaTeX can read, and several machines in comparison. Usage: tests/support/commands.py."""
import csv
import gzip
import html
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[0] / "support"), str(HERE.parents[1] / "support")]
from checks import expect
from commands import DIR, SOURCE, done, fails, main, need_program, write
from maker import Maker, point

REFERENCE = SOURCE / "results/reference/amd-epyc-zen4-2-cores"

# ---- made-up studies ------------------------------------------------------------------------------------------------


def add(results, truth, seconds, two_modes=False, experiment="methods"):
    """Writes a point; if it has two modes, every third round is slow and takes twice as long."""
    results.add_exact(experiment, truth, 9, 6, lambda launch, sample: seconds * (
        2 if two_modes and launch % 3 == 0 else 1) * (1 + 0.002 * ((launch + sample) % 5)))


def make_study(name, factor):
    """Three methods, `factor` times as slow as usual; two of them have two modes."""
    results = Maker(DIR / name)
    add(results, point("serial", "literal"), 1e-2 * factor, True)
    add(results, point("serial", "fused"), 2e-3 * factor, True)
    add(results, point("serial", "simd"), 1e-3 * factor)
    # a separate point: shared ones have the launches of both
    add(results, point("serial", "staged"), 1e-2 * factor, experiment="cuda_growth")


def make_doubted(name, all_of_them, *fused):
    """simd is the fastest and has two modes; the others have them too if all_of_them. `fused`: its time, if it was
    measured; literal is otherwise the only other method."""
    results = Maker(DIR / name)
    add(results, point("serial", "literal"), 1e-2, all_of_them)
    for seconds in fused:
        add(results, point("serial", "fused"), seconds, all_of_them)
    add(results, point("serial", "simd"), 1e-3, True)


def make_journal():
    """Points that a plan left out: one reason with several numbers, and another one."""
    skipped = {name: value for name, value in point("omp", "fused", threads=4).items()
               if name not in ("host", "commit", "time_utc", "verified", "setup_s")}
    reasons = [f"{n} workers on 2 cores, more than 1 on each" for n in (4, 16, 64)]
    with open(DIR / "a/methods.journal.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.DictWriter(file, [*skipped, "status", "reason"], lineterminator="\n")
        rows.writeheader()
        for reason in (*reasons, "smpirun is not installed (Debian: libsimgrid-dev)"):
            rows.writerow({**skipped, "status": "skipped", "reason": reason})


def describe_machine(conditions=""):
    write("a/environment.json", '{"machine": {"cpu": "Abacus 9"}' + conditions + "}")


def report(name, language="en", options="--charts none"):
    """Makes the report of a study. Returns its pages as one text, and report.md."""
    outcome = done(f"./study report {options} --lang {language} --results $DIR/{name}")
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((DIR / name).glob("report*.html")))
    text = (DIR / name / "report.md").read_text(encoding="utf-8")
    expect("a blank between a time and its doubt", not re.search(r"^\|.*\S  ", text, re.M), text)
    return pages, text, outcome


def has(text, *parts, never=()):
    for part in parts:
        expect(f"{part!r} is there", part in text)
    for part in never:
        expect(f"{part!r} is not there", part not in text)


# ---- the first screen -----------------------------------------------------------------------------------------------


def the_governor_is_reported():
    """With the frequencies that it may choose from, as far as environment.json reports them."""
    for conditions, english, spanish in (
            ('"governor": "powersave", "frequency_least_mhz": 800, "frequency_most_mhz": 3700',
             ", governor powersave from 800 to 3700 MHz", ", gobernador powersave de 800 a 3700 MHz"),
            ('"governor": "powersave", "frequency_least_mhz": null', ", governor powersave", ", gobernador powersave"),
            ('"governor": null, "frequency_most_mhz": 3700', "", "")):
        describe_machine(f', "conditions": {{{conditions}}}')
        has(report("a")[1], f"Abacus 9{english}. Measured until")
        has(report("a", "es")[1], f"Abacus 9{spanish}. ")
    describe_machine()


def the_first_screen_has_its_order():
    """The page starts with the speedup, the best times, growth and the share of the limit, and then states how far they
    can be trusted. The samples are committed ones that have all of them."""
    (DIR / "ordered").mkdir()
    shutil.copy(REFERENCE / "environment.json", DIR / "ordered")
    for name in ("speedup", "serial_growth", "roofline", "ceilings"):
        write(f"ordered/{name}.csv", gzip.decompress((REFERENCE / f"{name}.csv.gz").read_bytes()))
    for language, *parts in (
            ("en", " times as fast as with one worker of the same program", "; the baseline\n",
             "as fast as the baseline", "\n- Growth: ", "\n- Limits of the machine: ", " PRECISE, ",
             "| Amdahl's bound |"),
            ("es", "veces la velocidad de un trabajador del mismo programa", "; la base\n", "la velocidad de la base",
             "\n- Crecimiento: ", "\n- Límites de la máquina: ", " PRECISO, ", "| cota de Amdahl |")):
        page = report("ordered", language)[1]
        places = [page.find(part) for part in parts]
        expect(f"{language}: all parts in their order", 0 <= places[0] and places == sorted(places) and
               places[-1] <= page.index("\n## "), places)


def the_limits_chart_draws_what_its_title_names():
    """The titles, the panels and the sentence of a chart are of one selection: the points that are drawn. Here one
    operator has three sizes and two have two; and a window that overlaps is near its limit, but has no panel."""
    (DIR / "limits").mkdir()
    for name in ("roofline", "ceilings"):
        write(f"limits/{name}.csv", gzip.decompress((REFERENCE / f"{name}.csv.gz").read_bytes()))
    need_program("gnuplot")
    report("limits", options="--charts svg")
    with open(DIR / "limits/analysis/roofline.roofline_share.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    drawn = {row["of"] for row in rows if not row["role"]}
    named = [row["of"] for row in rows if row["role"] in ("nearest", "next", "listed")]
    expect("it names points", len(named) > 2)
    expect("what is named is drawn", not set(named) - drawn, set(named) - drawn)
    svg = (DIR / "limits/charts/roofline-roofline_share.svg").read_text(encoding="utf-8")
    for row in rows:
        if row["role"] == "panel":
            expect(f"{row['label']} has a panel", row["label"].replace("‚", ",") in svg)


# ---- what is collected, what is left out ----------------------------------------------------------------------------


def causes_are_reported_once_each():
    has(ENGLISH, "are doubtful: times in two modes (2 points).", "The worst is maxpool_serial ",
        "<li>SUSPECT: times in two modes, 2 points (end programs that start and stop")
    expect("one cause", ENGLISH.count("<li>SUSPECT") == 1)
    has(SPANISH, "tiempos en dos modos (2 puntos).", "SOSPECHOSO: tiempos en dos modos, 2 puntos (")


def a_section_without_an_answer_is_among_what_was_not_measured():
    """Its points are still listed, folded."""
    has(ENGLISH, 'href="#ideas"', never=('href="#gpu"', '<section id="gpu"'))
    has(ENGLISH[ENGLISH.index('<section id="missing"'):], "GPU: no GPU was measured.", "CUDA kernels against n")


def what_differs_in_numbers_alone_is_one_line():
    expect("one line", ENGLISH_TEXT.count("workers on 2 cores") == 1)
    has(ENGLISH_TEXT, "4 workers on 2 cores, more than 1 on each (and similar reasons)", "| 3 | skipped |",
        "| 1 | skipped | smpirun is not installed")


def reasons_are_in_the_language_of_the_page():
    has(SPANISH_TEXT, "smpirun no está instalado (Debian: libsimgrid-dev)",
        "| 3 | omitido | 4 trabajadores en 2 núcleos, más de 1 en cada uno (y razones parecidas)",
        never=("skipped", "workers"))


# ---- the glossary ---------------------------------------------------------------------------------------------------


def words_of_the_page_are_explained():
    """Each word has an entry on the page, and docs/glossary.md has a row with the same text."""
    docs = (SOURCE / "docs/glossary.md").read_text(encoding="utf-8")
    words = re.findall(r'^    {"([^"]+)", N_', (SOURCE / "experiments/report/page/terms.c").read_text("utf-8"), re.M)
    entries = {key: texts for key, *texts in re.findall(
        r'<dt id="term-([^"]+)">(.*?)</dt>\s*<dd>(.*?)</dd>', ENGLISH, re.S)}
    expect("every word", len(words) > 20 and set(words) <= set(entries), words)
    for key in words:
        term, meaning = entries[key]
        has(docs, f"\n| {html.unescape(term)} | {html.unescape(re.sub('<[^>]*>', '', meaning))} |\n")


def words_lead_to_the_glossary():
    has(ENGLISH, '<a class="term" href="report-method.html#term-suspect">SUSPECT</a>',
        *(f'<dt id="{word}">' for word in set(re.findall('#(term-[^"]*)"', ENGLISH))))
    has(SPANISH, '<dt id="term-round">ronda</dt>', '#term-point">puntos</a>')


# ---- LaTeX ----------------------------------------------------------------------------------------------------------


def latex_is_whole():
    """Every environment ends, every brace is closed, and no character is left that TeX would interpret."""
    for language in ("en", "es"):
        report("a", language)
        page = (DIR / "a/report.tex").read_text(encoding="utf-8")
        for name in ("longtable", "table", "tabular", "itemize", "figure"):
            expect(f"{name} ends", page.count(f"\\begin{{{name}}}") == page.count(f"\\end{{{name}}}"))
        depths, depth = [], 0
        for brace in re.findall(r"(?<!\\)[{}]", page):
            depth += 1 if brace == "{" else -1
            depths.append(depth)
        expect("braces are closed", depth == 0 and min(depths) == 0, (min(depths), depth))
        expect("all is escaped", not re.search(r"(?<!\\)[_#]", page), re.findall(r"(?<!\\)[_#].{20}", page))
        expect("tables fit", 0 < page.count("\\begin{tabular}") == page.count("\\resizebox"))
        expect("the language", page.count("\\usepackage[spanish,es-tabla,es-noshorthands]{babel}") ==
               (language == "es"))


# ---- what is SUSPECT ------------------------------------------------------------------------------------------------


def what_is_suspect_is_never_the_best():
    make_doubted("doubted", False, 3e-3)
    make_doubted("doubtful", True, 3e-3)
    page = report("doubted")[1]
    has(page, "with one worker fused takes 3.0", "; simd with 1 worker (", "| left out: SUSPECT |",
        " is left out: SUSPECT, times in two modes", "**3.01 ms** fused, 1 worker")  # the last on the first screen
    best = [line for line in page.splitlines() if "| **the best** |" in line]
    expect("fused is the best", len(best) == 1 and "fused" in best[0], best)
    has(report("doubted", "es")[1], " queda fuera: SOSPECHOSO, tiempos en dos modos")
    has(report("doubtful")[1], "(SUSPECT)", never=["the best"])


def make_loaded(name, loaded):
    """Three points of two threads on two cores; beside all launches of the first `loaded` ones, others kept 0.97 cores
    busy."""
    results = Maker(DIR / name)
    write(f"{name}/environment.json", '{"machine": {"allowed_cores": 2}}')
    for i in range(3):
        add(results, point("omp", "fused", threads=2, rows=1024 * (i + 1), cols=1024 * (i + 1),
                           launch_others_cores=0.97 if i < loaded else 0.0), 1e-3 * (i + 1))


def a_cause_of_most_points_stands_once_at_the_top():
    """With its command, on the page and at the end of the output; the lists of the experiments refer to it. Less than
    half of the points make no such sentence."""
    seen = ("while 9 of 9 launches ran, other programs kept 0.97 of 2 cores busy. What to do: end the other programs, "
            f"then: study run --again suspect --results {DIR}/loaded")
    make_loaded("loaded", 2)
    make_loaded("nearly", 1)
    pages, text, outcome = report("loaded")
    expect("once", pages.count("other programs kept 0.97 of 2") == 1)
    has(pages, ", 2 of the points: see the top of the page", "What to do about it")
    has(text, "launches. The worst is maxpool\\_omp fused ", never=["Why some points are doubtful"])
    has(text[:text.index("\n## ")].replace("\\", ""), seen)
    has(outcome.out, "2 of 3 points are SUSPECT for one cause: other programs beside the launches. The worst is "
        "maxpool_omp fused ", seen)
    _, text, outcome = report("nearly")
    has(text, "Why some points are doubtful: other programs beside the launches (1 point)", never=["for one cause"])
    has(outcome.out, never=["for one cause"])


def the_only_trusted_method_is_not_called_the_fastest():
    make_doubted("one_trusted", False)
    has(report("one_trusted")[1], "Faster methods were measured too, but their times are doubtful.",
        "with one worker literal takes 10.0 ms; simd with 1 worker (1.00 ms) is left out",
        never=["needs the least time of all methods"])


# ---- several machines -----------------------------------------------------------------------------------------------


def machines(folder, options):
    done(f"cd $DIR; $OLDPWD/study report {options}")
    return (DIR / folder / "machines.html").read_text(encoding="utf-8")


def several_machines_find_the_faster_one():
    has(machines("a", "--results a --results b --label 'the desk' --label lap"),
        "the desk: Abacus 9. Measured until", "the desk is 2", " times as fast as lap (simd, n = 1024, k = 2, 1 ")
    has(machines("a", "--results a --results a --label x --label y --lang es"),
        "x y y: no se ve diferencia (simd", "sin diferencia visible")


def a_folder_of_machines_is_a_page_of_them():
    done("cd $DIR; mkdir class class/notes && cp -r a class/ana && cp -r b class/ben")
    has(machines("class", "--results class"), "ana: Abacus 9. Measured until", "ana is 2",
        " times as fast as ben (simd", never=["notes"])
    fails(2, "./study report --results $DIR/class/notes", "holds no samples")


if __name__ == "__main__":
    make_study("a", 1)
    make_study("b", 2)
    make_journal()
    describe_machine()
    ENGLISH, ENGLISH_TEXT, _ = report("a")
    SPANISH, SPANISH_TEXT, _ = report("a", "es")
    sys.exit(main(
        the_governor_is_reported, the_first_screen_has_its_order,
        the_limits_chart_draws_what_its_title_names, causes_are_reported_once_each,
        a_section_without_an_answer_is_among_what_was_not_measured, what_differs_in_numbers_alone_is_one_line,
        reasons_are_in_the_language_of_the_page, words_of_the_page_are_explained, words_lead_to_the_glossary,
        latex_is_whole, what_is_suspect_is_never_the_best, a_cause_of_most_points_stands_once_at_the_top,
        the_only_trusted_method_is_not_called_the_fastest, several_machines_find_the_faster_one,
        a_folder_of_machines_is_a_page_of_them))
