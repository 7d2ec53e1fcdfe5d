#!/usr/bin/env python3
"""Times Python libraries as the point programs time a method, so that a study can compare both:
same options, same images and parameters, same columns, every result verified.

    build/bin/network_onnxruntime --network resnet18 --threads 1
    build/bin/conv_openvino -n 56 --channels 64 --filters 64 -k 3 -p 1 --record conv.csv
    build/bin/distances_faiss -n 5000 --dimensions 128 -t 2
    build/bin/study import conv.csv

The program's name is that of the operator and of the library: build/bin has a link for each pair.
In a definition, `programs = network_onnxruntime` lets study launch it among the others of a round.
MAXPOOL_PYTHON=/a/venv:/b/venv/bin/python names Pythons with libraries that the one in PATH lacks
(scripts/peers_environment.sh makes such an environment). Without the library it ends with status 3.
docs/peers.md explains what is counted.
"""
import importlib
import pathlib
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
# build/bin has links to this file; the package is next to the file itself.
sys.path[0] = str(pathlib.Path(__file__).resolve().parent)

from peers import failure, interpreter, libraries
from peers.failure import Failure


def parse(program):
    """The options, including those that the program's name implies, the parser, and the operator's module."""
    from peers import options

    operator = importlib.import_module(f"peers.operators.{program.partition('_')[0]}")
    p = options.parser(program, operator.DESCRIPTION)
    p.add_argument("--method", help="one of --list-methods; default: the first")
    listing = any(word.startswith("--list-methods") for word in sys.argv[1:])
    if not listing:
        operator.add_options(p)
    o = p.parse_args()
    o.program, (o.operator, _, o.library) = program, program.partition("_")
    return o, p, operator


def summary(o, timed):
    """One line for a reader."""
    from peers.sampling import interval

    low, high = interval(timed) or (min(timed), max(timed))
    return (f"{o.program} {o.method}, {o.threads} thread{'s' if o.threads > 1 else ''}: median "
            f"{statistics.median(timed) * 1e3:.6g} ms [{low * 1e3:.6g}, {high * 1e3:.6g}], least "
            f"{min(timed) * 1e3:.6g}, {len(timed)} samples")


def report(o, names, rows, timed, facts):
    """Records the rows, or prints them."""
    from peers import record

    if o.record:
        record.append(o.record, names, rows)
    elif o.format == "csv":
        sys.stdout.write(",".join(names) + "\n" + record.lines(names, rows))
    elif timed:
        print(f"{summary(o, timed)}, {rows[-1]['verified']}, {rows[-1]['isa']}")
        for fact in facts:
            print("  " + fact)


def settle(o, p, operator, methods):
    """Derives the remaining options, and checks all of them."""
    o.method = o.method or next(iter(methods))
    if o.method not in methods:
        raise Failure(failure.USAGE, f"--method: there is no '{o.method}'; known are " +
                      ", ".join(methods))
    operator.settle(o, p)


def measure(o, operator, library):
    """Prepares the problem, measures it and records the rows."""
    from peers import instruction_set, ours, record, sampling

    names = ours.columns()
    sampling.keep_freed_memory()
    with tempfile.TemporaryDirectory(prefix="maxpool-") as scratch:
        begun = time.perf_counter()
        problem = operator.make(o, library, pathlib.Path(scratch))
        setup_s = time.perf_counter() - begun
        instruction_set.check(o, library, problem.run)
        rows, timed = sampling.measure(o, problem)
    shared = {**record.shared(o, library, setup_s), **problem.columns}
    rows = [{**shared, **row} for row in rows]
    report(o, names, rows, timed, problem.facts)
    if rows[-1]["verified"] == "wrong":
        raise Failure(failure.WRONG, "a value is not what it should be")


def run(program):
    """Does everything; failures are raised."""
    name = program.partition("_")[2]
    packages = libraries.packages(name)
    if packages is None:
        raise Failure(failure.USAGE, f"{program}: call it by a name such as network_onnxruntime")
    interpreter.change(["numpy", *packages])
    try:
        import numpy  # noqa: F401, all of the rest needs it
    except ImportError as error:
        raise Failure(failure.UNAVAILABLE, f"{sys.executable} has no numpy; MAXPOOL_PYTHON names "
                      "a Python that has it") from error
    from peers import instruction_set

    o, p, operator = parse(program)
    instruction_set.limit(o)
    library = libraries.load(name)
    wanted = "training" if getattr(o, "task", "") == "train" else o.operator
    methods = libraries.methods(library, wanted)
    if not methods:
        raise Failure(failure.UNAVAILABLE, f"{name} has no {wanted} here")
    if o.list_methods is not None:
        for method, idea in methods.items():
            print(f"{method:<16}  [peer] {idea}")
        return
    settle(o, p, operator, methods)
    measure(o, operator, library)


def main():
    """Turns failures into one line and an exit status."""
    program = pathlib.Path(sys.argv[0]).name
    try:
        run(program)
        return 0
    except Failure as problem:
        message, status = str(problem), problem.status
    except MemoryError:
        message, status = "not enough memory", failure.RESOURCE
    except OSError as error:
        message, status = str(error), failure.OUTPUT
    print(f"{program}: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
