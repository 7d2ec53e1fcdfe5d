#!/usr/bin/env bash
# Makes the HTML manual: pandoc converts each page of the documentation, in the style of the report, and an index. Links
# between pages lead to the pages of the manual; files that pages show or name are copied next to them.
# Usage: html_manual.sh OUTPUT_FOLDER
set -euo pipefail
out=${1:?usage: html_manual.sh OUTPUT_FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/.."
command -v pandoc >/dev/null || {
    echo "html_manual.sh: needs pandoc (Debian: pandoc)" >&2
    exit 3
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=(README.md CONTRIBUTING.md po/README.md docs/*.md docs/details/*.md docs/es/*.md data/*/README.md labs/*/README.md results/reference/README.md
    results/reference/*/report.md tests/data/README.md tests/cases/README.md tests/cases/*/README.md)

# The style sheet of the report, and the manual's additions: tables of contents, and commands.
{
    sed -n 's/^ *"\(.*\)";\{0,1\}$/\1/p' experiments/report/page/page_style.c | sed 's/\\"/"/g'
    echo 'nav ul{list-style:none;margin:0;padding-left:.7rem}pre{overflow-x:auto;background:var(--box);padding:.6rem .8rem}'
    echo 'code{font-size:.9em}img{max-width:100%}'
} >"$out/manual.css"
cat >"$work/page.html" <<'TEMPLATE'
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,">
<title>$pagetitle$</title>
<link rel="stylesheet" href="$root$manual.css">
</head>
<body>
<nav><a href="$root$index.html">All pages</a>
$toc$
</nav>
<main>
$body$
</main>
</body>
</html>
TEMPLATE

# render SOURCE TARGET ROOT: converts a Markdown page to HTML; links to Markdown become links to HTML.
render() {
    mkdir -p "$(dirname "$out/$2")"
    pandoc --from gfm --to html5 --template "$work/page.html" --toc --toc-depth 2 --variable "root=$3" \
        --metadata "pagetitle=$(sed -n 's/^# //p' "$1" | head -1)" "$1" |
        sed -E 's|(href="[^":]*)\.md([#"])|\1.html\2|g' >"$out/$2"
}

for page in "${pages[@]}"; do
    root=$(echo "$page" | sed -E 's|[^/]+$||; s|[^/]+/|../|g')
    render "$page" "${page%.md}.html" "$root"
done
# The index is docs/README.md, with links relative to the folder above.
sed -E 's#\]\(([a-z/_]+\.md)#](docs/\1#g; s#\]\(\.\./#](#g' docs/README.md >"$work/index.md"
render "$work/index.md" index.html ./

# Copies unchanged the files that pages show or name and that are no pages.
while IFS=: read -r page target; do
    from=$(realpath -m --relative-to=. "$(dirname "$page")/$target")
    if [ -e "$from" ] && [ ! -e "$out/$from" ]; then
        mkdir -p "$out/$(dirname "$from")"
        cp -r "$from" "$out/$from"
    fi
done < <(grep -oHE '\]\([^)#: ]+' "${pages[@]}" | sed 's/\](//' | grep -v '\.md$')
