#!/usr/bin/env python3
"""What sentences claim about made-up samples with a known truth: times that drift together are compared within rounds,
what cannot be distinguished is not, and a middle value that is hardly known is not quoted. Usage:
tests/support/commands.py."""
import math
import pathlib
import re
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parent / "support")]
from checks import expect, rows_in
from commands import DIR, done, main, need_program
from claims import ROUNDS, STEADY, Made, has, scatter
from maker import network_point, point


def is_near(text, words, value, error):
    """Expects a number after these words."""
    found = re.search(re.escape(words) + r"([\d.]+)", text)
    expect(f"{words!r} {value}", found and abs(float(found[1].rstrip(".")) - value) < error, text)


def methods(fused, odd):
    made = Made("methods")
    for number, (method, *times) in enumerate((("literal", 1e-2), ("fused", fused, odd), ("simd", 1e-3))):
        made.point(number, point("serial", method), *times)
    return made


def drift_cancels_in_a_ratio_and_is_reported_of_a_time():
    made = methods(1.1e-3, 1.0)
    c = made.claim("methods")
    is_near(c.title, "simd is ", 10, 0.2)
    is_near(c.answer, "(SUSPECT), ", 10, 0.2)  # the time drifts threefold
    has(c.answer, "] times as fast as literal", "with one worker simd takes 1.2", " to 2.7", never=["no difference"])
    has(made.claim("methods", "es").answer, "simd tarda 1,2")


def what_is_not_different_is_not_reported():
    made = methods(1.03e-3, 0.93)
    has(made.claim("methods").answer, "no difference from ")
    has(made.claim("methods", "es").answer, "no se ve diferencia con ")


def growth_is_compared_within_rounds():
    made = Made("window_count")
    made.point(0, point("serial", "literal"), 1e-3)
    made.point(1, point("serial", "literal", rows=2048, cols=2048), 4e-3)
    answer = made.claim("window_count").answer
    has(answer, "4 times as many windows, and literal takes ", "[", never=[" to 1"])  # unpaired: from 1.8 to 8 times
    is_near(answer, "literal takes ", 4, 0.05)


def of_set(method, isa):
    return point("serial", method, isa_limit=isa)


def what_is_suspect_is_never_the_most():
    """The larger gain belongs to times that drifted."""
    made = Made("isa")
    made.steady(0, of_set("simd", "baseline"), 1e-2)
    made.steady(1, of_set("simd", "avx2"), 5e-3)
    made.steady(2, of_set("fused", "baseline"), 1e-2)
    made.point(3, of_set("fused", "avx2"), 1e-3)
    c = made.claim("isa")
    has(c.answer, "avx2 makes simd 2", never=["fused"])
    has(c.plain, "simd takes about 50 % of the time")
    expect("two rows", [row["trust"] == "SUSPECT" for row in c.rows] == [False, True], c.rows)


def no_set_is_praised_without_a_difference():
    made = Made("isa")
    made.steady(0, of_set("simd", "baseline"), 1e-2)
    made.steady(1, of_set("simd", "avx2"), 1e-2)
    c = made.claim("isa")
    has(c.title, "No instruction set is seen to make a method faster")
    has(c.page, never=["In plain words"])


def a_fixed_cost_is_no_power_of_k():
    """A fixed cost is added to k^3; both are equal at k = 10."""
    made = Made("hyperparameters")
    for i, k in enumerate((2, 4, 8, 16, 32, 64)):
        made.point(i, point("serial", "literal", kernel=k, stride=k), 1e-3 * (1 + (k / 10) ** 3))
    c = made.claim("hyperparameters")
    has(c.title, "No single power of k describes literal: k^")
    has(c.title.partition("] to k^")[2], " [")  # each exponent has its interval
    has(c.answer, " from k = 2 to 4, and as k^", "from 32 to 64; costs that do not grow with k dominate below k = 8",
        never=["varies as k^2.4"])
    is_near(c.answer, "and as k^", 3, 0.5)
    has(made.claim("hyperparameters", "es").answer,
        "los costos que no crecen con k dominan por debajo de k = 8")


def of_ranks(distribution, **others):
    """Ranks that are sent their rows, or generate them."""
    return point("mpi", "fused", **{"ranks": 2, "distribute_s": 1e-5, "collect_s": 1e-5, "distribution": distribution,
                                    **others})


