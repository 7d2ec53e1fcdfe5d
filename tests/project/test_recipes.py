#!/usr/bin/env python3
"""Follows each recipe of docs/recipes.md on a copy of the sources: the files that it changes must be the places that
the page lists, and the addition must be found where it belongs. The method is compiled and listed with all kernels, the
column and the phase with all of the record; for other recipes, the changed files are compiled.
Usage: test_recipes.py SOURCE_FOLDER [--kernels LIBRARY] [--long]
  --kernels LIBRARY   the kernels of a build of SOURCE_FOLDER: those that no recipe changes are not compiled again
  --long              builds the programs of the copy too, and runs them
"""
import fnmatch
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1]).resolve()
long = "--long" in sys.argv[2:]
built = sys.argv[sys.argv.index("--kernels") + 1:][:1] if "--kernels" in sys.argv else []
ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1", "LC_ALL": "C"}
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("WRONG:", what)


def run(*command, cwd=None, good=True):
    done = subprocess.run([str(c) for c in command], cwd=cwd, env=ENVIRONMENT, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if good and done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-6000:]}")
    return done.stdout


# ---- the copy ----------------------------------------------------------------------------------------------------


def sources():
    if (source / ".git").exists():
        names = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=source).split("\n")
    else:
        names = [str(p.relative_to(source)) for p in source.rglob("*") if p.is_file()]
    left_out = re.compile(r"(results|data|build[^/]*|\.git)/|tests/(cases|data|fuzz)/")
    return [n for n in names if n and not left_out.match(n) and (source / n).is_file()]


class Tree:
    """The copy, and the changes in it."""

    def __init__(self, folder):
        self.root = folder
        for name in sources():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, folder / name)
        self.seen = self.state()

    def state(self):
        return {str(p.relative_to(self.root)): hashlib.sha256(p.read_bytes()).digest()
                for p in self.root.rglob("*") if p.is_file() and "__pycache__" not in p.parts}

    def changed(self):
        """Files that changed since the last call."""
        before, self.seen = self.seen, self.state()
        return sorted(n for n in self.seen if self.seen[n] != before.get(n))

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def insert(self, name, before, text):
        """Inserts text before the first occurrence of `before`."""
        old = (self.root / name).read_text(encoding="utf-8")
        if before not in old:
            sys.exit(f"test_recipes.py: {name} has no {before!r} any more")
        self.write(name, old.replace(before, text + before, 1))


# ---- the page ----------------------------------------------------------------------------------------------------


def recipes():
    """The places of each recipe, and the number that its row of the table states."""
    page = (source / "docs/recipes.md").read_text(encoding="utf-8")
    reported = {m[1]: int(m[2]) for m in re.finditer(r"^\| \[([^\]]+)\]\(#[^)]+\) \| (\d+)", page, re.M)}
    places = {}
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        title = section.split("\n", 1)[0]
        found = re.findall(r"^\d+\. `([^`]+)`", section, re.M)
        if found:
            places[title[0].lower() + title[1:]] = found
    return places, reported


def layer_back_ends(names):
    """Files outside the layers' own room with an entry for a form, or for a kind of the graph."""
    entry = re.compile(r"\[FORM_[A-Z]+\] = |\bnode\.kind\b|^KINDS = ", re.M)
    return [n for n in names if n.startswith(("networks/", "cuda/", "peers/", "library/", "scripts/"))
            and not n.startswith("networks/layers/") and n.endswith((".c", ".cu", ".py"))
            and entry.search((source / n).read_text(encoding="utf-8"))]


def check_back_ends():
    page = (source / "docs/recipes.md").read_text(encoding="utf-8")
    recipe = re.search(r"^## A layer\n(.*?)^## ", page, re.M | re.S)[1]
    found = layer_back_ends(sources())
    check(len(found) >= 11, f"only {len(found)} back ends were found")
    for name in found:
        check(f"`{name}`" in recipe or f"`{pathlib.Path(name).name}`" in recipe, f"a layer: the page does not name {name}")


