#!/usr/bin/env python3
"""Commands on made-up results with a known truth: reports, charts, machines and comparisons, what is imported, and what
happens where nothing can be written. Usage: tests/support/commands.py."""
import csv
import gzip
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect, rows_in
from commands import BIN, DIR, command, done, fails, holds, main, need_program, write


def results_are_made():
    for name, maker in (("made", "make_results"), ("networks", "make_network_results"),
                        ("trainings", "make_training_results"), ("crossovers", "make_crossover_results")):
        done(f"./{maker} $DIR/{name}")


def has(text, *parts, never=()):
    for part in parts:
        expect(f"{part!r} is there", part in text, text[:2000])
    for part in never:
        expect(f"{part!r} is not there", part not in text)


def text_of(name):
    return (DIR / name).read_text(encoding="utf-8")


def pages_of(name):
    return "".join(path.read_text(encoding="utf-8") for path in sorted((DIR / name).glob("report*.html")))


def scale_times(source, target, factor, columns=("total_s",), threads=None):
    """Writes the samples of a file with the times multiplied, or only those with a number of threads."""
    rows = rows_in(DIR / source)
    (DIR / target).parent.mkdir(exist_ok=True)
    with open(DIR / target, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            chosen = threads in (None, row["threads"])
            writer.writerow({**row, **{c: f"{factor * float(row[c]):.9g}" for c in columns if chosen}})


# ---- where nothing has a core of its own ----------------------------------------------------------------------------

def all_cores_are_shared():
    """A container with less than one core: even one worker shares it, so no point is the fastest one. The page is
    written nevertheless."""
    for name in ("made", "networks", "trainings", "crossovers"):
        (DIR / f"shared_{name}").mkdir()
        for path in (DIR / name).glob("*.csv"):
            rows = rows_in(path)
            with open(DIR / f"shared_{name}" / path.name, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
                writer.writeheader()
                writer.writerows({**row, **({"binding": "shared"} if "binding" in row else {})} for row in rows)
        done(f"./study report --charts none --results $DIR/shared_{name}")
        has(pages_of(f"shared_{name}"), "SUSPECT")


# ---- charts ---------------------------------------------------------------------------------------------------------

CHARTS = {
    "made": {
        "threads": ("times as fast", "fused, threads", "literal, threads", "workers (ranks", "bound 2.5", "efficiency"),
        "serial_growth": ("The time of literal grows as n^2.", "staged", "fused", "10 ms", "ns per window",
                          "rows and columns"),
        "weak_scaling": ("efficiency", "fused, ranks", "16", "Weak scaling", "Gustafson"),
        "peers": ("alexnet_5", "onednn-nhwc", "pytorch", "ours is faster"),
        "peers-peers_planes": ("s = k", "k = 2", "single planes", "library / ours"),
        "hyperparameters": ("s = 1: windows overlap", "s = k", "(elements)", "k³"),
        "hyperparameters-stride_padding": ("literal k=4", "varies as s^-", "elements added on every side"),
        "conv_gradients-methods_by_shape": (
            "literal: 64 × 56 × 56, k = 3, ∂ image", "implicit: 64 × 56 × 56, k = 3, s = 2, ∂ image",
            "literal: 64 × 56 × 56, k = 3, ∂ weights", "tiles: 64 × 56 × 56, k = 3, ∂ weights")},
    "networks": {
        "devices": ("resnet18 896²",), "batch": ("images of a batch",), "faces": (">split<",),
        "layers": ("conv1 (implicit)", "share of the limit", "21.4 ms"),
        "network_peers-peers_networks": ("ours is faster",),
        # every method that rounds is named
        "network_peers-errors": (">auto<", ">implicit<", ">onnxruntime<", ">openvino<", ">pytorch<", "error, ulps",
                                 "off by 3 ulps", ">resnet18<")},
    "trainings": {
        "mri_training-training_curve": ("accuracy",),
        "mri_training-confusion": (">38<", "coronal"),  # three classes, ten outputs
        "mri_training-learning_rate": ("falls fastest: 0.0001",), "mlp_training-training_size": ("batch 1000",),
        "training_layers": ("dense1",), "cnn_batch-training_batch": ("images of a batch",),
        "cnn_strategies-training_phases": ("mirrored, ranks: 2",)},
    # with the batch of their claims: the one with most pairs, among equals the largest
    "crossovers": {
        "crossing-training_parts": ("mlp:100-50, batch 1000",),
        "fewer_threads-training_parts": ("mlp:200-100, batch 100",),
        "more_threads-training_parts": ("mlp:200-100, batch 100",),
        "equal_sizes-training_parts": ("mlp:44-43, batch 100",),
        "crossing-training_threads": ("1 worker, hidden layers: 2",),
        "crossing-training_devices": ("GPU, hidden layers: 1",), "crossing-training_depth": ("hidden layers: 2",),
        "crossing-training_depth_gpu": ("hidden layers: 1",), "crossing_inference-inference_threads": ("batch 1000",),
        "crossing_inference-inference_devices": ("processor, hidden layers: 2",),
        "batches-training_threads": ("batch 200",), "batches-training_devices": ("batch 200",),
        "batches-training_depth": ("batch 200",)}}


def define_crossovers():
    """Writes the definitions of the charts of crossovers, beside their samples."""
    charts = {}
    for chart in [*CHARTS["crossovers"], "methods-training_parts", "methods_partly-training_parts"]:
        name, _, kind = chart.partition("-")
        charts.setdefault(name, []).append(kind)
    (DIR / "definitions").mkdir()
    for name, kinds in charts.items():
        task = "" if "inference" in name else "task = train\ndata = random\n"
        write(f"definitions/{name}.ini",
              f"[experiment]\ntitle = T\nquestion = Q?\nsection = training\ncharts = {' '.join(kinds)}\n[points]\n"
              f"programs = network_omp\nmethod = auto\n{task}network = mlp:50\nimages = 1000\n")


def charts_have_series_axes_and_units():
    need_program("gnuplot")
    define_crossovers()
    for folder, charts in CHARTS.items():
        own = " --definitions $DIR/definitions" if folder == "crossovers" else ""
        if not own:
            done(f"./study report --charts svg --results $DIR/{folder}")
        done(f"./study plot --charts svg --results $DIR/{folder}{own}")
        for name, texts in charts.items():
            svg = text_of(f"{folder}/charts/{name}.svg")
            for text in texts:
                expect(f"{folder}: {name} has {text!r}", text in svg)
    has(text_of("made/charts/threads.svg"), never=["serial, "])  # a single x is no curve
    has(text_of("networks/charts/network_peers-errors.svg"), never=["mlp:50"])  # exact results
    has(pages_of("networks"), "batch of 32", "1789.84 s")
    for page in ("report-training.html", "report.md", "report.tex"):
        has(text_of(f"trainings/{page}"), "Networks: training", "After 25 epochs")


def marks_are_of_each_step():
    """Times and shares of the limit of four steps, and of the key; gnuplot 6 puts a white disc behind a mark."""
    need_program("gnuplot")
    marks = text_of("networks/charts/layers.svg").split("xlink:href='#gpPt")[1:]
    times = [mark for mark in marks if mark.startswith("6'") and "#FFFFFF" not in mark.partition(">")[0]]
    expect("marks", (len(times), sum(mark.startswith("4'") for mark in marks)) == (4 + 1, 4 + 1), len(marks))


def rows_of_a_chart_are_in_order():
    """The rows of a lighter network are in the order of their times of one image, and the marks in that of the
    workers."""
    need_program("gnuplot")
    svg = text_of("networks/charts/lighter.svg")
    for names in ((">mobilenet_v2 224² × 16<", ">mobilenet_v2 224²<", ">resnet18 224² × 16<", ">resnet18 224²<"),
                  (">1 worker<", ">2 workers<")):
        places = [svg.find(name) for name in names]
        expect(f"the order of {names}", 0 <= places[0] and places == sorted(places), places)


def widest_forward(name):
    """Returns the width in pixels of the widest rectangle of the part `forward`."""
    corners = re.findall(r"<polygon fill = 'rgb\(  0, 114, 178\)' points = '([\d.]+),[\d.]+ ([\d.]+),",
                         text_of(f"crossovers/charts/{name}-training_parts.svg"))
    return max(float(right) - float(left) for left, right in corners)


def a_chart_shows_the_method_of_its_claim():
    """The last of those in two batches. Of 490 pixels, forward takes up to a tenth with one method and 29 % with the
    other."""
    need_program("gnuplot")
    both, partly = widest_forward("methods"), widest_forward("methods_partly")
    expect("the widths", 40 < both < 60 and 120 < partly < 160, (both, partly))


def charts_of_packed_tables_are_those_of_plain_ones():
    """The report names a damaged one."""
    need_program("gnuplot")
    packed = DIR / "packed"
    packed.mkdir()
    for path in (DIR / "trainings").glob("*.csv"):
        (packed / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    done("./study plot --charts svg --results $DIR/packed")
    charts = sorted((DIR / "trainings/charts").glob("*.svg"))
    expect("there are charts", "mri_training-confusion.svg" in [chart.name for chart in charts], charts)
    for chart in charts:
        expect(f"{chart.name} is the same", chart.read_bytes() == (packed / "charts" / chart.name).read_bytes())
    damaged = packed / "mri_training.training.csv.gz"
    damaged.write_bytes(damaged.read_bytes()[:-100])
    outcome = command("./study report --charts svg --results $DIR/packed")
    expect("it is named", outcome.status != 0 and any(
        "mri_training.training.csv.gz" in line and "cut off" in line for line in outcome.err.splitlines()), outcome)
    expect("it has no chart", not (packed / "charts/mri_training-confusion.svg").exists())


def without_gnuplot_the_command_is_reported():
    """The data files are written, and the message is the command that draws the chart."""
    fails(3, "mkdir $DIR/empty && PATH=$DIR/empty ./study plot serial_growth --results $DIR/made", "gnuplot is missing",
          "analysis/serial_growth.serial_growth.csv", "/plots/forms/form_lines.gp")
    expect("the points", (DIR / "made/analysis/serial_growth.points.csv").stat().st_size > 0)


# ---- reports --------------------------------------------------------------------------------------------------------


def a_report_stands_alone():
    done("./study report --results $DIR/made --lang es")
    html = pages_of("made")
    has(html, '<html lang="es">', "resultado incorrecto en 5 de 5 lanzamientos", "Ley Universal de Escalabilidad",
        "su tiempo / el nuestro", never=["<script", " nan", ">nan"])
    if shutil.which("gnuplot"):  # the page contains the charts, and they show data
        has(html, "ns por ventana", "var(--m2)", never=['font-family="Helvetica'])
    expect("pictures are in the page", html.count("src=") == html.count('src="data:image/png;base64,'))
    has(text_of("made/report.tex"), "\\begin{longtable}", "maxpool\\_serial & literal")
    expect("report.md", text_of("made/report.md"))


def a_report_opens_in_a_browser():
    """It lays the page out, and its console stays empty."""
    need_program("chromium")
    done("./study report --results $DIR/made")
    outcome = done("timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir=$DIR/browser "
                   "--enable-logging=stderr --dump-dom file://$DIR/made/report-pooling.html", never=["CONSOLE"])
    figures = sum("<figure" in line for line in outcome.out.splitlines())
    expect("eight figures", figures >= 8 or not shutil.which("gnuplot"), figures)


def several_machines_are_compared_with_the_first():
    """The same samples with all times halved count as twice as fast; a third machine measured little."""
    for name in ("threads", "serial_growth"):
        scale_times(f"made/{name}.csv", f"fast/{name}.csv", 0.5, ("total_s", "compute_s"))
    (DIR / "little").mkdir()
    shutil.copy(DIR / "made/weak_scaling.csv", DIR / "little")
    report = f"cd $DIR/made && {BIN}/study report"
    done(f"{report} serial_growth --results . --results ../fast --label 'here, slow' --label there")
    has(text_of("made/machines.html"), "<td>here, slow</td>", "<td>the reference</td>", "<td>2.00</td>",
        never=["not measured there"])
    done(f"{report} --results . --results ../fast --results ../little --lang es")
    has(text_of("made/machines.html"), "no se midió allí", "<td>2,00</td>")


def other_files_are_imported_with_the_samples():
    """Layers, timelines and training curves are not taken for samples."""
    for folder, *names in (("networks", "layers.layers.csv", "faces.timeline.csv"),
                           ("trainings", "mri_training.training.csv")):
        done(f"mkdir $DIR/{folder}/home && ./study import $DIR/{folder} --results $DIR/{folder}/home")
        expect("there are samples", text_of(f"{folder}/home/samples.csv"))
        for name in names:
            expect(f"{name} is the same", text_of(f"{folder}/{name}") == text_of(f"{folder}/home/{name}"))


# ---- laws and comparisons -------------------------------------------------------------------------------------------


def amdahls_table_is_that_of_the_tesina():
    done("./study amdahl --fraction 0.61 --workers 640,2496,2560", "2.55785", "2.56250", "2.56254")
    fails(2, "./study amdahl --fraction 1.5")
    fails(2, "./study amdahl --fraction 0.5 --workers 4,x")


def a_comparison_has_a_status():
    """The same samples, and those with ten times the total time of 8 threads: faster, but one point of B is wrong."""
    done("./study compare $DIR/made/serial_growth.csv $DIR/made/serial_growth.csv")
    scale_times("made/threads.csv", "slow.csv", 10, threads="8")
    fails(1, "./study compare $DIR/made/threads.csv $DIR/slow.csv")
    outcome = holds(fails(1, "./study compare $DIR/slow.csv $DIR/made/threads.csv"), "2 faster, 0 slower")
    has(outcome.out + outcome.err, "wrong results")
    outcome = command("./study compare $DIR/slow.csv $DIR/made/threads.csv --lang es")
    if outcome.status != 3:  # there is a catalogue
        has(outcome.out, "2 más rápidos, 0 más lentos", "MÁS RÁPIDO", never=["launches"])


def doubtful_times_decide_no_comparison():
    """Every time is twice as long, but the ranks shared cores: the points are SUSPECT in both result sets, so that no
    change can be attributed."""
    scale_times("made/binding.csv", "twice.csv", 2)
    outcome = holds(fails(3, "./study compare $DIR/made/binding.csv $DIR/twice.csv", "5 of 5 points are UNDECIDED"),
                    "UNDECIDED (SUSPECT in A and B: ", "5 points: 0 faster, 0 slower, 0 same, 5 undecided")
    has(outcome.out, never=["SLOWER"])


# ---- what cannot be written -----------------------------------------------------------------------------------------


def a_full_disk_is_an_error():
    """For derived data and for printed output."""
    fails(5, "mkdir $DIR/full && cp $DIR/made/threads.csv $DIR/full && ulimit -f 1 && "
             "./study analyze --results $DIR/full >/dev/null 2>&1")
    fails(5, "./study amdahl --fraction 0.5 >/dev/full")


def unwritable_results_are_refused():
    fails(2, "./study analyze --results $DIR/none")
    fails(5, "mkdir $DIR/locked && cp $DIR/made/threads.csv $DIR/locked && touch $DIR/locked/analysis && "
             "./study analyze --results $DIR/locked")


if __name__ == "__main__":
    sys.exit(main(
        results_are_made, all_cores_are_shared, charts_have_series_axes_and_units, marks_are_of_each_step,
        rows_of_a_chart_are_in_order,
        a_chart_shows_the_method_of_its_claim, charts_of_packed_tables_are_those_of_plain_ones,
        without_gnuplot_the_command_is_reported, a_report_stands_alone,
        a_report_opens_in_a_browser, several_machines_are_compared_with_the_first,
        other_files_are_imported_with_the_samples, amdahls_table_is_that_of_the_tesina, a_comparison_has_a_status,
        doubtful_times_decide_no_comparison, a_full_disk_is_an_error, unwritable_results_are_refused))