def single_samples_are_not_called_alike():
    """One sample each: nothing says how far the times scatter, so nothing says that they are alike."""
    made = Made("distribution")
    for i, (distribution, seconds) in enumerate((("generate", 1e-3), ("scatter", 5e-3))):
        made.results.append("distribution", "", [{
            **of_ranks(distribution), "experiment": "distribution", "seed": 35, "run_id": f"run-{i}", "round": 0,
            "warmup": 0, "sample": 0, "total_s": seconds, "compute_s": seconds, "stop_reason": "samples"}])
    has(made.claim("distribution").title, "scatter takes 5")


def declared_precisions_are_other_problems():
    """A product in tf32 is another problem than one in float32, also than one of a file without the column: nothing
    compares the two, and its label has the word."""
    made = Made("precisions")
    for i, (method, precision) in enumerate((("naive", ""), ("blocked", "fp32"), ("packed", "tf32"))):
        made.point(i, point("serial", method, operator="matmul", math=precision), 1e-3 / (i + 1))
    made.claim("methods")
    labels = {row["method"]: (row["label"], row["best_baseline"])
              for row in rows_in(DIR / made.folder / "analysis/precisions.points.csv")}
    names = {label: method for method, (label, _) in labels.items()}
    best = {method: names.get(baseline) for method, (_, baseline) in labels.items()}
    expect("the baselines", best == {"naive": "blocked", "blocked": "blocked", "packed": "packed"}, labels)
    expect("a label has the word", [m for m in labels if "tf32" in labels[m][0]] == ["packed"], labels)


def two_ways_without_a_difference_are_none():
    for seconds, odd, words in ((1.05e-3, 0.9, "no difference is seen"), (1.2e-3, 1.0, "scatter takes ")):
        made = Made("distribution")
        made.point(0, of_ranks("generate"), 1e-3)
        made.point(1, of_ranks("scatter"), seconds, odd)
        c = made.claim("distribution")
        has(c.title, words)
    is_near(c.title, "scatter takes ", 1.2, 0.02)
    has(c.answer, "] times as long as generate")


def a_division_is_not_compared_with_itself():
    """The fastest division of the cores is doubtful. The best of the others is compared with it, not with itself, and
    is not called the fastest."""
    made = Made("hybrid")
    made.point(0, of_ranks("generate"), 1e-3)  # drifts threefold
    made.steady(1, of_ranks("generate", ranks=1, threads=2), 4e-3)
    c = made.claim("hybrid")
    expect("two rows", len(c.rows) == 2, c.rows)
    has(c.title, "fused: no division of the cores is seen to be faster")
    has(c.answer, "k = 2, 2 threads take 4", "; 2 ranks take 0.", " times as long (SUSPECT).", never=["take 1 times"])


def messages_of_one_problem_are_reported():
    """Messages of a problem that the sentence does not name belong to another sentence."""
    other = of_ranks("generate", kernel=3, distribute_s=3e-4, collect_s=3e-4)
    made = Made("communication")
    made.point(0, of_ranks("generate"), 1e-3)
    made.point(1, other, 1e-3)
    c = made.claim("communication")
    has(c.answer, "k = 2, messages between 2 ranks take 1.", " % of the total time (fused generate).")
    has(c.title, never=[" to "])
    expect("one row", len(c.rows) == 1, c.rows)
    has(made.claim("communication", "es").answer, "entre 2 procesos ocupan el 1,")
    made.point(2, of_ranks("scatter"), 1.2e-3)
    c = made.claim("communication")
    has(c.answer, " (fused scatter) to ", " (fused generate) of the total time.")
    expect("two rows", len(c.rows) == 2, c.rows)
    made.point(3, {**other, "distribution": "scatter"}, 1.5e-3)  # now more points have k = 3
    made.point(4, {**other, "method": "literal"}, 2e-3)
    c = made.claim("communication")
    has(c.answer, "k = 3, s = 2, messages between 2 ranks take from ")
    expect("three rows", len(c.rows) == 3, c.rows)


ONE, TWO = point("omp", "staged", threads=1), point("omp", "staged", threads=2, rows=2048)


