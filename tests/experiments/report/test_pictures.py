#!/usr/bin/env python3
"""Every chart, drawn from the committed samples, from a small part of them as in a quick study, and from made-up ones
of a GPU, in both languages: no panel is empty, no text overlaps another or leaves the canvas, and no two things with
different names share a colour. The checks use the positions and sizes in the SVG itself; letters have the widths of
Helvetica. Usage: tests/support/commands.py."""
import csv
import gzip
import itertools
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect
from commands import DIR, SOURCE, command, done, main, need_program

REFERENCE = SOURCE / "results/reference/amd-epyc-zen4-2-cores"


# ---- reading a drawing ----------------------------------------------------------------------------------------------


def letter_width(letter):
    """Returns the width as a fraction of the font's size."""
    for letters, width in (("ijl.,:;'|! ", 0.25), ("frt()[]-/", 0.32), ("mwMW%", 0.83)):
        if letter in letters:
            return width
    return 0.68 if "A" <= letter <= "Z" else 0.54


class Text:
    """A text <g transform="translate(x,y) rotate(270.00)" ... font-size="13.00" text-anchor="end"><text>...</text>, and
    its box: left, right, top, bottom."""

    def __init__(self, x, y, tag, content):
        value = lambda name, otherwise: (re.findall(rf'{name}="([^"]*)"', tag) or [otherwise])[0]
        self.words, self.colour = re.sub("<[^>]*>", "", content), value("fill", "")
        size = float(value("font-size", "12"))
        width = size * sum(map(letter_width, self.words))
        before = {"end": width, "middle": 0.5 * width}.get(value("text-anchor", ""), 0.0)
        x, y = float(x), float(y)
        self.box = (x - before, x - before + width, y - 0.72 * size, y)
        if "rotate(" in tag:
            self.box = (x - 0.72 * size, x, y + before - width, y + before)

    def is_name(self):
        """True for the names of series, which are coloured. The arrows of clipped intervals and the bound below the
        share f of a law are coloured too, but name nothing."""
        parts = re.match(r"rgb\( *(\d+), *(\d+), *(\d+)\)", self.colour)
        return parts and len(set(parts.groups())) > 1 and not re.match("[↓↑]$|bound |cota ", self.words)


def panel_of(path):
    """Returns the box inside the axes, or None: a border is a path in the axes' gray with a long line along its
    bottom."""
    places = [(drawn, float(x), float(y)) for drawn, x, y in re.findall(r"(L?)(\d[\d.]*),([\d.]+)", path)]
    foot = any(drawn and abs(x - before[1]) > 60 and abs(y - before[2]) < 0.5
               for before, (drawn, x, y) in zip(places, places[1:]))
    if not foot:
        return None
    xs, ys = [x for _, x, _ in places], [y for _, _, y in places]
    top = 0.0 if max(ys) - min(ys) < 1.0 else min(ys)  # rows have only a bottom line
    return min(xs), max(xs), top, max(ys)


class Picture:
    """Texts, panels and marks of a drawing."""

    def __init__(self, svg):
        self.width, self.height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)', svg).groups())
        self.texts = [Text(*found) for found in re.findall(
            r'<g transform="translate\(([-\d.]+),([-\d.]+)\)([^>]*)>.*?<text[^>]*>(.*?)</text>', svg, re.S)]
        self.texts = [text for text in self.texts if text.words.strip(" ")]
        borders = re.findall(r"<path stroke='rgb\( 68,  68,  68\)'  d='(M[^']*)'", svg)
        self.panels = [panel for panel in map(panel_of, borders) if panel]
        self.marks = [tuple(map(float, place)) for place in
                      re.findall(r"<use [^>]*?translate\(([-\d.]+),([-\d.]+)", svg) +
                      re.findall(r"<polygon [^>]*?points *= *'([-\d.]+),([-\d.]+)", svg)]


# ---- faults of a drawing --------------------------------------------------------------------------------------------


def overlap(a, b):
    """True if two boxes overlap by more than a hair's breadth in both directions."""
    return min(a[1], b[1]) - max(a[0], b[0]) > 2 and min(a[3], b[3]) - max(a[2], b[2]) > 2


def faults_of(svg):
    """Returns what is wrong with a drawing, in words. Series of one method share its colour: series that share a colour
    although the first words of their names differ are a fault."""
    picture = Picture(svg)
    found = [] if picture.panels else ["no panel"]
    for left, right, top, bottom in picture.panels:
        if not any(left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1 for x, y in picture.marks):
            found.append(f"an empty panel, from x = {left} to {right}")
    for text in picture.texts:
        left, right, top, bottom = text.box
        if left < 0 or top < 0 or right > picture.width or bottom > picture.height:
            found.append(f"'{text.words}' leaves the canvas")
    for a, b in itertools.combinations(picture.texts, 2):
        if overlap(a.box, b.box):
            found.append(f"'{b.words}' lies upon '{a.words}'")
    for a, b in itertools.combinations(filter(Text.is_name, picture.texts), 2):
        if a.colour == b.colour and a.words.split(" ")[0] != b.words.split(" ")[0]:
            found.append(f"'{a.words}' and '{b.words}' share a colour")
    return found


