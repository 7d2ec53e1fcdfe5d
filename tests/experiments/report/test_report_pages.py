#!/usr/bin/env python3
"""The pages of a report: the first one is short and has its parts in order, each claim is on exactly one page and in one
block with its chart, every link leads somewhere, the menu is one line, and the speedup figure fits a telephone. The page
of the tesina has at most twelve screens of a laptop.

usage: test_report_pages.py BUILD_FOLDER
"""

import collections
import csv
import gzip
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
SAMPLES = {
    "amd-epyc-zen4-2-cores": ["speedup", "serial_growth", "matmul_growth", "brain"],
    "amd-epyc-zen4-2-cores-networks": ["conv_ladder", "batch", "mri_training"],
}
FILES = ["report.html", "report-pooling.html", "report-operators.html", "report-networks.html", "report-training.html",
         "reproduction.html", "report-method.html"]
FIRST_WORDS = 1000  # of the first page, with what is folded away: three screens of a laptop have room for them
MENU_SHARE = 0.08  # of the height of a screen
SCREENS = [(1366, 768), (390, 844)]  # pixels: a laptop, a telephone
TESINA_SCREENS = 12  # of a laptop
VOID = {"meta", "link", "br", "img", "hr", "input"}
DRAWN = {"figure", "svg", "style", "title"}


class Page(html.parser.HTMLParser):
    """What the checks need of a page."""

    def __init__(self, name, text):
        super().__init__()
        self.name, self.source = name, text
        self.ids, self.links, self.here, self.order = set(), [], [], []
        self.answers, self.loose, self.stack, self.words, self.rows = [], [], [], [], []
        self.drawings = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.update([a["id"]] if "id" in a else [])
        kind = a.get("class", "")
        if tag == "a" and "href" in a:
            self.links.append(a["href"])
            self.here += [a["href"]] if "aria-current" in a else []
        if tag == "figure" and kind != "picture":
            self.drawings += 1
            if not any(of == "claim" for _, of in self.stack):
                self.loose.append(a.get("aria-label", ""))
        if (tag, kind) == ("p", "answer"):
            self.answers.append("")
        if tag == "tr":
            self.rows.append("")
        if tag in ("td", "th"):
            self.rows[-1] += " "
        self.order += [kind or tag] if tag in ("figure", "ul", "table") or kind in ("answer", "cards", "bar") else []
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.stack.append((tag, kind))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if any(tag in DRAWN for tag, _ in self.stack):
            return
        self.words += data.split()
        if ("p", "answer") in self.stack:
            self.answers[-1] += data
        if any(tag == "tr" for tag, _ in self.stack):
            self.rows[-1] += data


def fill(folder):
    """Writes committed samples of each page."""
    for machine, names in SAMPLES.items():
        place = os.path.join(SOURCE, "results/reference", machine)
        for name in os.listdir(place):
            if name.split(".")[0] in names + ["ceilings", "environment"] and os.path.isfile(f"{place}/{name}"):
                target = f"{folder}/{name.removesuffix('.gz')}"
                if os.path.exists(target):
                    continue
                with (gzip.open if name.endswith(".gz") else open)(f"{place}/{name}", "rb") as file:
                    with open(target, "wb") as out:
                        shutil.copyfileobj(file, out)


