"""Charts of the sizes of a thesis: measured in their SVG drawings.

usage: test_chart_layout.py SOURCE_DIR STUDY

Draws charts of committed reference samples at 8 x 6, 12 x 9 and 16 x 10 cm in English and Spanish and measures, in
pixels of the drawing: the share of the axes, texts outside the page, texts that overlap, ticks that touch, and marks
without a legend. A subset of the charts, unless MAXPOOL_LONG is 1: then all, and PDF and TikZ drawings too.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SKIPPED = 77
REFERENCE = "results/reference"
SIZES = ("8x6cm", "12x9cm", "16x10cm")
# The least share of the page's area between the first and the last axis, names of rows and curves included.
LEAST_SHARE = {"8x6cm": 0.60, "12x9cm": 0.35, "16x10cm": 0.45}
SUBSET = {"amd-epyc-zen4-2-cores": ["threads", "serial_growth", "isa"], "amd-epyc-zen4-2-cores-networks": ["cnn_batch"]}
FOLDERS = ["amd-epyc-zen4-2-cores", "amd-epyc-zen4-2-cores-networks", "amd-epyc-zen4-2-cores-thesis"]
TICK = "rgb(68,68,68)"
RING, CROSS = "rgb(136,136,136)", "rgb(204,0,0)"
SUSPECT, INVALID = ("SUSPECT", "SOSPECHOSO"), ("INVALID", "INVÁLIDO")

# Widths of Helvetica's letters in thousandths of its size, as in its font metrics; other letters have that of "n".
WIDTHS = {
    **dict.fromkeys(" !,./:;I[]ft\\", 278), **dict.fromkeys("ijl", 222), **dict.fromkeys("()-r", 333),
    **dict.fromkeys("cksvxyzJ", 500), **dict.fromkeys("ABEKPSVXY&", 667), **dict.fromkeys("CDHNRUw", 722),
    **dict.fromkeys("FTZ", 611), **dict.fromkeys("GOQ", 778), **dict.fromkeys("mM", 833), **dict.fromkeys("+<=>~", 584),
    "W": 944, "%": 889, "'": 191, "@": 1015, "|": 260, "µ": 556, "·": 278,
}


class Text:
    """A text and its box in pixels: left, top, right, bottom."""

    def __init__(self, text, size, anchor, x, y, turned, colour):
        wide = sum(WIDTHS.get(letter, 556) for letter in text) * size / 1000
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        # Letters reach 0.72 of the size above the base line; few of them go below it.
        self.text, self.size, self.colour = text, size, colour
        self.is_tick, self.anchor = colour == TICK, anchor
        self.box = (x - 0.72 * size, y - wide + before, x, y + before) if turned else (
            x - before, y - 0.72 * size, x - before + wide, y)


def plain(tag):
    return tag.rsplit("}", 1)[-1]


def colour_of(value):
    return (value or "").replace(" ", "")


def read_text(group, texts):
    """Adds the texts of a group; gnuplot gives each line a <text> of its own."""
    place = re.match(r"translate\(([-\d.]+),([-\d.]+)\)(.*)", group.get("transform", ""))
    words = ["".join(t.itertext()).strip() for t in group if plain(t.tag) == "text"]
    if place and any(words) and words[0] not in "←→↑↓":  # arrows are marks
        texts.append(Text(words[0], float(group.get("font-size")), group.get("text-anchor"), float(place[1]),
                          float(place[2]), "rotate" in place[3], colour_of(group.get("fill"))))


def lines_of(path):
    """The lines of a path as pairs of points."""
    lines = []
    for drawn in path.get("d", "").split("M"):  # M moves without a line
        numbers = [float(n) for n in re.findall(r"[-\d.]+", drawn)]
        points = list(zip(numbers[::2], numbers[1::2]))
        lines += [(a, b) for a, b in zip(points, points[1:]) if a != b]
    return lines


class Drawing:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.width, self.height = (float(n) for n in root.get("viewBox").split()[2:])
        self.texts, self.lines, self.borders, self.curves, self.marks, self.legend = [], [], [], [], set(), set()
        self.rings = self.crosses = False
        self.walk(root, False, "")

    def walk(self, element, in_plot, inherited):
        tag = plain(element.tag)
        if tag == "defs":
            return
        in_plot = in_plot or element.get("id", "").startswith("gnuplot_plot_")
        own = colour_of(element.get("color") or element.get("stroke"))
        colour = own if own and own not in ("none", "currentColor") else inherited
        if tag == "g" and element.get("font-size"):
            read_text(element, self.texts)
        if tag == "path" and in_plot:
            self.curves += lines_of(element)
        if tag == "path" and not in_plot:
            self.add_lines(element)
        if tag in ("path", "use", "polygon", "circle"):
            self.add_colour(element, in_plot, colour, tag)
        for child in element:
            self.walk(child, in_plot, colour)

    def add_lines(self, element):
        if colour_of(element.get("stroke")) in (TICK, "rgb(200,200,200)"):
            lines = lines_of(element)
            self.lines += lines
            self.borders += lines if colour_of(element.get("stroke")) == TICK else []

    def add_colour(self, element, in_plot, colour, tag):
        fill = colour_of(element.get("fill"))
        colour = fill if fill.startswith("rgb") else colour
        (self.marks if in_plot else self.legend).add(colour)
        self.rings = self.rings or (in_plot and tag == "use" and colour == RING)
        self.crosses = self.crosses or (in_plot and tag == "use" and colour == CROSS)


def is_axis(line, drawing):
    """Border lines and lines of the grid, which are long; ticks are not."""
    (ax, ay), (bx, by) = line
    return abs(ax - bx) > 0.06 * drawing.width or abs(ay - by) > 0.06 * drawing.height


def axes_box(drawing):
    lines = [line for line in drawing.lines if is_axis(line, drawing)]
    xs = [x for line in lines for x, _ in line]
    ys = [y for line in lines for _, y in line]
    box = [min(xs), min(ys), max(xs), max(ys)]
    for text in drawing.texts:  # names of rows and of curves are beside the axes
        middle = (text.box[1] + text.box[3]) / 2
        if not text.is_tick and box[1] - 1 < middle < box[3]:
            box[0], box[2] = min(box[0], text.box[0]), max(box[2], text.box[2])
        if len(numbers(text.colour)) == 3 and not is_gray(text.colour):
            box[1] = min(box[1], text.box[1])
    return box


def share_of_axes(drawing):
    left, top, right, bottom = axes_box(drawing)
    return (right - left) * (bottom - top) / (drawing.width * drawing.height)


def outside(drawing):
    return [t.text for t in drawing.texts if t.box[0] < -2 or t.box[1] < -2 or
            t.box[2] > drawing.width + 2 or t.box[3] > drawing.height + 2]


def overlapping(drawing):
    """Pairs of texts whose boxes share more than a pixel each way."""
    pairs = []
    for i, a in enumerate(drawing.texts):
        for b in drawing.texts[:i]:
            wide = min(a.box[2], b.box[2]) - max(a.box[0], b.box[0])
            high = min(a.box[3], b.box[3]) - max(a.box[1], b.box[1])
            if wide > 1.5 and high > 1.5:
                pairs.append((a.text, b.text))
    return pairs


def touching(drawing):
    """Pairs of tick numbers on one line, or at one y axis, with less than 3 pixels between them."""
    ticks = [t for t in drawing.texts if t.is_tick]
    pairs = [(a, b) for i, a in enumerate(ticks) for b in ticks[:i]]
    return [(a.text, b.text) for a, b in pairs
            if (abs(a.box[3] - b.box[3]) < 1 and max(a.box[0], b.box[0]) - min(a.box[2], b.box[2]) < 3) or
            (a.anchor == b.anchor == "end" and abs(a.box[2] - b.box[2]) < 1 and
             max(a.box[1], b.box[1]) - min(a.box[3], b.box[3]) < 3)]


def numbers(colour):
    return [int(n) for n in re.findall(r"\d+", colour)]


def is_gray(colour):
    values = numbers(colour)
    return len(values) < 3 or max(values) - min(values) < 12 or colour in (RING, CROSS)


def has_vertical(lines, drawing):
    return any(abs(a[0] - b[0]) < 0.1 and abs(a[1] - b[1]) > 0.06 * drawing.height for a, b in lines)


def lacking_numbers(drawing):
    """gnuplot leaves out numbers for which there is no space."""
    at_y = [t for t in drawing.texts if t.is_tick and t.anchor == "end"]
    return ["y"] if has_vertical(drawing.borders, drawing) and len(at_y) < 2 else []


def without_legend(drawing):
    """Colours of marks that no text and no key has; charts of rows name each mark by its row."""
    named = drawing.legend | {t.colour for t in drawing.texts}
    pale = {"rgb(%d,%d,%d)" % tuple((n + 510) // 3 for n in numbers(c)) for c in named if len(numbers(c)) == 3}
    missing = {c for c in drawing.marks - named - pale if not is_gray(c)} if has_vertical(drawing.lines, drawing) else set()
    words = " ".join(t.text for t in drawing.texts)
    if drawing.rings and not any(word in words for word in SUSPECT):
        missing.add("rings")
    if drawing.crosses and not any(word in words for word in INVALID):
        missing.add("crosses")
    return sorted(missing)


ROWS = re.compile(r"isa|brain|hybrid|overhead|spaces|peers|lighter|devices|by_shape|epilogue|gpu_|filter_|transfers|offload")


def measure(path, size):
    """What is wrong with a drawing, in words."""
    drawing, wrong = Drawing(path), []
    name = os.path.basename(path)
    share = share_of_axes(drawing) if drawing.lines else 1.0
    if share < LEAST_SHARE[size]:
        wrong.append("the axes fill %.0f %%" % (100 * share))
    for what, found in (("outside the page", outside(drawing)), ("overlapping", overlapping(drawing)),
                        ("touching ticks", touching(drawing)),
                        ("axes without numbers", [] if ROWS.search(name) else lacking_numbers(drawing)),
                        ("without a legend", [] if ROWS.search(name) else without_legend(drawing))):
        if found:
            wrong.append("%s: %s" % (what, found[:4]))
    if size == "8x6cm" and any(t.size > 15 for t in drawing.texts):
        wrong.append("it has a title")
    return ["%s: %s" % (name, text) for text in wrong]


class Study:
    def __init__(self, source, study, place):
        self.source, self.study, self.place = source, study, place

    def draw(self, folder, names, size, language, formats):
        results = os.path.join(self.place, folder)
        if not os.path.isdir(results):
            shutil.copytree(os.path.join(self.source, REFERENCE, folder), results)
        shutil.rmtree(os.path.join(results, "figures"), ignore_errors=True)
        command = [self.study, "plot", *names, "--results", results, "--lang", language, "--format", formats]
        command += ["--size", size, "--font", "9"] if size else []
        run = subprocess.run(command, capture_output=True, text=True)
        if "is not in this build" in run.stderr:
            return []
        if "gnuplot failed" in run.stderr:
            raise SystemExit(run.stderr)
        drawn = [line for line in run.stdout.split("\n") if line.startswith(results)]
        if not drawn:
            raise SystemExit("nothing was drawn: " + run.stderr)
        return drawn


def check_formats(drawn):
    """The same charts exist in all formats."""
    by_chart = {}
    for path in drawn:
        by_chart.setdefault(os.path.splitext(path)[0], set()).add(os.path.splitext(path)[1])
    return ["%s: only %s" % (os.path.basename(c), sorted(have)) for c, have in by_chart.items() if len(have) != 3]


def check_many_rows(tool, folder="amd-epyc-zen3-2-cores-avx2"):
    """A chart of 36 shapes grows; on a sheet of the user's size it says how many are missing."""
    wrong = []
    for size, left in (("", 0), ("16x10cm", 12)):
        path = next(p for p in tool.draw(folder, ["peers_avx2"], size, "en", "svg") if "networks" not in p)
        drawing = Drawing(path)
        shapes = [t for t in drawing.texts if re.match(r"(resnet18|dw|pw|alexnet|vgg16|googlenet)_\d|matmul \d", t.text)]
        more = [t.text for t in drawing.texts if "not drawn" in t.text]
        if len(shapes) != 36 - left:
            wrong.append("%d shapes of 36 are drawn" % len(shapes))
        if bool(more) != bool(left) or left and "not drawn: %d more rows" % left not in more[0]:
            wrong.append("what is not drawn: %s" % more)
        found = outside(drawing) + overlapping(drawing) + without_legend(drawing)
        wrong += ["%s: %s" % (size or "usual size", found[:4])] if found else []
    return wrong