def follow(tree, name, recipe, places):
    """Applies a recipe; it must change exactly the places that the page lists."""
    recipe(tree)
    changed = tree.changed()
    patterns = [p.replace("NAME", "recipe").replace("SECTION", "growth") for p in places]
    patterns = [p + "*" if p.endswith("/") else p for p in patterns]
    for path in changed:
        check(any(fnmatch.fnmatch(path, p) for p in patterns), f"{name}: the page does not list {path}")
    for pattern in patterns:
        check(any(fnmatch.fnmatch(path, pattern) for path in changed), f"{name}: {pattern} needs no change")
    print(f"{name}: {len(patterns)} places")


# ---- the recipes -------------------------------------------------------------------------------------------------

METHOD = '''#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/window.h"

void maxpool_recipe(const struct maxpool_call *call, void *scratch)
{
    maxpool_direct(call, scratch);
}
'''
MODEL = '''#include "networks/layers/kinds.h"
#include "networks/models/models.h"

static void build(struct network *n, int64_t classes, const char *sizes)
{
    (void)sizes;
    add_linear(n, "only", NETWORK_INPUT, classes);
}

const struct model recipe_model = {
    .name = "recipe", .idea = "one layer", .input = {8, 1, 1}, .classes = 3, .build = build};
'''
PEER = '''#include "harness/space/peer.h"

const struct peer peer_recipe = {0};
'''
LIBRARY = '''"""A library that is none."""
PACKAGES = ""
METHODS = (
    ("distances", "recipe", "nothing but a recipe"),
)


def version():
    return "recipe 1"
'''


def a_pooling_method(tree):
    tree.write("kernels/maxpool/recipe.c", METHOD)
    tree.insert("kernels/maxpool/methods.inc", "#undef METHOD",
                'METHOD(recipe, PLAIN, NULL, .idea = "as a recipe says", .refuses = maxpool_refuses_filters,\n'
                "       .cost = maxpool_maximum_cost)\n")


def an_operator(tree):
    """Adds a copy of the operator `distances`, which kernels from outside can compute."""
    for path in sorted((tree.root / "kernels/distances").iterdir()):
        text = path.read_text(encoding="utf-8").replace("distances", "recipe").replace("DISTANCES_H", "RECIPE_H")
        tree.write(f"kernels/recipe/{path.name.replace('distances', 'recipe')}",
                   text.replace("DEVICE_DISTANCES", "DEVICE_NONE"))
    tree.insert("kernels/operators.inc", "#undef OPERATOR", "OPERATOR(recipe, HOST)\n")


def a_layer(tree):
    text = (tree.root / "networks/layers/batchnorm.c").read_text(encoding="utf-8")
    text = re.sub(r"\nstruct norm norm_of\(.*?\n}\n", "\n", text, flags=re.S)
    text = text.replace("batchnorm_layer", "recipe_layer").replace('"batchnorm"', '"recipe"')
    tree.write("networks/layers/recipe.c", text)
    tree.insert("networks/layers/kinds.inc", "#undef KIND", "KIND(recipe)\n")


def a_network(tree):
    tree.write("networks/models/recipe.c", MODEL)
    tree.insert("networks/models/models.inc", "#undef MODEL", "MODEL(recipe)\n")


def a_c_peer(tree):
    tree.write("peers/recipe.c", PEER)
    tree.insert("peers/methods.c", "    {.kind = &maxpool_operator,",
                '    {.kind = &maxpool_operator,\n     .method = {.name = "recipe", .kind = SPACE_HOST, .idea = "a recipe", '
                '.cost = maxpool_maximum_cost},\n     .module = "peer_recipe.so",\n     .symbol = "peer_recipe"},\n')
    tree.insert("peers/CMakeLists.txt", "# Programs export",
                'set(MAXPOOL_RECIPE_PARTS recipe.c)\n'
                'maxpool_find_plain(RECIPE math.h m libc6-dev "peer: a recipe" recipe_ ${MAXPOOL_RECIPE_PARTS})\n')
    tree.insert("peers/CMakeLists.txt", "# Convolution by a library's", "maxpool_peer(RECIPE)\n")


def a_python_peer(tree):
    tree.write("scripts/peers/libraries/recipe_peer.py", LIBRARY)


