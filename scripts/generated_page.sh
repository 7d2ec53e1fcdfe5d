# Sourced by the scripts that generate a page of docs/ from the programs' own output. Takes their first argument if it
# is --check.
check=0
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi

# put_page NEW PAGE COMPLAINT: writes the new text to the page. With --check it instead fails, with the difference and
# the complaint, if the page differs from the new text.
put_page() {
    if [ "$check" != 1 ]; then
        cat "$1" >"$2"
    elif ! diff -u "$2" "$1"; then
        echo "$3" >&2
        return 1
    fi
}