def report(build, folder, language, charts):
    """Returns the pages of the report and its Markdown text."""
    subprocess.run([f"{build}/bin/study", "report", "--results", folder, "--charts", charts, "--lang", language],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pages = []
    for name in FILES:
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            pages.append(Page(name, file.read()))
    with open(f"{folder}/report.md", encoding="utf-8") as file:
        return pages, re.sub(r"\\(.)", r"\1", file.read())


def check_links(pages):
    """Every page has a link to every page, with one marked as being here, and every link leads somewhere."""
    ids = {page.name: page.ids for page in pages}
    for page in pages:
        if page.here != [page.name]:
            yield f"{page.name}: the menu marks {page.here}"
        if page.links[: len(FILES)] != FILES:
            yield f"{page.name}: the menu has {page.links[:len(FILES)]}"
        for link in page.links:
            name, _, anchor = link.partition("#")
            if (name or page.name) not in ids or (anchor and anchor not in ids[name or page.name]):
                yield f"{page.name}: nothing is at {link}"


def check_first(page, charts):
    """The first page is short: the speedup, its figure, answers, how far they can be trusted, the tesina's figures."""
    words = len(page.words)
    if words > FIRST_WORDS:
        yield f"{page.name}: {words} words, more than {FIRST_WORDS}"
    wanted = ["answer"] + (["wide", "narrow"] if charts else []) + ["cards", "ul", "bar", "few"]
    order = [kind for kind in page.order if kind in wanted]
    if order[: len(wanted)] != wanted:
        yield f"{page.name}: its parts are {order}, not {wanted}"


def squeezed(text):
    """Returns a text with one space between words."""
    return " ".join(text.split())


def check_claims(pages, markdown):
    """Every claim is on one page, and every claim of the one document is on a page."""
    places = collections.defaultdict(list)
    for page in pages:
        for answer in page.answers:
            places[squeezed(answer)].append(page.name)
    for answer, names in places.items():
        if len(set(names)) > 1:
            yield f"on {names}: {answer}"
    claims = [squeezed(line.strip("*")) for line in markdown.splitlines() if re.fullmatch(r"\*\*[^*]+\*\*", line)]
    claims = [claim for claim in claims if re.search(r"\d", claim)]
    if len(claims) < 8:
        yield f"only {len(claims)} claims"
    for claim in claims:
        if claim not in places:
            yield f"on no page: {claim}"


def check_blocks(pages, charts):
    """A chart stands in a block with its claim, which paper does not divide."""
    for page in pages:
        yield from (f"{page.name}: a chart outside of a block: {label}" for label in page.loose)
        paper = page.source.partition("@media print{")[2].partition("</style>")[0]
        if not re.search(r"\.claim[^{}]*\{break-inside:avoid\}", paper):
            yield f"{page.name}: paper may part a claim from its chart"
    if charts and sum(page.drawings for page in pages) < 6:
        yield "hardly a chart"


def rem(style, name):
    """Returns a length of a rule in the style sheet, in pixels."""
    return 16.0 * float(re.search(name + r":(\.?\d[.\d]*)rem", style)[1])


def check_menu(page):
    """The menu never takes a second line, and is low."""
    rule = re.search(r"nav\{(position:sticky[^}]*)\}", page.source)[1]
    for needed in ("display:flex", "overflow-x:auto", "white-space:nowrap"):
        if needed not in rule:
            yield f"the menu lacks {needed}"
    scrollbar = 8.0  # pixels, of scrollbar-width:thin
    height = 2.0 * rem(rule, "padding") + 1.5 * rem(rule, "font-size") + 1.0 + scrollbar
    for width, high in SCREENS:
        if height > MENU_SHARE * high:
            yield f"the menu is {height} of {high} pixels high at a width of {width}"


def check_telephone(page):
    """The figure for telephones is no wider than one, and names f and the bound."""
    narrow = page.source.partition('<figure class="narrow"')[2].partition("</figure>")[0]
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', narrow)
    if not box or int(box[1]) > SCREENS[1][0] or int(box[2]) > SCREENS[1][1]:
        yield f"the figure for telephones is {box and box[0]}"
    text = squeezed(re.sub(r"<[^>]*>", " ", narrow))
    for bound in ("f = 0", "2.26") if page.name == "report.html" else ():
        if bound not in text and bound.replace(".", ",") not in text:
            yield f"the figure for telephones has no '{bound}': {text}"
    if not re.search(r"max-width:40rem[^@]*\.wide\{display:none\}\.narrow\{display:block\}", page.source):
        yield "a telephone is shown the wide figure"


def numbers(text):
    """Returns the numbers of a text."""
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))


def check_numbers(pages, markdown):
    """No row of a table and no number of the one document is missing on the pages."""
    shown = numbers(" ".join(word for page in pages for word in page.words))
    for number in numbers(re.sub(r"!\[.*\]\(.*\)|\(\S+\.html\)", "", markdown)) - shown:
        yield f"on no page: the number {number}"
    rows = {squeezed(row) for page in pages for row in page.rows}
    tables = [line for line in markdown.splitlines() if line.startswith("| ")]
    if len(tables) < 20:
        yield f"only {len(tables)} rows of tables"
    for line in tables:
        row = squeezed(" ".join(cell.strip().strip("*") for cell in line.split("|")))
        if row not in rows:
            yield f"on no page: the row {row}"