def number(tree):
    """The next column of the file."""
    text = (tree.root / "harness/records/columns.inc").read_text(encoding="utf-8")
    return 1 + max(int(n) for n in re.findall(r'^(?:[A-Z_]+)\((?:[A-Z_]+, )?\w+, "\w+", (\d+),', text, re.M))


def a_record_column(tree):
    tree.insert("harness/records/columns.inc", "INTEGER(planes,",
                f'TEXT(flavour, "flavour", {number(tree)}, "flavour of the recipe", .flags = COLUMN_AXIS | COLUMN_PARAMETER)\n')


def a_phase(tree):
    tree.insert("harness/records/columns.inc", "PHASE(TOTAL,",
                f'PHASE(PONDER, ponder_s, "ponder_s", {number(tree)}, "time to ponder", .word = "ponder")\n')


def a_derived_column(tree):
    tree.insert("experiments/analysis/derived/points.inc", "PHASES(", 'QUANTITY(spice, "g", r->workers, "spice of the recipe")\n')


CHART = '''
/* Bytes per second over the padding: no other chart draws these columns. */
static const struct columns recipe = {
    .panels = {{"padding", "gigabytes_per_s", "padding_series", "%{method} k=%{kernel}", false}},
    .name_roles = columns_name_ends,
};
static const struct form recipe_form = {
    .name = "lines",
    .panels = {{NULL, N_("p, elements added on every side"), "GB/s", "%g", AXIS_LINEAR, AXIS_LINEAR, 0.0, NULL, NULL}},
};
static const struct template recipe_sentences = {
    .title = {SAY(N_("Between %{least.plain} and %{most.plain} GB/s"))},
    .answer = {SAY(N_("%{least.method} moves %{least.plain} GB/s at %{least}, and %{most.method} %{most.plain}."))},
};
const struct selected_chart recipe_chart = {select_columns, &recipe, &recipe_form, &recipe_sentences};
'''


def a_chart(tree):
    claims = "experiments/report/claims/"
    tree.insert(claims + "claims_growth.c", "const struct selected_chart", CHART)
    tree.insert(claims + "selected_charts.h", "/* NULL: the chart is none of these", "extern const struct selected_chart recipe_chart;\n")
    tree.insert(claims + "claims.c", '    {"window_count",', '    {"recipe", N_("what the recipe draws"), &recipe_chart},\n')
    tree.insert("experiments/definition/definitions/growth/hyperparameters.ini", "charts = ", "; recipe\n")
    definition = tree.root / "experiments/definition/definitions/growth/hyperparameters.ini"
    definition.write_text(definition.read_text(encoding="utf-8").replace("; recipe\ncharts = ", "charts = recipe "))


def draw_recipe(tree, folder):
    """The program of the copy draws the chart of the recipe, and its sentence names the rows."""
    results = folder / "results"
    shutil.copytree(source / "results/reference/amd-epyc-zen4-2-cores", results)
    run(folder / "build/bin/study", "plot", "hyperparameters", "--results", results, "--format", "svg")
    drawn = results / "charts/hyperparameters-recipe.svg"
    drawn = drawn if drawn.exists() else results / "figures/hyperparameters-recipe.svg"
    check(drawn.exists() and "GB/s" in drawn.read_text(encoding="utf-8"), "study draws no chart of the recipe")
    rows = (results / "analysis/hyperparameters.recipe.csv").read_text(encoding="utf-8")
    check("\nleast," in rows and "\nmost," in rows, "the selection of the recipe has no ends")


FOLLOWED = {"a pooling method": a_pooling_method, "an operator": an_operator, "a layer": a_layer, "a network": a_network,
            "a C peer": a_c_peer, "a Python peer": a_python_peer, "a record column": a_record_column,
            "a phase": a_phase, "a derived column": a_derived_column, "a chart": a_chart}

# ---- what must be found ------------------------------------------------------------------------------------------