def one_weak_efficiency_is_reported_once():
    """One method has one efficiency, and no second one is reported."""
    made = Made("weak_scaling")
    made.point(0, ONE, 1e-3)
    made.point(1, TWO, 1.25e-3)
    answer = made.claim("weak_scaling").answer
    is_near(answer, "has an efficiency of ", 80, 1)
    has(answer, "staged with 2 threads has an efficiency of ")
    has(made.claim("weak_scaling", "es").answer, "staged con 2 hilos tiene una eficiencia de ")


def what_has_no_interval_is_rough():
    """A first look has one launch of each point: its numbers have no interval, so the sentence that is shown alone has
    the word, and the title too."""
    weak = Made("weak_scaling")
    weak.rounds(0, ONE, 1e-3, [1])
    weak.rounds(1, TWO, 0.868e-3, [1])
    c = weak.claim("weak_scaling")
    has(c.title, " (ROUGH)")
    has(c.answer, "has an efficiency of 115 % (ROUGH)")
    has(weak.claim("weak_scaling", "es").answer, " % (APROXIMADO)")
    strong = Made("threads")
    strong.rounds(0, ONE, 1e-3, [1])
    strong.rounds(1, {**ONE, "threads": 2}, 0.435e-3, [1])
    has(strong.claim("speedup").page, "**ROUGH: With 2 threads, staged is 2.29")  # it leads the page
    need_program("gnuplot")
    folder = f"$DIR/{strong.folder}"
    done(f"./study plot threads --charts svg --results {folder} --definitions {folder}")
    has((DIR / strong.folder / "charts/threads-speedup.svg").read_text(encoding="utf-8"),
        "staged is 2.29 times as fast with 2 threads", "(ROUGH)")


def exponents_of_one_method_are_reported():
    """The exponents in a sentence are those of the method that it names: blocked has no stride here."""
    made = Made("conv_hyperparameters")
    for i in range(3):
        made.point(i, point("serial", "blocked", kernel=3 + 2 * i, stride=1), 1e-3 * (3 + 2 * i) ** 2)
        made.point(10 + i, point("serial", "literal", kernel=3, stride=1 + i), 1e-2 / (1 + i) ** 2)
    has(made.claim("conv_hyperparameters").answer, "The time of blocked varies with the kernel size as k^",
        never=["with the stride"])


def libraries_of_programs_are_reported_with_both_ends():
    """Two problems, k = 2 and 3: one library takes 3 and 38 times our time."""
    made = Made("peers")
    for k in (2, 3):
        for i, (space, method, seconds) in enumerate((
                ("serial", "simd", 1e-3), ("serial", "onednn", 2e-3),
                ("onnxruntime", "onnxruntime", 3e-3 if k == 2 else 38e-3), ("openvino", "openvino", 5e-3))):
            made.point(10 * k + i, point(space, method, kernel=k), seconds)
    answer = made.claim("peers_planes").answer
    is_near(answer, "onnxruntime takes at least ", 3, 0.1)
    is_near(answer, "openvino takes at least ", 5, 0.2)
    has(answer, "] and at most 38", never=["onednn takes at least "])
    has(made.claim("peers_planes", "es").answer, "openvino tarda al menos ")


def with_errors(*ulps):
    """Our methods implicit and winograd, and libraries, with these errors."""
    made = Made("digits")
    for i, (method, error) in enumerate(zip(("implicit", "winograd", "onednn", "openvino", "pytorch"), ulps)):
        made.point(i, point("serial" if i < 3 else method, method, operator="conv", kernel=3, stride=1, channels=4,
                            filters=4, error_ulps_rms=error), 1e-3 * (5 - i))
    return made