def check_digits(text):
    """No value has a digit behind the first one of half its interval, or one place behind a first digit of 1 or 2; and
    none whose interval is wider than the value is printed beside it."""
    found = re.findall(r"(?<![\d.,−-])(\d+(?:[.,]\d+)?) \\?\[(-?\d+(?:[.,]\d+)?)[,;] (-?\d+(?:[.,]\d+)?)\\?\]", text)
    for shown, lower, upper in found:
        value, low, high = (float(n.replace(",", ".")) for n in (shown, lower, upper))
        decimals = len(re.split(r"[.,]", shown + ".")[1])
        half = (high - low) / 2
        if half > 0 and (10.0 ** -decimals < half / 31 and decimals > 0 or half > 0.51 * abs(value) + 10.0 ** -decimals):
            yield f"{shown} [{lower}, {upper}] has more digits than its interval allows"
    if len(found) < 20:
        yield f"only {len(found)} values with intervals"


def check(build, folder, language, charts):
    """Returns the faults of a report."""
    pages, markdown = report(build, folder, language, "svg" if charts else "none")
    faults = [*check_links(pages), *check_first(pages[0], charts), *check_claims(pages, markdown), *check_menu(pages[0]),
              *check_blocks(pages, charts), *check_numbers(pages, markdown), *check_digits(markdown)]
    if charts:
        faults += check_telephone(pages[0])
    print(f"{language}: first page {len(pages[0].words)} words, all {sum(len(page.words) for page in pages)}")
    return [f"{language}: {fault}" for fault in faults]


def check_parts(build, folder):
    """A report of one experiment has no pages of others, not even those of an earlier report."""
    subprocess.run([f"{build}/bin/study", "report", "speedup", "--results", folder, "--charts", "none"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    left = sorted(name for name in os.listdir(folder) if re.fullmatch(r"report.*\.html", name))
    return [] if left == ["report-method.html", "report-pooling.html", "report.html"] else [f"of one experiment: {left}"]


def check_alone(build):
    """One simulated number of ranks is not the fastest of any, as after a short budget."""
    place = os.path.join(SOURCE, "results/reference/amd-epyc-zen4-2-cores")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(f"{place}/environment.json", folder)
        for name in ("calibration.samples", "scale"):
            with gzip.open(f"{place}/{name}.csv.gz", "rt") as packed:
                rows = list(csv.DictReader(packed))
            with open(f"{folder}/{name}.csv", "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0])
                writer.writeheader()
                writer.writerows(r for r in rows if name != "scale" or (r["platform"] and r["ranks"] == "256"))
        subprocess.run([f"{build}/bin/study", "report", "--results", folder, "--charts", "none", "--lang", "en"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(f"{folder}/report.md", encoding="utf-8") as file:
            text = re.sub(r"\\(.)", r"\1", file.read())
    wrong = re.search("ranks are the fastest|total time is shortest", text)
    said = "256 ranks take 42.9 µs" in text and "no other number of ranks was simulated" in text
    return [f"one simulated number of ranks: {wrong or text[:3000]}"] if wrong or not said else []


def check_tesina(build, folder, language):
    """The page of the tesina from the committed samples, as long as a browser draws it."""
    page = f"{folder}/tesina.html"
    results = [f"--results={found.path}" for found in sorted(os.scandir(f"{SOURCE}/results/reference"), key=lambda e: e.name)
               if "-thesis" in found.name]
    subprocess.run([f"{build}/bin/study", "reproduce", *results, "--document", "tesina", "--lang", language, "--format",
                    "html", "-o", page], check=True, cwd=SOURCE)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with open(page, "w", encoding="utf-8") as file:
        file.write(text.replace("</body>", "<script>document.title = document.documentElement.scrollHeight</script></body>"))
    width, height = SCREENS[0]
    drawn = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                            f"--window-size={width},{height}", "--dump-dom", f"file://{page}"], check=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    screens = int(re.search(r"<title>(\d+)</title>", drawn).group(1)) / height
    print(f"{language}: the page of the tesina has {screens:.1f} screens")
    return [f"{language}: the page of the tesina has {screens:.1f} screens"] if screens > TESINA_SCREENS else []


def main():
    """Runs the test."""
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        fill(folder)
        faults = check(build, folder, "en", shutil.which("gnuplot") is not None)
        if os.path.exists(f"{build}/share/locale/es/LC_MESSAGES/maxpool.mo"):
            faults += check(build, folder, "es", False)
            faults += check_tesina(build, folder, "es") if shutil.which("chromium") else []
        faults += check_parts(build, folder)
    faults += check_alone(build)
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