KERNELS = r'''#include "kernels/operators.h"
#include <stdio.h>
int main(void)
{
    for (size_t i = 0; i < operator_count; i++)
        for (size_t j = 0; j < operator_method_count(operators[i]); j++)
            printf("%s %s %s\n", operators[i]->name, operators[i]->method(j)->name, operators[i]->method(j)->idea);
    return 0;
}
'''
RECORD = r'''#include "experiments/analysis/derived/derived_table.h"
#include "experiments/samples/samples.h"
#include "harness/point/point.h"
#include "harness/records/columns.h"
static void no_text(const struct analysis *a, const void *row, size_t which, char *text) {}
static struct bounded no_number(const struct analysis *a, const void *row, size_t which) { return (struct bounded){0}; }
static const struct derived_column of_the_record[] = {{.text = no_text, .real = no_number}, {.real = no_number}};
struct derived_table derived_points = DERIVED_TABLE("points", of_the_record),
                     derived_ratios = DERIVED_TABLE("ratios", of_the_record),
                     derived_fits, derived_model, derived_ceilings, derived_speedup, derived_scale, derived_layers;
int main(void)
{
    struct phases phases = phases_none();
    const struct record_column *c = record_column_find("flavour");
    record_print_header(stdout);
    dictionary_write(stdout);
    phases.ponder_s = 2.5;
    printf("axis %d, phase %d of %d, %g s in \"%s\"\n", record_column_is(c, COLUMN_AXIS), PHASE_PONDER < PHASE_TOTAL,
           PHASES, phase_seconds(&phases, SAMPLE_PONDER), record_column_find("ponder_s")->word);
    return 0;
}
'''
OPTIONS = ["-O0", "-g0", "-std=c17", "-D_GNU_SOURCE", '-DMAXPOOL_LANGUAGES="es"', "-w", "-Werror=incompatible-pointer-types",
           "-Werror=int-conversion"]


def compiled(tree, folder, program, *files, libraries=()):
    """Links the sources, a program of this test and libraries; returns the program's output."""
    tree.write("recipe_program.c", program)
    jobs = []
    for i, name in enumerate(("recipe_program.c", *files)):
        isa = re.search(r"ISA_FUNCTION\(", (tree.root / name).read_text(encoding="utf-8"))
        command = ["cc", *OPTIONS, *(["-DISA_BUILD=baseline"] if isa else []), f"-I{tree.root}", "-c", tree.root / name,
                   "-o", folder / f"{i}.o"]
        jobs.append((name, command))
    for name, command in jobs:
        run(*command)
    run("cc", *[folder / f"{i}.o" for i in range(len(jobs))], *libraries, "-lm", "-o", folder / "program")
    return run(folder / "program")


def find_kernels(tree, folder):
    files = [str(p.relative_to(tree.root)) for p in sorted((tree.root / "kernels").rglob("*.c"))]
    if built:  # new files, and those that include a list to which a recipe adds
        files = [n for n in files if not (source / n).exists() or '.inc"' in (tree.root / n).read_text(encoding="utf-8")]
    listed = compiled(tree, folder, KERNELS, *files, libraries=built)
    check("maxpool recipe as a recipe says" in listed, "the table of methods has no 'recipe'")
    check("recipe literal " in listed and "recipe gram " in listed, "the table of operators has no 'recipe'")
    check("maxpool literal " in listed and "distances gram " in listed, "the tables lost what they had")


def find_record(tree, folder):
    names = ["experiments/analysis/derived/derived_table.c", "harness/point/sampling/phases.c"]
    for room in ("harness/records", "harness/base"):
        names += [str(p.relative_to(tree.root)) for p in sorted((tree.root / room).rglob("*.c"))]
    reported = compiled(tree, folder, RECORD, *names)
    header = reported.split("\n", 1)[0].split(",")
    check(header[-2:] == ["flavour", "ponder_s"], "the record does not end with the new columns")
    for line in ('points,flavour,text,"flavour of the recipe"', 'ratios,flavour,text,"flavour of the recipe"',
                 'points,ponder_s,s,"median time to ponder"'):
        check(line in reported, f"the dictionary has no '{line}'")
    check("axis 1, phase 1 of " in reported and ', 2.5 s in "ponder"' in reported, "axis or phase is not known")