def crossed(drawing, names):
    """Texts of these names through which a curve goes."""
    along = [(a[0] + (b[0] - a[0]) * i / 8, a[1] + (b[1] - a[1]) * i / 8) for a, b in drawing.curves for i in range(9)]
    return [t.text for t in drawing.texts if re.match(names, t.text) and
            any(t.box[0] < x < t.box[2] and t.box[1] < y < t.box[3] for x, y in along)]


def check_names(tool):
    """The names of thirty curves do not overlap; no curve goes through the names of vertical lines."""
    wrong = []
    for folder, experiment, chart in (("amd-epyc-zen4-2-cores-thesis", "solar_mlp_training", "training_batch"),
                                      ("amd-epyc-zen4-2-cores-networks", "mri_training", "learning_rate")):
        path = next(p for p in tool.draw(folder, [experiment], "", "en", "svg") if chart in p)
        drawing = Drawing(path)
        curves = [t for t in drawing.texts if t.text.startswith("mlp:")]
        verticals = [t for t in drawing.texts if re.match("falls fastest|trained with", t.text)]
        if len(curves) + len(verticals) not in (30, 2):
            wrong.append("%s: %d curves and %d vertical lines have names" % (chart, len(curves), len(verticals)))
        bases = sorted(t.box[3] for t in curves)
        if any(b - a < curves[0].size for a, b in zip(bases, bases[1:])):
            wrong.append("%s: names of curves are closer than their size" % chart)
        found = outside(drawing) + overlapping(drawing) + crossed(drawing, "falls fastest|trained with")
        wrong += ["%s: %s" % (chart, found[:4])] if found else []
    return wrong