def times_are_compared_among_similar_errors():
    """Our methods have errors of 2 and 20 ulps. A library with 3 is compared with the first, one with 30 with the
    second, one with 2000 with none; 0.1 counts as 1. Without recorded errors all are compared."""
    made = with_errors(2.0, 20.0, 3.0, 30.0, 2000.0)
    has(made.claim("peers_planes").answer, "Times are compared among similar errors", "1 time of a library is left out")
    # only our methods, without onednn
    has(made.claim("methods").answer, " Not all errors are similar: 2 ulps of implicit, 20 of winograd.")
    has(made.claim("errors").answer, "the fastest is pytorch (",
        ", a root mean square error of 2000 ulps), the nearest to what is right implicit (", " ms, 2).",
        never=["Not all errors"])
    has(made.claim("errors", "es").answer, "ulps")
    made = with_errors(0.0, 0.0, 3.9, 4.1, 0.1)
    has(made.claim("peers_planes").answer, "1 time of a library is left out")
    has(made.claim("methods").answer, never=["Not all errors"])
    has(with_errors(0.0, 0.0, 0.0, 0.0, 0.0).claim("errors").page, "all results are exact")
    made = with_errors(None, None, None, None, None)
    has(made.claim("peers_planes").answer, never=["similar errors"])
    has(made.claim("errors").page, "no sample records errors")


def doubt_makes_no_slower_library_the_fastest():
    """The faster library is SUSPECT, as nothing verified it; each of its launches is shorter than all of the other's,
    or only most are."""
    for odd, library in ((4.0, "(onednn-nhwc, "), (5.0, "(onednn, ")):
        made = Made("peers")
        made.steady(0, point("serial", "simd"), 1e-3)
        made.steady(1, point("serial", "onednn"), 9e-3)
        made.rounds(2, point("serial", "onednn-nhwc", verified=""), 2e-3, [*STEADY[:3], odd, *STEADY[4:]])
        has(made.claim("peers_planes").answer, library)


def each_comparison_is_counted_once():
    """A plane, a network and a product: each is counted by the chart that draws it."""
    made = Made("peers")
    rows = (("peers_planes", "onednn", "(onednn, 1024 x 1024, k=2 s=2)", point("serial", "simd")),
            ("peers", "openblas", "(openblas, matmul 1024 x 1024)",
             point("serial", "packed", operator="matmul", kernel=0, stride=0)),
            ("peers_networks", "onednn", "(onednn, resnet18 64 x 64)", network_point("serial", "resnet18", 1, 64)))
    for i, (_, library, _, ours) in enumerate(rows):
        made.steady(2 * i, ours, 1e-3)
        made.steady(2 * i + 1, {**ours, "method": library}, 2e-3)
    for chart, _, shape, _ in rows:
        c = made.claim(chart)
        has(c.title, "Ours is faster in 1 of 1 comparisons")
        has(c.answer, shape)


def a_library_of_one_problem_has_no_two_ends():
    """One problem gives one ratio, not a range."""
    made = Made("peers")
    made.point(0, point("serial", "simd"), 1e-3)
    made.point(1, point("openvino", "openvino"), 5e-3)
    for language, words, range_word in (("en", " openvino takes ", "between"), ("es", " openvino tarda ", "entre")):
        answer = made.claim("peers_planes", language).answer
        is_near(answer.replace(",", "."), words, 5, 0.2)
        has(answer, never=[range_word])


def plain_loops_of_a_library_are_reported():
    """The library has vector code for one of four shapes."""
    made = Made("peers")
    for k in (2, 3, 4, 5):
        made.point(10 * k, point("serial", "simd", kernel=k), 1e-3)
        made.point(10 * k + 1, point("serial", "onednn", kernel=k, isa="oneDNN 2.6.0 " + (
            "jit:avx512_core" if k == 2 else "simple_nchw:any")), 2e-3 if k == 2 else 50e-3 * k)
    has(made.claim("peers_planes").answer, "(onednn, ", "(onednn by plain loops, ",
        " In 3 of these the fastest library has no vector code for the shape")
    has(made.claim("peers_planes", "es").answer, "(onednn con bucles simples, ",
        " En 3 de estas la biblioteca más rápida no tiene código vectorial")


def overheads_are_seen_together():
    """A serial program and one rank, for some problems. Each ratio alone differs from 1, at 4.4 %; two of them together
    do not."""
    logs = (0.02, 0.1, 0.01, -0.01, 0.12, 0.06, 0.01, 0.08, 0.02)
    for problems, counted, title in ((1, "1 of 1", "One rank takes up to "), (2, "0 of 2", "no difference is seen")):
        made = Made("overhead")
        for i in range(problems):
            made.rounds(2 * i, point("serial", "fused", rows=300 + i), 1e-3,
                        [1 / scatter(2 * i, launch) for launch in range(ROUNDS)])
            made.rounds(2 * i + 1, of_ranks("", rows=300 + i, ranks=1), 1e-3,
                        [math.exp(log) / scatter(2 * i + 1, launch) for launch, log in enumerate(logs)])
        c = made.claim("overhead")
        has(c.answer, f"a difference is seen in {counted} comparisons")
        has(c.title, title)