def find_in_objects(tree, folder):
    """What the tables of the changed files refer to, or hold as text."""
    for name, words in (("networks/models/models.c", ["recipe_model"]), ("networks/models/recipe.c", ["recipe_model"]),
                        ("networks/layers/kinds.c", ["recipe_layer"]), ("networks/layers/recipe.c", ["recipe_layer"]),
                        ("peers/recipe.c", ["peer_recipe"]), ("peers/methods.c", ["peer_recipe.so"]),
                        ("peers/script_methods.c", ["nothing but a recipe"]),
                        ("experiments/analysis/derived/derived_points.c", ["spice of the recipe", "points_column_spice"]),
                        ("experiments/report/claims/claims.c", ["what the recipe draws", "recipe_chart"]),
                        ("experiments/report/claims/claims_growth.c", ["recipe_chart", "gigabytes_per_s"])):
        run("cc", *OPTIONS, f"-I{tree.root}", f"-I{folder.parent}/build/generated", "-c", tree.root / name, "-o",
            folder / "one.o")
        text = (folder / "one.o").read_bytes()
        for word in words:
            check(word.encode() in text, f"{name} has no {word}")


def configured(tree, folder):
    """The build finds new files and programs without further changes."""
    off = [f"-DMAXPOOL_WITH_{x}=OFF" for x in ("ONEDNN", "LIBXSMM", "OPENBLAS", "MPI", "SIMGRID", "CUDA")]
    run("cmake", "-S", tree.root, "-B", folder / "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DBUILD_TESTING=OFF",
        "-DMAXPOOL_COMMIT=recipes", "-DMAXPOOL_WITH_ISA=OFF", "-DCMAKE_BUILD_TYPE=Debug",
        "-DCMAKE_C_FLAGS_DEBUG=-O0 -g0", *off)
    commands = (folder / "build/compile_commands.json").read_text(encoding="utf-8")
    for name in ("kernels/maxpool/recipe.c", "kernels/recipe/operator.c", "networks/layers/recipe.c",
                 "networks/models/recipe.c", "peers/recipe.c"):
        check(f"{tree.root}/{name}" in commands, f"the build does not compile {name}")
    targets = run("cmake", "--build", folder / "build", "--target", "help")
    for target in ("recipe_serial", "peer_recipe"):
        check(re.search(rf"\b{target}\b", targets), f"the build has no {target}")
    library = tree.root / "scripts/peers/libraries/recipe_peer.py"
    library.write_text(LIBRARY.replace('("distances"', '("recipe"'), encoding="utf-8")
    forgotten = run("cmake", folder / "build", good=False)
    check("scripts/peers/operators/recipe.py is missing" in " ".join(forgotten.split()), f"a Python peer of an operator without a module: {forgotten}")
    library.write_text(LIBRARY, encoding="utf-8")
    run("cmake", folder / "build")
    link = folder / "build/bin/distances_recipe"
    check(link.is_symlink(), "the build has no program distances_recipe")
    listed = run(sys.executable, link, "--list-methods", good=False)
    check("nothing but a recipe" in listed or "numpy" in listed, f"distances_recipe lists {listed!r}")


def grade_recipe(folder, bin_):
    """The laboratory and the class know the operator: they write an empty kernel, refuse it, and accept a right one."""
    kernel = folder / "class/recipe.c"
    run(bin_ / "study", "class", "new", "--operator", "recipe", kernel.parent)
    check("void recipe(const float *x," in kernel.read_text(encoding="utf-8"), "the class has no first version of recipe")
    check("operator = recipe" in (kernel.parent / "rubric.ini").read_text(encoding="utf-8"), "the rubric has no recipe")
    command = [bin_ / "study", "lab", kernel, "--operator", "recipe", "--check", "-t", "1"]
    check("never written" in run(*command, good=False), "the laboratory accepts an empty kernel of recipe")
    right = (source / "labs/starters/distances.c").read_text(encoding="utf-8").replace("void distances(", "void recipe(")
    kernel.write_text(right, encoding="utf-8")
    check("CORRECT" in run(*command), "the laboratory refuses a right kernel of recipe")
    half = (source / "tests/cheats/digits/distances_half.c").read_text(encoding="utf-8").replace("void distances(", "void recipe(")
    kernel.write_text(half, encoding="utf-8")
    check("NOT CORRECT (wrong)" in run(*command, good=False), "the laboratory accepts a kernel of recipe with fewer digits")
    listed = run(bin_ / "study", "lab", "--help")
    check("recipe(x, y, map, points_x, points_y, dimensions, threads)  1024" in listed, "study lab --help has no recipe")


