#!/usr/bin/env python3
"""Each message that docs/troubleshooting.md quotes occurs in the sources.

A message is compared word by word with the texts of the sources; a word may come from a format
(%s, $name), and "..." stands for any words. The remark "(from PROGRAM)" marks messages of
programs that are not ours. Usage: test_troubleshooting.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

FOLDERS = "experiments classroom theses harness kernels library networks serial openmp mpi cuda peers scripts cmake".split()
SUFFIXES = {".c", ".h", ".inc", ".cpp", ".cu", ".cuh", ".sh", ".py", ".cmake"}
FILLED = r"[^\s\"]*(?:%|\$)[^\s\"]*"  # a word that a program fills in


def texts(folder):
    """The quoted texts of all sources; texts that the source breaks over lines are joined."""
    files = [f for name in FOLDERS for f in sorted((folder / name).rglob("*")) if f.suffix in SUFFIXES]
    files.append(folder / "run.sh")
    pieces = set()
    for file in files:
        source = re.sub(r'"\s*(?:PRI[a-z0-9]+\s*)?"', "", file.read_text(encoding="utf-8"))
        pieces.update(re.findall(r'"((?:[^"\\\n]|\\.)*)"', source))
    return pieces


def quoted(page):
    """The messages of the first table."""
    for row in re.findall(r"^\| (`.*?) \| .* \|$", page, re.M):
        if "(from " not in row:
            yield from re.findall(r"`([^`]+)`", row)


def found(message, sources):
    """True if one text of the sources matches; at least half of the words must be the text's own."""
    words = message.removesuffix(" …").removeprefix("… ").split()
    choices = [f"(?:({re.escape(word)})|{FILLED})" if word != "…" else ".*?" for word in words]
    pattern = re.compile(r"\s+".join(choices))
    return any(sum(word is not None for word in m.groups()) * 2 >= len(words)
               for text in sources for m in pattern.finditer(text))


def main():
    folder = pathlib.Path(sys.argv[1])
    sources = texts(folder)
    messages = list(quoted((folder / "docs" / "troubleshooting.md").read_text(encoding="utf-8")))
    if len(messages) < 10:
        sys.exit(f"test_troubleshooting.py: {len(messages)} messages; was the table moved?")
    for planted in ("64 threads share 2 cores: the times measure that too", "no experiment '…' in …; these are:"):
        if found(planted, sources):
            sys.exit(f"test_troubleshooting.py: finds a message that no program has: {planted}")
    missing = [message for message in messages if not found(message, sources)]
    if missing:
        sys.exit("test_troubleshooting.py: no program prints:\n" + "\n".join(missing))
    print(f"{len(messages)} messages are in the sources.")


if __name__ == "__main__":
    main()
