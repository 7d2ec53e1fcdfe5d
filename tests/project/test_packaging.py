#!/usr/bin/env python3
"""The recipes of packaging/ say what CMake and scripts/packages.txt say: versions, packages, switches, variants, programs.

Neither Spack nor Apptainer is needed: the Spack recipe is read as Python's syntax tree, the Apptainer definition by
its sections, whose commands bash must be able to parse. Usage: test_packaging.py SOURCES"""
import ast
import json
import pathlib
import re
import subprocess
import sys

SOURCES = pathlib.Path(sys.argv[1])
FAULTS = []


def text(path):
    return (SOURCES / path).read_text(encoding="utf-8")


def must(condition, fault):
    if not condition:
        FAULTS.append(fault)


def cmake_version():
    return re.search(r"project\(maxpool VERSION (\S+)", text("CMakeLists.txt")).group(1)


def cmake_switches():
    """What can be switched off: MAXPOOL_WITH_NAME, an option itself or of a library that is searched for."""
    names = set()
    for folder in (".", "cmake", "kernels", "harness", "networks", "mpi", "cuda", "peers", "experiments", "classroom",
                   "theses"):
        for path in [*(SOURCES / folder).glob("CMakeLists.txt"), *(SOURCES / folder).glob("*.cmake")]:
            words = path.read_text(encoding="utf-8")
            names |= set(re.findall(r"option\(MAXPOOL_WITH_([A-Z0-9]+)", words))
            names |= set(re.findall(r"maxpool_find(?:_plain)?\(([A-Z0-9]+)", words))
            for loop in re.findall(r"foreach\(\w+ ([A-Z ]+)\)", words):  # peers, one MAXPOOL_WITH_${name} each
                names |= set(loop.split())
    return names


def run_packages():
    return set(re.findall(r"^run +([^\s@]+)", text("scripts/packages.txt"), re.M))


def calls(tree, name):
    """The calls of a directive, as (positional values, keywords, line)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
            yield ([a.value for a in node.args if isinstance(a, ast.Constant)],
                   {k.arg: k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)}, node.lineno)


def check_spack(version):
    recipe = text("packaging/spack/packages/maxpool/package.py")
    lines = recipe.split("\n")
    tree = ast.parse(recipe)
    must([c.name for c in tree.body if isinstance(c, ast.ClassDef)] == ["Maxpool"], "the class is not Maxpool")
    versions = [values[0] for values, _, _ in calls(tree, "version")]
    must(versions == [version], f"Spack's versions are {versions}, CMake's is {version}")
    for page, words in (("the recipe", recipe), ("docs/cluster.md", text("docs/cluster.md"))):
        must(f"maxpool@{version}" in words, f"the command in {page} names another version")
    variants = {values[0] for values, _, _ in calls(tree, "variant")}
    used = set()
    for values, words, line in [*calls(tree, "depends_on"), *calls(tree, "conflicts")]:
        used |= set(re.findall(r"[+~](\w+)", words.get("when", "")))
        must(values, f"line {line} names nothing")
    must(used <= variants, f"no variant is called {used - variants}")
    reported = set(re.findall(r"`(\w+)`", text("docs/cluster.md").partition("Variants: ")[2].partition(".")[0]))
    must(reported == variants, f"variants that docs/cluster.md and the recipe do not share: {reported ^ variants}")
    debian = set()
    for _, _, line in calls(tree, "depends_on"):
        debian |= set(lines[line - 1].partition("# ")[2].split())
    left_out = set(re.findall(r"no package of Debian's (\S+?)\.", recipe))
    must(debian | left_out == run_packages(),
         f"packages that the recipe and scripts/packages.txt do not share: {(debian | left_out) ^ run_packages()}")
    parts = next(ast.literal_eval(n.value) for n in ast.walk(tree)
                 if isinstance(n, ast.Assign) and n.targets[0].id == "parts")
    defined = set(parts) | set(re.findall(r"MAXPOOL_WITH_([A-Z]+)\"", recipe))
    must(defined <= cmake_switches(), f"CMake has no switch for {defined - cmake_switches()}")
    must(set(parts.values()) <= variants, f"no variant is called {set(parts.values()) - variants}")
    must("namespace: maxpool" in text("packaging/spack/repo.yaml"), "repo.yaml has another namespace")


def sections(definition):
    """(name, lines) of each %section."""
    for part in re.split(r"^%", definition, flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        yield head.split()[0], body


def check_apptainer(version):
    definition = text("packaging/maxpool.def")
    reported = re.search(r"image\.version (\S+)", definition).group(1)
    must(reported == version, f"the image's version is {reported}, CMake's is {version}")
    release = re.search(r"^suite=(\w+)$", text("scripts/fresh_test.sh"), re.M).group(1)
    for base in re.findall(r"^From: (\S+)", definition, re.M):
        must(base == f"debian:{release}", f"the image is made from {base}; what is tested is {release}")
    for name, body in sections(definition):
        if name in ("post", "runscript", "test", "environment"):
            parsed = subprocess.run(["bash", "-n"], input=body, text=True, capture_output=True, check=False)
            must(parsed.returncode == 0, f"%{name}: {parsed.stderr}")
    presets = {p["name"] for p in json.loads(text("CMakePresets.json"))["configurePresets"]}
    for preset in re.findall(r"--preset (\w+)", definition):
        must(preset in presets, f"no preset {preset}")
    for script in re.findall(r"scripts/\S+", definition):
        must((SOURCES / script).exists(), f"no {script}")


def main():
    version = cmake_version()
    cited = re.search(r"^version: (\S+)", text("CITATION.cff"), re.M).group(1)
    must(cited == version, f"CITATION.cff's version is {cited}, CMake's is {version}")
    check_spack(version)
    check_apptainer(version)
    print("\n".join(FAULTS) if FAULTS else f"packaging/ agrees with CMake {version} and scripts/packages.txt.")
    return 1 if FAULTS else 0


sys.exit(main())