DUET = """[experiment]
title = The operator of the recipe
question = Is it as fast in both builds?
section = ideas

[points]
programs = recipe_serial
method = literal gram
rows = 40
cols = 8
against = itself random
"""


def compare_builds(folder, build):
    """The library makes the operator, and study duet compares it in two builds, here the same ones."""
    (folder / "duet.ini").write_text(DUET, encoding="utf-8")
    found = run(build / "bin/study", "duet", build, build, folder / "duet.ini", "--layouts", "6", "--rounds", "2",
                "--margin", "0.9", cwd=folder)
    check("4 points in 6 layouts" in found and "recipe_serial gram 40x8 against=random" in found,
          f"study duet does not compare recipe: {found}")


def run_programs(tree, folder):
    build, bin_ = folder / "build", folder / "build/bin"
    targets = ["maxpool_serial", "recipe_serial", "network_serial", "study", "lab_kernel", "lab_method", "lab_sandbox",
               "maxpool", "maxpool_static", "duet_worker"]
    run("cmake", "--build", build, "-j", "2", "--target", *targets)
    rows = run(bin_ / "maxpool_serial", "-n", "64", "--method", "recipe", "--samples", "2", "--format", "csv")
    check(",exact," in rows and "flavour,ponder_s" in rows, "maxpool_serial does not run the method, or its record lacks columns")
    check("recipe" in run(bin_ / "maxpool_serial", "--list-methods"), "--list-methods has no recipe")
    check(",exact," in run(bin_ / "recipe_serial", "-n", "64", "--samples", "2", "--format", "csv"), "recipe_serial is not exact")
    check("recipe" in run(bin_ / "network_serial", "--list-networks"), "--list-networks has no recipe")
    grade_recipe(folder, bin_)
    compare_builds(folder, build)
    reported = run(bin_ / "network_serial", "--network", "recipe", "--samples", "2", "--format", "csv")
    check("recipe" in reported and "bound" in reported or "exact" in reported, "network_serial does not run the network")
    dictionary = run(bin_ / "study", "export", "--dictionary")
    check("points,flavour,text" in dictionary, "study has no flavour")
    check("points,spice,g" in dictionary, "study has no spice")
    definition = folder / "flavours.ini"
    definition.write_text("[experiment]\ntitle = T\nquestion = Q\n[points]\nprograms = maxpool_serial\n"
                          "method = @maximum\nsize = 64\nflavour = sweet\n")
    plan = run(bin_ / "study", "plan", definition, good=False)
    check("flavour=sweet" in plan and "maxpool_serial recipe" in plan, f"the plan has no new axis or method: {plan}")


def main():
    places, reported = recipes()
    check(set(FOLLOWED) == set(reported) == set(places), f"recipes that nobody follows: {set(reported) ^ set(FOLLOWED) | set(places) ^ set(reported)}")
    for name, found in places.items():
        check(reported.get(name) == len(found), f"{name}: the table says {reported.get(name)} places, the recipe {len(found)}")
    check_back_ends()
    with tempfile.TemporaryDirectory(prefix="maxpool-recipes-") as scratch:
        folder = pathlib.Path(scratch)
        tree = Tree(folder / "copy")
        for name, recipe in FOLLOWED.items():
            follow(tree, name, recipe, places.get(name, []))
        (folder / "objects").mkdir()
        configured(tree, folder)
        find_kernels(tree, folder / "objects")
        find_record(tree, folder / "objects")
        find_in_objects(tree, folder / "objects")
        if long:
            run_programs(tree, folder)
            draw_recipe(tree, folder)
    if failures:
        sys.exit(f"test_recipes.py: {len(failures)} wrong")


main()
