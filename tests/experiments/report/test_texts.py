#!/usr/bin/env python3
"""The catalogues of po/: each text of the sources is translated, the places of values agree, and pages and screens in
a made language, each text in brackets, leave no place without a value.

Usage: test_texts.py SOURCE_FOLDER PROGRAM_STUDY
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
PLACE = re.compile(r"%\{(\w+)\}")
faults = []


def entries(path):
    """Yields the texts of a po file: dictionaries of msgctxt, msgid, msgid_plural, msgstr, msgstr[0], ..."""
    for block in open(path, encoding="utf-8").read().split("\n\n"):
        entry, key = {"flags": re.findall(r"^#,.*$", block, re.M)}, None
        for line in block.split("\n"):
            begin = re.match(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?) "(.*)"$', line)
            if begin:
                key = begin.group(1)
                entry[key] = begin.group(2)
            elif line.startswith('"') and key:
                entry[key] += line[1:-1]
        if entry.get("msgid"):
            yield entry


def name_of(entry):
    return entry.get("msgctxt"), entry["msgid"]


def template_of(source, work):
    """Returns the texts of the sources, which no file of the repository holds."""
    made = os.path.join(work, "maxpool.pot")
    subprocess.run([os.path.join(source, "scripts/texts.sh"), "--template", made], check=True)
    return list(entries(made))


def check_catalogue(path, template):
    known = {name_of(e): e for e in entries(path)}
    for stale in known.keys() - {name_of(e) for e in template}:
        faults.append(f"{path}: no source has the text {stale[1]!r}: run scripts/texts.sh")
    for entry in template:
        translated = known.get(name_of(entry), {})
        forms = [text for key, text in translated.items() if key.startswith("msgstr")]
        places = set(PLACE.findall(entry["msgid"] + entry.get("msgid_plural", "")))
        if not forms or not all(forms) or any("fuzzy" in flags for flags in translated.get("flags", [])):
            faults.append(f"{path}: no translation of {entry['msgid']!r}")
        for text in forms:
            if re.search(r"veces más (rápid|lent)", text):  # po/README.md: "1,98 veces la velocidad"
                faults.append(f"{path}: a ratio is no difference: {text!r}")
            found = set(PLACE.findall(text))
            if found - places or (places - found and "msgid_plural" not in entry):
                faults.append(f"{path}: places {sorted(found)} are not {sorted(places)}: {text!r}")


def call_before(text, at):
    """Returns the text of a call from its opening bracket to `at`."""
    depth = 0
    while at > 0 and depth >= 0:
        at -= 1
        depth += {")": 1, "(": -1}.get(text[at], 0)
    return at


def sources(source):
    """The C files whose texts are for the screen or the page."""
    for room in ("experiments", "classroom", "theses", "networks", "harness", "cuda"):
        for folder, _, names in os.walk(os.path.join(source, room)):
            yield from (os.path.join(folder, name) for name in names if name.endswith(".c"))


def check_calls(source):
    """Checks that each place of an id has a value in WITH(...), and each value a place."""
    count = 0
    for path in sources(source):
        text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
        blank = re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: '"' + "_" * (len(m.group(0)) - 2) + '"', text)
        for found in re.finditer(r"\bWITH\(", blank):
            begin = call_before(blank, found.start())
            places = set(PLACE.findall(re.sub(r'"\s*"', "", text[begin:found.start()])))
            if text[:begin].endswith("screen_say_plural"):  # it inserts the count itself
                places.discard("n")
            depth, at = 0, found.end() - 1
            while at == found.end() - 1 or depth > 0:
                depth += {"(": 1, ")": -1}.get(blank[at], 0)
                at += 1
            values = set(re.findall(r'\{"(\w+)",', text[found.end():at]))
            count += 1
            if places and places != values:
                faults.append(f"{path}: places {sorted(places)} have values {sorted(values)}")
    if count < 100:
        faults.append(f"only {count} calls with values were found")


def in_brackets(text):
    """msgfmt wants newlines at the ends of a text at the ends of its translation too."""
    begin, inside, end = re.fullmatch(r"((?:\\n)*)(.*?)((?:\\n)*)", text).groups()
    return begin + "«" + inside + "»" + end


def write_brackets(template, path):
    with open(path, "w", encoding="utf-8") as out:
        out.write('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n'
                  'Plural-Forms: nplurals=2; plural=n != 1;\\n"\n\n')
        for entry in template:
            keep = entry.get("msgctxt") == "number"
            wrapped = entry["msgid"] if keep else in_brackets(entry["msgid"])
            if "msgctxt" in entry:
                out.write(f'msgctxt "{entry["msgctxt"]}"\n')
            out.write(f'msgid "{entry["msgid"]}"\n')
            if "msgid_plural" in entry:
                out.write(f'msgid_plural "{entry["msgid_plural"]}"\nmsgstr[0] "{wrapped}"\n'
                          f'msgstr[1] "{in_brackets(entry["msgid_plural"])}"\n\n')
            else:
                out.write(f'msgstr "{wrapped}"\n\n')


def outside_brackets(text):
    while "«" in text:
        shorter = re.sub(r"«[^«»]*»", "", text)
        if shorter == text:
            faults.append("a text is cut within its brackets")
            break
        text = shorter
    return text


def check_page(source, study, template, work):
    locale = os.path.join(work, "qaa/LC_MESSAGES")
    os.makedirs(locale)
    write_brackets(template, os.path.join(work, "qaa.po"))
    subprocess.run(["msgfmt", "-o", os.path.join(locale, "maxpool.mo"), os.path.join(work, "qaa.po")], check=True)
    results = os.path.join(work, "results")
    shutil.copytree(os.path.join(source, "results/reference/amd-epyc-zen4-2-cores"), results)
    subprocess.run([study, "report", "--charts", "none", "--lang", "qaa", "--results", results], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "MAXPOOL_LOCALE": work})
    check_brackets("the report", open(os.path.join(results, "report.md"), encoding="utf-8").read(), 500)
    page = os.path.join(work, "reproduction.md")
    thesis = os.path.join(source, "results/reference/amd-epyc-zen4-2-cores-thesis")
    subprocess.run([study, "reproduce", "--lang", "qaa", "--format", "markdown", "--results", thesis, "-o", page],
                   check=True, stderr=subprocess.DEVNULL, env={**os.environ, "MAXPOOL_LOCALE": work})
    check_brackets("the reproduction", open(page, encoding="utf-8").read(), 1000)
    check_screens(study, results, work)


def check_screens(study, results, work):
    """The screens of commands and of point programs in a bracketed language."""
    study = os.path.abspath(study)
    bin = os.path.dirname(study)
    samples = os.path.join(results, "threads.csv.gz")
    limits = ["--results", os.path.join(work, "limits")]
    network = [os.path.join(bin, "network_serial"), "--network", "solar_cnn", "--samples", "1", "--warmup", "0"]
    screens = [
        ([study, "analyze", "threads", "--points", "--results", results], 20),
        ([study, "compare", samples, samples], 8),
        ([study, "amdahl", "--fraction", "0.9"], 4),
        ([study, "import", samples, *limits], 1),
        ([study, "roofline", "--seconds", "0.02", "--visits", "1", *limits], 10),
        ([study, "roofline", "--max-seconds", "0.001", *limits], 3),
        ([study, "predict", "scale", "--platform", "fat_node", "--ranks", "8", *limits], 10),
        ([study, "calibrate", "threads", *limits], 1),
        ([*network, "--layers"], 25),
        ([os.path.join(bin, "maxpool_cuda_on_emulation"), "-n", "8", "--method", "loop", "--show-indices"], 40),
        ([os.path.join(bin, "maxpool_serial"), "-n", "4", "--explain", "--samples", "1"], 20),
        ([os.path.join(bin, "conv_serial"), "-n", "4", "--channels", "2", "--explain", "--samples", "1", "--bias",
          "random", "--activation", "relu"], 60),
    ]
    for command, least in screens:
        name = " ".join([os.path.basename(command[0]), *command[1:3]])
        if not os.path.exists(command[0]):
            continue  # a build without it
        done = subprocess.run([*command, "--lang", "qaa"], capture_output=True, text=True, check=False, cwd=work,
                              env={**os.environ, "MAXPOOL_LOCALE": work})
        if done.returncode not in (0, 3):
            faults.append(f"{name}: status {done.returncode} {done.stderr}")
        if done.returncode != 3:  # not available in this build
            check_brackets(name, done.stdout, least)


def check_brackets(name, page, least):
    """Checks that all text of a page in a bracketed language is in brackets."""
    if page.count("«") < least:
        faults.append(f"{name} in brackets has few of them")
    for place in set(PLACE.findall(page)):
        faults.append(f"{name} has a place without a value: %{{{place}}}")
    for line in outside_brackets(page).split("\n"):
        for sentence in re.findall(r"\b[a-z]{2,}(?: [a-z]{2,}){3,}", line):
            faults.append(f"{name} has text that no catalogue covers: {sentence!r}")


def main():
    source, study = sys.argv[1:]
    for program in ("xgettext", "msgfmt"):
        if not shutil.which(program):
            print(f"SKIPPED: {program} is missing (Debian: gettext)")
            return SKIPPED
    with tempfile.TemporaryDirectory() as work:
        template = template_of(source, work)
        for line in open(os.path.join(source, "po/LINGUAS"), encoding="utf-8"):
            if not line.startswith("#"):
                check_catalogue(os.path.join(source, f"po/{line.strip()}.po"), template)
        check_calls(source)
        check_page(source, study, template, work)
    for fault in sorted(set(faults)):
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