def the_fastest_library_is_tested_by_other_rounds():
    """Two libraries are faster in alternate rounds: the rounds in which one is fast choose it, and the rounds in which
    it is slow time it: 3 % slower in all rounds that did not choose it."""
    made = Made("peers")
    for i, method in enumerate(("simd", "onednn", "openvino")):
        made.rounds(i, point("serial" if i < 2 else method, method, rows=400), 1e-3,
                    [1 if i == 0 else 0.97 if (launch + i) % 2 else 1.03 for launch in range(ROUNDS)])
    made.claim("peers_planes")
    ratios = {row["fastest"]: float(row["p_value"])
              for row in rows_in(DIR / made.folder / "analysis/peers.ratios.csv")}
    expect("one is the fastest", set(ratios) == {"0", "1"} and ratios["1"] < 0.001 and ratios["0"] > 0.05, ratios)


def a_product_has_matrices():
    """A product has no image whose side could double."""
    made = Made("product_growth")
    for i in range(5):
        made.steady(i, point("serial", "naive", program="matmul_serial", operator="matmul", rows=64 << i, cols=64 << i),
                    1e-4 * 8 ** i)
    c = made.claim("matmul_growth")
    has(c.plain, "Doubling n makes the time about 8")
    has(c.answer, ": twice the n takes ")


def of_product_alone(seconds, odd, language="en"):
    """The claim about two threads that share the product alone, which is half of the time of one; with `odd`, the times
    of odd rounds are that many times as long. By Amdahl's law they take 0.75."""
    made = Made("amdahl")
    for threads, share, factor, uneven in ((1, 0.5, 1, 1), (2, 0.3, seconds, odd)):
        made.point(threads, point("omp", "staged", parallel="product", threads=threads, product_s=share),
                   1e-2 * factor, uneven)
    return made.claim("amdahl", language)


def amdahls_law_is_kept_only_where_the_interval_is_narrow():
    c = of_product_alone(0.75, 1)
    has(c.title, "law is kept within ")
    is_near(c.title, "within ", 2.5, 2.5)
    is_near(c.answer, "law gives ", 4 / 3, 0.01)
    has(of_product_alone(0.75, 1, "es").title, "se cumple la ley de Amdahl")
    c = of_product_alone(0.95, 1)
    has(c.title, "misses Amdahl's law")
    is_near(c.answer, "The speedup is ", 21, 2)
    has(c.answer, "below the law", "was not measured")
    has(of_product_alone(0.55, 1).answer, "above the law")
    c = of_product_alone(0.75, 1.6)
    has(c.title, "do not tell")
    has(c.answer, "neither supports the law nor contradicts it")


if __name__ == "__main__":
    sys.exit(main(
        drift_cancels_in_a_ratio_and_is_reported_of_a_time, what_is_not_different_is_not_reported,
        single_samples_are_not_called_alike, declared_precisions_are_other_problems, overheads_are_seen_together,
        the_fastest_library_is_tested_by_other_rounds, growth_is_compared_within_rounds, a_product_has_matrices,
        what_is_suspect_is_never_the_most, no_set_is_praised_without_a_difference, a_fixed_cost_is_no_power_of_k,
        two_ways_without_a_difference_are_none, a_division_is_not_compared_with_itself,
        messages_of_one_problem_are_reported, one_weak_efficiency_is_reported_once, what_has_no_interval_is_rough,
        exponents_of_one_method_are_reported, libraries_of_programs_are_reported_with_both_ends,
        times_are_compared_among_similar_errors, doubt_makes_no_slower_library_the_fastest,
        each_comparison_is_counted_once, a_library_of_one_problem_has_no_two_ends,
        plain_loops_of_a_library_are_reported, amdahls_law_is_kept_only_where_the_interval_is_narrow))