# ---- all charts of a folder -----------------------------------------------------------------------------------------


def draw_and_look(results, language, least):
    done(f"./study plot --charts svg --lang {language} --results $DIR/{results} > /dev/null")
    charts = [path for path in (DIR / results / "charts").iterdir() if path.name[0] != "."]
    expect(f"{len(charts)} charts of {results}, {least} at least", len(charts) >= least)
    for path in charts:
        found = faults_of(path.read_text(encoding="utf-8"))
        expect(f"{path.name} of {results} ({language})", not found, "; ".join(found))


def of_the_committed_samples():
    need_program("gnuplot")
    (DIR / "whole").mkdir()
    for path in REFERENCE.glob("*.csv.gz"):
        shutil.copy(path, DIR / "whole")
    draw_and_look("whole", "en", 15)
    draw_and_look("whole", "es", 15)


def of_a_small_part():
    """One or two values of x, as in a quick study."""
    need_program("gnuplot")
    (DIR / "part").mkdir()
    for path in REFERENCE.glob("*.csv.gz"):
        with gzip.open(path, "rt", newline="", encoding="utf-8") as whole, \
                open(DIR / "part" / path.stem, "w", newline="", encoding="utf-8") as part:
            rows = csv.DictReader(whole)
            writer = csv.DictWriter(part, rows.fieldnames, lineterminator="\n")
            writer.writeheader()
            writer.writerows(row for row in rows if row.get("rows", "512") in ("512", "2048", "181"))
    draw_and_look("part", "en", 8)


def of_made_up_samples():
    need_program("gnuplot")
    done("mkdir $DIR/made $DIR/gpu && ./make_results $DIR/made && ./make_gpu_results $DIR/gpu")
    draw_and_look("made", "en", 8)
    draw_and_look("gpu", "en", 8)
    draw_and_look("gpu", "es", 8)


def short_axes_have_numbers():
    """An axis that spans few decades has numbers between them, and no two of its numbers look the same."""
    need_program("gnuplot")
    for expression, text in (
            ("numbers('%g', 0.9, 1.7)", " 1 1.2 1.4 1.6"),
            ("numbers('%.0s %cs', 6.5e-6, 1.2e-5)", " 7 µs 8 µs 9 µs 10 µs 11 µs 12 µs"),
            ("numbers('%.0s %cs', 2.4e-4, 1.2e-3)", " 300 µs 500 µs 700 µs 1 ms"),
            ("numbers('%g', 0.9, 120)", " 1 2 5 10 20 50 100"),
            ("words(ticks_of(1, 1000))", "0"),
            ("tick_text('%.0s %cs', 1.5e-3)", "1.5 ms"),
            ("tick_text('%.0s %cs', 7e-4)", "700 µs"),
            ("tick_text('%g', 1.25)", "1.25"),
            ("'<'.tick_text('', 1).'>'", "<>")):
        outcome = command(
            "LC_ALL=C.UTF-8 gnuplot -e \"format = 'svg'; out = '/dev/null'; texts = ''; finding = ''; quantity = ''; "
            f"load '{SOURCE}/plots/lib/style.gp'; numbers(form, low, high) = (at = ticks_of(low, high), text = '', "
            "unused = sum [n = 1:words(at)] (text = text.' '.tick_text(form, real(word(at, n))), 0), text); "
            f"print {expression}\"")
        expect(f"'{text}'", outcome.err.split("\n")[0] == text, outcome)


# ---- the test can fail ----------------------------------------------------------------------------------------------


def faults_are_seen():
    for mark_x, first_y, second_x, second, fault in (
            (50, 30, 20, "fused", None), (195, 30, 20, "fused", "an empty panel"), (50, 58, 20, "fused", "lies upon"),
            (50, 30, 180, "fused", "leaves the canvas"), (50, 30, 20, "direct", "share a colour"),
            (50, 30, 20, "fused2", "share a colour")):
        text = '" fill="rgb(0,114,178)" font-size="10.00" text-anchor="start"><text>'
        found = faults_of(
            "<svg viewBox=\"0 0 200 100\"><path stroke='rgb( 68,  68,  68)'  "
            "d='M10.00,10.00 L10.00,90.00 L190.00,90.00 M10.00,10.00 '/>"
            f"<use xlink:href='#gpPt6' transform='translate({mark_x},50.00) scale(2)' color='x'/>"
            f'<g transform="translate(20,{first_y}){text}fused one</text></g>'
            f'<g transform="translate({second_x},60){text}{second} two</text></g></svg>')
        expect(f"one fault, {fault}", (len(found) == 1 and fault in found[0]) if fault else not found, found)


if __name__ == "__main__":
    sys.exit(main(
        faults_are_seen, short_axes_have_numbers, of_the_committed_samples, of_a_small_part, of_made_up_samples))