def check_many_workers(study, place):
    """The numbers of a speedup figure have room, also those of thousands of workers."""
    wrong = []
    with open(f"{place}/many.csv", "w", encoding="utf-8") as file:
        file.write("ranks,time\n" + "".join(f"{p},{1e4 / p ** 1.05:.4f}\n" for p in (1, 4, 16, 64, 256, 1024, 4096, 16384)))
    drawn = f"{place}/many/charts/times_many-speedup.svg"
    commands = {drawn: ["speedup", "--csv", f"{place}/many.csv", "--charts", "svg"]}
    for size in ("16x10cm", "12x9cm", "8x6cm"):
        commands[f"{place}/many/figures/times_many-speedup-{size}.svg"] = [
            "plot", "times_many", "--size", size, "--format", "svg"]
    for path, command in commands.items():
        subprocess.run([study, *command, "--results", f"{place}/many"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        found = outside(Drawing(path))
        wrong += [f"many workers, {os.path.basename(path)}: outside the page: {found[:4]}"] if found else []
    return wrong


def main(source, study):
    if not shutil.which("gnuplot"):
        return SKIPPED
    long = os.environ.get("MAXPOOL_LONG") == "1"
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as place:
        tool = Study(source, study, place)
        for folder in FOLDERS if long else SUBSET:
            for size in SIZES:
                for language in ("en", "es") if long or size == "8x6cm" else ("en",):
                    names = SUBSET.get(folder, []) if size == "8x6cm" else SUBSET.get(folder, [])[:2]
                    drawn = tool.draw(folder, [] if long else names, size, language,
                                      "svg,pdf,tikz" if long else "svg")
                    wrong += check_formats(drawn) if long else []
                    for path in (p for p in drawn if p.endswith(".svg")):
                        wrong += ["%s %s %s" % (size, language, text) for text in measure(path, size)]
                        count += 1
        wrong += check_many_rows(tool) + check_names(tool) + check_many_workers(study, place)
    print("\n".join(wrong))
    print("%d drawings, %d faults" % (count, len(wrong)))
    return 1 if wrong or count < 7 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
