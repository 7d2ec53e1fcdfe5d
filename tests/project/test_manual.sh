#!/usr/bin/env bash
# Every link within the HTML manual leads to an existing file and to an existing anchor in it; a broken link is found.
# Usage: test_manual.sh SOURCE_FOLDER
set -euo pipefail
source=${1:?usage: test_manual.sh SOURCE_FOLDER}
command -v pandoc >/dev/null || {
    echo "SKIPPED: pandoc is missing (Debian: pandoc)"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$source/scripts/html_manual.sh" "$work/manual"

# broken: prints each local link without a target, as PAGE: LINK.
broken() {
    grep -roHE '(href|src)="[^"]+"' --include='*.html' . | sed -E 's/:(href|src)="/ /; s/"$//' | sort -u |
        while read -r page link; do
            case $link in *:*) continue ;; esac
            target=$(dirname "$page")/${link%%#*}
            [ -n "${link%%#*}" ] || target=$page
            if [ ! -e "$target" ]; then
                echo "$page: $link"
            elif [ "$link" != "${link#*#}" ]; then
                grep -q "id=\"${link#*#}\"" "$target" || echo "$page: $link"
            fi
        done
}

cd "$work/manual"
[ "$(find . -name '*.html' | wc -l)" -ge 25 ] || { echo "the manual has hardly a page"; exit 1; }
found=$(broken)
[ -z "$found" ] || { echo "links that lead nowhere:"; echo "$found"; exit 1; }
grep -q 'href="docs/tutorial.html"' index.html || { echo "the index does not name the tutorial"; exit 1; }
grep -q -- '--accent' manual.css || { echo "the manual lacks the style of the report"; exit 1; }
cat >planted.html <<'PLANTED'
<a href="nowhere.html">x</a> <a href="index.html#nowhere">y</a>
PLANTED
[ "$(broken | grep -c planted)" = 2 ] || { echo "links that lead nowhere are not found"; exit 1; }
echo "Every link of the manual has its target."
