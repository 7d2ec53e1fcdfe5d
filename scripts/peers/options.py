"""The options that all operators have, named as the point programs name them."""
import argparse


def positive(text):
    """An integer of at least 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1, not " + text)
    return value


def natural(text):
    """An integer of at least 0."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must be at least 0, not " + text)
    return value


def parser(program, description):
    """A parser with the options of every operator."""
    p = argparse.ArgumentParser(prog=program, description=description, allow_abbrev=False)
    p.add_argument("--seed", type=natural, default=35)
    p.add_argument("--max-value", type=natural, default=9)
    p.add_argument("--list-methods", nargs="?", const="", choices=["", "all"])
    p.add_argument("-t", "--threads", type=positive, default=1)
    p.add_argument("--isa", choices=["baseline", "avx2", "avx512"], default="",
                   help="widest instruction set, of libraries that keep to one (default: the widest available)")
    p.add_argument("--warmup", type=natural, default=1)
    p.add_argument("--samples", type=positive, default=100)
    p.add_argument("--relative-ci", type=float, default=0.02)
    p.add_argument("--max-seconds", type=float, default=10.0)
    p.add_argument("--verify", choices=["full", "sampled", "none"], default="full",
                   help="sampled is taken as full")
    p.add_argument("--record", metavar="FILE.csv", help="appended to")
    p.add_argument("--format", choices=["text", "csv"], default="text",
                   help="what is printed where nothing is recorded")
    p.add_argument("--experiment", default="")
    p.add_argument("--round", type=int, default=0)
    return p


def add_sizes(p):
    """The sizes of a random image."""
    p.add_argument("-n", "--size", type=positive, help="rows and columns")
    p.add_argument("-R", "--rows", type=positive)
    p.add_argument("-C", "--cols", type=positive)


def settle_sizes(o, p, usual=1024):
    """Rows and columns, from either form of the options."""
    if o.size is None and o.rows is None and o.cols is None:
        o.size = usual
    if o.size is not None and (o.rows is not None or o.cols is not None):
        p.error("--size and --rows or --cols ask for the same")
    o.rows = o.rows if o.rows is not None else o.size
    o.cols = o.cols if o.cols is not None else o.size
    if o.rows is None or o.cols is None:
        p.error("--rows and --cols go together")


def add_window(p, kernel):
    """The hyper-parameters of windows."""
    p.add_argument("-k", "--kernel-size", type=positive, default=kernel)
    p.add_argument("-s", "--stride", type=positive)
    p.add_argument("-p", "--padding", type=natural, default=0)
